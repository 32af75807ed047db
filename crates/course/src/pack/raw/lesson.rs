//! `lessons/ID.toml`: the handbook section.

use serde::Deserialize;
use toml::Spanned;

use super::Lab;
use super::text::{Cell, Id, Markdown, Named, Picture, Plain, SimKind, Url, Verbatim};

/// `lessons/ID.toml`: a handbook section and the labs that belong to it.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The lesson's id; the file bears the same name.
    pub id: Id,
    /// The name shown in lists.
    pub title: Plain,
    /// One sentence: what a reader can do after it.
    pub summary: Plain,
    /// Minutes to read the section (labs and checks count apart).
    #[cfg_attr(test, schemars(range(min = 1, max = 600)))]
    pub minutes: u32,
    /// How much interviews ask about it, counted as its drills are: where days are few, a plan keeps the lessons that
    /// are asked most. Without it, the number of its drills.
    #[cfg_attr(test, schemars(range(min = 1, max = 20)))]
    pub asked: Option<u32>,
    /// Words that descriptions of jobs use for what it teaches, beside its title and the terms that name it: `fault tolerance`.
    /// A single word counts among other words of the course alone.
    #[serde(default)]
    pub job: Vec<Plain>,
    /// Ids of lessons to read first.
    #[serde(default)]
    pub needs: Vec<Id>,
    /// The handbook text.
    pub section: Section,
    /// The labs, in reading order.
    #[serde(default, rename = "lab")]
    pub labs: Vec<Lab>,
}

/// The handbook text of a lesson. Texts are Markdown: `[[term-id]]` or `[[term-id|shown]]`
/// links a glossary term, `[text](lesson:ID)`, `(lab:ID)`, `(drill:ID)`, `(sim:KIND)` link
/// inside the pack, `{{expression}}` or `{{expression:decimals}}` prints a computed number,
/// and a line `{diagram ID}`, `{formula ID}` or `{table ID}` of its own places that piece;
/// pieces that no line places follow the mechanism.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// What problem this solves.
    pub problem: Markdown,
    /// How it works.
    pub mechanism: Markdown,
    /// What to say in an interview.
    pub say: Markdown,
    /// Glossary ids that this section defines, in the order to show them.
    #[serde(default)]
    pub terms: Vec<Id>,
    /// Formulas with a legend for each symbol.
    #[serde(default, rename = "formula")]
    pub formulas: Vec<Formula>,
    /// Pictures in characters, shown as written.
    #[serde(default, rename = "diagram")]
    pub diagrams: Vec<Diagram>,
    /// Tables.
    #[serde(default, rename = "table")]
    pub tables: Vec<Table>,
    /// What people get wrong, and what is right.
    #[serde(default, rename = "misunderstanding")]
    pub misunderstandings: Vec<Misunderstanding>,
    /// Where to read on.
    #[serde(default, rename = "reference")]
    pub references: Vec<Reference>,
}

/// A formula: shown as text, with each symbol explained.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The formula's id, unique in its lesson.
    pub id: Id,
    /// What it gives, in a few words.
    pub title: Plain,
    /// The formula as one says it aloud: for those who hear the course, and for reading it out.
    pub spoken: Option<Plain>,
    /// The formula in plain characters, for example `bytes = 2 (N - 1) / N × S`.
    pub text: Verbatim,
    /// What each symbol means.
    #[serde(default, rename = "symbol")]
    pub symbols: Vec<Symbol>,
    /// An example in words; `{{expression}}` prints computed numbers.
    pub example: Option<Markdown>,
    /// The simulator that shows it, with values to open it at.
    pub sim: Option<Sim>,
}

/// One symbol of a formula.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// The symbol as it stands in the formula.
    pub symbol: Verbatim,
    /// What it means, with its unit.
    pub meaning: Markdown,
}

/// A picture in characters.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    /// The diagram's id, unique in its lesson.
    pub id: Id,
    /// What it shows, in a few words.
    pub title: Plain,
    /// What there is to see, in sentences: what those hear who cannot see it.
    pub spoken: Option<Plain>,
    /// The picture, at most 76 columns wide.
    pub text: Picture,
}

/// A table.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The table's id, unique in its lesson.
    pub id: Id,
    /// What it shows.
    pub title: Plain,
    /// The heads of the columns, Markdown; one may be empty.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub columns: Vec<Cell>,
    /// The rows; each has as many cells as there are columns. Cells are Markdown.
    #[cfg_attr(test, schemars(length(min = 1), with = "Vec<Vec<Cell>>"))]
    pub rows: Vec<Spanned<Vec<Cell>>>,
}

/// A common false belief and its correction.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Misunderstanding {
    /// What people say.
    pub claim: Markdown,
    /// What is right, and why.
    pub truth: Markdown,
}

/// A source to read on.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// What kind of source it is.
    pub kind: ReferenceKind,
    /// The title.
    pub title: Plain,
    /// Authors or the organisation.
    pub authors: Plain,
    /// The year.
    #[cfg_attr(test, schemars(range(min = 1900, max = 2100)))]
    pub year: u16,
    /// The address.
    pub url: Url,
    /// What to read it for, in one sentence.
    pub note: Option<Markdown>,
}

/// The kinds of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    /// Documentation or source of the software itself.
    Official,
    /// A research paper.
    Paper,
    /// A guide, a benchmark, a post from practice.
    Practical,
}

/// A simulator with values to open it at.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Sim {
    /// The kind of simulator.
    pub kind: SimKind,
    /// Its parameters by name.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, f64>"))]
    pub set: Named<f64>,
    /// What to look at.
    pub note: Option<Markdown>,
}
