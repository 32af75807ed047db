//! Rating oneself before the marks: one key a part, one key to skip.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::reading::draw_scrollbar;
use super::{Context, moving};
use crate::pack::Pack;
use crate::page::action::Action;
use crate::score::Verdict;
use crate::study::answer;
use crate::study::attempt::Attempt;
use crate::study::rating::Rating;
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{bar, escape, scroll, wrap};

/// The verdicts in the order of their keys.
const KEYS: [(&str, Verdict); 3] =
    [("m", Verdict::Missing), ("p", Verdict::Partial), ("c", Verdict::Covered)];

/// Rows are hard to read when they are longer.
const LONGEST_ROW: u16 = 96;

/// A part to be rated.
#[derive(Debug)]
struct Asked {
    /// Its place in the rubric, for its colour and digit.
    place: usize,
    id: String,
    title: String,
    question: String,
}

/// An answer that is being rated.
#[derive(Debug)]
pub struct Rate {
    question: String,
    answer: String,
    parts: Vec<Asked>,
    given: Vec<Verdict>,
    rows: Vec<Line<'static>>,
    area: Rect,
    top: usize,
}

/// What a key brought about.
#[derive(Debug, PartialEq)]
pub enum Rated {
    /// There is more to rate.
    Not,
    /// Every part is rated.
    All(Rating),
    /// The marks are wanted without a rating.
    Skipped,
}

impl Rate {
    /// Asks for a rating of an attempt. None where nothing was typed.
    pub fn of(attempt: &Attempt, pack: Option<&Pack>) -> Option<Self> {
        if attempt.answer.trim().is_empty() {
            return None;
        }
        let known = pack.map_or(&[][..], |p| &p.parts);
        let marks = attempt.score.parts.iter().enumerate();
        let parts = marks
            .filter(|(_, mark)| attempt.part.as_ref().is_none_or(|only| *only == mark.part))
            .map(|(place, mark)| Asked {
                place,
                id: mark.part.clone(),
                title: answer::part_title(known, &mark.part).to_owned(),
                question: known
                    .iter()
                    .find(|p| p.id == mark.part)
                    .map_or_else(String::new, |p| p.question.clone()),
            });
        let parts: Vec<Asked> = parts.collect();
        let drill = pack.and_then(|p| p.drill(&attempt.drill));
        let question = drill.map(|d| answer::question(known, d, attempt.part.as_deref()));
        (!parts.is_empty()).then(|| Self {
            question: question.unwrap_or_default(),
            answer: attempt.answer.clone(),
            parts,
            given: Vec::new(),
            rows: Vec::new(),
            area: Rect::ZERO,
            top: 0,
        })
    }

    /// Acts on a key.
    pub fn act(&mut self, action: Action) -> Rated {
        match action {
            Action::Submit => return Rated::Skipped,
            Action::Discard => {
                self.given.pop();
            }
            Action::Digit(n) => {
                let key = usize::from(n).checked_sub(1).and_then(|i| KEYS.get(i));
                self.given.extend(key.map(|(_, verdict)| *verdict));
                if self.given.len() >= self.parts.len() {
                    return self.rating().map_or(Rated::Skipped, Rated::All);
                }
            }
            action => {
                let height = usize::from(self.area.height);
                self.top = scroll::moved(self.top, moving::by(action, height), height, self.rows.len());
            }
        }
        Rated::Not
    }

    fn rating(&self) -> Option<Rating> {
        let parts = self.parts.iter().zip(&self.given);
        let parts: BTreeMap<String, Verdict> = parts.map(|(part, v)| (part.id.clone(), *v)).collect();
        Rating::of_parts(parts)
    }

    /// Lays it out for an area.
    pub fn arrange(&mut self, area: Rect, context: &Context) {
        self.area = area;
        let width = area.width.saturating_sub(2).min(LONGEST_ROW);
        let theme = context.theme;
        let mut rows = paragraph(&self.question, theme.heading, width);
        rows.push(Line::default());
        let ask = match self.parts.len() {
            1 => "Before the mark: how well did you say it?",
            _ => "Before the marks: how well did you say each part?",
        };
        rows.push(Line::styled(ask, theme.strong));
        for at in 0..self.parts.len() {
            rows.push(self.part_row(at, width, context));
        }
        rows.push(Line::default());
        // as many rows for each question, so that the answer below stands still
        let asks = self.parts.iter();
        let asks: Vec<_> = asks.map(|p| paragraph(&p.question, theme.dim, width)).collect();
        let most = asks.iter().map(Vec::len).max().unwrap_or(0);
        let mut now = asks.get(self.given.len()).cloned().unwrap_or_default();
        now.resize(most, Line::default());
        rows.extend(now);
        rows.push(Line::default());
        rows.push(Line::styled("Your answer", theme.heading));
        for line in self.answer.trim().lines() {
            rows.extend(paragraph(line, theme.text, width));
        }
        self.rows = rows;
        self.top = scroll::clamp(self.top, area.height.into(), self.rows.len());
    }

    /// `▸ 2 Mechanism       m missing  p partial  c covered`, or what was given.
    fn part_row(&self, at: usize, width: u16, context: &Context) -> Line<'static> {
        let theme = context.theme;
        let part = &self.parts[at];
        let mark = theme.part(part.place);
        let now = at == self.given.len();
        let longest = self.parts.iter().map(|p| wrap::width(&p.title)).max();
        let name = escape::line(&part.title).into_owned();
        let blanks = longest.unwrap_or(0).saturating_sub(wrap::width(&name)) + 3;
        let pointer = if now { theme.glyphs.pointer } else { " " };
        let mut spans = vec![
            Span::styled(format!("{pointer} "), theme.accent),
            Span::styled(format!("{} {name}", mark.digit), mark.name),
            Span::raw(" ".repeat(blanks)),
        ];
        match self.given.get(at) {
            Some(verdict) => spans.extend([
                bar::verdict(*verdict, theme),
                Span::raw(" "),
                bar::verdict_word(*verdict, theme),
            ]),
            None if now => {
                for (key, verdict) in KEYS {
                    spans.push(Span::styled(key, theme.accent));
                    spans.push(Span::raw(" "));
                    spans.push(bar::verdict_word(verdict, theme));
                    spans.push(Span::raw("   "));
                }
            }
            None => spans.push(Span::styled(theme.glyphs.untouched, theme.dim)),
        }
        wrap::cut_line(&Line::from(spans), width.into(), theme.glyphs.cut)
    }

    /// Draws it.
    pub fn draw(&self, buffer: &mut Buffer, context: &Context) {
        for (line, row) in self.rows.iter().skip(self.top).zip(self.area.rows()) {
            let row = Rect { width: row.width.saturating_sub(1), ..row };
            line.render(row, buffer);
        }
        draw_scrollbar(self.area, (self.top, self.rows.len()), buffer, context);
    }
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(&escape::line(text), style).wrap(&Hanging::none(), width.into())
}
