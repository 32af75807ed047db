//! What changed in a pack since it was seen last, by the author's ids.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pack::{Check, Drill, Lab, Lesson, Pack, Puzzle};

/// What kind of thing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A lesson's section.
    Lesson,
    /// A lab.
    Lab,
    /// A drill.
    Drill,
    /// A check.
    Check,
    /// A puzzle.
    Puzzle,
    /// A term.
    Term,
}

/// A thing of a pack, small enough to be kept: equal hashes mean equal content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The kind.
    pub kind: Kind,
    /// The author's id.
    pub id: String,
    /// The name shown, for things that are gone.
    pub title: String,
    /// Hash of all that a learner reads.
    pub wording: u64,
    /// Hash of what decides marks: rubric, right answer, starter, par.
    pub meaning: u64,
}

/// How a thing changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// It was not there before.
    Added,
    /// It says the same in other words.
    Reworded,
    /// What decides marks is another.
    Changed,
    /// It is gone; what was done with it is kept.
    Removed,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The kind.
    pub kind: Kind,
    /// The author's id.
    pub id: String,
    /// The name shown.
    pub title: String,
    /// How it changed.
    pub how: How,
}

/// An edition of a pack, as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// The pack's id.
    pub pack: String,
    /// The name shown.
    pub title: String,
    /// The version its author gave it.
    pub version: String,
    /// What it holds.
    pub things: Vec<Fingerprint>,
}

impl Content {
    /// What a pack holds.
    pub fn of(pack: &Pack) -> Self {
        Content {
            pack: pack.id.clone(),
            title: pack.title.clone(),
            version: pack.version.clone(),
            things: fingerprints(pack),
        }
    }
}

/// What changed in a pack since it was seen last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// The pack's id.
    pub pack: String,
    /// The name shown.
    pub title: String,
    /// The version that was seen.
    pub from: String,
    /// The version that is there now.
    pub to: String,
    /// The changes, by kind.
    pub changes: Vec<Change>,
}

impl News {
    /// `version 1.0.0 to 1.1.0`, or `version 1.0.0, edited` where the author left it.
    pub fn versions(&self) -> String {
        match self.from == self.to {
            true => format!("version {}, edited", self.to),
            false => format!("version {} to {}", self.from, self.to),
        }
    }

    /// How many changes, in words: `3 changes: 1 new, 2 reworded`.
    pub fn summary(&self) -> String {
        let all = [How::Added, How::Reworded, How::Changed, How::Removed];
        let kinds = all.map(|how| (self.changes.iter().filter(|c| c.how == how).count(), how));
        let kinds = kinds.iter().filter(|(n, _)| *n > 0);
        let kinds: Vec<String> = kinds.map(|(n, how)| format!("{n} {how}")).collect();
        let noun = match self.changes.len() {
            1 => "change",
            _ => "changes",
        };
        format!("{} {noun}: {}", self.changes.len(), kinds.join(", "))
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            How::Added => "new",
            How::Reworded => "reworded",
            How::Changed => "changed",
            How::Removed => "removed",
        })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Lesson => "lesson",
            Kind::Lab => "lab",
            Kind::Drill => "drill",
            Kind::Check => "check",
            Kind::Puzzle => "puzzle",
            Kind::Term => "term",
        })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            How::Added => "is new",
            How::Reworded => "was reworded",
            How::Changed => "changed in meaning",
            How::Removed => "was removed; your progress with it is kept",
        };
        write!(f, "{} “{}” {how}", self.kind, self.title)
    }
}

/// What a pack holds.
pub fn fingerprints(pack: &Pack) -> Vec<Fingerprint> {
    let lessons = pack.lessons.iter().map(lesson);
    let labs = pack.lessons.iter().flat_map(|l| &l.labs).map(lab);
    let drills = pack.drills.iter().map(drill);
    let checks = pack.checks.iter().map(check);
    let puzzles = pack.puzzles.iter().map(puzzle);
    let terms = pack.terms.iter().map(|t| {
        let wording = hash([&t.name, &t.definition]);
        print(Kind::Term, (&t.id, &t.name), wording, hash(&t.aliases))
    });
    lessons.chain(labs).chain(drills).chain(checks).chain(puzzles).chain(terms).collect()
}

/// What changed from one edition to another, by kind; what is as it was is left out.
pub fn changes(old: &[Fingerprint], new: &[Fingerprint]) -> Vec<Change> {
    let mut before: BTreeMap<(Kind, &str), &Fingerprint> =
        old.iter().map(|f| ((f.kind, &f.id[..]), f)).collect();
    let mut changes: Vec<Change> = new
        .iter()
        .filter_map(|f| {
            let how = match before.remove(&(f.kind, &f.id[..])) {
                None => How::Added,
                Some(was) if was.meaning != f.meaning => How::Changed,
                Some(was) if was.wording != f.wording => How::Reworded,
                Some(_) => return None,
            };
            Some(change(f, how))
        })
        .collect();
    changes.extend(before.into_values().map(|f| change(f, How::Removed)));
    changes.sort_by(|a, b| (a.kind, a.how, &a.id).cmp(&(b.kind, b.how, &b.id)));
    changes
}

fn change(f: &Fingerprint, how: How) -> Change {
    Change { kind: f.kind, id: f.id.clone(), title: f.title.clone(), how }
}

fn print(kind: Kind, (id, title): (&str, &str), wording: u64, meaning: u64) -> Fingerprint {
    Fingerprint { kind, id: id.into(), title: title.into(), wording, meaning }
}

fn lesson(l: &Lesson) -> Fingerprint {
    let s = &l.section;
    let mut wording = Hash::new();
    wording.all([&l.title, &l.summary, &s.problem, &s.mechanism, &s.say]);
    for f in &s.formulas {
        wording.all([&f.id, &f.title, &f.text, f.example.as_deref().unwrap_or("")]);
        f.symbols.iter().for_each(|(symbol, meaning)| wording.all([symbol, meaning]));
    }
    s.diagrams.iter().for_each(|d| wording.all([&d.id, &d.title, &d.text]));
    for table in &s.tables {
        wording.all([&table.id, &table.title]);
        wording.all(&table.columns);
        table.rows.iter().for_each(|row| wording.all(row));
    }
    s.misunderstandings.iter().for_each(|m| wording.all([&m.claim, &m.truth]));
    print(Kind::Lesson, (&l.id, &l.title), wording.0, 0)
}

fn lab(l: &Lab) -> Fingerprint {
    let mut wording = Hash::new();
    wording.all([&l.title, &l.goal, &l.mental_model, &l.say, &l.intuition]);
    for list in [&l.notice, &l.prevents, &l.extend] {
        wording.all(list);
    }
    l.predictions.iter().for_each(|p| wording.all([&p.ask, &p.answer]));
    for block in &l.blocks {
        wording.all([&block.title]);
        wording.all(block.notes.iter().map(|n| &n.text));
    }
    print(Kind::Lab, (&l.id, &l.title), wording.0, hash([&l.starter.text]))
}

fn drill(d: &Drill) -> Fingerprint {
    let mut meaning = Hash::new();
    for p in &d.rubric.points {
        meaning.all([&p.id, &p.part]);
        meaning.all(&p.also);
        meaning.all(&p.matches);
        meaning.all(&p.partial);
    }
    for m in &d.rubric.misconceptions {
        meaning.all([&m.id, &m.part]);
        meaning.all(&m.matches);
    }
    let mut wording = Hash::new();
    wording.all([&d.prompt, &d.model]);
    wording.all(d.follow_ups.iter().map(|f| &f.ask));
    wording.all(d.follow_ups.iter().filter_map(|f| f.answer.as_ref()));
    for f in d.follow_ups.iter().filter(|f| f.is_marked()) {
        meaning.all([&f.part]);
        meaning.all(&f.matches);
        meaning.all(&f.partial);
    }
    wording.all(d.rubric.points.iter().map(|p| &p.feedback));
    wording.all(d.rubric.misconceptions.iter().map(|m| &m.correction));
    print(Kind::Drill, (&d.id, &d.prompt), wording.0, meaning.0)
}

fn check(c: &Check) -> Fingerprint {
    let mut wording = Hash::new();
    wording.all([&c.question, &c.explain]);
    wording.all(&c.hints);
    let mut meaning = Hash::new();
    let texts = c.kind.texts();
    texts.wording.iter().for_each(|group| wording.all(group));
    texts.meaning.iter().for_each(|group| meaning.all(group));
    print(Kind::Check, (&c.id, &c.question), wording.0, meaning.0)
}

fn puzzle(p: &Puzzle) -> Fingerprint {
    let rules = &p.rules;
    let mut meaning = Hash::new();
    meaning.all([rules.start.kind().name, &rules.goal.source]);
    meaning.all([&rules.goal.par.to_string(), &format!("{:?}", rules.goal.direction)]);
    meaning.all(rules.start.knobs().map(|(p, value)| format!("{}={value}", p.name)));
    meaning.all(rules.conditions.iter().map(|c| &c.source));
    for knob in &rules.knobs {
        meaning.all([format!("{}={:?}", knob.parameter.name, knob.values)]);
    }
    let mut wording = Hash::new();
    wording.all([&p.title, &p.goal, &p.explain]);
    wording.all(rules.conditions.iter().map(|c| &c.text));
    print(Kind::Puzzle, (&p.id, &p.title), wording.0, meaning.0)
}

fn hash<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> u64 {
    let mut hash = Hash::new();
    hash.all(texts);
    hash.0
}

/// FNV-1a, 64 bits: the same on every machine and in every version of the program.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    /// Adds texts, each with a mark of its end, so that moving words between them counts.
    fn all<S: AsRef<str>>(&mut self, texts: impl IntoIterator<Item = S>) {
        for text in texts {
            text.as_ref().bytes().chain([0]).for_each(|b| self.byte(b));
        }
        self.byte(1);
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
}
