//! From blocks to rows.

use std::ops::Range;

use ratatui::layout::Size;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::highlight::Highlighter;
use super::super::theme::{Palette, Theme};
use super::super::wrap::{self, Hanging, Row, Styled};
use super::super::{code, escape, marked, picture};
use super::{Heading, Link, Rendered, Spot, cards, figure, rows, table};
use crate::doc::{self, Block, Document, Inline, LinkKind, Run, Set};

/// Words are set no wider than this, however wide the pane: longer lines are lost on the way back.
pub(super) const LINE: usize = 100;

/// Rows of a curve in a document; other pictures are as high as they are.
const PICTURE: u16 = 14;

/// Lays out a document.
pub fn render(document: &Document, width: usize, theme: &Theme, highlighter: &Highlighter) -> Rendered {
    let out = Rendered::default();
    let mut layout =
        Layout { document, theme, highlighter, width, out, names_pairs: true, heads_pair: false };
    if width > 0 {
        layout.out.links = document
            .links()
            .iter()
            .map(|(target, kind)| Link { target: target.clone(), kind: *kind, spots: Vec::new() })
            .collect();
        layout.top(document.blocks());
        // a link can be without words on screen: one in a heading that turned out to be plain
        layout.out.links.retain(|link| !link.spots.is_empty());
    }
    layout.out
}

/// Lays out what a document adds to another one.
pub fn render_more(
    (before, laid): (&Document, Rendered),
    document: &Document,
    width: usize,
    (theme, highlighter): (&Theme, &Highlighter),
) -> Option<Rendered> {
    let (old, new) = (before.blocks(), document.blocks());
    // links are numbered through the whole document
    let is_plain = before.links().is_empty() && document.links().is_empty();
    if width == 0 || !is_plain || old.is_empty() || !new.starts_with(old) {
        return None;
    }
    let mut layout =
        Layout { document, theme, highlighter, width, out: laid, names_pairs: true, heads_pair: false };
    layout.from(new, old.len());
    Some(layout.out)
}

pub(super) struct Layout<'a> {
    document: &'a Document,
    pub(super) theme: &'a Theme,
    pub(super) highlighter: &'a Highlighter,
    pub(super) width: usize,
    pub(super) out: Rendered,
    /// Whether it is still to be said whose the texts of a pair are.
    pub(super) names_pairs: bool,
    /// Whether two texts stand right below the block at hand: its rows are as wide as both.
    pub(super) heads_pair: bool,
}

/// What leads the rows of a block: bars of quotes, bullets, blanks.
#[derive(Default)]
pub(super) struct Margin {
    hanging: Hanging,
}

impl Margin {
    /// The lead of the next row, `first` once and `rest` from then on.
    fn take(&mut self) -> Vec<Span<'static>> {
        std::mem::replace(&mut self.hanging.first, self.hanging.rest.clone())
    }

    /// A margin inside this one. Where it would take more than two thirds of the width, only
    /// the mark of its first row is kept.
    fn inside(&mut self, first: Span<'static>, rest: Span<'static>, width: usize) -> Margin {
        let mut lead = self.take();
        let mut others = self.hanging.rest.clone();
        lead.push(first);
        others.push(rest);
        if columns(&others) * 3 > width * 2 {
            others.pop();
        }
        if columns(&lead) * 3 > width * 2 {
            lead.pop();
        }
        Margin { hanging: Hanging { first: lead, rest: others } }
    }

    /// A margin so many blanks wider.
    pub(super) fn set_in(&mut self, by: usize, width: usize) -> Margin {
        let blanks = || Span::raw(" ".repeat(by));
        self.inside(blanks(), blanks(), width)
    }

    /// Columns of the wider of both leads.
    pub(super) fn columns(&self) -> usize {
        columns(&self.hanging.first).max(columns(&self.hanging.rest))
    }
}

/// Whether all of it is for the ear alone.
fn is_heard(block: &Block) -> bool {
    matches!(block, Block::Rows(rows) if !rows.rows.is_empty() && rows.rows.iter().all(doc::Row::is_heard))
}

/// Two texts stand right below what they belong to.
fn is_paired(block: &Block) -> bool {
    matches!(block, Block::Columns(parts) if parts.iter().any(|part| part.set == Set::Paired))
}

fn columns(spans: &[Span]) -> usize {
    spans.iter().map(|span| wrap::width(&span.content)).sum()
}

impl Layout<'_> {
    pub(super) fn top(&mut self, blocks: &[Block]) {
        self.from(blocks, 0);
    }

    /// The blocks from this one on.
    fn from(&mut self, blocks: &[Block], first: usize) {
        let mut margin = Margin::default();
        for (at, block) in blocks.iter().enumerate().skip(first) {
            let is_first = at == 0 || self.out.lines.is_empty();
            if !is_first && !self.follows_heading(blocks, at) && !is_paired(block) && !is_heard(block) {
                self.blank(&margin);
            }
            self.out.blocks.push(self.out.lines.len());
            self.heads_pair = blocks.get(at + 1).is_some_and(is_paired);
            self.block(block, &mut margin, 0);
            self.keep_together(blocks, at);
        }
    }

    /// An empty layout of so many columns for the same document.
    pub(super) fn beside(&self, width: usize) -> Layout<'_> {
        let mut out = Rendered::default();
        out.links = self.out.links.iter().map(|link| Link { spots: Vec::new(), ..link.clone() }).collect();
        Layout { out, width, ..*self }
    }

    /// Notes the rows of a figure or a table, with the heading right above it.
    fn keep_together(&mut self, blocks: &[Block], at: usize) {
        if !matches!(blocks[at], Block::Code { .. } | Block::Table { .. }) {
            return;
        }
        let headed = at > 0 && matches!(blocks[at - 1], Block::Heading(..));
        let start = self.out.blocks[at - usize::from(headed)];
        self.out.together.push(start..self.out.lines.len());
    }

    /// Text stands right below a heading of the second level and deeper.
    fn follows_heading(&self, blocks: &[Block], at: usize) -> bool {
        matches!(blocks[at - 1], Block::Heading(2.., _)) && !matches!(blocks[at], Block::Heading(..))
    }

    fn blocks(&mut self, blocks: &[Block], margin: &mut Margin, depth: usize, loose: bool) {
        for (at, block) in blocks.iter().enumerate() {
            let tight_list = !loose && matches!(block, Block::List { .. });
            if at > 0 && !tight_list && !self.follows_heading(blocks, at) {
                self.blank(margin);
            }
            self.block(block, margin, depth);
        }
    }

    fn block(&mut self, block: &Block, margin: &mut Margin, depth: usize) {
        match block {
            Block::Heading(level, words) => self.heading(*level, words, margin),
            Block::Paragraph(words) => self.prose(words, Style::new(), margin),
            Block::List { start, loose, items } => {
                self.list(ListLook { start: *start, loose: *loose, depth }, items, margin);
            }
            Block::Quote(blocks) => {
                let bar = || Span::styled(format!("{} ", self.theme.glyphs.quote), self.theme.faint);
                let mut inner = margin.inside(bar(), bar(), self.width);
                self.blocks(blocks, &mut inner, depth, true);
            }
            Block::Code { language, text, .. } => self.code(language, text, margin),
            Block::Table { columns, rows } => table::draw(self, columns, rows, margin),
            Block::Rows(rows) => rows::draw(self, rows, margin),
            Block::Heat(heat) => rows::heat(self, heat, margin),
            Block::Answer { text, marks, active } => {
                let room = clip(self.width.saturating_sub(margin.columns()).min(LINE));
                let marked = marked::render(text, marks, *active, (room, self.theme));
                marked.lines.into_iter().for_each(|line| self.emit(line.spans, margin));
            }
            Block::Picture(picture) => {
                let size = Size { width: clip(self.width.saturating_sub(margin.columns())), height: PICTURE };
                let lines = picture::lines(picture, None, size, self.theme);
                lines.into_iter().for_each(|line| self.emit(line.spans, margin));
            }
            Block::Columns(parts) => cards::draw(self, parts, margin),
            Block::Rule => {
                let rule = self.theme.glyphs.rule.repeat(self.width.saturating_sub(margin.columns()));
                self.emit(vec![Span::styled(rule, self.theme.faint)], margin);
            }
        }
    }

    fn heading(&mut self, level: u8, words: &Inline, margin: &mut Margin) {
        let style = match level {
            ..4 => self.theme.heading,
            // the name of a figure is no section
            _ => self.theme.dim,
        };
        let text = words.iter().map(|run| run.text.as_str()).collect::<String>();
        let text = escape::line(&text).into_owned();
        self.out.headings.push(Heading { row: self.out.lines.len(), level, text });
        self.prose(words, style, margin);
    }

    fn list(&mut self, look: ListLook, items: &[Vec<Block>], margin: &mut Margin) {
        let last = look.start.map(|start| start.saturating_add(items.len() as u64).saturating_sub(1));
        let digits = last.map_or(0, |last| last.to_string().len());
        for (at, item) in items.iter().enumerate() {
            if at > 0 && look.loose {
                self.blank(margin);
            }
            let bullet = match look.start {
                Some(start) => format!("{:>digits$}. ", start.saturating_add(at as u64)),
                None => format!("{} ", self.theme.glyphs.bullets[look.depth % 3]),
            };
            let blanks = Span::raw(" ".repeat(wrap::width(&bullet)));
            let mut inner = margin.inside(Span::styled(bullet, self.theme.dim), blanks, self.width);
            match item.as_slice() {
                [] => self.emit(Vec::new(), &mut inner),
                blocks => self.blocks(blocks, &mut inner, look.depth + 1, look.loose),
            }
        }
    }

    /// Wraps words behind the margin and notes where their links stand.
    fn prose(&mut self, words: &Inline, base: Style, margin: &mut Margin) {
        let (text, links) = self.styled(words, base);
        let (first, rest) = margin.hanging.widths(self.width);
        let room = |lead: usize| (self.width - lead).min(LINE);
        let rows = wrap::rows(text.text().trim_end(), room(first), room(rest));
        for (at, row) in rows.iter().enumerate() {
            let lead = if at == 0 { first } else { rest };
            self.note_links(&links, &text, row, lead);
            self.emit(text.spans(row.range(), self.width - lead), margin);
        }
    }

    /// One line of a table that is shown as a list: the first of its row, or a further one.
    pub(super) fn record(&mut self, words: &Inline, first: bool, margin: &mut Margin) {
        let (lead, rest) = if first { ("", "  ") } else { ("  ", "    ") };
        let mut inner = margin.inside(Span::raw(lead), Span::raw(rest), self.width);
        self.prose(words, Style::new(), &mut inner);
    }

    /// The words with their styles, and the bytes that belong to links.
    pub(super) fn styled(&self, words: &Inline, base: Style) -> (Styled, Vec<(usize, Range<usize>)>) {
        let mut text = Styled::new();
        let mut links = Vec::new();
        for run in words {
            let bytes = match run.look.code && self.theme.palette == Palette::Mono {
                // where code has no colour of its own, its backticks tell
                true => text.push(&format!("`{}`", run.text), self.run_style(run, base)),
                false => text.push(&run.text, self.run_style(run, base)),
            };
            if let Some(link) = run.link {
                links.push((link, bytes));
            }
        }
        (text, links)
    }

    fn run_style(&self, run: &Run, base: Style) -> Style {
        let theme = self.theme;
        let mut style = base;
        for (is, patch) in [
            (run.look.emphasis, theme.emphasis),
            (run.look.strong, theme.strong),
            (run.look.struck, Style::new().add_modifier(Modifier::CROSSED_OUT)),
            (run.look.code, theme.code),
        ] {
            if is {
                style = style.patch(patch);
            }
        }
        match run.link.map(|link| self.document.links()[link].1) {
            Some(_) if run.look.address => style.patch(theme.dim),
            Some(LinkKind::Term) => style.patch(theme.term),
            Some(_) => style.patch(theme.link),
            None => style,
        }
    }

    /// Notes the links in `row` of a text whose row is drawn next, from column `lead` on.
    pub(super) fn note_links(
        &mut self,
        links: &[(usize, Range<usize>)],
        text: &Styled,
        row: &Row,
        lead: usize,
    ) {
        let at = self.out.lines.len();
        for (link, bytes) in links {
            let (start, end) = (bytes.start.max(row.start), bytes.end.min(row.end));
            if start >= end {
                continue;
            }
            let from = lead + wrap::width(&text.text()[row.start..start]);
            let to = (from + wrap::width(&text.text()[start..end])).min(self.width);
            let columns = clip(from.min(self.width))..clip(to);
            let spots = &mut self.out.links[*link].spots;
            match spots.last_mut() {
                Some(last) if last.row == at && last.columns.end == columns.start => {
                    last.columns.end = columns.end
                }
                _ => spots.push(Spot { row: at, columns }),
            }
        }
    }

    fn code(&mut self, language: &str, text: &str, margin: &mut Margin) {
        let room = self.width.saturating_sub(margin.columns()).max(1);
        let source = code::Source::new(language, text);
        if figure::is_figure(language) {
            return self.figure(&source, room, margin);
        }
        let indent = if source.width() + 2 <= room || room > 24 { 2 } else { 0 };
        let colours = (self.theme, self.highlighter);
        for spans in source.lines(room - indent, code::LongLines::Wrap, colours) {
            let mut row = vec![Span::raw(" ".repeat(indent))];
            row.extend(spans);
            self.emit(row, margin);
        }
    }

    /// A figure keeps its lines; it is set in where there is room for that.
    fn figure(&mut self, source: &code::Source, room: usize, margin: &mut Margin) {
        let indent = room.saturating_sub(source.width()).min(2);
        let colours = (self.theme, self.highlighter);
        let cut = source.width() > room;
        let whole = source.lines(source.width(), code::LongLines::Cut, colours);
        for (line, spans) in whole.into_iter().enumerate() {
            let mut row = vec![Span::raw(" ".repeat(indent))];
            row.extend(spans);
            if cut && wrap::width(source.line(line)) > room {
                self.out.cut.push((self.out.lines.len(), Line::from(row.clone())));
            }
            self.emit(row, margin);
        }
    }

    fn blank(&mut self, margin: &Margin) {
        let lead = margin.hanging.rest.clone();
        let bars = lead.iter().any(|span| !span.content.trim().is_empty());
        self.out.lines.push(if bars { self.fitted(lead) } else { Line::default() });
    }

    /// Adds a row behind the margin.
    pub(super) fn emit(&mut self, spans: Vec<Span<'static>>, margin: &mut Margin) {
        let mut row = margin.take();
        row.extend(spans);
        let row = self.fitted(row);
        self.out.lines.push(row);
    }

    /// A row that is not wider than the width, whatever happened before.
    fn fitted(&self, spans: Vec<Span<'static>>) -> Line<'static> {
        let line = Line::from(spans);
        if columns(&line.spans) <= self.width {
            return line;
        }
        wrap::cut_line(&line, self.width, self.theme.glyphs.cut)
    }
}

/// How a list is to look.
struct ListLook {
    start: Option<u64>,
    loose: bool,
    depth: usize,
}

pub(super) fn clip(columns: usize) -> u16 {
    u16::try_from(columns).unwrap_or(u16::MAX)
}
