//! A timeline of so many pieces that none could be seen: its first steps and its last, with what lies between cut out.

use ratatui::text::{Line, Span as Text};

use super::super::super::theme::Theme;
use super::super::super::wrap;
use super::super::{Row, legend, show, style};
use super::{Cell, Scale, cells, glyph, legend_glyph, part};
use crate::sim::picture::{Lanes, Span};

/// Fewer pieces than this are drawn as they are.
const FEW: u32 = 16;
/// So many columns each end has at least.
const LEAST: usize = 20;

/// Both ends of a timeline.
pub(super) struct Cut {
    /// The first steps, and the last ones from their own beginning on.
    ends: [Lanes; 2],
    scale: Scale,
    /// When the last steps begin.
    from: f64,
    /// The pieces of which nothing is drawn.
    more: usize,
}

impl Cut {
    /// The ends of a timeline, if it is one of many pieces, most of them shorter than a cell.
    pub(super) fn of(lanes: &Lanes, scale: &Scale, width: usize) -> Option<Cut> {
        let numbered = |span: &&Span| span.tone.is_numbered();
        let spans = || lanes.lanes.iter().flat_map(|lane| &lane.spans);
        let is_plain = lanes.marks.is_empty() && lanes.names.is_empty() && spans().all(|s| numbered(&s));
        if !scale.is_dense || scale.greatest < FEW || !is_plain {
            return None;
        }
        let first = spans().next()?;
        let unit = first.end - first.start;
        let widest = wrap::width(&between(scale.greatest as usize, "…"));
        let columns = width.checked_sub(scale.label + 1 + widest)? / 2;
        let length = unit * columns as f64;
        let from = lanes.end - length;
        if columns < LEAST || unit <= 0.0 || from <= length {
            return None;
        }
        let ends = [0.0, from].map(|start| part_of(lanes, start, length));
        let mut hidden: Vec<u32> = spans().map(|span| span.number).collect();
        hidden.sort_unstable();
        hidden.dedup();
        let mut seen: Vec<u32> =
            ends.iter().flat_map(|e| &e.lanes).flat_map(|l| &l.spans).map(|s| s.number).collect();
        seen.sort_unstable();
        hidden.retain(|number| seen.binary_search(number).is_err());
        let shortest = spans().map(|span| span.end - span.start).fold(unit, f64::min);
        let scale = Scale {
            label: scale.label,
            columns,
            per_column: unit,
            letters: true,
            is_dense: shortest < 0.99 * unit,
            greatest: scale.greatest,
        };
        (!hidden.is_empty()).then_some(Cut { ends, scale, from, more: hidden.len() })
    }

    /// The lanes, their times, and what the letters mean.
    pub(super) fn lines(
        &self,
        lanes: &Lanes,
        now: Option<f64>,
        width: usize,
        theme: &Theme,
    ) -> Vec<Line<'static>> {
        let scale = &self.scale;
        let gap = between(self.more, theme.glyphs.cut);
        let plain = format!("{:^1$}", theme.glyphs.cut, wrap::width(&gap));
        let mut out = Vec::new();
        for (nth, lane) in lanes.lanes.iter().enumerate() {
            let mut row = Row::default();
            row.push(&scale.label(&lane.label, theme), theme.dim);
            for (end, from) in self.ends.iter().zip([0.0, self.from]) {
                if from > 0.0 {
                    let is_middle = nth == (lanes.lanes.len() - 1) / 2;
                    row.push(if is_middle { &gap } else { &plain }, theme.dim);
                }
                let now = now.map(|now| (now - from).max(0.0)).filter(|now| *now < end.end);
                let spans = end.lanes.get(nth).map_or(&[][..], |lane| &lane.spans);
                for cell in cells(spans, now, scale) {
                    match cell {
                        Cell::Later => row.push(" ", theme.text),
                        Cell::Idle => row.push(theme.glyphs.untouched, theme.dim),
                        Cell::Busy(span, at) => {
                            row.push(&glyph(span, at, scale, theme), style(span.tone, theme));
                        }
                        Cell::Share(tone, share) => row.push(part(tone, share, theme), style(tone, theme)),
                    }
                }
            }
            out.push(Line::from(row.spans));
        }
        out.push(self.times(lanes, wrap::width(&gap), theme));
        let entries: Vec<_> = lanes
            .legend
            .iter()
            .map(|(tone, meaning)| (legend_glyph(*tone, scale, theme), style(*tone, theme), *meaning))
            .collect();
        out.extend(legend(
            entries.iter().map(|(glyph, style, meaning)| (glyph.as_str(), *style, *meaning)),
            width,
            theme,
        ));
        let text = format!(
            "Drawn are the first {} and the last; a letter or digit is the last digit of its micro-batch.",
            show(self.ends[0].end, lanes.unit)
        );
        out.push(Line::from(Text::styled(text, theme.dim)));
        out.into_iter().map(|line| wrap::cut_line(&line, width, theme.glyphs.cut)).collect()
    }

    /// When each end begins and ends.
    fn times(&self, lanes: &Lanes, gap: usize, theme: &Theme) -> Line<'static> {
        let columns = self.scale.columns;
        let number = |time: f64| crate::sim::quantity::digits(time);
        let both = |first: String, last: String| {
            let blanks = columns.saturating_sub(wrap::width(&first) + wrap::width(&last));
            format!("{first}{}{last}", " ".repeat(blanks))
        };
        let first = both("0".into(), number(self.ends[0].end));
        let last = both(number(self.from), show(lanes.end, lanes.unit));
        let lead = " ".repeat(self.scale.label + 1);
        Line::from(Text::styled(format!("{lead}{first}{}{last}", " ".repeat(gap)), theme.dim))
    }
}

/// What stands where something is cut out.
fn between(more: usize, cut: &str) -> String {
    format!(" {cut} {more} more {cut} ")
}

/// What lies in a timeline from a moment on, for so long.
fn part_of(lanes: &Lanes, start: f64, length: f64) -> Lanes {
    let mut out = lanes.clone();
    out.end = length;
    for lane in &mut out.lanes {
        lane.spans.retain(|span| span.end > start + 1e-9 && span.start < start + length - 1e-9);
        for span in &mut lane.spans {
            span.start = (span.start - start).max(0.0);
            span.end = (span.end - start).min(length);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::sim::{self, picture::Picture};
    use crate::widget::theme::{Palette, Theme};

    fn drawn(m: f64, width: u16) -> Vec<String> {
        let kind = sim::kind("pipeline").expect("a simulator");
        let mut sim = sim::Sim::new(kind);
        sim.set("micro_batches", m).expect("in range");
        let frame = sim.run().views[0].last();
        let Picture::Lanes(_) = &frame.picture else { panic!("a timeline") };
        let size = ratatui::layout::Size { width, height: 20 };
        let theme = Theme::new(Palette::Dark, false);
        let lines = crate::widget::picture::lines(&frame.picture, frame.now, size, &theme);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn of_very_many_micro_batches_both_ends_are_drawn_so_that_the_bubble_is_seen() {
        for width in [78, 120, 145] {
            let rows = drawn(256.0, width);
            assert!(rows.iter().any(|row| row.contains(" more ")), "{width}: {rows:#?}");
            assert!(rows.iter().any(|row| row.contains("Drawn are the first")), "{rows:#?}");
            // the last stage waits for the first one, and the first for the last
            assert!(rows[3].starts_with("stage 3 ···0"), "{}", rows[3]);
            assert!(rows[3].ends_with("···"), "{}", rows[3]);
            assert!(rows.iter().all(|row| row.chars().count() <= width.into()), "{rows:#?}");
        }
        let rows = drawn(8.0, 120);
        assert!(!rows.iter().any(|row| row.contains(" more ")), "{rows:#?}");
    }
}
