//! What is said of an answer: its marks as rows, what was asked for point by point, the marked answer.

use crate::doc::{self, Cell, Document, MarkKind, Role, Row, Rows};
use crate::pack::{Drill, Pack};
use crate::score::{Evidence, FoundMisconception, PartScore, PointScore, Verdict};
use crate::services::library::Library;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::words::{clock, flag, percent, some, verdict};

/// An attempt with what is needed to speak of it.
pub struct Marks<'a> {
    attempt: &'a Attempt,
    pack: Option<&'a Pack>,
    drill: Option<&'a Drill>,
    /// The marks that the learner does not accept, by what they are about.
    disputed: &'a [String],
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
        Marks { attempt, pack, drill: pack.and_then(|p| p.drill(&attempt.drill)), disputed: &[] }
    }

    /// The same, with the marks that the learner does not accept, by what they are about.
    pub fn but(self, disputed: &'a [String]) -> Self {
        Marks { disputed, ..self }
    }

    /// All of it as one document, to be read from top to bottom.
    pub fn document(&self) -> Document {
        let mut rows = Vec::new();
        for part in self.parts() {
            rows.push(self.part_row(part));
            let text = |text: String| Cell::text(format!("  {text}")).role(Role::Dim);
            rows.extend(self.feedback(part).map(|feedback| Row::new([text(feedback)]).wrapped().said("")));
        }
        let mut all = self.head().rows(Rows::of(rows));
        for wrong in self.misconceptions() {
            let correction = Row::new([Cell::text(authored(&wrong.correction))]).wrapped().said("");
            all = all.rows(Rows::of([self.wrong_row(wrong), correction]));
        }
        all.and(self.right())
    }

    /// The total with what it is made of, what is wrong with the answer as a whole, and the question.
    pub fn head(&self) -> Document {
        let attempt = self.attempt;
        let counted = |mark: Verdict| attempt.marks().filter(|p| p.verdict == mark).count();
        let counts = [Verdict::Covered, Verdict::Partial, Verdict::Missing]
            .map(|mark| (counted(mark), verdict(mark)))
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"));
        let counts = counts.collect::<Vec<_>>().join(", ");
        let (total, words) = (percent(attempt.total()), some(attempt.score.words, "word"));
        let own = attempt.rated.map(percent);
        let thought = own.as_ref().map_or_else(String::new, |own| format!("   you thought {own}"));
        let facts = format!("   {counts}   {words}   {}{thought}", clock(attempt.seconds));
        let rated = own.map_or_else(String::new, |own| format!(" You thought it was worth {own}."));
        let said = format!("{total}, {words} in {}.{rated}", clock(attempt.seconds));
        let row = Row::new([Cell::text(&total).role(Role::Strong) + Cell::text(facts).role(Role::Dim)]);
        let mut head = Document::new().rows(Rows::of([row.said(said)]));
        for found in &attempt.score.flags {
            let text = Cell::text(flag(*found)).role(Role::Warning);
            head = head.rows(Rows::of([Row::new([text]).wrapped()]));
        }
        let question = match (self.pack, self.drill) {
            (Some(pack), Some(drill)) => answer::question(&pack.parts, drill, attempt.part.as_deref()),
            _ => attempt.drill.clone(),
        };
        let question = Row::new([Cell::text(question).role(Role::Strong)]).wrapped();
        head.rows(Rows::of([question]))
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

    /// `✗ 2 Mechanism   missing   the limiting part`.
    pub fn part_row(&self, part: &PartScore) -> Row {
        let title = self.title(&part.part);
        let number = self.place(&part.part) + 1;
        let own = self.attempt.rated_parts.get(&part.part).filter(|own| **own != part.verdict);
        let own = own.map(|own| format!("you thought {}", verdict(*own)));
        let limits = self.limits(part).then(|| "the limiting part".to_owned());
        let disputed = self.disputed.contains(&part.part).then(|| "you disagree".to_owned());
        let notes: Vec<String> = limits.iter().chain(&own).chain(&disputed).cloned().collect();
        let name = Cell::mark(part.verdict) + Cell::text(format!(" {number} {title}"));
        Row::new([name, word(part.verdict), Cell::text(notes.join("  ")).role(Role::Warning)])
            .said(self.part_said(part, &limits.into_iter().chain(disputed).collect::<Vec<_>>(), own))
    }

    /// `Mechanism: missing, the limiting part; you thought covered. You said: “…”. Say what …`.
    fn part_said(&self, part: &PartScore, notes: &[String], own: Option<String>) -> String {
        let mut said = format!("{}: {}", self.title(&part.part), verdict(part.verdict));
        notes.iter().for_each(|note| said.push_str(&format!(", {note}")));
        own.iter().for_each(|own| said.push_str(&format!("; {own}")));
        said.push('.');
        let earned = part.points.iter().filter(|p| p.met || p.partial);
        let quotes = quoted(earned.flat_map(|p| &p.evidence));
        if !quotes.is_empty() {
            said.push_str(&format!(" You said: {quotes}."));
        }
        if self.is_lowered(part) {
            said.push_str(" A false statement costs this part a level.");
        }
        self.feedback(part).iter().for_each(|text| said.push_str(&format!(" {text}")));
        said
    }

    fn is_lowered(&self, part: &PartScore) -> bool {
        self.misconceptions().any(|m| m.part == part.part) && part.verdict != Verdict::Covered
    }

    /// What is said of a part; not where that is the stored answer, which stands below.
    fn feedback(&self, part: &PartScore) -> Option<String> {
        let is_answer = self.stored() == Some(&part.feedback);
        (!is_answer && !part.feedback.trim().is_empty()).then(|| authored(&part.feedback))
    }

    /// `✗ Not so: “DDP shards the optimizer state”`.
    pub fn wrong_row(&self, wrong: &FoundMisconception) -> Row {
        let quotes = quoted(&wrong.evidence);
        let quotes = if quotes.is_empty() { quotes } else { format!(": {quotes}") };
        let disputed = if self.disputed.contains(&wrong.id) { "  you disagree" } else { "" };
        let cell = Cell::mark(Verdict::Missing) + Cell::text(format!(" Not so{quotes}")).role(Role::Missing);
        let correction = authored(&wrong.correction);
        Row::new([cell + Cell::text(disputed).role(Role::Warning)])
            .wrapped()
            .said(format!("Not so{quotes}.{disputed} {correction}"))
    }

    /// What a row is about: the points of a part, or why a statement is false. With the rules behind the
    /// marks where an author wants them.
    pub fn points(&self, row: usize, rules: bool) -> Option<Document> {
        let Some(part) = self.parts().nth(row) else {
            let nth = row.checked_sub(self.parts().count())?;
            return self.misconceptions().nth(nth).map(|wrong| self.correction(wrong, rules));
        };
        let title =
            format!("{} {}: {}", self.place(&part.part) + 1, self.title(&part.part), verdict(part.verdict));
        let mut all = Document::new().title(&title);
        let asked = |p: &PointScore| self.drill.and_then(|d| d.rubric.asks(&p.id));
        let is_asked = part.points.iter().any(|p| asked(p) == Some(&part.feedback));
        if let Some(text) = self.feedback(part).filter(|_| !is_asked) {
            all = all.words(&text);
        }
        for point in &part.points {
            all = all.rows(self.point(point, asked(point), rules));
        }
        if self.is_lowered(part) {
            all = all.words("A false statement costs this part a level.");
        }
        Some(all)
    }

    /// What a point asks for, whether it was said, and in which words.
    fn point(&self, point: &PointScore, asked: Option<&str>, rules: bool) -> Rows {
        let id = point.id.replace('-', " ");
        let asked = asked.map_or_else(|| id.clone(), authored);
        let (mark, state) = match (point.met, point.partial) {
            (true, _) => (Verdict::Covered, "Said"),
            (false, true) => (Verdict::Partial, "Said in part"),
            (false, false) => (Verdict::Missing, "Not said"),
        };
        let first = Row::new([Cell::mark(mark) + Cell::text(format!(" {asked}"))]).wrapped();
        let mut rows = vec![first.said(format!("{state}: {asked}"))];
        let quotes = quoted(&point.evidence);
        if !quotes.is_empty() {
            let you = Cell::text("  you: ").role(Role::Dim) + Cell::text(&quotes);
            rows.push(Row::new([you]).wrapped().said(format!("You: {quotes}")));
        }
        if rules {
            let rule = point.rule.as_ref().map_or(id.clone(), |rule| format!("{id}, {rule}"));
            rows.push(author(&rule));
        }
        Rows::of(rows)
    }

    fn correction(&self, wrong: &FoundMisconception, rules: bool) -> Document {
        let all = Document::new().title("Not so").words(&quoted(&wrong.evidence));
        let all = all.words(&authored(&wrong.correction));
        match wrong.rule.as_ref().filter(|_| rules) {
            Some(rule) => all.rows(Rows::of([author(rule)])),
            None => all,
        }
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
        answer::follow_up(self.drill?, self.attempt.part.as_deref())?.answer.as_deref()
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
        Document::new().title("Your answer").answer(&self.attempt.answer, marks, None)
    }

    /// The title of a part as its pack has it, or its id.
    fn title(&self, part: &'a str) -> &'a str {
        self.pack.map_or(part, |p| answer::part_title(&p.parts, part))
    }

    /// The place of a part in its pack, which its digit goes by, or else its place among the marks: those of a
    /// follow-up question hold one part alone.
    fn place(&self, part: &str) -> usize {
        let in_pack = self.pack.and_then(|p| p.parts.iter().position(|x| x.id == part));
        let among = || self.attempt.score.parts.iter().position(|p| p.part == part);
        in_pack.or_else(among).unwrap_or(0)
    }
}

fn word(mark: Verdict) -> Cell {
    let role = match mark {
        Verdict::Covered => Role::Good,
        Verdict::Partial => Role::Partial,
        Verdict::Missing => Role::Missing,
    };
    Cell::text(verdict(mark)).role(role)
}

/// The rule behind a mark, for those who write them.
fn author(rule: &str) -> Row {
    let text = Cell::text(format!("  for authors: {rule}")).role(Role::Dim);
    Row::new([text]).wrapped().said(format!("For authors: {rule}"))
}

/// An author's sentence as it is read: the marks of inline code are taken out.
fn authored(text: &str) -> String {
    text.replace('`', "")
}

/// `“these words”, “and these”`, in the order of the text, each once.
fn quoted<'e>(evidence: impl IntoIterator<Item = &'e Evidence>) -> String {
    let mut sorted: Vec<&Evidence> = evidence.into_iter().collect();
    sorted.sort_by_key(|e| (e.start, e.end));
    sorted.dedup_by_key(|e| (e.start, e.end));
    let words = |e: &Evidence| format!("“{}”", e.text.split_whitespace().collect::<Vec<_>>().join(" "));
    sorted.into_iter().map(words).collect::<Vec<_>>().join(", ")
}
