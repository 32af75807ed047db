//! How a lab is shown while it is predicted and compared.

use super::{Lab, Stage};
use crate::doc::{Cell, Column, Document, Judged, Role};
use crate::pack::prose;
use crate::page::At;
use crate::page::view::{Row, View};
use crate::score::Verdict;
use crate::services::job::Ran;

/// What is asked once an answer was seen.
const RIGHT: &str = "Did you have it right? y yes, n no, p partly.";

impl Lab {
    /// Opens the answer to a question; where it is open, says what to do with it.
    pub(super) fn see(&mut self, row: usize, at: &mut At) {
        if self.predicted.seen.insert(row) {
            return self.keep(at);
        }
        let is_marked = self.predicted.marks.get(row).is_some_and(Option::is_some);
        at.say(if is_marked { "the answer stands below; y, n and p change your mark" } else { RIGHT });
    }

    /// The answer to a question, and what is asked of who has not marked it.
    pub(super) fn answer(&self, row: usize, answer: &str) -> Document {
        let is = Document::new().title("It is").markdown(answer);
        let is_open = self.predicted.marks.get(row).is_some_and(Option::is_none);
        if is_open { is.words(RIGHT) } else { is }
    }

    /// What is asked for now, and what was said so far.
    pub(super) fn predicting(&self) -> View {
        let all = self.lab.predictions.len();
        let at = self.predicted.said.len().min(all.saturating_sub(1));
        let asked = self.lab.predictions.get(at).map_or("", |p| p.ask.trim());
        let view = View::new().of_pack(self.pack);
        let view = match at {
            0 => view.words("Say it before you see it. Numbers are better than words."),
            _ => view,
        };
        let ask = asked.trim_end_matches(['?', '.']);
        view.line(&format!("{} of {all}. {ask}", at + 1), "").enter("goes on without a prediction")
    }

    pub(super) fn compared(&self, ran: &Ran) -> View {
        let row = |(at, asked): (usize, &crate::pack::Prediction)| {
            let said =
                self.predicted.said.get(at).map(|s| s.trim()).filter(|s| !s.is_empty()).unwrap_or("nothing");
            let judged = self.predicted.marks[at].map_or(Judged::Untouched, Judged::from);
            let question = prose::unmarked(asked.ask.trim());
            let own = self.predicted.marks[at].map(|mark| match mark {
                Verdict::Covered => " You were right.",
                Verdict::Partial => " You were partly right.",
                Verdict::Missing => " You were not right.",
            });
            let (is, spoken) = match self.predicted.seen.contains(&at) {
                true => {
                    let gist = gist(&asked.answer);
                    (Cell::text(&gist), format!(" It is: {gist}"))
                }
                false => (Cell::text("enter shows it").role(Role::Dim), String::new()),
            };
            Row::here()
                .tall()
                .cell(Cell::mark(judged).said("") + Cell::text(format!(" {}", at + 1)))
                .cell(Cell::text(&question))
                .cell(Cell::text(said).role(Role::Strong))
                .cell(is)
                .said(format!(
                    "{question} You said: {}.{spoken}{}",
                    said.trim_end_matches('.'),
                    own.unwrap_or_default()
                ))
        };
        let columns = ["", "question", "you said", "it is"].map(Column::words).to_vec();
        let head = "Look at the output, open a question to see its answer, and say whether you were right.";
        // where columns would be strips, what was said and what is stand below the question
        let block = |(at, asked): (usize, &crate::pack::Prediction)| {
            let said = self.predicted.said.get(at).map(|s| s.trim()).filter(|s| !s.is_empty());
            let judged = self.predicted.marks[at].map_or(Judged::Untouched, Judged::from);
            let question = prose::unmarked(asked.ask.trim());
            let is = match self.predicted.seen.contains(&at) {
                true => Cell::text(gist(&asked.answer)),
                false => Cell::text("enter shows it").role(Role::Dim),
            };
            let below = |name: &str, cell: Cell| {
                Row::plain().wrapped().cell(Cell::text(format!("      {name:<10}")).role(Role::Dim) + cell)
            };
            let said = Cell::text(said.unwrap_or("nothing")).role(Role::Strong);
            let asked = Cell::mark(judged) + Cell::text(format!(" {} {question}", at + 1));
            [Row::here().wrapped().cell(asked), below("you said", said), below("it is", is)]
        };
        let blocks = self.lab.predictions.iter().enumerate().flat_map(block);
        let narrow = View::new().words(head).list(blocks).body;
        let view = View::new().of_pack(self.pack).stacked().narrow(narrow);
        let view = view
            .words(head)
            .table(columns, self.lab.predictions.iter().enumerate().map(row))
            .beside(View::new().with(|body| body.and(output(ran))));
        view.enter("leads back to the lab").spoken(
            "A number shows the answer; y and a number says that you were right, n that you were \
         not, p that you were partly right; r runs it again",
        )
    }
}

impl Lab {
    /// What a large screen has room for: the output with the code that printed it below, or the copy that is to be changed,
    /// until something came of it.
    pub(super) fn at_length(&self) -> Option<(Document, Document)> {
        let starter = &self.lab.starter;
        let code = |title: &str, text: &str| {
            Document::new().title(title).verbatim(&starter.language, text.trim_end())
        };
        match &self.stage {
            Stage::Compare(ran) => {
                Some((Document::new(), output(ran).and(code(&starter.path, &starter.text))))
            }
            Stage::Change(change) if change.ran.is_none() => {
                Some((Document::new(), code("Your copy", &change.own.text)))
            }
            _ => None,
        }
    }
}

/// What the starter printed.
pub(super) fn output(ran: &Ran) -> Document {
    let output = ran.note.iter().fold(Document::new().title("Output"), |all, note| all.words(note));
    output.printed(&ran.output)
}

/// The first sentence of an answer: what is, without why.
fn gist(answer: &str) -> String {
    let text = prose::unmarked(answer.trim());
    let end = text
        .match_indices(". ")
        .map(|(at, _)| at + 1)
        .find(|at| text[*at..].trim_start().starts_with(char::is_uppercase));
    text[..end.unwrap_or(text.len())].to_owned()
}
