//! What the learner thought of answers before their marks, against the marks: in sentences, over
//! time, part by part, and answer by answer.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Progress, View};
use crate::screen::Context;
use crate::study::answer::part_title;
use crate::study::attempt::Attempt;
use crate::study::rating::{Biases, Over, PartBias, Rated, Way, over};
use crate::study::words::percent;
use crate::widget::theme::Theme;
use crate::widget::wrap::{self, Hanging, Styled};
use crate::widget::{bar, escape};

/// As many answers make the curves.
const CURVE: usize = 40;
/// The columns of a bar on each side of its middle.
const SIDE: usize = 6;

/// The view, laid out.
#[derive(Debug, Default)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// The row of the first rated answer; the others follow.
    pub first: usize,
}

/// The rows: what is known of all rated answers, then each of them, the newest first.
pub fn rows(screen: &Progress, width: u16, context: &Context) -> Laid {
    let theme = context.theme;
    let rated: Vec<(&Attempt, Rated)> = screen.rated().filter_map(|a| Some((a, Rated::of(a)?))).collect();
    let Some(_) = rated.first() else {
        let text = "No ratings yet. After an answer you may say how well you did, before its marks are shown: \
            m missing, p partial, c covered, a key for each part; enter skips it. Here stands how far your \
            ratings are from the marks.";
        return Laid { rows: paragraph(text, theme.dim, width), first: 0 };
    };
    let mut all = Vec::new();
    let ratings: Vec<Rated> = rated.iter().map(|(_, r)| r.clone()).collect();
    let biases = Biases::of(&ratings, &parts(context));
    all.extend(said(&biases).iter().flat_map(|s| paragraph(s, theme.text, width)));
    all.push(Line::default());
    all.extend(curves(&ratings, theme));
    if !biases.parts.is_empty() {
        all.push(Line::default());
        all.extend(part_rows(&biases.parts, context));
    }
    all.push(Line::default());
    let head = format!(
        "  {:<18}{:>4}  {:>5}  {:>side$}{:<side$}",
        "when",
        "you",
        "marks",
        "too low ",
        " too high",
        side = SIDE + 1
    );
    all.push(Line::styled(head, theme.dim));
    let first = all.len();
    for (at, (attempt, rating)) in rated.iter().enumerate() {
        let chosen = screen.view == View::Ratings && at == screen.rated;
        all.push(answer_row((attempt, rating), chosen, context));
    }
    let cut = |line: &Line<'static>| wrap::cut_line(line, width.into(), theme.glyphs.cut);
    Laid { rows: all.iter().map(cut).collect(), first }
}

/// The parts of all packs by id, each once.
fn parts(context: &Context) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for part in context.library.packs.iter().flat_map(|p| &p.parts) {
        if !ids.contains(&part.id) {
            ids.push(part.id.clone());
        }
    }
    ids
}

/// What is known of all of them, in sentences.
fn said(biases: &Biases) -> Vec<String> {
    let sentence = |text: String| {
        let mut letters = text.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        format!("{}{}.", first.into_iter().collect::<String>(), letters.as_str())
    };
    biases.sentences().into_iter().map(sentence).collect()
}

/// The ratings and the marks over time, one above the other.
fn curves(rated: &[Rated], theme: &Theme) -> Vec<Line<'static>> {
    let newest = &rated[..rated.len().min(CURVE)];
    let curve = |name: &str, value: fn(&Rated) -> f64| {
        let values: Vec<f64> = newest.iter().rev().map(value).collect();
        Line::from(vec![Span::styled(format!("  {name:<16}"), theme.dim), bar::trend(&values, theme)])
    };
    let mut rows = vec![curve("you thought", |r| r.own), curve("marks", |r| r.total)];
    if let Some(last) = rows.last_mut() {
        last.spans.push(Span::styled("  the newest last", theme.dim));
    }
    rows
}

/// A row a part: how often it was rated above, at and below its mark, the newest one by one.
fn part_rows(parts: &[PartBias], context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let known: Vec<_> = context.library.packs.iter().flat_map(|p| &p.parts).collect();
    let title = |id: &str| {
        let found = known.iter().position(|p| p.id == id);
        let text = found.map_or(id, |at| part_title(std::slice::from_ref(known[at]), id));
        (found.unwrap_or(0), escape::line(text).into_owned())
    };
    let mut rows = Vec::new();
    for part in parts {
        let (at, name) = title(&part.part);
        let blanks = " ".repeat(16_usize.saturating_sub(wrap::width(&name)).max(1));
        let ways = part.newest.iter().map(|way| sign(*way, theme));
        let mut spans = vec![Span::raw("  "), Span::styled(name, theme.part(at).name), Span::raw(blanks)];
        spans.extend(ways.map(|(glyph, style)| Span::styled(glyph, style)));
        let gap = " ".repeat(12_usize.saturating_sub(part.newest.len()));
        spans.push(Span::styled(format!("{gap}{}", part.sentence()), theme.text));
        rows.push(Line::from(spans));
    }
    let [high, right, low] = [Way::High, Way::Right, Way::Low].map(|way| sign(way, theme).0);
    let legend = format!("  {:<16}{high} too high, {right} as marked, {low} too low", "");
    rows.push(Line::styled(legend, theme.dim));
    rows
}

fn sign(way: Way, theme: &Theme) -> (&'static str, Style) {
    match way {
        Way::High => (theme.glyphs.up, theme.missing),
        Way::Right => ("=", theme.good),
        Way::Low => (theme.glyphs.down, theme.partial),
    }
}

/// `2026-03-02 10:00   80%   62%          |##        18 too high  Why does DDP …`.
fn answer_row((attempt, rated): (&Attempt, &Rated), chosen: bool, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let pointer = if chosen { theme.glyphs.pointer } else { " " };
    let when = attempt.at.to_zoned(context.zone.clone());
    let when = when.strftime("%Y-%m-%d %H:%M").to_string();
    let way = over(rated.over());
    let length = match way {
        Over::High(points) | Over::Low(points) => (points as usize * SIDE).div_ceil(100).min(SIDE),
        Over::Right => 0,
    };
    let blanks = |n: usize| Span::raw(" ".repeat(n));
    let drawn = |style: Style| Span::styled(theme.glyphs.bar_full.repeat(length), style);
    let mut spans = vec![
        Span::styled(format!("{pointer} "), theme.accent),
        Span::styled(format!("{when:<18}"), theme.dim),
        Span::styled(format!("{:>4}  {:>5}  ", percent(rated.own), percent(rated.total)), theme.strong),
    ];
    let middle = Span::styled("|", theme.dim);
    let (bars, words) = match way {
        Over::High(points) => (
            [blanks(SIDE), middle, drawn(theme.missing), blanks(SIDE - length)],
            format!("{points} too high"),
        ),
        Over::Low(points) => {
            ([blanks(SIDE - length), drawn(theme.partial), middle, blanks(SIDE)], format!("{points} too low"))
        }
        Over::Right => ([blanks(SIDE), middle, blanks(SIDE), Span::raw("")], "right".into()),
    };
    spans.extend(bars);
    spans.push(Span::styled(format!("  {words:<13}"), theme.text));
    let drill = context.library.find_drill(&attempt.drill);
    let prompt = drill.map_or(attempt.drill.as_str(), |(_, d)| &d.prompt);
    let only = attempt.part.as_deref();
    let only = only.map_or(String::new(), |part| format!("{part} alone: "));
    spans.push(Span::styled(
        escape::line(&format!("{only}{prompt}")).into_owned(),
        if chosen { theme.text } else { theme.dim },
    ));
    Line::from(spans)
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
