//! The false statements of an answer, each with its correction.

use std::collections::BTreeSet;

use super::evidence;
use super::findings::{Findings, Finds};
use crate::matching::{Found, Reading};
use crate::{Evidence, Falsehood, FoundMisconception, Rubric};

fn overlaps(a: &[Evidence], b: &[Evidence]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.start < y.end && y.start < x.end))
}

/// The false statements: those that the rubric and the pack name, points turned round, and denials of points.
pub(super) fn misconceptions(
    rubric: &Rubric,
    falsehoods: &[&Falsehood],
    answer: &str,
    reading: &Reading,
    findings: &Findings,
) -> Vec<FoundMisconception> {
    let mut found: Vec<FoundMisconception> = Vec::new();
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut add = |id: &str, part: &str, correction: &str, finds: &Finds, own: bool| {
        // what the author of the drill says of a sentence is said; others add nothing to it
        let is_new = |f: &&(String, Found)| own || !told.contains(&reading.sentence_of(&f.1));
        let finds: Finds = finds.iter().filter(is_new).cloned().collect();
        let Some((rule, _)) = finds.first() else { return };
        let evidence = evidence(answer, reading, &finds);
        // what one correction answers needs no second one
        if found.iter().any(|f| (part.is_empty() || f.part == part) && overlaps(&f.evidence, &evidence)) {
            return;
        }
        told.extend(reading.sentences_of(finds.iter()));
        found.push(FoundMisconception {
            id: id.to_owned(),
            part: part.to_owned(),
            evidence,
            correction: correction.to_owned(),
            rule: Some(rule.clone()),
        });
    };
    for (m, finds) in rubric.misconceptions.iter().zip(&findings.misconceptions) {
        add(&m.id, &m.part, &m.correction, finds, true);
    }
    for (p, finds) in rubric.points.iter().zip(&findings.turned) {
        add(&p.id, &p.part, p.says.as_deref().unwrap_or(&p.feedback), finds, false);
    }
    for (f, finds) in falsehoods.iter().zip(&findings.falsehoods) {
        // of a part that this drill does not ask about, it costs no part
        let part = f.part.as_deref().filter(|part| rubric.parts.iter().any(|p| p == part));
        add(&f.id, part.unwrap_or_default(), &f.correction, finds, false);
    }
    // A lone denial beside nothing false is more often misread than meant, of however many points it seems to be one.
    let denials = reading.sentences_of(findings.contrary.iter().flatten()).len();
    if found.is_empty() && denials < 2 {
        return found;
    }
    for (p, finds) in rubric.points.iter().zip(&findings.contrary) {
        let known = found.iter().any(|f| f.id == p.id);
        let is_new = |f: &&(String, Found)| !told.contains(&reading.sentence_of(&f.1));
        let finds: Finds = finds.iter().filter(is_new).cloned().collect();
        if let Some((rule, _)) = finds.first().filter(|_| !known) {
            found.push(FoundMisconception {
                id: p.id.clone(),
                part: p.part.clone(),
                evidence: evidence(answer, reading, &finds),
                correction: p.feedback.clone(),
                rule: Some(rule.clone()),
            });
        }
    }
    found
}
