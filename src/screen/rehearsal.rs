//! A rehearsal that runs: the clock, the question, an editor. One take.
//!
//! The state is kept each second and after each change that is older than a moment, so that a
//! kill loses a second at most.

use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::rate::{Rate, Rated};
use super::{Context, Page, moving};
use crate::app::effect::{Effect, Reply};
use crate::app::event::Mouse;
use crate::pack::Pack;
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::study::attempt::Attempt;
use crate::study::rehearsal::{Call, Happened, Phase, Rehearsal};
use crate::widget::editor::{Editor, Outcome};
use crate::widget::scroll;

mod draw;
mod layout;

use layout::Areas;

/// A change is saved at once when the last save is older than this.
const SAVE_AFTER: SignedDuration = SignedDuration::from_millis(700);
/// After the clock has ended something, the key to go on is not heard for this long: it was meant
/// for what was there before.
const DEAF: SignedDuration = SignedDuration::from_millis(1500);

/// A rehearsal that runs.
#[derive(Debug)]
pub struct Running {
    run: Rehearsal,
    pack: usize,
    bell: bool,
    editor: Editor,
    /// Whether it asks how to leave.
    leaving: bool,
    /// Whether giving it up was asked for once.
    giving_up: bool,
    /// Whether to go on without an answer was asked for once.
    empty: bool,
    checklist: bool,
    saved: Timestamp,
    /// When the clock last ended a phase.
    turned: Option<Timestamp>,
    /// What could not be kept, and where it is instead.
    trouble: Option<String>,
    areas: Areas,
    /// The rows of the marks, in practice.
    marks: Vec<Line<'static>>,
    top: usize,
    /// In practice, the rating that comes before the marks.
    rating: Option<Rate>,
}

impl Running {
    /// A run that has just begun, or that goes on.
    pub fn new(run: &Rehearsal, bell: bool, context: &Context) -> Option<(Self, Vec<Effect>)> {
        let pack = context.library.index(&run.setup.pack)?;
        let text = match run.phase {
            Phase::Think => &run.notes,
            _ => &run.text,
        };
        let mut screen = Self {
            run: run.clone(),
            pack,
            bell,
            editor: Editor::with_text(text),
            leaving: false,
            giving_up: false,
            empty: false,
            checklist: false,
            saved: context.now,
            turned: None,
            trouble: None,
            areas: Areas::default(),
            marks: Vec::new(),
            top: 0,
            // after a kill the marks may have been seen
            rating: None,
        };
        // recorded once more: a kill may have come between keeping the run and its answer
        let mut effects = screen.save(context);
        let scored = run.takes.iter().map(|t| Box::new(t.attempt.clone()));
        effects.extend(scored.map(Effect::Record));
        Some((screen, effects))
    }

    fn pack<'a>(&self, context: &Context<'a>) -> Option<&'a Pack> {
        context.library.packs.get(self.pack)
    }

    fn is_typing(&self) -> bool {
        !matches!(self.run.phase, Phase::Verdict | Phase::Done)
    }

    /// The answer whose marks are shown, in practice.
    fn marked(&self) -> Option<&Attempt> {
        let shown = self.run.phase == Phase::Verdict;
        self.run.takes.last().filter(|_| shown).map(|t| &t.attempt)
    }

    fn save(&mut self, context: &Context) -> Vec<Effect> {
        self.saved = context.now;
        if self.run.phase == Phase::Done {
            return Vec::new();
        }
        vec![Effect::SaveRehearsal(Box::new(self.run.clone()))]
    }

    /// Lets the time pass that has passed. The second value tells whether a phase ended with it.
    fn pass(&mut self, context: &Context) -> (Vec<Effect>, bool) {
        let Some(pack) = self.pack(context) else {
            return (Vec::new(), false);
        };
        let happened = self.run.advance(context.now, pack);
        let turned = happened.iter().any(|h| matches!(h, Happened::Began(_)));
        let mut effects = self.follow(happened, context);
        if turned {
            self.turned = Some(context.now);
            if self.bell {
                effects.push(Effect::Bell);
            }
        }
        (effects, turned)
    }

    /// Does something with the run, and what follows from it.
    fn step(
        &mut self,
        context: &Context,
        step: impl FnOnce(&mut Rehearsal, Timestamp, &Pack) -> Vec<Happened>,
    ) -> Vec<Effect> {
        let Some(pack) = self.pack(context) else {
            return Vec::new();
        };
        let happened = step(&mut self.run, context.now, pack);
        self.follow(happened, context)
    }

    /// What must be done about what happened: keep answers, begin the next phase, ring.
    fn follow(&mut self, happened: Vec<Happened>, context: &Context) -> Vec<Effect> {
        let mut scored = Vec::new();
        let mut effects = Vec::new();
        let mut began = false;
        for event in happened {
            match event {
                Happened::Scored(attempt) => scored.push(Effect::Record(attempt)),
                Happened::Began(_) => began = true,
                Happened::Called(Call::Quarter | Call::Ten) if self.bell => effects.push(Effect::Bell),
                Happened::Called(_) => {}
            }
        }
        if began {
            self.editor = Editor::new();
            (self.empty, self.checklist, self.top) = (false, false, 0);
            self.rating = self.marked().and_then(|a| Rate::of(a, self.pack(context)));
            effects.extend(self.save(context));
        }
        effects.extend(scored);
        if self.run.phase == Phase::Done {
            effects.extend(self.finish(context));
        }
        effects
    }

    fn finish(&mut self, context: &Context) -> Vec<Effect> {
        let Some(pack) = self.pack(context) else {
            return Vec::new();
        };
        let report = Box::new(self.run.report(pack));
        vec![
            Effect::FinishRehearsal(Box::new(self.run.clone()), report.clone()),
            Effect::Replace(Place::Ended { report }),
        ]
    }

    fn changed(&mut self, outcome: Outcome, context: &Context) -> Vec<Effect> {
        if outcome != Outcome::Changed {
            return Vec::new();
        }
        self.empty = false;
        self.run.set_text(self.editor.text(), context.now);
        if context.now.duration_since(self.saved) >= SAVE_AFTER {
            return self.save(context);
        }
        Vec::new()
    }

    /// Goes on by hand. An answer without words is asked about once.
    fn go_on(&mut self, context: &Context) -> Vec<Effect> {
        let answering = matches!(self.run.phase, Phase::Answer | Phase::FollowUp { .. });
        if answering && self.editor.text().trim().is_empty() && !std::mem::replace(&mut self.empty, true) {
            return vec![Effect::Say(
                "nothing is typed yet; ctrl+s once more leaves it without an answer".into(),
            )];
        }
        self.step(context, Rehearsal::go_on)
    }

    /// Acts on a key while the answer is rated.
    fn rate(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let rated = self.rating.as_mut().map_or(Rated::Not, |r| r.act(action));
        if rated == Rated::Not {
            return Vec::new();
        }
        self.rating = None;
        let kept = match rated {
            Rated::All(rating) => self.run.rate(rating).cloned(),
            _ => None,
        };
        let mut effects = self.save(context);
        effects.extend(kept.map(|attempt| Effect::Rate(Box::new(attempt))));
        effects
    }

    fn is_deaf(&self, context: &Context) -> bool {
        self.turned.is_some_and(|at| context.now.duration_since(at) < DEAF)
    }

    fn act_on_leaving(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            Action::Back => self.leaving = false,
            Action::Submit => return self.step(context, Rehearsal::stop),
            Action::Later => return vec![Effect::Back],
            Action::Discard if self.giving_up => {
                let id = self.run.id.clone();
                self.run.phase = Phase::Done; // nothing of it is kept any more
                return vec![Effect::DropRehearsal(id), Effect::Back];
            }
            Action::Discard => {
                self.giving_up = true;
                return vec![Effect::Say("d once more gives the rehearsal up".into())];
            }
            _ => {}
        }
        self.giving_up = false;
        Vec::new()
    }

    fn act_on_phase(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let by = match action {
            Action::Submit => return self.go_on(context),
            Action::Back => {
                self.leaving = true;
                0
            }
            Action::Checklist if !self.run.setup.strict => {
                self.checklist = !self.checklist;
                0
            }
            Action::NextPage => return self.step(context, Rehearsal::skip_follow_ups),
            Action::Open => {
                let attempt = self.marked().map(|a| Box::new(a.clone()));
                return attempt.map(|attempt| Effect::Go(Place::Verdict { attempt })).into_iter().collect();
            }
            action => moving::by(action, self.areas.text.height.into()),
        };
        let height = self.areas.text.height.into();
        self.top = scroll::moved(self.top, by, height, self.marks.len());
        Vec::new()
    }
}

impl Page for Running {
    fn title(&self, _context: &Context) -> Vec<String> {
        let manner = if self.run.setup.strict { "strict rehearsal" } else { "rehearsal in practice" };
        let at = format!("prompt {} of {}", self.run.at + 1, self.run.prompts.len());
        vec![manner.into(), at]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.leaving {
            return vec![Scope::RehearsalLeave];
        }
        match (&self.run.phase, self.run.setup.strict) {
            (Phase::Verdict, _) if self.rating.is_some() => vec![Scope::Rate, Scope::Moving],
            (Phase::Verdict, _) => vec![Scope::RehearsalMarks, Scope::Moving],
            (_, true) => vec![Scope::Rehearsal],
            (_, false) => vec![Scope::RehearsalPractice, Scope::Rehearsal],
        }
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        self.areas = layout::areas(self, area, context);
        if let Some(rate) = &mut self.rating {
            rate.arrange(self.areas.text, context);
        }
        self.marks = draw::marks(self, context);
        self.top = scroll::clamp(self.top, self.areas.text.height.into(), self.marks.len());
        self.editor.resize(self.areas.text.as_size());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let (mut effects, turned) = self.pass(context);
        let ends = match action {
            Action::Submit => true,
            Action::Digit(_) => self.rating.is_some(), // letters of an answer that the clock ended
            _ => false,
        };
        let meant_for_before = ends && !self.leaving && self.is_deaf(context);
        if turned || self.run.phase == Phase::Done {
            return effects;
        }
        if meant_for_before {
            effects.push(Effect::Say("the time was up, and this is what follows".into()));
            return effects;
        }
        effects.extend(if self.leaving {
            self.act_on_leaving(action, context)
        } else if self.rating.is_some() {
            self.rate(action, context)
        } else {
            self.act_on_phase(action, context)
        });
        effects
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        let (mut effects, turned) = self.pass(context);
        if !turned && self.is_typing() && !self.leaving {
            let outcome = self.editor.update(key.into(), self.areas.text.as_size());
            effects.extend(self.changed(outcome, context));
        }
        effects
    }

    fn pasted(&mut self, text: &str, context: &Context) -> Vec<Effect> {
        let (mut effects, turned) = self.pass(context);
        if !turned && self.is_typing() && !self.leaving {
            let outcome = self.editor.paste(text, self.areas.text.as_size());
            effects.extend(self.changed(outcome, context));
        }
        effects
    }

    fn mouse(&mut self, kind: Mouse, at: Position, context: &Context) -> Vec<Effect> {
        let (text, size) = (self.areas.text, self.areas.text.as_size());
        match kind {
            Mouse::ScrollDown if !self.is_typing() => return self.act(Action::Down, context),
            Mouse::ScrollUp if !self.is_typing() => return self.act(Action::Up, context),
            Mouse::ScrollDown => {
                self.editor.scroll(2, size);
            }
            Mouse::ScrollUp => {
                self.editor.scroll(-2, size);
            }
            Mouse::Click if text.contains(at) && self.is_typing() => {
                self.editor.click(at.x - text.x, at.y - text.y, size);
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn wake_at(&self, context: &Context) -> Option<Timestamp> {
        self.run.next_second(context.now)
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        let (mut effects, turned) = self.pass(context);
        if !turned {
            effects.extend(self.save(context));
        }
        effects
    }

    fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        if let Reply::Failed(text) = reply {
            self.trouble = Some(text.clone());
        }
        Vec::new()
    }

    fn leave(&mut self, context: &Context) -> Vec<Effect> {
        self.save(context)
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        draw::draw(self, buffer, context);
    }

    fn cursor(&self) -> Option<Position> {
        let shown = self.is_typing() && !self.leaving;
        shown.then(|| self.editor.cursor(self.areas.text)).flatten()
    }
}
