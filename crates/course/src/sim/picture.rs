//! What a simulator shows, as data: a few kinds of picture that a few widgets can draw.

use std::sync::{Arc, OnceLock};

use serde::{Serialize, Serializer};

/// A picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Picture {
    /// A timeline: lanes of spans.
    Lanes(#[serde(serialize_with = "shared")] Arc<Lanes>),
    /// A grid of cells.
    Grid(Grid),
    /// Stacked bars.
    Bars(Bars),
    /// Curves over an axis.
    Series(Series),
    /// A heat map of numbers.
    Matrix(Matrix),
    /// A table of texts.
    Table(Table),
}

fn shared<S: Serializer>(lanes: &Arc<Lanes>, serializer: S) -> Result<S::Ok, S::Error> {
    lanes.as_ref().serialize(serializer)
}

/// What a coloured thing means, so that a theme can colour it and a letter can stand for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tone {
    /// Forward compute.
    Forward,
    /// Backward compute, or the part of it that gives input gradients.
    Backward,
    /// Backward compute that gives weight gradients.
    WeightGrad,
    /// Communication hidden behind compute.
    Hidden,
    /// Communication that nothing hides.
    Exposed,
    /// Waiting.
    Idle,
    /// Weights.
    Weights,
    /// Gradients.
    Gradients,
    /// Optimizer state.
    Optimizer,
    /// Activations.
    Activations,
    /// Gathered weights, buffers and other things held for a moment.
    Buffer,
    /// Sent in this step.
    Moving,
    /// Complete.
    Done,
    /// Not there, or masked.
    Empty,
    /// Lost: dropped tokens, what exceeds a limit.
    Lost,
    /// The one that is looked at.
    Chosen,
    /// The nth of several like things: groups, ranks, curves.
    Nth(u8),
}

impl Tone {
    /// Whether the number of a span of this meaning is written on it: on work, not on messages and waiting.
    pub fn is_numbered(self) -> bool {
        !matches!(self, Tone::Hidden | Tone::Exposed | Tone::Idle | Tone::Empty)
    }
}

/// A timeline. Times are in seconds, or in the unit named.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lanes {
    /// The unit of time: `s`, or a word such as `tF`.
    pub unit: &'static str,
    /// Where the timeline ends.
    pub end: f64,
    /// The lanes from top to bottom.
    pub lanes: Vec<Lane>,
    /// Moments worth a line from top to bottom.
    pub marks: Vec<(f64, String)>,
    /// Names for the numbers of spans, by number; empty where the numbers speak for themselves.
    pub names: Vec<&'static str>,
    /// What the tones mean here.
    pub legend: Vec<(Tone, &'static str)>,
}

/// Timelines with more spans than this are stepped evenly.
const MOST_EVENTS: usize = 4096;
/// The even steps of such a timeline.
const EVEN_STEPS: u32 = 256;

/// A lane of a timeline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lane {
    /// The name on the left.
    pub label: String,
    /// The spans in order of time; they do not overlap. What lies between is idle.
    pub spans: Vec<Span>,
}

/// Something that takes time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Span {
    /// When it starts.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// What it is.
    pub tone: Tone,
    /// The number to write on it: a micro-batch, a bucket; or the place of its name in `names`.
    pub number: u32,
    /// The second number, where there is one: the chunk of an interleaved pipeline.
    pub part: u32,
}

impl Lanes {
    /// The moments at which something starts or ends, in order, for stepping; even ones where there are very many.
    pub fn moments(&self) -> Vec<f64> {
        if self.lanes.iter().map(|l| l.spans.len()).sum::<usize>() > MOST_EVENTS {
            return (0..=EVEN_STEPS).map(|i| self.end * f64::from(i) / f64::from(EVEN_STEPS)).collect();
        }
        let mut moments: Vec<f64> =
            self.lanes.iter().flat_map(|l| &l.spans).flat_map(|s| [s.start, s.end]).collect();
        moments.sort_by(f64::total_cmp);
        moments.dedup_by(|b, a| *b - *a <= 1e-9 * self.end);
        moments
    }

    /// The names of spans, each with the glyphs that its spans are drawn with; empty where spans have none.
    pub fn named(&self, glyph: impl Fn(&Span) -> String) -> Vec<(String, &'static str)> {
        let mut found: Vec<(Vec<String>, &'static str)> = Vec::new();
        if self.names.is_empty() {
            return Vec::new();
        }
        for span in self.lanes.iter().flat_map(|l| &l.spans) {
            let Some(name) = self.name_of(span).filter(|_| span.tone.is_numbered()) else {
                continue;
            };
            let glyph = glyph(span);
            match found.iter_mut().find(|(_, n)| *n == name) {
                Some((glyphs, _)) if glyphs.contains(&glyph) => {}
                Some((glyphs, _)) => glyphs.push(glyph),
                None => found.push((vec![glyph], name)),
            }
        }
        found.into_iter().map(|(glyphs, name)| (glyphs.concat(), name)).collect()
    }

    /// The name of a span, where spans have names.
    pub fn name_of(&self, span: &Span) -> Option<&'static str> {
        self.names.get(span.number as usize).copied()
    }

    /// The span of a lane at a time, if the lane is busy then.
    pub(crate) fn span_at(&self, lane: usize, time: f64) -> Option<&Span> {
        let spans = &self.lanes.get(lane)?.spans;
        let after = spans.partition_point(|s| s.start <= time);
        spans[..after].last().filter(|s| time < s.end)
    }
}

/// A grid of cells with heads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Grid {
    /// What the corner says: what rows and columns are.
    pub corner: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each with its head and as many cells as there are columns.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// What the tones mean here.
    pub legend: Vec<(Tone, &'static str)>,
}

/// A cell of a grid.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// A few characters.
    pub text: String,
    /// What it means.
    pub tone: Tone,
}

/// Stacked bars over one scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bars {
    /// The unit of the lengths, as [`crate::sim::quantity`] shows it.
    pub unit: &'static str,
    /// The bars from top to bottom.
    pub bars: Vec<Bar>,
    /// A limit drawn across all bars, with its name.
    pub limit: Option<(f64, String)>,
    /// The scale reaches at least this far, so that it stays the same from step to step.
    pub reach: f64,
    /// What the tones mean here.
    pub legend: Vec<(Tone, &'static str)>,
}

/// A bar of pieces.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bar {
    /// The name on the left.
    pub label: String,
    /// The pieces from left to right: length in base units and meaning.
    pub pieces: Vec<(Tone, f64)>,
    /// Whether it is the one chosen now.
    pub chosen: bool,
    /// What stands behind it in place of the whole length, where that would mislead.
    pub said: Option<String>,
}

impl Bar {
    /// What stands behind it: its whole length, unless it says something else.
    pub fn shown(&self, show: impl Fn(f64) -> String) -> String {
        self.said.clone().unwrap_or_else(|| show(self.total()))
    }

    /// The whole length.
    pub fn total(&self) -> f64 {
        self.pieces.iter().map(|(_, length)| length).sum()
    }
}

/// Curves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The curves.
    pub lines: Vec<Line>,
    /// Points with a name: where one stands, where curves cross.
    pub marks: Vec<(f64, f64, String)>,
}

/// An axis of a chart. Values are in base units of `unit`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Axis {
    /// What is measured.
    pub label: &'static str,
    /// The unit, as [`crate::sim::quantity`] shows it.
    pub unit: &'static str,
    /// Whether equal ratios are equally far apart.
    pub log: bool,
}

/// A curve: its name, its tone, its points in order of x.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// The name.
    pub label: String,
    /// Which of several.
    pub tone: Tone,
    /// The points, all finite.
    pub points: Vec<(f64, f64)>,
}

/// A heat map.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// What the corner says.
    pub corner: String,
    /// The unit of the values.
    pub unit: &'static str,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// The rows with their heads, each as long as `columns`.
    pub rows: Vec<(String, Vec<f64>)>,
}

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// The heads.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`, with what a row means.
    pub rows: Vec<(Tone, Vec<String>)>,
}

/// One step of a view: a picture, a sentence on what happens in it, and the time that a cursor stands at.
#[derive(Debug, Clone, Serialize)]
pub struct Frame {
    /// What happens in this step.
    pub caption: String,
    /// The picture.
    pub picture: Picture,
    /// For a timeline that is stepped: the moment reached, in its unit. What comes later is not yet shown.
    pub now: Option<f64>,
}

/// A picture that may have steps. Frames are made when they are asked for.
#[derive(Clone)]
pub struct View {
    /// The name of the view.
    pub title: &'static str,
    /// The knobs of which it shows other values than the ones that are set.
    pub compares: &'static [&'static str],
    frames: usize,
    make: Arc<dyn Fn(usize) -> Frame + Send + Sync>,
}

impl View {
    /// A view that does not move.
    pub fn still(title: &'static str, caption: impl Into<String>, picture: Picture) -> View {
        let frame = Frame { caption: caption.into(), picture, now: None };
        View { title, compares: &[], frames: 1, make: Arc::new(move |_| frame.clone()) }
    }

    /// A view of `frames` steps, at least 1; `make` is only asked for steps below that.
    pub fn stepped(
        title: &'static str,
        frames: usize,
        make: impl Fn(usize) -> Frame + Send + Sync + 'static,
    ) -> View {
        View { title, compares: &[], frames: frames.max(1), make: Arc::new(make) }
    }

    /// A view that does not move and is made when it is first looked at.
    pub(crate) fn lazy(title: &'static str, make: impl Fn() -> Frame + Send + Sync + 'static) -> View {
        let made = OnceLock::new();
        View::stepped(title, 1, move |_| made.get_or_init(&make).clone())
    }

    /// A timeline that is stepped from event to event; the last step shows all of it.
    pub fn timeline(
        title: &'static str,
        lanes: Lanes,
        caption: impl Fn(&Lanes, f64) -> String + Send + Sync + 'static,
    ) -> View {
        let moments = lanes.moments();
        let lanes = Arc::new(lanes);
        View::stepped(title, moments.len(), move |step| {
            let now = moments.get(step).copied().unwrap_or(lanes.end);
            Frame {
                caption: caption(&lanes, now),
                picture: Picture::Lanes(Arc::clone(&lanes)),
                now: Some(now),
            }
        })
    }

    /// The same view, said to show other values of these knobs than the ones that are set.
    pub fn comparing(self, compares: &'static [&'static str]) -> View {
        View { compares, ..self }
    }

    /// The view of the setting alone: bars without those of other settings. None where nothing of it would be left.
    pub fn alone(&self) -> Option<View> {
        if !matches!(self.frame(0).picture, Picture::Bars(_)) {
            return None;
        }
        let make = Arc::clone(&self.make);
        Some(View::stepped(self.title, self.frames, move |step| {
            let mut frame = make(step);
            if let Picture::Bars(bars) = &mut frame.picture {
                bars.bars.retain(|b| b.chosen);
            }
            frame
        }))
    }

    /// How many steps it has: 1 where it does not move.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// A step, counted from 0; beyond the last it is the last.
    pub fn frame(&self, step: usize) -> Frame {
        (self.make)(step.min(self.frames - 1))
    }

    /// The last step, which shows the whole.
    pub fn last(&self) -> Frame {
        self.frame(self.frames - 1)
    }
}

impl std::fmt::Debug for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("View").field("title", &self.title).field("frames", &self.frames).finish()
    }
}
