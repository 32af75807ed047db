//! What is said of an answer: the sum, its marks as rows, the marked answer.

use crate::doc::{self, Cell, Document, MarkKind, Role, Row, Rows};
use crate::pack::{Drill, Pack};
use crate::page::answered::{answered, phrases};
use crate::page::asked;
use crate::score::{Flag, FoundMisconception, PartScore, PointScore, Score, Source, Verdict};
use crate::services::library::Library;
use crate::store::Dispute;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::class::given::Given;
use crate::study::words::{capital, clock, flag, percent, some, verdict};

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
        let (total, words) = (self.total(), some(attempt.score.words, "word"));
        let used = clock(attempt.seconds);
        let mut facts = match self.is_wide() {
            true => vec![format!("marked {}, {}", percent(attempt.total()), self.sum())],
            false => vec![self.sum()],
        };
        facts.extend(self.open());
        let claimed = self.claimed();
        let told: Vec<String> = [self.open_said(), claimed.clone()].into_iter().flatten().collect();
        let told: String = told.iter().map(|told| format!(" {}.", capital(told))).collect();
        // the range is said behind it
        let marked = percent(attempt.total());
        let mut said = format!("{marked}: {}.{told} {words} in {}.", self.sum_said(), spent(attempt.seconds));
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

    /// The total: where much of it is not sure, from where to where it may be.
    fn total(&self) -> String {
        let [low, high] = self.attempt.range();
        match self.is_wide() {
            true => format!("{} to {}", percent(low), percent(high)),
            false => percent(self.attempt.total()),
        }
    }

    /// Whether so much is not sure that one number says too much.
    fn is_wide(&self) -> bool {
        let [low, high] = self.attempt.range();
        high - low > WIDE && self.parts().any(PartScore::is_open)
    }

    /// The total and what limits it, at a glance: `50%, limited by Measurement`.
    pub fn short(&self) -> String {
        let limit = self.parts().find(|part| self.limits(part) && part.verdict != Verdict::Covered);
        let limit = limit.map(|part| format!(", limited by {}", self.title(&part.part)));
        let total = self.total();
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

    /// The same for the ear: `2 of 5 parts covered, 1 partial`.
    fn sum_said(&self) -> String {
        let all = self.parts().count();
        let count = |mark: Verdict| self.parts().filter(|p| p.verdict == mark).count();
        if all < 2 {
            return self.sum();
        }
        let covered = match count(Verdict::Covered) {
            0 => "no part covered".to_owned(),
            n => format!("{n} of {} covered", some(all, "part")),
        };
        match count(Verdict::Partial) {
            0 => covered,
            n => format!("{covered}, {n} partial"),
        }
    }

    /// For the ear: `The rules are not sure of 3 parts: it may be anything from 30% to 60%`.
    fn open_said(&self) -> Option<String> {
        let open = self.parts().filter(|p| p.is_open()).count();
        let [low, high] = self.attempt.range();
        let range = format!("it may be anything from {} to {}", percent(low), percent(high));
        (open > 0).then(|| format!("the rules are not sure of {}: {range}", some(open, "part")))
    }

    /// What the parts that are not sure leave open: `40% to 60%, 1 part not sure`.
    fn open(&self) -> Option<String> {
        let open = self.parts().filter(|p| p.is_open()).count();
        let [low, high] = self.attempt.range();
        let not_sure = format!("{} not sure", some(open, "part"));
        (open > 0).then(|| match self.is_wide() {
            true => not_sure,
            false => format!("{} to {}, {not_sure}", percent(low), percent(high)),
        })
    }

    /// How many marks are the learner's own word, and what the rules alone say.
    fn claimed(&self) -> Option<String> {
        let of_you = || self.parts().filter(|p| p.source == Source::You);
        let denied = of_you().filter(|p| self.attempt.only_denies(&p.part)).count();
        let said = match (of_you().count() - denied, denied) {
            (0, 0) => return None,
            (yes, 0) => format!("{} by you", some(yes, "part")),
            (0, no) => format!("{} {AFTER_NO}", some(no, "part")),
            (yes, no) => format!("{} by you, {no} {AFTER_NO}", some(yes, "part")),
        };
        Some(format!("{said}{}", self.rules_alone()))
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

    /// Whether a part limits the answer more than others; none does where it is alone, or nothing was said.
    fn limits(&self, part: &PartScore) -> bool {
        let is_one_of_many = self.parts().count() > 1 && self.parts().any(|p| p.verdict != Verdict::Missing);
        is_one_of_many && self.attempt.score.limiting_part.as_ref() == Some(&part.part)
    }

    /// The dispute about a part or a false statement, if one stands.
    pub(super) fn dispute(&self, about: &str) -> Option<&'a Dispute> {
        self.disputes.iter().find(|d| d.item == about)
    }

    /// `✗ 2 Mechanism   missing   limits   you: partial`.
    pub fn part_row(&self, part: &PartScore) -> Row {
        let title = self.title(&part.part);
        let number = self.place(&part.part) + 1;
        let mut notes = Vec::new();
        notes.extend(self.limits(part).then(|| "the weakest part".to_owned()));
        notes.extend(self.by(part));
        let rules = part.by_rules.filter(|_| part.source == Source::Instructor);
        let own = self.attempt.rated_parts.get(&part.part).filter(|own| **own != part.verdict);
        let own = own.map(|own| format!("you thought {}", verdict(*own)));
        let disputed = self.dispute(&part.part).map(|_| "you disagree".to_owned());
        // for the eye in few words: half of a screen holds all of them
        let short =
            |note: &String| note.replace("the weakest part", "weakest").replace("you thought", "you:");
        let shown: Vec<String> = notes.iter().chain(&own).chain(&disputed).map(short).collect();
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
        if part.source == Source::You && self.attempt.only_denies(&part.part) {
            return Some(AFTER_NO.to_owned());
        }
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
        let earned = part.points.iter().filter(|p| (p.met || p.partial) && !self.is_denied(part, p));
        let quotes = quoted(&self.attempt.answer, earned.flat_map(|p: &PointScore| &p.evidence));
        if !quotes.is_empty() {
            said.push_str(&format!(" You said: {quotes}."));
        }
        self.lowered(part).iter().for_each(|why| said.push_str(&format!(" {why}")));
        self.feedback(part).iter().for_each(|text| said.push_str(&format!(" {text}")));
        let given = self.attempt.given(Some(&part.part)).filter(|g| !g.remark.is_empty());
        given.iter().for_each(|g| said.push_str(&format!(" {} says: {}", g.by, one_line(&g.remark))));
        said
    }

    /// Why a part is worth less than what was said of it, where something else took that away.
    pub(super) fn lowered(&self, part: &PartScore) -> Option<&'static str> {
        if self.misconceptions().any(|m| m.part == part.part) && part.verdict != Verdict::Covered {
            return Some("A false statement costs this part a level.");
        }
        let is_said = part.points.iter().any(|p| (p.met || p.partial) && !self.is_denied(part, p));
        let is_taken = is_said && part.verdict == Verdict::Missing && part.source == Source::Rules;
        let flags = &self.attempt.score.flags;
        is_taken.then(|| match () {
            () if flags.contains(&Flag::OffTopic) => {
                "What was said counts for nothing here, as the answer is nearer to another question."
            }
            () if flags.contains(&Flag::MostlyDenials) => {
                "What was said counts for nothing here, as nearly every sentence says what is not true."
            }
            () if flags.contains(&Flag::Doubtful) => {
                "Several statements are false, and that costs this part a level."
            }
            () => "Most of the answer is false, so what was said here counts for nothing.",
        })
    }

    /// What a row lacks, in its author's words: the points of a part that were not said, else all of them; of a false
    /// statement what is right.
    pub(super) fn lacking(&self, row: usize) -> Vec<String> {
        let Some(part) = self.parts().nth(row) else {
            let wrong = row.checked_sub(self.parts().count()).and_then(|at| self.misconceptions().nth(at));
            return wrong.map(|m| m.correction.clone()).into_iter().collect();
        };
        let Some(drill) = self.drill else { return vec![part.feedback.clone()] };
        let words = |p: &PointScore| {
            let rubric = &drill.rubric;
            rubric.says(&p.id).into_iter().chain(rubric.asks(&p.id)).map(str::to_owned).collect::<Vec<_>>()
        };
        let unsaid: Vec<String> = part.points.iter().filter(|p| !p.met).flat_map(words).collect();
        let all = || part.points.iter().flat_map(words).collect();
        let texts: Vec<String> = if unsaid.is_empty() { all() } else { unsaid };
        if texts.is_empty() { vec![part.feedback.clone()] } else { texts }
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
        let quotes = quoted(&self.attempt.answer, &wrong.evidence);
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
            let said = part.points.iter().filter(|p| !self.is_denied(part, p));
            let said = said.flat_map(|p| phrases(&self.attempt.answer, &p.evidence));
            marks.extend(said.map(|bytes| doc::Mark { bytes, kind }));
        }
        for wrong in self.misconceptions() {
            let wrong = phrases(&self.attempt.answer, &wrong.evidence);
            marks.extend(wrong.into_iter().map(|bytes| doc::Mark { bytes, kind: MarkKind::Wrong }));
        }
        answered(&self.attempt.answer, marks)
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

/// Where the total may be less or more by so much together, its range stands for it.
const WIDE: f64 = 0.15;

/// Whose a mark is where the learner did nothing but deny points.
const AFTER_NO: &str = "after your No";

/// So many points are named that would make a good answer stronger.
const MOST_STRONGER: usize = 4;

/// A time that was spent, in words: `1 minute 52 seconds`.
fn spent(seconds: u32) -> String {
    let (minutes, rest) = ((seconds / 60) as usize, (seconds % 60) as usize);
    match (minutes, rest) {
        (0, rest) => some(rest, "second"),
        (minutes, 0) => some(minutes, "minute"),
        (minutes, rest) => format!("{} {}", some(minutes, "minute"), some(rest, "second")),
    }
}

/// `Dr B: Say by how much.`
fn remark(given: &Given) -> Row {
    let text = one_line(&given.remark);
    let cell = Cell::text(format!("{}: ", given.by)).role(Role::Strong) + Cell::text(&text);
    Row::new([cell]).wrapped().said(format!("{}, your instructor, says: {text}", given.by))
}

/// The word for a mark in its colour.
pub fn word(mark: Verdict) -> Cell {
    let role = match mark {
        Verdict::Covered => Role::Good,
        Verdict::Partial => Role::Partial,
        Verdict::Missing => Role::Missing,
    };
    Cell::text(verdict(mark)).role(role)
}
