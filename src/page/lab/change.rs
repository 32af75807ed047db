//! A copy of the starter that is the learner's own: what is changed in it, and what it prints beside the original.

use super::{Lab, Stage, differ};
use crate::doc::{Cell, Document, Role, Row, Rows};
use crate::page::view::View;
use crate::page::{At, Effect, Next};
use crate::services::Services;
use crate::services::edit::{self, Own};
use crate::services::job::{Job, Ran};
use crate::study::lines::{self, Line};
use crate::study::words::some;

/// So many changed lines are shown; more than these one finds in the editor.
const MOST: usize = 12;
/// What marks a line that the other output has not.
const MARK: &str = "» ";

/// The copy at hand, and what came of running it.
#[derive(Debug, PartialEq)]
pub(super) struct Change {
    /// The copy, as it was read last.
    pub own: Own,
    /// Whether it runs now.
    pub runs: bool,
    /// What the starter printed, and what the copy did.
    pub ran: Option<(Ran, Ran)>,
}

impl Change {
    /// Whether something is changed in it.
    pub fn is_changed(&self, starter: &str) -> bool {
        lines::compared(starter, &self.own.text).iter().any(|line| !matches!(line, Line::Both(_)))
    }

    /// The page of it: what came of running it first, then what is changed, and how to go on.
    pub fn view(&self, view: View, starter: &str, to_try: &Document) -> View {
        let how = |view: View| view.with(|body| body.rows(self.how()));
        match (&self.ran, self.runs) {
            (Some((original, copy)), false) => {
                let view = printed(view.pairs(), original, copy);
                how(view.with(|body| body.and(self.changed(starter)).and(to_try.clone())))
            }
            (_, runs) => {
                let view = how(view.title("Change it, and see what that does"));
                let view = view.with(|body| body.and(to_try.clone()).and(self.changed(starter)));
                if runs { view.words("Running both …") } else { view }
            }
        }
    }

    /// Where the copy is, and what to do with it.
    fn how(&self) -> Rows {
        let (variable, editor) = edit::editor();
        let editor = match variable {
            Some(name) => {
                format!("e opens it in {editor} (from {name}) and brings you back; any other editor will do")
            }
            None => format!("e opens it in {editor} and brings you back; set EDITOR to use another"),
        };
        let row = |name: &str, text: &str| {
            let cells = Row::new([Cell::text(name).role(Role::Dim), Cell::text(text)]);
            cells.wrapped().said(format!("{name}: {text}."))
        };
        let run = "r runs your copy and the original, and says what differs in what they print";
        let rows = [
            row("your copy", &self.own.path.display().to_string()),
            row("edit it", &editor),
            row("run it", run),
        ];
        // who ran it knows how
        let first = if self.ran.is_some() && !self.runs { 1 } else { 3 };
        Rows::of(rows.into_iter().take(first))
    }

    /// The lines that differ, each with its number.
    fn changed(&self, starter: &str) -> Document {
        let lines = lines::compared(starter, &self.own.text);
        let shown = lines.iter().filter_map(|line| match line {
            Line::Both(_) => None,
            Line::Gone(nth, text) => Some(format!("{nth:>4} - {text}")),
            Line::New(nth, text) => Some(format!("{nth:>4} + {text}")),
        });
        let shown: Vec<String> = shown.collect();
        let head = Document::new().title("What you changed");
        if shown.is_empty() {
            return head.words("Nothing yet: the copy is the original.");
        }
        let text = shown.iter().take(MOST).cloned().collect::<Vec<_>>().join("\n");
        let all = head.verbatim("", &text);
        match shown.len().saturating_sub(MOST) {
            0 => all,
            more => all.dim(&format!("and {}", some(more, "more line"))),
        }
    }
}

impl Lab {
    /// Shows the copy that is one's own to change; opens it where it is shown already.
    pub(super) fn change(&mut self, at: &mut At) -> Next {
        let id = self.lab.id.clone();
        if matches!(self.stage, Stage::Change(_)) {
            at.out.push(Effect::Job(Job::Edit(self.pack, id)));
            return Next::Stay;
        }
        let Some(own) = at.services.own_copy(self.pack, &id) else { return Next::Stay };
        self.stage = Stage::Change(Box::new(Change { own, runs: false, ran: None }));
        at.out.push(Effect::Job(Job::Copy(self.pack, id)));
        Next::Show
    }

    /// Runs the copy, where something is changed in it.
    pub(super) fn run_copy(&mut self, at: &mut At) -> Next {
        self.look_at_copy(at.services);
        let Stage::Change(change) = &mut self.stage else { return Next::Stay };
        if !change.is_changed(&self.lab.starter.text) {
            at.say("nothing is changed in your copy yet: e opens it, then r runs it");
        } else if !change.runs {
            change.runs = true;
            at.out.push(Effect::Job(Job::RunCopy(self.pack, self.lab.id.clone())));
        }
        Next::Stay
    }

    /// Reads the copy again; it may have been changed in another window.
    pub(super) fn look_at_copy(&mut self, services: &Services) {
        let Stage::Change(change) = &mut self.stage else { return };
        if let Some(own) = services.own_copy(self.pack, &self.lab.id).filter(|own| *own != change.own) {
            **change = Change { own, runs: change.runs, ran: None };
        }
    }
}

/// A copy that did not run to its end: what it says of that, and nothing to compare it with.
fn stopped(view: View, note: &str, copy: &Ran) -> View {
    let head =
        Cell::text("Your copy did not run to its end").role(Role::Missing) + Cell::text(format!(": {note}."));
    let view = view.with(|body| body.rows(Rows::of([Row::new([head]).wrapped()])));
    match copy.output.trim_end() {
        "" => view.words("It printed nothing."),
        printed => view.with(|body| {
            body.title("What it printed; where Python stopped stands at the end").verbatim("", printed)
        }),
    }
}

/// Both outputs beside each other, where there is room, with marks where they differ.
fn printed(view: View, starter: &Ran, copy: &Ran) -> View {
    if let Some(note) = &copy.note {
        return stopped(view, note, copy);
    }
    let lines = lines::compared(&starter.output, &copy.output);
    let differ = differ::document(&lines);
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for line in &lines {
        match line {
            Line::Both(text) => {
                old.push(format!("  {text}"));
                new.push(format!("  {text}"));
            }
            Line::Gone(_, text) => old.push(format!("{MARK}{text}")),
            Line::New(_, text) => new.push(format!("{MARK}{text}")),
        }
    }
    let count = lines.iter().filter(|line| matches!(line, Line::New(..))).count();
    let is_same = lines.iter().all(|line| matches!(line, Line::Both(_)));
    let word = match (is_same, copy.output.trim().is_empty()) {
        (_, true) => "Your copy printed nothing.".to_owned(),
        (true, _) => "Your copy prints the same as the original.".to_owned(),
        (false, _) => {
            let count = if count == 1 {
                "1 line that your copy printed differs"
            } else {
                &format!("{count} lines that your copy printed differ")
            };
            format!("{count} from the original, marked {}.", MARK.trim())
        }
    };
    let widest =
        |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(30) + 2;
    let least = u16::try_from(widest(&old).max(widest(&new))).unwrap_or(u16::MAX).min(90);
    let part = |title: &str, ran: &Ran, lines: &[String]| {
        let head = ran.note.iter().fold(Document::new().title(title), |all, note| all.words(note));
        if lines.is_empty() { head } else { head.verbatim("", &lines.join("\n")) }
    };
    let parts = [part("The original prints", starter, &old), part("Your copy prints", copy, &new)];
    let view = view.words(&word).with(|body| body.and(differ));
    view.with(|body| body.columns(parts.map(|part| (least, part))))
}
