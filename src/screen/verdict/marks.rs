//! The rows of a verdict: the marked answer, and the parts with what they earned.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::pack::Pack;
use crate::score::{PartScore, PointScore};
use crate::screen::Context;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::words;
use crate::widget::marked::{self, Mark, MarkKind};
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{bar, escape};

/// What is to be shown of an attempt.
pub struct View<'a> {
    /// The attempt.
    pub attempt: &'a Attempt,
    /// Indices of its parts, in the order to show them.
    pub order: &'a [usize],
    /// The selected one of them.
    pub selected: usize,
    /// Whether the rules are shown.
    pub why: bool,
}

/// The answer with its marks, and the legend. `active` is the part to set off.
pub fn answer(attempt: &Attempt, active: Option<&str>, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut marks = Vec::new();
    let mut first = None;
    for (i, part) in attempt.score.parts.iter().enumerate() {
        let place = place(&part.part, i, attempt, context);
        for evidence in part.points.iter().flat_map(|p| &p.evidence) {
            if active == Some(part.part.as_str()) && first.is_none() {
                first = Some(marks.len());
            }
            marks.push(Mark { bytes: evidence.range(), kind: MarkKind::Part(place) });
        }
    }
    for evidence in attempt.score.misconceptions.iter().flat_map(|m| &m.evidence) {
        marks.push(Mark { bytes: evidence.range(), kind: MarkKind::Wrong });
    }
    let mut rows = vec![Line::styled("Your answer", theme.heading)];
    let titles: Vec<String> = match pack(attempt, context) {
        Some(pack) => pack.parts.iter().map(|p| p.title.clone()).collect(),
        None => attempt.score.parts.iter().map(|p| p.part.clone()).collect(),
    };
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    rows.extend(marked::legend(&titles, &marks, (width, theme)));
    rows.push(Line::default());
    rows.extend(marked::render(&attempt.answer, &marks, first, (width, theme)).lines);
    rows
}

fn pack<'a>(attempt: &Attempt, context: &'a Context) -> Option<&'a Pack> {
    context.library.packs.iter().find(|p| p.id == attempt.pack)
}

/// The title of a part as its pack has it, or its id.
pub fn title(part: &str, attempt: &Attempt, context: &Context) -> String {
    let found = pack(attempt, context).and_then(|p| p.parts.iter().find(|x| x.id == part));
    found.map_or_else(|| part.to_owned(), |p| p.title.clone())
}

/// The place of a part in its pack, which its digit and colour go by, or else its place among the marks: those of a
/// follow-up question hold one part alone.
fn place(part: &str, among: usize, attempt: &Attempt, context: &Context) -> usize {
    let found = pack(attempt, context).and_then(|p| p.parts.iter().position(|x| x.id == part));
    found.unwrap_or(among)
}

/// The stored answer to the follow-up question that was asked, if there is one.
fn right<'a>(attempt: &Attempt, context: &'a Context) -> Option<&'a str> {
    let drill = pack(attempt, context)?.drill(&attempt.drill)?;
    answer::follow_up(drill, attempt.part.as_deref())?.answer.as_deref()
}

/// The rows of the marks, and the row at which the selected part begins.
pub fn rows(view: &View, width: u16, context: &Context) -> (Vec<Line<'static>>, usize) {
    let theme = context.theme;
    let attempt = view.attempt;
    let mut out = Vec::new();
    let part = attempt.part.as_deref();
    let asked = pack(attempt, context).and_then(|p| Some((p, p.drill(&attempt.drill)?)));
    let prompt = asked.map_or(attempt.drill.clone(), |(p, d)| answer::question(&p.parts, d, part));
    out.extend(paragraph(&prompt, theme.heading, width));
    let head = format!(
        "{}   {}   {}",
        words::percent(attempt.total()),
        words::some(attempt.score.words, "word"),
        words::clock(attempt.seconds)
    );
    let own = attempt.rated.map(|own| format!("   you thought {}", words::percent(own)));
    out.push(Line::from(vec![
        Span::styled(head, theme.strong),
        Span::styled(own.unwrap_or_default(), theme.dim),
    ]));
    for flag in &attempt.score.flags {
        out.extend(paragraph(words::flag(*flag), theme.warning, width));
    }
    for wrong in &attempt.score.misconceptions {
        out.push(Line::default());
        let said = wrong.evidence.first().map_or_else(String::new, |e| format!(": “{}”", e.text));
        let text = format!("{} Not so{said}", theme.glyphs.missing);
        out.extend(paragraph(&text, theme.missing, width));
        out.extend(indented(&authored(&wrong.correction), theme.text, (2, width)));
        if let (true, Some(rule)) = (view.why, &wrong.rule) {
            out.extend(indented(&format!("for authors: {rule}"), theme.dim, (2, width)));
        }
    }
    let right = right(attempt, context);
    let mut begins = 0;
    for (at, index) in view.order.iter().enumerate() {
        let Some(part) = attempt.score.parts.get(*index) else {
            continue;
        };
        out.push(Line::default());
        if at == view.selected {
            begins = out.len();
        }
        out.extend(part_rows(view, (at, *index), part, width, context));
    }
    if let Some(right) = right {
        out.push(Line::default());
        out.push(Line::styled("The answer", theme.heading));
        out.extend(paragraph(&authored(right), theme.text, width));
    }
    (out, begins)
}

fn part_rows(
    view: &View,
    (at, index): (usize, usize),
    part: &PartScore,
    width: u16,
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mark = theme.part(place(&part.part, index, view.attempt, context));
    let selected = at == view.selected;
    let pointer = if selected { theme.glyphs.pointer } else { " " };
    let limiting = view.attempt.score.limiting_part.as_deref() == Some(part.part.as_str());
    let name = title(&part.part, view.attempt, context);
    let mut spans = vec![
        Span::styled(format!("{pointer} "), theme.accent),
        bar::verdict(part.verdict, theme),
        Span::styled(format!(" {} {}", mark.digit, escape::line(&name)), mark.name),
        Span::raw("  "),
        bar::verdict_word(part.verdict, theme),
    ];
    if let Some(own) = view.attempt.rated_parts.get(&part.part).filter(|v| **v != part.verdict) {
        let own = format!("  you thought {}", words::verdict(*own));
        spans.push(Span::styled(own, theme.text));
    }
    let mut out = vec![Line::from(spans)];
    if limiting {
        let word = Span::styled("the limiting part", theme.warning);
        let heading = &mut out[0];
        if heading.width() + 2 + word.width() <= usize::from(width) {
            heading.push_span("  ");
            heading.push_span(word);
        } else {
            out.push(Line::from(vec![Span::raw("    "), word]));
        }
    }
    if view.attempt.score.misconceptions.iter().any(|m| m.part == part.part) {
        out.extend(indented("A false statement costs this part a level.", theme.missing, (4, width)));
    }
    // the stored answer of a follow-up is its feedback too, and stands below
    if !part.feedback.is_empty() && right(view.attempt, context) != Some(&part.feedback) {
        out.extend(indented(&authored(&part.feedback), theme.text, (4, width)));
    }
    if view.why {
        for point in &part.points {
            out.extend(point_rows(view, part, point, (width, context)));
        }
    }
    out
}

/// What was said for a key point, what the point asks for, and, for authors, the pattern behind it.
fn point_rows(
    view: &View,
    part: &PartScore,
    point: &PointScore,
    look: (u16, &Context),
) -> Vec<Line<'static>> {
    let (width, context) = look;
    let theme = context.theme;
    let (glyph, style, word) = match (point.met, point.partial) {
        (true, _) => (theme.glyphs.good, theme.good, "said"),
        (false, true) => (theme.glyphs.partial, theme.partial, "said in part"),
        (false, false) => (theme.glyphs.missing, theme.dim, "not said"),
    };
    let quotes: Vec<String> = point.evidence.iter().map(|e| format!("“{}”", e.text)).collect();
    let said = match quotes.len() {
        0 => format!("{glyph} {word}"),
        _ => format!("{glyph} {word}: {}", quotes.join(", ")),
    };
    let mut out = indented(&said, style, (4, width));
    let asked = asked(view.attempt, &point.id, context);
    if let Some(asked) = asked.filter(|asked| *asked != part.feedback) {
        out.extend(indented(&format!("asked for: {}", authored(asked)), theme.text, (6, width)));
    }
    let id = point.id.replace('-', " ");
    let pattern = match &point.rule {
        Some(rule) => format!("for authors: {id}, {rule}"),
        None => format!("for authors: {id}"),
    };
    out.extend(indented(&pattern, theme.dim, (6, width)));
    out
}

/// What a key point asks for, in the words of its author; none where the drill has changed since.
fn asked<'a>(attempt: &Attempt, point: &str, context: &'a Context) -> Option<&'a str> {
    let pack = context.library.packs.iter().find(|p| p.id == attempt.pack)?;
    pack.drill(&attempt.drill)?.rubric.asks(point)
}

/// An author's sentence as it is read: the marks of inline code are taken out.
fn authored(text: &str) -> String {
    text.replace('`', "")
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}

fn indented(text: &str, style: Style, (by, width): (usize, u16)) -> Vec<Line<'static>> {
    let lead = || vec![Span::raw(" ".repeat(by))];
    let hanging = Hanging { first: lead(), rest: lead() };
    Styled::from_text(&escape::line(text), style).wrap(&hanging, width.into())
}
