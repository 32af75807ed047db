//! The report of a rehearsal.

use super::desk::heard;
use super::menu::Menu;
use super::page::{At, Go, Page};
use crate::page::place::Place;
use crate::services::Services;
use crate::study::rehearsal::Report as Kept;
use crate::study::words::percent;

/// A report.
pub struct Report {
    report: Kept,
    menu: Menu<Choice>,
}

#[derive(Debug, Clone)]
enum Choice {
    Verdict(String),
    Read(String),
    Write,
    Home,
}

impl Report {
    /// A report that was just made.
    pub fn new(report: Kept) -> Self {
        Report { report, menu: Menu::default() }
    }

    /// A kept report; none where there is none of that id.
    pub fn kept(id: &str, desk: &Services) -> Option<Self> {
        desk.store.report(id).ok().flatten().map(Self::new)
    }

    fn choices(&mut self) {
        let mut menu = Menu::default();
        for read in &self.report.next {
            menu.add(format!("Read next: {}; {}", read.title, read.why), Choice::Read(read.lesson.clone()));
        }
        for answer in &self.report.answers {
            let what = if answer.part.is_some() { "follow-up" } else { "answer" };
            menu.add(
                format!("Verdict on {what} {}: {}", answer.number, percent(answer.total)),
                Choice::Verdict(answer.attempt.clone()),
            );
        }
        menu.add("Write the report to files, as Markdown and JSON", Choice::Write);
        menu.add("To the first page", Choice::Home);
        self.menu = menu;
    }

    fn write(&self, at: &mut At) {
        match at.desk.export(&self.report) {
            Ok(paths) => {
                let first = paths.first().map(|p| p.display().to_string()).unwrap_or_default();
                at.out.say(&format!("Written: {first}, and the JSON beside it."));
            }
            Err(fault) => at.out.say(&format!("Not written to {fault}.")),
        }
    }

    fn take(&self, choice: &Choice, at: &mut At) -> Go {
        match choice {
            Choice::Write => self.write(at),
            Choice::Home => return Go::Home,
            Choice::Read(id) => {
                if let Some((pack, _)) = at.desk.library.find_lesson(id) {
                    return Go::To(Place::Lesson { pack, id: id.clone() });
                }
            }
            Choice::Verdict(id) => match heard(at.desk.store.attempt(id), at.out).flatten() {
                Some(attempt) => return Go::To(Place::Verdict { attempt: Box::new(attempt) }),
                None => at.out.say("That answer is not kept."),
            },
        }
        Go::Stay
    }
}

impl Page for Report {
    fn show(&mut self, at: &mut At) -> Go {
        at.out.markdown(&self.report.markdown(&at.desk.when(self.report.ended)));
        at.out.gap();
        self.choices();
        self.menu.say(at.out);
        at.out.say("Type a number. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line).cloned() {
            Some(choice) => self.take(&choice, at),
            None if line.is_empty() => Go::Back(None),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }

    fn back(&mut self, _grade: Option<crate::study::schedule::Grade>, at: &mut At) -> Go {
        at.out.say("Back at the report.");
        self.menu.say(at.out);
        Go::Stay
    }
}
