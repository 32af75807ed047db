//! Which picture is shown, at which of its steps, and whether it plays.

use jiff::{SignedDuration, Timestamp};

use crate::sim::picture::{Frame, Picture, View};

/// At most this many steps are shown one by one while a picture plays; longer ones skip some.
const MOST_STOPS: usize = 150;

/// The picture at hand.
#[derive(Debug, Default)]
pub struct Reel {
    /// Which view.
    at: usize,
    /// The step of each view; none stands for the beginning that suits it.
    steps: Vec<Option<usize>>,
    /// When the next step comes, while it plays.
    next: Option<Timestamp>,
    /// Whether it is stepped by keys alone.
    pub is_still: bool,
}

impl Reel {
    /// The view shown.
    pub fn view<'a>(&self, views: &'a [View]) -> Option<&'a View> {
        views.get(self.at.min(views.len().saturating_sub(1)))
    }

    /// Its place among the views, from 0.
    pub fn place(&self, views: &[View]) -> usize {
        self.at.min(views.len().saturating_sub(1))
    }

    /// The step shown. A grid begins with its first step, anything else with the whole.
    pub fn step(&self, views: &[View]) -> usize {
        let Some(view) = self.view(views) else { return 0 };
        let last = view.frames() - 1;
        match self.steps.get(self.place(views)).copied().flatten() {
            Some(step) => step.min(last),
            None => beginning(view),
        }
    }

    /// What a view shows before it is stepped.
    pub fn first(view: &View) -> Frame {
        view.frame(beginning(view))
    }

    /// What is to be drawn.
    pub fn frame(&self, views: &[View]) -> Option<Frame> {
        Some(self.view(views)?.frame(self.step(views)))
    }

    /// Whether the view has steps.
    pub fn moves(&self, views: &[View]) -> bool {
        self.view(views).is_some_and(|v| v.frames() > 1)
    }

    /// Whether it plays.
    pub fn plays(&self) -> bool {
        self.next.is_some()
    }

    /// When the next step comes, while it plays.
    pub fn wake_at(&self) -> Option<Timestamp> {
        self.next
    }

    /// Goes to another view, round and round.
    pub fn turn(&mut self, forward: bool, views: &[View]) {
        let count = views.len().max(1);
        self.next = None;
        self.at = (self.place(views) + if forward { 1 } else { count - 1 }) % count;
    }

    /// Goes to a step.
    pub fn go(&mut self, step: usize, views: &[View]) {
        let place = self.place(views);
        if self.steps.len() <= place {
            self.steps.resize(place + 1, None);
        }
        self.steps[place] = Some(step);
    }

    /// One step on, or back; from one end to the other.
    pub fn walk(&mut self, forward: bool, views: &[View]) {
        self.next = None;
        let count = self.view(views).map_or(1, View::frames);
        let step = self.step(views);
        self.go((step + if forward { 1 } else { count - 1 }) % count, views);
    }

    /// Goes to the first or the last step.
    pub fn end(&mut self, last: bool, views: &[View]) {
        self.next = None;
        let count = self.view(views).map_or(1, View::frames);
        self.go(if last { count - 1 } else { 0 }, views);
    }

    /// Begins anew: no step of any view is kept.
    pub fn restart(&mut self) {
        self.next = None;
        self.steps.clear();
    }

    /// Stops where it is.
    pub fn pause(&mut self) {
        self.next = None;
    }

    /// Plays on, from the start where it stands at the end; or pauses.
    pub fn play(&mut self, now: Timestamp, views: &[View]) {
        if self.next.take().is_some() || !self.moves(views) {
            return;
        }
        let count = self.view(views).map_or(1, View::frames);
        if self.step(views) + 1 >= count {
            self.go(0, views);
        }
        self.next = Some(now + period(count));
    }

    /// Time has passed: the next step, if it is due.
    pub fn tick(&mut self, now: Timestamp, views: &[View]) {
        if self.next.is_none_or(|due| now < due) {
            return;
        }
        let count = self.view(views).map_or(1, View::frames);
        let stride = count.div_ceil(MOST_STOPS);
        let step = (self.step(views) + stride).min(count - 1);
        self.go(step, views);
        self.next = (step + 1 < count).then(|| now + period(count));
    }
}

/// The step that a view begins with: a grid with its first, anything else with the whole.
fn beginning(view: &View) -> usize {
    match view.frame(0).picture {
        Picture::Grid(_) => 0,
        _ => view.frames() - 1,
    }
}

/// How long a step stands.
fn period(frames: usize) -> SignedDuration {
    SignedDuration::from_millis(match frames {
        0..=20 => 700,
        21..=60 => 300,
        _ => 120,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::picture::{Grid, Table};

    fn views() -> Vec<View> {
        let table = Table { columns: Vec::new(), rows: Vec::new() };
        let frame = |caption: usize| Frame {
            caption: caption.to_string(),
            picture: Picture::Grid(Grid {
                corner: String::new(),
                columns: Vec::new(),
                rows: Vec::new(),
                legend: Vec::new(),
            }),
            now: None,
        };
        vec![
            View::stepped("steps", 4, frame),
            View::still("still", "it stands", Picture::Table(table)),
            View::stepped("long", 1000, frame),
        ]
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("in range")
    }

    #[test]
    fn steps_go_round_in_both_directions() {
        let (mut reel, views) = (Reel::default(), views());
        let walked: Vec<usize> = (0..5)
            .map(|_| {
                reel.walk(true, &views);
                reel.step(&views)
            })
            .collect();
        assert_eq!(walked, [1, 2, 3, 0, 1]);
        reel.walk(false, &views);
        reel.walk(false, &views);
        assert_eq!(reel.step(&views), 3);
    }

    #[test]
    fn it_plays_to_the_end_and_wakes_no_more() {
        let (mut reel, views) = (Reel::default(), views());
        let mut now = at(0);
        reel.play(now, &views);
        let mut wakes = 0;
        while let Some(due) = reel.wake_at() {
            now = due;
            reel.tick(now, &views);
            wakes += 1;
        }
        assert_eq!((wakes, reel.step(&views)), (3, 3));
        reel.play(now, &views);
        assert_eq!(reel.step(&views), 0, "from the end it starts over");
        reel.play(now, &views);
        assert!(!reel.plays(), "the key pauses");
    }

    #[test]
    fn a_long_one_ends_in_half_a_minute_and_a_still_one_never_wakes() {
        let (mut reel, views) = (Reel::default(), views());
        reel.turn(true, &views);
        reel.play(at(0), &views);
        assert_eq!(reel.wake_at(), None);
        reel.turn(true, &views);
        reel.play(at(0), &views);
        let mut now = at(0);
        while let Some(due) = reel.wake_at() {
            now = due;
            reel.tick(now, &views);
        }
        assert!(now <= at(30), "{now}");
        assert_eq!(reel.step(&views), 999);
    }
}
