//! The margin of a lesson: each term's definition beside the line where its word first stands.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::doc::{LinkKind, escape};
use crate::pack::{Pack, prose};
use crate::tui::face::Look;
use crate::widget::markdown::{Link, Rendered};
use crate::widget::theme::Palette;
use crate::widget::wrap::{self, Hanging, Styled};

/// Rows that a definition takes at most, and where it waits for room below others; the whole of it opens with the word.
const MOST: usize = 7;
const CROWDED: usize = 3;
/// So far below its word a definition may stand.
const FAR: usize = 16;
/// So far below its word one may begin so that the one above it is whole.
const NEAR: usize = 8;

/// Whether the first of these definitions, each with the row of its word and its length, can stand from a row on in full: the
/// others, as long as one waits for the other, come soon below their words in full too.
fn has_room(definitions: &[(usize, usize)], from: usize) -> bool {
    let mut free = from;
    for (nth, (word, rows)) in definitions.iter().enumerate() {
        if nth > 0 && *word >= free {
            break;
        }
        if nth > 0 && free > word + NEAR {
            return false;
        }
        free = free.max(*word) + rows + 1;
    }
    true
}

/// Definitions, and where they stand beside a text.
#[derive(Debug, Default)]
pub struct Margin {
    /// The terms: name and definition without markup, by id.
    terms: BTreeMap<String, (String, String)>,
    /// The rows, each with the row of the text that it stands beside, and that of its definition's first row.
    lines: Vec<((usize, usize), Line<'static>)>,
    made_for: Option<(u16, usize, Palette)>,
}

impl Margin {
    /// The terms of a pack.
    pub fn of(pack: Option<&Pack>) -> Self {
        let plain = |text: &str| {
            let text = prose::unmarked(text);
            escape::line(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
        };
        let terms = pack.into_iter().flat_map(|pack| {
            let definition = move |t: &crate::pack::Term| plain(&pack.named(&t.definition));
            pack.terms.iter().map(move |t| (t.id.clone(), (t.name.clone(), definition(t))))
        });
        Margin { terms: terms.collect(), ..Margin::default() }
    }

    /// Whether a link is a term with a definition.
    pub fn knows(&self, link: &Link) -> bool {
        link.kind == LinkKind::Term && self.terms.contains_key(&link.target)
    }

    /// Sets the definitions beside a text that was laid out.
    pub fn arrange(&mut self, width: u16, text: &Rendered, look: &Look) {
        let made_for = Some((width, text.lines.len(), look.theme.palette));
        if self.made_for == made_for {
            return;
        }
        self.made_for = made_for;
        self.lines.clear();
        let mut seen: Vec<&str> = Vec::new();
        let mut free = 0;
        // the list at the end defines them itself
        let words = text.headings.iter().find(|h| h.level == 2 && h.text == prose::WORDS);
        let end = words.map_or(usize::MAX, |h| h.row);
        let known: Vec<&Link> =
            text.links.iter().filter(|link| width > 0 && link.row() < end && self.knows(link)).collect();
        // where all the words stand, and how long each definition is
        let mut firsts: Vec<(usize, usize)> = Vec::new();
        for link in &known {
            if !seen.contains(&link.target.as_str()) {
                seen.push(&link.target);
                firsts.push((link.row(), self.lines_of(link, width.into(), look).len()));
            }
        }
        seen.clear();
        for (nth, link) in known.iter().enumerate() {
            if seen.contains(&link.target.as_str()) {
                continue;
            }
            seen.push(&link.target);
            let row = link.row().max(free);
            // too far below its word it would stand beside another
            if row > link.row() + FAR {
                continue;
            }
            let mut lines = self.lines_of(link, width.into(), look);
            // where others wait for the room, each is short
            let next = known[nth + 1..].iter().find(|next| !seen.contains(&next.target.as_str()));
            let is_crowded = row > link.row() && next.is_some_and(|next| next.row() < row + MOST);
            let most = if is_crowded { CROWDED } else { MOST };
            // what follows may begin a little below its word, as long as the rows for it are there
            let is_room = has_room(&firsts[seen.len() - 1..], row);
            if lines.len() > most && !is_room {
                lines.truncate(most);
                let last = lines.pop().unwrap_or_default();
                let more = Span::styled(format!(" {}", look.theme.glyphs.cut), look.theme.dim);
                lines.push(match last.width() + 2 <= usize::from(width) {
                    true => last + more,
                    false => wrap::cut_line(&last, last.width().saturating_sub(1), look.theme.glyphs.cut),
                });
            }
            free = row + lines.len() + 1;
            self.lines.extend(lines.into_iter().enumerate().map(|(nth, line)| ((row + nth, row), line)));
        }
    }

    fn lines_of(&self, link: &Link, width: usize, look: &Look) -> Vec<Line<'static>> {
        let Some((name, text)) = self.terms.get(&link.target) else { return Vec::new() };
        let mut styled = Styled::new();
        styled.push(&format!("{}  ", escape::line(name)), look.theme.strong);
        styled.push(text, look.theme.dim);
        styled.wrap(&Hanging::none(), width)
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Draws the rows beside those of the text from `top` on.
    pub fn draw(&self, area: Rect, (top, _): (usize, Option<&Link>), buffer: &mut Buffer, look: &Look) {
        if area.width == 0 {
            return;
        }
        if self.made_for.is_some_and(|(_, rows, _)| rows <= usize::from(area.height)) {
            // otherwise the scroll bar of the text stands there
            let rule = look.theme.glyphs.border.vertical_left;
            area.rows().for_each(|row| buffer.set_string(row.x - 2, row.y, rule, look.theme.faint));
        }
        let seen = top..top + usize::from(area.height);
        // the end of a definition whose beginning is scrolled away says nothing
        let whole = self.lines.iter().filter(|((row, first), _)| seen.contains(row) && seen.contains(first));
        for ((row, _), line) in whole {
            let y = area.y + u16::try_from(row - top).unwrap_or(0);
            buffer.set_line(area.x, y, line, area.width);
        }
    }

    /// Draws the definition of a term under the text, where there is no margin.
    pub fn draw_below(&self, link: &Link, area: Rect, buffer: &mut Buffer, look: &Look) {
        let glyphs = &look.theme.glyphs;
        buffer.set_string(area.x, area.y, glyphs.rule.repeat(area.width.into()), look.theme.faint);
        let width = area.width.saturating_sub(2);
        let lines = self.lines_of(link, width.into(), look);
        let rows = area.rows().skip(1);
        let more = lines.len() + 1 > usize::from(area.height);
        for (line, row) in lines.iter().zip(rows) {
            buffer.set_line(row.x + 1, row.y, line, width);
        }
        if more && area.width > 0 {
            buffer.set_string(area.right() - 1, area.bottom() - 1, glyphs.cut, look.theme.dim);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::has_room;

    #[test]
    fn a_definition_is_whole_where_the_rows_for_it_are_free() {
        // nothing below it, or what is below it far enough
        assert!(has_room(&[(4, 12)], 4) && has_room(&[(4, 12), (20, 9)], 4));
        // the next one waits a little, and the one after that has room again
        assert!(has_room(&[(4, 12), (12, 5), (40, 5)], 4));
        // others would stand far below their words
        assert!(!has_room(&[(4, 12), (6, 5)], 4));
        assert!(!has_room(&[(4, 9), (10, 9), (12, 9)], 4));
    }
}
