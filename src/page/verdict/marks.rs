//! What is said of an answer: the sum, its marks as rows, the marked answer.

use std::ops::Range;

use crate::doc::{self, Cell, Column, Document, MarkKind, Role, Row, Rows};
use crate::pack::{Drill, Pack};
use crate::page::answered::{answered, phrases};
use crate::page::asked;
use crate::score::{
    Evidence, Flag, FoundMisconception, PartScore, PointScore, Reply, Score, Source, Verdict,
};
use crate::services::library::Library;
use crate::store::Dispute;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::class::given::Given;
use crate::study::words::verdict;

use super::points::{authored, clauses, one_line, quoted, quotes_of};

/// An attempt with what is needed to speak of it.
pub struct Marks<'a> {
    /// With what the learner claims.
    pub(super) attempt: &'a Attempt,
    pub(super) pack: Option<&'a Pack>,
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
        let mut all = self.head();
        for wrong in self.misconceptions() {
            all = all.rows(Rows::of([self.wrong_row(wrong)]));
        }
        all.rows(Rows::of(rows)).and(self.right())
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
    pub(super) fn limits(&self, part: &PartScore) -> bool {
        let is_one_of_many = self.parts().count() > 1 && self.parts().any(|p| p.verdict != Verdict::Missing);
        is_one_of_many && self.attempt.score.limiting_part.as_ref() == Some(&part.part)
    }

    /// The dispute about a part or a false statement, if one stands.
    pub(super) fn dispute(&self, about: &str) -> Option<&'a Dispute> {
        self.disputes.iter().find(|d| d.item == about)
    }

    /// `✗ 2 Mechanism   missing   0 of 2 wanted   weakest  rated ◐`.
    pub fn part_row(&self, part: &PartScore) -> Row {
        self.row_of(part, false)
    }

    /// The rows of all parts, with what their columns are.
    pub fn part_table(&self) -> (Vec<Column>, Vec<Row>) {
        let columns = ["", "", "points", ""].map(Column::words).into();
        (columns, self.parts().map(|part| self.row_of(part, true)).collect())
    }

    fn row_of(&self, part: &PartScore, is_titled: bool) -> Row {
        let title = self.title(&part.part);
        let number = self.place(&part.part) + 1;
        let mut notes = Vec::new();
        notes.extend(self.limits(part).then(|| "the weakest part".to_owned()));
        notes.extend(self.by(part));
        let rules = part.by_rules.filter(|_| part.source == Source::Instructor);
        let own = self.attempt.rated_parts.get(&part.part).filter(|own| **own != part.verdict);
        let own = own.map(|own| (*own, format!("you thought {}", verdict(*own))));
        let disputed = self.dispute(&part.part).map(|_| "you disagree".to_owned());
        // for the eye in few words, as half of a screen holds; what limits the answer stands at the top of it too
        let brief = |note: &String| {
            let note = note.replace("by the instructor, ", "by ").replace(AFTER_NO, "you: no");
            let note = note.replace(BY_YOU, "by you").replace(IN_VAIN, "by you");
            note.replace("the weakest part", "weakest")
        };
        let texts: Vec<String> = disputed.iter().chain(notes.iter().rev()).map(brief).collect();
        let mut cells: Vec<(usize, Cell)> =
            texts.iter().map(|t| (t.chars().count(), Cell::text(t))).collect();
        let place = texts.iter().position(|note| note == "weakest").unwrap_or(texts.len());
        let rated = own.as_ref().map(|(own, _)| (RATED, Cell::text("rated ") + Cell::mark(*own)));
        rated.into_iter().for_each(|rated| cells.insert(place, rated));
        let (mut shown, mut used) = (Cell::text(""), 0);
        for (columns, cell) in cells {
            if used == 0 || used + 2 + columns <= NOTES {
                shown = if used == 0 { cell } else { shown + Cell::text("  ") + cell };
                used += columns + 2 * usize::from(used > 0);
            }
        }
        notes.extend(rules.map(|rules| format!("the rules say {}", verdict(rules))));
        notes.extend(part.is_open().then(|| "not sure".to_owned()));
        let name = Cell::mark(part.verdict) + Cell::text(format!(" {number} {title}"));
        let open = if part.is_open() { " ?" } else { "" };
        let word = word(part.verdict) + Cell::text(open).role(Role::Warning);
        notes.extend(disputed);
        let wanted =
            self.wanted(part).map(|wanted| format!("{wanted}{}", if is_titled { "" } else { " wanted" }));
        let wanted = Cell::text(wanted.unwrap_or_default()).role(Role::Dim);
        // what was said would cover it, were it not for what is false
        let wanted = match self.is_lowered(part) {
            true => wanted + Cell::text(" ") + Cell::mark(Verdict::Missing),
            false => wanted,
        };
        let said = self.part_said(part, &notes, own.map(|(_, said)| said));
        Row::new([name, word, wanted, shown]).said(said)
    }

    /// Who gave the mark of a part, where that is not the rules: the instructor with the name.
    fn by(&self, part: &PartScore) -> Option<String> {
        let by = asked::by(part.source)?;
        if part.source == Source::You {
            // `missing, by you` sounds as if the learner had said that it is missing
            return Some(match (self.attempt.only_denies(&part.part), part.verdict) {
                (true, _) => AFTER_NO.to_owned(),
                (false, Verdict::Missing) => IN_VAIN.to_owned(),
                (false, _) => BY_YOU.to_owned(),
            });
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
        let quotes = quoted(&self.attempt.answer, self.earned(part).flat_map(|p| &p.evidence));
        let taken = self.taken(part).filter(|_| !quotes.is_empty());
        let mut said = match &taken {
            Some(by) => {
                format!("{}: said, but lowered to {} by {by}", self.title(&part.part), verdict(part.verdict))
            }
            None => format!("{}: {}", self.title(&part.part), verdict(part.verdict)),
        };
        notes.iter().for_each(|note| said.push_str(&format!(", {note}")));
        own.iter().for_each(|own| said.push_str(&format!("; {own}")));
        said.push('.');
        // before the words, lest they seem to earn what they do not
        let why = self.lowered(part).filter(|_| taken.is_none());
        why.iter().for_each(|why| said.push_str(&format!(" {}", self.by_number(why))));
        let lead = if taken.is_some() { "Your words" } else { "You said" };
        said.push_str(&self.quoted_once(part, lead));
        self.feedback(part).iter().for_each(|text| said.push_str(&format!(" {text}")));
        let given = self.attempt.given(Some(&part.part)).filter(|g| !g.remark.is_empty());
        given.iter().for_each(|g| said.push_str(&format!(" {} says: {}", g.by, one_line(&g.remark))));
        said
    }

    /// The false statements of a sentence by their numbers: each is quoted once, in its own row.
    fn by_number(&self, why: &str) -> String {
        let first = self.parts().count() + 1;
        self.misconceptions().enumerate().fold(why.to_owned(), |why, (nth, wrong)| {
            match quoted(&self.attempt.answer, &wrong.evidence) {
                quotes if quotes.is_empty() => why,
                quotes => why.replace(&format!(" {quotes}"), &format!(", number {},", first + nth)),
            }
        })
    }

    /// The points of a part that were said.
    fn earned(&self, part: &'a PartScore) -> impl Iterator<Item = &'a PointScore> {
        part.points.iter().filter(|p| (p.met || p.partial) && !self.is_denied(part, p))
    }

    /// The sentences that stand with a part; those that an earlier part has quoted are named by it, as nobody wants to hear
    /// them twice.
    fn quoted_once(&self, part: &'a PartScore, lead: &str) -> String {
        let text = &self.attempt.answer;
        let of = |part: &'a PartScore| clauses(text, self.earned(part).flat_map(|p| &p.evidence));
        let before: Vec<(&str, Vec<Range<usize>>)> = self
            .parts()
            .take_while(|other| other.part != part.part)
            .map(|other| (self.title(&other.part), of(other)))
            .collect();
        let first = |bytes: &Range<usize>| {
            let has = |all: &[Range<usize>]| all.iter().any(|b| b.start <= bytes.start && bytes.end <= b.end);
            before.iter().find(|(_, all)| has(all)).map(|(title, _)| *title)
        };
        let (known, new): (Vec<_>, Vec<_>) = of(part).into_iter().partition(|bytes| first(bytes).is_some());
        let quotes = quotes_of(text, new);
        let mut said = if quotes.is_empty() { String::new() } else { format!(" {lead}: {quotes}.") };
        let mut under: Vec<&str> = known.iter().filter_map(first).collect();
        under.dedup();
        if !under.is_empty() {
            said.push_str(&format!(" What you said under {} counts here too.", under.join(" and ")));
        }
        said
    }

    /// What of the answer no mark quotes, for who heard the marks: the sentences that earned nothing.
    pub(super) fn unquoted(&self, sentences: &[Evidence]) -> Document {
        let text = &self.attempt.answer;
        let earned = self.parts().flat_map(|part| self.earned(part)).flat_map(|p| &p.evidence);
        let wrong = self.misconceptions().flat_map(|m| &m.evidence);
        let quoted = clauses(text, earned.chain(wrong));
        let is_quoted = |s: &&Evidence| quoted.iter().any(|b| b.start < s.end && s.start < b.end);
        let rest: Vec<&str> = sentences.iter().filter(|s| !is_quoted(s)).map(|s| s.text.trim()).collect();
        match () {
            () if quoted.is_empty() || sentences.is_empty() => self.answer(),
            () if rest.is_empty() => Document::new(),
            () => Document::new().title("The rest of your answer, which earned nothing").answer(
                &rest.join(" "),
                Vec::new(),
                None,
            ),
        }
    }

    /// The false statement that costs a part a level, as it is numbered below the parts.
    fn taken(&self, part: &PartScore) -> Option<String> {
        let is_lower = part.verdict != Verdict::Covered && part.source == Source::Rules;
        let nth = self.misconceptions().position(|m| m.part == part.part).filter(|_| is_lower)?;
        Some(format!("the false statement, number {}", self.parts().count() + nth + 1))
    }

    /// Why a part is worth less than what was said of it, where something else took that away: which false statement,
    /// or what is wrong with the whole.
    pub(super) fn lowered(&self, part: &PartScore) -> Option<String> {
        let is_said = part.points.iter().any(|p| (p.met || p.partial) && !self.is_denied(part, p));
        let is_ruled = part.verdict != Verdict::Covered && part.source == Source::Rules;
        if !is_said || !is_ruled {
            return None;
        }
        let quote = |wrong: &FoundMisconception| match quoted(&self.attempt.answer, &wrong.evidence) {
            quotes if quotes.is_empty() => String::new(),
            quotes => format!(" {quotes}"),
        };
        let is_enough = self.is_lowered(part);
        if let Some(wrong) = self.misconceptions().find(|m| m.part == part.part) {
            let (wrong, mark) = (quote(wrong), verdict(part.verdict));
            return Some(match is_enough {
                true => {
                    format!("You said enough for covered. The false statement{wrong} lowers it to {mark}.")
                }
                false => format!("The false statement{wrong} costs this part a level."),
            });
        }
        if part.verdict == Verdict::Partial && is_enough {
            return self.misconceptions().next().map(|wrong| {
                let wrong = quote(wrong);
                format!("You said enough for covered, but briefly: beside the false statement{wrong} it counts half.")
            });
        }
        let flags = &self.attempt.score.flags;
        let whole = (part.verdict == Verdict::Missing).then(|| match () {
            () if flags.contains(&Flag::OffTopic) => {
                "What was said counts for nothing here, as the answer is nearer to another question."
            }
            () if flags.contains(&Flag::MostlyDenials) => {
                "What was said counts for nothing here, as nearly every sentence says what is not true."
            }
            () if flags.contains(&Flag::Doubtful) && !is_enough => {
                "Several statements are false, and that costs this part a level."
            }
            () => "Most of the answer is false, so what was said here counts for nothing.",
        });
        whole.map(str::to_owned)
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
        let unsaid = part.points.iter().filter(|p| self.said(part, p).reply != Reply::Yes);
        let unsaid: Vec<String> = unsaid.flat_map(words).collect();
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

    /// `✗ Not so: “DDP shards the optimizer state”`, and what is right.
    pub fn wrong_row(&self, wrong: &FoundMisconception) -> Row {
        let quote = |wrong: &FoundMisconception| quoted(&self.attempt.answer, &wrong.evidence);
        let quotes = quote(wrong);
        // two things may be wrong with the same words: they are quoted once
        let mut before = self.misconceptions().take_while(|m| m.id != wrong.id);
        let is_again = !quotes.is_empty() && before.any(|m| quote(m) == quotes);
        let quotes = match is_again {
            true => " either, in the same words:".to_owned(),
            false if quotes.is_empty() => quotes,
            false => format!(": {quotes}"),
        };
        let disputed = if self.dispute(&wrong.id).is_some() { "  you disagree" } else { "" };
        let cell = Cell::mark(Verdict::Missing) + Cell::text(format!(" Not so{quotes}")).role(Role::Missing);
        let correction = authored(&wrong.correction);
        let right = Cell::text(format!("  {correction}"));
        Row::new([cell + right + Cell::text(disputed).role(Role::Warning)])
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
            let unsaid = part.points.iter().filter(|p| self.said(part, p).reply != Reply::Yes);
            let unsaid = unsaid.filter_map(asked);
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

/// Whose a mark is where the learner did nothing but deny points.
pub(super) const AFTER_NO: &str = "after your No";

/// Whose it is where ticks of the learner raised it.
const BY_YOU: &str = "by your own word";
/// Where they did not suffice.
const IN_VAIN: &str = "even with what you ticked";

/// Columns of the notes beside a mark in half of a screen of 120 columns, and of one of them.
const NOTES: usize = 14;
const RATED: usize = 7;

/// So many points are named that would make a good answer stronger.
const MOST_STRONGER: usize = 4;

/// `Dr B: Say by how much.`
pub(super) fn remark(given: &Given) -> Row {
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
