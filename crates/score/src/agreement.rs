//! How well marks agree with those that a person gave.

use super::Verdict;

/// Pairs of verdicts, expected and given, counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Agreement {
    counts: [[u32; 3]; 3],
}

fn level(verdict: Verdict) -> usize {
    match verdict {
        Verdict::Missing => 0,
        Verdict::Partial => 1,
        Verdict::Covered => 2,
    }
}

impl Agreement {
    /// Counts one pair.
    pub fn add(&mut self, expected: Verdict, given: Verdict) {
        self.counts[level(expected)][level(given)] += 1;
    }

    /// Counts all pairs of another.
    pub fn merge(&mut self, other: &Agreement) {
        for (row, more) in self.counts.iter_mut().zip(&other.counts) {
            for (cell, n) in row.iter_mut().zip(more) {
                *cell += n;
            }
        }
    }

    /// How often this verdict was expected and that given.
    pub fn count(&self, expected: Verdict, given: Verdict) -> u32 {
        self.counts[level(expected)][level(given)]
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u32 {
        self.counts.iter().flatten().sum()
    }

    /// The share of pairs that are equal, 0 to 1; 1 without pairs.
    pub fn exact(&self) -> f64 {
        let same: u32 = (0..3).map(|i| self.counts[i][i]).sum();
        if self.pairs() == 0 { 1.0 } else { f64::from(same) / f64::from(self.pairs()) }
    }

    /// Kappa and the equal share in words, `kappa 0.912  exact 88.0%`; without pairs, that there is nothing to compare.
    pub fn says(&self) -> String {
        match self.pairs() {
            0 => "nothing to compare".to_owned(),
            _ => format!("kappa {:.3}  exact {:.1}%", self.kappa(), 100.0 * self.exact()),
        }
    }

    /// Cohen's kappa with quadratic weights, at most 1. Where both sides always give one and
    /// the same verdict it is 1; without pairs too, so say nothing of it then.
    pub fn kappa(&self) -> f64 {
        let n = f64::from(self.pairs());
        let row = |i: usize| f64::from(self.counts[i].iter().sum::<u32>());
        let column = |j: usize| f64::from((0..3).map(|i| self.counts[i][j]).sum::<u32>());
        let (mut seen, mut chance) = (0.0, 0.0);
        for i in 0..3 {
            for j in 0..3 {
                let weight = (i as f64 - j as f64).powi(2) / 4.0;
                seen += weight * f64::from(self.counts[i][j]);
                chance += weight * row(i) * column(j) / n.max(1.0);
            }
        }
        if chance == 0.0 { 1.0 } else { 1.0 - seen / chance }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Covered, Missing, Partial};

    fn of(pairs: &[(Verdict, Verdict)]) -> Agreement {
        let mut a = Agreement::default();
        pairs.iter().for_each(|&(e, g)| a.add(e, g));
        a
    }

    #[test]
    fn kappa_of_known_tables() {
        assert_eq!(of(&[(Covered, Covered), (Missing, Missing)]).kappa(), 1.0);
        assert_eq!(of(&[(Covered, Missing), (Missing, Covered)]).kappa(), -1.0);
        assert_eq!(of(&[]).says(), "nothing to compare");
        assert_eq!(of(&[(Covered, Covered)]).says(), "kappa 1.000  exact 100.0%");
        // Rows 0 1 2 against 0 1 1: observed 1/4, expected by chance (0+1+1 + 1+0+0 + 4+1+1)/12.
        let a = of(&[(Missing, Missing), (Partial, Partial), (Covered, Partial)]);
        assert!((a.kappa() - (1.0 - 0.25 / 0.75)).abs() < 1e-12, "{}", a.kappa());
        assert!((a.exact() - 2.0 / 3.0).abs() < 1e-12);
    }
}
