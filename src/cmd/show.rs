//! `show`: anything that has an id, as text.

use std::io::Write;

use serde_json::json;

use super::learn::{unknown, unnamed};
use super::plain::width;
use super::{Outcome, list, sim};
use crate::cli::Global;
use crate::doc::Document;
use crate::doc::speech::Form;
use crate::pack::Pack;
use crate::services::library::{Library, Unnamed};
use crate::study::thing::{self, Kind, Thing};

/// Prints the thing with this id, in any case; `term:ddp` where things of two kinds have it, `pack:ddp` where
/// two packs have.
///
/// # Errors
/// Where no pack has it, or the output cannot be written.
pub fn run(library: &Library, asked: &str, global: &Global, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let (pack, thing) = named(library, asked)?;
    let pack = pack.and_then(|index| library.packs.get(index));
    let text = thing::text(pack, thing.kind, &thing.id).unwrap_or_default();
    if global.json {
        let all = json!({"pack": pack.map(|p| &*p.id), "kind": thing.kind.word(), "id": thing.id,
            "lesson": thing.lesson, "title": thing.title, "text": text});
        sim::write_json(&all, out)?;
        return Ok(Outcome::Done);
    }
    let form = if global.plain { Form::Printed } else { Form::Columns };
    for line in Document::parse(&text).lines(width(), form) {
        writeln!(out, "{line}")?;
    }
    Ok(Outcome::Done)
}

/// The thing that is asked for, and the index of its pack.
fn named(library: &Library, asked: &str) -> anyhow::Result<(Option<usize>, Thing)> {
    let prefix = asked.split_once(':').and_then(|(word, id)| {
        let kind = list::KINDS.into_iter().find(|kind| kind.word() == word.to_lowercase())?;
        library.index(word).is_none().then_some((kind, id))
    });
    let (kinds, id) = match prefix {
        Some((kind, id)) => (vec![kind], id),
        None => (list::KINDS.to_vec(), asked),
    };
    let has = |pack: &Pack, id: &str| find(&thing::of_pack(pack), &kinds, id).is_some();
    let found = match library.named(id, has) {
        Ok((index, id)) => {
            find(&thing::of_pack(&library.packs[index]), &kinds, id).map(|thing| (Some(index), thing))
        }
        Err(Unnamed::Nowhere) => {
            find(&thing::sims().collect::<Vec<_>>(), &kinds, id).map(|thing| (None, thing))
        }
        Err(several) => return Err(unnamed("thing", id, several, std::iter::empty())),
    };
    found.ok_or_else(|| {
        let all: Vec<Thing> = library.packs.iter().flat_map(thing::of_pack).chain(thing::sims()).collect();
        let what = match prefix {
            Some((kind, _)) => kind.word(),
            None => "lesson, lab, drill, check, puzzle, simulator or term",
        };
        let ids = all.iter().filter(|t| kinds.contains(&t.kind)).map(|t| t.id.as_str());
        unknown(what, id, ids, "infralens list")
    })
}

/// The first kind's thing with this id; one that is written in other letters, large and small, where none is
/// written so.
fn find(things: &[Thing], kinds: &[Kind], id: &str) -> Option<Thing> {
    let of = |is: &dyn Fn(&str) -> bool| {
        kinds.iter().find_map(|kind| things.iter().find(|t| t.kind == *kind && is(&t.id)).cloned())
    };
    of(&|own| own == id).or_else(|| of(&|own| own.to_lowercase() == id.to_lowercase()))
}
