//! The model answer beside one's own, part by part: what one said of it, and what a good answer says.

use super::Verdict;
use super::marks::Marks;
use super::points::quoted;
use crate::doc::aloud::aloud;
use crate::doc::{self, Document, Mark, MarkKind, Role};
use crate::page::At;
use crate::page::answered::phrases;
use crate::page::view::{Row, View};
use crate::score::{Evidence, PartScore, Reply};
use crate::study::align::{self, Passage};
use crate::study::words::verdict;

/// Columns that each of both texts needs to stand beside the other.
const COLUMN: u16 = 44;

/// What lines end with.
const CLOSING_MODEL: &str = "Enter or q goes back to the verdict. A number opens a part, w and its number answers that part again, a \
     question mark lists what else can be typed.";

impl Verdict {
    /// What stands in the body instead of the answer as a whole; none where the drill is not at hand.
    pub(super) fn beside_model(&self, view: View, at: &At) -> Option<View> {
        let (text, score) = self.model.as_ref()?;
        let (of_mine, of_model) = self.both_sentences(at.services)?;
        let marks = self.marks(at.services);
        if self.is_heard {
            return Some(self.model_heard(&align::model(text, of_model, score), &marks));
        }
        // what is false is marked so wherever it stands, and never stands among what is neither
        let is_false = |sentence: &&Evidence| {
            let wrong = self.attempt.score.misconceptions.iter().flat_map(|m| &m.evidence);
            wrong.into_iter().any(|e| e.start < sentence.end && sentence.start < e.end)
        };
        let mine = align::answer(&self.attempt.answer, of_mine, &self.attempt.score);
        let rest = of_mine.iter().filter(|s| mine.rest.find(&s.range()).is_some() && !is_false(s));
        let rest: Vec<&str> = rest.map(|s| s.text.trim()).collect();
        let model = align::model(text, of_model, score);
        let of = |all: &align::Aligned, part: &PartScore| {
            all.parts.iter().find(|(id, _)| *id == part.part).map(|(_, p)| p.clone()).unwrap_or_default()
        };
        let wrong = || marks.misconceptions().map(|wrong| Row::here().with(marks.wrong_row(wrong)));
        let mut view = view.list(wrong());
        for part in marks.parts() {
            let (mine, model) = (of(&mine, part), of(&model, part));
            // the row itself is numbered
            let said_of = format!("{}: {}", marks.title(&part.part), verdict(part.verdict));
            view = view.list([Row::here().with(titled(marks.part_row(part)).said(said_of))]);
            view = view.paired(
                COLUMN,
                [self.said(&mine, part, &marks), asked("A model answer", &model, part, &marks)],
            );
        }
        Some(match rest.is_empty() {
            true => view,
            false => view.title("Not counted").dim(&(rest.join(". ") + ".")),
        })
    }

    /// The model answer part by part for the ear: one's own words were heard in the verdict. Its symbols are words, as the
    /// author does not speak them.
    fn model_heard(&self, model: &align::Aligned, marks: &Marks) -> View {
        let view = View::new().of_pack(self.pack.unwrap_or(0)).title("A model answer");
        let view = marks.parts().fold(view, |view, part| {
            // the row itself is numbered
            let said = format!("{}. Yours: {}", marks.title(&part.part), verdict(part.verdict));
            let passage = model.parts.iter().find(|(id, _)| *id == part.part).map(|(_, passage)| passage);
            let text = passage.map(|passage| aloud(passage.text.trim_end()).into_owned()).unwrap_or_default();
            let view = view.list([Row::here().with(titled(marks.part_row(part)).said(said))]);
            match text.is_empty() {
                true => view.words("No sentence is for this part alone."),
                false => view.with(|body| body.answer(&text, Vec::new(), None)),
            }
        });
        view.closing(CLOSING_MODEL)
    }

    /// The model answer alone, part by part, for a screen that has room for it beside the points.
    pub(super) fn model_beside(&self, at: &At) -> Option<Document> {
        let (text, score) = self.model.as_ref()?;
        let (_, of_model) = self.both_sentences(at.services)?;
        let marks = self.marks(at.services);
        let model = align::model(text, of_model, score);
        let passage = |part: &PartScore| model.parts.iter().find(|(id, _)| *id == part.part).map(|(_, p)| p);
        let parts = marks.parts().filter_map(|part| {
            let label = format!("{} {}", marks.place(&part.part) + 1, marks.title(&part.part));
            Some(asked(&label, passage(part)?, part, &marks))
        });
        Some(parts.fold(Document::new().title("A model answer"), Document::and))
    }

    /// What is said where no sentence is for this part first of all: the sentence that the learner pointed at, or the
    /// words that earned it, which stand with another one.
    fn elsewhere(&self, part: &PartScore) -> String {
        let claimed = self.attempt.claims.iter().flat_map(|claims| &claims.claimed);
        let own = claimed.filter(|c| c.part == part.part && c.reply != Reply::No).flat_map(|c| &c.sentence);
        let text = &self.attempt.answer;
        let own = quoted(text, own);
        let words = quoted(text, part.points.iter().flat_map(|p| &p.evidence));
        match (own.as_str(), words.as_str()) {
            ("", "") => "nothing on this".into(),
            ("", quotes) => format!("in sentences that stand with another part: {quotes}"),
            (own, _) => format!("by your own word: {own}"),
        }
    }

    /// What one said of a part, with the words that earned it.
    fn said(&self, passage: &Passage, part: &PartScore, marks: &Marks) -> Document {
        if passage.text.is_empty() {
            return whose("You").dim(&self.elsewhere(part));
        }
        let text = &self.attempt.answer;
        let here =
            |bytes: std::ops::Range<usize>, kind: MarkKind| Some(Mark { bytes: passage.find(&bytes)?, kind });
        let mut all = Vec::new();
        for of in marks.parts() {
            let kind = MarkKind::Part(marks.place(&of.part));
            let said = of.points.iter().flat_map(|p| phrases(text, &p.evidence));
            all.extend(said.filter_map(|bytes| here(bytes, kind)));
        }
        let wrong = marks.misconceptions().flat_map(|m| phrases(text, &m.evidence));
        all.extend(wrong.filter_map(|bytes| here(bytes, MarkKind::Wrong)));
        whose("You").answer(passage.text.trim_end(), all, None)
    }
}

/// The row of a part as the heading of what stands below it.
fn titled(mut row: doc::Row) -> doc::Row {
    row.cells = row
        .cells
        .into_iter()
        .enumerate()
        .map(|(at, cell)| if at == 0 { cell.role(Role::Strong) } else { cell })
        .collect();
    row
}

/// Whose words stand below.
fn whose(label: &str) -> Document {
    Document::new().heading(5, label)
}

/// What a good answer says of a part; the words that one's own lacks are marked.
fn asked(label: &str, passage: &Passage, part: &PartScore, marks: &Marks) -> Document {
    let Some((text, score)) = marks.model else { return Document::new() };
    let is_met = |id: &str| part.points.iter().any(|p| p.id == id && p.met);
    let points = score.parts.iter().filter(|p| p.part == part.part).flat_map(|p| &p.points);
    let kind = MarkKind::Part(marks.place(&part.part));
    let lacking = points.filter(|p| !is_met(&p.id)).flat_map(|p| phrases(text, &p.evidence));
    let lacking = lacking.filter_map(|bytes| Some(Mark { bytes: passage.find(&bytes)?, kind }));
    let lacking = lacking.map(|mark| Mark { bytes: to_end(&passage.text, mark.bytes), ..mark });
    whose(label).answer(passage.text.trim_end(), lacking.collect(), None)
}

/// A phrase goes on for so many bytes at most.
const PHRASE: usize = 60;

/// Some words up to the end of their phrase, if that is near: a raised digit in the middle of one looks like chance.
fn to_end(text: &str, bytes: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let rest = text.get(bytes.end..).unwrap_or_default();
    let is_end = |(at, sign): &(usize, char)| {
        let next = rest[at + sign.len_utf8()..].chars().next();
        ",;:.!?)".contains(*sign) && next.is_none_or(|next| next.is_whitespace() || ",;:.!?)".contains(next))
    };
    match rest.char_indices().find(is_end) {
        Some((at, _)) if at <= PHRASE => bytes.start..bytes.end + at,
        None if rest.trim_end().len() <= PHRASE => bytes.start..bytes.end + rest.trim_end().len(),
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::to_end;

    #[test]
    fn words_go_on_to_the_end_of_their_phrase() {
        let text = "Pipeline parallelism puts different layers on each stage, at 2.5 GB a step. Then more";
        let to = |words: &str| {
            let from = text.find(words).unwrap_or_default();
            &text[to_end(text, from..from + words.len())]
        };
        assert_eq!(to("different"), "different layers on each stage");
        assert_eq!(to("at 2"), "at 2.5 GB a step");
        assert_eq!(to("Then"), "Then more");
        let long = format!("one{}, two", " word".repeat(20));
        assert_eq!(to_end(&long, 0..3), 0..3, "what ends far away stays as it is");
    }
}
