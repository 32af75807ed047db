//! What can be wrong with one way to fill a slot, and with the use of a claim.

use std::ops::Range;

use crate::claim;
use crate::concept::Concepts;
use crate::pattern::{self, Format, PhrasePart, Way, What};
use crate::token;

/// The patterns that a text stands for: itself, or those of the claim that it uses.
pub(super) fn stated(
    text: &str,
    format: Format,
    claims: &[claim::Claim],
) -> Result<Vec<String>, (Range<usize>, String, String)> {
    let used = match format {
        Format::One => None,
        Format::Two => claim::used(text).map_err(|f| (f.at, f.fault, f.cure))?,
    };
    let Some(used) = used else { return Ok(vec![text.to_owned()]) };
    let whole = 0..text.len() - used.rest.len();
    let Some(claim) = claims.iter().find(|c| c.id == used.id) else {
        let near = claims.iter().min_by_key(|c| strsim::damerau_levenshtein(used.id, &c.id));
        let near = near.filter(|c| strsim::damerau_levenshtein(used.id, &c.id) <= 3);
        let cure = match near {
            Some(near) => format!("did you mean `{}`?", near.id),
            None => "write it into claims.toml, or write the pattern out".to_owned(),
        };
        return Err((whole, format!("no claim `{}`", used.id), cure));
    };
    if claim.gaps() != used.takes.len() {
        let what = format!("`{}` has {} gaps, and {} are filled", claim.id, claim.gaps(), used.takes.len());
        return Err((whole, what, format!("it says: {}", claim.says)));
    }
    Ok(claim.stated(&used.takes, used.rest))
}

/// What is wrong with a way to fill a slot, and the cure.
pub(super) fn way_fault(way: &Way, concepts: &Concepts) -> Option<(String, String)> {
    what_fault(&way.what, concepts).or_else(|| match &way.what {
        What::Words(w) if w.contains(char::is_whitespace) && spans_clauses(w) => Some(unfillable(w)),
        _ => None,
    })
}

/// What is wrong with an entry of a word list; `!` before it means the word where it is denied.
pub(super) fn word_fault(word: &str, concepts: &Concepts) -> Option<(String, String)> {
    let word = word.trim_start();
    let word = word.strip_prefix('!').map_or(word, str::trim_start);
    let Some(what) = pattern::parse_way(word) else {
        let cure = "write plain words, `@id` or \"exact words\"".to_owned();
        return Some((format!("`{word}` cannot be read"), cure));
    };
    what_fault(&what, concepts).or_else(|| match &what {
        What::Words(w) if spans_clauses(w) => Some(unfillable(w)),
        _ => None,
    })
}

/// What is wrong wherever it stands: a concept that nobody has, words that no text can have.
fn what_fault(what: &What, concepts: &Concepts) -> Option<(String, String)> {
    let missing = |id: &str| if concepts.knows(id) { None } else { Some(unknown(id, concepts)) };
    match what {
        What::Concept(id) => missing(id),
        What::Phrase(parts) => parts.iter().find_map(|part| match part {
            PhrasePart::Concept(id) => missing(id),
            PhrasePart::Word(_) => None,
        }),
        What::Words(w) | What::Exact(w) if token::lex(w).tokens.is_empty() => Some(unfillable(w)),
        _ => None,
    }
}

/// Whether a phrase has a break inside, over which no phrase is read.
fn spans_clauses(words: &str) -> bool {
    token::lex(words).tokens.iter().skip(1).any(|t| t.gap.ends_clause())
}

fn unfillable(words: &str) -> (String, String) {
    (
        format!("no text can fill `{words}`"),
        "write words without dots, commas or colons between them".to_owned(),
    )
}

fn unknown(id: &str, concepts: &Concepts) -> (String, String) {
    let near = concepts
        .ids()
        .filter(|known| concepts.knows(known))
        .min_by_key(|known| (strsim::damerau_levenshtein(id, known), *known));
    let cure = match near.filter(|n| strsim::damerau_levenshtein(id, n) <= 3) {
        Some(near) => format!("did you mean `@{near}`?"),
        None => "write it into glossary.toml or the drill, or use plain words".to_owned(),
    };
    (format!("no term or concept `{id}`"), cure)
}
