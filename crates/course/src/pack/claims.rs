//! What the rubrics of a pack share, as the scorer takes it.

use std::ops::Range;

use crate::score::{self, SharedPlace};

use super::desk::{Desk, plain};
use super::names::Kind;
use super::raw;

/// Where the patterns of `claims.toml` stand.
pub(super) type SharedPlaces = Vec<(SharedPlace, Range<usize>)>;

/// Claims, false statements and vague words.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) claims: Vec<score::Claim>,
    pub(super) falsehoods: Vec<score::Falsehood>,
    pub(super) vague: Vec<score::VagueWords>,
}

/// Where each pattern and word stands.
pub(super) fn places(raw: &raw::Claims) -> SharedPlaces {
    let mut places = SharedPlaces::new();
    for (i, claim) in raw.templates.iter().enumerate() {
        places.extend(spans(&claim.matches, |j| SharedPlace::Claim(i, j)));
        places.extend(spans(&claim.contrary, |j| SharedPlace::ClaimContrary(i, j)));
        places.extend(spans(&claim.unless, |j| SharedPlace::ClaimUnless(i, j)));
    }
    for (i, falsehood) in raw.falsehoods.iter().enumerate() {
        places.extend(spans(&falsehood.matches, |j| SharedPlace::Falsehood(i, j)));
        places.extend(spans(&falsehood.unless, |j| SharedPlace::FalsehoodUnless(i, j)));
    }
    for (i, vague) in raw.vague.iter().enumerate() {
        places.extend(spans(&vague.matches, |j| SharedPlace::Vague(i, j)));
    }
    places
}

fn spans<K>(texts: &[raw::Worded<K>], place: impl Fn(usize) -> SharedPlace) -> SharedPlaces {
    texts.iter().enumerate().map(|(j, text)| (place(j), text.span())).collect()
}

/// Turns `claims.toml` into what the scorer takes.
pub(super) fn shared(raw: raw::Claims, desk: &mut Desk<'_>) -> Shared {
    desk.unique("claim", raw.templates.iter().map(|c| &*c.id));
    raw.falsehoods.iter().for_each(|f| desk.names.define(Kind::Falsehood, &f.id));
    desk.unique("false statement", raw.falsehoods.iter().map(|f| &*f.id));
    Shared {
        claims: raw.templates.into_iter().map(claim).collect(),
        falsehoods: raw.falsehoods.into_iter().map(|f| falsehood(f, desk)).collect(),
        vague: raw.vague.into_iter().map(|v| vague(v, desk)).collect(),
    }
}

fn claim(raw: raw::ClaimTemplate) -> score::Claim {
    score::Claim {
        id: raw.id.into_inner(),
        says: raw.says.into_inner(),
        matches: plain(raw.matches),
        contrary: plain(raw.contrary),
        swap: raw.swap,
        unless: plain(raw.unless),
    }
}

fn falsehood(raw: raw::Falsehood, desk: &mut Desk<'_>) -> score::Falsehood {
    if let Some(part) = &raw.part {
        desk.part(part);
    }
    score::Falsehood {
        id: raw.id.into_inner(),
        part: raw.part.map(raw::Worded::into_inner),
        matches: plain(raw.matches),
        unless: plain(raw.unless),
        correction: desk.text(raw.correction),
    }
}

fn vague(raw: raw::Vague, desk: &mut Desk<'_>) -> score::VagueWords {
    desk.part(&raw.part);
    score::VagueWords { part: raw.part.into_inner(), matches: plain(raw.matches) }
}
