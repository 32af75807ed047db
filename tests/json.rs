//! What verbs print for programs, held against the schemas under `docs/json`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::Value;

const ANSWER: &str = "Each rank sees other data, so the gradients differ and the replicas would drift apart. DDP averages \
    the gradients with an all-reduce in buckets. DDP also shards the optimizer state.";

fn validator(name: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("docs/json/{name}.schema.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert!(jsonschema::meta::is_valid(&schema), "{name} is no schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// Fails where a value is not what the schema of this name says.
#[track_caller]
pub fn holds(name: &str, value: &Value) {
    let validator = validator(name);
    let faults: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).take(3).collect();
    assert!(faults.is_empty(), "{name}: {faults:#?}");
}

struct Desk(tempfile::TempDir);

impl Desk {
    /// What a verb prints, whatever its status is.
    fn out(&self, args: &[&str], input: &str) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_infralens"))
            .arg("--data-dir")
            .arg(self.0.path())
            .args(args)
            .env_remove("INFRALENS_PYTHON")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        // one that reads nothing may have ended
        let _ = child.stdin.take().expect("its input").write_all(input.as_bytes());
        String::from_utf8(child.wait_with_output().expect("it ends").stdout).expect("text")
    }

    fn json(&self, args: &[&str], input: &str) -> Value {
        serde_json::from_str(&self.out(args, input)).unwrap_or_else(|e| panic!("{args:?}: {e}"))
    }
}

#[test]
fn what_each_verb_prints_is_what_its_schema_says() {
    let desk = Desk(tempfile::tempdir().expect("a folder"));
    let class = desk.0.path().join("class");
    std::fs::create_dir(&class).expect("a folder");
    let class = class.to_str().expect("a path");
    let drill = "ddp-gradients-not-parameters";
    // something is kept: an answer with a rating of its own, an interview, a job
    desk.out(&["--plain", "drill", drill], &format!("{ANSWER}\n. cpmpm\ns\nq\nquit\n"));
    let advert = desk.0.path().join("advert.txt");
    std::fs::write(&advert, "Pipeline parallelism, expert parallelism, NCCL.").expect("a file");
    let advert = advert.to_str().expect("a path");
    desk.out(&["plan", "--interview", "4", "--job", advert], "");
    let handed = format!("{class}/ann.jsonl");
    desk.out(&["export", "--class", "distributed-training", "--student", "Ann", &handed], "");
    let attempt = desk.json(&["history", "--json"], "")[0]["id"].as_str().expect("an id").to_owned();
    desk.out(&["class", "mark", class, &attempt, "tradeoff", "--verdict", "partial", "--by", "Grace"], "");
    desk.out(&["class", "return", class], "");
    for given in std::fs::read_dir(Path::new(class).join("back")).expect("what was given") {
        let given = given.expect("a file").path();
        desk.out(&["import", given.to_str().expect("a path")], "");
    }
    assert!(desk.json(&["history", "--json"], "")[0]["given"].is_array());
    let shapes: &[(&str, &[&str])] = &[
        ("list", &["list"]),
        ("list", &["list", "sims"]),
        ("search", &["search", "mfu"]),
        ("search", &["search", "pipline", "bubbel"]),
        ("search", &["search", "xyzzyqq"]),
        ("show", &["show", "ddp"]),
        ("show", &["show", "sim:ring"]),
        ("show", &["show", "term:mfu"]),
        ("sims", &["sim"]),
        ("sim", &["sim", "mesh", "--set", "tp=64", "--set", "pp=64"]),
        ("puzzles", &["puzzle"]),
        ("puzzle", &["puzzle", "fit-13b", "--set", "stage=1"]),
        ("puzzle", &["puzzle", "fit-13b", "--hints", "2", "--set", "stage=2", "--set", "gradients=bf16"]),
        ("history", &["history"]),
        ("stats", &["stats"]),
        ("plan", &["plan"]),
        ("due", &["due"]),
        ("doctor", &["doctor"]),
        ("concept", &["concept", "nvlink"]),
        ("measure-list", &["measure"]),
        ("measure", &["measure", "01-ddp-buckets", "--stored", "--simulate"]),
        ("pack-check", &["pack", "check"]),
        ("pack-list", &["pack", "list"]),
        ("class-open", &["class", "open", class]),
    ];
    let mut held: BTreeSet<&str> = BTreeSet::new();
    for (shape, args) in shapes {
        holds(shape, &desk.json(&[args, &["--json"][..]].concat(), ""));
        held.insert(shape);
    }
    for kind in infralens::sim::KINDS {
        holds("sim", &desk.json(&["sim", kind.name, "--json"], ""));
    }
    holds("score", &desk.json(&["score", drill, "--json"], ANSWER));
    let line = serde_json::json!({"id": 7, "drill": drill, "answer": ANSWER}).to_string();
    holds("score-batch", &desk.json(&["score", "--batch", "-"], &line));
    for (shape, args) in [("export", vec!["export"]), ("class-judged", vec!["class", "judged", class])] {
        let lines = desk.out(&args, "");
        assert!(!lines.is_empty(), "{shape}");
        lines.lines().for_each(|line| holds(shape, &serde_json::from_str(line).expect("JSON")));
        held.insert(shape);
    }
    // what the judge says is held by the test of the judge
    held.extend(["score", "score-batch", "score-judge"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json");
    let written: BTreeSet<String> = std::fs::read_dir(folder)
        .expect("the folder")
        .filter_map(|entry| entry.expect("a file").file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".schema.json").map(str::to_owned))
        .collect();
    assert_eq!(written, held.into_iter().map(str::to_owned).collect());
}

/// A value with every other type somewhere is refused: a schema that takes anything would hold nothing.
#[test]
fn a_schema_refuses_what_is_not_its_shape() {
    let desk = Desk(tempfile::tempdir().expect("a folder"));
    let mut list = desk.json(&["list", "lessons", "--json"], "");
    list[0]["kind"] = "novel".into();
    assert!(!validator("list").is_valid(&list));
    let mut due = desk.json(&["due", "--json"], "");
    due["more"] = 1.into();
    assert!(!validator("due").is_valid(&due));
}
