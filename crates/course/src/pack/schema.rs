//! The JSON Schema of the format, for editors and for the shape of files. It is made from the types of [`super::raw`] by
//! a test and committed, so that the program need not carry what makes it.

use serde_json::Value;

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
    /// `assets/NAME.measure.toml`.
    Measure,
}

impl Document {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Pack, Self::Lesson, Self::Quiz, Self::Glossary, Self::Claims, Self::Measure];

    /// The name of the kind, which is that of its schema too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pack => "pack",
            Self::Lesson => "lesson",
            Self::Quiz => "quiz",
            Self::Glossary => "glossary",
            Self::Claims => "claims",
            Self::Measure => "measure",
        }
    }

    /// The JSON Schema of such files (draft 7, which editors of TOML read).
    pub fn schema(self) -> Value {
        serde_json::from_str(self.text())
            .expect("the committed schema is JSON: a test compares it with the types")
    }

    /// The schema as it stands in a file.
    pub fn text(self) -> &'static str {
        match self {
            Self::Pack => include_str!("../../schema/pack.schema.json"),
            Self::Lesson => include_str!("../../schema/lesson.schema.json"),
            Self::Quiz => include_str!("../../schema/quiz.schema.json"),
            Self::Glossary => include_str!("../../schema/glossary.schema.json"),
            Self::Claims => include_str!("../../schema/claims.schema.json"),
            Self::Measure => include_str!("../../schema/measure.schema.json"),
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;
    use schemars::{JsonSchema, Schema};

    use super::*;
    use crate::pack::{raw, reference, words};

    fn of<T: JsonSchema>() -> Schema {
        SchemaSettings::draft07().into_generator().into_root_schema_for::<T>()
    }

    fn made(document: Document) -> Value {
        match document {
            Document::Pack => of::<raw::Manifest>(),
            Document::Lesson => of::<raw::Lesson>(),
            Document::Quiz => of::<raw::Quiz>(),
            Document::Glossary => of::<raw::Glossary>(),
            Document::Claims => of::<raw::Claims>(),
            Document::Measure => of::<raw::Measure>(),
        }
        .to_value()
    }

    /// Run once with `UPDATE_SCHEMA=1` where the types or their words changed, and once more for the reference,
    /// which is made from the schemas.
    #[test]
    fn the_committed_schemas_and_reference_are_those_of_the_types() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let schemas = Document::ALL.map(|document| {
            (
                format!("{root}/assets/schema/{}.schema.json", document.name()),
                format!("{:#}\n", made(document)),
            )
        });
        let pages = [("pack-format", reference()), ("words", words())];
        let pages = pages.map(|(name, page)| (format!("{root}/docs/{name}.md"), page));
        for (path, made) in schemas.into_iter().chain(pages) {
            if std::env::var_os("UPDATE_SCHEMA").is_some() {
                std::fs::write(&path, &made).expect("the file is written");
            }
            let committed = std::fs::read_to_string(&path).expect("the file is committed");
            assert!(committed == made, "{path} is old: run this test with UPDATE_SCHEMA=1, twice");
        }
    }
}
