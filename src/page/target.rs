//! Link targets inside a pack: `lesson:ddp`, `lab:…`, `drill:…`, `puzzle:…`, `sim:ring?n=8`.

use super::place::Place;
use crate::doc::LinkKind;

/// Where a link leads.
#[derive(Debug, Clone, PartialEq)]
pub enum Opened {
    /// A place in the program.
    Place(Place),
    /// An address outside, to be put on the clipboard.
    Address(String),
}

/// Where a link of a text of the pack with this index leads.
pub fn opened(target: &str, kind: LinkKind, pack: usize) -> Opened {
    match kind {
        LinkKind::Term => Opened::Place(Place::Term { pack, id: target.to_owned() }),
        LinkKind::Address => Opened::Address(target.to_owned()),
        LinkKind::Place => {
            place(target, pack).map_or_else(|| Opened::Address(target.to_owned()), Opened::Place)
        }
    }
}

/// The place that a target names; none for a target of another form.
pub fn place(target: &str, pack: usize) -> Option<Place> {
    let (kind, id) = target.split_once(':')?;
    let id = id.to_owned();
    Some(match kind {
        "lesson" => Place::Lesson { pack, id },
        "lab" => Place::Lab { pack, id },
        "drill" => Place::Drill { pack, id, only: None },
        "check" | "checks" => Place::Checks { pack, lesson: id, only: None },
        "term" => Place::Term { pack, id },
        "puzzle" => Place::Puzzle { pack, id },
        "sim" => {
            let (id, link) = id.split_once('#').map_or((&*id, None), |(id, link)| (id, Some(link)));
            let (kind, values) = id.split_once('?').unwrap_or((id, ""));
            let set = values
                .split('&')
                .filter_map(|pair| pair.split_once('='))
                .filter_map(|(name, value)| Some((name.to_owned(), value.parse().ok()?)))
                .collect();
            Place::Sim { kind: kind.to_owned(), set, link: link.map(str::to_owned) }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_simulator_target_carries_its_values() {
        let Some(Place::Sim { kind, set, link }) = place("sim:ring?n=8&size=1.5&bad=x#bytes", 0) else {
            panic!("a simulator");
        };
        assert_eq!(link.as_deref(), Some("bytes"));
        assert_eq!((kind.as_str(), set.len(), set["size"]), ("ring", 2, 1.5));
        assert_eq!(place("http://example.org", 0), None);
    }
}
