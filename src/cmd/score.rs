//! `score`: marks for an answer, or for a file of answers.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Map, Value};

use super::learn::{named_drill, unknown};
use super::{Outcome, pack_test};
use crate::doc::aloud::aloud;
use crate::doc::{Judged, escape};
use crate::page::verdict::points::quoted;
use crate::score::{Evidence, Flag, Score, Scorer, Verdict};
use crate::services::library::Library;
use crate::study::words;

/// How to print.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    /// As an answer to the follow-up question on this part.
    pub follow: Option<&'a str>,
    /// As one JSON object.
    pub json: bool,
    /// With the rules that fired.
    pub explain: bool,
    /// In sentences, for who hears them.
    pub plain: bool,
}

/// The most that is read of one answer: 4 MiB.
const LIMIT: u64 = 4 << 20;

/// Scores the answer in a file, or on standard input.
///
/// # Errors
/// Where no pack has the drill, or the file cannot be read as text.
pub fn one(
    library: &Library,
    drill: &str,
    file: Option<&Path>,
    how: How<'_>,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let scorer = scorer(library, drill, how.follow)?;
    let answer = read(file)?;
    let score = scorer.score(&answer);
    let is_short = score.flags.contains(&Flag::TooShort);
    if how.json {
        super::json::line(&score, out)?;
    }
    // a single statement may be explained all the same
    if is_short && !how.explain {
        let (count, name) = (words::some(score.words, "word"), named(file));
        anyhow::bail!("{name} is too short to mark ({count}); write the answer in a few full sentences");
    }
    if how.json {
        return Ok(Outcome::Done);
    }
    if how.plain {
        said(&score, &answer, how.explain, out)?;
        let unread = if how.explain { scorer.unread(&answer) } else { Vec::new() };
        if !unread.is_empty() {
            let words = pack_test::quoted(&unread);
            writeln!(out, "Not read, since it only names things, or says them again: {words}")?;
        }
    } else if how.explain {
        pack_test::print_explained(drill, &answer, &scorer, &score, out)?;
    } else {
        print(&score, &answer, out)?;
    }
    Ok(Outcome::Done)
}

/// The scorer of a drill, or of its follow-up question on a part.
pub(super) fn scorer(library: &Library, drill: &str, part: Option<&str>) -> anyhow::Result<Scorer> {
    let (pack, id) = named_drill(library, drill)?;
    match library.drill(pack, id) {
        Some(d) => {
            if let Some(part) = part.filter(|p| d.follow_up(p).is_none()) {
                let asked: Vec<_> = d.follow_ups.iter().map(|f| escape::line(&f.part)).collect();
                anyhow::bail!(
                    "the drill `{drill}` has no follow-up question on `{}`; it has them on {}",
                    escape::line(part),
                    asked.join(", ")
                );
            }
            Ok(d.scorer(part, &library.packs[pack].vocabulary))
        }
        None => {
            let known = library.packs.iter().flat_map(|p| &p.drills).map(|d| d.id.as_str());
            Err(unknown("drill", drill, known, "infralens list drills"))
        }
    }
}

/// What an answer is read from, as one names it.
fn named(file: Option<&Path>) -> String {
    let file = file.filter(|f| *f != Path::new("-"));
    file.map_or_else(|| "standard input".to_owned(), |path| path.display().to_string())
}

/// The text of an answer.
///
/// # Errors
/// Where the file cannot be read, is too large, or is not text.
pub(super) fn read(file: Option<&Path>) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let name = named(file);
    match file.filter(|f| *f != Path::new("-")) {
        Some(path) => {
            let source = fs::File::open(path)
                .with_context(|| format!("cannot read {name}; name a text file, or - for standard input"))?;
            source
                .take(LIMIT + 1)
                .read_to_end(&mut bytes)
                .with_context(|| format!("cannot read {name}; name a text file, or - for standard input"))?;
        }
        None => {
            io::stdin().take(LIMIT + 1).read_to_end(&mut bytes).context("cannot read standard input")?;
        }
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        anyhow::bail!("{name} is empty; write the answer into it, a few full sentences");
    }
    if bytes.len() as u64 > LIMIT {
        anyhow::bail!("{name} is larger than 4 MiB; an answer is a page or two");
    }
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        anyhow::anyhow!("{name} is not UTF-8 text (byte {at}); save it as UTF-8")
    })
}

/// The marks in sentences, one a line: what they come to, what is not so, each part with the words that earned it;
/// explained, each point with its words. Patterns are for the eye.
fn said(score: &Score, answer: &str, explained: bool, out: &mut dyn Write) -> anyhow::Result<()> {
    let name = |part: &str| words::capital(&escape::line(part));
    let limiting =
        score.limiting_part.as_deref().map(|part| format!(" What limits it most: {}.", escape::line(part)));
    let count = words::some(score.words, "word");
    writeln!(
        out,
        "{}: {:.0}%, {}; {count}.{}",
        escape::line(&score.drill),
        score.score * 100.0,
        sum(score),
        limiting.unwrap_or_default()
    )?;
    if let Some((open, from, to)) = unsure(score) {
        let parts = words::some(open, "part");
        writeln!(out, "The rules are not sure of {parts}: it may be anything from {from:.0}% to {to:.0}%.")?;
    }
    for flag in &score.flags {
        writeln!(out, "{}", words::flag(*flag))?;
    }
    for m in &score.misconceptions {
        let quotes = quoted(answer, &m.evidence);
        let said =
            if quotes.is_empty() { String::new() } else { format!(" You said: {}.", escape::line(&quotes)) };
        writeln!(out, "Not so: {}{said}", aloud(&escape::line(&m.correction)))?;
    }
    for part in &score.parts {
        let open = if part.is_open() { ", not sure" } else { "" };
        let feedback = escape::line(part.feedback.trim());
        let feedback = aloud(&feedback);
        let earned = part.points.iter().filter(|point| point.met || point.partial);
        let quotes = quoted(answer, earned.flat_map(|point| &point.evidence));
        let quotes = match quotes.is_empty() || explained {
            true => String::new(),
            false => format!(" You said: {}.", escape::line(&quotes)),
        };
        let verdict = Judged::from(part.verdict).word();
        let line = format!("{}: {verdict}{open}.{quotes} {feedback}", name(&part.part));
        writeln!(out, "{}", line.trim_end())?;
        for point in part.points.iter().filter(|point| explained && (point.met || point.partial)) {
            let how = if point.met { "Met" } else { "Met in part" };
            let point_name = escape::line(&point.id).replace('-', " ");
            writeln!(out, "{how}: {point_name}, by {}.", escape::line(&quoted(answer, &point.evidence)))?;
        }
    }
    Ok(())
}

/// How many parts the rules are not sure of, and from where to where the mark may be, in per cent.
fn unsure(score: &Score) -> Option<(usize, f64, f64)> {
    let open = score.parts.iter().filter(|part| part.is_open()).count();
    let all = score.parts.len().max(1) as f64;
    let sum = |end: usize| score.parts.iter().map(|part| part.range()[end]).sum::<f64>() / all * 100.0;
    (open > 0).then(|| (open, sum(0), sum(1)))
}

/// The marks for the eye: what they come to, what is false, then each part with the words that earned it and what to
/// say. A symbol that a terminal may lack is a word.
pub(super) fn print(score: &Score, answer: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let quotes = |evidence: Vec<&Evidence>| match quoted(answer, evidence) {
        quotes if quotes.is_empty() => None,
        quotes => Some(format!("you said {}", escape::line(&quotes))),
    };
    let count = words::some(score.words, "word");
    writeln!(out, "{}: {:.0}%, {}; {count}", escape::line(&score.drill), score.score * 100.0, sum(score))?;
    if let Some((open, from, to)) = unsure(score) {
        let parts = words::some(open, "part");
        writeln!(out, "  the rules are not sure of {parts}: it may be anything from {from:.0}% to {to:.0}%")?;
    }
    for flag in &score.flags {
        writeln!(out, "  {}", words::flag(*flag))?;
    }
    for m in &score.misconceptions {
        let said = quotes(m.evidence.iter().collect());
        writeln!(out, "  {:<14} {}", "not so", said.unwrap_or_else(|| "what you said".to_owned()))?;
        writeln!(out, "      {}", aloud(&escape::line(&m.correction)))?;
    }
    for part in &score.parts {
        let verdict = part.verdict.name();
        let limiting =
            if score.limiting_part.as_deref() == Some(&part.part) { ", the weakest part" } else { "" };
        let open = if part.is_open() { ", not sure" } else { "" };
        writeln!(out, "  {:<14} {verdict}{limiting}{open}", escape::line(&part.part))?;
        let earned = part.points.iter().filter(|point| point.met || point.partial);
        if let Some(said) = quotes(earned.flat_map(|point| &point.evidence).collect()) {
            writeln!(out, "      {said}")?;
        }
        if !part.feedback.trim().is_empty() {
            writeln!(out, "      {}", aloud(&escape::line(part.feedback.trim())))?;
        }
    }
    Ok(())
}

/// What the mark is made of: `2 of 5 parts covered, 1 partial`.
fn sum(score: &Score) -> String {
    let count = |verdict: Verdict| score.parts.iter().filter(|part| part.verdict == verdict).count();
    let all = words::some(score.parts.len(), "part");
    let partial = match count(Verdict::Partial) {
        0 => String::new(),
        n => format!(", {n} partial"),
    };
    format!("{} of {all} covered{partial}", count(Verdict::Covered))
}

/// Scores every line of a JSON Lines file, in order. Keys other than the answer pass through.
/// A line that is no object with `drill` and `answer`, or names an unknown drill, is named among the errors; the others
/// are scored all the same.
///
/// # Errors
/// Where the file cannot be read.
pub fn batch(
    library: &Library,
    file: &Path,
    out: &mut dyn Write,
    errors: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let name = file.display();
    let mut scorers: HashMap<String, Scorer> = HashMap::new();
    let source: Box<dyn Read> = if file == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(
            fs::File::open(file)
                .with_context(|| format!("cannot read {name}; name a text file, or - for standard input"))?,
        )
    };
    let (mut all, mut bad) = (0, 0);
    for (at, line) in BufReader::new(source).lines().enumerate() {
        let place = || format!("{name}:{}", at + 1);
        let marks = match line {
            Ok(line) if line.trim().is_empty() => continue,
            Ok(line) => scored(library, &line, &mut scorers).with_context(place),
            Err(fault) if fault.kind() == io::ErrorKind::InvalidData => {
                Err(anyhow::anyhow!("{}: not UTF-8 text; save it as UTF-8", place()))
            }
            Err(fault) => return Err(fault).with_context(|| format!("cannot read {name}")),
        };
        all += 1;
        match marks {
            Ok(marks) => super::json::line(&marks, out)?,
            Err(fault) => {
                bad += 1;
                let said = format!("infralens: {}", super::causes(&fault));
                writeln!(errors, "{}", escape::lines(&said))?;
            }
        }
    }
    if bad == 0 {
        return Ok(Outcome::Done);
    }
    let lines = words::some(all, "line");
    writeln!(errors, "infralens: {bad} of {lines} could not be scored; mend them and score those again")?;
    Ok(Outcome::Failed)
}

fn scored(
    library: &Library,
    line: &str,
    scorers: &mut HashMap<String, Scorer>,
) -> anyhow::Result<Map<String, Value>> {
    let mut given: Map<String, Value> =
        serde_json::from_str(line).context("the line is not a JSON object; write one object per line")?;
    let text = |key: &str| -> anyhow::Result<String> {
        let value = given.get(key).and_then(Value::as_str);
        value.map(str::to_owned).with_context(|| format!("the key `{key}` is missing or not a text; add it"))
    };
    let (drill, answer) = (text("drill")?, text("answer")?);
    if !scorers.contains_key(&drill) {
        scorers.insert(drill.clone(), scorer(library, &drill, None)?);
    }
    let score = scorers[&drill].score(&answer);
    given.remove("answer");
    if let Value::Object(marks) = serde_json::to_value(score)? {
        given.extend(marks);
    }
    Ok(given)
}
