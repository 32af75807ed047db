//! One TOML file as the types of [`raw`](super::raw).

use serde::de::{DeserializeOwned, IntoDeserializer};
use toml::Spanned;
use toml::de::DeTable;

use super::bounds;
use super::desk::Desk;
use super::examine::examine;
use super::schema::Document;
use super::strings;

/// The file as `T`, or none where it has faults; all are reported.
///
/// Quick reading takes a file as it is, if it hides no characters; whatever is the matter makes the
/// loader start again in full. Full reading always gives a `T`, with values put in for what is
/// missing, as far as the file is TOML at all.
pub(super) fn parse<T: DeserializeOwned>(document: Document, desk: &mut Desk<'_>) -> Option<T> {
    if !desk.is_full() && !strings::may_hide_characters(desk.faults.text()) {
        return quick(desk);
    }
    strings::raw_characters(&mut desk.faults);
    let table = examine(document, desk)?;
    match T::deserialize(Spanned::new(0..0, table).into_deserializer()) {
        Ok(value) => Some(value),
        Err(e) => {
            refuse(&e, desk);
            None
        }
    }
}

fn quick<T: DeserializeOwned>(desk: &mut Desk<'_>) -> Option<T> {
    let table = match DeTable::parse(desk.faults.text()) {
        Ok(table) => table,
        Err(e) => {
            refuse(&e, desk);
            return None;
        }
    };
    if !bounds::hold(table.get_ref(), &mut desk.faults) {
        return None;
    }
    match T::deserialize(table.into_deserializer()) {
        Ok(value) => Some(value),
        Err(e) => {
            refuse(&e, desk);
            None
        }
    }
}

fn refuse(e: &toml::de::Error, desk: &mut Desk<'_>) {
    desk.faults.error(
        e.span().unwrap_or(0..0),
        e.message().replace('\n', " "),
        "write it as docs/pack-format.md says",
    );
}
