//! `concept`: the words of a concept, and where rubrics use it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use serde_json::json;

use super::Outcome;
use crate::doc::escape::line as escape;
use crate::pack::Pack;
use crate::score::{Concept, Rubric, plain_claims, plain_concepts};

/// A concept as all places together give it.
#[derive(Default)]
struct Known<'a> {
    /// Words, each with the place that gives it.
    words: Vec<(&'a str, String)>,
    opposites: Vec<&'a str>,
}

/// Prints the words of a concept, its opposite, and every pattern that names it.
///
/// # Errors
/// Where nothing has the id, or the output cannot be written.
pub fn run(packs: &[Pack], id: &str, as_json: bool, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    // no id is longer, and what is near is looked for letter by letter
    const LONGEST: usize = 200;
    let id: String = id.trim_start_matches('@').chars().take(LONGEST).collect();
    let id = &*id;
    let known = known(packs);
    let Some(concept) = known.get(id) else {
        // what differs in more than every third letter is not what was meant
        let far = |other: &str| strsim::damerau_levenshtein(id, other);
        let most = (id.chars().count() / 3).max(1);
        let mut ids: Vec<&str> = known.keys().copied().filter(|other| far(other) <= most).collect();
        ids.sort_by_key(|other| far(other));
        let near: Vec<String> = ids.iter().take(3).map(|i| format!("@{}", escape(i))).collect();
        match near.as_slice() {
            [] => anyhow::bail!(
                "no concept or term has the id `{}`; `infralens search WORDS` finds the terms of the course",
                escape(id)
            ),
            [one] => anyhow::bail!("no concept or term has the id `{}`; the nearest is {one}", escape(id)),
            all => anyhow::bail!(
                "no concept or term has the id `{}`; the nearest are {}",
                escape(id),
                all.join(", ")
            ),
        }
    };
    let used = used(packs, id);
    if as_json {
        let words: Vec<_> = concept.words.iter().map(|(w, from)| json!({"word": w, "from": from})).collect();
        let used: Vec<_> = used.iter().map(|(at, text)| json!({"in": at, "text": text})).collect();
        let whole = json!({"id": id, "opposites": concept.opposites, "words": words, "used": used});
        writeln!(out, "{whole}")?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "@{}", escape(id))?;
    let mut by_place: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    concept.words.iter().for_each(|(word, from)| by_place.entry(from).or_default().push(word));
    for (place, words) in by_place {
        writeln!(out, "  words of {}:", escape(place))?;
        words.iter().try_for_each(|word| writeln!(out, "    {}", escape(word)))?;
    }
    if !concept.opposites.is_empty() {
        let opposites: BTreeSet<&str> = concept.opposites.iter().copied().collect();
        let opposites: Vec<&str> = opposites.into_iter().collect();
        writeln!(out, "  opposite: @{}", escape(&opposites.join(", @")))?;
    }
    let shown: Vec<String> = packs.iter().map(|p| escape(&p.id).into_owned()).collect();
    let shown = shown.join(", ");
    match used.len() {
        0 => writeln!(out, "  used nowhere in {shown}")?,
        1 => writeln!(out, "  used once, in {shown}")?,
        n => writeln!(out, "  used {n} times, in {shown}")?,
    }
    for (place, text) in used {
        writeln!(out, "    {}: {}", escape(&place), escape(&text))?;
    }
    Ok(Outcome::Done)
}

/// Every concept by its id.
fn known(packs: &[Pack]) -> BTreeMap<&str, Known<'_>> {
    let mut known: BTreeMap<&str, Known<'_>> = BTreeMap::new();
    for concept in plain_concepts() {
        enter(&mut known, concept, "every pack");
    }
    for pack in packs {
        for concept in &pack.vocabulary.concepts {
            enter(&mut known, concept, &format!("the glossary of {}", pack.id));
        }
        for drill in &pack.drills {
            for concept in &drill.rubric.concepts {
                enter(&mut known, concept, &format!("the drill {}", drill.id));
            }
        }
    }
    known
}

fn enter<'a>(known: &mut BTreeMap<&'a str, Known<'a>>, concept: &'a Concept, from: &str) {
    let entry = known.entry(&concept.id).or_default();
    if concept.replaces {
        entry.words.retain(|(_, place)| place != "every pack");
    }
    entry.words.extend(concept.words.iter().map(|w| (w.as_str(), from.to_owned())));
    if let Some(opposite) = &concept.opposite {
        entry.opposites.push(opposite);
        known.entry(opposite).or_default().opposites.push(&concept.id);
    }
}

/// The patterns and word lists that name a concept, each with its place.
fn used(packs: &[Pack], id: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut take = |place: &str, texts: &[String]| {
        let named = texts.iter().filter(|t| names(t, id));
        found.extend(named.map(|t| (place.to_owned(), t.clone())));
    };
    for concept in plain_concepts() {
        take(&format!("concept @{}", concept.id), &concept.words);
    }
    for claim in plain_claims() {
        take(&format!("claim {}", claim.id), &claim.matches);
        take(&format!("claim {}", claim.id), &claim.contrary);
    }
    for pack in packs {
        for concept in &pack.vocabulary.concepts {
            take(&format!("concept @{}", concept.id), &concept.words);
        }
        for claim in &pack.vocabulary.claims {
            take(&format!("claim {}", claim.id), &claim.matches);
            take(&format!("claim {}", claim.id), &claim.contrary);
        }
        for falsehood in &pack.vocabulary.falsehoods {
            take(&format!("false anywhere, {}", falsehood.id), &falsehood.matches);
            take(&format!("false anywhere, {}", falsehood.id), &falsehood.unless);
        }
        for drill in &pack.drills {
            of_drill(&drill.id, &drill.rubric, &mut take);
        }
    }
    found
}

fn of_drill(drill: &str, rubric: &Rubric, take: &mut impl FnMut(&str, &[String])) {
    for concept in &rubric.concepts {
        take(&format!("{drill}, concept @{}", concept.id), &concept.words);
    }
    for point in &rubric.points {
        take(&format!("{drill}, point {}", point.id), &point.matches);
        take(&format!("{drill}, point {}, partial", point.id), &point.partial);
    }
    for misconception in &rubric.misconceptions {
        take(&format!("{drill}, misconception {}", misconception.id), &misconception.matches);
        take(&format!("{drill}, misconception {}, unless", misconception.id), &misconception.unless);
    }
}

/// Whether a pattern names `@id`, and not `@id-of-another`.
fn names(text: &str, id: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_');
    text.match_indices('@').any(|(at, _)| text[at + 1..].strip_prefix(id).is_some_and(ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_concept_is_named_by_its_whole_id() {
        assert!(names("[@same > x]", "same") && names("a|!@same", "same"));
        assert!(!names("@same-size", "same") && !names("same", "same"));
    }
}
