//! The one table of keys: it dispatches, it prints the footer, it prints the help.

use super::action::Action as A;
use super::key::Key;

mod table;

pub use table::{Scope, TABLE};

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it works.
    pub scope: Scope,
    /// The keys, the one to show first.
    pub keys: &'static [&'static str],
    /// What it asks for.
    pub action: A,
    /// The word for the footer. Empty: not in the footer.
    pub hint: &'static str,
    /// What it does, for the help.
    pub help: &'static str,
}

/// The rows of these scopes, in their order.
pub fn rows(scopes: &[Scope]) -> impl Iterator<Item = &'static Binding> {
    scopes.iter().flat_map(|&s| TABLE.iter().filter(move |b| b.scope == s))
}

/// The rows that can be typed as words in lines: those that do something, not those that move.
pub fn typed(scopes: &[Scope]) -> impl Iterator<Item = &'static Binding> {
    rows(scopes).filter(|b| !b.action.is_moving())
}

/// The word that stands for a row in lines, besides its keys of one letter: that of the footer, or what is said for a key
/// that only a keyboard has. Empty where lines have no use for it.
pub fn word(b: &Binding) -> &'static str {
    let is_letter = |key: &&str| key.chars().count() == 1;
    match b.action {
        A::Step if matches!(b.scope, Scope::PlanTasks | Scope::HomeSlip) => "more",
        A::StepBack if b.scope == Scope::PlanTasks => "less",
        A::Continue if b.hint.starts_with("continue ") => "continue",
        _ if !b.hint.is_empty() || b.keys.iter().any(is_letter) => b.hint,
        A::Left | A::PrevPage => "before",
        _ => "",
    }
}

/// Whether lines type it with the number of a row: `w 5`.
pub fn takes_row(b: &Binding) -> bool {
    needs_row(b) || (b.scope, b.action) == (Scope::VerdictDrill, A::ReadSection)
}

/// Whether it does nothing in lines without the number of a row.
pub fn needs_row(b: &Binding) -> bool {
    matches!(
        (b.scope, b.action),
        (Scope::VerdictPart, A::PartAgain)
            | (Scope::VerdictDispute, A::Dispute)
            | (Scope::PlanTasks, A::Toggle | A::NextPage | A::PrevPage)
            | (Scope::Asked, A::Yes | A::No)
            | (Scope::ProgressAnswers, A::Again)
            | (Scope::CheckOrder | Scope::CheckOrdered, A::Reveal)
            | (Scope::ClassAnswer, A::Digit(_) | A::Edit | A::Discard)
    )
}

/// Whether these scopes have their own way out and their own help, so that a face adds none.
pub fn stand_alone(scopes: &[Scope]) -> bool {
    rows(scopes).any(|b| matches!(b.action, A::Help | A::Quit))
}

/// What a key asks for in these scopes; the first scope that knows it decides.
pub fn find(scopes: &[Scope], key: Key) -> Option<A> {
    let name = key.to_string();
    rows(scopes).find(|b| b.keys.contains(&name.as_str())).map(|b| b.action)
}

/// What stands in the footer: the first key of each row that has a hint.
pub fn hints(scopes: &[Scope]) -> Vec<(&'static str, &'static str)> {
    let mut out: Vec<(&'static str, &'static str)> = Vec::new();
    let at_home = scopes.contains(&Scope::Home);
    // there is no way back from Home, and the footer names no dead key; elsewhere one goes back before one quits
    let way_out = |b: &Binding| if at_home { b.action == A::Back } else { b.action == A::Quit };
    let works = |b: &Binding| !(b.hint.is_empty() || b.scope == Scope::Everywhere && way_out(b));
    for b in rows(scopes).filter(|b| works(b)) {
        if !out.iter().any(|(k, _)| *k == b.keys[0]) {
            out.push((b.keys[0], b.hint));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_table_is_a_key() {
        for b in TABLE {
            assert!(!b.keys.is_empty() && !b.help.is_empty());
            for name in b.keys {
                assert!(Key::parse(name).is_some(), "{name} is no key");
            }
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_scope() {
        for (i, a) in TABLE.iter().enumerate() {
            for b in &TABLE[i + 1..] {
                let clash = a.scope == b.scope && a.keys.iter().any(|k| b.keys.contains(k));
                assert!(!clash, "{:?} and {:?} share a key in {:?}", a.action, b.action, a.scope);
            }
        }
    }

    #[test]
    fn the_first_scope_decides() {
        let g = Key::parse("g").expect("g is a key");
        assert_eq!(find(&[Scope::VerdictDrill, Scope::Moving], g), Some(A::ReadSection));
        assert_eq!(find(&[Scope::Home, Scope::Moving], g), Some(A::Top));
    }
}
