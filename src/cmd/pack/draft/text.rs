//! The draft as TOML, with what its author must look at as comments.

use std::collections::{BTreeMap, BTreeSet};

use super::{Draft, Proposed, TELLING, WORDS, met, row, tells};
use crate::cmd::calibrate::JudgedAnswer;
use crate::doc::escape;
use crate::pack::Level;
use crate::score::{Concept, Scorer, Verdict, hear};
use crate::study::words::some;

impl Draft<'_> {
    /// The whole file.
    pub(super) fn text(&self, answers: &[JudgedAnswer]) -> String {
        let scorer = Scorer::new(&self.rubric(), &self.pack.vocabulary);
        let score = scorer.score(&self.drill.model);
        let met = met(&score);
        let twins: BTreeSet<&str> = score.misconceptions.iter().map(|m| m.id.as_str()).collect();
        let mut text = self.head(answers.len(), met.len());
        for concept in &self.drill.rubric.concepts {
            text.push_str(&concept_text(concept));
        }
        let fresh = self.fresh();
        if !fresh.is_empty() {
            text.push_str(
                "# Words that no concept has yet: give each the other ways to say it, or write the \
             plain word into the pattern.\n",
            );
        }
        for (id, word) in &fresh {
            text.push_str(&concept_text(&Concept {
                id: id.clone(),
                words: vec![word.clone()],
                ..Concept::default()
            }));
        }
        let rest = self.unknown.values().filter(|word| !fresh.iter().any(|(_, known)| known == *word));
        let rest: Vec<String> = rest.map(|word| escape::line(word).into_owned()).collect();
        if !rest.is_empty() {
            text.push_str(&format!("# Words in no pattern and in no concept: {}\n\n", rest.join(", ")));
        }
        for part in &self.drill.rubric.parts {
            text.push_str(&format!("# --- {part} ---\n\n"));
            for point in self.points.iter().filter(|p| p.part == *part) {
                text.push_str(&point.text(met.contains(&point.id)));
            }
            if !self.points.iter().any(|p| p.part == *part) {
                text.push_str("# Nothing in the model answer was taken for this part: it needs a point.\n\n");
            }
            for vague in self.vague(part, answers, &scorer) {
                text.push_str(&format!(
                    "# judged partial; put these into the `partial` of a point: {vague}\n"
                ));
            }
        }
        let made: String = self.points.iter().map(|point| point.twin_text(&twins)).collect();
        match made.is_empty() {
            true => {
                text.push_str("# No false twin could be made: write what weak candidates really say.\n\n")
            }
            false => text.push_str(
                "# --- false twins, one word turned round: delete those that could be true ---\n\n",
            ),
        }
        text.push_str(&made);
        text.push_str(&self.heard_elsewhere(answers));
        text
    }

    fn head(&self, answers: usize, met: usize) -> String {
        let d = self.drill;
        let level = match d.level {
            Level::Junior => "junior",
            Level::Mid => "mid",
            Level::Senior => "senior",
        };
        let from = match answers {
            0 => String::new(),
            n => format!(" and {}", some(n, "judged answer")),
        };
        let parts = match self.by_paragraph {
            true => "Each paragraph of the model answer was taken for a part, in order.",
            false => {
                "The model answer does not have one paragraph for each part: check that each point has the \
                 right `part`."
            }
        };
        let known: Vec<String> = self.known.iter().map(|id| format!("@{id}")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        format!(
            "# A draft from the model answer{from}: edit all of it. docs/writing-rubrics.md says how.\n\
             # {parts}\n# {met} of {} are found in the model answer by their own pattern.\n\
             # Concepts that are known already: {known}\n\
             # `infralens concept ID` prints the words of one.\nformat = 2\nlesson = {}\n\n[[drill]]\nid = {}\nprompt = {}\n\
             level = \"{level}\"\nminutes = {}\nmodel = \"\"\"\n{}\n\"\"\"\n# need = {{ {} = 1 }}   # left out: two where a part has three points or more\n\n",
            some(self.points.len(), "point"),
            quoted(&d.lesson),
            quoted(&d.id),
            quoted(&d.prompt),
            d.minutes,
            d.model.trim().replace('\\', "\\\\").replace("\"\"\"", "\\\"\\\"\\\""),
            d.rubric.parts.first().map_or("part", String::as_str),
        )
    }

    /// Statements of answers whose part a judge held partial, and which no pattern found.
    fn vague(&self, part: &str, answers: &[JudgedAnswer], scorer: &Scorer) -> Vec<String> {
        let of = answers.iter().filter(|a| a.verdicts.get(part) == Some(&Verdict::Partial));
        let statements = of.flat_map(|a| {
            let score = scorer.score(&a.answer);
            let used: Vec<_> = score
                .parts
                .iter()
                .flat_map(|p| &p.points)
                .flat_map(|p| &p.evidence)
                .map(|e| e.range())
                .collect();
            let heard = hear(&a.answer, &self.pack.vocabulary, &self.drill.rubric.concepts);
            let vague = heard.into_iter().filter(move |h| {
                let telling = h.words.iter().filter(|w| tells(w)).count();
                telling < TELLING && !used.iter().any(|u| u.start < h.end && h.start < u.end)
            });
            vague
                .map(|h| {
                    escape::line(&a.answer[h.start..h.end].split_whitespace().collect::<Vec<_>>().join(" "))
                        .into_owned()
                })
                .collect::<Vec<_>>()
        });
        let mut all: Vec<String> = statements.collect();
        all.sort();
        all.dedup();
        all.truncate(8);
        all
    }

    /// Words of answers that were judged covered and that nothing knows.
    fn heard_elsewhere(&self, answers: &[JudgedAnswer]) -> String {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for answer in answers.iter().filter(|a| a.verdicts.values().any(|v| *v == Verdict::Covered)) {
            let heard = hear(&answer.answer, &self.pack.vocabulary, &self.rubric().concepts);
            let words: BTreeSet<String> = heard
                .into_iter()
                .flat_map(|h| h.words)
                .filter(|w| w.concepts.is_empty())
                .map(|w| w.text)
                .collect();
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1);
        }
        let mut most: Vec<(String, usize)> = counts.into_iter().filter(|(_, n)| *n > 1).collect();
        most.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        most.truncate(WORDS);
        if most.is_empty() {
            return String::new();
        }
        let words: Vec<String> =
            most.iter().map(|(word, n)| format!("{} ({n})", escape::line(word))).collect();
        format!(
            "# Words from good answers that no concept has yet, with how many answers say them. Add each to \
             the concept it means:\n# {}\n",
            words.join(", ")
        )
    }
}

impl Proposed {
    fn text(&self, met: bool) -> String {
        let note = if met { "" } else { "# not found in the model answer yet; loosen it\n" };
        let partial: Vec<String> = self.partial.iter().map(|slots| quoted(&row(slots))).collect();
        let partial =
            if partial.is_empty() { String::new() } else { format!("partial = [{}]\n", partial.join(", ")) };
        format!(
            "{note}[[drill.point]]\nid = {}\npart = {}\nsays = {}\nmatch = [{}]\n{partial}\n",
            quoted(&self.id),
            quoted(&self.part),
            quoted(&self.says),
            quoted(&self.pattern())
        )
    }

    fn twin_text(&self, found: &BTreeSet<&str>) -> String {
        let Some(pattern) = &self.twin else { return String::new() };
        let id = format!("not-{}", self.id);
        // a twin that the model answer itself says would cost every good answer a level
        if found.contains(id.as_str()) {
            return String::new();
        }
        format!(
            "[[drill.misconception]]\nid = {}\npart = {}\nmatch = [{}]\ncorrection = {}\n\n",
            quoted(&id),
            quoted(&self.part),
            quoted(pattern),
            quoted(&self.says)
        )
    }
}

fn concept_text(concept: &Concept) -> String {
    let words: Vec<String> = concept.words.iter().map(|w| quoted(w)).collect();
    let opposite =
        concept.opposite.as_ref().map(|id| format!("opposite = {}\n", quoted(id))).unwrap_or_default();
    let replaces = if concept.replaces { "replaces = true\n" } else { "" };
    format!(
        "[[drill.concept]]\nid = {}\n{opposite}{replaces}words = [{}]\n\n",
        quoted(&concept.id),
        words.join(", ")
    )
}

/// A text as TOML writes it on one line.
fn quoted(text: &str) -> String {
    let text = escape::line(text);
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
