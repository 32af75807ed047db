//! What a file may hold: its keys and their types, as a tree made once from the schema.

use std::sync::OnceLock;

use serde_json::Value;

use super::raw::KEY;
use super::schema::Document;

/// What a value may be.
#[derive(Debug)]
pub(super) enum Shape {
    /// A text of some kind.
    Text(Holds),
    /// One word of a closed list.
    Word(Vec<String>),
    /// A whole number within bounds.
    Whole(f64, f64),
    /// A number within bounds.
    Number(f64, f64),
    /// True or false.
    Truth,
    /// A list with its least length.
    List(Box<Shape>, usize),
    /// A table whose keys the author chooses.
    Map(Box<Shape>),
    /// A table of known keys.
    Table(Vec<Field>),
}

/// A key of a table.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) shape: Shape,
    pub(super) is_required: bool,
    /// What it holds, in a sentence.
    pub(super) about: String,
}

/// What a text holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    Id,
    Plain,
    Markdown,
    Cell,
    Template,
    Expression,
    Pattern,
    Picture,
    Verbatim,
    FilePath,
    Url,
    SimKind,
    Checker,
}

impl Holds {
    fn named(name: &str) -> Self {
        const ALL: [(&str, Holds); 12] = [
            ("id", Holds::Id),
            ("plain", Holds::Plain),
            ("markdown", Holds::Markdown),
            ("cell", Holds::Cell),
            ("template", Holds::Template),
            ("expression", Holds::Expression),
            ("pattern", Holds::Pattern),
            ("picture", Holds::Picture),
            ("path", Holds::FilePath),
            ("url", Holds::Url),
            ("sim", Holds::SimKind),
            ("checker", Holds::Checker),
        ];
        let found = ALL.iter().find(|(n, _)| *n == name);
        found.map_or(Holds::Verbatim, |(_, holds)| *holds)
    }
}

impl Shape {
    /// The shape of a kind of file.
    pub(super) fn of(document: Document) -> &'static Shape {
        static SHAPES: [OnceLock<Shape>; Document::ALL.len()] =
            [const { OnceLock::new() }; Document::ALL.len()];
        SHAPES[document as usize].get_or_init(|| {
            let schema = document.schema();
            shape(&schema, &schema)
        })
    }

    /// The shape in words, for "a list is wanted".
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Text(_) | Self::Word(_) => "a text in quotes",
            Self::Whole(..) => "a whole number",
            Self::Number(..) => "a number",
            Self::Truth => "true or false",
            Self::List(..) => "a list",
            Self::Map(_) | Self::Table(_) => "a table",
        }
    }
}

fn shape(schema: &Value, root: &Value) -> Shape {
    let schema = resolved(schema, root);
    if let Some(words) = words(schema) {
        return Shape::Word(words);
    }
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    let bounds = (bound("minimum").unwrap_or(f64::NEG_INFINITY), bound("maximum").unwrap_or(f64::INFINITY));
    match type_of(schema) {
        "integer" => Shape::Whole(bounds.0, bounds.1.min(f64::from(u32::MAX))),
        "number" => Shape::Number(bounds.0, bounds.1),
        "boolean" => Shape::Truth,
        "array" => {
            let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0);
            Shape::List(Box::new(shape(&schema["items"], root)), least as usize)
        }
        "object" => match schema.get("properties").and_then(Value::as_object) {
            Some(keys) => Shape::Table(keys.iter().map(|(k, v)| field(k, v, schema, root)).collect()),
            None => Shape::Map(Box::new(shape(&schema["additionalProperties"], root))),
        },
        _ => Shape::Text(Holds::named(schema[KEY].as_str().unwrap_or_default())),
    }
}

fn field(name: &str, value: &Value, table: &Value, root: &Value) -> Field {
    let required = table.get("required").and_then(Value::as_array);
    Field {
        name: name.to_owned(),
        shape: shape(value, root),
        is_required: required.is_some_and(|r| r.iter().any(|n| n == name)),
        about: value["description"].as_str().unwrap_or_default().replace('\n', " "),
    }
}

/// A schema, or the definition that it refers to.
fn resolved<'v>(schema: &'v Value, root: &'v Value) -> &'v Value {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap_or(reference);
        return resolved(&root["definitions"][name], root);
    }
    let any = schema.get("anyOf").or(schema.get("allOf")).and_then(Value::as_array);
    match any.and_then(|any| any.iter().find(|s| s["type"] != "null")) {
        Some(first) => resolved(first, root),
        None => schema,
    }
}

fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(names) => {
            names.iter().filter_map(Value::as_str).find(|n| *n != "null").unwrap_or("string")
        }
        name => name.as_str().unwrap_or("string"),
    }
}

/// The words of a closed list.
fn words(schema: &Value) -> Option<Vec<String>> {
    let words: Vec<&Value> = match (&schema["enum"], &schema["oneOf"]) {
        (Value::Array(words), _) => words.iter().collect(),
        (_, Value::Array(words)) => words.iter().map(|w| &w["const"]).collect(),
        _ => return None,
    };
    Some(words.into_iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(shape: &Shape, see: &mut dyn FnMut(&Shape)) {
        see(shape);
        match shape {
            Shape::List(inner, _) | Shape::Map(inner) => walk(inner, see),
            Shape::Table(fields) => fields.iter().for_each(|f| walk(&f.shape, see)),
            _ => {}
        }
    }

    #[test]
    fn every_kind_of_text_of_the_format_is_known() {
        let mut held = Vec::new();
        for document in Document::ALL {
            walk(Shape::of(document), &mut |shape| {
                if let Shape::Text(holds) = shape
                    && !held.contains(holds)
                {
                    held.push(*holds);
                }
            });
        }
        assert_eq!(held.len(), 13, "{held:?}");
    }
}
