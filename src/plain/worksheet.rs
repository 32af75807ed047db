//! A worksheet: a table that is filled in cell by cell and checked.

use jiff::Timestamp;
use std::collections::BTreeMap;

use super::desk::heard;
use super::menu::{number, short};
use super::out::Out;
use super::page::{At, Go, Page};
use crate::pack::{self, Check, CheckKind, WorksheetCell};
use crate::sim::plan::{Finding, Weight};
use crate::sim::worksheet;
use crate::store::CheckAttempt;
use crate::study::check::{self, Answer, Marked};
use crate::study::schedule::{Grade, grade_check};

/// A table to fill in.
pub struct Worksheet {
    pack: usize,
    check: Check,
    sheet: pack::Worksheet,
    texts: BTreeMap<String, String>,
    loaded: bool,
    since: Option<Timestamp>,
    hints: usize,
    grade: Option<Grade>,
}

impl Worksheet {
    /// A worksheet; none where the check is no worksheet.
    pub fn new(pack: usize, check: &Check) -> Option<Self> {
        let CheckKind::Worksheet(sheet) = &check.kind else {
            return None;
        };
        let cells = sheet.rows.iter().flat_map(|r| &r.cells);
        Some(Worksheet {
            pack,
            texts: cells.map(|c| (c.id.clone(), c.start.clone().unwrap_or_default())).collect(),
            check: check.clone(),
            sheet: sheet.clone(),
            loaded: false,
            since: None,
            hints: 0,
            grade: None,
        })
    }

    fn load(&mut self, at: &mut At) {
        if std::mem::replace(&mut self.loaded, true) {
            return;
        }
        self.since = Some(at.now);
        let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
        let kept = heard(at.desk.store.cells(pack, &self.check.id), at.out).unwrap_or_default();
        for (cell, text) in &mut self.texts {
            if let Some(kept) = kept.get(cell) {
                text.clone_from(kept);
            }
        }
    }

    fn cells(&self) -> impl Iterator<Item = &WorksheetCell> {
        self.sheet.rows.iter().flat_map(|r| &r.cells)
    }

    fn text(&self, cell: &str) -> &str {
        self.texts.get(cell).map_or("", String::as_str)
    }

    fn table(&self, out: &mut Out) {
        let mut n = 0;
        for row in &self.sheet.rows {
            for cell in &row.cells {
                n += 1;
                let text = match self.text(&cell.id) {
                    "" => "empty",
                    text => text,
                };
                let name = joined(&row.label, &cell.label);
                let options = match cell.options.len() {
                    0 => String::new(),
                    _ => format!(" (one of: {})", cell.options.join("; ")),
                };
                out.item(&format!("{n}. "), &format!("{name}: {text}{options}"));
            }
        }
    }

    /// Fills a cell: its number, a blank or an equals sign, and the text.
    fn fill(&mut self, line: &str, at: &mut At) {
        let (first, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
        let cell = number(first).and_then(|n| self.cells().nth(n.checked_sub(1)?)).cloned();
        let Some(cell) = cell else {
            at.out.say(&format!(
                "“{}” fills no cell; type its number and what belongs in it, such as 1 = 16. check has it checked.",
                short(line)
            ));
            return;
        };
        let typed = rest.trim().trim_start_matches('=').trim();
        let Some(text) = entry(&cell, typed) else {
            at.out.say(&format!(
                "“{}” is none of the choices; type one of: {}.",
                short(typed),
                cell.options.join("; ")
            ));
            return;
        };
        let pack = at.desk.pack(self.pack).map_or("", |p| &p.id);
        heard(at.desk.store.save_cell((pack, &self.check.id), &cell.id, &text, at.now), at.out);
        let name = name(&self.sheet, &cell.id).unwrap_or_default();
        at.out.say(&format!("{name}: {}.", if text.is_empty() { "empty" } else { &text }));
        self.texts.insert(cell.id, text);
    }

    fn submit(&mut self, at: &mut At) {
        let findings = worksheet::check(&self.sheet.checker, &self.sheet.given, &self.texts);
        let answer = Answer::Worksheet(worksheet::accepted(&findings));
        let marked =
            check::ask(&self.check, 0).ok().and_then(|asked| check::mark(&self.check, &asked, &answer).ok());
        let Some(marked) = marked else {
            at.out.say("This worksheet cannot be checked.");
            return;
        };
        if let Some(attempt) = self.attempt(&marked, at) {
            heard(at.desk.store.record_check(&attempt, &at.desk.schedule), at.out);
        }
        self.since = Some(at.now);
        let hints = u32::try_from(self.hints).unwrap_or(u32::MAX);
        self.grade = Some(grade_check(marked.right, hints));
        self.found(&findings, &marked, at.out);
    }

    fn attempt(&self, marked: &Marked, at: &At) -> Option<CheckAttempt> {
        let seconds = at.now.duration_since(self.since.unwrap_or(at.now)).as_secs().max(0);
        Some(CheckAttempt {
            id: at.desk.store.fresh_id(at.now).ok()?,
            pack: at.desk.pack(self.pack)?.id.clone(),
            check: self.check.id.clone(),
            lesson: self.check.lesson.clone(),
            at: at.now,
            right: marked.right,
            given: marked.given.clone(),
            hints: u32::try_from(self.hints).unwrap_or(u32::MAX),
            seed: 0,
            seconds: u32::try_from(seconds).unwrap_or(u32::MAX),
        })
    }

    fn found(&self, findings: &[Finding], marked: &Marked, out: &mut Out) {
        let wrong = findings.iter().filter(|f| f.refuses()).count();
        if marked.right {
            out.say("Accepted.");
        } else {
            out.say(&format!("Not yet: {wrong} of {} to mend.", findings.len()));
        }
        let mut sorted: Vec<&Finding> = findings.iter().collect();
        sorted.sort_by_key(|f| (f.ok, f.weight == Weight::Warning));
        for finding in sorted {
            self.finding(finding, out);
        }
        if marked.right {
            out.markdown(&marked.explain);
            out.say("Enter or q goes back.");
        } else {
            out.say("Mend a cell by its number, then check again. h gives a hint, l lists the cells, q goes back.");
        }
    }

    fn finding(&self, f: &Finding, out: &mut Out) {
        let state = match (f.ok, f.weight) {
            (true, _) => "Well",
            (false, Weight::Error) => "Wrong",
            (false, Weight::Warning) => "Note",
        };
        let names: Vec<String> = f.cells.iter().filter_map(|c| name(&self.sheet, c)).collect();
        let names = if names.is_empty() { String::new() } else { format!("{}: ", names.join("; ")) };
        let numbers = if f.numbers.is_empty() { String::new() } else { format!(" ({})", f.numbers) };
        let cure = if f.cure.is_empty() || f.ok { String::new() } else { format!("; {}", f.cure) };
        out.item("- ", &format!("{state}. {names}{}{numbers}{cure}.", f.what));
    }

    fn hint(&mut self, at: &mut At) {
        match self.check.hints.get(self.hints) {
            Some(hint) => {
                at.out.markdown_item(&format!("Hint {}: ", self.hints + 1), hint);
                self.hints += 1;
            }
            None => at.out.say("There is no further hint."),
        }
    }
}

/// What is put into a cell: what was typed, or the choice it names; the first letters are enough.
fn entry(cell: &WorksheetCell, typed: &str) -> Option<String> {
    if cell.options.is_empty() || typed.is_empty() {
        return Some(typed.to_owned());
    }
    let low = typed.to_lowercase();
    let same = cell.options.iter().find(|o| o.to_lowercase() == low);
    let begins = || {
        let mut fits = cell.options.iter().filter(|o| o.to_lowercase().starts_with(&low));
        fits.next().filter(|_| fits.next().is_none())
    };
    same.or_else(begins).cloned()
}

/// What a cell is called: the label of its row and its own.
fn name(sheet: &pack::Worksheet, cell: &str) -> Option<String> {
    sheet.rows.iter().find_map(|row| {
        let found = row.cells.iter().find(|c| c.id == cell)?;
        Some(joined(&row.label, &found.label))
    })
}

fn joined(row: &str, cell: &str) -> String {
    match (row, cell) {
        (row, "") => row.to_owned(),
        ("", cell) => cell.to_owned(),
        (row, cell) => format!("{row}, {cell}"),
    }
}

impl Page for Worksheet {
    fn show(&mut self, at: &mut At) -> Go {
        self.load(at);
        at.out.say(&format!("Worksheet: {}.", self.sheet.title));
        at.out.markdown(&self.check.question);
        self.table(at.out);
        at.out.say("Fill a cell by its number, such as 1 = 16. check has it checked, h gives a hint, l lists the cells, q goes back.");
        Go::Stay
    }

    fn line(&mut self, line: &str, at: &mut At) -> Go {
        match line {
            "" if self.grade.is_some_and(|g| g > Grade::Again) => return Go::Back(self.grade),
            "" | "l" => {
                self.table(at.out);
                at.out.say("check has it checked.");
            }
            "check" | "c" => self.submit(at),
            "h" => self.hint(at),
            _ => self.fill(line, at),
        }
        Go::Stay
    }

    fn result(&self) -> Option<Grade> {
        self.grade
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("1 = 16", "put 16 into the first cell; 1 = alone empties it"),
            ("check", "have it checked"),
            ("h", "a hint"),
            ("l", "list the cells"),
        ]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
