//! `claims.toml`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::text::{Id, Markdown, Pattern, Plain};

/// `claims.toml`: what the rubrics of a pack share. All of it is written in format 2.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claims {
    /// Templates that points use in one line.
    #[serde(default, rename = "claim")]
    pub templates: Vec<Template>,
    /// Statements that are false in every drill.
    #[serde(default, rename = "false")]
    pub falsehoods: Vec<Falsehood>,
    /// Vague words, by part.
    #[serde(default, rename = "vague")]
    pub vague: Vec<Vague>,
}

/// A claim with gaps, `{x}`, `{y}` and `{z}`; a point uses it as `id(x, y)`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Template {
    /// The claim's id.
    pub id: Id,
    /// What it says, in plain words: `{x} is hidden behind {y}`.
    pub says: Plain,
    /// Patterns that state it; each gap is a slot, or an alternative of one.
    #[serde(rename = "match")]
    #[schemars(length(min = 1))]
    pub matches: Vec<Pattern>,
    /// Patterns that state its opposite: false wherever a point makes the claim.
    #[serde(default, rename = "false")]
    pub contrary: Vec<Pattern>,
    /// Whether it is false where `{x}` and `{y}` trade places.
    #[serde(default)]
    pub swap: bool,
    /// Words that make the opposite true in a sentence.
    #[serde(default)]
    pub unless: Vec<Plain>,
}

/// A statement that is false in every drill, unless a point of the drill asks for it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Falsehood {
    /// Its id, unique in the file.
    pub id: Id,
    /// The part whose credit it costs. Left out: what its own sentence was to earn.
    pub part: Option<Id>,
    /// Patterns; any one that a statement meets is the false statement.
    #[serde(rename = "match")]
    #[schemars(length(min = 1))]
    pub matches: Vec<Pattern>,
    /// Words that make the same statement true, such as `@fsdp`, `if` or `unless`.
    #[serde(default)]
    pub unless: Vec<Plain>,
    /// What is right.
    pub correction: Markdown,
}

/// Vague statements of a part: beside something real they are worth `partial`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vague {
    /// The part.
    pub part: Id,
    /// The patterns.
    #[serde(rename = "match")]
    #[schemars(length(min = 1))]
    pub matches: Vec<Pattern>,
}
