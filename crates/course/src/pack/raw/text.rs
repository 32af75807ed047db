//! Strings by what they hold. Each remembers where it stood, so that a problem can point at
//! it; each says in the schema what it holds, so that one walk over a file checks them all.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Deserialize;
use toml::Spanned;

/// The key of the schema under which the kind of a string stands.
pub(crate) const KEY: &str = "x-holds";

/// Values by names that the author chooses; each name remembers where it stood.
pub type Named<V> = BTreeMap<Spanned<String>, V>;

/// What a string holds.
#[cfg(test)]
pub trait Kind {
    /// The name of the kind, as it stands in the schema.
    const NAME: &'static str;
    /// The words that are allowed, where there is a closed list.
    fn words() -> Vec<&'static str> {
        Vec::new()
    }
}

/// A string with its place and its kind.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct Worded<K> {
    text: Spanned<String>,
    kind: PhantomData<K>,
}

impl<K> Worded<K> {
    /// The string without its place.
    pub fn into_inner(self) -> String {
        self.text.into_inner()
    }

    /// The string with its place and without its kind.
    pub fn into_spanned(self) -> Spanned<String> {
        self.text
    }
}

impl<K> Deref for Worded<K> {
    type Target = Spanned<String>;

    fn deref(&self) -> &Spanned<String> {
        &self.text
    }
}

impl<K> fmt::Debug for Worded<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.get_ref().fmt(f)
    }
}

#[cfg(test)]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    use super::{KEY, Kind, Worded};

    impl<K: Kind> JsonSchema for Worded<K> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            K::NAME.into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            let words = K::words();
            if words.is_empty() {
                json_schema!({ "type": "string", KEY: K::NAME })
            } else {
                json_schema!({ "type": "string", "enum": words, KEY: K::NAME })
            }
        }
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $alias:ident $kind:ident $name:literal $(= $words:expr)?;)*) => {
        $(
            #[doc = concat!("The kind `", $name, "`.")]
            #[derive(Debug)]
            pub enum $kind {}

            #[cfg(test)]
            impl Kind for $kind {
                const NAME: &'static str = $name;
                $(fn words() -> Vec<&'static str> {
                    $words
                })?
            }

            $(#[$doc])*
            pub type $alias = Worded<$kind>;
        )*
    };
}

kinds! {
    /// An id: lower case letters, digits and hyphens, at most 64.
    Id IdKind "id";
    /// Words on one line, without marks.
    Plain PlainKind "plain";
    /// Markdown with links and computed numbers.
    Markdown MarkdownKind "markdown";
    /// Markdown of one table cell.
    Cell CellKind "cell";
    /// Markdown whose computed numbers may use drawn values.
    Template TemplateKind "template";
    /// An expression of numbers, names and formula functions.
    Expression ExpressionKind "expression";
    /// A pattern of a rubric.
    Pattern PatternKind "pattern";
    /// A picture in characters.
    Picture PictureKind "picture";
    /// Any text, kept as it is. It may be empty.
    Verbatim VerbatimKind "verbatim";
    /// A path below `assets/`.
    FilePath FilePathKind "path";
    /// A web address.
    Url UrlKind "url";
    /// A language that can be coloured.
    Language LanguageKind "language" = crate::pack::manifest::LANGUAGES.to_vec();
    /// The name of a simulator.
    SimKind SimKindKind "sim";
    /// The name of a worksheet's checker.
    Checker CheckerKind "checker";
    /// How well an answer fulfils a part.
    Verdict VerdictKind "verdict" = vec!["covered", "partial", "missing"];
}
