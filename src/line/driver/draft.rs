//! Lines of a text: what is typed, and commands among it.

use super::super::menu::short;
use super::super::out::Out;
use super::super::typing::{self, Typed};
use super::words::sentence;
use super::{Desk, Driver};
use crate::page::action::Action;
use crate::page::keys::{self, Binding, Scope};
use crate::page::{Act, Next};
use crate::score;
use crate::study::words::some;

impl Driver {
    /// Takes a line of a text.
    pub(super) fn write(&mut self, line: &str, draft: &str, at: &mut Desk) -> Next {
        match typing::read(line) {
            Typed::Text(line) => self.put(typing::with_line(draft, line), at),
            Typed::End(rated) => match self.ask(at, |page, at| page.act(Act::Do(Action::Submit), at)) {
                // what stands behind the dot answers what comes before the marks
                Next::Stay | Next::Show if self.page.scopes().contains(&Scope::Rate) => {
                    self.ask(at, |page, at| page.act(Act::Line(rated.to_owned()), at))
                }
                go => go,
            },
            Typed::Command(command) => self.command(command, draft, at),
        }
    }

    /// Gives the page its text as it stands now.
    fn put(&mut self, text: String, at: &mut Desk) -> Next {
        self.ask(at, |page, at| page.act(Act::Text(text), at))
    }

    /// Carries out a command among the lines of a text.
    fn command(&mut self, command: &str, draft: &str, at: &mut Desk) -> Next {
        match command {
            "?" | "help" => {
                let place = self.place(at.services);
                self.commands(&place, at.out);
            }
            "text" if draft.trim().is_empty() => at.out.say("You have typed nothing yet."),
            "text" => at.out.own(draft),
            "undo" => match typing::without_last(draft) {
                Some((rest, line)) => {
                    at.out.say(&format!("Taken back: {}", short(line)));
                    return self.put(rest.to_owned(), at);
                }
                None => at.out.say("There is nothing to take back."),
            },
            "clear" => {
                at.out.say("Cleared. Start again.");
                return self.put(String::new(), at);
            }
            "time" => {
                let clock =
                    self.view.clock.as_ref().map_or("No clock is running".into(), |c| c.words(at.now));
                at.out.say(&format!("{clock}, {}.", some(score::count_words(draft), "word")));
            }
            "q" => return self.go_back(at),
            "home" => return Next::Home,
            "quit" => return Next::Quit,
            other => match self.action(other) {
                Some(action) => return self.ask(at, |page, at| page.act(Act::Do(action), at)),
                None => at.out.say(&format!(
                    "There is no command “:{}”; :? lists them. To begin a line with a colon, type two.",
                    short(other)
                )),
            },
        }
        Next::Stay
    }

    /// Says what can be typed among the lines of a text.
    fn commands(&self, place: &str, out: &mut Out) {
        out.say(&format!("You are here: {} What can be typed:", sentence(place)));
        let is_dropped = self.page.scopes().contains(&Scope::PostingText);
        let more = |b: &&Binding| b.action != Action::Submit && !b.hint.is_empty();
        for b in keys::typed(&self.page.scopes()).filter(more) {
            out.item(&format!(":{}: ", b.hint), b.help);
        }
        let rates = [Scope::Drill, Scope::RehearsalPractice].iter().any(|s| self.page.scopes().contains(s));
        let rated = rates.then_some(&typing::RATED);
        for (typed, does) in rated.into_iter().chain(typing::COMMANDS) {
            let kept = "; what you typed is kept";
            let does = if is_dropped { does.trim_end_matches(kept) } else { does };
            out.item(&format!("{typed}: "), does);
        }
    }
}
