//! An author's day: forty slips in a pack that was whole, each alone and most of them at once. `pack check` finds every
//! one, says first what the others come from, and names the file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use infralens_course::pack::{Problem, check_files};

const PACK: &str = "pack.toml";
const LESSON: &str = "lessons/congestion.toml";
const TERMS: &str = "glossary.toml";
const CLAIMS: &str = "claims.toml";
const CHECKS: &str = "quizzes/checks.toml";
const DRILL: &str = "quizzes/1-throughput.toml";

type Files = BTreeMap<String, Vec<u8>>;

/// A slip: what it is, the file, what stands there, what is written instead, and words of the problem that tells it.
struct Slip {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    told: &'static str,
    /// Whether it keeps others from being seen: it is planted alone only.
    alone: bool,
}

const fn slip(
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    told: &'static str,
) -> Slip {
    Slip { name, file, from, to, told, alone: false }
}

const fn alone(
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
    told: &'static str,
) -> Slip {
    Slip { name, file, from, to, told, alone: true }
}

const SLIPS: &[Slip] = &[
    alone("an id with a blank", PACK, "id = \"tcp\"", "id = \"My TCP\"", "`My TCP` is not an id"),
    alone(
        "a lesson misspelt",
        PACK,
        "[\"congestion\"]",
        "[\"congestoin\"]",
        "the lesson `congestoin` has no file",
    ),
    alone("a part twice", PACK, "id = \"limit\"", "id = \"mechanism\"", "the part id `mechanism` is taken"),
    alone("a key left out", PACK, "version = \"1.0.0\"\n", "", "lacks the key `version`"),
    alone("a key misspelt", PACK, "authors =", "author =", "lacks the key `authors`"),
    alone("an unknown language", PACK, "py = \"python\"", "py = \"pyhton\"", "`py` cannot be `pyhton`"),
    alone(
        "an open text",
        LESSON,
        "title = \"Loss, windows and queues\"",
        "title = \"Loss, windows and queues",
        "invalid basic string",
    ),
    alone("a number as text", LESSON, "minutes = 20", "minutes = \"20\"", "`minutes` is a text"),
    slip(
        "an unknown term",
        LESSON,
        "[[fast-retransmit]]",
        "[[fast-repair]]",
        "no term has the id `fast-repair`",
    ),
    slip("an unknown formula", LESSON, "{formula mathis}", "{formula mathsi}", "no formula `mathsi`"),
    slip("an unknown diagram", LESSON, "{diagram sawtooth}", "{diagram sawtoth}", "no diagram `sawtoth`"),
    slip(
        "an unknown constant",
        LESSON,
        "{{1 * MB * 8 / 0.05",
        "{{1 * MByte * 8 / 0.05",
        "`MByte` has no value",
    ),
    slip(
        "an open number",
        LESSON,
        "(10000 * million) * 100:2}}%",
        "(10000 * million) * 100:2}%",
        "is not closed",
    ),
    slip(
        "a column too few",
        LESSON,
        "\"RTT 40 ms\", \"RTT 160 ms\"]",
        "\"RTT 40 ms\"]",
        "the row has 4 cells, the table 3 columns",
    ),
    slip(
        "an address without its scheme",
        LESSON,
        "https://www.rfc-editor.org/rfc/rfc5681",
        "www.rfc-editor.org/rfc/rfc5681",
        "is not a web address",
    ),
    alone("a starter that is not there", LESSON, "aimd.py", "amid.py", "there is no such file"),
    slip(
        "half a line quoted",
        LESSON,
        "at = 'CAPACITY = 100  # packets that",
        "at = 'CAPACITY = 100' # packets that",
        "no line of the starter reads `CAPACITY = 100`",
    ),
    slip("a no-break space in a quote", LESSON, "at = 'import math'", "at = 'import\u{a0}math'", "U+00A0"),
    slip(
        "an unknown related term",
        TERMS,
        "related = [\"rto\"]",
        "related = [\"rtto\"]",
        "no term has the id `rtto`",
    ),
    alone("a term twice", TERMS, "id = \"bdp\"", "id = \"rtt\"", "the term id `rtt` is taken"),
    slip(
        "a claim shared in vain",
        CLAIMS,
        "match = [\"[loss|@packet-loss > increases",
        "match = [\"[loss|@paket-loss > increases",
        "`paket-loss`",
    ),
    slip(
        "no right option",
        CHECKS,
        "text = \"In the sender alone\"\nright = true",
        "text = \"In the sender alone\"",
        "has 0 right options",
    ),
    slip(
        "two right options",
        CHECKS,
        "text = \"A link of 10 Gbit/s\"\nwhy = \"The link is idle as it is. Its rate is not what limits.\"",
        "text = \"A link of 10 Gbit/s\"\nright = true",
        "has 2 right options",
    ),
    slip(
        "a step twice",
        CHECKS,
        "\"The third duplicate acknowledgement arrives\"",
        "\"A router drops one packet because its queue is full\"",
        "the same as step 1",
    ),
    slip(
        "seconds for milliseconds",
        CHECKS,
        "unit = \"ms\"",
        "unit = \"sec\"",
        "the answer is divided by ms",
    ),
    slip(
        "a unit of something else",
        CHECKS,
        "/ MB\"\nunit = \"MB\"",
        "/ MB\"\nunit = \"ms\"",
        "the answer is divided by MB",
    ),
    slip(
        "a value drawn for nothing",
        CHECKS,
        "rtt = { of = [20, 40, 50, 80, 100] }",
        "rtt = { of = [20, 40, 50, 80, 100] }\nloss = { of = [1, 2] }",
        "`loss` is drawn but never used",
    ),
    slip(
        "a value misspelt",
        CHECKS,
        "answer = \"window * 1024",
        "answer = \"windw * 1024",
        "`windw` is neither drawn nor a constant",
    ),
    slip(
        "a slip that is right",
        CHECKS,
        "value = \"buffer * 1024 / (rate",
        "value = \"buffer * 1024 * 8 / (rate",
        "the slip is the right answer",
    ),
    slip(
        "a cell that is not there",
        CHECKS,
        "\"expect.near_window\"",
        "\"expect.near_widow\"",
        "names a cell that is not there",
    ),
    alone(
        "a quiz of no lesson",
        DRILL,
        "lesson = \"congestion\"",
        "lesson = \"congestoin\"",
        "no lesson has the id `congestoin`",
    ),
    alone("a format forgotten", DRILL, "format = 2\n", "", "the file has no `format`"),
    slip(
        "a part misspelt",
        DRILL,
        "id = \"idle-link\"\npart = \"symptom\"",
        "id = \"idle-link\"\npart = \"symptoms\"",
        "no part `symptoms`",
    ),
    slip(
        "an essential point misspelt",
        DRILL,
        "\"root-of-loss|inverse-rtt\"",
        "\"root-of-los|inverse-rtt\"",
        "no point `root-of-los`",
    ),
    slip(
        "more points needed than there are",
        DRILL,
        "need = { symptom = 1,",
        "need = { symptom = 9,",
        "asks for more points",
    ),
    slip(
        "a concept misspelt",
        DRILL,
        "[@window > limit >",
        "[@windw > limit >",
        "no term or concept `windw`",
    ),
    slip(
        "a bracket of the wrong kind",
        DRILL,
        "> ten|tenth|10]",
        "> (ten|tenth|10]",
        "a bracket without its other half",
    ),
    slip(
        "a gap too few in a claim",
        DRILL,
        "law|@law, @link-rate)",
        "law|@law)",
        "has 2 gaps, and 1 are filled",
    ),
    slip(
        "a claim misspelt",
        DRILL,
        "causes(@packet-loss, @halve)",
        "cause(@packet-loss, @halve)",
        "no claim `cause`",
    ),
    slip(
        "a point twice",
        DRILL,
        "id = \"near-is-fast\"",
        "id = \"idle-link\"",
        "the point id `idle-link` is taken",
    ),
    alone(
        "a verdict misspelt",
        DRILL,
        "verdicts = { symptom = \"covered\"",
        "verdicts = { symptom = \"covred\"",
        "cannot be `covred`",
    ),
];

fn whole() -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tcp");
    let mut files = Files::new();
    for folder in ["", "lessons", "quizzes", "assets"] {
        for entry in fs::read_dir(root.join(folder)).unwrap().flatten().filter(|e| e.path().is_file()) {
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            files.insert(path, fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn plant(files: &mut Files, slip: &Slip) {
    let text = String::from_utf8(files[slip.file].clone()).unwrap();
    assert!(text.contains(slip.from), "{}: `{}` is not in {}", slip.name, slip.from, slip.file);
    files.insert(slip.file.to_owned(), text.replacen(slip.from, slip.to, 1).into_bytes());
}

fn is_told(slip: &Slip, problem: &Problem) -> bool {
    problem.path == slip.file && problem.what.contains(slip.told) && !problem.cure.is_empty()
}

fn listed(problems: &[Problem]) -> String {
    problems.iter().map(|p| format!("{p}\n")).collect()
}

#[test]
fn there_are_forty_and_the_pack_is_whole_without_them() {
    assert!(SLIPS.len() >= 40, "{}", SLIPS.len());
    let problems = check_files(whole()).problems;
    assert!(problems.is_empty(), "{}", listed(&problems));
}

#[test]
fn each_slip_is_told_first_of_all() {
    for slip in SLIPS {
        let mut files = whole();
        plant(&mut files, slip);
        let problems = check_files(files).problems;
        let first = problems.first().unwrap_or_else(|| panic!("{} is not found", slip.name));
        assert!(is_told(slip, first), "{}: instead of `{}`\n{}", slip.name, slip.told, listed(&problems));
    }
}

#[test]
fn those_that_hide_nothing_are_told_in_one_run() {
    let mut files = whole();
    let together = || SLIPS.iter().filter(|slip| !slip.alone);
    together().for_each(|slip| plant(&mut files, slip));
    let problems = check_files(files).problems;
    for slip in together() {
        assert!(
            problems.iter().any(|p| is_told(slip, p)),
            "{} is not found\n{}",
            slip.name,
            listed(&problems)
        );
    }
    // and nothing else is told than what was planted: a slip has a problem or a few, no flood
    let misleading: Vec<String> = problems
        .iter()
        .filter(|p| !together().any(|slip| is_told(slip, p)))
        .map(|p| format!("{p}\n"))
        .collect();
    assert!(misleading.len() <= 6, "{}", misleading.concat());
}

#[test]
fn what_editors_and_systems_leave_behind_is_no_fault() {
    let mut files = whole();
    let text = String::from_utf8(files[LESSON].clone()).unwrap();
    files.insert(LESSON.to_owned(), format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes());
    files.insert("quizzes/notes.txt".to_owned(), b"to do".to_vec());
    let text = String::from_utf8(files[CHECKS].clone()).unwrap();
    files.insert(CHECKS.to_owned(), text.replace('\n', "\r\n").into_bytes());
    let problems = check_files(files).problems;
    assert!(problems.is_empty(), "{}", listed(&problems));
}
