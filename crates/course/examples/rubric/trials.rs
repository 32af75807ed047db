//! Trials of rubrics: attacks, single statements, other layouts, the time that scoring takes.

use std::collections::BTreeMap;

use infralens_course::pack::Pack;
use infralens_course::score::{Point, Rubric, Scorer};

use super::wrapped::wrapped;
use super::{Row, explain};

/// Sentences that say nothing and have room for four words.
const WOVEN: [&str; 6] = [
    "The {a} and the {b} work together with the {c} and the {d}.",
    "Here the {a} uses the {b}, which improves the {c} and affects the {d}.",
    "With the {a} we get {b} because of the {c} during the {d}.",
    "It depends on the {a}, so the {b} must handle the {c} and the {d}.",
    "First the {a} is applied to the {b}, then the {c} leads to the {d}.",
    "We measure the {a} in the {b} and compare the {c} with the {d}.",
];

/// The words that earn marks in each model answer, listed and woven.
pub fn attacks(pack: &Pack, shown: bool) {
    let (mut listed, mut woven) = (Vec::new(), Vec::new());
    for drill in &pack.drills {
        let scorer = drill.scorer(None, &pack.vocabulary);
        // what somebody would pick who has seen the model answer and understood nothing
        let mut words: Vec<&str> = Vec::new();
        for word in drill.model.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_') {
            let tells = word.len() > 4 || word.chars().filter(|c| c.is_uppercase()).count() > 1;
            if tells && !words.contains(&word) {
                words.push(word);
            }
        }
        words.truncate(48);
        let list = scorer.score(&words.join(", ")).score;
        listed.push(list);
        let mut text = String::new();
        for (chunk, frame) in words.chunks(4).zip(WOVEN.iter().cycle()) {
            let word = |i: usize| chunk.get(i).copied().unwrap_or("system");
            let pairs = [("{a}", 0), ("{b}", 1), ("{c}", 2), ("{d}", 3)];
            text += &pairs.iter().fold((*frame).to_owned(), |t, (gap, i)| t.replace(gap, word(*i)));
            text.push(' ');
        }
        let score = scorer.score(&text);
        woven.push(score.score);
        if shown && score.score > 0.2 {
            println!("{} {:.2}: {text}", drill.id, score.score);
            explain(&score);
        }
    }
    let line = |name: &str, all: &[f64]| {
        let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
        println!("{name:7} mean {mean:.3} most {:.2}", all.iter().copied().fold(0.0, f64::max));
    };
    line("listed", &listed);
    line("woven", &woven);
}

/// What of the answers is taken for lists of words, by kind.
pub fn unread(pack: &Pack, rows: &[Row]) {
    let mut by_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for drill in &pack.drills {
        let scorer = drill.scorer(None, &pack.vocabulary);
        for row in rows.iter().filter(|r| r.drill == drill.id) {
            let pieces = scorer.unread(&row.answer);
            let entry = by_kind.entry(row.kind.as_str()).or_default();
            entry.0 += row.answer.len();
            for piece in pieces.iter().filter(|p| p.text.len() > 20) {
                entry.1 += piece.text.len();
                println!("{}: {}", row.id, piece.text);
            }
        }
    }
    for (kind, (all, dead)) in by_kind {
        println!("{kind:12} {dead} of {all} bytes state nothing: {:.2}%", 100.0 * dead as f64 / all as f64);
    }
}

pub fn layout(pack: &Pack, rows: &[Row], shown: bool) {
    let (mut tried, mut changed) = (0_u64, 0_u64);
    for drill in &pack.drills {
        let scorer = drill.scorer(None, &pack.vocabulary);
        let own = rows.iter().filter(|r| r.drill == drill.id).map(|r| r.answer.as_str());
        for text in own.chain(drill.samples.iter().map(|s| s.answer.as_str())) {
            let verdicts = |t: &str| scorer.score(t).parts.iter().map(|p| p.verdict).collect::<Vec<_>>();
            let plain = verdicts(text);
            for width in 30..=120 {
                let now = verdicts(&wrapped(text, width));
                tried += plain.len() as u64;
                let turned = plain.iter().zip(&now).filter(|(a, b)| a != b).count() as u64;
                changed += turned;
                if shown && turned > 0 {
                    println!("{} at {width}: {turned}\n{}", drill.id, wrapped(text, width));
                }
            }
        }
    }
    println!("{changed} of {tried} verdicts change with the width");
}

pub fn speed(pack: &Pack, rows: &[Row]) {
    let Some(drill) = pack.drills.iter().find(|d| rows.iter().any(|r| r.drill == d.id)) else { return };
    let scorer = drill.scorer(None, &pack.vocabulary);
    let time = |name: &str, text: &str| {
        // the machine may be busy with other things: the shortest of many is what the work takes
        let shortest = (0..30).map(|_| {
            let begin = std::time::Instant::now();
            drop(scorer.score(text));
            begin.elapsed().as_secs_f64()
        });
        println!("{name:24} {:8.3} ms", shortest.fold(f64::INFINITY, f64::min) * 1000.0);
    };
    let answer = &rows.iter().find(|r| r.drill == drill.id).map(|r| r.answer.clone()).unwrap_or_default();
    let words: Vec<&str> = answer.split_whitespace().cycle().take(300).collect();
    time("300 words", &words.join(" "));
    time("100 kB of the answer", &answer.repeat(100_000 / answer.len().max(1)));
    time("100 kB of one word", &"gradient ".repeat(11_111));
    time("100 kB of brackets", &"[".repeat(100_000));
    time("100 kB of dots", &". ".repeat(50_000));
    let slots: Vec<String> = (0..10).map(|i| format!("w{i}|word")).collect();
    let matches = (0..200).map(|i| format!("{} + x{i}|word", slots.join(" + "))).collect();
    let point = Point { id: "p".into(), part: "p".into(), matches, ..Point::default() };
    let rubric = Rubric { parts: vec!["p".into()], points: vec![point], ..Rubric::default() };
    let scorer = Scorer::new(&rubric, &pack.vocabulary);
    let dense: Vec<String> = (0..300).map(|i| format!("the word of w{} is", i % 10)).collect();
    let begin = std::time::Instant::now();
    drop(scorer.score(&dense.join(" ")));
    println!("ten slots, 200 patterns  {:8.3} ms", begin.elapsed().as_secs_f64() * 1000.0);
}

/// One answer to a drill, from standard input, with all that was found.
/// A sentence that states one point of a drill in other words.
#[derive(serde::Deserialize)]
struct Said {
    drill: String,
    point: String,
    sentence: String,
}

/// Which points are met by a sentence that states them, and which sentences are missed.
pub fn points(pack: &Pack, files: &[&str]) -> Result<(), String> {
    let mut met = BTreeMap::<String, (usize, usize)>::new();
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        for said in text.lines().filter_map(|l| serde_json::from_str::<Said>(l).ok()) {
            let Some(drill) = pack.drills.iter().find(|d| d.id == said.drill) else { continue };
            let score = drill.scorer(None, &pack.vocabulary).score(&said.sentence);
            let found = score.parts.iter().flat_map(|p| &p.points).any(|p| p.id == said.point && p.met);
            let (of, all) = met.entry(said.drill.clone()).or_default();
            *of += usize::from(found);
            *all += 1;
            if !found {
                println!("missed {} {}: {}", said.drill, said.point, said.sentence);
            }
            score
                .misconceptions
                .iter()
                .for_each(|m| println!("FALSE {} {}: {}", said.drill, m.id, said.sentence));
        }
    }
    met.iter().for_each(|(drill, (of, all))| println!("{drill}: {of} of {all}"));
    let (of, all) = met.values().fold((0, 0), |(a, b), (of, all)| (a + of, b + all));
    println!("{of} of {all} sentences state their point");
    Ok(())
}
