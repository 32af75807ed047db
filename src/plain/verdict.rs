//! The verdict on an answer, in words.

use super::desk::heard;
use super::menu::Menu;
use super::out::Out;
use super::page::{At, Go, Page};
use crate::pack::{Drill, Pack};
use crate::page::place::Place;
use crate::score::{Evidence, PartScore, PointScore, Verdict as Mark};
use crate::store::{Dispute, Target};
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::compare::{compare, is_before};
use crate::study::schedule::{Grade, grade_attempt};
use crate::study::words::{clock, flag, percent, some, verdict};

/// Among the newest this many answers to a drill, the one before is looked for.
const MOST_COMPARED: u32 = 50;

/// A scored answer.
pub struct Verdict {
    attempt: Attempt,
    /// Whether it was answered just now.
    fresh: bool,
    menu: Menu<Choice>,
    disputing: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Choice {
    Why,
    Model,
    Follow(String),
    Again,
    Section,
    Compare,
    Earlier,
    Answer,
    Dispute,
    Part(String),
}

impl Verdict {
    /// The verdict on an attempt; `fresh` where it was answered just now.
    pub fn new(attempt: Attempt, fresh: bool) -> Self {
        Verdict { attempt, fresh, menu: Menu::default(), disputing: false }
    }

    fn choices(&mut self, drill: Option<&Drill>) {
        let mut menu = Menu::default();
        menu.add("Why: what you said for each key point", Choice::Why);
        if let Some(drill) = drill {
            menu.add("Model answer", Choice::Model);
            if let Some(part) = answer::part_to_follow(drill, &self.attempt) {
                let has = drill.follow_up(part).is_some();
                let text = if has { "Follow-up on" } else { "Answer again, only on" };
                menu.add(format!("{text} {part}"), Choice::Follow(part.to_owned()));
            }
            menu.add("Answer it again", Choice::Again);
            menu.add("Read the section that explains it", Choice::Section);
        }
        menu.add("What was gained and lost since the answer before", Choice::Compare);
        menu.add("Earlier answers to this drill", Choice::Earlier);
        menu.add("Hear your answer again", Choice::Answer);
        menu.add("Dispute a mark", Choice::Dispute);
        self.menu = menu;
        self.disputing = false;
    }

    fn say_choices(&self, out: &mut Out) {
        self.menu.say(out);
        out.say("Type a number. l lists the choices again, Enter or q goes on.");
    }

    /// Asks which mark is disputed.
    fn dispute_which(&mut self, at: &mut At) {
        let mut menu = Menu::default();
        for part in self.attempt.marks() {
            menu.add(format!("{}: {}", part.part, verdict(part.verdict)), Choice::Part(part.part.clone()));
        }
        at.out.say("Which mark is wrong? What you say is kept with the answer.");
        menu.say(at.out);
        self.menu = menu;
        self.disputing = true;
    }

    fn dispute(&mut self, part: &str, at: &mut At) {
        let Some(id) = heard(at.desk.store.fresh_id(at.now), at.out) else {
            return;
        };
        let dispute = Dispute {
            id,
            attempt: self.attempt.id.clone(),
            pack: self.attempt.pack.clone(),
            drill: self.attempt.drill.clone(),
            target: Target::Part,
            item: part.to_owned(),
            note: String::new(),
            at: at.now,
        };
        if heard(at.desk.store.dispute(&dispute), at.out).is_some() {
            at.out.say(&format!("Your dispute of the mark for {part} is kept with the answer."));
        }
    }

    fn take(&mut self, choice: Choice, at: &mut At) -> Go {
        let index = at.desk.library.index(&self.attempt.pack);
        let drill = index.and_then(|i| at.desk.library.drill(i, &self.attempt.drill));
        match (choice, index) {
            (Choice::Why, _) => why(&self.attempt, drill, at.out),
            (Choice::Model, _) => {
                at.out.say("A model answer:");
                at.out.markdown(drill.map_or("", |d| &d.model));
            }
            (Choice::Follow(part), Some(pack)) => return self.answer_again(pack, Some(part)),
            (Choice::Again, Some(pack)) => return self.answer_again(pack, self.attempt.part.clone()),
            (Choice::Section, Some(pack)) => {
                return Go::To(Place::Lesson { pack, id: self.attempt.lesson.clone() });
            }
            (Choice::Compare, _) => self.compare(at),
            (Choice::Earlier, _) => {
                let drill = Some((self.attempt.pack.clone(), self.attempt.drill.clone()));
                return Go::To(Place::History { drill });
            }
            (Choice::Answer, _) => at.out.own(&self.attempt.answer),
            (Choice::Dispute, _) => self.dispute_which(at),
            (Choice::Part(part), _) => {
                self.dispute(&part, at);
                self.choices_of(at);
            }
            (_, None) => at.out.say("The pack of this drill is not loaded; add it with --pack."),
        }
        Go::Stay
    }

    /// Says what was gained and lost since the answer before this one, to the same parts.
    fn compare(&self, at: &mut At) {
        let all = at.desk.store.attempts_of(&self.attempt.pack, &self.attempt.drill, MOST_COMPARED);
        let all = heard(all, at.out).unwrap_or_default();
        let same = |a: &&Attempt| a.part == self.attempt.part && is_before(a, &self.attempt);
        let Some(before) = all.iter().find(same) else {
            at.out.say("This is the first answer to it. Answer it again, and both are compared here.");
            return;
        };
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.attempt.pack);
        let title = |id: &str| pack.map_or(id, |p| answer::part_title(&p.parts, id)).to_owned();
        at.out.say(&format!("Since {}:", at.desk.when(before.at)));
        for sentence in compare(before, &self.attempt).sentences(title) {
            at.out.inner(&sentence);
        }
    }

    fn answer_again(&self, pack: usize, only: Option<String>) -> Go {
        Go::To(Place::Drill { pack, id: self.attempt.drill.clone(), only })
    }

    fn choices_of(&mut self, at: &mut At) {
        let index = at.desk.library.index(&self.attempt.pack);
        let drill = index.and_then(|i| at.desk.library.drill(i, &self.attempt.drill));
        self.choices(drill);
    }
}

impl Page for Verdict {
    fn show(&mut self, at: &mut At) -> Go {
        let pack = at.desk.library.packs.iter().find(|p| p.id == self.attempt.pack);
        say(&self.attempt, pack, at.out);
        at.out.gap();
        self.choices_of(at);
        self.say_choices(at.out);
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match line {
            "" if self.disputing => self.choices_of(at),
            "" => return Go::Back(self.result()),
            "l" => {
                self.choices_of(at);
                self.say_choices(at.out);
            }
            _ => match self.menu.pick(line).cloned() {
                Some(choice) => return self.take(choice, at),
                None => self.menu.wrong(line, at.out),
            },
        }
        Go::Stay
    }

    fn back(&mut self, _grade: Option<Grade>, at: &mut At) -> Go {
        at.out.say("Back at the verdict.");
        self.choices_of(at);
        self.say_choices(at.out);
        Go::Stay
    }

    fn result(&self) -> Option<Grade> {
        grade_attempt(&self.attempt).filter(|_| self.fresh)
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("a number", "take that choice"), ("l", "list the choices again"), ("Enter alone", "go on")]
    }
}

/// Says a verdict: total, flags, misconceptions, the parts with the weakest first.
pub fn say(attempt: &Attempt, pack: Option<&Pack>, out: &mut Out) {
    let words = some(attempt.score.words, "word");
    out.say(&format!("Verdict: {}, {words} in {}.", percent(attempt.total()), clock(attempt.seconds)));
    if let Some(rated) = attempt.rated {
        out.say(&format!("You thought it was worth {}.", percent(rated)));
    }
    for found in &attempt.score.flags {
        out.say(flag(*found));
    }
    for wrong in &attempt.score.misconceptions {
        out.say(&format!("Not so{}.", quoted(&wrong.evidence)));
        out.inner(&wrong.correction);
    }
    let right = right(attempt, pack);
    for part in attempt.weakest_first() {
        part_lines(attempt, part, pack, out);
        // the stored answer of a follow-up is its feedback too
        if right != Some(&part.feedback) {
            out.inner(&part.feedback);
        }
    }
    if let Some(right) = right {
        out.say("The answer:");
        out.markdown(right);
    }
}

/// The stored answer to the follow-up question that was asked, if there is one.
fn right<'a>(attempt: &Attempt, pack: Option<&'a Pack>) -> Option<&'a str> {
    let drill = pack?.drill(&attempt.drill)?;
    answer::follow_up(drill, attempt.part.as_deref())?.answer.as_deref()
}

fn part_lines(attempt: &Attempt, part: &PartScore, pack: Option<&Pack>, out: &mut Out) {
    let title = pack.map_or(&part.part[..], |p| answer::part_title(&p.parts, &part.part));
    let limiting = attempt.score.limiting_part.as_deref() == Some(&part.part);
    let limiting = if limiting { ", the limiting part" } else { "" };
    let own = attempt.rated_parts.get(&part.part).filter(|v| **v != part.verdict);
    let own = own.map_or(String::new(), |v| format!("; you thought {}", verdict(*v)));
    out.say(&format!("{title}: {}{limiting}{own}.", verdict(part.verdict)));
    let earned = part.points.iter().filter(|p| p.met || p.partial);
    let evidence: Vec<Evidence> = earned.flat_map(|p| p.evidence.clone()).collect();
    if !evidence.is_empty() {
        out.inner(&format!("You said{}.", quoted(&evidence)));
    }
    if attempt.score.misconceptions.iter().any(|m| m.part == part.part) && part.verdict != Mark::Covered {
        out.inner("A false statement costs this part a level.");
    }
}

/// `: “these words”, “and these”`, in the order of the text, each once.
fn quoted(evidence: &[Evidence]) -> String {
    let mut sorted: Vec<&Evidence> = evidence.iter().collect();
    sorted.sort_by_key(|e| (e.start, e.end));
    sorted.dedup_by_key(|e| (e.start, e.end));
    let words: Vec<String> = sorted
        .iter()
        .map(|e| format!("“{}”", e.text.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect();
    if words.is_empty() { String::new() } else { format!(": {}", words.join(", ")) }
}

/// Says what was said for each key point, what the point asks for, and the rule behind the mark.
fn why(attempt: &Attempt, drill: Option<&Drill>, out: &mut Out) {
    for part in attempt.weakest_first() {
        out.say(&format!("{}: {}.", part.part, verdict(part.verdict)));
        for point in &part.points {
            point_lines(point, drill.and_then(|d| d.rubric.asks(&point.id)), out);
        }
    }
    for wrong in &attempt.score.misconceptions {
        out.say(&format!("Misconception {}{}.", wrong.id, quoted(&wrong.evidence)));
        if let Some(rule) = &wrong.rule {
            out.inner(&format!("For authors: {rule}"));
        }
    }
    out.say("l lists the choices again.");
}

fn point_lines(point: &PointScore, asked: Option<&str>, out: &mut Out) {
    let state = match (point.met, point.partial) {
        (true, _) => "said",
        (false, true) => "said in part",
        (false, false) => "not said",
    };
    let name = point.id.replace('-', " ");
    out.inner(&format!("{name}: {state}{}.", quoted(&point.evidence)));
    if let Some(asked) = asked {
        out.inner(&format!("Asked for: {asked}"));
    }
    if let Some(rule) = &point.rule {
        out.inner(&format!("For authors: {rule}"));
    }
}
