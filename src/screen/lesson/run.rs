//! Running a lab's starter: first a prediction, then the output beside it.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect, Size};
use ratatui::text::Line;
use ratatui::widgets::Widget;

use super::panes;
use crate::app::effect::{Effect, Reply};
use crate::pack::{Lab, prose};
use crate::page::action::Action;
use crate::page::job::Job;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::screen::reading::draw_scrollbar;
use crate::screen::{Context, moving};
use crate::tui::reading::Reading;
use crate::widget::code::{LongLines, Source};
use crate::widget::editor::Editor;
use crate::widget::{escape, scroll};

/// What runs a starter, for a lab that has one.
#[derive(Debug, Default)]
pub struct Runner {
    lab: Option<Lab>,
    state: State,
    editor: Editor,
    questions: Reading,
    answers: Reading,
    text: Rect,
}

#[derive(Debug, Default)]
enum State {
    #[default]
    Closed,
    Asking,
    Running,
    Done(Output),
}

/// What came out.
#[derive(Debug, Default)]
struct Output {
    source: Source,
    note: Option<String>,
    top: usize,
    area: Rect,
    /// Whether the answers are in focus.
    answers: bool,
    /// Whether it has the whole width: output and answers show one at a time.
    alone: bool,
}

impl Runner {
    /// For a lab, or for nothing where there is no lab to run.
    pub fn new(lab: Option<&Lab>) -> Self {
        Self { lab: lab.cloned(), ..Self::default() }
    }

    /// Whether it covers the lab.
    pub fn is_open(&self) -> bool {
        !matches!(self.state, State::Closed)
    }

    /// Asks for a prediction.
    pub fn ask(&mut self) {
        let Some(lab) = &self.lab else { return };
        let questions: String = lab.predictions.iter().map(|p| format!("- {}\n", p.ask.trim())).collect();
        self.questions = Reading::new(&format!("## Predict first\n\n{questions}"), 0);
        self.answers = Reading::new(&format!("## What happens, and why\n\n{}", prose::predictions(lab)), 0);
        self.state = State::Asking;
    }

    /// Whether the prediction was given and the starter started.
    pub fn has_predicted(&self) -> bool {
        matches!(self.state, State::Running | State::Done(_))
    }

    /// A word for the title line.
    pub fn title(&self) -> Option<String> {
        match self.state {
            State::Closed => None,
            State::Asking => Some("predict".into()),
            State::Running => Some("running".into()),
            State::Done(_) => Some("output".into()),
        }
    }

    /// The keys that work.
    pub fn scopes(&self) -> Vec<Scope> {
        match self.state {
            State::Closed => Vec::new(),
            State::Asking => vec![Scope::Predict, Scope::Typing],
            State::Running | State::Done(_) => vec![Scope::Ran, Scope::Moving, Scope::Everywhere],
        }
    }

    /// Acts on a key.
    pub fn act(&mut self, action: Action, pack: usize, _context: &Context) -> Vec<Effect> {
        match (action, &mut self.state) {
            (Action::Back, _) => self.state = State::Closed,
            (Action::Submit, State::Asking) => {
                self.state = State::Running;
                return self.lab.iter().map(|lab| Effect::Job(Job::Run(pack, lab.id.clone()))).collect();
            }
            (Action::Run, State::Done(_)) => self.state = State::Asking,
            (Action::NextPane, State::Done(output)) => output.answers = !output.answers,
            (action, State::Done(output)) if output.answers => {
                self.answers.act(action);
            }
            (action, State::Done(output)) => output.act(action),
            _ => {}
        }
        Vec::new()
    }

    /// Takes a key for the prediction.
    pub fn typed(&mut self, key: Key, _context: &Context) {
        if matches!(self.state, State::Asking) {
            self.editor.update(key.into(), size(self.text));
        }
    }

    /// Takes pasted text for the prediction.
    pub fn pasted(&mut self, text: &str) {
        if matches!(self.state, State::Asking) {
            self.editor.paste(text, size(self.text));
        }
    }

    /// Takes the output.
    pub fn reply(&mut self, reply: &Reply, _context: &Context) -> Vec<Effect> {
        let (Reply::Ran(ran), Some(lab)) = (reply, &self.lab) else {
            return Vec::new();
        };
        if ran.lab != lab.id || !matches!(self.state, State::Running) {
            return Vec::new();
        }
        self.state = State::Done(Output {
            source: Source::new("text", &ran.output),
            note: ran.note.clone(),
            ..Output::default()
        });
        Vec::new()
    }

    /// Lays itself out over the whole screen.
    pub fn arrange(&mut self, area: Rect, context: &Context) {
        match &mut self.state {
            State::Closed => {}
            State::Asking | State::Running => {
                let [top, text] = Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas(area);
                self.questions.arrange(top, &context.look());
                self.text = Rect {
                    x: text.x + 1,
                    y: text.y + 1,
                    width: text.width.saturating_sub(2),
                    height: text.height.saturating_sub(1),
                };
                self.editor.resize(size(self.text));
            }
            State::Done(output) => {
                let needs = u16::try_from(output.source.width() + 3).unwrap_or(u16::MAX);
                let beside = panes::left(area.width, needs, needs.max(area.width * 3 / 5));
                let [left, right] =
                    Layout::horizontal([Constraint::Length(beside.unwrap_or(0)), Constraint::Fill(1)])
                        .spacing(1)
                        .areas(area);
                output.alone = beside.is_none();
                output.area = if output.alone { area } else { left };
                self.answers.arrange(if output.alone { area } else { right }, &context.look());
            }
        }
    }

    /// Draws itself.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        match &self.state {
            State::Closed => {}
            State::Asking | State::Running => {
                self.questions.draw(buffer, &context.look());
                let rule = Rect { y: self.text.y.saturating_sub(1), height: 1, ..area };
                let words = match self.state {
                    State::Running => "Running …",
                    _ => "Your prediction. Numbers are better than words.",
                };
                Line::styled(format!(" {words}"), theme.accent).render(rule, buffer);
                self.editor.draw(self.text, buffer, theme, "Type what you expect, then run it.");
            }
            State::Done(output) => {
                if !output.alone || !output.answers {
                    output.draw(self.editor.text(), buffer, context);
                }
                if !output.alone || output.answers {
                    self.answers.draw(buffer, &context.look());
                }
            }
        }
    }

    /// The caret of the prediction.
    pub fn cursor(&self) -> Option<Position> {
        matches!(self.state, State::Asking).then(|| self.editor.cursor(self.text)).flatten()
    }
}

fn size(area: Rect) -> Size {
    Size { width: area.width, height: area.height }
}

impl Output {
    fn act(&mut self, action: Action) {
        let by = moving::by(action, self.area.height.into());
        self.top = scroll::moved(self.top, by, self.area.height.into(), self.source.len());
    }

    fn draw(&self, prediction: &str, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let inner = Rect { x: self.area.x + 1, width: self.area.width.saturating_sub(2), ..self.area };
        let mut rows: Vec<Line<'static>> = vec![Line::styled("Output", theme.heading)];
        if let Some(note) = &self.note {
            rows.push(Line::styled(escape::line(note).into_owned(), theme.warning));
        }
        let lines = self.source.lines(inner.width.into(), LongLines::Wrap, (theme, context.highlighter));
        rows.extend(lines.into_iter().map(Line::from));
        if !prediction.trim().is_empty() {
            rows.push(Line::default());
            rows.push(Line::styled("You predicted", theme.heading));
            rows.extend(prediction.lines().map(|l| Line::styled(escape::line(l).into_owned(), theme.text)));
        }
        for (row, y) in rows.iter().skip(self.top).zip(inner.top()..inner.bottom()) {
            row.clone().render(Rect { y, height: 1, ..inner }, buffer);
        }
        draw_scrollbar(self.area, (self.top, rows.len()), buffer, context);
    }
}
