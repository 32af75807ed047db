//! Earlier answers, the newest first.

use super::desk::heard;
use super::menu::Menu;
use super::page::{At, Go, Page};
use super::verdict::Verdict;
use crate::store::Filter;
use crate::study::attempt::Attempt;
use crate::study::words::percent;

/// How many are listed.
const MOST: u32 = 20;

/// Earlier answers, of one drill or of all.
pub struct History {
    drill: Option<String>,
    menu: Menu<Attempt>,
}

impl History {
    /// Earlier answers.
    pub fn new(drill: Option<&str>) -> Self {
        History { drill: drill.map(str::to_owned), menu: Menu::default() }
    }
}

impl Page for History {
    fn show(&mut self, at: &mut At) -> Go {
        self.menu = Menu::default();
        let filter = Filter { drill: self.drill.clone(), ..Filter::default() };
        let found = heard(at.desk.store.history(&filter, MOST), at.out).unwrap_or_default();
        if found.is_empty() {
            at.out.say("No answers yet. Enter or q goes back.");
            return Go::Stay;
        }
        for attempt in found {
            let prompt =
                at.desk.library.find_drill(&attempt.drill).map_or(&attempt.drill, |(_, d)| &d.prompt);
            let part = attempt.part.as_deref().map(|p| format!(", {p} alone")).unwrap_or_default();
            let limiting = attempt.score.limiting_part.as_deref().map(|p| format!(", limiting part {p}"));
            let text = format!(
                "{}: {}{part}{}. {prompt}",
                at.desk.when(attempt.at),
                percent(attempt.total()),
                limiting.unwrap_or_default(),
            );
            self.menu.add(text, attempt);
        }
        self.menu.say(at.out);
        at.out.say("Type a number to hear that verdict. q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match self.menu.pick(line) {
            Some(attempt) => Go::open(Verdict::new(attempt.clone(), false)),
            None if line.is_empty() => Go::Back(None),
            None => {
                self.menu.wrong(line, at.out);
                Go::Stay
            }
        }
    }
}
