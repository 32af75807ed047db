//! One TOML file as the types of [`raw`](super::raw).

use serde::de::DeserializeOwned;

use super::faults::Faults;

/// The file as `T`, or none where it has faults, which are reported.
pub(super) fn parse<T: DeserializeOwned>(faults: &mut Faults<'_>) -> Option<T> {
    match toml::from_str(faults.text()) {
        Ok(value) => Some(value),
        Err(e) => {
            faults.error(
                e.span().unwrap_or(0..0),
                e.message().replace('\n', " "),
                "see docs/pack-format.md",
            );
            None
        }
    }
}
