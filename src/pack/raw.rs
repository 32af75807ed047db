//! The pack format, version 1, as it stands in the TOML files.
//!
//! These types *are* the format reference: they refuse unknown keys, and their field
//! docs become `docs/pack-format.md` and the JSON Schema. Nothing else in the program
//! uses them; the loader turns them into the types of [`crate::pack`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

/// A string that remembers where it stood, so that a problem can point at it.
pub type Text = Spanned<String>;

/// `pack.toml`: what the pack is, and the order of its lessons.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of this format. This program reads 1.
    #[schemars(with = "u32")]
    pub format: Spanned<u32>,
    /// The pack's id: lower case letters, digits and hyphens. Progress is kept under it.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown to learners.
    #[schemars(with = "String")]
    pub title: Text,
    /// The version of the content, for example `1.2.0`.
    pub version: String,
    /// The people who wrote it.
    pub authors: Vec<String>,
    /// The licence of the content, as an SPDX expression.
    pub licence: String,
    /// One or two sentences about the course.
    pub about: String,
    /// Lesson ids in reading order. Each is a file `lessons/ID.toml`.
    #[schemars(with = "Vec<String>")]
    pub lessons: Vec<Text>,
    /// The parts that a drill is scored against. Left out: problem, mechanism,
    /// communication, tradeoff, measurement.
    #[serde(default, rename = "part")]
    pub parts: Vec<Part>,
    /// Languages of starters by file ending, for example `py = "python"`. Known languages:
    /// python, markdown, toml, rust, shell, text.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>")]
    pub languages: BTreeMap<String, Text>,
}

/// A part of an answer: one of the questions that every drill asks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The part's id, used in rubrics and in results.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown to learners.
    pub title: String,
    /// The question behind the part.
    pub question: String,
}

/// `lessons/ID.toml`: a handbook section and the labs that belong to it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The lesson's id; the file bears the same name.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown in lists.
    pub title: String,
    /// One sentence: what a reader can do after it.
    pub summary: String,
    /// Minutes to read the section (labs and checks count apart).
    pub minutes: u32,
    /// Ids of lessons to read first.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub needs: Vec<Text>,
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
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// What problem this solves.
    #[schemars(with = "String")]
    pub problem: Text,
    /// How it works.
    #[schemars(with = "String")]
    pub mechanism: Text,
    /// What to say in an interview.
    #[schemars(with = "String")]
    pub say: Text,
    /// Glossary ids that this section defines, in the order to show them.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub terms: Vec<Text>,
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
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Formula {
    /// The formula's id, unique in its lesson.
    #[schemars(with = "String")]
    pub id: Text,
    /// What it gives, in a few words.
    pub title: String,
    /// The formula in plain characters, for example `bytes = 2 (N - 1) / N × S`.
    pub text: String,
    /// What each symbol means.
    #[serde(default, rename = "symbol")]
    pub symbols: Vec<Symbol>,
    /// An example in words; `{{expression}}` prints computed numbers.
    #[schemars(with = "Option<String>")]
    pub example: Option<Text>,
    /// The simulator that shows it, with values to open it at.
    pub sim: Option<Sim>,
}

/// One symbol of a formula.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Symbol {
    /// The symbol as it stands in the formula.
    pub symbol: String,
    /// What it means, with its unit.
    pub meaning: String,
}

/// A picture in characters.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Diagram {
    /// The diagram's id, unique in its lesson.
    #[schemars(with = "String")]
    pub id: Text,
    /// What it shows, in a few words; also what a screen reader says.
    pub title: String,
    /// The picture, at most 76 columns wide.
    #[schemars(with = "String")]
    pub text: Text,
}

/// A table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The table's id, unique in its lesson.
    #[schemars(with = "String")]
    pub id: Text,
    /// What it shows.
    pub title: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows; each has as many cells as there are columns. Cells are Markdown.
    #[schemars(with = "Vec<Vec<String>>")]
    pub rows: Vec<Spanned<Vec<String>>>,
}

/// A common false belief and its correction.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Misunderstanding {
    /// What people say.
    pub claim: String,
    /// What is right, and why.
    #[schemars(with = "String")]
    pub truth: Text,
}

/// A source to read on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// What kind of source it is.
    pub kind: ReferenceKind,
    /// The title.
    pub title: String,
    /// Authors or the organisation.
    pub authors: String,
    /// The year.
    pub year: u16,
    /// The address.
    pub url: String,
    /// What to read it for, in one sentence.
    pub note: Option<String>,
}

/// The kinds of source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ReferenceKind {
    /// Documentation or source of the software itself.
    Official,
    /// A research paper.
    Paper,
    /// A guide, a benchmark, a post from practice.
    Practical,
}

/// An annotated reading of a starter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The lab's id, for example `01-ddp-buckets`.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown in lists.
    pub title: String,
    /// Minutes it takes.
    pub minutes: u32,
    /// What a reader can do after it.
    #[schemars(with = "String")]
    pub goal: Text,
    /// The picture to keep in mind while reading.
    #[schemars(with = "String")]
    pub mental_model: Text,
    /// The starter, a path below `assets/`.
    #[schemars(with = "String")]
    pub starter: Text,
    /// The stored output of the starter, a path below `assets/`. Left out for a starter that
    /// does not run.
    #[schemars(with = "Option<String>")]
    pub expected: Option<Text>,
    /// What to predict before it runs.
    #[serde(default, rename = "predict")]
    pub predictions: Vec<Prediction>,
    /// The starter in labelled blocks, in the order of the file. Every code line needs a note.
    #[serde(default, rename = "block")]
    pub blocks: Vec<Block>,
    /// What to notice, one point each.
    #[schemars(with = "Vec<String>")]
    pub notice: Vec<Text>,
    /// What it prevents you from misunderstanding.
    #[schemars(with = "Vec<String>")]
    pub prevents: Vec<Text>,
    /// How to say it out loud.
    #[schemars(with = "String")]
    pub say: Text,
    /// The intuition to keep.
    #[schemars(with = "String")]
    pub intuition: Text,
    /// Changes to try.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub extend: Vec<Text>,
    /// Where to read on.
    #[serde(default)]
    pub further: Vec<Reference>,
    /// Simulators that belong to the lab.
    #[serde(default, rename = "sim")]
    pub sims: Vec<Sim>,
}

/// A question to answer before the starter runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    /// The question.
    #[schemars(with = "String")]
    pub ask: Text,
    /// The answer, explained.
    #[schemars(with = "String")]
    pub answer: Text,
}

/// A labelled block of a starter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The label.
    pub title: String,
    /// The notes of the block, in the order of the file.
    #[serde(rename = "note")]
    pub notes: Vec<Note>,
}

/// A line note. It is anchored by quoted source text, searched from the end of the note
/// before it, so that the same line may occur twice in a file; or by a named region.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// The first line that the note explains, quoted without its indentation.
    #[schemars(with = "Option<String>")]
    pub at: Option<Text>,
    /// The last line that it explains, quoted. Left out: the line of `at` alone.
    #[schemars(with = "Option<String>")]
    pub to: Option<Text>,
    /// Instead of `at`: a region, marked in the starter by a comment holding `region: NAME`
    /// before it and one holding `endregion` after it.
    #[schemars(with = "Option<String>")]
    pub region: Option<Text>,
    /// Why the line is there.
    #[schemars(with = "String")]
    pub text: Text,
}

/// A simulator with values to open it at.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sim {
    /// The kind of simulator.
    #[schemars(with = "String")]
    pub kind: Text,
    /// Its parameters by name.
    #[serde(default)]
    pub set: BTreeMap<String, f64>,
    /// What to look at.
    pub note: Option<String>,
}

/// A file below `quizzes/`: drills and checks of one lesson.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Quiz {
    /// The lesson they belong to.
    #[schemars(with = "String")]
    pub lesson: Text,
    /// Open interview questions.
    #[serde(default, rename = "drill")]
    pub drills: Vec<Drill>,
    /// Checks with one right option.
    #[serde(default, rename = "choice")]
    pub choices: Vec<Choice>,
    /// Checks of the kind true or false.
    #[serde(default, rename = "claim")]
    pub claims: Vec<Claim>,
    /// Checks that ask for an order.
    #[serde(default, rename = "order")]
    pub orders: Vec<Order>,
    /// Checks that ask for a number, with fresh values each time.
    #[serde(default, rename = "number")]
    pub numbers: Vec<Number>,
    /// Tables to fill in.
    #[serde(default, rename = "worksheet")]
    pub worksheets: Vec<Worksheet>,
    /// Goals to reach in a simulator.
    #[serde(default, rename = "puzzle")]
    pub puzzles: Vec<Puzzle>,
}

/// A check with one right option.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// The check's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The question.
    #[schemars(with = "String")]
    pub question: Text,
    /// The options; exactly one is right.
    #[serde(rename = "option")]
    pub options: Vec<ChoiceOption>,
    /// Shown after any answer: why the right one is right.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// An option of a choice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChoiceOption {
    /// The option.
    #[schemars(with = "String")]
    pub text: Text,
    /// Whether it is the right one.
    #[serde(default)]
    pub right: bool,
    /// Why it is wrong (or right).
    pub why: Option<String>,
}

/// A check of the kind true or false.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// The check's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The claim.
    #[schemars(with = "String")]
    pub claim: Text,
    /// Whether it is true.
    pub truth: bool,
    /// Why.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// A check that asks for an order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// The check's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The question.
    #[schemars(with = "String")]
    pub question: Text,
    /// The steps in the right order; they are shown shuffled.
    #[schemars(with = "Vec<String>")]
    pub steps: Vec<Text>,
    /// Why this order.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// A check that asks for a number. Its values are drawn fresh each time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Number {
    /// The check's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The question; `{{name}}` prints a drawn value, `{{expression:decimals}}` a computed one.
    #[schemars(with = "String")]
    pub question: Text,
    /// The values to draw, by name.
    pub draw: BTreeMap<String, Draw>,
    /// The answer: an expression over the drawn values and the formula functions.
    #[schemars(with = "String")]
    pub answer: Text,
    /// The unit of the answer, for example `GB`, `GiB`, `ms`, `%`, `tokens`. A learner may
    /// type any unit of the same kind.
    #[schemars(with = "String")]
    pub unit: Text,
    /// How far off an answer may be, in per cent of the right value. 0 asks for the exact one.
    pub tolerance: f64,
    /// Wrong values with a name.
    #[serde(default, rename = "slip")]
    pub slips: Vec<Slip>,
    /// Shown after any answer; may print the steps with `{{expression}}`.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// How to draw a value: one of a list, or a step between two bounds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// One of these.
    pub of: Option<Vec<f64>>,
    /// The least value.
    pub from: Option<f64>,
    /// The greatest value.
    pub to: Option<f64>,
    /// The step between values. Left out: 1.
    pub step: Option<f64>,
}

/// A wrong value that tells which slip was made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slip {
    /// The wrong value, an expression like `answer`.
    #[schemars(with = "String")]
    pub value: Text,
    /// What went wrong, in a few words.
    pub why: String,
}

/// A table to fill in, with a checker behind it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Worksheet {
    /// The check's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown in lists.
    pub title: String,
    /// The task.
    #[schemars(with = "String")]
    pub question: Text,
    /// The checker, one of those that `infralens pack schema` names.
    #[schemars(with = "String")]
    pub checker: Text,
    /// Values, as text, that the checker is given and the learner cannot change.
    #[serde(default)]
    pub given: BTreeMap<String, String>,
    /// The rows, in order.
    #[serde(rename = "row")]
    pub rows: Vec<WorksheetRow>,
    /// What a good solution looks like, shown after an attempt.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// A row of a worksheet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorksheetRow {
    /// The label on the left.
    pub label: String,
    /// The cells.
    #[serde(rename = "cell")]
    pub cells: Vec<WorksheetCell>,
}

/// A cell of a worksheet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorksheetCell {
    /// The cell's id, as the checker knows it.
    #[schemars(with = "String")]
    pub id: Text,
    /// What to write in it.
    pub label: String,
    /// The values to choose from. Left out: typed.
    #[serde(default)]
    pub options: Vec<String>,
    /// A value that stands there from the start.
    pub start: Option<String>,
}

/// A goal to reach in a simulator.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Puzzle {
    /// The puzzle's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The name shown in lists.
    pub title: String,
    /// The goal in words.
    #[schemars(with = "String")]
    pub goal: Text,
    /// The simulator with its starting values.
    pub sim: Sim,
    /// Parameters that may be changed.
    pub knobs: Vec<String>,
    /// Conditions that must hold, for example `bubble <= 0.05`.
    #[schemars(with = "Vec<String>")]
    pub require: Vec<Text>,
    /// The output to make small, by name.
    #[schemars(with = "String")]
    pub minimise: Text,
    /// The best value there is; a test searches for it.
    pub par: f64,
    /// Why par is par.
    #[schemars(with = "String")]
    pub explain: Text,
    /// Hints, the smallest first.
    #[serde(default)]
    pub hints: Vec<String>,
}

/// An open interview question with its rubric.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// The drill's id, unique in the pack.
    #[schemars(with = "String")]
    pub id: Text,
    /// The question.
    #[schemars(with = "String")]
    pub prompt: Text,
    /// For whom it is.
    pub level: Level,
    /// Minutes for a full answer.
    pub minutes: u32,
    /// The model answer, shown only after an attempt.
    #[schemars(with = "String")]
    pub model: Text,
    /// How many points of a part must be met in full before the part is covered, by part
    /// id. Left out: one.
    #[serde(default)]
    pub need: BTreeMap<String, u32>,
    /// Words of this drill alone; they add to a term or concept of the same id.
    #[serde(default, rename = "concept")]
    pub concepts: Vec<Concept>,
    /// The key points of all parts.
    #[serde(rename = "point")]
    pub points: Vec<Point>,
    /// False statements that cost, with their corrections.
    #[serde(default, rename = "misconception")]
    pub misconceptions: Vec<Misconception>,
    /// Follow-up questions by part.
    #[serde(default, rename = "follow")]
    pub follow: Vec<Follow>,
    /// Answers with the verdicts expected for them.
    #[serde(default, rename = "sample")]
    pub samples: Vec<Sample>,
}

/// For whom a drill is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// First years.
    Junior,
    /// Working knowledge.
    Mid,
    /// Owns such systems.
    Senior,
}

/// A key point: one thing that an answer should say for a part. The pattern language is
/// explained in `docs/writing-rubrics.md`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// The point's id, unique in its drill.
    #[schemars(with = "String")]
    pub id: Text,
    /// The part it belongs to.
    #[schemars(with = "String")]
    pub part: Text,
    /// Patterns; any one that is met by a statement meets the point.
    #[serde(rename = "match")]
    #[schemars(with = "Vec<String>")]
    pub matches: Vec<Text>,
    /// Patterns that earn partial credit: the same thing said vaguely or only in part.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub partial: Vec<Text>,
    /// The sentence shown when the point is missing: what would have earned it.
    pub feedback: String,
}

/// A false statement that costs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Misconception {
    /// The misconception's id, unique in its drill.
    #[schemars(with = "String")]
    pub id: Text,
    /// The part whose credit it costs.
    #[schemars(with = "String")]
    pub part: Text,
    /// Patterns; any one that a statement meets is the misconception.
    #[serde(rename = "match")]
    #[schemars(with = "Vec<String>")]
    pub matches: Vec<Text>,
    /// What is right.
    pub correction: String,
}

/// A follow-up question on one part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Follow {
    /// The part it asks about.
    #[schemars(with = "String")]
    pub part: Text,
    /// The question.
    pub ask: String,
}

/// An answer written by the author of a drill, with the verdicts expected for it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sample {
    /// The sample's id, unique in its drill.
    #[schemars(with = "String")]
    pub id: Text,
    /// What kind of answer it is.
    pub kind: SampleKind,
    /// The answer.
    pub answer: String,
    /// The verdict expected for each part: `covered`, `partial` or `missing`.
    #[schemars(with = "BTreeMap<String, String>")]
    pub verdicts: BTreeMap<String, Spanned<String>>,
    /// Ids of the misconceptions that it states.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub misconceptions: Vec<Text>,
}

/// The kinds of sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SampleKind {
    /// Complete, in unusual words.
    Strong,
    /// Good, with a part absent.
    Solid,
    /// As spoken.
    Spoken,
    /// Notes that make statements.
    Terse,
    /// Fluent, with a false claim.
    Wrong,
    /// Made to fool the scorer.
    Attack,
}

/// `glossary.toml`: the pack's terms, and words that only the scorer reads.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Glossary {
    /// The terms.
    #[serde(default, rename = "term")]
    pub terms: Vec<Term>,
    /// Groups of words that mean the same to the scorer and need no definition.
    #[serde(default, rename = "concept")]
    pub concepts: Vec<Concept>,
}

/// A term with its definition.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The term's id, for links and rubrics: `all-reduce`.
    #[schemars(with = "String")]
    pub id: Text,
    /// The term as it is written.
    pub name: String,
    /// One or two sentences.
    #[schemars(with = "String")]
    pub definition: Text,
    /// Other ways to say it, which the scorer accepts too.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The lesson that teaches it.
    #[schemars(with = "Option<String>")]
    pub lesson: Option<Text>,
    /// Ids of terms to see beside it.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub related: Vec<Text>,
}

/// Words that mean the same to the scorer. A concept with the id of a term, or of one that
/// the program knows, adds to its words.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Concept {
    /// The concept's id, used in rubrics as `@id`.
    #[schemars(with = "String")]
    pub id: Text,
    /// The words and phrases, in any form of the word (`average` also reads *averaged*); or
    /// `@id` for all the words of another concept.
    #[schemars(with = "Vec<String>")]
    pub words: Vec<Text>,
    /// The concept that means the contrary: saying it, in place of this one, says the
    /// opposite.
    #[schemars(with = "Option<String>")]
    pub opposite: Option<Text>,
}
