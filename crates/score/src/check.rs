//! What is wrong with a rubric, before anybody is scored by it.

mod checker;
mod place;
mod way;

use super::claim;
use super::concept::Concepts;
use super::pattern::{self, Format};
use super::stem::Stems;
use super::{FollowUp, Glossary, Rubric, Scorer, Verdict};

use checker::Checker;
pub use place::{Place, RubricFault, SharedFault, SharedPlace};
use way::{stated, way_fault, word_fault};

/// Checks the rubrics of one pack.
pub struct RubricChecker<'a> {
    glossary: &'a Glossary,
    claims: Vec<claim::Claim>,
    concepts: Concepts,
    stems: Stems,
}

impl<'a> RubricChecker<'a> {
    /// For rubrics that use these terms, concepts and claims.
    pub fn new(glossary: &'a Glossary) -> RubricChecker<'a> {
        let claims = claim::known(glossary);
        RubricChecker { glossary, claims, concepts: Concepts::shared(glossary), stems: Stems::new() }
    }

    /// Finds the faults of the claims, false statements and vague words that rubrics share.
    pub fn check_shared(&self) -> Vec<SharedFault> {
        let mut faults = Vec::new();
        let gaps = ["x", "y", "z"];
        for (i, claim) in self.glossary.claims.iter().enumerate() {
            let places = [(&claim.matches, true), (&claim.contrary, false)];
            for (texts, states) in places {
                for (j, text) in texts.iter().enumerate() {
                    let place =
                        if states { SharedPlace::Claim(i, j) } else { SharedPlace::ClaimContrary(i, j) };
                    if j == claim::MOST_PATTERNS {
                        let fault = format!("`{}` has {} patterns", claim.id, texts.len());
                        let cure =
                            format!("keep {j} at most, or make two claims of it; the others are ignored");
                        faults.push(SharedFault { place, at: 0..text.len(), fault, cure });
                        break;
                    }
                    let filled = gaps.iter().fold(text.clone(), |t, g| t.replace(&format!("{{{g}}}"), g));
                    self.shared_pattern(place, text, &filled, &mut faults);
                }
            }
            self.shared_words(|j| SharedPlace::ClaimUnless(i, j), &claim.unless, &mut faults);
        }
        for (i, falsehood) in self.glossary.falsehoods.iter().enumerate() {
            for (j, text) in falsehood.matches.iter().enumerate() {
                self.shared_pattern(SharedPlace::Falsehood(i, j), text, text, &mut faults);
            }
            self.shared_words(|j| SharedPlace::FalsehoodUnless(i, j), &falsehood.unless, &mut faults);
        }
        for (i, vague) in self.glossary.vague.iter().enumerate() {
            for (j, text) in vague.matches.iter().enumerate() {
                self.shared_pattern(SharedPlace::Vague(i, j), text, text, &mut faults);
            }
        }
        faults
    }

    fn shared_words(
        &self,
        place: impl Fn(usize) -> SharedPlace,
        words: &[String],
        faults: &mut Vec<SharedFault>,
    ) {
        for (j, word) in words.iter().enumerate() {
            if let Some((fault, cure)) = word_fault(word, &self.concepts) {
                faults.push(SharedFault { place: place(j), at: 0..word.len(), fault, cure });
            }
        }
    }

    /// Looks at a pattern; `filled` is the same with words in its gaps.
    fn shared_pattern(&self, place: SharedPlace, text: &str, filled: &str, faults: &mut Vec<SharedFault>) {
        let mut report =
            |fault: String, cure: String| faults.push(SharedFault { place, at: 0..text.len(), fault, cure });
        let stated = match stated(filled, Format::Two, &self.claims) {
            Ok(stated) => stated,
            Err((_, fault, cure)) => return report(fault, cure),
        };
        for one in stated {
            let pattern = match pattern::parse_in(Format::Two, &one) {
                Ok(pattern) => pattern,
                Err(f) => return report(f.fault, f.cure),
            };
            if pattern.subject.is_some() {
                let cure = "write the subject as the first slot, with `>` after it";
                return report("a subject in what all drills share".to_owned(), cure.to_owned());
            }
            let ways = pattern.slots.iter().flat_map(|s| &s.ways);
            if let Some((fault, cure)) = ways.filter_map(|w| way_fault(w, &self.concepts)).next() {
                return report(fault, cure);
            }
        }
    }

    /// Finds the faults of a rubric's patterns and of the drill's own words.
    pub fn check(&mut self, rubric: &Rubric) -> Vec<RubricFault> {
        let concepts = self.concepts.with(rubric);
        Checker::new(rubric, &self.claims, &concepts, &mut self.stems).drill()
    }

    /// Finds the faults of a drill's follow-up questions: of their patterns, and answers that their own patterns
    /// do not take for right.
    pub fn check_follow_ups(&mut self, drill: &Rubric, follow_ups: &[FollowUp]) -> Vec<RubricFault> {
        let concepts = self.concepts.with(drill);
        let mut faults = Vec::new();
        for (i, follow_up) in follow_ups.iter().enumerate().filter(|(_, f)| f.is_marked()) {
            let rubric = follow_up.rubric(drill);
            let checker = Checker::new(&rubric, &self.claims, &concepts, &mut self.stems);
            let mut found = checker.question();
            found.iter_mut().for_each(|f| f.place = f.place.of_follow_up(i));
            if found.iter().all(|f| f.warning) {
                let scorer = Scorer::with_concepts(follow_up, drill, self.glossary, &concepts);
                found.extend(answer_fault(i, follow_up, &scorer));
            }
            faults.append(&mut found);
        }
        faults
    }

    /// What is wrong with an entry of a concept's word list, and the cure.
    pub fn check_word(&self, word: &str) -> Option<(String, String)> {
        word_fault(word, &self.concepts)
    }
}

/// What is wrong with the answer of a follow-up question, if its own patterns do not take it for right.
fn answer_fault(i: usize, follow_up: &FollowUp, scorer: &Scorer) -> Option<RubricFault> {
    let answer = follow_up.answer.as_deref()?;
    let score = scorer.score(answer);
    let verdict = score.parts.first().map_or(Verdict::Missing, |p| p.verdict);
    let (fault, cure) = match (score.misconceptions.first(), verdict) {
        (Some(found), _) => (
            format!("`answer` reads as the misconception `{}`", found.id),
            "narrow the misconception, or say the answer in other words",
        ),
        (None, Verdict::Covered) => return None,
        (None, Verdict::Partial) => (
            "`answer` is only partial by its own patterns".to_owned(),
            "add a pattern to `match` that finds it",
        ),
        (None, Verdict::Missing) => {
            ("`answer` is not found by its own `match`".to_owned(), "add a pattern that finds it")
        }
    };
    Some(RubricFault {
        place: Place::FollowAnswer(i),
        at: 0..answer.len(),
        warning: true,
        fault,
        cure: cure.to_owned(),
    })
}
