//! One TOML file as the types of [`raw`](super::raw).

use serde::de::{DeserializeOwned, IntoDeserializer};

use super::faults::Faults;
use super::schema::Document;
use super::shape;

/// The file as `T`, or none where it has faults that leave nothing to read; all are reported.
/// The quick way is taken first: where it fails, the file is looked at in full.
pub(super) fn parse<T: DeserializeOwned>(document: Document, faults: &mut Faults<'_>) -> Option<T> {
    if let Ok(value) = toml::from_str(faults.text()) {
        return Some(value);
    }
    let table = shape::read(document, faults)?;
    match T::deserialize(table.into_deserializer()) {
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
