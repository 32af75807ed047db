//! What is said of an answer: the sum, its marks as rows, the marked answer.

use crate::doc::{self, Cell, Document, MarkKind, Role, Row, Rows};
use crate::pack::{Drill, Pack};
use crate::page::asked;
use crate::score::{FoundMisconception, PartScore, PointScore, Score, Source, Verdict};
use crate::services::library::Library;
use crate::store::Dispute;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::class::given::Given;
use crate::study::words::{clock, flag, percent, some, verdict};

use super::points::{authored, one_line, quoted};

/// An attempt with what is needed to speak of it.
pub struct Marks<'a> {
    /// With what the learner claims.
    pub(super) attempt: &'a Attempt,
    pack: Option<&'a Pack>,
    pub(super) drill: Option<&'a Drill>,
    /// The marks that the learner does not accept.
    disputes: &'a [Dispute],
    /// The model answer and its marks: its words show what earns a point.
    pub(super) model: Option<&'a (String, Score)>,
}

/// One mark that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The id of the part, or of the misconception.
    pub about: String,
    /// Whether it is the mark of a part.
    pub is_part: bool,
    /// What it is called in a sentence.
    pub name: String,
}

impl<'a> Marks<'a> {
    /// The marks of an attempt, with the words of its pack where that is loaded.
    pub fn of(attempt: &'a Attempt, library: &'a Library) -> Self {
        let pack = library.packs.iter().find(|p| p.id == attempt.pack);
        let drill = pack.and_then(|p| p.drill(&attempt.drill));
        Marks { attempt, pack, drill, disputes: &[], model: None }
    }

    /// The same, with the marks that the learner does not accept.
    pub fn but(self, disputes: &'a [Dispute]) -> Self {
        Marks { disputes, ..self }
    }

    /// The same, with the marks of the model answer.
    pub fn beside(self, model: Option<&'a (String, Score)>) -> Self {
        Marks { model, ..self }
    }

    /// All of it as one document, to be read from top to bottom.
    pub fn document(&self) -> Document {
        let mut rows = Vec::new();
        for part in self.parts() {
            rows.push(self.part_row(part));
            let text = |text: String| Cell::text(format!("  {text}")).role(Role::Dim);
            rows.extend(self.feedback(part).map(|feedback| Row::new([text(feedback)]).wrapped().said("")));
            rows.extend(self.remark(&part.part).map(|row| row.said("")));
        }
        let mut all = self.head().rows(Rows::of(rows));
        for wrong in self.misconceptions() {
            let correction = Row::new([Cell::text(authored(&wrong.correction))]).wrapped().said("");
            all = all.rows(Rows::of([self.wrong_row(wrong), correction]));
        }
        all.and(self.right())
    }

    /// The total with its sum and what is open, what is wrong with the answer as a whole, and the question.
    pub fn head(&self) -> Document {
        let attempt = self.attempt;
        let (total, words) = (percent(attempt.total()), some(attempt.score.words, "word"));
        let used = clock(attempt.seconds);
        let mut facts = vec![self.sum()];
        facts.extend(self.open());
        let claimed = self.claimed();
        let told: Vec<&str> = facts.iter().chain(&claimed).map(String::as_str).collect();
        let mut said = format!("{total}: {}. {words} in {used}.", told.join("; "));
        let mut rest = vec![words, used];
        if let Some(own) = attempt.rated.map(percent) {
            rest.push(format!("you thought {own}"));
            said.push_str(&format!(" You thought it was worth {own}."));
        }
        let given = self.given();
        if let Some(given) = &given {
            said.push_str(&format!(" {given}."));
        }
        let dim = |facts: &[String]| Cell::text(facts.join("   ")).role(Role::Dim);
        let row = Row::new([Cell::text(format!("{total}   ")).role(Role::Strong) + dim(&facts)]).said(said);
        let below = [Some(rest), claimed.map(|text| vec![text]), given.map(|text| vec![text])];
        let below = below.into_iter().flatten();
        let below = below.map(|facts| Row::new([dim(&facts)]).said(""));
        let mut head = Document::new().rows(Rows::of(std::iter::once(row).chain(below)));
        for found in &attempt.score.flags {
            let text = Cell::text(flag(*found)).role(Role::Warning);
            head = head.rows(Rows::of([Row::new([text]).wrapped()]));
        }
        if let Some(whole) = attempt.given(None).filter(|g| !g.remark.is_empty()) {
            head = head.rows(Rows::of([remark(whole)]));
        }
        let question = match (self.pack, self.drill) {
            (Some(pack), Some(drill)) => answer::asked(&pack.parts, drill, attempt),
            _ => attempt.drill.clone(),
        };
        let question = Row::new([Cell::text(question).role(Role::Strong)]).wrapped();
        head.rows(Rows::of([question]))
    }

    /// The total and what limits it, at a glance: `50%, limited by Measurement`.
    pub fn short(&self) -> String {
        let limit = self.parts().nth(self.limiting()).filter(|part| part.verdict != Verdict::Covered);
        let limit = limit.map(|part| format!(", limited by {}", self.title(&part.part)));
        let total = percent(self.attempt.total());
        format!("{total}{}", limit.filter(|_| self.attempt.part.is_none()).unwrap_or_default())
    }

    /// What the total is made of: `2 + ½ of 5`; the counts where the marks are no such sum.
    fn sum(&self) -> String {
        let count = |mark: Verdict| self.parts().filter(|p| p.verdict == mark).count();
        let (covered, partial, all) =
            (count(Verdict::Covered), count(Verdict::Partial), self.parts().count());
        let halves = covered as f64 + partial as f64 / 2.0;
        let is_sum = (halves / all.max(1) as f64 - self.attempt.total()).abs() < 0.005;
        if !is_sum || all < 2 {
            let counts =
                [Verdict::Covered, Verdict::Partial, Verdict::Missing].map(|m| (count(m), verdict(m)));
            let counts = counts.into_iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}"));
            return counts.collect::<Vec<_>>().join(", ");
        }
        let half = match partial {
            0 => None,
            1 => Some("½".to_owned()),
            n => Some(format!("{n} × ½")),
        };
        let whole = (covered > 0 || half.is_none()).then(|| covered.to_string());
        format!("{} of {all}", whole.into_iter().chain(half).collect::<Vec<_>>().join(" + "))
    }

    /// What the parts that are not sure leave open: `40% to 60%, 1 part not sure`.
    fn open(&self) -> Option<String> {
        let open = self.parts().filter(|p| p.is_open()).count();
        let [low, high] = self.attempt.range();
        (open > 0).then(|| format!("{} to {}, {open} not sure", percent(low), percent(high)))
    }

    /// How many marks are the learner's own word, and what the rules alone say.
    fn claimed(&self) -> Option<String> {
        let claimed = self.parts().filter(|p| p.source == Source::You).count();
        let by_you = (claimed > 0).then(|| format!("{} by you", some(claimed, "part")))?;
        Some(format!("{by_you}{}", self.rules_alone()))
    }

    /// How many marks the instructor gave, under which name, and what the rules alone say.
    fn given(&self) -> Option<String> {
        let given = self.parts().filter(|p| p.source == Source::Instructor).count();
        let name = self.attempt.given.iter().find(|g| g.verdict.is_some()).map(|g| g.by.as_str())?;
        let by = (given > 0).then(|| format!("{} by the instructor, {name}", some(given, "part")))?;
        Some(format!("{by}{}", self.rules_alone()))
    }

    /// `, the rules alone 40%` where somebody else changed a mark.
    fn rules_alone(&self) -> String {
        let rules = |p: &PartScore| p.by_rules.unwrap_or(p.verdict) as u8;
        let alone = self.parts().map(|p| f64::from(rules(p)) / 2.0).sum::<f64>();
        let alone = alone / self.parts().count().max(1) as f64;
        let changed = self.parts().any(|p| p.by_rules.is_some());
        if changed { format!(", the rules alone {}", percent(alone)) } else { String::new() }
    }

    /// The parts that were asked for, in the order of the rubric.
    pub fn parts(&self) -> impl Iterator<Item = &'a PartScore> {
        self.attempt.marks()
    }

    /// The false statements that were found.
    pub fn misconceptions(&self) -> impl Iterator<Item = &'a FoundMisconception> {
        self.attempt.score.misconceptions.iter()
    }

    /// Everything that is marked, in the order of the rows.
    pub fn rows(&self) -> Vec<Mark> {
        let part = |p: &PartScore| Mark {
            about: p.part.clone(),
            is_part: true,
            name: format!("the mark for {}", self.title(&p.part)),
        };
        let wrong = |m: &FoundMisconception| Mark {
            about: m.id.clone(),
            is_part: false,
            name: "what is called false".into(),
        };
        self.parts().map(part).chain(self.misconceptions().map(wrong)).collect()
    }

    /// The row of the part that limits the answer; the first where none does.
    pub fn limiting(&self) -> usize {
        self.parts().position(|p| self.limits(p)).unwrap_or(0)
    }

    fn limits(&self, part: &PartScore) -> bool {
        self.attempt.score.limiting_part.as_ref() == Some(&part.part)
    }

    /// The dispute about a part or a false statement, if one stands.
    pub(super) fn dispute(&self, about: &str) -> Option<&'a Dispute> {
        self.disputes.iter().find(|d| d.item == about)
    }

    /// `✗ 2 Mechanism   missing   the limiting part`.
    pub fn part_row(&self, part: &PartScore) -> Row {
        let title = self.title(&part.part);
        let number = self.place(&part.part) + 1;
        let mut notes = Vec::new();
        notes.extend(self.limits(part).then(|| "the limiting part".to_owned()));
        notes.extend(self.by(part));
        let rules = part.by_rules.filter(|_| part.source == Source::Instructor);
        let own = self.attempt.rated_parts.get(&part.part).filter(|own| **own != part.verdict);
        let own = own.map(|own| format!("you thought {}", verdict(*own)));
        let disputed = self.dispute(&part.part).map(|_| "you disagree".to_owned());
        let shown: Vec<String> = notes.iter().chain(&own).chain(&disputed).cloned().collect();
        notes.extend(rules.map(|rules| format!("the rules say {}", verdict(rules))));
        notes.extend(part.is_open().then(|| "not sure".to_owned()));
        let name = Cell::mark(part.verdict) + Cell::text(format!(" {number} {title}"));
        let open = if part.is_open() { " ?" } else { "" };
        let word = word(part.verdict) + Cell::text(open).role(Role::Warning);
        notes.extend(disputed);
        Row::new([name, word, Cell::text(shown.join("  "))]).said(self.part_said(part, &notes, own))
    }

    /// Who gave the mark of a part, where that is not the rules: the instructor with the name.
    fn by(&self, part: &PartScore) -> Option<String> {
        let by = asked::by(part.source)?;
        let given = self.attempt.given(Some(&part.part)).filter(|_| part.source == Source::Instructor);
        let Some(given) = given else { return Some(by.to_owned()) };
        Some(format!("{by}, {}", given.by))
    }

    /// What the instructor wrote on a part.
    pub(super) fn remark(&self, part: &str) -> Option<Row> {
        self.attempt.given(Some(part)).filter(|g| !g.remark.is_empty()).map(remark)
    }

    /// `Mechanism: missing, the limiting part; you thought covered. You said: “…”. Say what …`.
    fn part_said(&self, part: &PartScore, notes: &[String], own: Option<String>) -> String {
        let mut said = format!("{}: {}", self.title(&part.part), verdict(part.verdict));
        notes.iter().for_each(|note| said.push_str(&format!(", {note}")));
        own.iter().for_each(|own| said.push_str(&format!("; {own}")));
        said.push('.');
        let earned = part.points.iter().filter(|p| p.met || p.partial);
        let quotes = quoted(earned.flat_map(|p: &PointScore| &p.evidence));
        if !quotes.is_empty() {
            said.push_str(&format!(" You said: {quotes}."));
        }
        if self.is_lowered(part) {
            said.push_str(" A false statement costs this part a level.");
        }
        self.feedback(part).iter().for_each(|text| said.push_str(&format!(" {text}")));
        let given = self.attempt.given(Some(&part.part)).filter(|g| !g.remark.is_empty());
        given.iter().for_each(|g| said.push_str(&format!(" {} says: {}", g.by, one_line(&g.remark))));
        said
    }

    pub(super) fn is_lowered(&self, part: &PartScore) -> bool {
        self.misconceptions().any(|m| m.part == part.part) && part.verdict != Verdict::Covered
    }

    /// What is said of a part; not where that is the stored answer, which stands below.
    pub(super) fn feedback(&self, part: &PartScore) -> Option<String> {
        let is_answer = self.stored() == Some(&part.feedback);
        // what the learner said of it settles it: the rules' advice is for what they did not find
        let is_settled = part.source == Source::You && part.verdict == Verdict::Covered;
        (!is_answer && !is_settled && !part.feedback.trim().is_empty()).then(|| authored(&part.feedback))
    }

    /// `✗ Not so: “DDP shards the optimizer state”`.
    pub fn wrong_row(&self, wrong: &FoundMisconception) -> Row {
        let quotes = quoted(&wrong.evidence);
        let quotes = if quotes.is_empty() { quotes } else { format!(": {quotes}") };
        let disputed = if self.dispute(&wrong.id).is_some() { "  you disagree" } else { "" };
        let cell = Cell::mark(Verdict::Missing) + Cell::text(format!(" Not so{quotes}")).role(Role::Missing);
        let correction = authored(&wrong.correction);
        Row::new([cell + Cell::text(disputed).role(Role::Warning)])
            .wrapped()
            .said(format!("Not so{quotes}.{disputed} {correction}"))
    }

    /// The stored answer to the follow-up question that was asked, if there is one.
    pub fn right(&self) -> Document {
        match self.stored() {
            Some(text) => {
                let text = Cell::text("The answer: ").role(Role::Strong) + Cell::text(authored(text));
                Document::new().rows(Rows::of([Row::new([text]).wrapped()]))
            }
            None => Document::new(),
        }
    }

    fn stored(&self) -> Option<&str> {
        answer::followed(self.drill?, self.attempt)?.answer.as_deref()
    }

    /// The learner's own words with the marks on them.
    pub fn answer(&self) -> Document {
        let mut marks = Vec::new();
        for part in &self.attempt.score.parts {
            let kind = MarkKind::Part(self.place(&part.part));
            let evidence = part.points.iter().flat_map(|p| &p.evidence);
            marks.extend(evidence.map(|e| doc::Mark { bytes: e.range(), kind }));
        }
        for evidence in self.misconceptions().flat_map(|m| &m.evidence) {
            marks.push(doc::Mark { bytes: evidence.range(), kind: MarkKind::Wrong });
        }
        let answer = &self.attempt.answer;
        let shown = end_of(answer, MOST_SHOWN);
        let page = Document::new().title("Your answer").answer(&answer[..shown], within(marks, shown), None);
        match answer.len() > shown {
            true => page.words(&format!(
                "Here end the first {} kB of {}. `infralens history --json` has all of it.",
                shown / 1000,
                answer.len() / 1000
            )),
            false => page,
        }
    }

    /// What would make an answer stronger that covers everything.
    pub fn stronger(&self) -> Document {
        let is_whole = self.parts().all(|p| p.verdict == Verdict::Covered) && self.attempt.part.is_none();
        let asked = |p: &PointScore| self.drill.and_then(|d| d.rubric.says(&p.id)).map(authored);
        let title = Document::new().title("What would make it stronger");
        let unsaid = self.parts().flat_map(|part| {
            let unsaid = part.points.iter().filter(|p| !p.met).filter_map(asked);
            unsaid.map(|point| format!("{}: {point}", self.title(&part.part)))
        });
        let unsaid: Vec<String> = unsaid.take(MOST_STRONGER).collect();
        match (is_whole, unsaid.is_empty(), self.drill) {
            (false, ..) | (.., None) => Document::new(),
            (true, false, _) => {
                let row = |text: String| Row::new([Cell::text(text)]).wrapped();
                title.rows(Rows::of(unsaid.into_iter().map(row)))
            }
            (true, true, Some(drill)) => {
                let model = crate::score::count_words(&drill.model);
                let said = self.attempt.score.words;
                title.words(&match said > model {
                    true => format!(
                        "Nothing is missing. Say it in fewer words: you took {said}, the model answer {model}."
                    ),
                    false => "Nothing is missing. Now say it aloud, then take the follow-up question.".into(),
                })
            }
        }
    }

    /// The title of a part as its pack has it, or its id.
    pub(super) fn title(&self, part: &'a str) -> &'a str {
        self.pack.map_or(part, |p| answer::part_title(&p.parts, part))
    }

    /// The place of a part in its pack, which its digit goes by, or else its place among the marks: those of a
    /// follow-up question hold one part alone.
    pub(super) fn place(&self, part: &str) -> usize {
        let in_pack = self.pack.and_then(|p| p.parts.iter().position(|x| x.id == part));
        let among = || self.attempt.score.parts.iter().position(|p| p.part == part);
        in_pack.or_else(among).unwrap_or(0)
    }
}

/// So many bytes of an answer are shown with its marks: far more than anybody says, and laid out within a key.
const MOST_SHOWN: usize = 24_000;

/// The whole text, or where its words end before so many bytes.
fn end_of(text: &str, most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = text.floor_char_boundary(most);
    text[..end].rfind(char::is_whitespace).unwrap_or(end)
}

/// The marks that stand in the first bytes of a text.
fn within(marks: Vec<doc::Mark>, end: usize) -> Vec<doc::Mark> {
    let cut = |mark: doc::Mark| doc::Mark { bytes: mark.bytes.start..mark.bytes.end.min(end), ..mark };
    marks.into_iter().filter(|mark| mark.bytes.start < end).map(cut).collect()
}

/// So many points are named that would make a good answer stronger.
const MOST_STRONGER: usize = 4;

/// `Dr B: Say by how much.`
fn remark(given: &Given) -> Row {
    let text = one_line(&given.remark);
    let cell = Cell::text(format!("{}: ", given.by)).role(Role::Strong) + Cell::text(&text);
    Row::new([cell]).wrapped().said(format!("{}, your instructor, says: {text}", given.by))
}

fn word(mark: Verdict) -> Cell {
    let role = match mark {
        Verdict::Covered => Role::Good,
        Verdict::Partial => Role::Partial,
        Verdict::Missing => Role::Missing,
    };
    Cell::text(verdict(mark)).role(role)
}
