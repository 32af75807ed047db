//! The format reference, `docs/pack-format.md`, made from the schemas and so from the types.

use std::fmt::Write;

#[cfg(test)]
use serde_json::Map;
use serde_json::Value;

use super::Document;

const INTRO: &str = "# The pack format, version 1

A pack is a folder. This page is made from the types that read it; `infralens pack schema` prints the same as JSON
Schema, which editors of TOML understand: put `#:schema PATH/lesson.schema.json` on the first line of a file.

```text
pack.toml                 what the pack is, and the order of its lessons
glossary.toml             terms with definitions; words for the scorer
claims.toml               claims that rubrics share, and statements that are false anywhere
lessons/ID.toml           a handbook section and its labs
quizzes/**/*.toml         drills, checks, worksheets, puzzles
assets/                   starters and their stored output
assets/NAME.measure.toml  a lab's program on real processes, and what its figures are compared with
```

Start with `infralens pack new FOLDER`, look for faults with `infralens pack check FOLDER`, try rubrics with
`infralens pack test FOLDER`, and see it with `infralens --pack FOLDER`. Unknown keys are errors, so that a slip of the pen is
noticed.

## Texts

Texts are Markdown. Beyond plain Markdown:

| write | for |
|---|---|
| `[[term-id]]`, `[[term-id\\|shown]]` | a link to a term of the glossary |
| `[text](lesson:ID)`, `lab:`, `drill:`, `check:`, `term:` | a link inside the pack |
| `[text](sim:KIND?name=value&name=value)` | a simulator at these values |
| `{{ring_bytes(8, 1)}}`, `{{expression:2}}` | a computed number, here with 2 decimals; functions in [formulas.md](formulas.md) |
| `{diagram ID}`, `{formula ID}`, `{table ID}` on a line of its own | places that piece in the problem or the mechanism |

The patterns of rubrics are described in [writing-rubrics.md](writing-rubrics.md).

## Limits

| what | most |
|---|---|
| a TOML file | 1 MiB, 40,000 values |
| a text in it | 32 KiB, 1,000 square brackets, 500 computed numbers |
| an expression | 1,000 bytes |
| a starter, a stored output | 256 KiB |
| a pack | 20,000 files, 128 MiB of TOML, 400 puzzles |

Opening a pack refuses what goes beyond these, as `pack check` does. Paths stay below `assets/`; links that lead out of the folder
and links to folders are refused. Control characters and characters that turn the direction of text are refused everywhere. A
byte order mark and line ends of Windows are taken.
";

/// The whole page.
pub fn reference() -> String {
    let mut out = INTRO.to_owned();
    let mut told = Vec::new();
    for document in Document::ALL {
        let schema = document.schema();
        let file = match document {
            Document::Pack => "pack.toml",
            Document::Lesson => "lessons/ID.toml",
            Document::Quiz => "quizzes/…/*.toml",
            Document::Glossary => "glossary.toml",
            Document::Claims => "claims.toml",
            Document::Measure => "assets/NAME.measure.toml",
        };
        section(&mut out, (2, &format!("`{file}`")), &schema);
        let Some(Value::Object(all)) = schema.get("definitions") else {
            continue;
        };
        for (name, definition) in all {
            if !told.contains(name) {
                section(&mut out, (3, name), definition);
                told.push(name.clone());
            }
        }
    }
    out
}

fn section(out: &mut String, (level, title): (usize, &str), schema: &Value) {
    // writing to a string cannot fail
    let _ = write!(out, "\n{} {title}\n\n{}\n", "#".repeat(level), description(schema));
    if let Some(Value::Object(keys)) = schema.get("properties") {
        out.push_str("\n| key | holds | |\n|---|---|---|\n");
        for (name, key) in keys {
            let _ = writeln!(
                out,
                "| `{name}`{} | {} | {} |",
                mark(name, schema),
                kind(key),
                cell(&description(key))
            );
        }
    }
    if let Some(Value::Array(words)) = schema.get("oneOf") {
        out.push('\n');
        for word in words {
            if let Some(name) = word.get("const").and_then(Value::as_str) {
                let _ = writeln!(out, "- `{name}`: {}", description(word));
            }
        }
    }
}

/// An optional key is marked.
fn mark(name: &str, schema: &Value) -> &'static str {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = required.is_some_and(|r| r.iter().any(|n| n == name));
    if is_required { "" } else { " (optional)" }
}

fn description(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What a key holds, in words.
fn kind(schema: &Value) -> String {
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        return link(name);
    }
    if let Some(Value::Array(any)) = schema.get("anyOf").or(schema.get("allOf")) {
        return any
            .iter()
            .find(|s| s.get("type") != Some(&Value::from("null")))
            .map_or_else(String::new, kind);
    }
    if let Some(Value::Array(words)) = schema.get("enum") {
        return words
            .iter()
            .filter_map(Value::as_str)
            .map(|w| format!("`{w}`"))
            .collect::<Vec<_>>()
            .join(", ");
    }
    let holds = schema.get("x-holds").and_then(Value::as_str);
    match (holds, type_of(schema)) {
        (Some(holds), _) => holds.to_owned(),
        (None, "array") => {
            let items = schema.get("items").map_or_else(String::new, kind);
            format!("list of {items}")
        }
        (None, "object") => match schema.get("additionalProperties") {
            Some(values @ Value::Object(_)) => format!("table of {}", kind(values)),
            _ => "table".to_owned(),
        },
        (None, name) => name.to_owned(),
    }
}

fn type_of(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(name)) => name,
        Some(Value::Array(names)) => {
            names.iter().filter_map(Value::as_str).find(|n| *n != "null").unwrap_or("value")
        }
        _ => "value",
    }
}

fn link(reference: &str) -> String {
    let name = reference.rsplit('/').next().unwrap_or(reference);
    format!("[{name}](#{})", name.to_lowercase())
}

/// The definitions of a schema, for tests.
#[cfg(test)]
fn definitions(schema: &Value) -> Map<String, Value> {
    schema.get("definitions").and_then(Value::as_object).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_told() {
        let page = reference();
        for document in Document::ALL {
            let schema = document.schema();
            for definition in definitions(&schema).values().chain([&schema]) {
                let keys = definition.get("properties").and_then(Value::as_object);
                for name in keys.into_iter().flat_map(Map::keys) {
                    assert!(page.contains(&format!("| `{name}`")), "{name} is not told");
                }
            }
        }
    }
}
