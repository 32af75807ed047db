//! Completions for shells that know the ids of what is at hand: lessons, drills, labs, puzzles, simulators, terms,
//! concepts, parts, packs.
//!
//! They are written out when the completions are made. An engine that is asked at each key exists in `clap_complete`
//! behind a feature that is not stable; once it is, these values can move there.

use std::collections::BTreeSet;

use clap::Command;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::Shell;

use super::help;
use crate::pack::Pack;
use crate::services::library::Library;
use crate::sim::KINDS;
use crate::study::thing;

/// Writes the completions of a shell.
pub fn script(shell: Shell, library: &Library) -> Vec<u8> {
    let slots = slots(library);
    let mut text = Vec::new();
    let mut command = slots.iter().fold(help::command(), |command, slot| set(command, slot.verb, slot));
    clap_complete::generate(shell, &mut command, "infralens", &mut text);
    if shell == Shell::Fish {
        // its generator knows values of options alone
        let is_positional = |slot: &&Slot| {
            let of = command.find_subcommand(slot.verb[0]).filter(|_| slot.verb.len() == 1);
            of.is_some_and(|of| of.get_positionals().any(|arg| arg.get_id() == slot.arg))
        };
        for slot in slots.iter().filter(is_positional) {
            let (verb, ids) = (slot.verb[0], slot.ids.iter().cloned().collect::<Vec<_>>().join(" "));
            let line =
                format!("complete -c infralens -n \"__fish_seen_subcommand_from {verb}\" -f -a \"{ids}\"\n");
            text.extend(line.into_bytes());
        }
    }
    text
}

/// An argument, and the ids that may stand there.
struct Slot {
    verb: &'static [&'static str],
    arg: &'static str,
    ids: BTreeSet<String>,
}

fn slots(library: &Library) -> Vec<Slot> {
    let ids = |of: &dyn Fn(&Pack) -> Vec<String>| harmless(library.packs.iter().flat_map(of));
    let lessons = ids(&|p| p.index().lessons.iter().map(|l| l.id.to_string()).collect());
    let drills = ids(&|p| p.index().drills.iter().map(|d| d.id.to_string()).collect());
    let puzzles = ids(&|p| p.index().puzzles.iter().map(|z| z.id.to_string()).collect());
    let labs = ids(&|p| p.lessons.iter().flat_map(|l| &l.labs).map(|l| l.id.clone()).collect());
    let parts = ids(&|p| p.parts.iter().map(|part| part.id.clone()).collect());
    let concepts = ids(&|p| p.vocabulary.concepts.iter().map(|c| c.id.clone()).collect());
    let packs = ids(&|p| vec![p.id.clone()]);
    let sims = harmless(KINDS.iter().map(|kind| kind.name.to_owned()));
    let things = library.packs.iter().flat_map(thing::of_pack);
    let all = harmless(things.chain(thing::sims()).map(|thing| thing.id));
    let slot = |verb, arg, ids: &BTreeSet<String>| Slot { verb, arg, ids: ids.clone() };
    vec![
        slot(&["learn"], "lesson", &lessons),
        slot(&["drill"], "drill", &drills),
        slot(&["rehearse"], "lesson", &lessons),
        slot(&["measure"], "lab", &labs),
        slot(&["sim"], "kind", &sims),
        slot(&["puzzle"], "puzzle", &puzzles),
        slot(&["show"], "id", &all),
        slot(&["search"], "words", &all),
        slot(&["score"], "drill", &drills),
        slot(&["score"], "follow", &parts),
        slot(&["history"], "drill", &drills),
        slot(&["concept"], "id", &concepts),
        slot(&["export"], "class", &packs),
        slot(&["class", "mark"], "part", &parts),
        slot(&["pack", "test"], "drill", &drills),
        slot(&["pack", "prune"], "drill", &drills),
        slot(&["pack", "draft"], "drill", &drills),
        slot(&["pack", "default"], "id", &packs),
        slot(&["pack", "remove"], "id", &packs),
        slot(&["pack", "trust"], "id", &packs),
    ]
}

fn set(command: Command, path: &[&'static str], slot: &Slot) -> Command {
    let values = || PossibleValuesParser::new(slot.ids.iter().map(PossibleValue::new));
    match path {
        [] => command.mut_arg(slot.arg, |arg| arg.value_parser(values())),
        [verb, rest @ ..] => command.mut_subcommand(*verb, |verb| set(verb, rest, slot)),
    }
}

/// Ids without those that hold a sign which a shell may read as something else.
fn harmless(ids: impl Iterator<Item = String>) -> BTreeSet<String> {
    let is_harmless = |id: &String| {
        !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    ids.filter(is_harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_offered_where_it_may_stand() {
        let library = Library { packs: vec![crate::built_in::course()], broken: Vec::new() };
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = String::from_utf8(script(shell, &library)).expect("text");
            for id in ["zero-fsdp", "zero1-to-zero3", "fit-13b", "pipeline", "01-ddp-buckets", "tradeoff"] {
                assert!(script.contains(id), "{shell} does not know {id}");
            }
        }
    }

    #[test]
    fn an_id_that_a_shell_would_run_is_left_out() {
        let known = harmless(["ddp", "$(x)", "a b", "`y`", "a;b", ""].map(str::to_owned).into_iter());
        assert_eq!(known.into_iter().collect::<Vec<_>>(), ["ddp"]);
    }
}
