//! The rows of a report.

use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use crate::screen::Context;
use crate::screen::reading::draw_scrollbar;
use crate::study::rehearsal::{AnswerReport, Away, Report};
use crate::study::words::{clock, percent};
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{bar, escape, wrap};

/// Where a row leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An answer, by its place.
    Answer(usize),
    /// A lesson, by its id.
    Lesson(String),
}

/// A row of the report.
#[derive(Debug)]
pub struct Row {
    /// What it shows, without the pointer.
    pub line: Line<'static>,
    /// Where it leads.
    pub target: Option<Target>,
}

impl From<Line<'static>> for Row {
    fn from(line: Line<'static>) -> Self {
        Row { line, target: None }
    }
}

/// What is to be said above the report.
pub struct Notes<'a> {
    /// Whether the store has no such report.
    pub missing: bool,
    /// The files that it was written to.
    pub written: &'a [PathBuf],
    /// What could not be kept.
    pub trouble: Option<&'a str>,
}

/// Columns behind an answer: mark, parts, words, seconds to the first word, seconds unused.
const NUMBERS: &str = "mark  parts words  first  unused";

/// The notes, the total and how the run was set up.
pub fn head(report: Option<&Report>, notes: &Notes, width: u16, context: &Context) -> Vec<Row> {
    let theme = context.theme;
    let mut out = Vec::new();
    for path in notes.written {
        out.extend(say(&format!("written: {}", path.display()), theme.good, width));
    }
    if let Some(trouble) = notes.trouble {
        out.extend(say(trouble, theme.warning, width));
    }
    if !out.is_empty() {
        out.push(Line::default());
    }
    let Some(report) = report else {
        let text = if notes.missing { "This report is not kept." } else { "reading …" };
        out.push(Line::styled(text, theme.dim));
        return out.into_iter().map(Row::from).collect();
    };
    out.push(total(report, context));
    out.extend(say(&how(report), theme.dim, width));
    out.into_iter().map(Row::from).collect()
}

fn total(report: &Report, context: &Context) -> Line<'static> {
    let theme = context.theme;
    let (answered, asked) = report.prompts();
    let limiting = report.parts.iter().find(|p| Some(&p.part) == report.limiting.as_ref());
    let mut spans = vec![
        Span::styled(percent(report.total), theme.heading),
        Span::styled(format!("   {answered} of {asked} prompts answered   "), theme.text),
    ];
    if let Some(part) = limiting {
        spans.push(Span::styled("limiting part: ", theme.text));
        let index = report.parts.iter().position(|p| p.part == part.part).unwrap_or(0);
        spans.push(Span::styled(escape::line(&part.title).into_owned(), theme.part(index).name));
    } else if answered > 0 {
        spans.push(Span::styled("every part covered", theme.good));
    }
    Line::from(spans)
}

fn how(report: &Report) -> String {
    let s = &report.setup;
    let manner = if s.strict { "strict" } else { "practice" };
    let follow = match s.follow_ups {
        true => format!("follow-ups of {}", clock(s.follow)),
        false => "no follow-ups".into(),
    };
    format!("{manner}, {} to think, {} to answer, {follow}, seed {}", clock(s.think), clock(s.answer), s.seed)
}

/// The answers, each in a row that opens it, and the prompts that were not reached.
pub fn answers(report: &Report, width: u16, context: &Context) -> Vec<Row> {
    let theme = context.theme;
    let room = usize::from(width).saturating_sub(NUMBERS.len() + 2);
    let head = Line::from(vec![
        Span::styled(format!("{:<room$}", "Answers"), theme.heading),
        Span::styled(NUMBERS, theme.dim),
    ]);
    let mut out = vec![Row::from(Line::default()), head.into()];
    if report.answers.is_empty() {
        out.push(Line::styled("  Nothing was answered.", theme.dim).into());
    }
    for (i, answer) in report.answers.iter().enumerate() {
        out.push(Row { line: answer_row(answer, room, context), target: Some(Target::Answer(i)) });
    }
    let reached = report.answers.iter().map(|a| a.number).max().unwrap_or(0);
    for (i, prompt) in report.unanswered.iter().enumerate() {
        let text = format!("  {} {}", reached + i + 1, escape::line(&prompt.text));
        let text = wrap::cut(&text, room, theme.glyphs.cut);
        let gap = " ".repeat((room + 2).saturating_sub(wrap::width(&text)));
        let line = Line::styled(format!("{text}{gap}not reached"), theme.dim);
        out.push(line.into());
    }
    out
}

fn answer_row(answer: &AnswerReport, room: usize, context: &Context) -> Line<'static> {
    const PARTS: usize = 5;
    let theme = context.theme;
    let number = match answer.part {
        Some(_) => "  follow-up: ".to_owned(),
        None => format!("{} ", answer.number),
    };
    let question = format!("{number}{}", escape::line(&answer.question));
    let question = wrap::cut(&question, room.saturating_sub(1), theme.glyphs.cut);
    let gap = " ".repeat(room.saturating_sub(wrap::width(&question)));
    let marks: Vec<Span> = answer
        .score
        .parts
        .iter()
        .filter(|p| answer.part.as_ref().is_none_or(|part| *part == p.part))
        .map(|p| bar::verdict(p.verdict, theme))
        .collect();
    let first = answer.first_word.map_or("-".into(), |s| format!("{s} s"));
    let unused = match answer.timed_out {
        true => "ran out".to_owned(),
        false => clock(answer.unused),
    };
    let pad = " ".repeat(PARTS.saturating_sub(marks.len()));
    let style = if answer.part.is_some() { theme.dim } else { theme.text };
    let mut spans = vec![
        Span::styled(question, style),
        Span::raw(gap),
        Span::styled(format!("{:>4}  ", percent(answer.total)), theme.strong),
    ];
    spans.extend(marks);
    spans
        .push(Span::styled(format!("{pad} {:>5} {first:>6} {unused:>7}", answer.delivery.words), theme.text));
    Line::from(spans)
}

/// Parts over the run, pace, delivery, absence.
pub fn side(report: &Report, width: u16, context: &Context) -> Vec<Line<'static>> {
    let mut out = parts(report, width, context);
    out.extend(pace(report, width, context));
    out.extend(delivery(report, width, context));
    out.extend(away(&report.away, width, context));
    out
}

fn parts(report: &Report, width: u16, context: &Context) -> Vec<Line<'static>> {
    const NAME: usize = 16;
    const BAR: usize = 10;
    let theme = context.theme;
    if report.parts.is_empty() {
        return Vec::new();
    }
    let g = &theme.glyphs;
    // words where there is room for them, else the marks that stand in the answers' rows
    let (column, names) = match usize::from(width) {
        width if width >= NAME + BAR + 31 => (8, ["covered", "partial", "missing"]),
        _ => (4, [g.good, g.partial, g.missing]),
    };
    let mut head = vec![Span::styled(format!("{:<1$}", "Parts", NAME + BAR + 5), theme.heading)];
    head.extend(names.map(|n| Span::styled(format!("{n:>column$}"), theme.dim)));
    let mut out = vec![Line::from(head)];
    for (i, part) in report.parts.iter().enumerate() {
        let mark = theme.part(i);
        let name = wrap::cut(&escape::line(&part.title), NAME - 3, "");
        let mut spans = vec![Span::styled(format!("{} {name:<1$}", mark.digit, NAME - 2), mark.name)];
        spans.extend(bar::meter(part.score, BAR, mark.name, theme));
        spans.push(Span::styled(format!(" {:>4} ", percent(part.score)), theme.strong));
        let counts = part.verdicts.map(|n| format!("{n:>column$}"));
        spans.push(Span::styled(counts.concat(), theme.text));
        out.push(wrap::cut_line(&Line::from(spans), width.into(), theme.glyphs.cut));
    }
    out
}

fn pace(report: &Report, width: u16, context: &Context) -> Vec<Line<'static>> {
    let t = &report.totals;
    let first = t.first_word.map_or("no word was typed".into(), |s| format!("the first word after {s:.0} s"));
    let text = format!("{} words, {:.0} a minute; {first}; {} unused", t.words, t.pace, clock(t.unused));
    named("Pace", &text, width, context)
}

fn delivery(report: &Report, width: u16, context: &Context) -> Vec<Line<'static>> {
    let t = &report.totals;
    let mut said: Vec<(&str, usize)> = Vec::new();
    for hedge in report.answers.iter().flat_map(|a| &a.delivery.hedges) {
        match said.iter_mut().find(|(word, _)| word == hedge) {
            Some((_, n)) => *n += 1,
            None => said.push((hedge, 1)),
        }
    }
    said.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    let said: Vec<String> = said.iter().take(4).map(|(word, n)| format!("“{word}” {n}")).collect();
    let hedges = match t.hedges {
        0 => "no hedging".to_owned(),
        1 => format!("1 hedge ({})", said.join(", ")),
        n => format!("{n} hedges ({})", said.join(", ")),
    };
    let numbers = match t.numbers {
        0 => "no numbers given".to_owned(),
        1 => "1 number given".into(),
        n => format!("{n} numbers given"),
    };
    let text = format!(
        "{hedges}; {} of {} answers said the answer first; {numbers}",
        t.answer_first,
        report.answers.len()
    );
    named("Delivery", &text, width, context)
}

fn away(away: &[Away], width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let running: u32 = away.iter().filter(|a| !a.stopped).map(|a| a.seconds).sum();
    let stopped = away.iter().filter(|a| a.stopped).count();
    let mut out = Vec::new();
    if running > 0 {
        let text = format!("The program was suspended or hidden for {} while a clock ran.", clock(running));
        out.extend(say(&text, theme.warning, width));
    }
    if stopped > 0 {
        let times = if stopped == 1 { "once".into() } else { format!("{stopped} times") };
        let text = format!("The run was broken off {times} and gone on with.");
        out.extend(say(&text, theme.warning, width));
    }
    if !out.is_empty() {
        out.insert(0, Line::default());
    }
    out
}

/// What to read next, each in a row that opens it.
pub fn next(report: &Report, width: u16, context: &Context) -> Vec<Row> {
    let theme = context.theme;
    if report.next.is_empty() {
        return Vec::new();
    }
    let head = Line::from(vec![
        Span::styled("Read next", theme.heading),
        Span::styled("   g opens the first", theme.dim),
    ]);
    let mut out = vec![Row::from(Line::default()), head.into()];
    for read in &report.next {
        let line = Line::from(vec![
            Span::styled(escape::line(&read.title).into_owned(), theme.text),
            Span::styled(format!("  {}", escape::line(&read.why)), theme.dim),
        ]);
        out.push(Row {
            line: wrap::cut_line(&line, usize::from(width).saturating_sub(2), theme.glyphs.cut),
            target: Some(Target::Lesson(read.lesson.clone())),
        });
    }
    out
}

fn named(name: &str, text: &str, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let lead = Span::styled(format!("{name:<10}"), theme.heading);
    let mut out = vec![Line::default()];
    out.extend(Styled::from_text(&escape::line(text), theme.text).wrap(&Hanging::under(lead), width.into()));
    out
}

fn say(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}

/// Draws the rows in view, with the pointer at the selected one.
pub fn draw(screen: &super::Report, buffer: &mut Buffer, context: &Context) {
    let theme = context.theme;
    let selected = screen.selected_row();
    let area = screen.area;
    for ((i, row), cells) in screen.rows.iter().enumerate().skip(screen.top).zip(area.rows()) {
        let cells = Rect { width: cells.width.saturating_sub(1), ..cells };
        let mut line = row.line.clone();
        if row.target.is_some() {
            let pointer = if selected == Some(i) { theme.glyphs.pointer } else { " " };
            line.spans.insert(0, Span::styled(format!("{pointer} "), theme.accent));
        }
        line.render(cells, buffer);
        if selected == Some(i) {
            buffer.set_style(cells, theme.cursor_line);
        }
    }
    draw_scrollbar(area, (screen.top, screen.rows.len()), buffer, context);
    for (line, row) in screen.side.iter().zip(screen.side_area.rows()) {
        line.render(row, buffer);
    }
}
