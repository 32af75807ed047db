//! The settings: what the program found around it, what a key changes, and what only an option can.

use super::action::Action;
use super::keys::Scope;
use super::view::{Row, View};
use super::{Act, At, Effect, Next, Page};
use crate::doc::{Cell, Column, Judged, Role};
use crate::services::job::{Done, Job};
use crate::services::surroundings::{self, Finding, State};
use crate::services::{Record, Services};

/// The settings that keep what a key changes here. An option on the command line comes before them.
pub const MOTION: &str = "motion";
/// The colours: `dark` or `light`.
pub const COLOURS: &str = "colours";

/// Options that the program takes when it starts, and what they do.
const OPTIONS: [(&str, &str); 8] = [
    ("--theme NAME", "dark, light, sixteen or mono colours from the start; NO_COLOR means mono"),
    ("--ascii", "plain characters alone, where lines or marks look wrong"),
    ("--no-motion", "nothing moves by itself; INFRALENS_NO_MOTION=1 always does this"),
    ("--no-mouse", "leaves the mouse to the terminal"),
    ("--plain", "numbered lines instead of screens; INFRALENS_PLAIN=1 always does this"),
    ("--data-dir PATH", "keeps progress in another folder"),
    ("--pack PATH", "opens another course beside the built-in one"),
    ("--help", "all options, and all verbs"),
];

/// The page, with what was found out about Python once that is known.
pub struct Settings {
    slow: Option<Vec<Finding>>,
}

impl Settings {
    /// The page; what takes long to find out comes later.
    pub fn open(at: &mut At) -> Self {
        at.out.push(Effect::Job(Job::Surroundings));
        Settings { slow: None }
    }

    /// What was found, as `infralens doctor` finds it.
    fn found(&self, services: &Services) -> Vec<Finding> {
        let variable = |name: &str| std::env::var(name).ok();
        let (size, palette) = match services.screen {
            Some((size, palette)) => (Some(size), palette),
            None => (None, "mono"),
        };
        let mut found = surroundings::surroundings(variable, size, palette);
        found.extend(self.slow.iter().flatten().cloned());
        found.extend(surroundings::kept(&services.store));
        found.extend(surroundings::packs(&services.library));
        found
    }
}

fn row(finding: &Finding) -> Row {
    let (mark, role) = match finding.state {
        State::Works => (Judged::Covered, Role::Text),
        State::Missing => (Judged::Untouched, Role::Text),
        State::Broken => (Judged::Missing, Role::Missing),
    };
    let plain = |text: &str| text.replace('`', "");
    let cure = finding.cure.iter().map(|cure| format!(" {}", plain(cure))).collect::<String>();
    // only what is broken asks for something to be done
    let asks = if matches!(finding.state, State::Broken) { Role::Strong } else { Role::Dim };
    let thing = crate::study::words::capital(finding.thing);
    Row::plain()
        .tall()
        .cell(Cell::mark(mark).said(""))
        .cell(Cell::text(finding.thing).role(Role::Dim))
        .cell(Cell::text(plain(&finding.found)).role(role) + Cell::text(&cure).role(asks))
        .said(format!("{thing}: {}. {}{cure}", finding.state.word(), plain(&finding.found)))
}

impl Page for Settings {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["Settings".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        vec![Scope::Settings]
    }

    fn view(&self, at: &At) -> View {
        let columns = || ["", "", ""].map(Column::words).to_vec();
        let motion = if at.services.is_still { "stepped by keys" } else { "things move by themselves" };
        let colours = at.services.screen.map_or("none in lines", |(_, palette)| palette);
        let keyed = |key: &str, name: &str, now: &str| {
            let said = format!("{key}: {name}, now {now}");
            Row::plain()
                .cell(Cell::text(key).role(Role::Accent))
                .cell(Cell::text(name).role(Role::Dim))
                .cell(Cell::text(now))
                .said(said)
        };
        let option = |(name, what): &(&str, &str)| {
            Row::plain()
                .tall()
                .cell(Cell::text(*name))
                .cell(Cell::text(*what).role(Role::Dim))
                .said(format!("{name}: {what}"))
        };
        let view = View::new()
            .title("What a key changes, from now on")
            .table(columns(), [keyed("t", "colours", colours), keyed("m", "motion", motion)])
            .title("What the program found, as infralens doctor says it")
            .table(columns(), self.found(at.services).iter().map(row));
        let view = if self.slow.is_none() { view.dim("Looking for Python …") } else { view };
        view.title("What an option changes, for one start").list(OPTIONS.iter().map(option))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        match act.action() {
            Some(Action::Theme) if at.services.screen.is_none() => at.say("lines have no colours"),
            Some(Action::Theme) => at.out.push(Effect::Turn),
            Some(Action::Motion) => {
                at.services.is_still = !at.services.is_still;
                let (is, said) = match at.services.is_still {
                    true => ("still", "nothing moves by itself from now on"),
                    false => ("moves", "what plays moves by itself again"),
                };
                let kept = at.services.keep(Record::setting(MOTION, is), at.now);
                at.say(kept.said().unwrap_or_else(|| said.to_owned()));
            }
            _ => {}
        }
        Next::Stay
    }

    fn done(&mut self, done: &Done, _: &mut At) -> Next {
        if let Done::Surroundings(found) = done {
            self.slow = Some(found.clone());
        }
        Next::Stay
    }
}
