//! A lesson, a lab or a term as one Markdown text, in reading order. The reader renders it,
//! `show` prints it, the line mode reads it out: one text for all faces.

use std::borrow::Cow;
use std::fmt::Write;

use super::{
    Diagram, Formula, Lab, Lesson, Misunderstanding, Pack, Reference, ReferenceKind, SimLink, Table,
};

/// The handbook section of a lesson.
pub fn section(pack: &Pack, lesson: &Lesson) -> String {
    let s = &lesson.section;
    let mut out = String::new();
    heading(&mut out, 1, &lesson.title);
    paragraph(&mut out, &format!("*{}*", lesson.summary));
    heading(&mut out, 2, "What problem it solves");
    let mut placed = Vec::new();
    let problem = place(&s.problem, lesson, &mut placed);
    paragraph(&mut out, &problem);
    heading(&mut out, 2, "How it works");
    let mechanism = place(&s.mechanism, lesson, &mut placed);
    paragraph(&mut out, &mechanism);
    unplaced(&mut out, lesson, &placed);
    heading(&mut out, 2, SAY);
    paragraph(&mut out, &s.say);
    misunderstandings(&mut out, &s.misunderstandings);
    let puzzles = pack.puzzles_of(&lesson.id);
    let puzzles: Vec<_> = puzzles.map(|p| format!("[{}](puzzle:{})", p.title, p.id)).collect();
    list(&mut out, BEHIND[0], &puzzles);
    words(&mut out, pack, &s.terms);
    references(&mut out, BEHIND[2], &s.references);
    out
}

/// What of a lesson's section explains things: the problem and how it works.
pub fn explained(pack: &Pack, lesson: &Lesson) -> String {
    let all = section(pack, lesson);
    let end = all.find(&format!("\n## {SAY}\n")).unwrap_or(all.len());
    all[..end].to_owned()
}

/// The heading of what to say in an interview.
const SAY: &str = "What to say in an interview";

/// The heading of the terms of a section.
pub const WORDS: &str = "Words";

/// What stands behind the text of a section, to be looked up.
pub const BEHIND: [&str; 3] = ["Puzzles", WORDS, "Read on"];

/// The level of headings that name a figure, a table or a formula: no section of their own.
pub(crate) const CAPTION: usize = 4;

/// The terms with their definitions. They stand behind the text, which links each where it is needed.
fn words(out: &mut String, pack: &Pack, terms: &[String]) {
    let terms = terms.iter().filter_map(|id| pack.term(id));
    let terms: Vec<String> = terms.map(|t| format!("[[{}|{}]]: {}", t.id, t.name, t.definition)).collect();
    list(out, WORDS, &terms);
}

/// All that a lab holds, but the code.
pub fn lab(lab: &Lab, lesson: &Lesson) -> String {
    let mut out = lab_start(lab, lesson);
    lab_findings(&mut out, lab);
    list(&mut out, "Changes to try", &lab.extend);
    lab_end(&mut out, lab);
    out
}

/// What a lab holds for somebody who has not compared its output with predictions yet: all but what to see in it, and what comes of
/// changing it, which tells that too.
pub fn lab_before_run(lab: &Lab, lesson: &Lesson) -> String {
    let mut out = lab_start(lab, lesson);
    heading(&mut out, 2, "After your prediction");
    paragraph(
        &mut out,
        "What to notice, what it keeps you from misunderstanding, how to say it, the intuition \
         to keep and the changes to try appear here once you have predicted, run and compared it: press `r`. To read \
         them without that, mark the lab as done: press `m`.",
    );
    lab_end(&mut out, lab);
    out
}

fn lab_start(lab: &Lab, lesson: &Lesson) -> String {
    let mut out = String::new();
    heading(&mut out, 1, &lab.title);
    paragraph(&mut out, &format!("Belongs to [{}](lesson:{}).", lesson.title, lesson.id));
    for (title, text) in [("Goal", &lab.goal), ("Mental model", &lab.mental_model)] {
        heading(&mut out, 2, title);
        paragraph(&mut out, text);
    }
    if !lab.predictions.is_empty() {
        heading(&mut out, 2, "Predict before you run it");
        for p in &lab.predictions {
            item(&mut out, &p.ask);
        }
        out.push('\n');
    }
    out
}

fn lab_findings(out: &mut String, lab: &Lab) {
    for (title, items) in
        [("What to notice", &lab.notice), ("What it keeps you from misunderstanding", &lab.prevents)]
    {
        list(out, title, items);
    }
    for (title, text) in [("How to say it out loud", &lab.say), ("The intuition to keep", &lab.intuition)] {
        heading(out, 2, title);
        paragraph(out, text);
    }
}

fn lab_end(out: &mut String, lab: &Lab) {
    let sims: Vec<String> = lab
        .sim_links()
        .map(|(address, s)| {
            let title = crate::sim::kind(&s.kind).map_or(&s.kind[..], |k| k.title);
            sim_link(title, (&address, s))
        })
        .collect();
    list(out, "In the simulator", &sims);
    references(out, "Read on", &lab.further);
}

/// The answers to a lab's predictions, shown after it ran.
pub fn predictions(lab: &Lab) -> String {
    let mut out = String::new();
    for p in &lab.predictions {
        paragraph(&mut out, &format!("**{}**", p.ask.trim()));
        paragraph(&mut out, &p.answer);
    }
    out
}

/// The definition of a term, and its other names.
pub fn definition(term: &super::Term) -> String {
    let mut out = String::new();
    paragraph(&mut out, &term.definition);
    if !term.aliases.is_empty() {
        paragraph(&mut out, &format!("*Also:* {}", term.aliases.join(", ")));
    }
    out
}

/// The definition of a term, with what stands beside it.
pub fn term(pack: &Pack, id: &str) -> Option<String> {
    let term = pack.term(id)?;
    let mut out = definition(term);
    let related: Vec<String> = term
        .related
        .iter()
        .filter_map(|id| pack.term(id))
        .map(|t| format!("[[{}|{}]]", t.id, t.name))
        .collect();
    if !related.is_empty() {
        paragraph(&mut out, &format!("*See also:* {}", related.join(", ")));
    }
    if let Some(lesson) = term.lesson.as_deref().and_then(|id| pack.lesson(id)) {
        paragraph(&mut out, &format!("*Taught in:* [{}](lesson:{})", lesson.title, lesson.id));
    }
    Some(out)
}

/// A Markdown text in which every link to a term, such as `[[gqa]]`, shows a name instead of the term's id.
pub fn named<'a>(text: &'a str, name: impl Fn(&str) -> Option<&'a str>) -> Cow<'a, str> {
    if !text.contains("[[") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 32);
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("[[") {
        out.push_str(before);
        out.push_str("[[");
        rest = link;
        let known = link.split_once("]]").and_then(|(id, _)| Some((id, name(id)?)));
        if let Some((id, name)) = known {
            let _ = write!(out, "{id}|{name}");
            rest = &link[id.len()..];
        }
    }
    Cow::Owned(out + rest)
}

/// A Markdown text as words, line by line: links as what they show, without marks of emphasis, code and
/// headings.
pub fn unmarked(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    for line in markdown.split_inclusive('\n') {
        words_of_line(line.trim_start_matches(['#', '>', ' ']), &mut out);
    }
    out
}

fn words_of_line(line: &str, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find(['[', ']', '*', '`']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = match rest.strip_prefix("[[").and_then(|inner| inner.split_once("]]")) {
            Some((link, after)) => {
                out.push_str(link.split_once('|').map_or(link, |(_, shown)| shown));
                after
            }
            None => match rest.strip_prefix("](").and_then(|inner| inner.split_once(')')) {
                Some((_, after)) => after,
                None => &rest[1..],
            },
        };
    }
    out.push_str(rest);
}

/// Puts diagrams, formulas and tables where the text asks for them.
fn place(text: &str, lesson: &Lesson, placed: &mut Vec<(&'static str, String)>) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match placement(line) {
            Some((kind, id)) => {
                let found = match kind {
                    "diagram" => lesson.section.diagrams.iter().find(|d| d.id == id).map(diagram),
                    "formula" => {
                        let found = lesson.section.formulas.iter().find(|f| f.id == id);
                        found.map(|f| formula(lesson, f))
                    }
                    _ => lesson.section.tables.iter().find(|t| t.id == id).map(table),
                };
                if let Some(piece) = found {
                    out.push('\n');
                    out.push_str(&piece);
                    placed.push((kind, id.to_owned()));
                }
            }
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
    out
}

/// Reads a line such as `{diagram ring}`: the kind of piece and its id.
pub fn placement(line: &str) -> Option<(&'static str, &str)> {
    let inner = line.trim().strip_prefix('{')?.strip_suffix('}')?;
    let (kind, id) = inner.split_once(' ')?;
    let kind = ["diagram", "formula", "table"].into_iter().find(|k| *k == kind)?;
    Some((kind, id.trim()))
}

fn unplaced(out: &mut String, lesson: &Lesson, placed: &[(&'static str, String)]) {
    let is_new = |kind, id: &str| !placed.iter().any(|(k, p)| *k == kind && p == id);
    let s = &lesson.section;
    for f in s.formulas.iter().filter(|f| is_new("formula", &f.id)) {
        out.push_str(&formula(lesson, f));
    }
    for d in s.diagrams.iter().filter(|d| is_new("diagram", &d.id)) {
        out.push_str(&diagram(d));
    }
    for t in s.tables.iter().filter(|t| is_new("table", &t.id)) {
        out.push_str(&table(t));
    }
}

fn formula(lesson: &Lesson, f: &Formula) -> String {
    let mut out = String::new();
    heading(&mut out, CAPTION, &f.title);
    fenced(&mut out, &f.text, f.spoken.as_deref());
    for (symbol, meaning) in &f.symbols {
        item(&mut out, &format!("`{symbol}`: {meaning}"));
    }
    out.push('\n');
    if let Some(example) = &f.example {
        paragraph(&mut out, example);
    }
    if let Some(sim) = &f.sim {
        paragraph(&mut out, &sim_link("Open it in the simulator", (&lesson.address(f), sim)));
    }
    out
}

/// A link to a simulator with its address, and what to look at in it.
fn sim_link(words: &str, (address, sim): (&str, &SimLink)) -> String {
    let target = format!("{}#{address}", sim_target(&sim.kind, &sim.set));
    let note = sim.note.as_deref().map(|n| format!(". {n}")).unwrap_or_default();
    format!("[{words}](sim:{target}){note}")
}

/// A simulator with its values, as a link target: `ring?n=8&size=1`.
pub(crate) fn sim_target(kind: &str, set: &std::collections::BTreeMap<String, f64>) -> String {
    let values: Vec<String> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
    if values.is_empty() { kind.to_owned() } else { format!("{kind}?{}", values.join("&")) }
}

fn diagram(d: &Diagram) -> String {
    let mut out = String::new();
    heading(&mut out, CAPTION, &d.title);
    fenced(&mut out, &d.text, d.spoken.as_deref());
    out
}

fn table(t: &Table) -> String {
    let mut out = String::new();
    heading(&mut out, CAPTION, &t.title);
    let row = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| c.replace('|', "\\|").replace('\n', " ")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push_str(&row(&t.columns));
    out.push_str(&format!("|{}\n", " --- |".repeat(t.columns.len())));
    for cells in &t.rows {
        out.push_str(&row(cells));
    }
    out.push('\n');
    out
}

fn misunderstandings(out: &mut String, all: &[Misunderstanding]) {
    if all.is_empty() {
        return;
    }
    heading(out, 2, "Common misunderstandings");
    for m in all {
        paragraph(out, &format!("**People say:** “{}”", m.claim.trim()));
        paragraph(out, &format!("> {}", m.truth.trim().replace('\n', "\n> ")));
    }
}

fn references(out: &mut String, title: &str, all: &[Reference]) {
    if all.is_empty() {
        return;
    }
    heading(out, 2, title);
    for r in all {
        let kind = match r.kind {
            ReferenceKind::Official => "official",
            ReferenceKind::Paper => "paper",
            ReferenceKind::Practical => "practical",
        };
        let note = r.note.as_deref().map(|n| format!(" {n}")).unwrap_or_default();
        item(out, &format!("*{kind}* {}: **{}**, {}.{note} <{}>", r.authors, r.title, r.year, r.url));
    }
    out.push('\n');
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    heading(out, 2, title);
    for text in items {
        item(out, text);
    }
    out.push('\n');
}

fn heading(out: &mut String, level: usize, text: &str) {
    let _ = writeln!(out, "{} {}\n", "#".repeat(level), text.trim());
}

fn paragraph(out: &mut String, text: &str) {
    let _ = writeln!(out, "{}\n", text.trim());
}

/// A list item; further lines are indented so that they stay in it.
fn item(out: &mut String, text: &str) {
    let _ = writeln!(out, "- {}", text.trim().replace('\n', "\n  "));
}

/// A block shown as written, with a fence longer than any in it; behind its language stands what is said instead.
fn fenced(out: &mut String, text: &str, spoken: Option<&str>) {
    let longest =
        text.lines().map(|l| l.trim_start().chars().take_while(|c| *c == '`').count()).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    // what stands behind a fence has one line and no fence of its own
    let spoken = spoken.map_or_else(String::new, |words| format!(" | {}", words.replace(['`', '\n'], " ")));
    let _ = writeln!(out, "{fence}text{spoken}\n{}\n{fence}\n", text.trim_matches('\n'));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_line_names_kind_and_id() {
        assert_eq!(placement("  {diagram ring} "), Some(("diagram", "ring")));
        assert_eq!(placement("{formula a-b}"), Some(("formula", "a-b")));
        assert_eq!(placement("{picture ring}"), None);
        assert_eq!(placement("see {diagram ring}"), None);
    }

    #[test]
    fn links_to_terms_show_their_names() {
        let name = |id: &str| (id == "gqa").then_some("grouped-query attention");
        let shown = |text| named(text, name).into_owned();
        assert_eq!(shown("a [[gqa]] b [[gqa|shown]]"), "a [[gqa|grouped-query attention]] b [[gqa|shown]]");
        assert_eq!(shown("[[other]] [[gqa"), "[[other]] [[gqa");
        assert_eq!(shown("no link"), "no link");
    }

    #[test]
    fn words_have_no_marks() {
        let text = "## A *mean* of [[dp|data]] and [[tp]]\n> see [the `lab`](lab:x)\n";
        assert_eq!(unmarked(text), "A mean of data and tp\nsee the lab\n");
    }

    #[test]
    fn a_fence_is_longer_than_any_in_the_text() {
        let mut out = String::new();
        fenced(&mut out, "```\ncode\n```", None);
        assert!(out.starts_with("````text\n```"));
    }

    #[test]
    fn a_table_keeps_pipes_inside_its_cells() {
        let t = Table {
            id: "t".into(),
            title: "T".into(),
            columns: vec!["a".into(), "b".into()],
            rows: vec![vec!["x|y".into(), "two\nlines".into()]],
        };
        assert_eq!(table(&t), "#### T\n\n| a | b |\n| --- | --- |\n| x\\|y | two lines |\n\n");
    }
}
