//! A drill: the prompt, lines of an answer, a dot. The draft is saved while it is typed.

use jiff::{SignedDuration, Timestamp};

use super::desk::heard;
use super::page::{At, Go, Page};
use super::typing::{self, Typed as Line, Typing};
use super::verdict::Verdict;
use crate::pack::Level;
use crate::services::Services;
use crate::store::Typed;
use crate::study::answer::{self, Finished};
use crate::study::home::Draft;
use crate::study::words::{clock, some};

/// A change is saved when the last save is older than this.
const SAVE_AFTER: SignedDuration = SignedDuration::from_millis(700);

const MORE: &[(&str, &str)] = &[
    (":parts", "hear the parts that an answer is marked on"),
    (". and a number", "end it, and say how good you think it is, in per cent"),
    (". and letters", "end it, and rate each part: m missing, p partial, c covered, such as . cpmcm"),
];

/// An answer in the making.
pub struct Drill {
    pack: usize,
    id: String,
    only: Option<String>,
    typing: Typing,
    draft: Draft,
    resumed: bool,
    opened: Timestamp,
    saved: Timestamp,
    unsaved: bool,
    /// Whether the store failed and that was said.
    failed: bool,
    scored: bool,
}

impl Drill {
    /// Opens a drill, or one part of it, with the draft that was left. None where there is no such drill.
    pub fn new(
        index: usize,
        id: &str,
        only: Option<&str>,
        (desk, now): (&mut Services, Timestamp),
    ) -> Option<Self> {
        let pack = desk.library.packs.get(index)?;
        let drill = pack.drill(id)?;
        let left = desk.store.drafts(&pack.id).unwrap_or_default();
        let left = left
            .into_iter()
            .find(|d| d.drill == drill.id && d.part.as_deref() == only)
            .and_then(|d| desk.store.take_draft(&d.id, now).ok().flatten());
        let resumed = left.as_ref().is_some_and(|d| !d.text.trim().is_empty());
        let draft = left.unwrap_or_else(|| Draft {
            id: desk.store.fresh_id(now).unwrap_or_else(|_| format!("{:012x}", now.as_millisecond())),
            pack: pack.id.clone(),
            drill: drill.id.clone(),
            mode: answer::mode(only),
            part: only.map(str::to_owned),
            text: String::new(),
            seconds: 0,
            at: now,
        });
        Some(Drill {
            pack: index,
            id: id.to_owned(),
            only: only.map(str::to_owned),
            typing: Typing::of(&draft.text),
            draft,
            resumed,
            opened: now,
            saved: now,
            unsaved: false,
            failed: false,
            scored: false,
        })
    }

    fn seconds(&self, now: Timestamp) -> u32 {
        let here = now.duration_since(self.opened).as_secs().max(0);
        self.draft.seconds.saturating_add(u32::try_from(here).unwrap_or(u32::MAX))
    }

    fn save(&mut self, at: &mut At) {
        self.unsaved = false;
        self.saved = at.now;
        let draft = Draft {
            text: self.typing.text(),
            seconds: self.seconds(at.now),
            at: at.now,
            ..self.draft.clone()
        };
        let kept = at.desk.store.save_draft(&draft);
        let again = self.failed && kept.is_err();
        self.failed = kept.is_err();
        let typed = Typed { id: &draft.id, name: &self.id, text: &draft.text };
        if let Some(said) = at.desk.rescue.after(kept, &typed).filter(|_| !again) {
            at.out.say(&format!("{said}."));
        }
    }

    fn end(&mut self, rated: &str, at: &mut At) -> Go {
        if self.typing.is_empty() {
            at.out.say("There is nothing to score yet. Type an answer first, or q to leave.");
            return Go::Stay;
        }
        let Some((pack, drill)) = at.desk.pack(self.pack).and_then(|p| Some((p, p.drill(&self.id)?))) else {
            return Go::Back(None);
        };
        let asked = match &self.only {
            Some(part) => std::slice::from_ref(part),
            None => &drill.rubric.parts[..],
        };
        let Some(rating) = typing::rating(rated, asked, at.out) else {
            return Go::Stay;
        };
        let text = self.typing.text();
        let finished = Finished {
            id: self.draft.id.clone(),
            part: self.only.as_deref(),
            text: &text,
            seconds: self.seconds(at.now),
            rating,
        };
        let attempt = answer::scored(pack, drill, finished, at.now);
        let kept = at.desk.store.record_attempt(&attempt, &at.desk.schedule);
        let typed = Typed { id: &attempt.id, name: &attempt.drill, text: &text };
        if let Some(said) = at.desk.rescue.after(kept, &typed) {
            at.out.say(&format!("{said}."));
        }
        (self.unsaved, self.scored) = (false, true);
        Go::replace(Verdict::new(attempt, true))
    }

    fn time(&self, at: &mut At) {
        let minutes = at
            .desk
            .library
            .drill(self.pack, &self.id)
            .map_or(0, |d| answer::minutes(d, self.only.as_deref()));
        at.out.say(&format!(
            "{} of {minutes}:00, {}.",
            clock(self.seconds(at.now)),
            some(self.typing.words(), "word")
        ));
    }

    fn parts(&self, at: &mut At) {
        let Some(pack) = at.desk.pack(self.pack) else {
            return;
        };
        let asked = |id: &str| self.only.as_deref().is_none_or(|only| only == id);
        for (i, part) in pack.parts.iter().enumerate().filter(|(_, p)| asked(&p.id)) {
            at.out.item(&format!("{}. ", i + 1), &format!("{}: {}", part.title, part.question));
        }
    }
}

impl Page for Drill {
    fn show(&mut self, at: &mut At) -> Go {
        let Some((pack, drill)) = at.desk.pack(self.pack).and_then(|p| Some((p, p.drill(&self.id)?))) else {
            return Go::Back(None);
        };
        let level = match drill.level {
            Level::Junior => "junior",
            Level::Mid => "mid",
            Level::Senior => "senior",
        };
        let minutes = answer::minutes(drill, self.only.as_deref());
        let kind = if self.only.is_some() { "One part" } else { "Drill" };
        let minutes = some(minutes as usize, "minute");
        at.out.say(&format!("{kind}, {minutes}, {level}."));
        at.out.say(&format!("Question: {}", answer::question(&pack.parts, drill, self.only.as_deref())));
        if self.resumed {
            at.out.say("You began an answer before. It goes on from here:");
            at.out.own(&self.typing.text());
        }
        at.out.say(typing::HOW);
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        let command = match typing::read(line) {
            Line::End(rated) => return self.end(rated, at),
            Line::Text(text) => {
                self.typing.push(text);
                self.unsaved = true;
                if at.now.duration_since(self.saved) >= SAVE_AFTER {
                    self.save(at);
                }
                return Go::Stay;
            }
            Line::Command(command) => command,
        };
        if self.typing.command(command, at.out) {
            self.unsaved = true;
            return Go::Stay;
        }
        match command {
            "?" => typing::help(MORE, at.out),
            "parts" => self.parts(at),
            "time" => self.time(at),
            "q" => return Go::Back(None),
            "home" => return Go::Home,
            "quit" => return Go::Quit,
            other => typing::unknown(other, at.out),
        }
        Go::Stay
    }

    fn is_typing(&self) -> bool {
        true
    }

    fn tick(&mut self, at: &mut At) -> Go {
        if self.wake_at().is_some_and(|wake| wake <= at.now) {
            self.save(at);
        }
        Go::Stay
    }

    fn wake_at(&self) -> Option<Timestamp> {
        self.unsaved.then(|| self.saved.checked_add(SAVE_AFTER).ok())?
    }

    fn leave(&mut self, at: &mut At) {
        if self.scored {
            return;
        }
        if self.typing.is_empty() {
            heard(at.desk.store.drop_draft(&self.draft.id, at.now), at.out);
            return;
        }
        if self.unsaved || self.failed {
            self.failed = false; // say again where the text is
            self.save(at);
        }
        if !self.failed && !at.desk.rescue.is_to_files() {
            at.out.say("Your draft is kept.");
        }
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
