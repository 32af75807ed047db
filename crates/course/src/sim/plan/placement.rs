//! Placement strings: how a plan's axes lie on ranks and nodes, as people write it.
//!
//! `order=tp-dp-pp; tp=8@node; dp=2@node-pairs(stride 8); pp=4@nodes(stride 16)`. Parts are parted by `;` or
//! lines. A part is an order, or an axis with any of: its degree, `@` a place (`node`, `node-pairs`, `nodes`), `stride N`,
//! `ranks 0-7` or `ranks 0, 8`. `tp=ranks 0-7`, `dp stride 8` and `pp stride 16` say the same.

use crate::sim::expr::Fault;
use crate::sim::layout::{Axis, Layout};

/// What a placement string says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Placement {
    /// The order of axes, fastest first: as written, or else by stride.
    pub order: Vec<Axis>,
    /// What is said of each axis.
    pub axes: Vec<AxisPlace>,
}

/// What is said of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct AxisPlace {
    /// The axis.
    pub axis: Axis,
    /// Its degree.
    pub degree: Option<usize>,
    /// Ranks between neighbours.
    pub stride: Option<usize>,
    /// How many nodes a group touches.
    pub place: Option<Place>,
}

/// How many nodes a group touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// One.
    Node,
    /// Two.
    Pair,
    /// More than one.
    Nodes,
}

impl Place {
    fn named(word: &str) -> Option<Place> {
        match word {
            "node" | "one-node" | "nvlink" => Some(Place::Node),
            "node-pairs" | "node-pair" | "pairs" => Some(Place::Pair),
            "nodes" | "across" | "ib" | "network" => Some(Place::Nodes),
            _ => None,
        }
    }

    fn fits(self, nodes: usize) -> bool {
        match self {
            Place::Node => nodes == 1,
            Place::Pair => nodes == 2,
            Place::Nodes => nodes > 1,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Place::Node => "one node",
            Place::Pair => "pairs of nodes",
            Place::Nodes => "several nodes",
        }
    }
}

/// A word of a part: letters, digits and hyphens, or a number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Word<'a> {
    at: usize,
    text: &'a str,
}

impl Word<'_> {
    fn number(&self) -> Option<usize> {
        self.text.parse().ok()
    }
}

/// Reads a placement string.
///
/// # Errors
/// A [`Fault`] at the first word that says nothing about an axis.
pub fn parse(text: &str) -> Result<Placement, Fault> {
    let mut placement = Placement::default();
    let mut at = 0;
    for part in text.split([';', '\n']) {
        let words = words(part, at);
        at += part.len() + 1;
        if let Some(first) = words.first() {
            part_into(&mut placement, *first, &words)?;
        }
    }
    if placement == Placement::default() {
        let cure = "write for example order=tp-dp-pp; tp=8@node; dp stride 8; pp stride 16".into();
        return Err(Fault { at: 0, what: "the placement is empty".into(), cure });
    }
    if placement.order.is_empty() {
        placement.order = order_by_stride(&placement.axes);
    }
    Ok(placement)
}

/// The words of a part with their offsets; `=`, `@`, brackets, commas and spaces part them.
fn words(part: &str, offset: usize) -> Vec<Word<'_>> {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut words = Vec::new();
    let mut start = None;
    for (i, c) in part.char_indices().chain([(part.len(), ' ')]) {
        match (in_word(c), start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                words.push(Word { at: offset + from, text: &part[from..i] });
                start = None;
            }
            _ => {}
        }
    }
    words
}

fn part_into(placement: &mut Placement, first: Word<'_>, words: &[Word<'_>]) -> Result<(), Fault> {
    let lower = first.text.to_ascii_lowercase();
    if let Some(order) = order(&lower) {
        placement.order = order;
        return Ok(());
    }
    if lower == "order" {
        let second = words.get(1).copied();
        let order = second.and_then(|w| order(&w.text.to_ascii_lowercase()));
        placement.order = order.ok_or_else(|| unknown(second.unwrap_or(first)))?;
        return Ok(());
    }
    let axis = Axis::named(&lower).ok_or_else(|| unknown(first))?;
    placement.axes.push(axis_place(axis, &words[1..])?);
    Ok(())
}

fn unknown(word: Word<'_>) -> Fault {
    Fault {
        at: word.at,
        what: format!("`{}` does not describe a placement", word.text.escape_debug()),
        cure:
            "write order=tp-dp-pp, or an axis (tp, cp, dp, pp) with its degree, @node, stride N or ranks A-B"
                .into(),
    }
}

/// An order such as `tp-dp-pp`: two axes or more, none twice.
fn order(text: &str) -> Option<Vec<Axis>> {
    let axes: Vec<Axis> = text.split('-').map(Axis::named).collect::<Option<_>>()?;
    let twice = axes.iter().enumerate().any(|(i, a)| axes[..i].contains(a));
    (axes.len() > 1 && !twice).then_some(axes)
}

fn axis_place(axis: Axis, words: &[Word<'_>]) -> Result<AxisPlace, Fault> {
    let mut found = AxisPlace { axis, degree: None, stride: None, place: None };
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let lower = word.text.to_ascii_lowercase();
        if let Some(degree) = word.number() {
            found.degree = Some(degree);
        } else if let Some(place) = Place::named(&lower) {
            found.place = Some(place);
        } else if lower == "stride" {
            let stride = words.next().and_then(|w| w.number());
            found.stride = Some(stride.ok_or_else(|| unknown(word))?);
        } else if lower == "ranks" || lower == "rank" {
            let mut ranks = Vec::new();
            while let Some(range) = words.peek().and_then(|w| rank_range(w.text)) {
                ranks.extend(range);
                words.next();
            }
            (found.degree, found.stride) = even(&ranks).ok_or_else(|| unknown(word))?;
        } else if !matches!(lower.as_str(), "in" | "on" | "over" | "across" | "inside" | "within" | "degree")
        {
            return Err(unknown(word));
        }
    }
    Ok(found)
}

/// `5` or `0-7`, at most 4096 ranks.
fn rank_range(text: &str) -> Option<std::ops::RangeInclusive<usize>> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last) = (first.parse::<usize>().ok()?, last.parse::<usize>().ok()?);
    (first <= last && last - first < 4096).then_some(first..=last)
}

/// Degree and stride of ranks that are evenly apart.
fn even(ranks: &[usize]) -> Option<(Option<usize>, Option<usize>)> {
    match ranks {
        [] => None,
        [_] => Some((Some(1), None)),
        [first, second, ..] => {
            let stride = second.checked_sub(*first).filter(|s| *s > 0)?;
            let steady = ranks.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(stride));
            steady.then_some((Some(ranks.len()), Some(stride)))
        }
    }
}

/// Axes by the stride given; ones without a stride keep their place before larger ones.
fn order_by_stride(axes: &[AxisPlace]) -> Vec<Axis> {
    let mut sorted: Vec<(usize, Axis)> = Vec::new();
    let mut least = 0;
    for place in axes {
        least = place.stride.unwrap_or(least);
        if !sorted.iter().any(|(_, axis)| *axis == place.axis) {
            sorted.push((least, place.axis));
        }
    }
    sorted.sort_by_key(|(stride, _)| *stride);
    sorted.into_iter().map(|(_, axis)| axis).collect()
}

/// What a placement says that the layout contradicts, each with the truth.
pub(crate) fn contradictions(placement: &Placement, layout: &Layout) -> Vec<String> {
    let mut faults = Vec::new();
    for said in &placement.axes {
        let axis = said.axis;
        let (degree, stride) = (layout.degree(axis), layout.stride(axis));
        if let Some(written) = said.degree.filter(|d| *d != degree) {
            faults.push(format!("{} is {degree}, not {written}", axis.name()));
        }
        if let Some(written) = said.stride.filter(|s| *s != stride && degree > 1) {
            faults.push(format!("the stride of {} is {stride} in this order, not {written}", axis.name()));
        }
        let nodes = layout.nodes_spanned(axis);
        if let Some(place) = said.place.filter(|p| !p.fits(nodes) && degree > 1) {
            faults.push(format!("a {} group touches {nodes} nodes, not {}", axis.name(), place.words()));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn layout(order: &[Axis]) -> Layout {
        let degree = |axis| match axis {
            Axis::Tp => 8,
            Axis::Dp => 2,
            Axis::Pp => 4,
            Axis::Cp => 1,
        };
        Layout::new(order, degree, 8)
    }

    #[test]
    fn three_ways_of_writing_say_the_same() {
        for text in [
            "order=tp-dp-pp; tp=8@node; dp=2@node-pairs(stride 8); pp=4@nodes(stride 16)",
            "tp=ranks 0-7; dp stride 8; pp stride 16",
            "TP = 8 @ node\nDP: ranks 0, 8\nPP: ranks 0, 16, 32, 48",
            "tp-dp-pp",
        ] {
            let placement = parse(text).unwrap_or_else(|f| panic!("{text}: {f}"));
            assert_eq!(placement.order, [Axis::Tp, Axis::Dp, Axis::Pp], "{text}");
            let layout = layout(&placement.order);
            assert_eq!(contradictions(&placement, &layout), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_placement_that_does_not_hold_is_told() {
        let placement = parse("order=tp-dp-pp; tp=8@nodes; dp=4; pp stride 8").expect("parses");
        let faults = contradictions(&placement, &layout(&placement.order));
        assert_eq!(
            faults,
            [
                "a tp group touches 1 nodes, not several nodes",
                "dp is 2, not 4",
                "the stride of pp is 16 in this order, not 8"
            ]
        );
    }

    #[test]
    fn words_that_say_nothing_are_pointed_at() {
        let fault = parse("tp=8@node; dp=2@moon").expect_err("no such place");
        assert_eq!((fault.at, fault.what.as_str()), (16, "`moon` does not describe a placement"));
        assert!(parse("").is_err());
        assert!(parse("order=tp-tp").is_err());
        assert!(parse("ranks 0-7").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[ -~é]{0,60}") {
            let _ = parse(&text);
        }

        #[test]
        fn any_placement_words_are_read_or_refused(
            words in proptest::collection::vec(
                prop::sample::select(vec!["tp", "dp=", "order=", "ranks ", "0-7", "8", "@node", ";", "stride ", "-", ", "]),
                0..20,
            )
        ) {
            if let Ok(placement) = parse(&words.concat()) {
                let _ = contradictions(&placement, &layout(&placement.order));
            }
        }
    }
}
