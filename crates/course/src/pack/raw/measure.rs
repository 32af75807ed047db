//! `assets/NAME.measure.toml`: a lab's program on real processes.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::Block;
use super::text::{Expression, FilePath, Id, Markdown, Named, Plain, SimKind, Verbatim};

/// `assets/NAME.measure.toml`: a second program of a lab, which torchrun runs on real processes, and what its figures
/// are compared with. It prints progress on standard error and one line of JSON with its figures on standard output.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The lab that it belongs to.
    pub lab: Id,
    /// The program, a path below `assets/` that ends in `.py`.
    pub program: FilePath,
    /// Files that the program imports. They lie beside it when it runs.
    #[serde(default, rename = "import")]
    pub imports: Vec<Import>,
    /// Runs of named machines, a path below `assets/`: one JSON object a line. They stand in where there is no PyTorch.
    pub stored: Option<FilePath>,
    /// What to predict before it runs: numbers.
    #[serde(default, rename = "predict")]
    pub guesses: Vec<Guess>,
    /// What each figure is compared with.
    #[serde(rename = "figure")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub figures: Vec<Figure>,
    /// The program in labelled blocks, in the order of the file. Every code line needs a note.
    #[serde(default, rename = "block")]
    pub blocks: Vec<Block>,
}

/// A file that a measured program imports.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The file, a path below `assets/` that ends in `.py`.
    pub file: FilePath,
    /// The lab whose measured program imports the same file and explains it. Left out, the notes stand here.
    pub explained_in: Option<Id>,
    /// The file in labelled blocks, in its order. Every code line needs a note.
    #[serde(default, rename = "block")]
    pub blocks: Vec<Block>,
}

/// A number to predict.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Guess {
    /// The id of the figure.
    pub figure: Verbatim,
    /// The question.
    pub ask: Markdown,
}

/// What one figure is compared with: an output of a simulator, a formula, a list, or the groups of an axis.
/// Expressions know the knobs of the program, `ranks`, the figures that are numbers, and the number in the id.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The figure's id. A name in braces stands for a number, which expressions know by that name.
    pub id: Verbatim,
    /// A condition; the row counts only where it is not 0.
    pub when: Option<Expression>,
    /// The simulator.
    pub sim: Option<SimKind>,
    /// Its knobs, an expression each, in the knob's unit.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Expression>"))]
    pub set: Named<Expression>,
    /// Knobs that describe the machine, from what was measured of it. They count where the simulator is fitted.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, Expression>"))]
    pub fit: Named<Expression>,
    /// Which output of the simulator.
    pub output: Option<Plain>,
    /// What the output is multiplied with.
    pub times: Option<Expression>,
    /// A closed form instead of a simulator.
    pub formula: Option<Expression>,
    /// Whether the formula uses what was measured of the machine.
    #[serde(default)]
    pub fitted: bool,
    /// A list instead: an expression for each entry.
    #[serde(default)]
    pub list: Option<Vec<Expression>>,
    /// The groups of an axis of the mesh simulator instead: tp, cp, dp or pp.
    pub groups: Option<Plain>,
    /// The order of the axes, fastest first, for `groups`.
    pub order: Option<Plain>,
    /// What explains a difference.
    pub differs: Plain,
}

impl Figure {
    /// The knobs that it sets, with what they are set to.
    pub fn knobs(&self) -> impl Iterator<Item = (&Spanned<String>, &Expression)> {
        self.set.iter().chain(&self.fit)
    }

    /// Expressions by name, without their places.
    pub fn texts(named: Named<Expression>) -> BTreeMap<String, String> {
        named.into_iter().map(|(name, text)| (name.into_inner(), text.into_inner())).collect()
    }
}
