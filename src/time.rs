//! The only place that reads the clock. Everywhere else time comes in as a value.
//!
//! A test turns the clock: where the environment names a file in [`CLOCK`], the time is what that file
//! says, and the program waits until it is woken by input or by SIGCONT.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The environment variable that names a file with the time, such as `2026-03-02T10:00:00Z`. The
/// file has to be replaced whole (written beside it and renamed).
pub const CLOCK: &str = "INFRALENS_CLOCK";

/// Now, as a point on the world's time line.
pub fn now() -> Timestamp {
    turned().unwrap_or_else(real)
}

/// How long from now to a point in time; zero where it has passed. For ever where the clock is
/// turned by hand: then no waiting brings that point nearer.
pub fn until(at: Timestamp) -> Duration {
    match Duration::try_from(at.duration_since(now())) {
        Err(_) | Ok(Duration::ZERO) => Duration::ZERO,
        Ok(_) if turned().is_some() => Duration::MAX,
        Ok(left) => left,
    }
}

/// The time zone of the machine, for day boundaries.
///
/// A `TZ` that names a device or a pipe is read without end: UTC is taken in its place.
pub fn zone() -> TimeZone {
    let named = std::env::var("TZ").unwrap_or_default();
    let path = std::path::Path::new(named.strip_prefix(':').unwrap_or(&named));
    match path.is_absolute() && std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        true => TimeZone::UTC,
        false => TimeZone::system(),
    }
}

/// Lets some time pass, where nothing else can happen meanwhile: between two looks at files that are watched.
pub fn pause(time: Duration) {
    let (_to, from) = std::sync::mpsc::channel::<()>();
    // nothing is ever sent: the time limit is the answer
    let _ = from.recv_timeout(time);
}

/// A limit that no change of the wall clock moves.
#[derive(Debug, Clone, Copy)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// So long from now.
    #[allow(clippy::disallowed_methods)]
    pub fn after(time: Duration) -> Self {
        Deadline(Instant::now().checked_add(time))
    }

    /// Whether it has passed.
    #[allow(clippy::disallowed_methods)]
    pub fn is_over(&self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

#[allow(clippy::disallowed_methods)]
fn real() -> Timestamp {
    Timestamp::now()
}

/// What the clock that is turned by hand says. None where there is none, or it cannot be read.
fn turned() -> Option<Timestamp> {
    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var_os(CLOCK).map(PathBuf::from));
    std::fs::read_to_string(file.as_ref()?).ok()?.trim().parse().ok()
}
