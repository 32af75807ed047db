//! Scoring: an answer of 300 words, 10,000 answers, and 100 kB of whatever.
//!
//! `cargo bench --bench score`. The answers are the samples and model answers of the built-in drills, put
//! together and cut to 300 words; none is scored twice in a row. Fails above its bars.
#![allow(clippy::disallowed_methods, clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use infralens::pack::{self, Drill, Pack};
use infralens::score::Scorer;

const WORDS: usize = 300;
const ANSWERS: usize = 10_000;
const LARGE: usize = 100_000;

fn main() -> ExitCode {
    let pack = pack::load(&infralens::built_in::ORIGIN).pack.expect("the built-in pack loads");
    let kept = [many(&pack), large(&pack)];
    if kept == [true; 2] { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says whether the bars are kept.
fn many(pack: &Pack) -> bool {
    let answers = answers(pack);
    let prepared = Instant::now();
    let scorers: Vec<Scorer> = pack.drills.iter().map(|d| scorer(pack, d)).collect();
    let each = prepared.elapsed() / u32::try_from(scorers.len()).unwrap();
    println!("to make a rubric ready, once for all its answers: {each:.2?}");
    let mut took = Vec::with_capacity(ANSWERS);
    let began = Instant::now();
    for n in 0..ANSWERS {
        let answer = &answers[(n * 7 + n / pack.drills.len()) % answers.len()];
        let one = Instant::now();
        std::hint::black_box(scorers[n % scorers.len()].score(answer));
        took.push(one.elapsed());
    }
    let all = began.elapsed();
    took.sort();
    println!(
        "{WORDS} words: median {:.3?}, p99 {:.3?}; bar of 1 ms {}",
        took[ANSWERS / 2],
        took[ANSWERS * 99 / 100],
        kept(took[ANSWERS / 2], Duration::from_millis(1)),
    );
    println!("{ANSWERS} answers: {all:.2?}; bar of 10 s {}", kept(all, Duration::from_secs(10)));
    took[ANSWERS / 2] < Duration::from_millis(1) && all < Duration::from_secs(10)
}

/// Answers of 300 words for each drill.
fn answers(pack: &Pack) -> Vec<String> {
    let texts = |drill: &Drill| {
        let samples = drill.samples.iter().map(|s| s.answer.clone());
        samples.chain([drill.model.clone()]).collect::<Vec<_>>().join("\n")
    };
    let cut = |text: String| {
        let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
        words.iter().cycle().take(WORDS).copied().collect()
    };
    pack.drills.iter().map(|d| cut(texts(d))).collect()
}

fn scorer(pack: &Pack, drill: &Drill) -> Scorer {
    Scorer::new(&drill.rubric, &pack.vocabulary)
}

/// Says whether the bar is kept.
fn large(pack: &Pack) -> bool {
    let scorer = scorer(pack, &pack.drills[0]);
    let model: String = pack.drills.iter().map(|d| d.model.as_str()).collect();
    let kinds: [(&str, String); 8] = [
        ("model answers", model),
        ("one word", "gradient ".into()),
        ("denials", "not ".into()),
        ("letters", "a".into()),
        ("full stops", ". ".into()),
        ("digits", "1".into()),
        ("combining marks", "e\u{301}".into()),
        ("emoji", "👩‍🚀 ".into()),
    ];
    let mut worst = Duration::ZERO;
    for (name, unit) in kinds {
        let text = unit.repeat(LARGE / unit.len() + 1);
        let text = &text[..text.floor_char_boundary(LARGE)];
        let took = (0..5)
            .map(|_| {
                let began = Instant::now();
                std::hint::black_box(scorer.score(text));
                began.elapsed()
            })
            .min()
            .unwrap();
        worst = worst.max(took);
        println!("{} kB of {name}: {took:.1?}", text.len() / 1000);
    }
    println!("bar of 50 ms {}", kept(worst, Duration::from_millis(50)));
    worst < Duration::from_millis(50)
}

fn kept(took: Duration, bar: Duration) -> &'static str {
    if took < bar { "kept" } else { "missed" }
}
