//! One TOML file as the types of [`raw`](super::raw).

use serde::de::{DeserializeOwned, IntoDeserializer};

use super::desk::Depth;
use super::faults::Faults;
use super::schema::Document;
use super::shape;

/// The file as `T`, or none where it has faults that leave nothing to read; all are reported.
/// Quick reading takes the file as it is; where that fails, and always in full reading, its
/// shape is looked at.
pub(super) fn parse<T: DeserializeOwned>(
    document: Document,
    depth: Depth,
    faults: &mut Faults<'_>,
) -> Option<T> {
    if depth == Depth::Quick
        && let Ok(value) = toml::from_str(faults.text())
    {
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
