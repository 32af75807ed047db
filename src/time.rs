//! The only place that reads the clock. Everywhere else time comes in as a value.

/// Now, as a point on the world's time line.
#[allow(clippy::disallowed_methods)]
pub fn now() -> jiff::Timestamp {
    jiff::Timestamp::now()
}

/// The time zone of the machine, for day boundaries.
pub fn zone() -> jiff::tz::TimeZone {
    jiff::tz::TimeZone::system()
}
