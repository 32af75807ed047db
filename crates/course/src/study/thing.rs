//! Everything that has an id, as one list, and each as one text: for `list`, `show` and the search.

use std::fmt::Write;

use super::check;
use crate::pack::{Check, CheckKind, Drill, Lab, Pack, Puzzle, Worksheet, prose};
use crate::sim::{KINDS, SimKind};

/// What a thing is. What teaches comes before what asks, where both are found alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A lesson.
    Lesson,
    /// A term of the glossary.
    Term,
    /// A lab.
    Lab,
    /// A page of the program.
    Page,
    /// A simulator.
    Sim,
    /// An open question.
    Drill,
    /// A puzzle.
    Puzzle,
    /// A short question.
    Check,
}

impl Kind {
    /// The word for it, which also stands before an id: `term:ddp`.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Lesson => "lesson",
            Kind::Term => "term",
            Kind::Lab => "lab",
            Kind::Page => "go to",
            Kind::Sim => "sim",
            Kind::Drill => "drill",
            Kind::Puzzle => "puzzle",
            Kind::Check => "check",
        }
    }
}

/// A thing, and by what it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Thing {
    /// What it is.
    pub kind: Kind,
    /// Its id, unique among those of its kind in its pack.
    pub id: String,
    /// The lesson it belongs to, by its id.
    pub lesson: Option<String>,
    /// Its name, or the question it asks, in one line without markup.
    pub title: String,
    /// Its other names.
    pub names: Vec<String>,
    /// Names of what it teaches, one a line.
    pub teaches: String,
}

impl Thing {
    /// A thing of the program itself.
    pub fn own(kind: Kind, id: &str, title: &str) -> Self {
        let (id, title) = (id.to_owned(), title.to_owned());
        Thing { kind, id, lesson: None, title, names: Vec::new(), teaches: String::new() }
    }

    /// The title with another name behind it.
    pub fn shown(&self) -> String {
        // a plural tells nothing
        let is_plural = |name: &&String| {
            let (name, title) = (name.to_lowercase(), self.title.to_lowercase());
            ["s", "es"].iter().any(|end| name.strip_suffix(end) == Some(title.as_str()))
                || title.strip_suffix('y').is_some_and(|stem| name == format!("{stem}ies"))
        };
        match self.names.iter().find(|name| !is_plural(name)) {
            Some(name) => format!("{} ({name})", self.title),
            None => self.title.clone(),
        }
    }
}

/// All that a pack holds, kind by kind.
pub fn of_pack(pack: &Pack) -> Vec<Thing> {
    let of = |kind, id: &str, lesson: Option<&str>, title: &str| Thing {
        lesson: lesson.map(str::to_owned),
        ..Thing::own(kind, id, title)
    };
    let mut all = Vec::new();
    for lesson in &pack.lessons {
        let terms = lesson.section.terms.iter().filter_map(|id| pack.term(id));
        let teaches = terms.map(|t| t.name.as_str()).collect::<Vec<_>>().join("\n");
        all.push(Thing { teaches, ..of(Kind::Lesson, &lesson.id, None, &lesson.title) });
    }
    let labs = pack.lessons.iter().flat_map(|l| l.labs.iter().map(move |lab| (l, lab)));
    all.extend(labs.map(|(l, lab)| of(Kind::Lab, &lab.id, Some(&l.id), &lab.title)));
    all.extend(pack.drills.iter().map(|d| of(Kind::Drill, &d.id, Some(&d.lesson), &line(&d.prompt))));
    all.extend(pack.checks.iter().map(|c| Thing {
        names: worksheet(c).into_iter().collect(),
        ..of(Kind::Check, &c.id, Some(&c.lesson), &asked(pack, c))
    }));
    all.extend(pack.puzzles.iter().map(|p| of(Kind::Puzzle, &p.id, Some(&p.lesson), &p.title)));
    all.extend(
        pack.terms.iter().map(|t| Thing {
            names: t.aliases.clone(),
            ..of(Kind::Term, &t.id, t.lesson.as_deref(), &t.name)
        }),
    );
    all
}

/// What a worksheet is also called.
fn worksheet(check: &Check) -> Option<String> {
    matches!(check.kind, CheckKind::Worksheet(_)).then(|| "worksheet".to_owned())
}

/// The simulators.
pub fn sims() -> impl Iterator<Item = Thing> {
    KINDS.iter().map(|kind| Thing::own(Kind::Sim, kind.name, kind.title))
}

/// The text of a thing as Markdown, with names for ids; none where there is no such thing. It gives no
/// answer away: not that of a check, nor the model answer of a drill, nor par of a puzzle that hides it.
pub fn text(pack: Option<&Pack>, kind: Kind, id: &str) -> Option<String> {
    if kind == Kind::Sim {
        return crate::sim::kind(id).map(of_sim);
    }
    let pack = pack?;
    let text = match kind {
        Kind::Lesson => prose::section(pack, pack.lesson(id)?),
        Kind::Lab => {
            let (lesson, lab) = pack.lab(id)?;
            format!("{}{}", prose::lab(lab, lesson), code(lab))
        }
        Kind::Drill => of_drill(pack, pack.drill(id)?),
        Kind::Check => of_check(pack, pack.check(id)?),
        Kind::Puzzle => of_puzzle(pack.puzzle(id)?),
        Kind::Term => format!("# {}\n\n{}", pack.term(id)?.name, prose::term(pack, id)?),
        Kind::Sim | Kind::Page => return None,
    };
    Some(pack.named(&text).into_owned())
}

/// The question of a check in one line; one of its draws, where it asks for a number.
pub fn asked(pack: &Pack, check: &Check) -> String {
    asked_as(pack, check, 0)
}

/// The question of a check in one line, with what this seed draws.
pub fn asked_as(pack: &Pack, check: &Check, seed: u64) -> String {
    match &check.kind {
        CheckKind::Worksheet(sheet) => sheet.title.clone(),
        _ => line(&pack.named(&question(check, seed))),
    }
}

fn question(check: &Check, seed: u64) -> String {
    check::ask(check, seed).map_or_else(|_| check.question.clone(), |asked| asked.question)
}

/// A Markdown text in one line of plain words.
fn line(markdown: &str) -> String {
    prose::unmarked(markdown).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn of_lesson(pack: &Pack, id: &str) -> String {
    let lesson = pack.lesson(id);
    lesson.map(|l| format!("Belongs to [{}](lesson:{}).", l.title, l.id)).unwrap_or_default()
}

fn of_drill(pack: &Pack, drill: &Drill) -> String {
    let mut out = format!("# {}\n\n", drill.prompt.trim());
    let _ = writeln!(out, "{} minutes. {}\n", drill.minutes, of_lesson(pack, &drill.lesson));
    for part in &pack.parts {
        let _ = writeln!(out, "- **{}**: {}", part.title, part.question);
    }
    out
}

fn of_check(pack: &Pack, check: &Check) -> String {
    let title = match &check.kind {
        CheckKind::Worksheet(sheet) => format!("# {}\n\n", sheet.title),
        _ => String::new(),
    };
    let mut out = format!("{title}{}\n\n", question(check, 0).trim());
    if let Ok(asked) = check::ask(check, 0) {
        for option in asked.form.shown() {
            let _ = writeln!(out, "- {}", option.text.trim().replace('\n', "\n  "));
        }
        if !asked.form.shown().is_empty() {
            out.push('\n');
        }
        if let Some(note) = asked.form.note() {
            let _ = writeln!(out, "{note}\n");
        }
    }
    if let CheckKind::Worksheet(sheet) = &check.kind {
        out.push_str(&of_worksheet(sheet));
    }
    out + &of_lesson(pack, &check.lesson) + "\n"
}

fn of_worksheet(sheet: &Worksheet) -> String {
    let mut out = String::new();
    for row in &sheet.rows {
        let cells: Vec<&str> = row.cells.iter().map(|c| c.label.as_str()).collect();
        let _ = writeln!(out, "- {}: {}", row.label, cells.join(", "));
    }
    out + "\n"
}

fn of_puzzle(puzzle: &Puzzle) -> String {
    let kind = puzzle.rules.start.kind();
    let mut out =
        format!("# {}\n\n{}\n\nIt uses the simulator {}. Knobs:\n\n", puzzle.title, puzzle.goal, kind.title);
    for knob in crate::sim::puzzle::plain::knob_lines(&puzzle.rules, &puzzle.rules.start) {
        let _ = writeln!(out, "- {knob}");
    }
    let _ = writeln!(out, "\n`infralens puzzle {} --set NAME=VALUE` judges a setting.", puzzle.id);
    out
}

fn of_sim(kind: &SimKind) -> String {
    let mut out =
        format!("# {}\n\n{}\n\n| name | starts at | range | what it is |\n", kind.title, kind.about);
    out.push_str("| --- | --- | --- | --- |\n");
    for p in kind.parameters {
        let help = p.help.replace('|', "\\|");
        let _ = writeln!(out, "| `{}` | {} | {} | {help} |", p.name, p.show(p.default), p.listed());
    }
    out.push_str("\nPresets:\n\n");
    for preset in kind.presets {
        let _ = writeln!(out, "- {}", preset.name);
    }
    let _ = writeln!(out, "\n`infralens sim {} --set NAME=VALUE` runs it.", kind.name);
    out
}

/// The starter with its notes, block by block.
fn code(lab: &Lab) -> String {
    let lines: Vec<&str> = lab.starter.text.lines().collect();
    let mut out = format!("## The starter, `{}`\n\n", lab.starter.path);
    for block in &lab.blocks {
        let _ = writeln!(out, "### {}\n", block.title);
        for note in &block.notes {
            let shown = lines.get(note.lines.clone()).unwrap_or_default();
            let _ = writeln!(out, "    {}\n\n{}\n", shown.join("\n    "), note.text.trim());
        }
    }
    out
}
