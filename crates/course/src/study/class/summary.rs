//! Where a class stands: each student, drills by parts, what is missed most, what is wrong, what is claimed, and where
//! rules, students, judge and instructor differ.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Serialize;

use super::Answer;
use super::gather::{Class, Member};
use crate::pack::Pack;
use crate::score::{Source, Verdict};
use crate::study::rating::worth;
use crate::study::table;

/// Where a class stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The pack's id.
    pub pack: String,
    /// The parts, by id.
    pub parts: Vec<String>,
    /// How many answers were read.
    pub answers: usize,
    /// Every student, by name.
    pub students: Vec<OfStudent>,
    /// Every drill that somebody answered, in the order of the course.
    pub drills: Vec<OfDrill>,
    /// The points that most students miss, the most missed first.
    pub missed: Vec<Missed>,
    /// The false statements, the most frequent first.
    #[serde(rename = "false")]
    pub falsehoods: Vec<Said>,
    /// What students claim and no rule found.
    pub claimed: Vec<Claimed>,
    /// Marks on which two of rules, student, judge and instructor differ.
    pub differing: Vec<Differing>,
}

/// A student.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfStudent {
    /// The name that is shown.
    pub name: String,
    /// How many answers.
    pub answers: usize,
    /// How many drills.
    pub drills: usize,
    /// The mean of the latest answers to each drill, 0 to 1.
    pub mean: f64,
    /// The part that is weakest in them.
    pub weakest: Option<String>,
    /// When the last answer was given.
    pub last: Option<Timestamp>,
}

/// A drill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OfDrill {
    /// The drill's id.
    pub drill: String,
    /// How many students answered it.
    pub students: usize,
    /// The mean of each part over the latest answers, 0 to 1, in the order of the parts; none where nobody was asked.
    pub parts: Vec<Option<f64>>,
}

/// A point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missed {
    /// The drill.
    pub drill: String,
    /// The part.
    pub part: String,
    /// The point.
    pub point: String,
    /// What it says, where the pack is at hand.
    pub says: Option<String>,
    /// How many students miss it.
    pub students: usize,
    /// Of how many.
    pub of: usize,
    /// An answer that misses it: the attempt's id.
    pub example: String,
    /// How that answer begins, on one line.
    pub words: String,
}

/// A false statement.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Said {
    /// The drill.
    pub drill: String,
    /// The misconception.
    pub id: String,
    /// How many students said it.
    pub students: usize,
    /// How one of them put it.
    pub words: String,
    /// In which answer.
    pub example: String,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Claimed {
    /// Who claims.
    pub student: String,
    /// The answer.
    pub attempt: String,
    /// The drill.
    pub drill: String,
    /// The part.
    pub part: String,
    /// The point.
    pub point: String,
    /// The sentence.
    pub sentence: String,
}

/// A mark that two see differently.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Differing {
    /// Whose answer.
    pub student: String,
    /// Which.
    pub attempt: String,
    /// The drill.
    pub drill: String,
    /// The part.
    pub part: String,
    /// What the rules said.
    pub rules: Verdict,
    /// What the student claims, where that is another mark.
    pub student_says: Option<Verdict>,
    /// What the student's judge said, where that is another mark.
    pub judge: Option<Verdict>,
    /// What the instructor gave, where that is another mark.
    pub instructor: Option<Verdict>,
}

/// How many entries a list has at most.
const MOST: usize = 50;
/// Characters of an answer that an example shows.
const WORDS: usize = 140;

/// Where the class stands. `pack` puts drills and parts in order and says what points say.
pub fn summary(class: &Class, pack: Option<&Pack>) -> Summary {
    let parts = parts(class, pack);
    let latest: Vec<(&Member, Vec<&Answer>)> = class.members.iter().map(|m| (m, latest(m))).collect();
    Summary {
        pack: class.pack.clone(),
        answers: class.answers(),
        students: latest.iter().map(|(member, of)| student(class, member, of, &parts)).collect(),
        drills: drills(class, &latest, &parts, pack),
        missed: missed(class, &latest, pack),
        falsehoods: falsehoods(&latest),
        claimed: claimed(class),
        differing: differing(class),
        parts,
    }
}

/// The latest answer to each drill, of those to all its parts; where there is none, the latest to one.
fn latest(member: &Member) -> Vec<&Answer> {
    let mut by_drill: BTreeMap<&str, &Answer> = BTreeMap::new();
    for answer in &member.answers {
        let old = by_drill.get(answer.drill.as_str());
        if answer.part.is_none() || old.is_none_or(|old| old.part.is_some()) {
            by_drill.insert(&answer.drill, answer);
        }
    }
    by_drill.into_values().collect()
}

fn parts(class: &Class, pack: Option<&Pack>) -> Vec<String> {
    let mut parts: Vec<String> = pack.iter().flat_map(|p| &p.parts).map(|p| p.id.clone()).collect();
    for mark in class.members.iter().flat_map(|m| &m.answers).flat_map(|a| &a.marks) {
        if !parts.contains(&mark.part) {
            parts.push(mark.part.clone());
        }
    }
    parts
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn of_part(class: &Class, answers: &[&Answer], part: &str) -> Option<f64> {
    let marks = answers.iter().flat_map(|a| a.marks.iter().map(move |m| (a, m)));
    let values: Vec<f64> =
        marks.filter(|(_, m)| m.part == part).map(|(a, m)| worth(class.counts(a, m))).collect();
    mean(&values)
}

fn student(class: &Class, member: &Member, latest: &[&Answer], parts: &[String]) -> OfStudent {
    let values: Vec<f64> =
        latest.iter().flat_map(|a| a.marks.iter().map(|m| worth(class.counts(a, m)))).collect();
    let weakest = parts
        .iter()
        .filter_map(|part| Some((part, of_part(class, latest, part)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .map(|(part, _)| part.clone());
    OfStudent {
        name: member.student.name.clone(),
        answers: member.answers.len(),
        drills: latest.len(),
        mean: mean(&values).unwrap_or(0.0),
        weakest,
        last: member.answers.last().map(|a| a.at),
    }
}

fn drills(
    class: &Class,
    latest: &[(&Member, Vec<&Answer>)],
    parts: &[String],
    pack: Option<&Pack>,
) -> Vec<OfDrill> {
    let mut order: Vec<&str> = pack.iter().flat_map(|p| &p.drills).map(|d| d.id.as_str()).collect();
    let answered: BTreeSet<&str> = latest.iter().flat_map(|(_, of)| of).map(|a| a.drill.as_str()).collect();
    let unknown: Vec<&str> = answered.iter().copied().filter(|d| !order.contains(d)).collect();
    order.extend(unknown);
    let of = |drill: &str| -> Vec<&Answer> {
        latest.iter().flat_map(|(_, of)| of).copied().filter(|a| a.drill == drill).collect()
    };
    let rows = order.into_iter().filter(|d| answered.contains(d)).map(|drill| {
        let answers = of(drill);
        OfDrill {
            drill: drill.to_owned(),
            students: answers.len(),
            parts: parts.iter().map(|part| of_part(class, &answers, part)).collect(),
        }
    });
    rows.collect()
}

fn missed(class: &Class, latest: &[(&Member, Vec<&Answer>)], pack: Option<&Pack>) -> Vec<Missed> {
    let mut asked: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut found: BTreeMap<(&str, &str, &str), (usize, &Answer)> = BTreeMap::new();
    for answer in latest.iter().flat_map(|(_, of)| of) {
        for mark in &answer.marks {
            *asked.entry((&answer.drill, &mark.part)).or_default() += 1;
            // what a covered part leaves out is no gap, whoever covered it
            let is_open = class.counts(answer, mark) != Verdict::Covered;
            for point in mark.missed.iter().filter(|_| is_open) {
                let seen = found.entry((&answer.drill, &mark.part, point)).or_insert((0, answer));
                seen.0 += 1;
            }
        }
    }
    let mut rows: Vec<Missed> = found
        .into_iter()
        .map(|((drill, part, point), (students, example))| Missed {
            drill: drill.to_owned(),
            part: part.to_owned(),
            point: point.to_owned(),
            says: pack.and_then(|p| p.drill(drill)?.rubric.says(point)).map(str::to_owned),
            students,
            of: asked[&(drill, part)],
            words: beginning(&example.answer),
            example: example.id.clone(),
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.students));
    rows.truncate(MOST);
    rows
}

/// The first words of an answer, on one line.
fn beginning(answer: &str) -> String {
    let mut words = String::new();
    for word in answer.split_whitespace() {
        if words.chars().count() + word.chars().count() > WORDS {
            return words + " …";
        }
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
    }
    words
}

fn falsehoods(latest: &[(&Member, Vec<&Answer>)]) -> Vec<Said> {
    let mut found: BTreeMap<(&str, &str), Said> = BTreeMap::new();
    for answer in latest.iter().flat_map(|(_, of)| of) {
        let ids: BTreeSet<&str> = answer.falsehoods.iter().map(|f| f.id.as_str()).collect();
        for id in ids {
            let words = answer.falsehoods.iter().find(|f| f.id == id).map_or("", |f| f.words.as_str());
            let said = found.entry((&answer.drill, id)).or_insert_with(|| Said {
                drill: answer.drill.clone(),
                id: id.to_owned(),
                students: 0,
                words: words.to_owned(),
                example: answer.id.clone(),
            });
            said.students += 1;
        }
    }
    let mut rows: Vec<Said> = found.into_values().collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.students));
    rows.truncate(MOST);
    rows
}

fn claimed(class: &Class) -> Vec<Claimed> {
    let all = class.members.iter().flat_map(|m| m.answers.iter().map(move |a| (m, a)));
    let rows = all.flat_map(|(member, answer)| {
        answer.claims.iter().map(|claim| Claimed {
            student: member.student.name.clone(),
            attempt: answer.id.clone(),
            drill: answer.drill.clone(),
            part: claim.part.clone(),
            point: claim.point.clone(),
            sentence: claim.sentence.clone(),
        })
    });
    rows.collect()
}

fn differing(class: &Class) -> Vec<Differing> {
    let all = class.members.iter().flat_map(|m| m.answers.iter().map(move |a| (m, a)));
    let marks = all.flat_map(|(m, a)| a.marks.iter().map(move |mark| (m, a, mark)));
    let rows = marks.filter_map(|(member, answer, mark)| {
        let rules = mark.by_rules.unwrap_or(mark.verdict);
        let other = |is: bool, verdict: Verdict| (is && verdict != rules).then_some(verdict);
        let row = Differing {
            student: member.student.name.clone(),
            attempt: answer.id.clone(),
            drill: answer.drill.clone(),
            part: mark.part.clone(),
            rules,
            student_says: other(mark.source == Source::You, mark.verdict),
            judge: other(mark.source == Source::Judge, mark.verdict),
            instructor: class.book.verdict(&answer.id, &mark.part).filter(|v| *v != rules),
        };
        let differs = row.student_says.or(row.judge).or(row.instructor).is_some();
        differs.then_some(row)
    });
    rows.collect()
}

/// The class as a table: a row a student and drill, the latest answer, a column a part.
pub fn csv(class: &Class, summary: &Summary) -> String {
    let mut rows = vec![
        ["student", "drill", "at", "words", "total"]
            .into_iter()
            .map(str::to_owned)
            .chain(summary.parts.iter().cloned())
            .collect::<Vec<String>>(),
    ];
    for member in &class.members {
        for answer in latest(member) {
            let mut row = vec![
                member.student.name.clone(),
                answer.drill.clone(),
                answer.at.to_string(),
                crate::score::count_words(&answer.answer).to_string(),
                format!("{:.2}", answer.total),
            ];
            row.extend(summary.parts.iter().map(|part| {
                let mark = answer.marks.iter().find(|m| m.part == *part);
                mark.map_or(String::new(), |mark| class.counts(answer, mark).name().to_owned())
            }));
            rows.push(row);
        }
    }
    rows.into_iter().map(|row| table::row(row.into_iter())).collect()
}
