//! The shape of a TOML file: all its keys and types against the schema of its kind, at once.
//!
//! serde stops at the first fault. This walks the whole file, names every fault with its place,
//! and takes out what is faulty where the rest can do without it, so that reading goes on.

use serde_json::{Map, Value};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use unicode_width::UnicodeWidthStr;

use super::character::is_forbidden;
use super::faults::Faults;
use super::schema::Document;
use crate::sim::expr::Expr;
use crate::sim::{self, worksheet};

/// The widest picture, in columns.
const PICTURE: usize = 76;

type Span = std::ops::Range<usize>;

/// Reads a text as TOML and checks its shape. None where it cannot be used at all.
pub(super) fn read<'a>(document: Document, faults: &mut Faults<'a>) -> Option<Spanned<DeTable<'a>>> {
    let (mut table, errors) = DeTable::parse_recoverable(faults.text());
    for error in &errors {
        let span = error.span().unwrap_or(0..0);
        faults.error(
            span,
            error.message().replace('\n', " "),
            "mend the TOML; see https://toml.io",
        );
    }
    let schema = document.schema();
    let walker = Walker { root: &schema };
    let span = table.span();
    let usable = walker.table(table.get_mut(), &schema, span, faults);
    (usable && errors.is_empty()).then_some(table)
}

struct Walker<'s> {
    root: &'s Value,
}

impl Walker<'_> {
    /// A schema, or the definition that it refers to.
    fn resolve<'v>(&'v self, schema: &'v Value) -> &'v Value {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap_or(reference);
            return &self.root["definitions"][name];
        }
        for key in ["anyOf", "allOf"] {
            if let Some(Value::Array(any)) = schema.get(key)
                && let Some(first) = any
                    .iter()
                    .find(|s| s.get("type").and_then(Value::as_str) != Some("null"))
            {
                return self.resolve(first);
            }
        }
        schema
    }

    /// Checks a table, takes out what it can do without; says whether the rest can be used.
    fn table(&self, table: &mut DeTable<'_>, schema: &Value, span: Span, faults: &mut Faults<'_>) -> bool {
        let empty = Map::new();
        let known = schema
            .get("properties")
            .and_then(Value::as_object)
            .unwrap_or(&empty);
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|r| r.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let any = schema.get("additionalProperties").filter(|s| s.is_object());
        let mut usable = true;
        for (key, mut value) in std::mem::take(table) {
            let name = key.get_ref().as_ref();
            let Some(of) = known.get(name).or(any) else {
                faults.error(key.span(), format!("unknown key `{name}`"), instead(name, known));
                continue;
            };
            if self.value(&mut value, of, faults) {
                table.insert(key, value);
            } else {
                usable &= !required.contains(&name);
            }
        }
        for name in required {
            let present = table.keys().any(|k| k.get_ref().as_ref() == name);
            // a key whose value did not fit was reported and taken out already
            if !present && usable {
                let header = span.start..span.end.min(span.start + first_line(faults.text(), &span));
                faults.error(
                    header,
                    format!("the key `{name}` is missing"),
                    format!("add `{name} = …`"),
                );
            }
            usable &= present;
        }
        usable
    }

    /// Checks a value; says whether it can be used.
    fn value(&self, value: &mut Spanned<DeValue<'_>>, schema: &Value, faults: &mut Faults<'_>) -> bool {
        let schema = self.resolve(schema);
        let span = value.span();
        let wanted = types(schema);
        let found = name_of(value.get_ref());
        let fits = wanted.is_empty()
            || wanted.contains(&found)
            || (found == "integer" && wanted.contains(&"number"));
        if !fits {
            faults.error(
                span,
                format!("this is {}, and {} is wanted", article(found), article(wanted[0])),
                format!("write {}", article(wanted[0])),
            );
            return false;
        }
        match value.get_mut() {
            DeValue::Table(table) => self.table(table, schema, span, faults),
            DeValue::Array(items) => {
                let item = schema.get("items");
                let mut all = true;
                for mut one in std::mem::replace(items, DeArray::new()) {
                    if item.is_none_or(|item| self.value(&mut one, item, faults)) {
                        items.push(one);
                    } else {
                        all = false;
                    }
                }
                // a list of tables can do without a faulty one; a row of a table cannot
                all || item.is_some_and(|i| types(self.resolve(i)).contains(&"object"))
            }
            DeValue::String(text) => {
                let holds = schema.get("x-holds").and_then(Value::as_str).unwrap_or_default();
                held(holds, text, &span, faults);
                words(text, schema, span, faults)
            }
            DeValue::Integer(number) => {
                let read = i64::from_str_radix(&number.as_str().replace('_', ""), number.radix());
                read.map_or(true, |n| range(n as f64, schema, span, faults))
            }
            DeValue::Float(number) => number
                .as_str()
                .replace('_', "")
                .parse()
                .map_or(true, |n| range(n, schema, span, faults)),
            _ => true,
        }
    }
}

/// Looks at a text by what it holds. Nothing here keeps the file from being read further.
fn held(holds: &str, text: &str, span: &Span, faults: &mut Faults<'_>) {
    if let Some(c) = text.chars().find(|c| is_forbidden(*c)) {
        faults.error(
            span.clone(),
            format!(
                "the text holds the character U+{:04X}, which could steer a terminal",
                c as u32
            ),
            "take it out",
        );
    }
    match holds {
        "markdown" if text.trim().is_empty() => {
            faults.error(
                span.clone(),
                "the text is empty",
                "write it, or take the key out where it is optional",
            );
        }
        "picture" => {
            if let Some(wide) = text.lines().map(UnicodeWidthStr::width).find(|w| *w > PICTURE) {
                let cure = format!("keep it within {PICTURE}, so that it fits a terminal of 80 columns");
                faults.error(span.clone(), format!("the picture is {wide} columns wide"), cure);
            }
        }
        "expression" => {
            if let Err(fault) = Expr::parse(text) {
                faults.error(
                    span.clone(),
                    format!("`{text}` cannot be computed: {}", fault.what),
                    fault.cure,
                );
            }
        }
        "sim" if sim::KINDS.iter().all(|k| k.name != text) => {
            let known: Vec<_> = sim::KINDS.iter().map(|k| k.name).collect();
            let cure = format!("use one of {}", known.join(", "));
            faults.error(span.clone(), format!("no simulator is called `{text}`"), cure);
        }
        "checker" if worksheet::checker(text).is_none() => {
            let known: Vec<_> = worksheet::CHECKERS.iter().map(|c| c.name).collect();
            let cure = format!("use one of {}", known.join(", "));
            faults.error(span.clone(), format!("no checker is called `{text}`"), cure);
        }
        _ => {}
    }
}

/// Whether a word is one of a closed list.
fn words(text: &str, schema: &Value, span: Span, faults: &mut Faults<'_>) -> bool {
    let list: Vec<&str> = match (schema.get("enum"), schema.get("oneOf")) {
        (Some(Value::Array(words)), _) => words.iter().filter_map(Value::as_str).collect(),
        (_, Some(Value::Array(words))) => words
            .iter()
            .filter_map(|w| w.get("const").and_then(Value::as_str))
            .collect(),
        _ => return true,
    };
    if list.contains(&text) {
        return true;
    }
    faults.error(
        span,
        format!("`{text}` is none of the words that are allowed"),
        format!("use {}", list.join(", ")),
    );
    false
}

/// Whether a number lies within its bounds.
fn range(number: f64, schema: &Value, span: Span, faults: &mut Faults<'_>) -> bool {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    if let Some(least) = bound("minimum").filter(|least| number < *least) {
        faults.error(
            span,
            format!("{number} is too small"),
            format!("write {least} or more"),
        );
        return false;
    }
    if let Some(most) = bound("maximum").filter(|most| number > *most) {
        faults.error(
            span,
            format!("{number} is too large"),
            format!("write {most} or less"),
        );
        return false;
    }
    true
}

/// The types that a schema allows.
fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many
            .iter()
            .filter_map(Value::as_str)
            .filter(|t| *t != "null")
            .collect(),
        _ if schema.get("oneOf").is_some() => vec!["string"],
        _ => Vec::new(),
    }
}

fn name_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "string",
        DeValue::Integer(_) => "integer",
        DeValue::Float(_) => "number",
        DeValue::Boolean(_) => "boolean",
        DeValue::Datetime(_) => "date",
        DeValue::Array(_) => "array",
        DeValue::Table(_) => "object",
    }
}

/// A type in the words of people who write TOML.
fn article(kind: &str) -> &str {
    match kind {
        "string" => "a text in quotes",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        "array" => "a list",
        "object" => "a table",
        _ => "a date",
    }
}

/// The cure for an unknown key: the nearest known one, or all of them.
fn instead(name: &str, known: &Map<String, Value>) -> String {
    let near = known
        .keys()
        .map(|k| (strsim::damerau_levenshtein(name, k), k))
        .min();
    match near.filter(|(distance, k)| *distance <= k.len().max(name.len()) / 3) {
        Some((_, k)) => format!("did you mean `{k}`?"),
        None => {
            let all: Vec<&str> = known.keys().map(String::as_str).collect();
            format!("take it out, or use one of {}", all.join(", "))
        }
    }
}

fn first_line(text: &str, span: &Span) -> usize {
    text.get(span.start..)
        .and_then(|t| t.find('\n'))
        .unwrap_or(1)
        .max(1)
}
