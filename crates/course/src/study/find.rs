//! Finding things by typed words: by name, then by what their texts say, then by words that are nearly the
//! same.

use std::cmp::Reverse;

use super::thing::Thing;

/// How a thing was found. What is named so comes before what speaks of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum How {
    /// Its name has the words.
    Name,
    /// What it teaches has the words in its name.
    Teaches,
    /// Its text has the words, here.
    Text(String),
    /// Its name has words that differ by a typing slip.
    Slip,
    /// Its name has the letters in this order.
    Letters,
}

/// A thing that was found, by its index among the things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The index of the thing.
    pub thing: usize,
    /// How it was found.
    pub how: How,
}

/// Things with their texts, ready to be searched.
#[derive(Debug, Default)]
pub struct Finder {
    things: Vec<Thing>,
    /// The names of each, folded: the title, the id, other names.
    names: Vec<Vec<String>>,
    teaches: Vec<String>,
    /// Their texts without markup, and the same in small letters; read when they are first needed.
    texts: Option<Vec<(String, String)>>,
}

/// Words shorter than this are looked for in names alone.
const IN_TEXTS: usize = 3;
/// The letters of a text that are shown around the words that were found.
const EXCERPT: usize = 90;
/// What the exact name is worth; all other ranks are below.
const EXACT: u32 = 1000;
/// What it is worth that the words stand in the name as they were typed, side by side.
const PHRASE: u32 = 40;
/// What it is worth that half of the name is what was typed; all of it, twice that. A few letters more or less decide
/// nothing.
const HALF: u32 = 10;

impl Finder {
    /// A finder over these things.
    pub fn new(things: Vec<Thing>) -> Self {
        let names = things.iter().map(|thing| {
            let all = [&thing.title, &thing.id].into_iter().chain(&thing.names);
            all.map(|name| folded(name)).collect()
        });
        let teaches = things.iter().map(|t| folded_lines(&t.teaches)).collect();
        Finder { names: names.collect(), teaches, things, texts: None }
    }

    /// The things.
    pub fn things(&self) -> &[Thing] {
        &self.things
    }

    /// What fits the typed words, best first; everything, in its order, where nothing is typed. `text` gives
    /// the text of a thing, without markup.
    pub fn find(&mut self, typed: &str, text: impl Fn(&Thing) -> String) -> Vec<Found> {
        let of = |how: How| move |thing| Found { thing, how: how.clone() };
        if typed.trim().is_empty() {
            return (0..self.things.len()).map(of(How::Name)).collect();
        }
        let asked = folded(typed);
        if asked.is_empty() {
            return Vec::new();
        }
        let words: Vec<&str> = asked.split(' ').collect();
        let mut found: Vec<Found> =
            self.ranked(|at| self.by_name(at, &asked, &words)).map(of(How::Name)).collect();
        // whether each thing was found already: with many packs there are a hundred thousand
        let mut is_found = vec![false; self.things.len()];
        found.iter().for_each(|f| is_found[f.thing] = true);
        let teaches = |at: usize| words.iter().all(|w| begins_word(&self.teaches[at], w)).then_some(1);
        let more: Vec<usize> = self.ranked(teaches).filter(|at| !is_found[*at]).collect();
        more.iter().for_each(|at| is_found[*at] = true);
        found.extend(more.into_iter().map(of(How::Teaches)));
        if words.iter().all(|w| w.chars().count() >= IN_TEXTS) {
            found.extend(self.by_text(&words, text).into_iter().filter(|f| !is_found[f.thing]));
        }
        if found.is_empty() {
            found.extend(self.ranked(|at| self.by_slip(at, &asked, &words)).map(of(How::Slip)));
        }
        if found.is_empty() {
            let letters = |at: usize| words.iter().all(|w| scattered(w, &self.names[at][0])).then_some(1);
            found.extend(self.ranked(letters).map(of(How::Letters)));
        }
        found
    }

    /// The things with a rank, the highest first whatever they are; of the same rank, what teaches before what asks.
    fn ranked(&self, rank: impl Fn(usize) -> Option<u32>) -> impl Iterator<Item = usize> {
        let mut ranked: Vec<(u32, usize)> =
            (0..self.things.len()).filter_map(|at| Some((rank(at)?, at))).collect();
        ranked.sort_by_key(|(rank, at)| (Reverse(*rank), self.things[*at].kind, *at));
        ranked.into_iter().map(|(_, at)| at)
    }

    fn by_name(&self, at: usize, asked: &str, words: &[&str]) -> Option<u32> {
        let names = &self.names[at];
        if names.iter().any(|name| is_same(name, asked)) {
            return Some(EXACT);
        }
        let rank = |name: &String| rank_name(words, asked, name);
        // another name counts a little less than the one that is shown
        let other = names[1..].iter().filter_map(rank).max().map(|rank| rank * 3 / 5);
        rank(&names[0]).max(other)
    }

    fn by_slip(&self, at: usize, asked: &str, words: &[&str]) -> Option<u32> {
        let joined = asked.replace(' ', "");
        let of_name = |name: &String| {
            if joined.chars().count() > 4 && name.replace(' ', "").contains(&joined) {
                return Some(10);
            }
            let all: Vec<&str> = name.split(' ').collect();
            let nearest = |word: &&str| {
                all.iter().map(|other| slips(word, other)).min().filter(|slips| *slips <= allowed(word))
            };
            let off: usize = words.iter().map(nearest).sum::<Option<usize>>()?;
            Some(9u32.saturating_sub(u32::try_from(off).unwrap_or(9)))
        };
        self.names[at].iter().filter_map(of_name).max()
    }

    fn by_text(&mut self, words: &[&str], text: impl Fn(&Thing) -> String) -> Vec<Found> {
        let Finder { things, texts, .. } = self;
        let texts = texts.get_or_insert_with(|| {
            let both = things.iter().map(text).map(|text| {
                let low = text.to_lowercase();
                (text, low)
            });
            both.collect()
        });
        let mut found: Vec<(usize, usize)> = Vec::new();
        for (at, (_, low)) in texts.iter().enumerate() {
            if words.iter().all(|word| begins_word(low, word)) {
                found.push((words.iter().map(|word| low.matches(word).count()).sum(), at));
            }
        }
        found.sort_by_key(|(count, at)| (things[*at].kind, Reverse(*count), *at));
        let excerpt = |at: usize| excerpt(&texts[at].0, &texts[at].1, words[0]);
        found.into_iter().map(|(_, at)| Found { thing: at, how: How::Text(excerpt(at)) }).collect()
    }
}

/// Small letters and digits, with one blank for whatever stands between.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c.is_alphanumeric() {
            true => out.push(c),
            false if out.ends_with(' ') || out.is_empty() => {}
            false => out.push(' '),
        }
    }
    out.truncate(out.trim_end().len());
    out
}

fn folded_lines(text: &str) -> String {
    text.lines().map(folded).collect::<Vec<_>>().join("\n")
}

/// Whether two names are the same, but for a plural.
fn is_same(name: &str, asked: &str) -> bool {
    let bare = |text: &str| text.strip_suffix('s').unwrap_or(text).to_owned();
    name == asked || bare(name) == bare(asked)
}

/// How many letters of a word may differ.
fn allowed(word: &str) -> usize {
    match word.chars().count() {
        0..=2 => 0,
        3..=6 => 1,
        _ => 2,
    }
}

/// How many letters differ between a word that was typed and another, or the beginning of it: who looks for “paralel”
/// means “parallelism” too.
fn slips(typed: &str, word: &str) -> usize {
    let (count, most) = (typed.chars().count(), allowed(typed));
    let ends = word.char_indices().map(|(at, _)| at).chain([word.len()]).skip(count.saturating_sub(most));
    let beginnings = ends.take(2 * most + 1).map(|end| &word[..end]);
    let whole = strsim::damerau_levenshtein(typed, word);
    beginnings.map(|start| strsim::damerau_levenshtein(typed, start)).fold(whole, usize::min)
}

/// How well words fit a name that has them all: each by where it stands, more where they stand side by side, and more
/// where the name says little else.
fn rank_name(words: &[&str], asked: &str, name: &str) -> Option<u32> {
    let count = u32::try_from(words.len()).unwrap_or(u32::MAX);
    let each = words.iter().map(|word| rank_word(word, name)).sum::<Option<u32>>()? / count;
    let phrase = if words.len() > 1 && begins_word(name, asked) { PHRASE } else { 0 };
    let (asked, name) = (asked.chars().count(), name.chars().count().max(1));
    let halves = (2.0 * asked.min(name) as f64 / name as f64).round() as u32;
    Some(each + phrase + halves * HALF)
}

/// How well a word fits a name: as a word of it, as the beginning of one, inside one; best at the start.
fn rank_word(word: &str, name: &str) -> Option<u32> {
    let is_whole = name.split(' ').any(|other| other == word);
    let first = if name.starts_with(word) { 10 } else { 0 };
    match begins_word(name, word) {
        true if is_whole => Some(100 + first),
        true => Some(70 + first),
        false => name.contains(word).then_some(50),
    }
}

/// Whether a text has a word that begins so.
fn begins_word(text: &str, word: &str) -> bool {
    starts(text, word).next().is_some()
}

/// Where words of a text begin so.
fn starts<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_start = |at: &usize| text[..*at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
    text.match_indices(word).map(|(at, _)| at).filter(move |at| is_start(at))
}

/// Whether the letters of a word stand in a name in this order.
fn scattered(word: &str, name: &str) -> bool {
    let mut letters = name.chars();
    word.chars().all(|c| letters.any(|l| l == c))
}

/// Whole words around the first place of a word, with `…` where they are cut. `low` is the text in small
/// letters.
fn excerpt(text: &str, low: &str, word: &str) -> String {
    let Some(at) = starts(low, word).next() else { return String::new() };
    let row = low[..at].matches('\n').count();
    let Some(line) = text.lines().nth(row) else { return String::new() };
    let before = low[..at].rfind('\n').map_or(0, |end| end + 1);
    let lead = low[before..at].chars().count();
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut first = 0;
    let mut seen = 0;
    // the words that stand more than a third of the excerpt before it are left out
    while first + 1 < words.len() && seen + words[first].chars().count() + 1 + EXCERPT / 3 < lead {
        seen += words[first].chars().count() + 1;
        first += 1;
    }
    let mut out = if first > 0 { "…".to_owned() } else { String::new() };
    for (nth, word) in words.iter().enumerate().skip(first) {
        if out.chars().count() + word.chars().count() > EXCERPT {
            return out + " …";
        }
        if nth > first {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::thing::Kind;
    use super::*;

    fn finder() -> Finder {
        let thing = |kind, id: &str, title: &str, names: &[&str]| Thing {
            names: names.iter().map(|n| (*n).to_owned()).collect(),
            ..Thing::own(kind, id, title)
        };
        Finder::new(vec![
            thing(Kind::Lesson, "pp", "Pipeline parallelism", &[]),
            thing(Kind::Drill, "d1", "How do you shrink the bubble of a pipeline?", &[]),
            thing(Kind::Term, "bubble", "pipeline bubble", &["bubble"]),
            thing(Kind::Term, "mfu", "model FLOPs utilization", &["MFU"]),
            thing(Kind::Lesson, "ring", "Ring all-reduce", &[]),
        ])
    }

    fn found(typed: &str) -> Vec<String> {
        let mut finder = finder();
        let text = |thing: &Thing| match &*thing.id {
            "pp" => "A pipeline idles; the bubble shrinks with MFU.\nmore".to_owned(),
            _ => String::new(),
        };
        let found = finder.find(typed, text);
        found.into_iter().map(|f| finder.things[f.thing].id.clone()).collect()
    }

    #[test]
    fn what_is_named_so_comes_first_and_what_speaks_of_it_last() {
        assert_eq!(found("bubbles"), ["bubble"]);
        assert_eq!(found("BUBBLE"), ["bubble", "d1", "pp"]);
        assert_eq!(found("mfu"), ["mfu", "pp"]);
        assert_eq!(found("pipeline"), ["pp", "bubble", "d1"]);
        assert_eq!(found("reduce all"), ["ring"]);
        assert_eq!(found("").len(), 5);
        assert!(found("?!").is_empty() && found("qqqq").is_empty());
    }

    #[test]
    fn the_best_match_comes_first_whatever_its_kind() {
        let of = |kind, id: &str, title: &str| Thing::own(kind, id, title);
        let things = [
            of(Kind::Lesson, "tp", "Tensor parallelism"),
            of(Kind::Lesson, "all", "All-reduce and its relatives on a ring"),
            of(Kind::Lab, "mlp", "A tensor parallel MLP on paper"),
            of(Kind::Lab, "ring", "Ring all-reduce"),
            of(Kind::Drill, "why", "Why is tensor parallel kept inside a node?"),
            of(Kind::Sim, "sim", "Tensor parallel layer"),
        ];
        let mut finder = Finder::new(things.to_vec());
        let mut found = |typed: &str| -> Vec<String> {
            let found = finder.find(typed, |_| String::new());
            found.into_iter().map(|f| things[f.thing].id.clone()).collect()
        };
        assert_eq!(found("tensor parallel"), ["sim", "tp", "mlp", "why"]);
        assert_eq!(found("ring all-reduce"), ["ring", "all"]);
        assert_eq!(found("all-reduce relatives"), ["all"]);
        assert_eq!(found("tensor paralel"), ["tp", "mlp", "sim", "why"]);
        assert_eq!(found("tesnor paralell"), ["tp", "mlp", "sim", "why"]);
    }

    #[test]
    fn slips_and_letters_find_what_no_word_does() {
        assert_eq!(found("pipline bubbel"), ["bubble", "d1"]);
        assert_eq!(found("allreduce"), ["ring"]);
        assert_eq!(found("mfuu"), ["mfu"]);
        assert_eq!(found("rgalrd"), ["ring"]);
    }

    #[test]
    fn an_excerpt_has_whole_words_around_the_one_that_was_found() {
        let text = format!("first\n{}the Bubble is here {}", "word ".repeat(40), "more ".repeat(40));
        let cut = excerpt(&text, &text.to_lowercase(), "bubble");
        assert!(
            cut.starts_with("…word") && cut.ends_with("more …") && cut.contains("the Bubble is"),
            "{cut}"
        );
        assert!(cut.chars().count() <= EXCERPT + 2);
        assert_eq!(excerpt("a bubble", "a bubble", "bubble"), "a bubble");
    }
}
