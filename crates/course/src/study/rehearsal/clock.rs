//! The clocks of a rehearsal: moments on the wall.

use jiff::{SignedDuration, Timestamp};

use super::{Away, Call, Phase, Rehearsal};

/// Unseen for longer than this is away.
const AWAY: SignedDuration = SignedDuration::from_secs(5);

impl Rehearsal {
    /// Seconds left on the clock, rounded up. None where no clock runs.
    pub fn left(&self, now: Timestamp) -> Option<u32> {
        let left = self.deadline?.duration_since(now.max(self.seen)).as_millis();
        Some(u32::try_from((left.max(0) + 999) / 1000).unwrap_or(u32::MAX))
    }

    /// When the program was last seen running: where the clocks stand after a kill.
    pub fn seen(&self) -> Timestamp {
        self.seen
    }

    /// When the seconds shown by [`left`](Self::left) change next. None where no clock runs.
    pub fn next_second(&self, now: Timestamp) -> Option<Timestamp> {
        let below = self.left(now)?.saturating_sub(1);
        self.deadline?.checked_sub(SignedDuration::from_secs(below.into())).ok()
    }

    /// When the clock started that runs, as if it had never stood still. None where no clock runs.
    pub fn zero(&self) -> Option<Timestamp> {
        self.deadline.map(|_| self.began)
    }

    /// Lets the clocks stand still until now: a question is being said.
    pub fn hold(&mut self, now: Timestamp) {
        let gap = now.duration_since(self.seen);
        for at in [Some(&mut self.began), self.deadline.as_mut()].into_iter().flatten() {
            *at = at.checked_add(gap).unwrap_or(now);
        }
        self.seen = now;
    }

    /// Seconds that the clock had when it started. None where no clock runs.
    pub fn limit(&self) -> Option<u32> {
        self.deadline?;
        match self.phase {
            Phase::Think => Some(self.setup.think),
            Phase::Answer => Some(self.setup.answer),
            Phase::FollowUp { .. } => Some(self.setup.follow),
            Phase::Verdict | Phase::Done => None,
        }
    }

    /// Notes that the program was not seen for a while, or that the computer's clock was set back.
    pub(super) fn note_absence(&mut self, now: Timestamp) {
        if now < self.seen {
            self.shift(now);
        } else if self.deadline.is_some() && now.duration_since(self.seen) > AWAY {
            let seconds = seconds(self.seen, now);
            self.away.push(Away { prompt: self.at, seconds, stopped: false });
        }
        self.seen = now;
    }

    /// Moves the clocks so that the time since the program was last seen does not count.
    pub(super) fn shift(&mut self, now: Timestamp) {
        self.away.push(Away { prompt: self.at, seconds: seconds(self.seen, now), stopped: true });
        self.hold(now);
    }

    /// The time to call out now, if it was not called yet.
    pub(super) fn call(&self, now: Timestamp) -> Option<Call> {
        let (left, limit) = (self.left(now)?, self.limit()?);
        let due = match left {
            l if l <= 10 => Call::Ten,
            l if l <= limit / 4 => Call::Quarter,
            l if l <= limit / 2 => Call::Half,
            _ => return None,
        };
        (self.called < Some(due) && left > 0).then_some(due)
    }
}

/// Whole seconds from one time to a later one.
pub(super) fn seconds(from: Timestamp, to: Timestamp) -> u32 {
    u32::try_from(to.duration_since(from).as_secs().max(0)).unwrap_or(u32::MAX)
}

pub(super) fn after(from: Timestamp, seconds: i64) -> Timestamp {
    from.checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX)
}
