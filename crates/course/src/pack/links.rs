//! Links in texts: terms, and places in the pack.

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

use crate::sim;

use super::desk::Desk;
use super::faults::Span;
use super::literal::Literal;
use super::names::Kind;

/// Notes every link of a Markdown text as a use of what it names. Reports links that lead
/// nowhere.
pub(super) fn note(text: &str, span: &Span, desk: &mut Desk<'_>) {
    if !text.contains(['[', '<']) {
        return;
    }
    let literal = Literal::new(desk.faults.text(), span);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS;
    for (event, at) in Parser::new_ext(text, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                let at = target(text, at, &dest_url);
                let span = literal.inside(at);
                match link_type {
                    LinkType::WikiLink { .. } => {
                        // In a table the bar of `[[term|shown]]` is escaped.
                        let id = dest_url.trim_end_matches('\\');
                        desk.names.use_at(Kind::Term, id, span);
                    }
                    _ => place(&dest_url, span, desk),
                }
            }
            Event::Start(Tag::Image { .. }) => {
                let span = literal.inside(at);
                desk.faults.error(span, "a terminal shows no image", "draw it as a diagram, or link to it");
            }
            _ => {}
        }
    }
}

/// The bytes of a link's target within the link, or the whole link.
fn target(text: &str, link: Span, target: &str) -> Span {
    match text[link.clone()].rfind(target) {
        Some(at) if !target.is_empty() => link.start + at..link.start + at + target.len(),
        _ => link,
    }
}

fn place(target: &str, span: Span, desk: &mut Desk<'_>) {
    let (scheme, id) = target.split_once(':').unwrap_or(("", target));
    let named = match scheme {
        "lesson" | "checks" => Kind::Lesson,
        "lab" => Kind::Lab,
        "drill" => Kind::Drill,
        "check" => Kind::Check,
        "term" => Kind::Term,
        "sim" => return simulator(id, span, desk),
        "https" | "http" => return,
        _ => {
            desk.faults.error(
                span,
                format!("the link `{target}` leads nowhere"),
                "link to lesson:, lab:, drill:, check:, term:, sim: with an id, or to https://",
            );
            return;
        }
    };
    desk.names.use_at(named, id, span);
}

/// `KIND` or `KIND?name=value&name=value`.
fn simulator(target: &str, span: Span, desk: &mut Desk<'_>) {
    let (kind, values) = target.split_once('?').unwrap_or((target, ""));
    let mut set = std::collections::BTreeMap::new();
    for pair in values.split('&').filter(|p| !p.is_empty()) {
        let parsed =
            pair.split_once('=').and_then(|(name, value)| Some((name.to_owned(), value.parse().ok()?)));
        match parsed {
            Some((name, value)) => set.insert(name, value),
            None => {
                let what = format!("`{pair}` does not set a value of a simulator");
                return desk.faults.error(span, what, "write name=number, joined by &");
            }
        };
    }
    if let Err(fault) = sim::Sim::open(kind, &set) {
        desk.faults.error(span, fault.what, fault.cure);
    }
}
