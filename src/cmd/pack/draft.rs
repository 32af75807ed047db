//! `pack draft`: a rubric to begin with, from a model answer and judged answers.
//!
//! Each statement of the model answer becomes a point: its words in their order, as concepts where a concept has them.
//! What no concept has, vague sentences and a false twin of each point stand beside. The author edits all of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};

use crate::cmd::Outcome;
use crate::cmd::calibrate;
use crate::cmd::learn::named_drill;
use crate::doc::escape;
use crate::pack::{Drill, Pack};
use crate::score::{
    Concept, Format, Heard, HeardWord, Misconception, Point, Rubric, Score, Scorer, hear, plain_concepts,
};
use crate::services::library::Library;
use crate::whole;

mod text;

/// Slots of a pattern, at most.
const SLOTS: usize = 4;
/// A statement with fewer words than this that tell something is vague.
const TELLING: usize = 2;
/// Words that are proposed of judged answers.
const WORDS: usize = 24;

/// What was asked for.
pub struct Asked {
    /// The drill, as `pack:drill` where two packs have it.
    pub drill: String,
    /// Judged answers.
    pub answers: Option<PathBuf>,
    /// Where to write.
    pub file: Option<PathBuf>,
}

/// Prints the draft, or writes it into a new file.
///
/// # Errors
/// Where there is no such drill, no judged answer can be read, or the file is there already.
pub fn run(library: &Library, asked: &Asked, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let (index, id) = named_drill(library, &asked.drill)?;
    let pack = &library.packs[index];
    let Some(drill) = pack.drill(id) else { bail!("the pack has no drill `{}`", escape::line(id)) };
    let answers = match &asked.answers {
        Some(file) => calibrate::judged(&library.packs, file, drill)?,
        None => Vec::new(),
    };
    let text = Draft::of(pack, drill).text(&answers);
    match &asked.file {
        None => out.write_all(text.as_bytes())?,
        Some(file) => write(file, &text, out)?,
    }
    Ok(Outcome::Done)
}

fn write(file: &Path, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let shown = file.display().to_string();
    let shown = escape::line(&shown);
    if file.symlink_metadata().is_ok() {
        bail!("{shown} exists already and was not overwritten; name a new file");
    }
    whole::put_text(file, text).with_context(|| format!("cannot write {shown}"))?;
    writeln!(out, "{shown}")?;
    writeln!(
        out,
        "Edit it: make each point one statement, and give each word the other ways to say it. Then run \
         `infralens pack check`, and `infralens pack test` once it has samples."
    )?;
    Ok(())
}

/// A point that is proposed.
struct Proposed {
    id: String,
    part: String,
    says: String,
    slots: Vec<Slot>,
    /// How its slots are written, from strict to loose.
    form: usize,
    /// Whether its last slot is denied.
    denied: bool,
    /// Vague sentences beside it.
    partial: Vec<Vec<Slot>>,
    /// The same with one word turned round.
    twin: Option<String>,
}

/// A slot: what is written, and what means the contrary.
#[derive(Clone)]
struct Slot {
    written: String,
    contrary: Option<String>,
    /// Whether it is a word of the field, or one that nothing knows.
    tells: bool,
}

struct Draft<'a> {
    pack: &'a Pack,
    drill: &'a Drill,
    points: Vec<Proposed>,
    /// Words that no concept has, by their stems, each in its shortest form: *effect* and *effects* are one.
    unknown: BTreeMap<String, String>,
    /// Concepts that the model answer uses.
    known: BTreeSet<String>,
    /// Whether each paragraph of the model answer stands for a part.
    by_paragraph: bool,
}

impl<'a> Draft<'a> {
    fn of(pack: &'a Pack, drill: &'a Drill) -> Self {
        let heard = hear(&drill.model, &pack.vocabulary, &drill.rubric.concepts);
        let paragraphs = heard.last().map_or(0, |h| h.paragraph + 1);
        let parts = &drill.rubric.parts;
        let mut draft = Draft {
            pack,
            drill,
            points: Vec::new(),
            unknown: BTreeMap::new(),
            known: BTreeSet::new(),
            by_paragraph: paragraphs == parts.len(),
        };
        for word in heard.iter().flat_map(|h| &h.words).filter(|w| w.concepts.is_empty()) {
            let form = draft.unknown.entry(word.stem.clone()).or_insert_with(|| word.text.clone());
            if (word.text.len(), &word.text) < (form.len(), &*form) {
                form.clone_from(&word.text);
            }
        }
        let count = heard.len().max(1);
        for (nth, statement) in heard.iter().enumerate() {
            let place = if draft.by_paragraph { statement.paragraph } else { nth * parts.len() / count };
            let Some(part) = parts.get(place) else { continue };
            draft.take(statement, part);
        }
        draft.loosen();
        draft
    }

    /// Loosens the patterns that do not find their own sentence, step by step. A sentence that is read as the contrary of
    /// its point denies something: its last slot is denied then.
    fn loosen(&mut self) {
        for _ in 0..FORMS * SLOTS {
            let score = self.score();
            let met = met(&score);
            let mut changed = false;
            for point in self.points.iter_mut().filter(|p| !met.contains(&p.id)) {
                let is_contrary = score.misconceptions.iter().any(|m| m.id == point.id);
                if is_contrary && !point.denied {
                    point.denied = true;
                    changed = true;
                } else {
                    changed |= point.loosen();
                }
            }
            if !changed {
                break;
            }
        }
        // one that the model answer itself contradicts would cost every good answer a level
        let score = self.score();
        self.points.retain(|p| !score.misconceptions.iter().any(|m| m.id == p.id));
    }

    /// The marks of the model answer by the rubric as it is proposed.
    fn score(&self) -> Score {
        Scorer::new(&self.rubric(), &self.pack.vocabulary).score(&self.drill.model)
    }

    fn take(&mut self, statement: &Heard, part: &str) {
        self.known.extend(statement.words.iter().filter_map(|word| word.concepts.first().cloned()));
        let slots = self.slots(statement);
        if slots.is_empty() {
            return;
        }
        let says = self.drill.model[statement.start..statement.end].replace('`', "");
        let says = format!("{}.", says.split_whitespace().collect::<Vec<_>>().join(" "));
        let telling = statement.words.iter().filter(|w| tells(w)).count();
        // a vague sentence is no point of its own
        if telling < TELLING
            && let Some(before) = self.points.iter_mut().rev().find(|p| p.part == part)
        {
            // one word alone fires everywhere
            before.partial.extend((slots.len() > 1).then_some(slots));
            return;
        }
        let twin = twin(&slots);
        let id = self.fresh_id(statement);
        self.points.push(Proposed {
            id,
            part: part.to_owned(),
            says,
            slots,
            form: 0,
            denied: false,
            partial: Vec::new(),
            twin,
        });
    }

    /// The words of a statement that tell most, in their order.
    fn slots(&self, statement: &Heard) -> Vec<Slot> {
        let mut ranked: Vec<(usize, &HeardWord)> = statement.words.iter().enumerate().collect();
        ranked.sort_by_key(|(nth, word)| (std::cmp::Reverse(worth(word)), *nth));
        ranked.truncate(SLOTS);
        ranked.sort_by_key(|(nth, _)| *nth);
        let mut seen = BTreeSet::new();
        let slots = ranked.into_iter().map(|(_, word)| self.slot(word));
        slots.filter(|slot| seen.insert(slot.written.clone())).collect()
    }

    /// What is written for a word: its concept, or itself.
    fn slot(&self, word: &HeardWord) -> Slot {
        let form = self.unknown.get(&word.stem).unwrap_or(&word.text);
        let own = concept_id(form).filter(|id| !self.is_taken(id));
        let written = match (word.concepts.first(), own) {
            (Some(id), _) => format!("@{id}"),
            (None, Some(id)) => format!("@{id}"),
            (None, None) => format!("\"{}\"", word.text),
        };
        Slot { written, contrary: word.contrary.first().map(|id| format!("@{id}")), tells: tells(word) }
    }

    /// An id of the first telling words that no other point has.
    fn fresh_id(&self, statement: &Heard) -> String {
        let words = statement.words.iter().filter(|w| tells(w)).chain(&statement.words);
        let mut pieces: Vec<String> = Vec::new();
        for word in words {
            let piece: String =
                word.text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
            let piece = piece.trim().replace(' ', "-");
            if !piece.is_empty() && !pieces.contains(&piece) && pieces.len() < 3 {
                pieces.push(piece);
            }
        }
        let base = if pieces.is_empty() { "point".to_owned() } else { pieces.join("-") };
        let base = if base.starts_with(|c: char| c.is_ascii_digit()) { format!("p-{base}") } else { base };
        let is_free = |id: &str| self.points.iter().all(|p| p.id != id);
        let mut ids = std::iter::once(base.clone()).chain((2..).map(|n| format!("{base}-{n}")));
        ids.find(|id| is_free(id)).unwrap_or(base)
    }

    /// The concepts that are proposed: words of patterns that nothing knows, each with its id.
    fn fresh(&self) -> Vec<(String, String)> {
        let slots = || self.points.iter().flat_map(|p| p.slots.iter().chain(p.partial.iter().flatten()));
        let ids = self.unknown.values().filter_map(|word| Some((concept_id(word)?, word.clone())));
        ids.filter(|(id, _)| slots().any(|s| s.written == format!("@{id}"))).collect()
    }

    /// Whether an id is that of a concept already.
    fn is_taken(&self, id: &str) -> bool {
        let known =
            plain_concepts().iter().chain(&self.pack.vocabulary.concepts).chain(&self.drill.rubric.concepts);
        known.into_iter().any(|c| c.id == id)
    }

    /// The rubric as it is proposed, to try it on its own model answer.
    fn rubric(&self) -> Rubric {
        let own = self.drill.rubric.concepts.iter().cloned();
        let fresh = self.fresh().into_iter().map(|(id, word)| Concept {
            id,
            words: vec![word],
            ..Concept::default()
        });
        let point = |p: &Proposed| Point {
            id: p.id.clone(),
            part: p.part.clone(),
            matches: vec![p.pattern()],
            partial: p.partial.iter().map(|slots| row(slots)).collect(),
            ..Point::default()
        };
        let twin = |p: &Proposed| {
            p.twin.as_ref().map(|pattern| Misconception {
                id: format!("not-{}", p.id),
                part: p.part.clone(),
                matches: vec![pattern.clone()],
                ..Misconception::default()
            })
        };
        Rubric {
            format: Format::Two,
            drill: self.drill.id.clone(),
            prompt: self.drill.prompt.clone(),
            parts: self.drill.rubric.parts.clone(),
            concepts: own.chain(fresh).collect(),
            points: self.points.iter().map(point).collect(),
            misconceptions: self.points.iter().filter_map(twin).collect(),
            ..Rubric::default()
        }
    }
}

/// Ways to write the slots of a pattern: in one clause, in their order, in any order.
const FORMS: usize = 3;

impl Proposed {
    /// Its pattern: the slots in one clause; then in one sentence, in their order and in any; then with one slot less.
    fn pattern(&self) -> String {
        let kept = self.slots.len().saturating_sub(self.form / FORMS).max(2).min(self.slots.len());
        let slots = &self.slots[self.slots.len() - kept..];
        let mut written: Vec<String> = slots.iter().map(|s| s.written.clone()).collect();
        if let Some(last) = written.last_mut().filter(|_| self.denied) {
            last.insert(0, '!');
        }
        match self.form % FORMS {
            0 => format!("[{}]", written.join(" > ")),
            1 => written.join(" > "),
            _ => written.join(" + "),
        }
    }

    /// Whether there is a looser way to write it.
    fn loosen(&mut self) -> bool {
        let last = FORMS * (self.slots.len().saturating_sub(1)).max(1) - 1;
        let can = self.form < last;
        self.form += usize::from(can);
        can
    }
}

/// The points that were met.
fn met(score: &Score) -> BTreeSet<String> {
    let points = score.parts.iter().flat_map(|p| &p.points);
    points.filter(|p| p.met).map(|p| p.id.clone()).collect()
}

/// Whether a word tells something: a word of the field, or one that nothing knows.
fn tells(word: &HeardWord) -> bool {
    worth(word) > 1
}

/// How much a word tells: a concept of the pack most, one that every pack has least.
fn worth(word: &HeardWord) -> u8 {
    match word.concepts.first() {
        None => 2,
        Some(id) if plain_concepts().iter().any(|c| c.id == *id) => 1,
        Some(_) => 3,
    }
}

/// The id that a word gets as a concept of its own; none for one that is no name.
fn concept_id(word: &str) -> Option<String> {
    let id: String = word.replace(' ', "-");
    let is_id = id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    is_id.then_some(id)
}

fn row(slots: &[Slot]) -> String {
    let written: Vec<&str> = slots.iter().map(|s| s.written.as_str()).collect();
    format!("[{}]", written.join(" > "))
}

/// The pattern of a false twin: a word turned round between the two words of the field that stand beside it. Where no word
/// has a contrary, or it stands beside others, no sentence is made up.
fn twin(slots: &[Slot]) -> Option<String> {
    slots.windows(3).find_map(|three| {
        let contrary = three[1].contrary.clone().filter(|_| three[0].tells && three[2].tells)?;
        let turned = Slot { written: contrary, contrary: None, tells: false };
        Some(row(&[three[0].clone(), turned, three[2].clone()]))
    })
}
