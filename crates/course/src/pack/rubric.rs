//! The patterns of a drill in its file, for what the scorer has to say about them.

use std::ops::Range;

use crate::score::{self, Format, Place, RubricChecker, RubricFault};

use super::claims::SharedPlaces;
use super::faults::{Faults, inside};
use super::sheets::{Made, Sheet};
use super::{raw, threads};

/// Where the patterns and words of one drill stand in its file.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// The drill's id.
    drill: Range<usize>,
    known: Vec<(Place, Range<usize>)>,
}

impl Places {
    /// The places of a drill's patterns and words.
    pub(super) fn of(drill: &raw::Drill) -> Places {
        let mut known = Vec::new();
        for (i, point) in drill.points.iter().enumerate() {
            let full = point.matches.iter().enumerate();
            known.extend(full.map(|(j, p)| (Place::Full(i, j), p.span())));
            let partial = point.partial.iter().enumerate();
            known.extend(partial.map(|(j, p)| (Place::Partial(i, j), p.span())));
        }
        for (i, misconception) in drill.misconceptions.iter().enumerate() {
            let all = misconception.matches.iter().enumerate();
            known.extend(all.map(|(j, p)| (Place::Misconception(i, j), p.span())));
            let unless = misconception.unless.iter().enumerate();
            known.extend(unless.map(|(j, w)| (Place::Unless(i, j), w.span())));
        }
        for (i, follow) in drill.follow.iter().enumerate() {
            let full = follow.matches.iter().enumerate();
            known.extend(full.map(|(j, p)| (Place::FollowFull(i, j), p.span())));
            let partial = follow.partial.iter().enumerate();
            known.extend(partial.map(|(j, p)| (Place::FollowPartial(i, j), p.span())));
            let answer = follow.answer.iter();
            known.extend(answer.map(|a| (Place::FollowAnswer(i), a.span())));
        }
        for (i, concept) in drill.concepts.iter().enumerate() {
            let all = concept.words.iter().enumerate();
            known.extend(all.map(|(j, w)| (Place::Word(i, j), w.span())));
        }
        Places { drill: drill.id.span(), known }
    }

    /// Reports the faults of a rubric where they stand.
    fn report(&self, found: Vec<RubricFault>, faults: &mut Faults<'_>) {
        for fault in found {
            let Some((_, span)) = self.known.iter().find(|(place, _)| *place == fault.place) else {
                continue;
            };
            let at = inside(faults.text(), span, fault.at);
            if fault.warning {
                faults.warning(at, fault.fault, fault.cure);
            } else {
                faults.error(at, fault.fault, fault.cure);
            }
        }
    }
}

/// Looks at the patterns of all drills, with the words of the glossary and the claims at hand.
pub(super) fn check(sheets: &mut [Sheet]) {
    let vocabulary = vocabulary(sheets);
    let begin = || RubricChecker::new(&vocabulary);
    let found = threads::each(sheets, begin, |checker, sheet| {
        let mut faults = Faults::new(&sheet.path, &sheet.text);
        match &sheet.made {
            Some(Made::Glossary(_, _, named)) => {
                for (word, span) in named {
                    if let Some((fault, cure)) = checker.check_word(word) {
                        faults.error(span.clone(), fault, cure);
                    }
                }
            }
            Some(Made::Claims(_, places)) => report_shared(checker, places, &mut faults),
            Some(Made::Quiz(quiz)) => {
                for (drill, places) in quiz.drills.iter().zip(&quiz.places) {
                    places.report(checker.check(&drill.rubric), &mut faults);
                    let found = checker.check_follow_ups(&drill.rubric, &drill.follow_ups);
                    places.report(found, &mut faults);
                }
                if quiz.is_unversioned {
                    format_missing(&mut faults);
                }
            }
            _ => {}
        }
        faults.into_problems()
    });
    for (sheet, mut problems) in sheets.iter_mut().zip(found) {
        sheet.problems.append(&mut problems);
    }
    many_patterns(sheets);
}

/// More patterns than these in one drill are hard to read, and by the answers of one author decide nothing.
const MANY_PATTERNS: usize = 80;

/// Says once for the whole pack how many drills have many patterns, where the one with the most stands.
fn many_patterns(sheets: &mut [Sheet]) {
    let drills = |sheet: &Sheet| match &sheet.made {
        Some(Made::Quiz(quiz)) => {
            let written = quiz.drills.iter().zip(&quiz.places).map(|(d, p)| (&d.rubric, p.drill.clone()));
            let many = written.filter(|(r, _)| r.format == Format::Two && r.patterns() > MANY_PATTERNS);
            many.map(|(rubric, at)| (rubric.patterns(), rubric.drill.clone(), at)).collect()
        }
        _ => Vec::new(),
    };
    let all: Vec<_> = sheets.iter().map(drills).collect();
    let most = all.iter().enumerate().flat_map(|(i, found)| found.iter().map(move |d| (i, d)));
    let Some((i, (patterns, drill, at))) = most.max_by_key(|(_, (patterns, ..))| *patterns) else { return };
    let what = match all.iter().map(Vec::len).sum::<usize>() {
        1 => format!("`{drill}` has {patterns} patterns, where {MANY_PATTERNS} are enough"),
        n => {
            format!("{n} drills have more than {MANY_PATTERNS} patterns, `{drill}` the most with {patterns}")
        }
    };
    let cure = "widen concepts instead of adding patterns; with 60 answers by other people or more, \
        `infralens pack prune --answers FILE` names those that decide nothing";
    let sheet = &mut sheets[i];
    let mut faults = Faults::new(&sheet.path, &sheet.text);
    faults.warning(at.clone(), what, cure);
    let mut problems = faults.into_problems();
    sheet.problems.append(&mut problems);
}

/// More faults in the patterns of a file without a `format` than this come from that.
const FEW: usize = 3;

/// Says that a file has no `format`, where its patterns read as those of the newer language.
fn format_missing(faults: &mut Faults<'_>) {
    if faults.errors() > FEW && faults.text().contains("= [\"[") {
        faults.root(
            0..0,
            "the file has no `format`, so its patterns are read as those of format 1",
            "write format = 2 on its first line, or put the words into slots as format 1 has them",
        );
    }
}

/// The words of the glossary, with what rubrics share.
fn vocabulary(sheets: &[Sheet]) -> score::Glossary {
    let mut vocabulary = score::Glossary::default();
    for sheet in sheets {
        match &sheet.made {
            Some(Made::Glossary(_, words, _)) => vocabulary.concepts = words.concepts.clone(),
            Some(Made::Claims(shared, _)) => {
                vocabulary.claims = shared.claims.clone();
                vocabulary.falsehoods = shared.falsehoods.clone();
                vocabulary.vague = shared.vague.clone();
            }
            _ => {}
        }
    }
    vocabulary
}

/// Reports the faults of what rubrics share where they stand.
fn report_shared(checker: &RubricChecker<'_>, places: &SharedPlaces, faults: &mut Faults<'_>) {
    for fault in checker.check_shared() {
        if let Some((_, span)) = places.iter().find(|(place, _)| *place == fault.place) {
            faults.error(inside(faults.text(), span, fault.at), fault.fault, fault.cure);
        }
    }
}
