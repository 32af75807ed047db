//! What the scorer's tests share: the course, rates, and ways to change a text.

use infralens_course::pack::{self, Drill, Pack};
use infralens_course::score::{Glossary, Scorer};

/// The built-in pack.
pub struct Course {
    /// The pack.
    pub pack: Pack,
}

impl Course {
    /// Loads the built-in pack.
    pub fn load() -> Course {
        Course { pack: pack::load(&crate::kit::course::origin()).pack.expect("the built-in pack is sound") }
    }

    /// Does something with every drill.
    pub fn each(&self, mut act: impl FnMut(&Drill, &Scorer, &Glossary)) {
        for drill in &self.pack.drills {
            act(drill, &Scorer::new(&drill.rubric, &self.pack.vocabulary), &self.pack.vocabulary);
        }
    }
}

/// How often something happened, with examples.
#[derive(Default)]
pub struct Rate {
    of: u32,
    examples: Vec<String>,
}

impl Rate {
    /// Counts one case.
    pub fn count(&mut self, happened: bool, example: impl FnOnce() -> String) {
        self.of += 1;
        if happened {
            self.examples.push(example());
        }
    }

    /// Fails where it happened more often than that; says how often it did.
    #[allow(clippy::print_stdout, reason = "`--nocapture` shows the rates")]
    pub fn assert_at_most(&self, most: f64) {
        let rate = self.examples.len() as f64 / f64::from(self.of.max(1));
        println!("{} of {} ({:.1}%)", self.examples.len(), self.of, 100.0 * rate);
        assert!(
            rate <= most,
            "{} of {} ({:.1}%), at most {:.1}% allowed:\n{}",
            self.examples.len(),
            self.of,
            100.0 * rate,
            100.0 * most,
            self.examples.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
        );
    }
}

/// A small generator of numbers, the same each time.
#[allow(dead_code, reason = "not every test binary needs it")]
pub struct Dice(u64);

#[allow(dead_code, reason = "not every test binary needs it")]
impl Dice {
    /// Begins at a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n.max(1)
    }
}

/// The sentences of a text.
pub fn sentences(text: &str) -> Vec<String> {
    let mut sentences = Vec::new();
    for line in text.lines() {
        let mut from = 0;
        for (at, c) in line.char_indices() {
            let end = at + c.len_utf8();
            let ends =
                matches!(c, '.' | '!' | '?') && line[end..].chars().next().is_none_or(char::is_whitespace);
            if ends || end == line.len() {
                let sentence = line[from..end].trim();
                if !sentence.is_empty() {
                    sentences.push(sentence.to_owned());
                }
                from = end;
            }
        }
    }
    sentences
}

/// The words of a text in another order.
#[allow(dead_code, reason = "not every test binary needs it")]
pub fn shuffled(text: &str, seed: u64) -> String {
    let mut dice = Dice::new(seed + 1);
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for i in (1..words.len()).rev() {
        words.swap(i, dice.below(i + 1));
    }
    words.join(" ")
}

/// A text with two neighbouring letters swapped in so many of a hundred words.
#[allow(dead_code, reason = "not every test binary needs it")]
pub fn swapped(text: &str, percent: usize, seed: u64) -> String {
    let mut dice = Dice::new(seed + 77);
    let swap = |word: &str, dice: &mut Dice| -> String {
        let mut chars: Vec<char> = word.chars().collect();
        let letters = chars.len() >= 5 && chars.iter().all(|c| c.is_ascii_lowercase());
        if letters && dice.below(100) < percent {
            let at = 1 + dice.below(chars.len() - 2);
            chars.swap(at, at + 1);
        }
        chars.into_iter().collect()
    };
    text.split(' ').map(|w| swap(w, &mut dice)).collect::<Vec<_>>().join(" ")
}

impl Course {
    /// The scorers of all drills, made once.
    #[allow(dead_code, reason = "not every test binary needs it")]
    pub fn shared() -> &'static [Scorer] {
        static SHARED: std::sync::OnceLock<Vec<Scorer>> = std::sync::OnceLock::new();
        SHARED.get_or_init(|| {
            let course = Course::load();
            course
                .pack
                .drills
                .iter()
                .take(8)
                .map(|d| Scorer::new(&d.rubric, &course.pack.vocabulary))
                .collect()
        })
    }

    /// Pieces of answers, cut at blanks and commas.
    #[allow(dead_code, reason = "not every test binary needs it")]
    pub fn pieces() -> &'static [String] {
        static PIECES: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
        PIECES.get_or_init(|| {
            let course = Course::load();
            let answers = course.pack.drills.iter().flat_map(|d| &d.samples).map(|s| s.answer.clone());
            answers.flat_map(|a| a.split(',').map(str::to_owned).collect::<Vec<_>>()).collect()
        })
    }
}
