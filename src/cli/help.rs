//! The command line as it is told: examples for each verb, and the options of every verb told once.

use std::ffi::OsString;

use clap::{Command, CommandFactory};

use super::Cli;

/// Options that each verb takes; its own help leaves them to `infralens --help`.
const EVERYWHERE: &[&str] =
    &["pack", "data_dir", "plain", "ascii", "theme", "light", "no_mouse", "no_motion", "json"];

/// Verbs by their path, with command lines that work.
pub const EXAMPLES: &[(&str, &[&str])] = &[
    ("learn", &["learn", "learn ddp"]),
    ("drill", &["drill zero1-to-zero3", "--plain drill zero1-to-zero3"]),
    (
        "rehearse",
        &[
            "rehearse --preset screen --start",
            "rehearse --topics ddp,tp --count 3 --seed 7",
            "rehearse --weakest --job posting.txt",
        ],
    ),
    ("measure", &["measure 01-ddp-buckets", "measure 01-ddp-buckets --stored --json"]),
    ("review", &["review", "--plain review --ahead 2"]),
    ("plan", &["plan --interview 2026-12-04", "plan --job posting.txt", "plan --json"]),
    ("due", &["due", "due --json"]),
    ("doctor", &["doctor", "doctor --json"]),
    ("sim", &["sim", "sim ring --set nodes=4 --set \"size=1 GB\"", "sim zero --preset \"70B on 64\" --json"]),
    ("puzzle", &["puzzle", "puzzle fit-13b --hints 1", "puzzle fit-13b --set stage=2 --set gradients=bf16"]),
    ("list", &["list", "list drills", "list terms --json"]),
    ("show", &["show ddp", "show term:ddp", "show MFU --json"]),
    ("search", &["search pipeline bubble", "search mfu --json"]),
    (
        "score",
        &["score zero1-to-zero3 answer.txt", "score zero1-to-zero3 - --json", "score --batch answers.jsonl"],
    ),
    ("calibrate", &["calibrate judged.jsonl", "calibrate judged.jsonl --unmatched"]),
    ("concept", &["concept nvlink", "concept @all-reduce --json"]),
    ("history", &["history", "history zero1-to-zero3 --limit 5", "history --json"]),
    ("stats", &["stats", "stats --json"]),
    (
        "export",
        &[
            "export all.jsonl",
            "export --format csv attempts.csv",
            "export --class distributed-training --student Ann",
        ],
    ),
    ("class", &["class open answers/", "class mark answers/ 01a2 tradeoff --verdict covered"]),
    ("class open", &["class open answers/", "class open answers/ --html", "class open answers/ --json"]),
    ("class answer", &["class answer answers/ 01a2"]),
    (
        "class mark",
        &["class mark answers/ 01a2 tradeoff --verdict covered --remark \"Well put.\" --by Grace"],
    ),
    ("class return", &["class return answers/"]),
    ("class judged", &["class judged answers/"]),
    ("import", &["import all.jsonl", "import -"]),
    ("sync", &["sync ~/Sync/infralens"]),
    ("judge", &["judge set ./judge.py", "judge test", "judge off"]),
    ("judge set", &["judge set ./judge.py", "judge set --seconds 60 python3 judge.py --model small"]),
    ("judge show", &["judge show"]),
    ("judge test", &["judge test"]),
    ("judge off", &["judge off"]),
    ("pack", &["pack new my-course", "pack check my-course", "pack test my-course"]),
    ("pack new", &["pack new my-course", "pack new tcp --example"]),
    ("pack check", &["pack check my-course", "pack check my-course --run", "pack check . --json"]),
    ("pack test", &["pack test my-course", "pack test --drill zero1-to-zero3 --explain"]),
    ("pack prune", &["pack prune my-course", "pack prune my-course --answers judged.jsonl"]),
    ("pack upgrade", &["pack upgrade my-course", "pack upgrade my-course --write"]),
    ("pack schema", &["pack schema lesson", "pack schema --write assets/schema"]),
    ("pack watch", &["pack watch my-course"]),
    ("pack words", &["pack words"]),
    ("pack install", &["pack install my-course", "pack install my-course.zip --trust"]),
    ("pack default", &["pack default", "pack default my-course"]),
    (
        "pack draft",
        &["pack draft zero1-to-zero3", "pack draft zero1-to-zero3 --answers judged.jsonl --out draft.toml"],
    ),
    ("pack remove", &["pack remove my-course"]),
    ("pack list", &["pack list", "pack list --json"]),
    ("pack trust", &["pack trust my-course"]),
    ("completions", &["completions bash > infralens.bash", "completions fish"]),
    ("man", &["man", "man --write man1"]),
];

/// The options before a verb that take a value.
const VALUED: [&str; 3] = ["--pack", "--data-dir", "--theme"];

/// `help VERB` as `VERB --help`, which is the one help there is; any other command line as it is. Options may stand before
/// it.
pub fn asked(mut words: Vec<OsString>) -> Vec<OsString> {
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| word.to_string_lossy().starts_with("--")) {
        at += if VALUED.iter().any(|option| word == option) { 2 } else { 1 };
    }
    if words.get(at).is_some_and(|word| word == "help") {
        words.remove(at);
        words.push("--help".into());
    }
    words
}

/// The command line with its examples: what is parsed, and what manual pages and completions are made of.
pub fn command() -> Command {
    with_examples(Cli::command(), "")
}

/// The same as its own help tells it: the options of every verb stand in the help of the program alone.
pub fn told() -> Command {
    let mut command = command();
    command.build();
    command.mut_subcommands(brief)
}

fn with_examples(command: Command, path: &str) -> Command {
    let verbs: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    verbs.into_iter().fold(command, |command, verb| {
        let path = format!("{path} {verb}").trim_start().to_owned();
        command.mut_subcommand(verb, |verb| {
            let verb = with_examples(verb, &path);
            match EXAMPLES.iter().find(|(of, _)| *of == path) {
                Some((_, lines)) => {
                    let lines: Vec<String> =
                        lines.iter().map(|line| format!("\n  infralens {line}")).collect();
                    verb.after_help(format!("Examples:{}", lines.concat()))
                }
                None => verb,
            }
        })
    })
}

fn brief(verb: Command) -> Command {
    let more = "For the options of every verb, such as --plain, --json and --pack, see `infralens --help`.";
    let told = verb.get_after_help().map_or(more.to_owned(), |help| format!("{help}\n\n{more}"));
    verb.mut_args(|arg| match EVERYWHERE.contains(&arg.get_id().as_str()) {
        true => arg.hide(true),
        false => arg,
    })
    .after_help(told)
    .mut_subcommands(brief)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(command: &Command, path: &str, all: &mut Vec<String>) {
        for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let path = format!("{path} {}", verb.get_name()).trim_start().to_owned();
            all.push(path.clone());
            paths(verb, &path, all);
        }
    }

    #[test]
    fn every_verb_has_examples_that_parse() {
        let mut all = Vec::new();
        paths(&Cli::command(), "", &mut all);
        for path in &all {
            assert!(EXAMPLES.iter().any(|(of, _)| of == path), "{path} has no example");
        }
        for (path, lines) in EXAMPLES {
            assert!(all.iter().any(|of| of == path), "there is no verb {path}");
            for line in *lines {
                // words in quotes are one; what goes to a file is the shell's
                let line = line.split(" > ").next().unwrap_or_default();
                let words: Vec<&str> = line
                    .split('"')
                    .enumerate()
                    .flat_map(|(at, piece)| match at % 2 {
                        0 => piece.split_whitespace().collect(),
                        _ => vec![piece],
                    })
                    .collect();
                let parsed = command().try_get_matches_from(std::iter::once("infralens").chain(words));
                assert!(
                    parsed.is_ok(),
                    "{line}: {}",
                    parsed.err().map(|e| e.to_string()).unwrap_or_default()
                );
            }
        }
    }

    #[test]
    fn help_and_a_verb_asks_for_the_help_of_that_verb() {
        let asked = |line: &str| asked(line.split(' ').map(OsString::from).collect());
        assert_eq!(asked("infralens help drill"), ["infralens", "drill", "--help"]);
        assert_eq!(asked("infralens help pack check"), ["infralens", "pack", "check", "--help"]);
        assert_eq!(asked("infralens help"), ["infralens", "--help"]);
        assert_eq!(asked("infralens drill help"), ["infralens", "drill", "help"]);
    }

    #[test]
    fn options_of_every_verb_are_told_once() {
        let mut command = told();
        let list = command.find_subcommand_mut("list").expect("a verb").render_long_help().to_string();
        assert!(list.contains("infralens list drills") && !list.contains("--data-dir <"), "{list}");
        let mut known: Vec<String> = Vec::new();
        let globals = Cli::command();
        known.extend(globals.get_arguments().filter(|a| a.is_global_set()).map(|a| a.get_id().to_string()));
        assert_eq!(known, EVERYWHERE);
        assert!(command.render_long_help().to_string().contains("--data-dir <"));
    }
}
