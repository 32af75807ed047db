//! The only place that reads the clock. Everywhere else time comes in as a value.

use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Now, as a point on the world's time line.
#[allow(clippy::disallowed_methods)]
pub fn now() -> Timestamp {
    Timestamp::now()
}

/// How long from now to a point in time; zero where it has passed.
pub fn until(at: Timestamp) -> Duration {
    Duration::try_from(at.duration_since(now())).unwrap_or(Duration::ZERO)
}

/// The time zone of the machine, for day boundaries.
pub fn zone() -> TimeZone {
    TimeZone::system()
}

/// Lets some time pass, where nothing else can happen meanwhile: between two looks at files that are watched.
pub fn pause(time: Duration) {
    let (_to, from) = std::sync::mpsc::channel::<()>();
    // nothing is ever sent: the time limit is the answer
    let _ = from.recv_timeout(time);
}
