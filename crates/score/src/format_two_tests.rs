//! What format 2 promises, tried on whole answers.

use super::{
    Claim, Concept, Falsehood, Format, Glossary, Group, Misconception, Need, Point, Rubric, RubricChecker,
    Score, VagueWords, Verdict, score,
};

fn point(id: &str, matches: &[&str]) -> Point {
    Point {
        id: id.into(),
        part: "effect".into(),
        says: Some(format!("This is {id}.")),
        matches: matches.iter().map(|m| (*m).to_owned()).collect(),
        ..Point::default()
    }
}

fn rubric(points: Vec<Point>) -> Rubric {
    Rubric {
        format: Format::Two,
        drill: "cache".into(),
        prompt: "Reads of a table of 200 GB are slow. What does a cache change?".into(),
        parts: vec!["effect".into()],
        points,
        ..Rubric::default()
    }
}

fn marks(rubric: &Rubric, answer: &str) -> Score {
    score(rubric, &Glossary::default(), answer)
}

fn verdict(rubric: &Rubric, answer: &str) -> Verdict {
    marks(rubric, answer).parts[0].verdict
}

fn false_ids(score: &Score) -> Vec<&str> {
    score.misconceptions.iter().map(|m| m.id.as_str()).collect()
}

#[test]
fn brackets_ask_for_one_clause() {
    let r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    assert_eq!(verdict(&r, "In the end, hot rows come from memory and not from disk."), Verdict::Covered);
    assert_eq!(
        verdict(&r, "The hot rows are read very often, while the disk has less memory bandwidth."),
        Verdict::Missing
    );
}

#[test]
fn what_was_said_of_the_last_part_counts_where_all_the_rest_is_said_and_nothing_is_false() {
    let parts = ["effect", "cost", "place", "proof"];
    let of = |part: &str, matches: &[&str]| Point { part: part.into(), ..point(part, matches) };
    let mut last = of("proof", &["measure > latency > percentile"]);
    last.partial = vec!["measure > latency".into()];
    let all = vec![
        of("effect", &["hot rows > memory"]),
        of("cost", &["stale > expire"]),
        of("place", &["beside > server"]),
        last,
    ];
    let mut r = Rubric { parts: parts.map(Into::into).to_vec(), ..rubric(all) };
    r.misconceptions = vec![Misconception {
        id: "free".into(),
        part: "cost".into(),
        matches: vec!["cache > free".into()],
        ..Misconception::default()
    }];
    let said = "Hot rows are read from memory. Rows stay stale until they expire. It runs beside the server.";
    let proof = |answer: &str| marks(&r, answer).parts[3].clone();
    let believed = proof(&format!("{said} I would measure the latency."));
    assert_eq!(
        (believed.verdict, believed.sure),
        (Verdict::Covered, false),
        "touched on, and all the rest is said"
    );
    assert_eq!(proof(said).verdict, Verdict::Missing, "nothing was said of it");
    let less = "Hot rows are read from memory. It runs beside the server. I would measure the latency.";
    assert_eq!(proof(less).verdict, Verdict::Partial, "another part is missing");
    let wrong = format!("{said} I would measure the latency. The cache is free.");
    assert_eq!(proof(&wrong).verdict, Verdict::Partial, "something is false");
}

#[test]
fn a_sentence_goes_on_with_the_one_before_only_where_it_says_so() {
    let r = rubric(vec![point("stale", &["stale > expire"])]);
    assert_eq!(
        verdict(&r, "A row may be stale for some time. It stays so until its keys expire."),
        Verdict::Covered
    );
    assert_eq!(
        verdict(&r, "A row may be stale for some time. Old tapes of the vault expire in spring."),
        Verdict::Missing
    );
    let near = rubric(vec![point("stale", &["stale .. expire"])]);
    assert_eq!(
        verdict(&near, "A row may be stale for some time. Old keys of the cache expire later."),
        Verdict::Covered
    );
}

#[test]
fn each_denial_holds_for_its_own_alternative() {
    let r = rubric(vec![point("writes", &["[writes > !faster|unchanged]"])]);
    assert_eq!(verdict(&r, "With a cache the writes are not faster at all."), Verdict::Covered);
    assert_eq!(verdict(&r, "With a cache the writes stay unchanged in cost."), Verdict::Covered);
    assert_eq!(verdict(&r, "With a cache the writes become faster by far."), Verdict::Missing);
}

#[test]
fn a_wrong_figure_is_false_and_one_of_the_prompt_is_not() {
    let r = rubric(vec![point("size", &["[needs > #20 GB]"])]);
    assert_eq!(verdict(&r, "The cache of hot rows needs 20 GB of memory."), Verdict::Covered);
    assert_eq!(verdict(&r, "The cache of hot rows needs 20,000 MB of memory."), Verdict::Covered);
    let wrong = marks(&r, "The cache of hot rows needs 50 GB of memory.");
    assert_eq!(false_ids(&wrong), ["size"]);
    assert_eq!(wrong.misconceptions[0].correction, "This is size.");
    assert_eq!(false_ids(&marks(&r, "The table on disk needs 200 GB of space.")), [""; 0]);
}

#[test]
fn a_claim_is_used_in_a_line_and_its_opposite_is_false() {
    let r = rubric(vec![point("falls", &["falls-with(latency, hit rate)"])]);
    assert_eq!(verdict(&r, "The latency falls with a higher hit rate of the cache."), Verdict::Covered);
    let opposite = marks(&r, "The latency grows with the hit rate of the cache.");
    assert_eq!((opposite.parts[0].verdict, false_ids(&opposite)), (Verdict::Missing, vec!["falls"]));
    let swapped = rubric(vec![point("order", &["comes-before(invalidate, refill)"])]);
    assert_eq!(verdict(&swapped, "We invalidate the key before the refill of the row."), Verdict::Covered);
    assert_eq!(false_ids(&marks(&swapped, "The refill comes before the key is invalidated.")), ["order"]);
}

#[test]
fn a_claim_of_the_pack_is_used_like_those_of_the_program() {
    let claim = Claim {
        id: "served-from".into(),
        says: "{x} is served from {y}".into(),
        matches: vec!["[{x} > served|read > {y}]".into()],
        contrary: vec!["[{x} > bypasses > {y}]".into()],
        ..Claim::default()
    };
    let glossary = Glossary { claims: vec![claim], ..Glossary::default() };
    let r = rubric(vec![point("hot", &["served-from(hot rows, memory|ram)"])]);
    assert_eq!(
        score(&r, &glossary, "Hot rows are then served from RAM instead.").parts[0].verdict,
        Verdict::Covered
    );
    let wrong = score(&r, &glossary, "Here each of the hot rows bypasses memory.");
    assert_eq!(false_ids(&wrong), ["hot"]);
}

#[test]
fn what_is_false_anywhere_is_found_unless_it_is_true() {
    let durable = Falsehood {
        id: "durable".into(),
        matches: vec!["[cache > durable]".into()],
        unless: vec!["log".into()],
        correction: "A cache may lose what it holds.".into(),
        ..Falsehood::default()
    };
    let glossary = Glossary { falsehoods: vec![durable], ..Glossary::default() };
    let r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    let found = |answer: &str| score(&r, &glossary, answer).misconceptions.len();
    assert_eq!(found("A cache in memory is durable by itself."), 1);
    assert_eq!(found("A cache with a log is durable by itself."), 0);
    assert_eq!(found("A cache in memory is not durable by itself."), 0);
    let own = rubric(vec![point("odd", &["[cache > durable]"])]);
    assert_eq!(score(&own, &glossary, "A cache in memory is durable by itself.").misconceptions.len(), 0);
}

#[test]
fn unless_makes_a_misconception_true() {
    let mut r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    r.misconceptions.push(Misconception {
        id: "faster-writes".into(),
        part: "effect".into(),
        matches: vec!["[cache > speeds up > writes]".into()],
        unless: vec!["write-behind".into()],
        correction: "Writes stay as they are.".into(),
    });
    assert_eq!(false_ids(&marks(&r, "The cache speeds up the writes as well.")), ["faster-writes"]);
    assert_eq!(false_ids(&marks(&r, "A write-behind cache speeds up the writes as well.")), [""; 0]);
}

#[test]
fn a_part_of_three_points_needs_two_and_what_is_essential() {
    let mut r = rubric(vec![
        point("a", &["[apples > red]"]),
        point("b", &["[pears > green]"]),
        point("c", &["[plums > blue]"]),
    ]);
    assert_eq!(verdict(&r, "The apples over there are red."), Verdict::Partial);
    assert_eq!(
        verdict(&r, "The apples over there are red. The pears beside them are green."),
        Verdict::Covered
    );
    let groups = vec![Group::read("c").expect("a group")];
    r.need.insert("effect".into(), Need { count: 2, groups });
    assert_eq!(
        verdict(&r, "The apples over there are red. The pears beside them are green."),
        Verdict::Partial
    );
    assert_eq!(
        verdict(&r, "The apples over there are red. The plums beside them are blue."),
        Verdict::Covered
    );
}

#[test]
fn a_question_counts_where_a_point_says_so() {
    let mut r = rubric(vec![point("leak", &["leak > spike"])]);
    let answer = "Memory runs out late. Is it a slow leak or is it a single spike?";
    assert_eq!(verdict(&r, answer), Verdict::Missing);
    r.points[0].asked = true;
    assert_eq!(verdict(&r, answer), Verdict::Covered);
}

#[test]
fn vague_words_of_a_pack_are_partial_beside_something_real() {
    let mut r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    r.parts.push("check".into());
    let vague = VagueWords { part: "check".into(), matches: vec!["we > monitor".into()] };
    let glossary = Glossary { vague: vec![vague], ..Glossary::default() };
    let answer = "Hot rows are read from memory. We would monitor that somehow.";
    assert_eq!(score(&r, &glossary, answer).parts[1].verdict, Verdict::Partial);
    assert_eq!(
        score(&r, &glossary, "We would monitor that somehow in the end.").parts[1].verdict,
        Verdict::Missing
    );
}

#[test]
fn what_is_put_off_is_no_denial_and_no_false_claim() {
    let r = rubric(vec![point("order", &["comes-before(sum, start)"])]);
    let said = marks(&r, "No card can start until the sum is there for all.");
    assert_eq!((said.parts[0].verdict, false_ids(&said)), (Verdict::Covered, vec![]));
}

#[test]
fn several_short_forms_are_read() {
    let r = rubric(vec![point("cards", &["[gpu > wait]"])]);
    assert_eq!(verdict(&r, "All the other GPUs wait for that one."), Verdict::Covered);
}

fn false_where(matches: &[&str], unless: &[&str]) -> Rubric {
    let mut r = rubric(vec![point("hot", &["hot rows > memory"])]);
    r.misconceptions.push(Misconception {
        id: "wrong".into(),
        part: "effect".into(),
        matches: matches.iter().map(|m| (*m).to_owned()).collect(),
        unless: unless.iter().map(|m| (*m).to_owned()).collect(),
        correction: "It is not so.".into(),
    });
    r
}

#[test]
fn words_of_the_pattern_are_no_exception_to_it() {
    let r =
        false_where(&["[cache > shards > table]", "[trace > !show > reads]"], &["shard", "not", "!needed"]);
    assert_eq!(false_ids(&marks(&r, "In the end the cache shards the whole table.")), ["wrong"]);
    assert_eq!(false_ids(&marks(&r, "The trace does not show the reads at all.")), ["wrong"]);
    assert!(false_ids(&marks(&r, "The cache shards the table, which is not needed here.")).is_empty());
    assert_eq!(false_ids(&marks(&r, "The cache shards the table, which is needed here.")), ["wrong"]);
}

#[test]
fn a_word_of_a_concept_may_be_meant_where_it_is_denied() {
    let mut r = rubric(vec![point("open", &["[reads > @open]"])]);
    let words = vec!["exposed".to_owned(), "!hidden".to_owned()];
    r.concepts.push(Concept { id: "open".into(), words, ..Concept::default() });
    assert_eq!(verdict(&r, "The slow reads are never hidden by anything."), Verdict::Covered);
    assert_eq!(verdict(&r, "The slow reads are hidden by something else."), Verdict::Missing);
}

#[test]
fn what_would_be_is_no_opposite_of_what_was_not() {
    let r = rubric(vec![
        point("open", &["[inconclusive|!detect > difference|row]"]),
        point("weak", &["[miss|!detect > small > difference|row]"]),
    ]);
    let wrong = |answer: &str| false_ids(&marks(&r, answer)).len();
    assert_eq!(wrong("A larger sample would detect a small difference."), 0);
    assert_eq!(
        wrong("A larger sample would detect a small difference. You need more to detect a small row."),
        0
    );
    // one sentence is one denial, of however many points
    assert_eq!(wrong("The sample detects a small difference already."), 0);
    assert!(wrong("The sample detects a small difference. It detects a small row as well.") > 0);
}

#[test]
fn words_that_only_make_a_part_partial_are_named() {
    let glossary = Glossary {
        vague: vec![VagueWords { part: "effect".into(), matches: vec!["[a lot > reads]".into()] }],
        ..Glossary::default()
    };
    let r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    let scorer = super::Scorer::new(&r, &glossary);
    let found = scorer.vague("It helps a lot with the reads of the table.");
    assert_eq!((found[0].part.as_str(), found[0].rule.as_str()), ("effect", "[a lot > reads]"));
    assert!(found[0].evidence[0].text.contains("a lot"), "{found:?}");
    assert!(scorer.vague("Hot rows come from memory.").is_empty());
}

#[test]
fn a_wrong_figure_is_false_only_where_it_stands_alone() {
    let r = rubric(vec![point("size", &["[table|cache > #16 bytes]"])]);
    let is_false = |answer: &str| !false_ids(&marks(&r, answer)).is_empty();
    assert!(is_false("Each row of the table takes 12 bytes in the end."));
    assert!(!is_false("Each row of the table takes 4 bytes for a key and 12 bytes for a value."));
    assert!(!is_false("Each row of the table takes at most 24 bytes in the end."));
    assert!(!is_false("If rows were cut, each row of the table would take 12 bytes."));
}

#[test]
fn a_sentence_is_called_false_once() {
    let mut r = false_where(&["[cache > slower > memory]"], &[]);
    r.points.push(point("fast", &["[cache > not slower|faster]"]));
    let falsehood = Falsehood {
        id: "anywhere".into(),
        matches: vec!["[cache > slower]".into()],
        unless: vec!["if".into()],
        ..Falsehood::default()
    };
    let glossary = Glossary { falsehoods: vec![falsehood], ..Glossary::default() };
    let said = score(&r, &glossary, "A cache is always slower than the memory behind it.");
    assert_eq!(false_ids(&said), ["wrong"]);
    let other = score(&r, &glossary, "A cache is always slower than the disk behind it.");
    assert_eq!(false_ids(&other), ["anywhere"]);
}

#[test]
fn a_step_that_is_taken_is_claimed_and_what_is_to_be_found_out_is_not() {
    let r = false_where(&["[compaction|it > smaller > index]"], &["if"]);
    let is_false = |r: &Rubric, answer: &str| !false_ids(&marks(r, answer)).is_empty();
    assert!(is_false(&r, "If you use compaction it gets smaller than the index."));
    assert!(!is_false(&r, "If rows were sorted, compaction would make it smaller than the index."));
    assert!(!is_false(&r, "I would look whether compaction makes the files smaller than the index."));

    let mut r = false_where(&["[compaction > smaller > index]"], &[]);
    r.points.push(point("misses", &["[look|trace > reads > slow|!cached]"]));
    let wrong = "Compaction makes a row smaller than its index.";
    assert_eq!(
        false_ids(&marks(&r, &format!("{wrong} In a trace all reads are cached."))),
        ["wrong", "misses"]
    );
    assert_eq!(
        false_ids(&marks(&r, &format!("{wrong} I would look whether all reads are cached."))),
        ["wrong"]
    );
}

#[test]
fn a_long_run_of_digits_takes_no_longer_than_one_of_letters() {
    let r = rubric(vec![point("size", &["[table|cache > #16 bytes]"])]);
    // in squared time each would take minutes
    for run in ["9".repeat(1 << 20), "1.".repeat(1 << 19), "9x9".repeat(1 << 18)] {
        assert_eq!(marks(&r, &run).parts.len(), r.parts.len());
    }
}

#[test]
fn one_point_may_serve_two_parts() {
    let mut r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    r.parts.push("risk".into());
    r.points[0].also = vec!["risk".into()];
    let said = marks(&r, "In the end, hot rows come from memory and not from disk.");
    assert!(said.parts.iter().all(|p| p.verdict == Verdict::Covered), "{said:?}");
}

#[test]
fn a_label_belongs_to_its_clause_and_but_not_ends_none() {
    let r = rubric(vec![point("hot", &["[cache > hot rows]"]), point("not", &["[memory > !disk]"])]);
    assert!(marks(&r, "Cache: keeps the hot rows of the table.").parts[0].points[0].met);
    assert!(marks(&r, "They come from the memory but not the disk.").parts[0].points[1].met);
}

#[test]
fn a_claim_of_too_many_patterns_is_named_once() {
    let matches = (0..500).map(|i| format!("[{{x}} > w{i}x > {{y}}]")).collect();
    let claim = Claim { id: "wide".into(), says: "{x} and {y}".into(), matches, ..Claim::default() };
    let glossary = Glossary { claims: vec![claim], ..Glossary::default() };
    let faults = RubricChecker::new(&glossary).check_shared();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].fault.contains("`wide` has 500 patterns"), "{}", faults[0].fault);
}

#[test]
fn what_an_unproven_rubric_did_not_find_is_less_sure() {
    let mut r = rubric(vec![point("hot", &["[hot rows > memory|@many]"])]);
    let words = (0..600).map(|i| format!("word{i}")).collect();
    r.concepts.push(Concept { id: "many".into(), words, ..Concept::default() });
    let sure = |answer: &str, is_proven: bool| {
        let glossary = Glossary { is_proven, ..Glossary::default() };
        score(&r, &glossary, answer).parts[0].confidence
    };
    let missed = "The table is read all day long. A second copy of it stands nearer to the reader.";
    assert!(sure(missed, false) < sure(missed, true));
    let found = "The hot rows are in memory every day.";
    assert_eq!(verdict(&r, found), Verdict::Covered);
    assert!((sure(found, false) - sure(found, true)).abs() < f64::EPSILON);
}

#[test]
fn a_right_answer_may_be_a_denial() {
    let r = rubric(vec![point("hot", &["[cannot|not|no > know|tell|say > faster]"])]);
    let denial =
        "We can't say that it is faster. It doesn't show that nothing changed either. Nobody knows it yet.";
    assert_eq!(verdict(&r, denial), Verdict::Covered);
}

/// The warnings on a rubric of these patterns, without their cures.
fn warnings(patterns: &[&str]) -> Vec<String> {
    let rubric = rubric(vec![point("one", patterns)]);
    let faults = RubricChecker::new(&Glossary::default()).check(&rubric);
    assert!(faults.iter().all(|f| f.warning), "{faults:?}");
    faults.into_iter().map(|f| f.fault).collect()
}

#[test]
fn a_word_of_every_sentence_is_named_where_little_else_tells() {
    assert_eq!(warnings(&["[it > heals]"]).len(), 1);
    assert_eq!(warnings(&["[cache > of > hot rows]"]), [""; 0]);
}

#[test]
fn a_slot_in_brackets_that_only_ends_the_clause_is_named() {
    assert_eq!(warnings(&["[latency > while|but > throughput]"]).len(), 1);
    assert_eq!(warnings(&["[latency > while|against > throughput]"]), [""; 0]);
    assert_eq!(warnings(&["latency + while + throughput"]), [""; 0]);
}

#[test]
fn a_vague_remark_may_be_half_an_answer_to_two_points() {
    let vague =
        |id: &str| Point { partial: vec!["hot + row".into()], ..point(id, &[&format!("{id} > disk")]) };
    let twice = rubric(vec![vague("memory"), vague("latency")]);
    assert_eq!(RubricChecker::new(&Glossary::default()).check(&twice), []);
    let same = rubric(vec![point("memory", &["hot > disk"]), point("latency", &["hot > disk"])]);
    assert!(RubricChecker::new(&Glossary::default()).check(&same).iter().any(|f| !f.warning));
}

#[test]
fn a_guess_is_no_false_statement() {
    let mut r = rubric(vec![point("hot", &["[hot rows > memory]"])]);
    r.misconceptions.push(Misconception {
        id: "writes-faster".into(),
        part: "effect".into(),
        matches: vec!["[cache > speeds up|helps > write]".into()],
        correction: "It leaves writes as they are.".into(),
        ..Misconception::default()
    });
    assert_eq!(false_ids(&marks(&r, "The cache helps every write of the table.")), ["writes-faster"]);
    assert_eq!(false_ids(&marks(&r, "The cache could help some writes too, I am not sure.")), [""; 0]);
    assert_eq!(false_ids(&marks(&r, "Perhaps the cache helps a write or two.")), [""; 0]);
}

#[test]
fn beside_a_false_statement_a_part_is_covered_only_where_it_is_fully_said() {
    let mut r = rubric(vec![
        point("hot", &["[hot rows > memory]"]),
        point("cold", &["[cold rows > disk]", "[rare rows > slow|disk]"]),
    ]);
    r.parts.push("risk".into());
    r.misconceptions.push(Misconception {
        id: "writes-faster".into(),
        part: "risk".into(),
        matches: vec!["[cache > speeds up|helps > write]".into()],
        correction: "It leaves writes as they are.".into(),
        ..Misconception::default()
    });
    r.need.insert("effect".into(), Need { count: 1, groups: Vec::new() });
    let bare = "In the end, hot rows come from memory.";
    let full = "In the end, hot rows come from memory. The cold rows still come from disk. The rare rows stay as slow as before.";
    let wrong = "The cache helps every write of the table.";
    assert_eq!(verdict(&r, bare), Verdict::Covered);
    assert_eq!(verdict(&r, &format!("{bare} {wrong}")), Verdict::Partial);
    assert!(!marks(&r, &format!("{bare} {wrong}")).parts[0].sure, "judges are of two minds there");
    assert_eq!(verdict(&r, &format!("{full} {wrong}")), Verdict::Covered);
}
