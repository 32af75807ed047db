//! A report as Markdown, for a file or for somebody else to read.

use std::fmt::Write;

use super::graded::Graded;
use super::report::{AnswerReport, Report};
use super::{Phase, Rehearsal};
use crate::score::Verdict;
use crate::study::words::{clean, clock, percent, some};

impl Rehearsal {
    /// All that was typed in a run, to be read by a person.
    pub fn spoken(&self) -> String {
        let mut page = String::new();
        let mut add = |head: &str, text: &str| {
            if !text.trim().is_empty() {
                page.push_str(&format!("{head}\n\n{}\n\n", text.trim_end()));
            }
        };
        for take in &self.takes {
            let question = self.prompts.get(take.prompt).map_or("", |p| &p.text);
            match &take.attempt.part {
                Some(part) => add(&format!("# Follow-up on {part}: {question}"), &take.attempt.answer),
                None => {
                    add(&format!("# {question}"), &take.attempt.answer);
                    add("## Notes", &take.notes);
                }
            }
        }
        if let Some(prompt) = self.prompt().filter(|_| self.phase != Phase::Verdict) {
            add(&format!("# {}", prompt.text), &self.text);
            add("## Notes", &self.notes);
        }
        page
    }
}

impl Report {
    /// The report as a Markdown page. `date` is its heading's date, in the learner's words.
    pub fn markdown(&self, date: &str, graded: Option<&Graded>) -> String {
        let mut page = String::new();
        // writing to a string cannot fail
        let _ = self.head(&mut page, date, graded);
        let _ = self.body(&mut page, graded);
        page
    }

    fn head(&self, page: &mut String, date: &str, graded: Option<&Graded>) -> std::fmt::Result {
        let kind = if self.setup.strict { "strict" } else { "practice" };
        let (answered, asked) = self.prompts();
        writeln!(page, "# Rehearsal of {}\n", clean(date))?;
        writeln!(page, "- Total {}, {answered} of {asked} prompts answered", percent(self.total))?;
        if let Some(graded) = graded {
            writeln!(page, "- {}", clean(&graded.said()))?;
        }
        writeln!(
            page,
            "- {kind}, {} to think, {} to answer, seed {}",
            clock(self.setup.think),
            clock(self.setup.answer),
            self.setup.seed
        )?;
        if let Some(part) = self.parts.iter().find(|p| Some(&p.part) == self.limiting.as_ref()) {
            writeln!(page, "- Limiting part: {}", clean(&part.title))?;
        }
        let t = &self.totals;
        let first = t.first_word.map_or("no word".into(), |s| format!("first word after {s:.0} s"));
        writeln!(
            page,
            "- Pace: {}, {:.0} a minute, {first}, {} unused",
            some(t.words, "word"),
            t.pace,
            clock(t.unused)
        )?;
        writeln!(
            page,
            "- Delivery: {}, {} of {} answers said the answer first, {} given",
            some(t.hedges, "hedge"),
            t.answer_first,
            self.answers.len(),
            some(t.numbers, "number")
        )?;
        if t.away > 0 {
            writeln!(
                page,
                "- The program was suspended or hidden for {} while a clock was running",
                clock(t.away)
            )?;
        }
        if self.away.iter().any(|a| a.stopped) {
            writeln!(page, "- The run was broken off and continued later")?;
        }
        writeln!(page)
    }

    fn body(&self, page: &mut String, graded: Option<&Graded>) -> std::fmt::Result {
        writeln!(page, "| part | mark | covered | partial | missing |\n|---|---:|---:|---:|---:|")?;
        for part in &self.parts {
            let [covered, partial, missing] = part.verdicts;
            let title = clean(&part.title);
            writeln!(page, "| {title} | {} | {covered} | {partial} | {missing} |", percent(part.score))?;
        }
        for answer in &self.answers {
            self.answer(page, answer, graded)?;
        }
        if !self.next.is_empty() {
            writeln!(page, "\n## Read next\n")?;
        }
        for read in &self.next {
            writeln!(page, "- {}: {}", clean(&read.title), clean(&read.why))?;
        }
        Ok(())
    }

    fn answer(&self, page: &mut String, a: &AnswerReport, graded: Option<&Graded>) -> std::fmt::Result {
        let what = if a.part.is_some() { ", follow-up" } else { "" };
        writeln!(page, "\n## {}{what}: {}\n\n{}\n", a.number, percent(a.total), clean(&a.question))?;
        if let Some((graded, total)) = graded.and_then(|g| Some((g, g.answers.get(&a.attempt)?))) {
            writeln!(page, "{} by the instructor, {}\n", percent(*total), clean(&graded.by))?;
        }
        let text = clean(&a.answer);
        if text.trim().is_empty() {
            writeln!(page, "> (no answer)")?;
        }
        for line in text.trim().lines() {
            writeln!(page, "> {line}")?;
        }
        let end = if a.timed_out { "the clock ended it" } else { "ended by hand" };
        writeln!(
            page,
            "\n{} in {}, {end}{}\n",
            some(a.delivery.words, "word"),
            clock(a.seconds),
            a.rated.map_or(String::new(), |own| format!(", rated {} before the marks", percent(own)))
        )?;
        for part in a.score.parts.iter().filter(|p| a.part.as_ref().is_none_or(|only| *only == p.part)) {
            let verdict = match part.verdict {
                Verdict::Covered => "covered",
                Verdict::Partial => "partial",
                Verdict::Missing => "missing",
            };
            let title = self.parts.iter().find(|p| p.part == part.part).map_or(&part.part, |p| &p.title);
            // the stored answer of a follow-up is its feedback too
            let feedback = Some(&part.feedback).filter(|f| a.right.as_ref() != Some(f));
            let feedback = feedback.map_or(String::new(), |f| clean(f));
            let row = format!("- {}: {verdict}. {feedback}", clean(title));
            writeln!(page, "{}", row.trim_end())?;
        }
        if let Some(right) = &a.right {
            writeln!(page, "- The answer: {}", clean(right))?;
        }
        for wrong in &a.score.misconceptions {
            writeln!(page, "- Not so: {}", clean(&wrong.correction))?;
        }
        Ok(())
    }
}
