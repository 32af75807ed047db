//! The settings of a rehearsal as a form: fields, their values, how keys change them.

use serde::{Deserialize, Serialize};

use crate::pack::{Drill, Pack};
use crate::study::rehearsal::{Setup, Topics};
use crate::study::words::clock;

/// The most prompts.
const MOST_PROMPTS: usize = 50;
/// The longest clock, in seconds.
const LONGEST: u32 = 3600;
/// The shortest clock of an answer, in seconds.
const SHORTEST: u32 = 10;

/// A row of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // named by what is set
pub enum Field {
    Pack,
    Preset,
    Topics,
    Prompts,
    Think,
    Answer,
    Manner,
    FollowUps,
    FollowTime,
    Bell,
    Seed,
}

impl Field {
    /// The fields in their order; that of the pack only where there are several.
    pub const ALL: [Field; 11] = [
        Field::Pack,
        Field::Preset,
        Field::Topics,
        Field::Prompts,
        Field::Think,
        Field::Answer,
        Field::Manner,
        Field::FollowUps,
        Field::FollowTime,
        Field::Bell,
        Field::Seed,
    ];

    /// What stands before the value.
    pub fn name(self) -> &'static str {
        match self {
            Field::Pack => "Course",
            Field::Preset => "Preset",
            Field::Topics => "Topics",
            Field::Prompts => "Prompts",
            Field::Think => "Think",
            Field::Answer => "Answer",
            Field::Manner => "Manner",
            Field::FollowUps => "Follow-ups",
            Field::FollowTime => "Follow-up",
            Field::Bell => "Bell",
            Field::Seed => "Seed",
        }
    }

    /// What may be typed for it.
    pub fn asks(self) -> &'static str {
        match self {
            Field::Prompts | Field::Seed => "type a whole number, such as 7",
            _ => "type seconds, or minutes and seconds, such as 90 or 1:30",
        }
    }

    /// Whether its value may be typed.
    pub fn is_typed(self) -> bool {
        matches!(self, Field::Prompts | Field::Think | Field::Answer | Field::FollowTime | Field::Seed)
    }
}

/// The settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Form {
    /// How the rehearsal is set up.
    pub setup: Setup,
    /// Whether the terminal's bell rings.
    pub bell: bool,
}

impl Form {
    /// The drills that the topics allow.
    pub fn drills<'a>(&'a self, pack: &'a Pack) -> impl Iterator<Item = &'a Drill> {
        pack.drills.iter().filter(|d| match &self.setup.topics {
            Topics::Lessons(wanted) => wanted.is_empty() || wanted.contains(&d.lesson),
            Topics::Weakest => true,
        })
    }

    /// The prompts that there will be.
    pub fn prompts(&self, pack: &Pack) -> usize {
        self.setup.count.min(self.drills(pack).count())
    }

    /// Seconds that it takes at most.
    pub fn longest(&self, pack: &Pack) -> u32 {
        let s = &self.setup;
        let follow_ups = u32::try_from(s.most_follow_ups()).unwrap_or(0);
        let each = s.think + s.answer + follow_ups * s.follow;
        each.saturating_mul(u32::try_from(self.prompts(pack)).unwrap_or(0))
    }

    /// The name of the preset that the numbers are those of.
    pub fn preset(&self) -> &'static str {
        let numbers = |s: &Setup| (s.count, s.think, s.answer, s.follow);
        let is = |preset: &Setup| numbers(preset) == numbers(&self.setup);
        match () {
            () if is(&Setup::screen("", 0)) => "screen",
            () if is(&Setup::onsite("", 0)) => "onsite",
            () => "own",
        }
    }

    fn take_preset(&mut self, preset: &Setup) {
        let s = &mut self.setup;
        (s.count, s.think, s.answer, s.follow) = (preset.count, preset.think, preset.answer, preset.follow);
    }

    /// The value as it is shown.
    pub fn value(&self, field: Field, pack: &Pack) -> String {
        let s = &self.setup;
        let switch = |on: bool| if on { "on" } else { "off" }.to_owned();
        match field {
            Field::Pack => pack.title.clone(),
            Field::Preset => self.preset().into(),
            Field::Topics => match &s.topics {
                Topics::Weakest => "weakest first".into(),
                Topics::Lessons(some) if some.is_empty() => "all lessons".into(),
                Topics::Lessons(some) if some.len() == 1 => "1 lesson".into(),
                Topics::Lessons(some) => format!("{} lessons", some.len()),
            },
            Field::Prompts => self.prompts(pack).max(1).to_string(),
            Field::Think if s.think == 0 => "no time".into(),
            Field::Think => clock(s.think),
            Field::Answer => clock(s.answer),
            Field::Manner => if s.strict { "strict" } else { "practice" }.into(),
            Field::FollowUps => switch(s.follow_ups),
            Field::FollowTime => clock(s.follow),
            Field::Bell => switch(self.bell),
            Field::Seed => s.seed.to_string(),
        }
    }

    /// What the value means, in a few words.
    pub fn meaning(&self, field: Field, pack: &Pack) -> String {
        let s = &self.setup;
        match field {
            Field::Pack => format!("{} drills", pack.drills.len()),
            Field::Preset => match self.preset() {
                "screen" => "a phone screen: 5 prompts, 0:30 and 2:00".into(),
                "onsite" => "an on-site round: 6 prompts, 1:00 and 5:00".into(),
                _ => "your own numbers".into(),
            },
            Field::Topics => match &s.topics {
                Topics::Weakest => "by your marks so far".into(),
                Topics::Lessons(_) => "space chooses lessons".into(),
            },
            Field::Prompts if s.count > self.prompts(pack) => "all that these lessons have".into(),
            Field::Prompts => format!("out of {}", self.drills(pack).count()),
            Field::Think => "notes may be typed; they are not scored".into(),
            Field::Answer => "at 0:00 the answer is scored as it stands".into(),
            Field::Manner if s.strict => "one take, no hints, marks in the report".into(),
            Field::Manner => "the parts on demand, marks after each answer".into(),
            Field::FollowUps if !s.follow_ups => "no further questions".into(),
            Field::FollowUps if s.strict => "one on the weakest part of each answer".into(),
            Field::FollowUps => "up to three on the weakest parts of each".into(),
            Field::FollowTime => "for each follow-up question".into(),
            Field::Bell => "rings at a quarter, at ten seconds, at 0:00".into(),
            Field::Seed if s.seen.is_none() => "what you have not answered yet comes first".into(),
            Field::Seed => "the same seed asks the same prompts".into(),
        }
    }

    /// Whether the field has an effect now.
    pub fn has_effect(&self, field: Field) -> bool {
        field != Field::FollowTime || self.setup.follow_ups
    }

    /// Goes to the next or the previous value.
    pub fn change(&mut self, field: Field, up: bool) {
        let s = &mut self.setup;
        match field {
            Field::Pack => {}
            Field::Preset => {
                let preset = match self.preset() {
                    "screen" => Setup::onsite("", 0),
                    _ => Setup::screen("", 0),
                };
                self.take_preset(&preset);
            }
            Field::Topics => {
                s.topics = match &s.topics {
                    Topics::Weakest => Topics::Lessons(Vec::new()),
                    Topics::Lessons(_) => Topics::Weakest,
                };
            }
            Field::Prompts => s.count = stepped(s.count as u32, 1, up) as usize,
            Field::Think => s.think = stepped(s.think, if s.think < 60 { 5 } else { 15 }, up),
            Field::Answer => s.answer = stepped(s.answer, if s.answer < 120 { 15 } else { 30 }, up),
            Field::FollowTime => s.follow = stepped(s.follow, 15, up),
            Field::Manner => s.strict = !s.strict,
            Field::FollowUps => s.follow_ups = !s.follow_ups,
            Field::Bell => self.bell = !self.bell,
            Field::Seed => {
                let seed = if up { s.seed.saturating_add(1) } else { s.seed.saturating_sub(1) };
                *s = s.clone().chosen(seed);
            }
        }
        self.clamp();
    }

    /// Takes what was typed for a field: a number, or a time as seconds or `1:30`. False where it
    /// is neither.
    pub fn take(&mut self, field: Field, typed: &str) -> bool {
        let s = &mut self.setup;
        let seconds = seconds(typed);
        match (field, seconds) {
            (Field::Seed, _) => match typed.parse() {
                Ok(seed) => *s = s.clone().chosen(seed),
                Err(_) => return false,
            },
            (Field::Prompts, Some(n)) => s.count = n as usize,
            (Field::Think, Some(n)) => s.think = n,
            (Field::Answer, Some(n)) => s.answer = n,
            (Field::FollowTime, Some(n)) => s.follow = n,
            _ => return false,
        }
        self.clamp();
        true
    }

    /// What is wrong with a value that was typed for a field: the range that it is out of. None where it may be taken.
    pub fn out_of_range(&self, field: Field, typed: &str, pack: &Pack) -> Option<String> {
        let (least, most) = match field {
            Field::Prompts => (1, self.drills(pack).count().clamp(1, MOST_PROMPTS) as u32),
            Field::Think => (0, LONGEST),
            Field::Answer | Field::FollowTime => (SHORTEST, LONGEST),
            _ => return None,
        };
        let is_out = !(least..=most).contains(&seconds(typed)?);
        let unit = if field == Field::Prompts { "" } else { " seconds" };
        is_out.then(|| format!("{} cannot be {typed}; type {least} to {most}{unit}", field.name()))
    }

    /// Keeps the values within what makes sense.
    pub fn clamp(&mut self) {
        let s = &mut self.setup;
        s.count = s.count.clamp(1, MOST_PROMPTS);
        s.think = s.think.min(LONGEST);
        s.answer = s.answer.clamp(SHORTEST, LONGEST);
        s.follow = s.follow.clamp(SHORTEST, LONGEST);
    }
}

/// The next multiple of a step.
fn stepped(value: u32, step: u32, up: bool) -> u32 {
    if up { (value / step + 1).saturating_mul(step) } else { value.saturating_sub(1) / step * step }
}

fn seconds(typed: &str) -> Option<u32> {
    match typed.split_once(':') {
        Some((minutes, rest)) => {
            let minutes: u32 = minutes.parse().ok()?;
            let rest: u32 = rest.parse().ok()?;
            minutes.checked_mul(60)?.checked_add(rest)
        }
        None => typed.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> Form {
        Form { setup: Setup::screen("p", 1), bell: false }
    }

    #[test]
    fn numbers_of_a_preset_are_recognised() {
        let mut form = form();
        assert_eq!(form.preset(), "screen");
        form.change(Field::Preset, true);
        assert_eq!((form.preset(), form.setup.answer), ("onsite", 300));
        form.change(Field::Prompts, false);
        assert_eq!((form.preset(), form.setup.count), ("own", 5));
        form.change(Field::Preset, true);
        assert_eq!((form.preset(), form.setup.think), ("screen", 30));
    }

    #[test]
    fn times_may_be_typed_in_two_ways() {
        let mut form = form();
        for (typed, taken) in [("90", 90), ("1:30", 90), ("2:05", 125), ("0", 10), ("99999", 3600)] {
            assert!(form.take(Field::Answer, typed));
            assert_eq!(form.setup.answer, taken, "{typed}");
        }
        for typed in ["", ":", "1:", "x", "99999999999"] {
            assert!(!form.take(Field::Answer, typed), "{typed}");
        }
        assert!(form.take(Field::Seed, "18446744073709551615"));
        assert!(!form.take(Field::Seed, "1:30"));
    }

    #[test]
    fn steps_stay_within_bounds() {
        let mut form = form();
        for _ in 0..300 {
            for field in Field::ALL.into_iter().filter(|f| *f != Field::Preset) {
                form.change(field, false);
            }
        }
        let s = &form.setup;
        assert_eq!((s.count, s.think, s.answer, s.follow), (1, 0, 10, 10));
        form.change(Field::Answer, true);
        assert_eq!(form.setup.answer, 15);
    }
}
