//! For each figure of a program, which simulator or formula it is compared with.

use std::collections::BTreeMap;

use super::figures::{Run, Value};
use crate::sim::Sim;
use crate::sim::expr;

/// What one figure is compared with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The figure's id. A name in braces stands for a number, which expressions know by that name.
    pub id: String,
    /// A condition on the names; the row counts only where it holds.
    pub when: Option<String>,
    /// The kind of simulator.
    pub sim: Option<String>,
    /// Its knobs: an expression each, in the knob's unit.
    pub set: BTreeMap<String, String>,
    /// Knobs that describe the machine: expressions over what was measured.
    pub fit: BTreeMap<String, String>,
    /// Which output of the simulator.
    pub output: Option<String>,
    /// What the output is multiplied with.
    pub times: Option<String>,
    /// A closed form instead of a simulator.
    pub formula: Option<String>,
    /// Whether the formula uses what was measured of the machine.
    pub fitted: bool,
    /// A list of expressions instead: which ranks must come out.
    pub list: Option<Vec<String>>,
    /// An axis instead: its groups, of the mesh simulator.
    pub groups: Option<String>,
    /// The order of the axes, fastest first, for `groups`.
    pub order: Option<String>,
    /// What explains a difference.
    pub differs: String,
}

/// The names that an expression knows.
pub type Names = BTreeMap<String, f64>;

/// The names of a run: its ranks, its knobs, its figures that are numbers.
pub fn names(run: &Run) -> Names {
    let mut names: Names = run.knobs.clone();
    names.extend(run.figures.iter().filter_map(|f| Some((f.id.clone(), f.value.number()?))));
    names.insert("ranks".into(), run.ranks.into());
    names
}

/// What a row comes to.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// The value, in base units.
    pub value: Value,
    /// Where it comes from, in words: a simulator with its knobs, or a formula.
    pub from: String,
    /// The simulator and the knobs that it was set to, where it comes from one.
    pub sim: Option<(String, BTreeMap<String, f64>)>,
    /// What was fitted to the machine: knob and value in the knob's unit.
    pub fitted: Vec<(String, f64)>,
    /// What was not taken as it was asked for.
    pub notes: Vec<String>,
}

/// A simulator with the knobs of a row.
struct Ready {
    sim: Sim,
    fitted: Vec<(String, f64)>,
    notes: Vec<String>,
}

impl Row {
    /// Whether the row speaks of the machine, so that it needs what was measured of it.
    pub(crate) fn is_fitted(&self) -> bool {
        self.fitted || !self.fit.is_empty()
    }

    /// The names of the row for a figure: those given, and the number in its id. None where the row is
    /// about another figure, or its condition does not hold.
    ///
    /// # Errors
    /// Where the condition cannot be read.
    pub fn matches(&self, id: &str, names: &Names) -> Result<Option<Names>, String> {
        let mut names = names.clone();
        match number_in(&self.id, id) {
            None => return Ok(None),
            Some(None) => {}
            Some(Some((name, number))) => {
                names.insert(name, number);
            }
        }
        let holds = match &self.when {
            None => true,
            Some(condition) => value(condition, &names)? != 0.0,
        };
        Ok(holds.then_some(names))
    }

    /// What the row expects.
    ///
    /// # Errors
    /// In words, where a simulator, a knob, an output or an expression of the row does not exist.
    pub fn expected(&self, names: &Names) -> Result<Expected, String> {
        if let Some(formula) = &self.formula {
            let number = Value::Number(value(formula, names)?);
            return Ok(Expected {
                value: number,
                from: formula.clone(),
                sim: None,
                fitted: Vec::new(),
                notes: Vec::new(),
            });
        }
        if let Some(list) = &self.list {
            let values: Result<Vec<i64>, String> = list.iter().map(|e| Ok(value(e, names)? as i64)).collect();
            let from = "what was injected".into();
            let value = Value::List(values?);
            return Ok(Expected { value, from, sim: None, fitted: Vec::new(), notes: Vec::new() });
        }
        if let Some(axis) = &self.groups {
            return self.expected_groups(axis, names);
        }
        self.simulated(names)
    }

    fn simulated(&self, names: &Names) -> Result<Expected, String> {
        let kind = self.sim.as_deref().ok_or("the row has no sim, formula, list or groups")?;
        let Ready { sim, fitted, notes } = self.set_up(kind, names)?;
        let output = self.output.as_deref().ok_or("the row has no output")?;
        let run = sim.run();
        let found = run.output(output).ok_or_else(|| format!("{kind} has no output `{output}`"))?;
        let times = self.times.as_deref().map_or(Ok(1.0), |t| value(t, names))?;
        let knobs = self.set.keys().chain(self.fit.keys());
        let set: BTreeMap<String, f64> =
            knobs.filter_map(|knob| Some((knob.clone(), sim.value(knob)?))).collect();
        let typed: Vec<String> = set.iter().map(|(knob, value)| format!("--set {knob}={value}")).collect();
        let from = format!("infralens sim {kind} {}: {output}", typed.join(" "));
        let value = Value::Number(found.value * times);
        Ok(Expected { value, from, sim: Some((kind.to_owned(), set)), fitted, notes })
    }

    fn set_up(&self, kind: &str, names: &Names) -> Result<Ready, String> {
        let mut sim = Sim::open(kind, &BTreeMap::new()).map_err(|f| f.what)?;
        let (mut fitted, mut notes) = (Vec::new(), Vec::new());
        for (knob, expression) in self.set.iter().chain(&self.fit) {
            let asked = value(expression, names)?;
            notes.extend(sim.set(knob, asked).map_err(|f| f.what)?.note);
            if self.fit.contains_key(knob) {
                fitted.push((knob.clone(), asked));
            }
        }
        if let Some(order) = &self.order {
            notes.extend(sim.set_text("order", order).map_err(|f| f.what)?.note);
        }
        Ok(Ready { sim, fitted, notes })
    }

    /// The groups of an axis, from where the mesh simulator puts each rank: the ranks that differ along
    /// this axis alone.
    fn expected_groups(&self, axis: &str, names: &Names) -> Result<Expected, String> {
        const AXES: [&str; 4] = ["tp", "cp", "dp", "pp"];
        if !AXES.contains(&axis) {
            return Err(format!("the mesh has no axis `{axis}`"));
        }
        let Ready { mut sim, fitted, notes } = self.set_up("mesh", names)?;
        let ranks = sim.run().value("ranks") as i64;
        let mut groups: BTreeMap<Vec<i64>, Vec<i64>> = BTreeMap::new();
        for rank in 0..ranks {
            sim.set("rank", rank as f64).map_err(|f| f.what)?;
            let run = sim.run();
            let others = AXES.iter().filter(|a| **a != axis);
            let place = others.map(|a| run.value(&format!("at_{a}")) as i64).collect();
            groups.entry(place).or_default().push(rank);
        }
        let mut groups: Vec<Vec<i64>> = groups.into_values().collect();
        groups.sort();
        let from = format!("infralens sim mesh, every rank: at_{axis}");
        Ok(Expected { value: Value::Groups(groups), from, sim: None, fitted, notes })
    }
}

fn value(expression: &str, names: &Names) -> Result<f64, String> {
    expr::value(expression, names).map_err(|fault| format!("`{expression}`: {fault}"))
}

/// Compares an id with a row's. None: another figure. A name in braces stands for digits.
fn number_in(row: &str, id: &str) -> Option<Option<(String, f64)>> {
    let Some((before, rest)) = row.split_once('{') else {
        return (row == id).then_some(None);
    };
    let (name, after) = rest.split_once('}')?;
    let digits = id.strip_prefix(before)?.strip_suffix(after)?;
    let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all_digits.then(|| Some((name.to_owned(), digits.parse().unwrap_or(f64::INFINITY))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_braces_stands_for_digits() {
        assert_eq!(number_in("step", "step"), Some(None));
        assert_eq!(number_in("step", "steps"), None);
        assert_eq!(number_in("alive_{rank}", "alive_12"), Some(Some(("rank".into(), 12.0))));
        assert_eq!(number_in("alive_{rank}", "alive_"), None);
        assert_eq!(number_in("alive_{rank}", "alive_x"), None);
    }

    #[test]
    fn a_condition_narrows_a_row() {
        let row = Row {
            id: "a_{rank}".into(),
            when: Some("rank == 0".into()),
            formula: Some("ranks - rank".into()),
            ..Row::default()
        };
        let names = Names::from([("ranks".to_owned(), 4.0)]);
        let first = row.matches("a_0", &names).expect("readable").expect("it holds");
        assert_eq!(row.expected(&first).expect("a value").value, Value::Number(4.0));
        assert_eq!(row.matches("a_1", &names), Ok(None));
    }

    #[test]
    fn what_a_row_names_must_exist() {
        let sim = |kind: &str, knob: Option<&str>, output: &str| Row {
            id: "a".into(),
            sim: Some(kind.into()),
            set: knob.map(|knob| (knob.to_owned(), "1".to_owned())).into_iter().collect(),
            output: Some(output.into()),
            ..Row::default()
        };
        for (row, fault) in [
            (sim("ring", None, "colour"), "no output `colour`"),
            (sim("ring", Some("colour"), "sent"), "no parameter `colour`"),
            (sim("rings", None, "sent"), "no simulator `rings`"),
            (Row { formula: Some("ranks + colour".into()), ..Row::default() }, "colour"),
            (Row { groups: Some("colour".into()), ..Row::default() }, "no axis `colour`"),
        ] {
            let told = row.expected(&Names::from([("ranks".to_owned(), 2.0)])).expect_err("a fault");
            assert!(told.contains(fault), "{told}");
        }
    }
}
