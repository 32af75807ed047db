//! Looks at a whole TOML file at once: its syntax, keys, types, bounds and texts.
//!
//! serde stops at the first fault. This walk names every fault with its place and then mends the
//! table in memory: what is unknown goes, what is missing or of the wrong type is put in without a
//! place ([`NOWHERE`]). So the rest of the file is looked at too, and what is said about a value
//! that was put in is dropped.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeArray, DeFloat, DeInteger, DeString, DeTable, DeValue};

use super::bounds;
use super::desk::Desk;
use super::faults::{NOWHERE, Span};
use super::problem::nearest;
use super::schema::Document;
use super::shape::{Field, Shape};
use super::strings;

/// After a slip of syntax the parser may stumble over what follows; more than this says nothing.
const MOST_SYNTAX: usize = 8;

/// Reads a file as TOML, reports all that is wrong with its shape and its texts, and gives
/// a table that can be read as the types of the format. None where the file holds more than any may.
pub(super) fn examine<'a>(document: Document, desk: &mut Desk<'a>) -> Option<DeTable<'a>> {
    let (table, errors) = DeTable::parse_recoverable(desk.faults.text());
    for error in errors.iter().take(MOST_SYNTAX) {
        let message = error.message().replace('\n', " ");
        let cure = syntax_cure(&message);
        desk.faults.error(error.span().unwrap_or(0..0), message, cure);
    }
    if !errors.is_empty() {
        desk.names.lose(desk.faults.text());
    }
    if !bounds::hold(table.get_ref(), &mut desk.faults) {
        desk.names.lose(desk.faults.text());
        return None;
    }
    let mut root = Spanned::new(0..0, DeValue::Table(table.into_inner()));
    let mut walk = Walk { desk, path: Vec::new(), is_whole: errors.is_empty() };
    walk.value(&mut root, Shape::of(document));
    Some(match root.into_inner() {
        DeValue::Table(table) => table,
        _ => DeTable::new(),
    })
}

/// What to do about a message of the TOML parser.
fn syntax_cure(message: &str) -> &'static str {
    const CURES: [(&str, &str); 12] = [
        ("basic string", "close the text with the quotes that it began with; over several lines use three"),
        ("literal string", "close the text with the quotes that it began with; over several lines use three"),
        ("duplicate key", "keep one of them, or write [[name]] for one more entry of a list"),
        ("must be quoted", "put the text into quotes"),
        ("key with no value", "write = and a value after the key"),
        ("escape", "write \\\\ for a backslash, or use '''…''' where nothing is escaped"),
        ("recurs", "nest less"),
        ("missing value", "write a value after the ="),
        ("unclosed table", "close the header with as many ] as it began with"),
        ("unclosed array table", "close the header with ]]"),
        ("unclosed array", "close the list with ]"),
        ("comma", "put one comma between two entries"),
    ];
    CURES
        .iter()
        .find(|(part, _)| message.contains(part))
        .map_or("mend the TOML, as toml.io describes it", |(_, cure)| cure)
}

struct Walk<'d, 'a> {
    desk: &'d mut Desk<'a>,
    /// The keys that lead to the value.
    path: Vec<Cow<'static, str>>,
    /// Whether the file is free of slips of syntax. Where it is not, keys that seem to be
    /// missing may only be unread.
    is_whole: bool,
}

impl Walk<'_, '_> {
    fn value(&mut self, value: &mut Spanned<DeValue<'_>>, shape: &'static Shape) {
        let span = value.span();
        match (value.get_mut(), shape) {
            (DeValue::String(text), Shape::Text(holds)) => strings::text(text, &span, *holds, self.desk),
            (DeValue::String(text), Shape::Word(words)) => {
                strings::characters(text, &span, self.desk);
                if !words.iter().any(|w| w == text) {
                    self.no_word(text, words, span);
                    *value = made(shape);
                }
            }
            (DeValue::Integer(number), Shape::Whole(least, most) | Shape::Number(least, most)) => {
                let read = i128::from_str_radix(number.as_str(), number.radix());
                // more digits than these are out of bounds wherever there are bounds
                let size = read.map_or(f64::INFINITY, |n| n as f64);
                if !self.is_within(size, (*least, *most), span) {
                    *value = made(shape);
                }
            }
            (DeValue::Float(number), Shape::Number(least, most)) => {
                let size = number.as_str().parse().unwrap_or(f64::NAN);
                if !self.is_within(size, (*least, *most), span) {
                    *value = made(shape);
                }
            }
            (DeValue::Boolean(_), Shape::Truth) => {}
            (DeValue::Array(items), Shape::List(item, least)) => self.list(items, (item, *least), span),
            (DeValue::Table(table), Shape::Map(each)) => self.map(table, each),
            (DeValue::Table(table), Shape::Table(fields)) => self.table(table, fields, span),
            (found, _) => {
                let found = words_for(found);
                self.wrong_type(found, shape, span);
                *value = made(shape);
            }
        }
    }

    fn list(&mut self, items: &mut DeArray<'_>, (item, least): (&'static Shape, usize), span: Span) {
        if items.len() < least {
            let (what, cure) = match (items.len(), least) {
                (0, _) => (format!("`{}` is empty", self.key()), format!("write at least {least}")),
                (n, _) => (
                    format!("`{}` has {n} {}", self.key(), if n == 1 { "entry" } else { "entries" }),
                    format!("write at least {least}"),
                ),
            };
            self.desk.faults.error(span, what, cure);
        }
        for one in items.iter_mut() {
            self.value(one, item);
        }
    }

    fn map(&mut self, table: &mut DeTable<'_>, each: &'static Shape) {
        for (key, value) in table.iter_mut() {
            self.key_text(key);
            self.path.push(key.get_ref().to_string().into());
            self.value(value, each);
            self.path.pop();
        }
    }

    fn table(&mut self, table: &mut DeTable<'_>, fields: &'static [Field], span: Span) {
        let mut unknown = Vec::new();
        for (key, value) in table.iter_mut() {
            let name = key.get_ref().as_ref();
            let Some(field) = fields.iter().find(|f| f.name == name) else {
                self.key_text(key);
                self.unknown_key(key, fields);
                unknown.push(name.to_owned());
                continue;
            };
            self.path.push(field.name.as_str().into());
            self.value(value, &field.shape);
            self.path.pop();
        }
        for name in unknown {
            table.remove(name.as_str());
        }
        let is_missing = |f: &&Field| f.is_required && !table.contains_key(f.name.as_str());
        let missing: Vec<&Field> = fields.iter().filter(is_missing).collect();
        match missing.as_slice() {
            _ if !self.is_whole => {}
            [] => {}
            [field] => self.missing_key(field, span.clone()),
            several => self.missing_keys(several, span.clone()),
        }
        for field in missing {
            let key = Spanned::new(NOWHERE, Cow::Owned(field.name.clone()));
            table.insert(key, made(&field.shape));
        }
    }

    /// The key that leads to the value at hand.
    fn key(&self) -> &str {
        self.path.last().map_or("the file", |key| key)
    }

    fn key_text(&mut self, key: &Spanned<DeString<'_>>) {
        strings::characters(key.get_ref(), &key.span(), self.desk);
    }

    fn unknown_key(&mut self, key: &Spanned<DeString<'_>>, fields: &[Field]) {
        let name = key.get_ref().as_ref();
        let known = || fields.iter().map(|f| f.name.as_str());
        let cure = match nearest(name, known()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("take it out; the keys here are {}", known().collect::<Vec<_>>().join(", ")),
        };
        // after a slip of syntax it may be a piece of something else
        if self.is_whole {
            self.desk.faults.error(key.span(), format!("unknown key `{name}`"), cure);
        }
    }

    fn missing_key(&mut self, field: &Field, span: Span) {
        let line = self.line_of(field);
        let inside = match self.path.last() {
            Some(table) => format!("`{table}` lacks the key `{}`", field.name),
            None => format!("the file lacks the key `{}`", field.name),
        };
        let about = first_sentence(&field.about);
        self.desk.faults.error(span, inside, format!("write {line} ({about})"));
    }

    /// Several keys of one table are one problem: they are written in one go.
    fn missing_keys(&mut self, fields: &[&Field], span: Span) {
        let names = fields.iter().map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ");
        let what = match self.path.last() {
            Some(table) => format!("`{table}` lacks: {names}"),
            None => format!("the file lacks: {names}"),
        };
        let lines = fields.iter().map(|field| self.line_of(field)).collect::<Vec<_>>().join(", ");
        self.desk.faults.error(span, what, format!("write {lines}"));
    }

    /// How a key is written.
    fn line_of(&self, field: &Field) -> String {
        let path = || self.path.iter().map(Cow::as_ref).chain([field.name.as_str()]);
        match &field.shape {
            Shape::Table(_) | Shape::Map(_) => format!("[{}]", path().collect::<Vec<_>>().join(".")),
            Shape::List(item, _) if matches!(**item, Shape::Table(_)) => {
                format!("[[{}]]", path().collect::<Vec<_>>().join("."))
            }
            Shape::Text(_) => format!("{} = \"…\"", field.name),
            Shape::Word(words) => format!("{} = \"{}\"", field.name, words.join("\" or \"")),
            Shape::List(..) => format!("{} = [\"…\"]", field.name),
            Shape::Truth => format!("{} = true or false", field.name),
            Shape::Whole(..) | Shape::Number(..) => format!("{} = a number", field.name),
        }
    }

    fn wrong_type(&mut self, found: &str, shape: &Shape, span: Span) {
        let what = format!("`{}` is {found}", self.key());
        let cure = match shape {
            Shape::List(item, _) if matches!(**item, Shape::Table(_)) => {
                format!("write it as [[{}]], one for each entry", self.path.join("."))
            }
            shape => format!("write {}", shape.words()),
        };
        self.desk.faults.error(span, what, cure);
    }

    fn no_word(&mut self, text: &str, words: &[String], span: Span) {
        let cure = match nearest(text, words.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", words.join(", ")),
        };
        let what = format!("`{}` cannot be `{text}`", self.key());
        self.desk.faults.error(span, what, cure);
    }

    fn is_within(&mut self, size: f64, (least, most): (f64, f64), span: Span) -> bool {
        if size.is_finite() && (least..=most).contains(&size) {
            return true;
        }
        let cure = match (least.is_finite(), most.is_finite()) {
            (true, true) => format!("write a number from {least} to {most}"),
            (true, false) => format!("write {least} or more"),
            (false, true) => format!("write {most} or less"),
            (false, false) => "write a finite number".to_owned(),
        };
        let what = format!("`{}` is out of bounds", self.key());
        self.desk.faults.error(span, what, cure);
        false
    }
}

/// A description up to its first full stop, to stand in brackets.
fn first_sentence(about: &str) -> String {
    let sentence = about.split(". ").next().unwrap_or(about).trim_end_matches('.');
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

fn words_for(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A value of a shape, without a place.
fn made(shape: &'static Shape) -> Spanned<DeValue<'static>> {
    let value = match shape {
        Shape::Text(_) => DeValue::String(Cow::Borrowed("")),
        Shape::Word(words) => DeValue::String(Cow::Owned(words.first().cloned().unwrap_or_default())),
        Shape::Whole(..) => DeValue::Integer(DeInteger::default()),
        Shape::Number(..) => DeValue::Float(DeFloat::default()),
        Shape::Truth => DeValue::Boolean(false),
        Shape::List(..) => DeValue::Array(DeArray::new()),
        Shape::Map(_) => DeValue::Table(DeTable::new()),
        Shape::Table(fields) => {
            let mut table = DeTable::new();
            for field in fields.iter().filter(|f| f.is_required) {
                let key = Spanned::new(NOWHERE, Cow::Owned(field.name.clone()));
                table.insert(key, made(&field.shape));
            }
            DeValue::Table(table)
        }
    };
    Spanned::new(NOWHERE, value)
}
