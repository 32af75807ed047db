//! Puts the built-in pack into the program: the list of its files, and its table of contents.
//!
//! The list is made here and not by a macro, because a macro does not see a lesson that was
//! added, and because only this list says which folders belong to the pack. The table of contents
//! is Rust source, so that a start parses nothing; it takes what stands in the files and computes
//! nothing. A test compares it with the course as it is read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io, iter};

use toml::de::{DeTable, DeValue};

const FILES: [&str; 3] = ["pack.toml", "glossary.toml", "claims.toml"];
const FOLDERS: [&str; 3] = ["lessons", "quizzes", "assets"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let target = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo:rerun-if-changed=build.rs");
    let mut paths = Vec::new();
    for name in FILES.into_iter().chain(FOLDERS) {
        let path = root.join(name);
        if path.exists() {
            println!("cargo:rerun-if-changed={name}");
            collect(&path, &mut paths)?;
        }
    }
    // sorted by their names as text, so that a name is found by halving
    let mut rows: Vec<(String, &PathBuf)> =
        paths.iter().filter_map(|p| Some((name_below(&root, p)?, p))).collect();
    rows.sort();
    fs::write(target.join("embedded.rs"), table(&rows))?;
    fs::write(target.join("digest.rs"), format!("{:#018x}", digest(&rows)?))?;
    fs::write(target.join("index.rs"), index(&rows)?)
}

fn collect(path: &Path, into: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        into.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        collect(&entry?.path(), into)?;
    }
    Ok(())
}

fn table(rows: &[(String, &PathBuf)]) -> String {
    let mut out = String::from("&[\n");
    for (name, path) in rows {
        let _ = writeln!(out, "    ({name:?}, include_bytes!({path:?})),");
    }
    out.push_str("]\n");
    out
}

/// FNV-1a over the names and contents of all files.
fn digest(rows: &[(String, &PathBuf)]) -> io::Result<u64> {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for (name, path) in rows {
        for byte in name.bytes().chain([0]).chain(fs::read(path)?) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(digest)
}

fn name_below(root: &Path, path: &Path) -> Option<String> {
    let below = path.strip_prefix(root).ok()?;
    let names: Option<Vec<&str>> = below.components().map(|c| c.as_os_str().to_str()).collect();
    Some(names?.join("/"))
}

/// The table of contents as an expression of the types of `pack::index`.
fn index(rows: &[(String, &PathBuf)]) -> io::Result<String> {
    let read = |name: &str| -> io::Result<(String, String)> {
        let (name, path) = rows.iter().find(|(n, _)| n == name).ok_or_else(|| bad(name, "is missing"))?;
        Ok((name.clone(), fs::read_to_string(path)?))
    };
    let manifest = read("pack.toml")?;
    let manifest = Table::parse(&manifest)?;
    let order = manifest.texts("lessons")?;
    let mut files = Vec::new();
    for (name, _) in rows.iter().filter(|(n, _)| n.starts_with("quizzes/") && n.ends_with(".toml")) {
        files.push(read(name)?);
    }
    let mut quizzes = files.iter().map(Table::parse).collect::<io::Result<Vec<_>>>()?;
    let place = |quiz: &Table| quiz.text("lesson").ok().and_then(|id| order.iter().position(|o| *o == id));
    quizzes.sort_by_key(place);
    let (mut drills, mut checks, mut puzzles) = (String::new(), String::new(), String::new());
    for quiz in &quizzes {
        quiz_rows(quiz, (&mut drills, &mut checks, &mut puzzles))?;
    }
    let mut lessons = String::new();
    for id in &order {
        let file = read(&format!("lessons/{id}.toml"))?;
        let quizzes: Vec<&Table> = quizzes.iter().filter(|q| q.text("lesson").ok() == Some(id)).collect();
        lesson(&Table::parse(&file)?, &quizzes, &mut lessons)?;
    }
    let mut parts = String::new();
    for part in manifest.tables("part")? {
        let [id, title, question] = [part.show("id")?, part.show("title")?, part.show("question")?];
        let _ = writeln!(parts, "Part {{ id: {id}, title: {title}, question: {question} }},");
    }
    let [id, title, version, about] = ["id", "title", "version", "about"].map(|key| manifest.show(key));
    Ok(format!(
        "Index {{ id: {}, title: {}, version: {}, about: {},\nparts: {},\nlessons: {},\ndrills: {},\n\
         checks: {},\npuzzles: {} }}\n",
        id?,
        title?,
        version?,
        about?,
        list(&parts),
        list(&lessons),
        list(&drills),
        list(&checks),
        list(&puzzles)
    ))
}

fn lesson(file: &Table, quizzes: &[&Table], out: &mut String) -> io::Result<()> {
    let mut labs = String::new();
    for lab in file.tables("lab")? {
        let (id, title, minutes) = (lab.show("id")?, lab.show("title")?, lab.number("minutes")?);
        let _ = write!(labs, "Lab {{ id: {id}, title: {title}, minutes: {minutes} }}, ");
    }
    let needs: String = file.texts("needs")?.iter().map(|id| format!("{}, ", borrowed(id))).collect();
    let [id, title, summary] = [file.show("id")?, file.show("title")?, file.show("summary")?];
    let minutes = file.number("minutes")?;
    let asked = match file.get("asked") {
        Some(_) => format!("Some({})", file.number("asked")?),
        None => "None".into(),
    };
    let _ = writeln!(
        out,
        "Lesson {{ id: {id}, title: {title}, summary: {summary}, minutes: {minutes}, asked: {asked}, needs: {}, \
         labs: {}, checks: {} }},",
        list(&needs),
        list(&labs),
        checks(quizzes)?
    );
    Ok(())
}

/// The kinds of checks, in the order in which a lesson asks them.
const CHECKS: [&str; 5] = ["choice", "claim", "order", "number", WORKSHEET];
const WORKSHEET: &str = "worksheet";

/// The checks of a lesson taken together; how long each kind takes is known to the program.
fn checks(quizzes: &[&Table]) -> io::Result<String> {
    let mut count = 0;
    let mut seconds = Vec::new();
    for kind in CHECKS {
        let mut times = 0;
        for quiz in quizzes {
            for check in quiz.tables(kind)? {
                count += 1;
                times += if kind == WORKSHEET { cells(&check)? } else { 1 };
            }
        }
        match times {
            0 => {}
            1 => seconds.push(format!("seconds_of({kind:?})")),
            times => seconds.push(format!("{times} * seconds_of({kind:?})")),
        }
    }
    let seconds = if seconds.is_empty() { "0".to_owned() } else { seconds.join(" + ") };
    Ok(format!("Checks {{ count: {count}, seconds: {seconds} }}"))
}

fn quiz_rows(
    quiz: &Table,
    (drills, checks, puzzles): (&mut String, &mut String, &mut String),
) -> io::Result<()> {
    let lesson = quiz.show("lesson")?;
    for drill in quiz.tables("drill")? {
        let mut parts: Vec<String> = Vec::new();
        for point in drill.tables("point")? {
            let also = point.texts("also")?;
            for part in iter::once(point.show("part")?).chain(also.iter().map(|part| borrowed(part))) {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        // a number that the question computes is put in when the course is read
        let prompt = drill.text("prompt")?;
        let prompt =
            if prompt.contains("{{") { "None".to_owned() } else { format!("Some({})", borrowed(prompt)) };
        let (id, minutes, parts) = (drill.show("id")?, drill.number("minutes")?, list(&parts.join(", ")));
        let level = match drill.text("level")? {
            "junior" => "Junior",
            "mid" => "Mid",
            _ => "Senior",
        };
        let _ = writeln!(
            drills,
            "Drill {{ id: {id}, lesson: {lesson}, prompt: {prompt}, minutes: {minutes}, level: Level::{level}, \
             parts: {parts} }},"
        );
    }
    for kind in CHECKS {
        for check in quiz.tables(kind)? {
            let id = check.show("id")?;
            let asks = if kind == WORKSHEET { worksheet(&check)? } else { format!("Asks::Short({kind:?})") };
            let _ = writeln!(checks, "Check {{ id: {id}, lesson: {lesson}, asks: {asks} }},");
        }
    }
    for puzzle in quiz.tables("puzzle")? {
        let [id, title] = [puzzle.show("id")?, puzzle.show("title")?];
        let par = puzzle.text("par")?;
        let most = puzzle.keys.contains_key("maximise");
        let tolerance = match puzzle.get("tolerance") {
            Some(value) => format!("Some({:?})", float(value).ok_or_else(|| puzzle.fault("tolerance"))?),
            None => "None".to_owned(),
        };
        let _ = writeln!(
            puzzles,
            "Puzzle {{ id: {id}, lesson: {lesson}, title: {title}, par: Par::Source({par:?}), most: {most}, \
             tolerance: {tolerance} }},"
        );
    }
    Ok(())
}

fn worksheet(check: &Table) -> io::Result<String> {
    Ok(format!("Asks::Worksheet {{ title: {}, cells: {} }}", check.show("title")?, cells(check)?))
}

fn cells(worksheet: &Table) -> io::Result<usize> {
    worksheet.tables("row")?.iter().map(|row| Ok(row.tables("cell")?.len())).sum()
}

fn borrowed(text: &str) -> String {
    format!("Cow::Borrowed({text:?})")
}

fn list(rows: &str) -> String {
    format!("Cow::Borrowed(&[{rows}])")
}

fn float(value: &DeValue) -> Option<f64> {
    value.as_float().map(|f| f.as_str()).or(value.as_integer().map(|i| i.as_str()))?.parse().ok()
}

fn bad(file: &str, what: &str) -> io::Error {
    io::Error::other(format!("{file} {what}; `infralens pack check` says more about a pack"))
}

/// A table of a file, which is named where something is wrong with it.
struct Table<'a> {
    file: &'a str,
    keys: DeTable<'a>,
}

impl<'a> Table<'a> {
    fn parse((name, text): &'a (String, String)) -> io::Result<Self> {
        let table = DeTable::parse(text).map_err(|e| bad(name, &format!("is no TOML: {}", e.message())))?;
        Ok(Table { file: name, keys: table.into_inner() })
    }

    fn fault(&self, key: &str) -> io::Error {
        bad(self.file, &format!("has no usable `{key}`"))
    }

    fn get(&self, key: &str) -> Option<&DeValue<'a>> {
        self.keys.get(key).map(|value| value.get_ref())
    }

    fn text(&self, key: &str) -> io::Result<&str> {
        self.get(key).and_then(|v| v.as_str()).ok_or_else(|| self.fault(key))
    }

    /// A text as Rust source.
    fn show(&self, key: &str) -> io::Result<String> {
        self.text(key).map(borrowed)
    }

    fn number(&self, key: &str) -> io::Result<&str> {
        self.get(key).and_then(|v| v.as_integer()).map(|n| n.as_str()).ok_or_else(|| self.fault(key))
    }

    /// The texts of a list; none where it is left out.
    fn texts(&self, key: &str) -> io::Result<Vec<String>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let items = value.as_array().ok_or_else(|| self.fault(key))?;
        let text = |item: &toml::Spanned<DeValue>| item.get_ref().as_str().map(str::to_owned);
        items.iter().map(text).collect::<Option<_>>().ok_or_else(|| self.fault(key))
    }

    /// The tables of a list; none where it is left out.
    fn tables(&self, key: &str) -> io::Result<Vec<Table<'a>>> {
        let Some(value) = self.get(key) else { return Ok(Vec::new()) };
        let items = value.as_array().ok_or_else(|| self.fault(key))?;
        let tables = items.iter().map(|item| item.get_ref().as_table().cloned());
        let tables = tables.map(|keys| Some(Table { file: self.file, keys: keys? }));
        tables.collect::<Option<_>>().ok_or_else(|| self.fault(key))
    }
}
