//! What was found in a worksheet: what is right, what is to mend, and answers that were asked for.

use std::collections::BTreeSet;

use super::{Outcome, Worksheet};
use crate::doc::{Cell, Document, Role, Row as Cells, Rows};
use crate::score::Verdict;
use crate::sim::plan::{Finding, Weight};
use crate::sim::worksheet;

impl Worksheet {
    /// The answer to a cell, where it was asked for: which cell, and what belongs there.
    pub fn told(&self, cell: &str) -> Option<String> {
        let outcome = self.outcome.as_ref()?;
        self.answers.iter().any(|told| told == cell).then(|| self.answer(cell, outcome))
    }

    /// Why a cell is wrong, where it stands as it was checked and is not just empty; of several cells that do not
    /// go together the first says it.
    pub fn why(&self, cell: &str) -> Option<&str> {
        self.mark(cell).filter(|mark| *mark != Verdict::Covered)?;
        let findings = &self.outcome.as_ref()?.findings;
        let is_first = |f: &&Finding| f.cells.iter().find(|c| self.has(c)).is_some_and(|c| c == cell);
        let why = findings.iter().filter(|f| !f.ok).find(is_first)?;
        (!self.text(cell).trim().is_empty()).then_some(why.what.as_str())
    }

    /// The hints that were asked for, and what was found; without the answer to a cell that shows it itself.
    pub fn found(&self, but: Option<&str>) -> Document {
        let hints = self.asked.hints.iter().take(self.hints).enumerate();
        let all =
            hints.fold(Document::new(), |all, (i, hint)| all.markdown(&format!("*Hint {}:* {hint}", i + 1)));
        match &self.outcome {
            Some(outcome) => {
                let all = all.rows(self.findings(outcome));
                let told = self.answers.iter().filter(|cell| Some(cell.as_str()) != but);
                let told = told.map(|cell| self.answer(cell, outcome));
                let all = told.fold(all, |all, answer| all.words(&answer));
                match outcome.marked.right {
                    true => all.markdown(&outcome.marked.explain),
                    // it would tell what is still to be found
                    false => all
                        .dim("Mend what is marked and check again; f3 tells the answer of the chosen cell."),
                }
            }
            None => all,
        }
    }

    fn findings(&self, outcome: &Outcome) -> Rows {
        let wrong = outcome.findings.iter().filter(|f| f.refuses()).count();
        let is_empty = |f: &&Finding| match f.cells.as_slice() {
            [cell] => f.refuses() && outcome.texts.get(cell).is_some_and(|t| t.trim().is_empty()),
            _ => false,
        };
        let empty: BTreeSet<&str> =
            outcome.findings.iter().filter(is_empty).map(|f| f.cells[0].as_str()).collect();
        let head = match outcome.marked.right {
            true => Cell::mark(Verdict::Covered).said("") + Cell::text(" Accepted").role(Role::Good),
            false => {
                let (mend, empty) = (wrong - empty.len(), empty.len());
                let told = [(mend, "to mend"), (empty, "empty")].into_iter().filter(|(n, _)| *n > 0);
                let told = told.map(|(n, what)| format!("{n} {what}")).collect::<Vec<_>>().join(", ");
                let text = format!(" Not yet: {told}");
                Cell::mark(Verdict::Missing).said("") + Cell::text(text).role(Role::Missing)
            }
        };
        let mut findings: Vec<&Finding> = outcome.findings.iter().filter(|f| !is_empty(f)).collect();
        let place =
            |f: &Finding| self.order.iter().position(|p| f.cells.first().is_some_and(|c| self.is_at(*p, c)));
        findings.sort_by_key(|f| place(f));
        let findings = findings.into_iter().map(|f| self.finding(f));
        Rows::of([Cells::new([head])].into_iter().chain(findings))
    }

    fn is_at(&self, (row, column): (usize, usize), cell: &str) -> bool {
        self.sheet.rows[row].cells[column].id == cell
    }

    /// Whether there is a cell of this id; other names of a checker are given.
    fn has(&self, cell: &str) -> bool {
        self.texts.contains_key(cell)
    }

    fn finding(&self, f: &Finding) -> Cells {
        let state = match mark(f) {
            Verdict::Covered => "Well",
            Verdict::Partial => "Note",
            Verdict::Missing => "Wrong",
        };
        let names: Vec<String> = f.cells.iter().filter(|c| self.has(c)).map(|c| self.name(c)).collect();
        let names = if names.is_empty() { String::new() } else { format!("{}: ", names.join("; ")) };
        // a function of the program says nothing to a reader, its value does
        let numbers = match f.numbers.rsplit_once(" = ") {
            // a cell's own answer is told when it is asked for
            _ if !f.ok && f.cells.contains(&f.code) => String::new(),
            Some((formula, value)) if formula.contains('_') => format!("it is {value}"),
            _ => f.numbers.clone(),
        };
        let numbers = if numbers.is_empty() { numbers } else { format!(" ({numbers})") };
        let cure = if f.cure.is_empty() || f.ok { String::new() } else { format!("; {}", f.cure) };
        let said = format!("{state}. {names}{}{numbers}{cure}.", f.what);
        let text = Cell::text(format!(" {names}")).role(Role::Strong) + Cell::text(&f.what);
        let text = text + Cell::text(numbers).role(Role::Dim) + Cell::text(cure);
        Cells::new([Cell::mark(mark(f)) + text]).wrapped().said(said)
    }

    /// What belongs in a cell, in a sentence; the numbers behind it where more than one thing would be right.
    fn answer(&self, cell: &str, outcome: &Outcome) -> String {
        let known = worksheet::answer(&self.sheet.checker, &self.sheet.given, &self.texts, cell);
        let numbers = || {
            let about = outcome.findings.iter().find(|f| f.code == cell && !f.numbers.is_empty());
            about.map(|f| f.numbers.clone())
        };
        match known.or_else(numbers) {
            Some(answer) => format!("{}: it is {answer}.", self.name(cell)),
            None => format!("{}: more than one thing can be right here.", self.name(cell)),
        }
    }
}

/// What a finding says of its cells.
pub(super) fn mark(f: &Finding) -> Verdict {
    match (f.ok, f.weight) {
        (true, _) => Verdict::Covered,
        (false, Weight::Warning) => Verdict::Partial,
        (false, Weight::Error) => Verdict::Missing,
    }
}
