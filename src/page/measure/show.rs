//! What the page of a measured lab shows.

use serde_json::{Value as Json, json};

use super::choice::Choice;
use super::{Compared, Found, Measure, Watch, value};
use crate::doc::{Cell, Column, Document, Judged, Role};
use crate::measure::compare::{Line, Simulated};
use crate::measure::figures::{self, Run, Value};
use crate::measure::launch;
use crate::page::At;
use crate::page::view::{Row, View};
use crate::study::words::some;

/// A difference below this needs no explanation.
const NEAR: f64 = 0.05;

impl Measure {
    /// What can be measured here, and with what.
    pub(super) fn ready(&self, view: View, at: &At) -> View {
        let view = view.words(
            "The starter only calculates. This program runs the same mechanism on real processes, with \
             torch.distributed, and shows what you predicted, what the simulator says and what was measured \
             side by side.",
        );
        let view = match (&self.found, at.services.untrusted(self.pack)) {
            (_, Some(place)) => view.words(&format!(
                "This pack comes from {place} and is not trusted, so its programs do not run. Read them first."
            )),
            (Found::Looking, _) => view.dim("Looking for a Python with PyTorch …"),
            (Found::Here(starter), _) => view.words(&format!("It runs with {starter}.")),
            (Found::Nowhere(why), _) => view
                .words(&format!("It cannot run here: {why}."))
                .words("A stored run of a named machine is shown instead. Nothing is installed for you."),
        };
        let row = |choice: Choice| Row::here().cell(Cell::text(self.choice(choice)));
        let rows: Vec<Row> = self.choices(at.services).into_iter().map(row).collect();
        view.list(rows).dim(&format!("By hand: {}", self.typed())).enter("takes the first one")
    }

    fn choice(&self, choice: Choice) -> String {
        match choice {
            Choice::Run(ranks) => format!("Predict, then run it with {ranks} ranks"),
            Choice::Trust => "Trust this pack until its code changes".into(),
            Choice::Stored(ranks) => {
                let run = figures::stored(&self.program.stored, ranks);
                let of = run.map(|run| format!(": {}", place(&run))).unwrap_or_default();
                format!("Predict, then see the stored run with {ranks} ranks{of}")
            }
            Choice::Read(file) => {
                let (name, notes) = &self.files[file];
                format!("Read {name} with its {}", some(*notes, "note"))
            }
            Choice::Name => "Name the Python, or the torchrun, to run it with".into(),
        }
    }

    fn typed(&self) -> String {
        launch::typed(&self.program, self.how.ranks, &self.how.set)
    }

    /// The question that is asked now.
    pub(super) fn predicting(&self, view: View) -> View {
        let Some(guess) = self.guesses.get(self.asked) else { return view };
        let view = match self.asked {
            0 => view.words(&format!("With {} ranks. Say it before you see it.", self.how.ranks)),
            _ => view,
        };
        let title = format!("{} of {}", self.asked + 1, self.guesses.len());
        let unit = self.unit(&guess.figure);
        let view = view.title(&title).markdown(&guess.ask);
        let view = view.dim(&format!("Type {}. Enter alone leaves it out.", value::asked_in(unit)));
        view.line("Your number", "").turn(self.asked).enter("leaves it out")
    }

    /// How far the run is.
    pub(super) fn running(&self, view: View, watch: &Watch, at: &At) -> View {
        let spent = at.now.duration_since(watch.begun).as_secs().max(0);
        let of = self.how.limit.as_secs();
        let view = view.words(&format!("{} ranks are at work: {spent} s, {of} s at most.", self.how.ranks));
        let line = if self.by_ear { String::new() } else { watch.said.line() };
        let view = if line.is_empty() { view } else { view.dim(&line) };
        view.closing("c stops all ranks.")
    }

    /// Predicted, simulated, measured.
    pub(super) fn compared(&self, view: View, compared: &Compared) -> View {
        let Compared { run, stored, lines } = compared;
        let view = match stored {
            Some(why) => {
                let why = why.trim_end_matches('.');
                let view = view.words(&format!("A stored run, not from this machine: {why}."));
                match run.ranks == self.how.ranks {
                    true => view,
                    false => {
                        let (asked, has) = (self.how.ranks, run.ranks);
                        view.words(&format!("No run with {asked} ranks is stored; this one has {has}."))
                    }
                }
            }
            None => view,
        };
        let view = view.words(&format!("{} ranks on {}; {:.0} s", run.ranks, machine(run), run.seconds));
        let mut columns = vec![Column::words("figure")];
        let has_own = lines.iter().any(|line| line.predicted.is_some());
        if has_own {
            columns.extend([Column::numbers("predicted"), Column::numbers("off by")]);
        }
        columns.extend([Column::numbers("simulated"), Column::numbers("measured"), Column::numbers("error")]);
        let view = view.table(columns, lines.iter().map(|line| row(line, has_own)));
        let view = view.list(run.checks.iter().map(|check| {
            let mark = if check.ok { Judged::Covered } else { Judged::Missing };
            let word = if check.ok { "holds: " } else { "does not hold: " };
            Row::plain()
                .wrapped()
                .cell(Cell::mark(mark).said("") + Cell::text(format!(" {}", check.what)))
                .said(format!("{word}{}", check.what))
        }));
        let view = view.words(
            "Counts, bytes, groups and outputs do not depend on the machine, so they must agree exactly. \
             Times depend on its cores and links, so they may differ.",
        );
        let view = explained(view, lines);
        let view = self.fitted(view, lines);
        let view = view.dim(&format!("By hand: {}", self.typed()));
        view.spoken("A number says what a figure is compared with; b and a number opens its simulator; f fits the simulator to the machine; r measures again")
    }

    /// The knobs that describe the machine, or how to come by them.
    fn fitted(&self, view: View, lines: &[Line]) -> View {
        if !self.fit {
            return match lines.iter().any(|line| line.needs_fit) {
                true => view.list([unfitted()]),
                false => view,
            };
        }
        let fitted = lines.iter().flat_map(|line| &line.simulated).find(|s| !s.fitted.is_empty());
        let Some(fitted) = fitted else {
            return view.words(
                "No simulator knob is fitted here. The formulas use the α and β that were measured: the \
                 straight line through all-reduces of several sizes.",
            );
        };
        let kind = fitted.sim.as_ref().map_or("", |(kind, _)| kind);
        let unit =
            |knob: &str| crate::sim::kind(kind).and_then(|k| k.parameter(knob)).map_or("", |p| p.unit.name);
        let knob = |(knob, v): &(String, f64)| format!("{knob} {v:.3} {}", unit(knob)).trim_end().to_owned();
        let knobs: Vec<String> = fitted.fitted.iter().map(knob).collect();
        let view = view.words(&format!(
            "The simulator {kind} is fitted to this machine: {}. α and β come from the straight line through \
             measured all-reduces: α is the time to start, β the seconds per byte. Compute was measured \
             without communication.",
            knobs.join(", ")
        ));
        let notes = lines.iter().flat_map(|line| &line.simulated).flat_map(|s| &s.notes);
        let mut notes: Vec<&String> = notes.collect();
        notes.dedup();
        notes.into_iter().take(3).fold(view, |view, note| view.dim(&format!("Note: {note}")))
    }
}

/// Why some rows have no simulated value, and how to come by it.
fn unfitted() -> Row {
    let how = |who: &str| {
        format!(
            "Some rows have no simulated value yet: their simulator must know this machine. {who} to what was \
             measured: the time to start an all-reduce (α) and the seconds per byte (β)."
        )
    };
    let said = how("f, or --simulate where the verb is asked, fits it");
    Row::plain().cell(Cell::text(how("f, or --simulate, fits it"))).wrapped().said(said)
}

/// A Python is being named.
pub(super) fn naming(view: View) -> View {
    view.words("The Python that has PyTorch, as a path or a name that is found: /opt/venv/bin/python.")
        .words("A torchrun will do as well. It is kept for the next time; nothing is installed.")
        .line("Python or torchrun", "")
        .enter("keeps the current one")
}

/// The machine of a run, in a line.
fn machine(run: &Run) -> String {
    let machine = &run.machine;
    let gpus = if machine.gpus.is_empty() { "no GPU".into() } else { machine.gpus.join(", ") };
    format!(
        "{} ({} cores, {gpus}, {}), {}, PyTorch {}, Python {}, {}",
        machine.cpu, machine.cores, machine.system, run.backend, run.torch, machine.python, machine.date
    )
}

/// The machine of a run, in few words.
fn place(run: &Run) -> String {
    format!("{}, {} cores, PyTorch {}, {}", run.machine.cpu, run.machine.cores, run.torch, run.machine.date)
}

/// A figure as a row of the table.
fn row(line: &Line, has_own: bool) -> Row {
    let figure = &line.figure;
    let shown = |value: &Value| value::show(value, &figure.unit);
    let predicted = line.predicted.map(|p| shown(&Value::Number(p)));
    let off = line.own_error().map(value::signed);
    let simulated = line.simulated.first().map(|s| shown(&s.value));
    let error = match () {
        () if line.is_wrong() => Cell::text("must agree").role(Role::Warning),
        () if figure.exact && !line.simulated.is_empty() => Cell::text("exact"),
        () => Cell::text(line.relative_error().map(value::signed).unwrap_or_default()),
    };
    let measured = shown(&figure.value);
    let mut said = format!("{}: measured {measured}", figure.label);
    if let Some(simulated) = &simulated {
        said += &format!(", simulated {simulated}, {}", error.spoken());
    }
    if let Some(predicted) = &predicted {
        said += &format!(", you said {predicted}");
    }
    let mut row = Row::here().tall().cell(Cell::text(&figure.label));
    if has_own {
        row = row.cell(Cell::text(predicted.unwrap_or_default())).cell(Cell::text(off.unwrap_or_default()));
    }
    row.cell(Cell::text(simulated.unwrap_or_else(|| "·".into())))
        .cell(Cell::text(measured).role(Role::Strong))
        .cell(error)
        .said(said)
}

/// What explains the differences, each explanation once.
fn explained(view: View, lines: &[Line]) -> View {
    let off = |line: &&Line| {
        line.is_wrong() || !line.figure.exact && line.relative_error().is_some_and(|e| e.abs() > NEAR)
    };
    let mut told: Vec<&str> = Vec::new();
    let mut view = view;
    for line in lines.iter().filter(off) {
        for simulated in line.simulated.iter().take(1) {
            if !told.contains(&simulated.differs.as_str()) {
                if told.is_empty() {
                    view = view.title("What explains a difference");
                }
                told.push(&simulated.differs);
                view = view.words(&format!("{}: {}", line.figure.label, simulated.differs));
            }
        }
    }
    view
}

/// What stands behind a figure.
pub(super) fn about(line: &Line) -> Document {
    let figure = &line.figure;
    let about = Document::new().title(&figure.label);
    let about = match &figure.value {
        Value::Groups(groups) => about.words(&format!("Measured: {}.", value::groups(groups))),
        value => about.words(&format!("Measured: {}.", value::show(value, &figure.unit))),
    };
    let about = match figure.exact {
        true => about.words("It is the same on every machine, so it must agree exactly."),
        false => about.words("It depends on the machine, so it may differ."),
    };
    if line.simulated.is_empty() {
        return about.words(match line.needs_fit {
            true => "The simulator must be fitted to the machine first: f.",
            false => "No simulator and no formula predicts it.",
        });
    }
    line.simulated.iter().fold(about, |about, simulated| {
        let about = about.words(&format!("Simulated: {}.", value::show(&simulated.value, &figure.unit)));
        let about = about.words(&simulated.differs).dim(&format!("From: {}", simulated.from));
        simulated.notes.iter().fold(about, |about, note| about.dim(&format!("Note: {note}")))
    })
}

/// What a verb prints with `--json`.
pub(super) fn json(compared: &Compared) -> Json {
    let Compared { run, stored, lines } = compared;
    let figures: Vec<Json> = lines
        .iter()
        .map(|line| {
            let simulated: Vec<Json> = line.simulated.iter().map(|s| from(s, line)).collect();
            json!({"id": line.figure.id, "label": line.figure.label, "unit": line.figure.unit,
                "exact": line.figure.exact, "predicted": line.predicted, "simulated": simulated,
                "measured": line.figure.value, "relative_error": line.relative_error()})
        })
        .collect();
    json!({"lab": run.lab, "stored": stored, "ranks": run.ranks, "torch": run.torch,
        "backend": run.backend, "machine": run.machine, "knobs": run.knobs,
        "seconds": run.seconds, "figures": figures, "checks": run.checks})
}

fn from(simulated: &Simulated, line: &Line) -> Json {
    let fitted: std::collections::BTreeMap<&String, f64> =
        simulated.fitted.iter().map(|(k, v)| (k, *v)).collect();
    json!({"value": simulated.value, "from": simulated.from,
        "agrees": simulated.value.agrees(&line.figure.value), "fitted": fitted,
        "notes": simulated.notes, "differs": simulated.differs})
}
