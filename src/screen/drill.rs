//! A drill: the prompt, an editor, the clock counting up. The draft is saved while it is typed.

use jiff::{SignedDuration, Timestamp};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::rate::{Rate, Rated};
use super::{Context, Page};
use crate::app::effect::{Effect, Reply};
use crate::app::event::Mouse;
use crate::pack::{Drill as DrillOf, Level, Pack, Part};
use crate::page::action::Action;
use crate::page::key::Key;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::score;
use crate::study::answer::{self, Finished};
use crate::study::attempt::Attempt;
use crate::study::home::Draft;
use crate::study::words::some;
use crate::widget::editor::{Editor, Outcome};
use crate::widget::wrap::{Hanging, Styled};
use crate::widget::{escape, wrap};

/// A change is saved at once when the last save is older than this.
const SAVE_AFTER: SignedDuration = SignedDuration::from_millis(700);

/// From this width on the five parts stand beside the answer.
const WIDE: u16 = 100;

/// An answer in the making.
#[derive(Debug)]
pub struct Drill {
    pack: usize,
    drill: DrillOf,
    pack_id: String,
    parts: Vec<Part>,
    /// The part that is asked for alone, by id.
    only: Option<String>,
    editor: Editor,
    draft: Option<String>,
    /// Seconds spent before this screen was opened.
    before: u32,
    opened: Timestamp,
    saved: Timestamp,
    unsaved: bool,
    resumed: bool,
    checklist: bool,
    head: Vec<Line<'static>>,
    list: Vec<Line<'static>>,
    area: Rect,
    text: Rect,
    side: Rect,
    /// The answer once it is scored, and the rating of it that comes before its marks.
    rating: Option<(Box<Attempt>, Rate)>,
}

impl Drill {
    /// Opens a drill, with the draft that was left if there is one.
    pub fn new(
        (index, pack): (usize, &Pack),
        drill: &DrillOf,
        only: Option<&str>,
        context: &Context,
    ) -> (Self, Vec<Effect>) {
        let left = context.memory.draft(index, &drill.id, only).cloned();
        let effects = if left.is_some() { Vec::new() } else { vec![Effect::FreshId] };
        let screen = Self {
            pack: index,
            drill: drill.clone(),
            pack_id: pack.id.clone(),
            parts: pack.parts.clone(),
            only: only.map(str::to_owned),
            editor: left.as_ref().map_or_else(Editor::new, |d| Editor::with_text(&d.text)),
            before: left.as_ref().map_or(0, |d| d.seconds),
            resumed: left.is_some(),
            draft: left.map(|d| d.id),
            opened: context.now,
            saved: context.now,
            unsaved: false,
            checklist: false,
            head: Vec::new(),
            list: Vec::new(),
            area: Rect::ZERO,
            text: Rect::ZERO,
            side: Rect::ZERO,
            rating: None,
        };
        (screen, effects)
    }

    fn seconds(&self, now: Timestamp) -> u32 {
        let here = now.duration_since(self.opened).as_secs().max(0);
        self.before.saturating_add(u32::try_from(here).unwrap_or(u32::MAX))
    }

    fn question(&self) -> String {
        answer::question(&self.parts, &self.drill, self.only.as_deref())
    }

    fn save(&mut self, context: &Context) -> Vec<Effect> {
        let Some(id) = self.draft.clone().filter(|_| self.unsaved) else {
            return Vec::new();
        };
        self.unsaved = false;
        self.saved = context.now;
        vec![Effect::SaveDraft(Draft {
            id,
            pack: self.pack_id.clone(),
            drill: self.drill.id.clone(),
            mode: answer::mode(self.only.as_deref()),
            part: self.only.clone(),
            text: self.editor.text().to_owned(),
            seconds: self.seconds(context.now),
            at: context.now,
        })]
    }

    fn changed(&mut self, outcome: Outcome, context: &Context) -> Vec<Effect> {
        if outcome == Outcome::Changed {
            self.unsaved = true;
        }
        if self.unsaved && context.now.duration_since(self.saved) >= SAVE_AFTER {
            return self.save(context);
        }
        Vec::new()
    }

    fn submit(&mut self, context: &Context) -> Vec<Effect> {
        if self.editor.text().trim().is_empty() {
            return vec![Effect::Say("there is nothing to score yet; type an answer first".into())];
        }
        let Some(pack) = context.library.packs.get(self.pack) else {
            return Vec::new();
        };
        let finished = Finished {
            id: self.draft.take().unwrap_or_else(|| format!("{:012x}", context.now.as_millisecond())),
            part: self.only.as_deref(),
            text: self.editor.text(),
            seconds: self.seconds(context.now),
            rating: None,
        };
        let attempt = answer::scored(pack, &self.drill, finished, context.now);
        self.unsaved = false;
        let attempt = Box::new(attempt);
        let mut effects = vec![Effect::Record(attempt.clone())];
        match Rate::of(&attempt, Some(pack)) {
            Some(rate) => self.rating = Some((attempt, rate)),
            None => effects.push(Effect::Replace(Place::Verdict { attempt })),
        }
        effects
    }

    /// Acts on a key while the answer is rated: the marks follow the last part.
    fn rate(&mut self, action: Action) -> Vec<Effect> {
        let Some((attempt, rate)) = &mut self.rating else {
            return Vec::new();
        };
        let mut effects = Vec::new();
        match rate.act(action) {
            Rated::Not => return effects,
            Rated::Skipped => {}
            Rated::All(rating) => {
                attempt.rate(rating);
                effects.push(Effect::Rate(attempt.clone()));
            }
        }
        let attempt = attempt.clone();
        effects.push(Effect::Replace(Place::Verdict { attempt }));
        effects
    }

    fn size(&self) -> Size {
        Size { width: self.text.width, height: self.text.height }
    }

    fn minutes(&self) -> u32 {
        answer::minutes(&self.drill, self.only.as_deref())
    }
}

impl Page for Drill {
    fn title(&self, context: &Context) -> Vec<String> {
        let lesson = context.library.lesson(self.pack, &self.drill.lesson).map(|l| l.title.clone());
        let word = if self.only.is_some() { "one part" } else { "drill" };
        lesson.into_iter().chain([word.to_owned()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match self.rating {
            Some(_) => vec![Scope::Rate, Scope::Moving],
            None => vec![Scope::Drill, Scope::Typing],
        }
    }

    fn arrange(&mut self, area: Rect, context: &Context) {
        let theme = context.theme;
        self.area = area;
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
        if let Some((_, rate)) = &mut self.rating {
            rate.arrange(inner, context);
            return;
        }
        let wide = area.width >= WIDE;
        let (main, side) = if wide && self.checklist {
            let side = inner.width / 3;
            let main = Rect { width: inner.width - side - 2, ..inner };
            (main, Rect { x: main.right() + 2, width: side, ..inner })
        } else {
            (inner, Rect::ZERO)
        };
        self.side = side;
        let question = self.question();
        self.head = Styled::from_text(&escape::line(&question), theme.heading)
            .wrap(&Hanging::none(), main.width.into());
        self.list = if self.checklist {
            checklist(
                &self.parts,
                self.only.as_deref(),
                (wide, if wide { side.width } else { main.width }),
                context,
            )
        } else {
            Vec::new()
        };
        let below = if wide { 0 } else { self.list.len() };
        // prompt, checklist in a narrow terminal, a rule, and the row with the clock
        let top = u16::try_from(self.head.len() + below + 1).unwrap_or(main.height);
        let top = top.min(main.height.saturating_sub(4));
        self.text = Rect {
            y: main.y + top,
            height: main.height.saturating_sub(top + 2),
            // long rows are hard to write too
            width: main.width.min(96),
            ..main
        };
        self.editor.resize(self.size());
    }

    fn act(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        match action {
            action if self.rating.is_some() => self.rate(action),
            Action::Submit => self.submit(context),
            Action::Checklist => {
                self.checklist = !self.checklist;
                Vec::new()
            }
            Action::Discard => {
                let size = self.size();
                self.editor.clear(size);
                self.unsaved = true;
                self.save(context)
            }
            Action::Back => vec![Effect::Back],
            _ => Vec::new(),
        }
    }

    fn typed(&mut self, key: Key, context: &Context) -> Vec<Effect> {
        if self.rating.is_some() {
            return Vec::new();
        }
        let outcome = self.editor.update(key.into(), self.size());
        self.changed(outcome, context)
    }

    fn pasted(&mut self, text: &str, context: &Context) -> Vec<Effect> {
        if self.rating.is_some() {
            return Vec::new();
        }
        let outcome = self.editor.paste(text, self.size());
        self.changed(outcome, context)
    }

    fn mouse(&mut self, kind: Mouse, at: Position, _context: &Context) -> Vec<Effect> {
        match kind {
            Mouse::ScrollDown if self.rating.is_some() => return self.rate(Action::Down),
            Mouse::ScrollUp if self.rating.is_some() => return self.rate(Action::Up),
            _ if self.rating.is_some() => {}
            Mouse::ScrollDown => {
                self.editor.scroll(2, self.size());
            }
            Mouse::ScrollUp => {
                self.editor.scroll(-2, self.size());
            }
            Mouse::Click if self.text.contains(at) => {
                self.editor.click(at.x - self.text.x, at.y - self.text.y, self.size());
            }
            Mouse::Click => {}
        }
        Vec::new()
    }

    fn wake_at(&self, context: &Context) -> Option<Timestamp> {
        if self.rating.is_some() {
            return None; // the clock has stopped
        }
        // the next full second of the clock
        let here = context.now.duration_since(self.opened).as_secs().max(0);
        self.opened.checked_add(SignedDuration::from_secs(here + 1)).ok()
    }

    fn tick(&mut self, context: &Context) -> Vec<Effect> {
        self.save(context)
    }

    fn reply(&mut self, reply: &Reply, context: &Context) -> Vec<Effect> {
        if let Reply::Id(id) = reply
            && self.draft.is_none()
        {
            self.draft = Some(id.clone());
            return self.save(context);
        }
        Vec::new()
    }

    fn leave(&mut self, context: &Context) -> Vec<Effect> {
        if self.rating.is_some() {
            return Vec::new(); // the answer is kept already
        }
        if self.editor.text().trim().is_empty() && self.resumed {
            return self.draft.take().map(Effect::DropDraft).into_iter().collect();
        }
        self.save(context)
    }

    fn draw(&self, _area: Rect, buffer: &mut Buffer, context: &Context) {
        if let Some((_, rate)) = &self.rating {
            return rate.draw(buffer, context);
        }
        let theme = context.theme;
        let left = Rect { x: self.area.x + 1, width: self.area.width.saturating_sub(2), ..self.area };
        let wide = !self.side.is_empty();
        let above: Vec<Line> =
            self.head.iter().chain(if wide { &[][..] } else { &self.list[..] }).cloned().collect();
        for (line, y) in above.iter().zip(left.top()..self.text.y) {
            line.render(Rect { y, height: 1, ..left }, buffer);
        }
        if wide {
            for (line, y) in self.list.iter().zip(self.side.top()..self.side.bottom()) {
                line.render(Rect { y, height: 1, ..self.side }, buffer);
            }
        }
        let invitation = if self.only.is_some() {
            "Type this part only."
        } else {
            "Type your answer as you would say it: the problem, the mechanism, what is communicated, the tradeoff, how you would measure it."
        };
        self.editor.draw(self.text, buffer, theme, invitation);
        self.draw_status(
            Rect { y: self.area.bottom().saturating_sub(1), height: 1, ..left },
            buffer,
            context,
        );
    }

    fn cursor(&self) -> Option<Position> {
        match self.rating {
            Some(_) => None,
            None => self.editor.cursor(self.text),
        }
    }
}

impl Drill {
    fn draw_status(&self, row: Rect, buffer: &mut Buffer, context: &Context) {
        let theme = context.theme;
        let spent = self.seconds(context.now);
        let limit = self.minutes() * 60;
        let clock = match spent {
            s if s > limit => theme.clock_red,
            s if s * 4 > limit * 3 => theme.clock_amber,
            _ => theme.accent,
        };
        let words = score::count_words(self.editor.text());
        let level = match self.drill.level {
            Level::Junior => "junior",
            Level::Mid => "mid",
            Level::Senior => "senior",
        };
        let kept = match (self.unsaved, self.resumed) {
            (true, _) => "saving …",
            (false, true) => "your draft, gone on with",
            (false, false) if self.editor.text().is_empty() => "practice: the clock only counts up",
            (false, false) => "saved",
        };
        let over = if spent > limit { " over time" } else { "" };
        let line = Line::from(vec![
            Span::styled(format!("{}:{:02}", spent / 60, spent % 60), clock),
            Span::styled(format!(" of {}:00{over}", self.minutes()), theme.dim),
            Span::styled(format!("   {}", some(words, "word")), theme.text),
            Span::styled(format!("   {level}   {kept}"), theme.dim),
        ]);
        wrap::cut_line(&line, row.width.into(), theme.glyphs.continued).render(row, buffer);
    }
}

/// The parts with their questions; one row each in a narrow terminal.
pub fn checklist(
    parts: &[Part],
    only: Option<&str>,
    (wide, width): (bool, u16),
    context: &Context,
) -> Vec<Line<'static>> {
    let theme = context.theme;
    let mut out = vec![];
    for (i, part) in parts.iter().enumerate().filter(|(_, p)| only.is_none_or(|o| o == p.id)) {
        let mark = theme.part(i);
        let name = Span::styled(format!("{} {}", mark.digit, escape::line(&part.title)), mark.name);
        let question = escape::line(&part.question);
        if wide {
            out.push(Line::from(name));
            out.extend(Styled::from_text(&question, theme.dim).wrap(&Hanging::none(), width.into()));
            out.push(Line::default());
        } else {
            let line = Line::from(vec![name, Span::styled(format!(": {question}"), theme.dim)]);
            out.push(wrap::cut_line(&line, width.into(), theme.glyphs.continued));
        }
    }
    out
}
