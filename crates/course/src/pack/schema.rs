//! The JSON Schema of the format, for editors and for the shape of files.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use super::raw;

/// A kind of file of a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Document {
    /// `pack.toml`.
    Pack,
    /// A file below `lessons/`.
    Lesson,
    /// A file below `quizzes/`.
    Quiz,
    /// `glossary.toml`.
    Glossary,
    /// `claims.toml`.
    Claims,
}

impl Document {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::Pack, Self::Lesson, Self::Quiz, Self::Glossary, Self::Claims];

    /// The name of the kind, which is that of its schema too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Lesson => "lesson",
            Self::Quiz => "quiz",
            Self::Glossary => "glossary",
            Self::Claims => "claims",
        }
    }

    /// The JSON Schema of such files (draft 7, which editors of TOML read).
    pub fn schema(self) -> Value {
        match self {
            Self::Pack => of::<raw::Manifest>(),
            Self::Lesson => of::<raw::Lesson>(),
            Self::Quiz => of::<raw::Quiz>(),
            Self::Glossary => of::<raw::Glossary>(),
            Self::Claims => of::<raw::Claims>(),
        }
        .to_value()
    }

    /// The schema as it stands in a file.
    pub fn text(self) -> String {
        format!("{:#}\n", self.schema())
    }
}

fn of<T: JsonSchema>() -> Schema {
    SchemaSettings::draft07().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_schemas_are_those_of_the_types() {
        for document in Document::ALL {
            let path =
                format!("{}/../../assets/schema/{}.schema.json", env!("CARGO_MANIFEST_DIR"), document.name());
            let committed = std::fs::read_to_string(&path).expect("the schema is committed");
            let made = document.text();
            assert!(
                committed == made,
                "{path} is old: `infralens pack schema --write assets/schema` mends it"
            );
        }
    }
}
