//! Progress as it is heard: what is strong, what is weak, which way it goes, what to do next; the map on request.

use super::{Progress, cards};
use crate::pack::Pack;
use crate::page::At;
use crate::page::view::{Row, View};
use crate::services::Services;
use crate::study::home::Home;
use crate::study::strength::{Cell, dropped_sentence};
use crate::study::words::{capital, percent, some};

/// Cells of the map that are named with their numbers.
const NAMED: usize = 3;

/// The summary of all courses; what it lists is numbered from 1.
pub fn view(of: &Progress, mut view: View, at: &At) -> View {
    let packs = &at.services.library.packs;
    for (index, (pack, home)) in packs.iter().zip(&of.homes).enumerate() {
        if packs.len() > 1 {
            view = view.title(&pack.title);
        }
        let told = match home.strengths.cells.is_empty() {
            true => vec!["No answers here yet.".to_owned()],
            false => strengths(pack, home).into_iter().chain(cards::ways(of, index, pack)).collect(),
        };
        view = view.words(&told.join(" "));
        let weakest = weakest(home);
        if !weakest.is_empty() {
            view = view.words(&match weakest.len() {
                1 => "The weakest part of a single lesson:".to_owned(),
                count => format!("The {count} weakest parts of single lessons:"),
            });
        }
        view = view.list(weakest.iter().filter_map(|cell| {
            let lesson = pack.index().lessons.iter().find(|l| *l.id == *cell.lesson)?;
            let part = pack.parts.iter().find(|p| p.id == cell.part)?;
            let standing = super::standing(Some(cell));
            Some(Row::here().said(format!("{} in {}: {standing}", part.title, lesson.title)))
        }));
    }
    let doings = cards::days_in_words(&of.days);
    let view = view.words(&format!("{}. {doings}.", own_rating(of, at.services)));
    view.enter(&next(of, at.services)).closing(&closing(of, at.services))
}

/// The cells of the map that the summary lists, in its order.
pub(super) fn listed(of: &Progress, services: &Services) -> Vec<usize> {
    let mut before = 0;
    let mut all = Vec::new();
    for (pack, home) in services.library.packs.iter().zip(&of.homes) {
        let lessons = &pack.index().lessons;
        all.extend(weakest(home).iter().filter_map(|cell| {
            let lesson = lessons.iter().position(|l| *l.id == *cell.lesson)?;
            let part = pack.parts.iter().position(|p| p.id == cell.part)?;
            Some(before + lesson * pack.parts.len() + part)
        }));
        before += lessons.len() * pack.parts.len();
    }
    all
}

/// The weakest cells of a course, the weakest first.
fn weakest(home: &Home) -> Vec<&Cell> {
    let cells = home.strengths.weakest_first().into_iter().filter(|cell| cell.strength() < 1.0);
    cells.take(NAMED).collect()
}

/// Which parts are strongest and weakest, and how many lessons were asked.
fn strengths(pack: &Pack, home: &Home) -> Vec<String> {
    let shares =
        pack.parts.iter().filter_map(|part| Some((part.title.as_str(), home.strengths.part(&part.id)?)));
    let mut shares: Vec<(&str, f64)> = shares.collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (Some(first), Some(last)) = (shares.first().copied(), shares.last().copied()) else {
        return Vec::new();
    };
    let with = |share: f64| {
        let same = shares.iter().filter(|(_, other)| percent(*other) == percent(share));
        same.map(|(title, _)| (*title).to_owned()).collect::<Vec<_>>()
    };
    let lessons = &pack.index().lessons;
    let asked = lessons.iter().filter(|l| home.strengths.lesson(&l.id).is_some()).count();
    let asked = format!("Asked so far: {} of {} lessons.", asked, lessons.len());
    let parts = match percent(first.1) == percent(last.1) {
        true => format!("Over all lessons every part stands at {}.", percent(first.1)),
        false => format!(
            "Over all lessons, strongest: {}, {}. Weakest: {}, {}.",
            named(&with(first.1)),
            percent(first.1),
            named(&with(last.1)),
            percent(last.1)
        ),
    };
    let dropped = home.strengths.most_dropped().map(|cell| {
        let part = pack.parts.iter().find(|p| p.id == cell.part).map_or(&cell.part, |p| &p.title);
        let lesson = pack.index().lesson(&cell.lesson).map_or(cell.lesson.clone(), |l| l.title.to_string());
        format!("{}.", capital(&dropped_sentence(cell, &part.to_lowercase(), &lesson)))
    });
    [asked, parts].into_iter().chain(dropped).collect()
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn named(names: &[String]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        all => all.concat(),
    }
}

fn own_rating(of: &Progress, services: &Services) -> String {
    let rated = of.rated.iter().map(Vec::len).sum::<usize>();
    match rated {
        0 => "You rated no answer of your own yet".to_owned(),
        _ => {
            let packs = services.library.packs.iter().zip(&of.rated);
            let told: Vec<String> =
                packs.flat_map(|(pack, rated)| crate::page::ratings::sentences(rated, pack)).collect();
            let told = told.join(" ");
            format!("Own ratings, {}: {}", some(rated, "answer"), told.trim_end_matches('.'))
        }
    }
}

/// What Enter does: asks for the weakest.
pub(super) fn next(of: &Progress, services: &Services) -> String {
    let cell = Progress::cell(of.weakest(services), services);
    let named = cell.and_then(|cell| {
        let pack = services.pack(cell.pack)?;
        let (lesson, part) = (pack.index().lessons.get(cell.lesson)?, pack.parts.get(cell.part)?);
        Some(format!("asks for the weakest, {} in {}", part.title, lesson.title))
    });
    named.unwrap_or_default()
}

fn closing(of: &Progress, services: &Services) -> String {
    format!(
        "A number asks for one of these, Enter {}. map reads every part of every lesson with its number, next card tells the trend, i is the plan, \
         y earlier answers, t the reports of rehearsals, q goes back.",
        next(of, services)
    )
}
