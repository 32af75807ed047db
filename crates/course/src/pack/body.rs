//! Everything that a course holds, ready to use. Texts are Markdown with computed numbers already put in.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use super::{Check, Drill, Origin, Puzzle, ReferenceKind, prose};
use crate::measure::table::Row;
use crate::score;

/// Everything that was read from one folder.
#[derive(Debug, Clone)]
pub struct Body {
    /// The id under which progress is kept.
    pub id: String,
    /// The name shown to learners.
    pub title: String,
    /// The version of the content.
    pub version: String,
    /// The people who wrote it.
    pub authors: Vec<String>,
    /// An SPDX expression.
    pub licence: String,
    /// One or two sentences about the course.
    pub about: String,
    /// Where it came from.
    pub origin: Origin,
    /// The parts that drills are scored against, in order.
    pub parts: Vec<Part>,
    /// The lessons in reading order.
    pub lessons: Vec<Lesson>,
    /// All drills, in lesson order.
    pub drills: Vec<Drill>,
    /// All checks, in lesson order.
    pub checks: Vec<Check>,
    /// All puzzles, in lesson order.
    pub puzzles: Vec<Puzzle>,
    /// The terms, sorted by name.
    pub terms: Vec<Term>,
    /// What the scorer knows of words: the terms' aliases and the concepts.
    pub vocabulary: score::Glossary,
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The id, used in rubrics and results.
    pub id: String,
    /// The name shown.
    pub title: String,
    /// The question behind it.
    pub question: String,
}

/// A handbook section and its labs.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// The id.
    pub id: String,
    /// The name shown.
    pub title: String,
    /// One sentence: what a reader can do after it.
    pub summary: String,
    /// Minutes to read the section.
    pub minutes: u32,
    /// How much interviews ask about it; none where its drills tell.
    pub asked: Option<u32>,
    /// Words of job descriptions that ask for it.
    pub job: Vec<String>,
    /// Ids of lessons to read first.
    pub needs: Vec<String>,
    /// The text.
    pub section: Section,
    /// The labs in reading order.
    pub labs: Vec<Lab>,
}

/// The handbook text of a lesson. Strings are Markdown.
#[derive(Debug, Clone)]
pub struct Section {
    /// What problem it solves. May place pieces as `mechanism` does.
    pub problem: String,
    /// How it works. Lines `{diagram ID}`, `{formula ID}`, `{table ID}` place a piece.
    pub mechanism: String,
    /// What to say in an interview.
    pub say: String,
    /// Ids of the terms it defines.
    pub terms: Vec<String>,
    /// Formulas.
    pub formulas: Vec<Formula>,
    /// Pictures in characters.
    pub diagrams: Vec<Diagram>,
    /// Tables.
    pub tables: Vec<Table>,
    /// False beliefs and corrections.
    pub misunderstandings: Vec<Misunderstanding>,
    /// Sources.
    pub references: Vec<Reference>,
}

/// A formula with its legend.
#[derive(Debug, Clone)]
pub struct Formula {
    /// The id, unique in its lesson.
    pub id: String,
    /// What it gives.
    pub title: String,
    /// The formula as one says it aloud.
    pub spoken: Option<String>,
    /// The formula in plain characters.
    pub text: String,
    /// Symbol and meaning.
    pub symbols: Vec<(String, String)>,
    /// A worked example, Markdown.
    pub example: Option<String>,
    /// The simulator that shows it.
    pub sim: Option<SimLink>,
}

/// A picture in characters, kept verbatim.
#[derive(Debug, Clone)]
pub struct Diagram {
    /// The id, unique in its lesson.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What there is to see, in sentences.
    pub spoken: Option<String>,
    /// The picture.
    pub text: String,
}

/// A table; cells are Markdown.
#[derive(Debug, Clone)]
pub struct Table {
    /// The id, unique in its lesson.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// The heads.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}

/// A false belief and its correction.
#[derive(Debug, Clone)]
pub struct Misunderstanding {
    /// What people say.
    pub claim: String,
    /// What is right. Markdown.
    pub truth: String,
}

/// A source.
#[derive(Debug, Clone)]
pub struct Reference {
    /// What kind of source.
    pub kind: ReferenceKind,
    /// The title.
    pub title: String,
    /// Authors or organisation.
    pub authors: String,
    /// The year.
    pub year: u16,
    /// The address.
    pub url: String,
    /// What to read it for.
    pub note: Option<String>,
}

/// A simulator with values to open it at.
#[derive(Debug, Clone)]
pub struct SimLink {
    /// The kind of simulator.
    pub kind: String,
    /// Parameters by name.
    pub set: BTreeMap<String, f64>,
    /// What to look at.
    pub note: Option<String>,
}

/// An annotated reading of a starter. Strings are Markdown.
#[derive(Debug, Clone)]
pub struct Lab {
    /// The id, unique in the pack.
    pub id: String,
    /// The name shown.
    pub title: String,
    /// Minutes it takes.
    pub minutes: u32,
    /// What a reader can do after it.
    pub goal: String,
    /// The picture to keep in mind.
    pub mental_model: String,
    /// The code that is read.
    pub starter: Starter,
    /// What to predict before it runs.
    pub predictions: Vec<Prediction>,
    /// Labelled blocks with their notes, in file order.
    pub blocks: Vec<Block>,
    /// What to notice.
    pub notice: Vec<String>,
    /// What it keeps you from misunderstanding.
    pub prevents: Vec<String>,
    /// How to say it out loud.
    pub say: String,
    /// The intuition to keep.
    pub intuition: String,
    /// Changes to try.
    pub extend: Vec<String>,
    /// Where to read on.
    pub further: Vec<Reference>,
    /// Simulators that belong to it.
    pub sims: Vec<SimLink>,
    /// Its program on real processes, if it has one.
    pub measure: Option<Box<Measure>>,
}

/// A lab's program on real processes, and what its figures are compared with.
#[derive(Debug, Clone)]
pub struct Measure {
    /// The program.
    pub program: Code,
    /// The files that it imports.
    pub imports: Vec<Code>,
    /// The numbers to predict before it runs.
    pub guesses: Vec<Guess>,
    /// What each figure is compared with.
    pub rows: Vec<Row>,
    /// Stored runs, one JSON object a line; empty where there is none.
    pub stored: String,
}

/// A file of a measured program, explained.
#[derive(Debug, Clone)]
pub struct Code {
    /// The path below `assets/`, for people.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// Labelled blocks with their notes, in file order.
    pub blocks: Vec<Block>,
}

impl Code {
    /// The file's own name: what it is called where it runs.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// A number to predict before a measured program runs.
#[derive(Debug, Clone)]
pub struct Guess {
    /// The figure's id.
    pub figure: String,
    /// The question.
    pub ask: String,
}

/// The code or worksheet file that a lab explains.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The path below `assets/`, for people.
    pub path: String,
    /// The language, for colouring: python, markdown, toml, rust, shell or text.
    pub language: String,
    /// The whole text.
    pub text: String,
    /// The stored output, for a starter that runs.
    pub expected: Option<String>,
}

/// A question to answer before the starter runs.
#[derive(Debug, Clone)]
pub struct Prediction {
    /// The question.
    pub ask: String,
    /// The answer, explained.
    pub answer: String,
}

/// A labelled block of a starter.
#[derive(Debug, Clone)]
pub struct Block {
    /// The label.
    pub title: String,
    /// The notes in file order.
    pub notes: Vec<Note>,
}

/// The explanation of some lines of a starter.
#[derive(Debug, Clone)]
pub struct Note {
    /// The lines it explains, counted from 0, end exclusive.
    pub lines: Range<usize>,
    /// Why they are there. Markdown.
    pub text: String,
}

impl Measure {
    /// The program and the files that it imports.
    pub fn files(&self) -> impl Iterator<Item = &Code> {
        std::iter::once(&self.program).chain(&self.imports)
    }
}

impl Lab {
    /// The lab with a file of its measured program in place of the starter, so that it is read like one: 0 is the
    /// program, the others are what it imports. Its notes have ids of their own.
    pub fn measured(&self, file: usize) -> Option<Lab> {
        let code = self.measure.as_ref()?.files().nth(file)?;
        let starter = Starter {
            language: "python".to_owned(),
            path: code.path.clone(),
            text: code.text.clone(),
            expected: None,
        };
        let id = format!("{}.{}", self.id, code.name());
        Some(Lab { id, starter, blocks: code.blocks.clone(), measure: None, ..self.clone() })
    }

    /// The note on a line (counted from 0) with its block, if the line has one.
    pub fn note_at(&self, line: usize) -> Option<(&Block, &Note)> {
        self.blocks.iter().find_map(|b| b.notes.iter().find(|n| n.lines.contains(&line)).map(|n| (b, n)))
    }
}

/// A term with its definition.
#[derive(Debug, Clone)]
pub struct Term {
    /// The id.
    pub id: String,
    /// The term as it is written.
    pub name: String,
    /// One or two sentences. Markdown.
    pub definition: String,
    /// Other ways to say it.
    pub aliases: Vec<String>,
    /// The lesson that teaches it.
    pub lesson: Option<String>,
    /// Terms to see beside it.
    pub related: Vec<String>,
}

impl Body {
    /// The lesson with this id.
    pub fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.lessons.iter().find(|l| l.id == id)
    }

    /// The lab with this id, and its lesson.
    pub fn lab(&self, id: &str) -> Option<(&Lesson, &Lab)> {
        self.lessons.iter().find_map(|l| l.labs.iter().find(|b| b.id == id).map(|b| (l, b)))
    }

    /// The drill with this id.
    pub fn drill(&self, id: &str) -> Option<&Drill> {
        self.drills.iter().find(|d| d.id == id)
    }

    /// The check with this id.
    pub fn check(&self, id: &str) -> Option<&Check> {
        self.checks.iter().find(|c| c.id == id)
    }

    /// The puzzle with this id.
    pub fn puzzle(&self, id: &str) -> Option<&Puzzle> {
        self.puzzles.iter().find(|p| p.id == id)
    }

    /// The term with this id.
    pub fn term(&self, id: &str) -> Option<&Term> {
        self.terms.iter().find(|t| t.id == id)
    }

    /// A Markdown text in which links to terms show the names of the terms.
    pub fn named<'a>(&'a self, text: &'a str) -> Cow<'a, str> {
        prose::named(text, |id| self.term(id).map(|t| t.name.as_str()))
    }

    /// The drills of a lesson.
    pub fn drills_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Drill> {
        self.drills.iter().filter(move |d| d.lesson == lesson)
    }

    /// The checks of a lesson.
    pub fn checks_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Check> {
        self.checks.iter().filter(move |c| c.lesson == lesson)
    }

    /// The puzzles of a lesson.
    pub fn puzzles_of<'a>(&'a self, lesson: &'a str) -> impl Iterator<Item = &'a Puzzle> {
        self.puzzles.iter().filter(move |p| p.lesson == lesson)
    }
}

impl Lesson {
    /// The links to simulators from the section, each with its address in the pack.
    pub fn sim_links(&self) -> impl Iterator<Item = (String, &SimLink)> {
        let formulas = self.section.formulas.iter();
        formulas.filter_map(|f| Some((self.address(f), f.sim.as_ref()?)))
    }

    /// The address of the simulator of a formula.
    pub fn address(&self, formula: &Formula) -> String {
        format!("{}.{}", self.id, formula.id)
    }
}

impl Lab {
    /// Its links to simulators, each with its address in the pack.
    pub fn sim_links(&self) -> impl Iterator<Item = (String, &SimLink)> {
        let numbered = self.sims.iter().enumerate();
        numbered.map(|(nth, sim)| (format!("{}.{nth}", self.id), sim))
    }
}
