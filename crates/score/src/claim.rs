//! Claims: templates that a pack shares. A point uses one in a line: `hidden-behind(@all-reduce, @backward)`.

use std::ops::Range;

use super::{Glossary, PatternFault, base};

/// A template with up to three gaps, `{x}`, `{y}` and `{z}`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claim {
    /// The id, written `id(x, y)` in patterns.
    pub id: String,
    /// What it says, in plain words: `{x} is hidden behind {y}`.
    pub says: String,
    /// Patterns with gaps, any of which states the claim.
    pub matches: Vec<String>,
    /// Patterns with gaps that state its opposite: false wherever a point makes the claim.
    pub contrary: Vec<String>,
    /// Whether the claim is false where `{x}` and `{y}` trade places.
    pub swap: bool,
    /// Words that make the opposite true in a sentence: `if`, `unless`, `@other`.
    pub unless: Vec<String>,
}

/// A statement that is false in every drill of the pack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Falsehood {
    /// The id.
    pub id: String,
    /// The part whose credit it costs; none: whatever the sentence was to earn.
    pub part: Option<String>,
    /// Patterns, any of which is the false statement.
    pub matches: Vec<String>,
    /// Words that make the same statement true.
    pub unless: Vec<String>,
    /// What is right.
    pub correction: String,
}

/// Vague statements of a part: they are worth *partial* beside something real.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VagueWords {
    /// The part.
    pub part: String,
    /// The patterns.
    pub matches: Vec<String>,
}

/// How many patterns a claim may have each way. Every use of it stands for all of them.
pub(super) const MOST_PATTERNS: usize = 64;

/// The gaps, in the order of what is put in.
const GAPS: [&str; 3] = ["{x}", "{y}", "{z}"];

/// A pattern that begins with `id(…)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use<'a> {
    pub id: &'a str,
    /// What is put into the gaps.
    pub takes: Vec<&'a str>,
    /// What follows the closing parenthesis.
    pub rest: &'a str,
}

/// The use of a claim with which a pattern begins; none where it begins otherwise.
///
/// # Errors
/// Where the parentheses do not end, or something between them is empty.
pub(super) fn used(text: &str) -> Result<Option<Use<'_>>, PatternFault> {
    let start = text.len() - text.trim_start().len();
    let name = text[start..].find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(0);
    let (id, open) = (&text[start..start + name], start + name);
    let named = text[start..].starts_with(|c: char| c.is_ascii_alphabetic());
    if !named || !text[open..].starts_with('(') {
        return Ok(None);
    }
    let mut takes = Vec::new();
    let (mut quoted, mut from) = (false, open + 1);
    for (i, c) in text.char_indices().skip_while(|&(i, _)| i <= open) {
        quoted ^= c == '"';
        if quoted || !matches!(c, ',' | ')') {
            continue;
        }
        let one = text[from..i].trim();
        if one.is_empty() {
            return Err(fault(from..i + 1, "the claim gets nothing here", "write words or `@id`"));
        }
        takes.push(one);
        from = i + 1;
        if c == ')' {
            return Ok(Some(Use { id, takes, rest: &text[from..] }));
        }
    }
    Err(fault(open..text.len(), "a claim that does not end", "add the closing `)`"))
}

fn fault(at: Range<usize>, what: &str, cure: &str) -> PatternFault {
    PatternFault { at, fault: what.to_owned(), cure: cure.to_owned() }
}

impl Claim {
    /// How many gaps it has.
    pub(super) fn gaps(&self) -> usize {
        let of =
            |patterns: &'_ [String], gap: &str| patterns.iter().take(MOST_PATTERNS).any(|m| m.contains(gap));
        let has = |gap: &str| of(&self.matches, gap) || of(&self.contrary, gap);
        GAPS.iter().take_while(|g| has(g)).count()
    }

    /// The patterns that state it of these.
    pub(super) fn stated(&self, takes: &[&str], rest: &str) -> Vec<String> {
        self.matches.iter().take(MOST_PATTERNS).map(|m| filled(m, takes) + rest).collect()
    }

    /// The patterns that state its opposite.
    pub(super) fn denied(&self, takes: &[&str]) -> Vec<String> {
        let contrary = self.contrary.iter().take(MOST_PATTERNS);
        let mut all: Vec<String> = contrary.map(|m| filled(m, takes)).collect();
        if self.swap && takes.len() >= 2 {
            let mut swapped = takes.to_vec();
            swapped.swap(0, 1);
            all.extend(self.matches.iter().take(MOST_PATTERNS).map(|m| filled(m, &swapped)));
        }
        all.into_iter().map(|pattern| except(pattern, &self.unless)).collect()
    }
}

/// A pattern that holds only where none of these words is said.
pub(super) fn except(pattern: String, unless: &[String]) -> String {
    if unless.is_empty() { pattern } else { format!("{pattern} - {}", unless.join("|")) }
}

/// The claims that rubrics may use: those of the pack, and before them those of any field.
pub(super) fn known(glossary: &Glossary) -> Vec<Claim> {
    let own = |id: &str| glossary.claims.iter().any(|c| c.id == id);
    let base = base::claims().iter().filter(|c| !own(&c.id));
    base.chain(&glossary.claims).cloned().collect()
}

fn filled(template: &str, takes: &[&str]) -> String {
    GAPS.iter().zip(takes).fold(template.to_owned(), |text, (gap, with)| {
        // what is denied in a gap is denied in all its alternatives
        let denied = format!("!{}", with.split('|').map(str::trim).collect::<Vec<_>>().join("|!"));
        text.replace(&format!("!{gap}"), &denied).replace(gap, with)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_use_is_read_with_what_follows_it() {
        let used = |t| used(t).expect("readable");
        let found = used("hidden-behind(@all-reduce|\"a, b\", backward) + every step").expect("a use");
        assert_eq!((found.id, found.rest), ("hidden-behind", " + every step"));
        assert_eq!(found.takes, ["@all-reduce|\"a, b\"", "backward"]);
        assert_eq!(used("\"(p-1)/m\" + x"), None);
        assert_eq!(used("a + b"), None);
        assert_eq!(super::used("f(a, )").unwrap_err().at, 4..6);
        assert_eq!(super::used("f(a").unwrap_err().at, 1..3);
    }

    #[test]
    fn gaps_are_filled_and_trade_places() {
        let claim = Claim {
            id: "grows-with".into(),
            matches: vec!["[{x} > grow > {y}]".into()],
            contrary: vec!["[{x} > !grow > {y}]".into()],
            swap: true,
            unless: vec!["if".into()],
            ..Claim::default()
        };
        assert_eq!(claim.gaps(), 2);
        assert_eq!(claim.stated(&["a", "b"], " + c"), ["[a > grow > b] + c"]);
        assert_eq!(filled("{x} + !{y}", &["a", "b|c"]), "a + !b|!c");
        assert_eq!(claim.denied(&["a", "b"]), ["[a > !grow > b] - if", "[b > grow > a] - if"]);
    }

    #[test]
    fn a_claim_stands_for_no_more_patterns_than_it_may_have() {
        let many: Vec<String> = (0..5_000).map(|i| format!("[{{x}} > w{i} > {{y}}]")).collect();
        let claim = Claim { matches: many.clone(), contrary: many, swap: true, ..Claim::default() };
        assert_eq!(claim.stated(&["a", "b"], "").len(), MOST_PATTERNS);
        assert_eq!(claim.denied(&["a", "b"]).len(), 2 * MOST_PATTERNS);
    }
}
