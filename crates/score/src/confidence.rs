//! How likely a fair judge gives the same verdict, from what was said: how fully, how specifically, what no rule
//! accounts for, how thick the rubric is. How an answer is written plays no part.
//!
//! Two logistic curves, "partial at least" and "covered", over the numbers of [`Signs`]. They are fitted on judged
//! answers by [`fit`]; the result is `confidence.toml`.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::{Agreement, Verdict};

/// How many numbers describe a verdict.
pub(super) const SIGNS: usize = 18;

/// What is known of a part's verdict, in numbers. None of them tells how the answer is worded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signs(pub [f64; SIGNS]);

/// A model that was fitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// The day of the fit.
    pub date: String,
    /// How many verdicts it was fitted on.
    pub verdicts: u32,
    /// Of how many drills.
    pub drills: u32,
    /// Quadratic kappa of all verdicts of the rules, on these answers.
    pub kappa: f64,
    /// The share of verdicts that were sure, each drill left out of its own fit.
    pub sure_share: f64,
    /// Quadratic kappa of the sure verdicts, likewise.
    pub sure_kappa: f64,
    /// The chance from which on a verdict is sure.
    pub threshold: f64,
    /// The mean of each sign.
    mean: Vec<f64>,
    /// Its spread.
    spread: Vec<f64>,
    /// The curve of "partial at least": its base, and a weight for each sign.
    partial: Vec<f64>,
    /// The curve of "covered".
    covered: Vec<f64>,
}

impl Model {
    /// The model that comes with the program.
    pub fn built_in() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| {
            toml::from_str(include_str!("confidence.toml"))
                .expect("confidence.toml is part of the program and tested")
        })
    }

    /// The chance that a fair judge gives this verdict.
    pub fn chance(&self, signs: &Signs, verdict: Verdict) -> f64 {
        let covered = self.curve(&self.covered, signs);
        let partial = self.curve(&self.partial, signs).max(covered);
        let chance = match verdict {
            Verdict::Covered => covered,
            Verdict::Partial => partial - covered,
            Verdict::Missing => 1.0 - partial,
        };
        chance.clamp(0.0, 1.0)
    }

    fn curve(&self, weights: &[f64], signs: &Signs) -> f64 {
        let parts = signs.0.iter().zip(&self.mean).zip(&self.spread).zip(weights.iter().skip(1));
        let sum: f64 = parts.map(|(((x, mean), spread), w)| w * (x - mean) / spread).sum();
        logistic(sum + weights.first().copied().unwrap_or(0.0))
    }

    /// The model as it stands in its file.
    pub fn text(&self) -> String {
        let list = |xs: &[f64]| xs.iter().map(|x| format!("{x:.5}")).collect::<Vec<_>>().join(", ");
        let Model { date, verdicts, drills, kappa, sure_share, sure_kappa, threshold, .. } = self;
        format!(
            "# Fitted on judged answers; never edited by hand.\ndate = {date:?}\nverdicts = {verdicts}\n\
             drills = {drills}\nkappa = {kappa:.3}\nsure_share = {sure_share:.3}\nsure_kappa = {sure_kappa:.3}\n\
             threshold = {threshold:.3}\nmean = [{}]\nspread = [{}]\npartial = [{}]\ncovered = [{}]\n",
            list(&self.mean),
            list(&self.spread),
            list(&self.partial),
            list(&self.covered),
        )
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// A verdict of the rules beside that of a judge.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The drill, which is left out of the fit that it is tested with.
    pub drill: String,
    /// What was seen.
    pub signs: Signs,
    /// What the rules say.
    pub given: Verdict,
    /// What the judge says.
    pub due: Verdict,
}

/// How a verdict was foreseen by a model that did not see its drill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Foreseen {
    /// The chance that was given to the rules' verdict.
    pub chance: f64,
    /// The rules' verdict.
    pub given: Verdict,
    /// The judge's.
    pub due: Verdict,
}

/// Fits a model. None where there are too few verdicts.
pub fn fit(rows: &[Judged]) -> Option<Model> {
    if rows.len() < 50 {
        return None;
    }
    let n = rows.len() as f64;
    let column = |i: usize| rows.iter().map(move |r| r.signs.0[i]);
    let mean: Vec<f64> = (0..SIGNS).map(|i| column(i).sum::<f64>() / n).collect();
    let spread: Vec<f64> = (0..SIGNS)
        .map(|i| (column(i).map(|x| (x - mean[i]).powi(2)).sum::<f64>() / n).sqrt().max(1e-6))
        .collect();
    let scaled: Vec<Vec<f64>> = rows
        .iter()
        .map(|r| {
            let signs = (0..SIGNS).map(|i| (r.signs.0[i] - mean[i]) / spread[i]);
            std::iter::once(1.0).chain(signs).collect()
        })
        .collect();
    let curve = |least: Verdict| {
        let due: Vec<f64> = rows.iter().map(|r| f64::from(u8::from(r.due >= least))).collect();
        logistic_fit(&scaled, &due)
    };
    Some(Model {
        date: String::new(),
        verdicts: rows.len() as u32,
        drills: drills(rows).len() as u32,
        kappa: 0.0,
        sure_share: 0.0,
        sure_kappa: 0.0,
        threshold: 0.75,
        partial: curve(Verdict::Partial),
        covered: curve(Verdict::Covered),
        mean,
        spread,
    })
}

fn drills(rows: &[Judged]) -> Vec<&str> {
    let mut drills: Vec<&str> = rows.iter().map(|r| r.drill.as_str()).collect();
    drills.sort_unstable();
    drills.dedup();
    drills
}

/// What models say that were each fitted on the other drills.
pub fn cross_validate(rows: &[Judged]) -> Vec<Foreseen> {
    let mut foreseen = Vec::new();
    for drill in drills(rows) {
        let others: Vec<Judged> = rows.iter().filter(|r| r.drill != drill).cloned().collect();
        let Some(model) = fit(&others) else { continue };
        for row in rows.iter().filter(|r| r.drill == drill) {
            let chance = model.chance(&row.signs, row.given);
            foreseen.push(Foreseen { chance, given: row.given, due: row.due });
        }
    }
    foreseen.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    foreseen
}

/// A model fitted on all rows, with its threshold and figures from models that did not see the drill: the lowest
/// chance from which on sure verdicts agree by `wanted` (quadratic kappa), and no fewer than half of all are sure.
pub fn calibrate(rows: &[Judged], date: &str, wanted: f64) -> Option<Model> {
    let mut model = fit(rows)?;
    let foreseen = cross_validate(rows);
    let kappa = |of: &[Foreseen]| {
        let mut agreement = Agreement::default();
        of.iter().for_each(|f| agreement.add(f.due, f.given));
        agreement.kappa()
    };
    let half = foreseen.len() / 2;
    let enough = (half..=foreseen.len()).rev().find(|&n| kappa(&foreseen[..n]) >= wanted);
    let sure = enough.unwrap_or(half);
    model.date = date.to_owned();
    model.kappa = kappa(&foreseen);
    model.sure_share = sure as f64 / foreseen.len().max(1) as f64;
    model.sure_kappa = kappa(&foreseen[..sure]);
    model.threshold = foreseen.get(sure.saturating_sub(1)).map_or(0.75, |f| f.chance).clamp(0.55, 0.95);
    Some(model)
}

/// How strongly large weights are held down.
const RIDGE: f64 = 3.0;
/// Rounds of Newton's method; it settles in fewer.
const ROUNDS: usize = 30;

/// Weights of a logistic curve: Newton's method with a ridge on all but the base.
fn logistic_fit(rows: &[Vec<f64>], due: &[f64]) -> Vec<f64> {
    let width = SIGNS + 1;
    let mut weights = vec![0.0; width];
    for _ in 0..ROUNDS {
        let mut slope = vec![0.0; width];
        let mut bend = vec![vec![0.0; width]; width];
        for (row, &y) in rows.iter().zip(due) {
            let p = logistic(row.iter().zip(&weights).map(|(x, w)| x * w).sum());
            let heavy = (p * (1.0 - p)).max(1e-6);
            for i in 0..width {
                slope[i] += (y - p) * row[i];
                for j in 0..width {
                    bend[i][j] += heavy * row[i] * row[j];
                }
            }
        }
        for i in 1..width {
            slope[i] -= RIDGE * weights[i];
            bend[i][i] += RIDGE;
        }
        let step = solve(bend, slope);
        weights.iter_mut().zip(&step).for_each(|(w, s)| *w += s);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    weights
}

/// Solves a linear system by Gauss's method with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&x, &y| a[x][i].abs().total_cmp(&a[y][i].abs())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        if a[i][i].abs() < 1e-12 {
            continue;
        }
        for r in i + 1..n {
            let factor = a[r][i] / a[i][i];
            let (above, below) = a.split_at_mut(r);
            for (x, y) in below[0][i..].iter_mut().zip(&above[i][i..]) {
                *x -= factor * y;
            }
            b[r] -= factor * b[i];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = if a[i][i].abs() < 1e-12 { 0.0 } else { (b[i] - known) / a[i][i] };
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(x: f64, due: Verdict) -> Judged {
        let mut signs = [0.0; SIGNS];
        signs[0] = x;
        Judged { drill: format!("drill-{}", (x * 10.0) as i64 % 3), signs: Signs(signs), given: due, due }
    }

    #[test]
    fn a_fit_finds_what_tells_the_levels_apart() {
        let rows: Vec<Judged> = (0..120)
            .map(|i| {
                let x = f64::from(i) / 40.0;
                row(
                    x,
                    if x > 2.0 {
                        Verdict::Covered
                    } else if x > 1.0 {
                        Verdict::Partial
                    } else {
                        Verdict::Missing
                    },
                )
            })
            .collect();
        let model = fit(&rows).expect("enough rows");
        assert!(model.chance(&rows[119].signs, Verdict::Covered) > 0.9);
        assert!(model.chance(&rows[0].signs, Verdict::Missing) > 0.9);
        let all: f64 = [Verdict::Missing, Verdict::Partial, Verdict::Covered]
            .iter()
            .map(|v| model.chance(&rows[60].signs, *v))
            .sum();
        assert!((all - 1.0).abs() < 1e-9);
        assert_eq!(cross_validate(&rows).len(), rows.len());
        assert_eq!(fit(&rows[..10]).map(|_| ()), None);
    }

    #[test]
    fn the_model_of_the_program_is_readable() {
        let model = Model::built_in();
        assert_eq!(model.mean.len(), SIGNS);
        assert_eq!(model.covered.len(), SIGNS + 1);
        assert!(model.threshold > 0.5 && model.threshold < 1.0);
    }

    #[test]
    fn a_system_is_solved() {
        let x = solve(vec![vec![0.0, 2.0], vec![1.0, 1.0]], vec![4.0, 5.0]);
        assert!((x[0] - 3.0).abs() < 1e-12 && (x[1] - 2.0).abs() < 1e-12);
    }
}
