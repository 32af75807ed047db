//! Knobs that change nothing as the others stand.

use super::Sim;

/// A knob without effect: its simulator and its name, the knob that decides with the values that take its effect away, and
/// why.
struct Idle {
    kind: &'static str,
    knob: &'static str,
    under: &'static str,
    options: &'static [&'static str],
    why: &'static str,
}

const IDLE: &[Idle] = &[
    Idle {
        kind: "pipeline",
        knob: "chunks",
        under: "schedule",
        options: &["gpipe", "1f1b", "zb-h1"],
        why: "No effect now: only interleaved 1F1B cuts a stage into chunks.",
    },
    Idle {
        kind: "buckets",
        knob: "cap",
        under: "iteration",
        options: &["first"],
        why: "No effect now: the first iteration has one bucket, whatever the caps are.",
    },
    Idle {
        kind: "buckets",
        knob: "first",
        under: "iteration",
        options: &["first"],
        why: "No effect now: the first iteration has one bucket, whatever the caps are.",
    },
    Idle {
        kind: "buckets",
        knob: "no_sync",
        under: "accumulate",
        options: &["1"],
        why: "No effect now: with one micro-batch there is none to skip.",
    },
];

impl Sim {
    /// Why turning a knob would change nothing now; none where it would.
    pub fn idle(&self, name: &str) -> Option<&'static str> {
        let of = |idle: &&Idle| idle.kind == self.kind().name && idle.knob == name;
        IDLE.iter().filter(of).find(|idle| self.stands(idle)).map(|idle| idle.why)
    }

    /// Whether the knob that decides has one of the values that take the effect away.
    fn stands(&self, idle: &Idle) -> bool {
        let parameter = self.kind().parameter(idle.under);
        let value = self.value(idle.under);
        let is = |text: &str| {
            let wanted = parameter.and_then(|parameter| parameter.read(text).ok());
            wanted.is_some() && wanted == value
        };
        idle.options.iter().any(|text| is(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::KINDS;

    #[test]
    fn a_knob_that_is_said_to_be_idle_changes_no_number() {
        for idle in IDLE {
            let kind = KINDS.iter().find(|kind| kind.name == idle.kind).expect("a simulator");
            for option in idle.options {
                let mut sim = Sim::new(kind);
                sim.set_text(idle.under, option).expect("an option");
                assert_eq!(sim.idle(idle.knob), Some(idle.why), "{} {option}", idle.knob);
                let numbers = |sim: &Sim| sim.run().values();
                let before = numbers(&sim);
                let parameter = kind.parameter(idle.knob).expect("a knob");
                for clicks in [-2, -1, 1, 2] {
                    let mut turned = sim.clone();
                    turned.turn(parameter.name, clicks);
                    assert_eq!(numbers(&turned), before, "{} under {option}", idle.knob);
                }
            }
        }
    }
}
