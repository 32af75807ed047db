//! The pack format, version 1, as it stands in the TOML files.
//!
//! These types *are* the format reference: they refuse unknown keys, and their field
//! docs become `docs/pack-format.md` and the JSON Schema. Nothing else in the program
//! uses them; the loader turns them into the types of [`crate::pack`].

mod claims;
mod drill;
mod glossary;
mod lab;
mod lesson;
mod manifest;
mod measure;
mod quiz;
mod text;

pub use claims::{Claims, Falsehood, Template as ClaimTemplate, Vague};
pub use drill::{Drill, Follow, Level, Misconception, Point, Sample, SampleKind};
pub use glossary::{Concept, Glossary, Term};
pub use lab::{Block, Lab, Note, Prediction};
pub use lesson::{
    Diagram, Formula, Lesson, Misunderstanding, Reference, ReferenceKind, Section, Sim, Symbol, Table,
};
pub use manifest::{Judged, Manifest, Part};
pub use measure::{Figure, Guess, Import, Measure};
pub use quiz::{
    Choice, ChoiceOption, Claim, Draw, Knob, Number, Order, Puzzle, Quiz, Require, Slip, Worksheet,
    WorksheetCell, WorksheetRow,
};
pub(crate) use text::KEY;
pub use text::{
    Cell, Checker, Expression, FilePath, Id, Language, Markdown, Named, Pattern, Picture, Plain, SimKind,
    Template, Url, Verbatim, Verdict, Worded,
};
