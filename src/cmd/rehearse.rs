//! What the command line says about a rehearsal.

use jiff::Timestamp;

use super::learn::unnamed;
use crate::cli::{Preset, Rehearse};
use crate::pack::Pack;
use crate::page::place::Place;
use crate::services::library::Library;
use crate::study::rehearsal::{Setup, Topics};

/// The set-up that the command line asks for; none where it says nothing and the set-up is to be chosen.
///
/// # Errors
/// Where no pack has a lesson that is named, or the lessons belong to several packs.
pub fn asked(how: &Rehearse, library: &Library, now: Timestamp) -> anyhow::Result<Option<Setup>> {
    let says = how.preset.is_some()
        || !how.lesson.is_empty()
        || how.weakest
        || how.prompts.is_some()
        || how.think.is_some()
        || how.answer.is_some()
        || how.practice
        || how.strict
        || how.start
        || how.follow.is_some()
        || how.no_follow_ups
        || how.seed.is_some();
    if !says {
        return Ok(None);
    }
    let pack = pack(&how.lesson, library)?;
    let seed = u64::try_from(now.as_millisecond()).unwrap_or(0) % 100_000;
    let preset = match how.preset {
        Some(Preset::Onsite) => Setup::onsite(pack, seed),
        Some(Preset::Screen) | None => Setup::screen(pack, seed),
    };
    let preset = match how.seed {
        Some(seed) => preset.chosen(seed),
        None => preset,
    };
    let topics = if how.weakest && how.lesson.is_empty() {
        Topics::Weakest
    } else {
        let bare = |id: &String| id.rsplit(':').next().unwrap_or_default().to_owned();
        Topics::Lessons(how.lesson.iter().map(bare).collect())
    };
    if how.answer == Some(0) || how.prompts == Some(0) {
        anyhow::bail!("a rehearsal needs at least one prompt and one second to answer");
    }
    Ok(Some(Setup {
        topics,
        count: how.prompts.unwrap_or(preset.count),
        think: how.think.unwrap_or(preset.think),
        answer: how.answer.unwrap_or(preset.answer),
        follow: how.follow.unwrap_or(preset.follow),
        strict: !how.practice,
        follow_ups: !how.no_follow_ups,
        ..preset
    }))
}

/// The place that the command line asks for.
///
/// # Errors
/// As [`asked`].
pub fn place(how: &Rehearse, library: &Library, now: Timestamp) -> anyhow::Result<Place> {
    match asked(how, library, now)? {
        None => Ok(Place::Rehearse),
        Some(setup) => Ok(Place::RehearseWith { setup: Box::new(setup), start: how.start }),
    }
}

/// The id of the pack that has the lessons; without any, of the first.
fn pack<'a>(lessons: &[String], library: &'a Library) -> anyhow::Result<&'a str> {
    let mut found: Option<usize> = None;
    for id in lessons {
        let known = library.packs.iter().flat_map(|p| p.index().lessons.iter()).map(|l| &*l.id);
        let has = |p: &Pack, id: &str| p.index().lesson(id).is_some();
        let (pack, _) = library.named(id, has).map_err(|fault| unnamed("lesson", id, fault, known))?;
        if found.is_some_and(|f| f != pack) {
            anyhow::bail!(
                "the lesson `{id}` is in a different pack from those before it; rehearse one pack at a time"
            );
        }
        found = Some(pack);
    }
    match library.packs.get(found.unwrap_or(0)) {
        Some(pack) => Ok(&pack.id),
        None => anyhow::bail!("no pack could be opened; `infralens pack check` says why"),
    }
}
