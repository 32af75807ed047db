//! Answers that as a whole state nothing.

use super::findings::Findings;
use crate::Rubric;
use crate::matching::Reading;

/// How many times nearer to another drill a text is that answers that one.
const ELSEWHERE: f64 = 1.35;

/// The same where the text covers half of the parts and more: it may answer both.
const ELSEWHERE_THOUGH_RIGHT: f64 = 1.55;

/// So many points that are met in full tell as well that this drill was answered, if badly.
const ENOUGH_MET: usize = 1;

/// Whether the text answers another drill.
fn is_elsewhere(rubric: &Rubric, reading: &Reading, findings: &Findings) -> bool {
    let is_met = |part: &&String| {
        let mut points = rubric.points.iter().zip(&findings.full);
        points.any(|(point, full)| point.serves(part) && !full.is_empty())
    };
    let met = rubric.parts.iter().filter(is_met).count();
    let limit = if met * 2 >= rubric.parts.len() || findings.real() >= ENOUGH_MET {
        ELSEWHERE_THOUGH_RIGHT
    } else {
        ELSEWHERE
    };
    reading.nearer_elsewhere > limit
}

/// An answer with this share of sentences that deny something tells what is not so.
const MOSTLY_DENIALS: f64 = 0.7;

/// The same where it also says two false things.
const MANY_DENIALS: f64 = 0.45;

/// Why an answer as a whole states nothing, if it does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Empty {
    mostly_false: bool,
    pub(super) mostly_denials: bool,
    pub(super) elsewhere: bool,
}

impl Empty {
    /// Looks at an answer in which so many misconceptions are named.
    pub(super) fn of(rubric: &Rubric, reading: &Reading, findings: &Findings, named: usize) -> Self {
        let real = findings.real();
        // a denied point is less sure than a claim that the rubric names
        let mut sentences = reading.sentences_of(findings.claimed());
        let claims = sentences.len();
        sentences.extend(reading.sentences_of(findings.contrary.iter().flatten()));
        // two misconceptions in one sentence are one
        let false_ones = sentences.len().min(named);
        let denials = reading.polarity.share_of_denials(&reading.layout, &reading.guarded.dead);
        Empty {
            mostly_false: false_ones >= 3 && false_ones >= 2 * real
                || false_ones >= 4 && false_ones > real
                || claims >= 5 && claims >= real,
            // where the right answer is a denial, it earns points, and nothing of it is false
            mostly_denials: denials >= MOSTLY_DENIALS && (real == 0 || false_ones > 0)
                || denials >= MANY_DENIALS && false_ones >= 2,
            elsewhere: is_elsewhere(rubric, reading, findings),
        }
    }

    pub(super) fn is_any(self) -> bool {
        self.mostly_false || self.mostly_denials || self.elsewhere
    }
}
