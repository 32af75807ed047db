//! What stands in the large pane: a picture with its sentence, a formula, or a question.

use ratatui::layout::{Rect, Size};
use ratatui::text::{Line, Span};

use super::reel::Reel;
use crate::doc::Document;
use crate::page::sim::{Ask, Simulator, brief, sentence};
use crate::sim::picture::{Frame, Picture, View};
use crate::sim::{Answer, Results, quantity};
use crate::tui::face::Look;
use crate::widget::field::Field;
use crate::widget::wrap::{self, Hanging, Styled};
use crate::widget::{escape, markdown, picture};

/// Curves are drawn no lower than this.
const LOWEST: usize = 8;
/// Curves are drawn no higher than this.
const HIGHEST: usize = 32;

/// The name of the picture among the others, and its step.
pub fn head(run: &Results, reel: &Reel, area: Rect, look: &Look) -> Line<'static> {
    let theme = look.theme;
    let views = &run.views;
    let width = usize::from(area.width);
    let place = reel.place(views);
    let all = tabs(run, place, look);
    let one = Line::from(vec![
        Span::styled(views.get(place).map_or("", |v| v.title), theme.heading),
        Span::styled(format!("  {} of {}", place + 1, views.len()), theme.dim),
    ]);
    let [long, short] = step(run, reel);
    let fits = |line: &Line, step: &str| line.width() + wrap::width(step) < width;
    let (line, step) = [(&all, &long), (&all, &short), (&one, &long), (&one, &short)]
        .into_iter()
        .find(|(line, step)| fits(line, step))
        .unwrap_or((&one, &short));
    let room = width.saturating_sub(wrap::width(step) + 1);
    let mut line = wrap::cut_line(line, room, theme.glyphs.cut);
    let gap = width.saturating_sub(line.width() + wrap::width(step));
    line.push_span(Span::raw(" ".repeat(gap)));
    let style = if reel.plays() { theme.text } else { theme.dim };
    line.push_span(Span::styled(step.clone(), style));
    line
}

/// The step in words, with the key that plays and without. Empty where the view does not move.
fn step(run: &Results, reel: &Reel) -> [String; 2] {
    let Some(view) = reel.view(&run.views).filter(|v| v.frames() > 1) else {
        return Default::default();
    };
    let step = format!("step {} of {}", reel.step(&run.views) + 1, view.frames());
    if reel.plays() {
        let text = format!("playing, {step}");
        return [text.clone(), text];
    }
    let does = if reel.is_still { "steps" } else { "plays" };
    [format!("space {does}, {step}"), step]
}

/// The names of all pictures side by side.
fn tabs(run: &Results, place: usize, look: &Look) -> Line<'static> {
    let theme = look.theme;
    let mut line = Line::default();
    for (i, view) in run.views.iter().enumerate() {
        if i > 0 {
            line.push_span(Span::raw("   "));
        }
        let style = if i == place { theme.accent.patch(theme.link).patch(theme.strong) } else { theme.dim };
        line.push_span(Span::styled(view.title, style));
    }
    line
}

/// The settings that do not fit, what to look at, the sentence of a frame, and its picture in `size`.
pub fn picture(
    (notes, hint): (&[String], Option<&str>),
    (frame, beside): (Option<&Frame>, Option<&Picture>),
    size: Size,
    look: &Look,
) -> Vec<Line<'static>> {
    let theme = look.theme;
    let width = usize::from(size.width);
    let mut lines = Vec::new();
    let lead = Hanging::under(Span::styled(format!("{} ", theme.glyphs.warning), theme.warning));
    for note in notes {
        lines.extend(Styled::from_text(&escape::line(note), theme.text).wrap(&lead, width));
    }
    let Some(frame) = frame else { return lines };
    if let Some(hint) = hint {
        let lead = Hanging::under(Span::styled(format!("{} ", theme.glyphs.right), theme.dim));
        lines.extend(Styled::from_text(&escape::line(hint), theme.text).wrap(&lead, width));
        lines.push(Line::default());
    }
    lines.extend(Styled::from_text(&sentence(&frame.caption), theme.emphasis).wrap(&Hanging::none(), width));
    lines.push(Line::default());
    let room = usize::from(size.height).saturating_sub(lines.len()).clamp(LOWEST, HIGHEST);
    let size = Size { height: u16::try_from(room).unwrap_or(size.height), ..size };
    lines.extend(picture::lines_beside(&frame.picture, beside, frame.now, size, theme));
    lines
}

/// Which setting is kept, above the picture; nothing where none is.
pub fn kept(page: &Simulator, width: usize, look: &Look) -> Vec<Line<'static>> {
    let Some(text) = page.kept_in_words() else { return Vec::new() };
    Styled::from_text(&escape::line(&sentence(&text)), look.theme.strong).wrap(&Hanging::none(), width)
}

/// The same picture for the setting that is kept, on the scale of both: its head, its sentence, and what it shows as a whole.
pub fn of_kept(view: &View, beside: Option<&Picture>, size: Size, look: &Look) -> Vec<Line<'static>> {
    let mut lines = vec![Line::default(), Line::styled("Kept", look.theme.heading)];
    lines.extend(picture((&[], None), (Some(&Reel::first(view)), beside), size, look));
    lines
}

/// Rows that another picture takes at least: a blank one, its name, its sentence, and the picture.
pub const LEAST: usize = 8;

/// Rows that a picture under formulas takes.
pub const PICTURE: usize = 16;

/// The formulas of the other numbers of a group, each with its names and with its values.
pub fn formulas(page: &Simulator, chosen: usize, width: usize, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let all = &page.run().outputs;
    let group = all.get(chosen).map_or("", |output| output.group);
    let others = all.iter().enumerate().filter(|(at, o)| *at != chosen && o.group == group);
    let others: Vec<_> = others.map(|(_, output)| output).collect();
    let label = others.iter().map(|o| wrap::width(o.label)).max().unwrap_or(0) + 2;
    let value = others.iter().map(|o| wrap::width(&o.show())).max().unwrap_or(0) + 2;
    if others.is_empty() || label + value + 30 > width {
        return Vec::new();
    }
    let mut lines = vec![Line::default(), Line::styled("The other numbers", theme.heading)];
    for output in others {
        let shown = output.show();
        let blanks = |text: &str, all: usize| " ".repeat(all.saturating_sub(wrap::width(text)));
        let mut lead = Line::from(vec![
            Span::styled(format!("{}{}", output.label, blanks(output.label, label)), theme.dim),
            Span::styled(format!("{shown}{}", blanks(&shown, value)), theme.strong),
        ]);
        let style = if output.expression.is_some() { theme.text } else { theme.dim };
        for row in brief(output, page.sim().kind().parameters) {
            let hanging = Hanging::under(Span::raw(" ".repeat(label + value)));
            for mut line in Styled::from_text(&escape::line(&row), style).wrap(&hanging, width) {
                if !lead.spans.is_empty() && !line.spans.is_empty() {
                    line.spans.splice(0..1, std::mem::take(&mut lead.spans));
                }
                lines.push(line);
            }
        }
    }
    lines
}

/// Rows below which curves tell nothing as a second picture.
const CURVES: u16 = 15;

/// Another picture under the one shown: its name, its sentence, and what it shows first. Empty where it would be
/// too low to tell anything.
pub fn other(view: &View, size: Size, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let mut lines = vec![Line::default(), Line::styled(view.title, theme.heading)];
    let frame = Reel::first(view);
    if fills(&frame.picture) && size.height < CURVES {
        return Vec::new();
    }
    lines.extend(picture((&[], None), (Some(&frame), None), size, look));
    lines
}

/// Whether a picture fills the height that it is given.
pub fn fills(picture: &Picture) -> bool {
    matches!(picture, Picture::Series(_))
}

/// A document as rows.
pub fn document(document: &Document, width: u16, look: &Look) -> Vec<Line<'static>> {
    markdown::render(document, width, look.theme, look.highlighter).lines
}

/// A question with what was answered, and what is right once it was.
pub fn question(ask: &Ask, typed: &Field, width: usize, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let say = |text: &str, style| Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width);
    let mut lines = say(&ask.question.ask, theme.strong);
    lines.push(Line::default());
    match &ask.judged {
        None => lines.extend(asked(ask, typed, width, look)),
        Some(judged) => {
            let (mark, style, word) = if judged.right {
                (theme.glyphs.good, theme.good, "right")
            } else {
                (theme.glyphs.missing, theme.missing, "not right")
            };
            lines.push(Line::styled(format!("{mark} {word}"), style));
            for (whose, value) in [("  you    ", &judged.given), ("  it is  ", &judged.expected)] {
                let lead = Hanging::under(Span::styled(whose, theme.dim));
                lines.extend(Styled::from_text(&escape::line(value), theme.strong).wrap(&lead, width));
            }
            if let Some((sum, _)) = &ask.sum {
                let lead = Hanging::under(Span::styled("  here   ", theme.dim));
                lines.extend(Styled::from_text(&escape::line(sum), theme.text).wrap(&lead, width));
            }
            lines.push(Line::default());
            lines.push(Line::styled("Why", theme.heading));
            lines.extend(say(&sentence(&ask.question.explain), theme.text));
            lines.push(Line::default());
            if ask.is_last() && !ask.earlier.is_empty() {
                lines.push(Line::styled("All that was asked", theme.heading));
                for (asked, judged) in ask.answers() {
                    let (mark, style) = if judged.right {
                        (theme.glyphs.good, theme.good)
                    } else {
                        (theme.glyphs.missing, theme.missing)
                    };
                    let lead = Hanging::under(Span::styled(format!("{mark} "), style));
                    let text = format!("{asked} You: {}; it is {}", judged.given, judged.expected);
                    lines.extend(Styled::from_text(&escape::line(&text), theme.text).wrap(&lead, width));
                }
                lines.push(Line::default());
            }
        }
    }
    lines
}

/// Whether a picture has one of these numbers in it.
pub fn tells(picture: &[Line<'_>], answers: &[String]) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || c == '.' || c == ',';
    let numbers = |text: &str| -> Vec<String> {
        let found = text.split(|c: char| !is_part(c)).map(|n| n.trim_matches(['.', ',']).to_owned());
        found.filter(|n| !n.is_empty()).collect()
    };
    let asked: Vec<String> = answers.iter().flat_map(|answer| numbers(answer)).collect();
    picture.iter().any(|line| numbers(&line.to_string()).iter().any(|number| asked.contains(number)))
}

/// What stands where picture and numbers are not shown yet.
pub fn waiting(open: usize, width: usize, look: &Look) -> Vec<Line<'static>> {
    let text = match open {
        0 => "Enter leads back to the picture and all numbers.".to_owned(),
        1 => {
            "One question is open: picture and numbers would tell its answer. Esc shows them now.".to_owned()
        }
        open => format!(
            "{open} questions are open: picture and numbers would tell their answers. Esc shows them now."
        ),
    };
    Styled::from_text(&text, look.theme.dim).wrap(&Hanging::none(), width)
}

fn asked(ask: &Ask, typed: &Field, width: usize, look: &Look) -> Vec<Line<'static>> {
    let theme = look.theme;
    let mut lines = Vec::new();
    for (i, option) in ask.options().iter().enumerate() {
        let chosen = i == ask.chosen;
        let pointer = if chosen { theme.glyphs.pointer } else { " " };
        let lead = Hanging::under(Span::styled(format!("{pointer} {} ", i + 1), theme.accent));
        let style = if chosen { theme.strong } else { theme.text };
        lines.extend(Styled::from_text(&escape::line(option), style).wrap(&lead, width));
    }
    if let Answer::Number { unit, .. } = &ask.question.answer {
        let lead = Span::styled("  your answer: ", theme.dim);
        let room = width.saturating_sub(lead.width());
        lines.push([lead].into_iter().chain(typed.with_caret(room, theme.accent, theme)).collect());
        let convertible = unit.dimension != quantity::Dimension::Count;
        let hint = match unit.name {
            "" => "  a number; within 5% is right".to_owned(),
            unit if convertible => format!("  in {unit} or another unit; within 5% is right"),
            unit => format!("  {unit}: a whole number"),
        };
        lines.push(Line::styled(hint, theme.dim));
    }
    if let Some(fault) = &ask.fault {
        lines.push(Line::default());
        let lead = Hanging::under(Span::styled(format!("{} ", theme.glyphs.missing), theme.missing));
        lines.extend(Styled::from_text(&escape::line(fault), theme.words.missing).wrap(&lead, width));
    }
    lines.push(Line::default());
    let text = match ask.of.0 < ask.of.1 {
        true => "The picture comes back with your answer, the numbers after the last question.",
        false => "Picture and numbers come back with your answer.",
    };
    lines.extend(Styled::from_text(text, theme.dim).wrap(&Hanging::none(), width));
    lines
}
