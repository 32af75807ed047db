//! A job description: what is found in it, what it moves, in all three faces.

use crate::kit::{cli, course, desk};

use cli::run;
use desk::Desk;
use infralens::page::place::Place;
use infralens::score::Verdict;
use infralens::services::{INTERVIEW, JOB};
use infralens::study::home::Home;
use infralens::study::next;
use infralens::study::plan::job::moved;
use infralens::study::plan::{DayPlan, Task, Today, plan};
use infralens::study::posting::Posting;
use infralens::study::rehearsal::{Setup, Topics, pick};
use infralens::study::strength::{Cell, Mark, Strengths};
use jiff::ToSpan;
use jiff::civil::date;

const ADVERT: &str = "Training engineer. You know mixture-of-experts models: expert parallelism, top-k routing and \
    token dropping. Data, tensor and pipeline parallelism help. Looking forward to experts at every stage of a \
    policy, and to zero downtime on our servers.\n";

fn asked() -> Posting {
    Posting::read(ADVERT, std::slice::from_ref(course::course()))
}

fn names(posting: &Posting) -> Vec<&str> {
    posting.found.iter().map(|f| f.name.as_str()).collect()
}

#[test]
fn terms_are_found_as_the_course_knows_them_and_everyday_words_are_not() {
    let asked = asked();
    let found = names(&asked);
    for name in ["mixture of experts", "expert parallelism", "top-k routing", "token dropping"] {
        assert!(found.contains(&name), "no {name} in {found:?}");
    }
    // three that share their noun
    for name in ["data parallelism", "tensor parallelism", "pipeline parallelism"] {
        assert!(found.contains(&name), "no {name} in {found:?}");
    }
    for loose in ["forward pass", "pipeline stage", "policy", "node", "ZeRO"] {
        assert!(!found.contains(&loose), "{loose} in {found:?}");
    }
    assert_eq!(asked.lessons()[0].0, "ep");
    assert!(asked.weight("ep") > asked.weight("tp") && asked.weight("next") == 0);
    let office = Posting::read(
        "Office manager: experts in policy who stage events, forward mail and keep a trace of servers.",
        std::slice::from_ref(course::course()),
    );
    assert!(office.is_empty(), "{office:?}");
}

/// As a cloud for GPUs would look for an engineer.
const INFRA: &str = "GPU Infrastructure Engineer. We are an early-stage startup, and we run thousands of H100s on \
    InfiniBand. You will own goodput: you chase stragglers, debug hangs, shrink the bubble, and watch MFU. You know NCCL \
    and its collectives, network topology, and checkpointing at scale, and you read a trace before you guess. You are an \
    expert in Python and C++, comfortable with Kubernetes and Slurm, and take the next step without being asked. We \
    ring a bell when a run converges.";

/// As a laboratory would look for a researcher.
const RESEARCH: &str = "Research Scientist, Large Language Models. You will design training recipes for mixture-of-experts \
    models and study how the router shares tokens. You have published at NeurIPS or ICML. Experience with FSDP, tensor \
    parallelism, gradient accumulation and mixed precision is a plus. You write clean code, form strong opinions and \
    share them kindly. Each policy of the company applies. Our servers are in Iceland.";

/// As any company would look for somebody who sells.
const SALES: &str = "Enterprise Account Executive. You drive pipeline growth at every stage of the funnel, from the first \
    call to the close, and warm up cold leads. You are an expert in your industry, ring the bell on every deal, and take \
    the next step without being asked. You will rank among the top of the team, broadcast our story, forward good leads \
    to your partners, and follow company policy. Ramp-up time is three months. A bubble of optimism helps; so does an \
    activation plan, a profile of each customer, a bucket list of targets, and a collective spirit. We host events on a \
    rolling basis, trace every lead, dispatch the team to the node of activity, and checkpoint the quarter on time. \
    What comes next is up to you.";

#[test]
fn single_terms_are_found_and_everyday_words_are_not() {
    let read = |text: &str| Posting::read(text, std::slice::from_ref(course::course()));
    let infra = read(INFRA);
    let found = names(&infra);
    for name in [
        "InfiniBand",
        "goodput",
        "straggler",
        "hang",
        "pipeline bubble",
        "MFU",
        "NCCL",
        "collective",
        "Topology",
        "checkpoint",
        "trace",
    ] {
        assert!(found.contains(&name), "no {name} in {found:?}");
    }
    for loose in ["expert", "pipeline stage", "ring all-reduce", "step time", "node"] {
        assert!(!found.contains(&loose), "{loose} in {found:?}");
    }
    let times =
        |posting: &Posting, name: &str| posting.found.iter().find(|f| f.name == name).map(|f| f.times);
    assert_eq!(times(&infra, "checkpoint"), Some(1));
    assert!((11..=16).contains(&infra.named) && infra.words > 70, "{} of {}", infra.named, infra.words);

    let research = read(RESEARCH);
    let found = names(&research);
    for name in
        ["mixture of experts", "FSDP", "tensor parallelism", "gradient accumulation", "mixed precision"]
    {
        assert!(found.contains(&name), "no {name} in {found:?}");
    }
    for loose in ["expert", "policy", "node", "checkpoint"] {
        assert!(!found.contains(&loose), "{loose} in {found:?}");
    }
    let sales = read(SALES);
    assert!(sales.is_empty(), "{:?}", names(&sales));
}

#[test]
fn the_plan_keeps_what_the_job_asks_for() {
    let of = |posting: Posting| {
        let home = Home { posting, ..Home::default() };
        plan(course::course(), &home, (date(2026, 3, 2), date(2026, 3, 7)), 60)
    };
    let reads = |plan: &infralens::study::plan::Plan, id: &str| {
        plan.days.iter().flat_map(|d| &d.tasks).any(|t| matches!(t, Task::Read(lesson, _) if lesson == id))
    };
    let (without, with) = (of(Posting::default()), of(asked()));
    assert!(!reads(&without, "ep"), "without the job it is read in short at most");
    assert!(reads(&with, "ep") && !with.left_out.contains(&"ep".to_owned()), "{:?}", with.left_out);
}

#[test]
fn a_job_description_leaves_a_lesson_out_only_for_another_one() {
    let text = "We need DDP, FSDP and NCCL debugging. Pipeline parallelism a plus.";
    let core = Posting::read(text, std::slice::from_ref(course::course()));
    assert!(core.found.len() > 2, "{core:?}");
    let of = |posting: &Posting, days: i64| {
        let home = Home { posting: posting.clone(), ..Home::default() };
        let today = date(2026, 3, 2);
        let plan = plan(course::course(), &home, (today, today + days.days()), 60);
        let tasks = plan.days.iter().flat_map(|day| &day.tasks);
        let full =
            tasks.filter_map(|task| if let Task::Read(id, _) = task { Some(id.clone()) } else { None });
        (plan.left_out.clone(), full.collect::<Vec<_>>())
    };
    for days in 2..12 {
        let ((without, before), (with, full)) = (of(&Posting::default(), days), of(&core, days));
        // or for all of one that it names
        let is_full = full.iter().any(|id| !before.contains(id) && core.share(id) > 0.0);
        let kept = without.iter().any(|id| !with.contains(id));
        let dropped: Vec<_> = with.iter().filter(|id| !without.contains(id)).collect();
        assert!(kept || is_full || dropped.is_empty(), "{days} days: nothing is kept, {dropped:?} left out");
    }
}

#[test]
fn a_plan_keeps_what_an_interview_asks_most() {
    let pack = course::course();
    let asked = |id: &str| pack.lesson(id).and_then(|l| l.asked).map(|n| n as usize);
    let drills =
        |id: &str| asked(id).unwrap_or_else(|| pack.drills.iter().filter(|d| d.lesson == id).count());
    for (days, minutes) in [(3, 60), (4, 60), (5, 30), (5, 60), (5, 90), (7, 45), (9, 60), (14, 30)] {
        let today = date(2026, 3, 2);
        let plan = plan(pack, &Home::default(), (today, today + days.days()), minutes);
        let most = plan.left_out.iter().map(|id| drills(id)).max().unwrap_or(0);
        let tasks = plan.days.iter().flat_map(|d| &d.tasks);
        let read = tasks.filter_map(|t| if let Task::Read(id, _) = t { Some(id) } else { None });
        let read: Vec<&String> = read.collect();
        // what a lesson that is kept, or that would have come next, needs is asked less and stays
        let needed = |id: &str| pack.lessons.iter().any(|l| l.needs.iter().any(|need| need == id));
        let less: Vec<_> = read.iter().skip(1).filter(|id| drills(id) < most && !needed(id)).collect();
        assert!(less.is_empty(), "{days} days of {minutes}: {less:?}, but not {:?}", plan.left_out);
        if (days, minutes) == (5, 60) {
            let kept = ["ddp", "zero-fsdp", "allreduce", "tp", "pp", "interview"];
            assert!(!plan.left_out.iter().any(|id| kept.contains(&&id[..])), "{:?}", plan.left_out);
        }
    }
}

#[test]
fn a_rehearsal_asks_sooner_for_it_and_the_same_again_for_the_same_seed() {
    let first = |posting: &Posting, seed: u64| {
        let setup =
            Setup { posting: posting.clone(), count: 1, ..Setup::screen("distributed-training", seed) };
        let picked = pick(&setup, course::course(), &Strengths::default());
        assert_eq!(picked, pick(&setup, course::course(), &Strengths::default()));
        picked[0].lesson == "ep"
    };
    let count = |posting: &Posting| (0..200).filter(|seed| first(posting, *seed)).count();
    let (without, with) = (count(&Posting::default()), count(&asked()));
    assert!(with > 2 * without && with < 200, "{with} of 200 with the job, {without} without");
}

#[test]
fn what_is_weak_and_asked_for_comes_before_what_is_a_little_weaker() {
    let cell = |lesson: &str, score: f64| {
        let mut cell = Cell::new(lesson, "tradeoff");
        cell.add(Mark { verdict: Verdict::Partial, score });
        cell
    };
    let strengths = Strengths { cells: vec![cell("topology", 0.4), cell("ep", 0.5)] };
    let lesson = |posting: Posting| {
        let home = Home { posting, attempts: 2, strengths: strengths.clone(), ..Home::default() };
        let steps = next::next(course::course(), &home, |_| None);
        let drill = steps.into_iter().find_map(|s| match s.step {
            next::Step::Drill { drill, .. } => Some(drill),
            _ => None,
        });
        course::course().drill(&drill.expect("a drill")).expect("it").lesson.clone()
    };
    assert_eq!((lesson(Posting::default()).as_str(), lesson(asked()).as_str()), ("topology", "ep"));
    let setup = |posting| Setup {
        topics: Topics::Weakest,
        count: 1,
        posting,
        ..Setup::screen("distributed-training", 3)
    };
    let weakest = |posting| pick(&setup(posting), course::course(), &strengths)[0].lesson.clone();
    assert_eq!((weakest(Posting::default()).as_str(), weakest(asked()).as_str()), ("topology", "ep"));
}

#[test]
fn it_is_pasted_on_the_plan_shown_and_cleared() {
    let mut desk = Desk::new(course::course().clone(), &Place::Plan);
    desk.resize(120, 40).keys("5<enter>").keys("J");
    desk.shows("Paste the description of the job").paste("Office manager.").keys("<ctrl+s>");
    desk.shows("That text uses no term of the course");
    assert_eq!(desk.store().setting(JOB).unwrap(), None);
    desk.paste(ADVERT).keys("<ctrl+s>").shows("What that changes").shows("token dropping");
    desk.shows("without the job  with it");
    desk.keys("<esc>").shows("The job asks most for “Mixture of experts").shows("Pipeline parallelism");
    desk.keys("J").shows("token dropping").keys("x").hides("The job asks most for");
    assert_eq!(desk.store().setting(JOB).unwrap().as_deref(), Some(""));
    assert!(desk.store().setting(INTERVIEW).unwrap().is_some());
}

#[test]
fn a_key_gives_the_minutes_that_bring_in_what_the_job_asks_for() {
    let mut desk = Desk::new(course::course().clone(), &Place::Plan);
    desk.resize(120, 40).keys("1<enter>").keys("J").paste(ADVERT).keys("<ctrl+s>");
    desk.shows("There is no time for").shows("minutes a day there is time for");
    desk.keys("+").shows("the plan is made anew").hides("There is no time for").hides("no time");
}

#[test]
fn the_words_of_a_description_stand_as_they_were_written_and_are_counted_as_they_are_typed() {
    let text = "Large-scale Mixture-of-experts models, tuned with FSDP2/ZeRO and stragglers in mind.";
    let asked = Posting::read(text, std::slice::from_ref(course::course()));
    for found in &asked.found {
        assert!(text.contains(found.words()), "{found:?}");
    }
    assert_eq!(asked.words, infralens::score::count_words(text));
}

#[test]
fn what_a_job_changes_is_what_the_plan_does() {
    let pack = course::course();
    let today = date(2026, 3, 2);
    let posting = |text: &str| Posting::read(text, std::slice::from_ref(pack));
    for text in
        [ADVERT, INFRA, RESEARCH, "We need DDP, FSDP and NCCL debugging. Pipeline parallelism a plus."]
    {
        for (days, minutes) in [(2, 60), (4, 30), (5, 60), (6, 90), (12, 60)] {
            let home = Home { posting: posting(text), ..Home::default() };
            let day = Today::of(pack, &home, (today, today + i64::from(days).days()), minutes).unwrap();
            let done = vec![false; day.tasks.len()];
            let moved = moved(pack, &home, (&day, &done), minutes).unwrap();
            let without = Home::default();
            let bare = day.anew(pack, &without, minutes, &done).unwrap();
            let (with, rest) = (day.rest(pack, &home, minutes), bare.rest(pack, &without, minutes));
            let is_same = (&day.tasks, &with.days) == (&bare.tasks, &rest.days);
            let says_nothing = moved.kept.is_empty() && moved.instead.is_empty() && !moved.is_reordered;
            assert_eq!(says_nothing, is_same, "{days} days of {minutes}: {moved:?}");
            assert!(moved.kept.iter().all(|id| rest.left_out.contains(id) && !with.left_out.contains(id)));
            assert!(moved.instead.iter().all(|id| with.left_out.contains(id) && !rest.left_out.contains(id)));
        }
    }
}

#[test]
fn a_drill_of_today_that_is_moved_comes_tomorrow_and_costs_one_lesson_at_most() {
    let (pack, home, today) = (course::course(), Home::default(), date(2026, 3, 2));
    for (days, minutes) in [(3, 60), (4, 90), (5, 60), (7, 45), (9, 60), (10, 90)] {
        let day = Today::of(pack, &home, (today, today + i64::from(days).days()), minutes).unwrap();
        let before = day.rest(pack, &home, minutes);
        for at in 0..day.tasks.len() {
            let mut moved = day.clone();
            let out = moved.put_off(pack, at, &vec![false; day.tasks.len()]);
            let after = moved.rest(pack, &home, minutes);
            if out[0].reads().is_some() {
                continue;
            }
            // where days are full a lesson that is asked least may go, and that is said
            assert!(after.left_out.len() <= before.left_out.len() + 1, "{days} days of {minutes}, {out:?}");
            let has = |task: &Task| after.days[0].tasks.contains(task);
            assert!(out.iter().all(has), "{days} days of {minutes}: {out:?} is gone, {after:?}");
            // the time that becomes free is used: no day gets much emptier than it was
            let sum = |days: &[DayPlan]| days.iter().map(DayPlan::minutes).sum::<u32>();
            assert!(sum(&after.days) + 16 > sum(&before.days), "{days} days of {minutes}: {out:?}");
        }
    }
}

#[test]
fn a_file_is_read_by_the_verb_and_what_is_none_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path").to_owned()
    };
    let plan = |file: &str| run(&["plan", "--interview", "5", "--job", file]);
    let advert = write("advert.txt", format!("{ADVERT}\u{1b}[31mred\u{1b}]0;x\u{7}").as_bytes());
    let said = plan(&advert);
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    assert_eq!(said.status.code(), Some(0));
    assert!(text.contains("top-k routing") && text.contains(" minutes with it."), "{text}");
    assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
    for (name, bytes, word) in [
        ("long.txt", "expert parallelism ".repeat(20_000).into_bytes(), "is too long"),
        ("binary", vec![0xff; 9], "is not text"),
        ("a.pdf", b"%PDF-1.7 expert parallelism".to_vec(), "is not text"),
        ("empty.txt", b" \n".to_vec(), "is empty"),
        ("other.txt", b"Office manager.".to_vec(), "That text uses no term of the course"),
        ("e\u{1b}[31mvil.txt", b"\xff".to_vec(), "is not text"),
    ] {
        let said = plan(&write(name, &bytes));
        let text = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(2), "{name}");
        assert!(text.contains(word) && !text.contains('\u{1b}') && text.len() < 400, "{name}: {text}");
    }
    let json = run(&["plan", "--interview", "5", "--job", &advert, "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["job"]["lessons"][0]["lesson"], "ep");
    assert_eq!(run(&["plan", "--interview", "soon"]).status.code(), Some(2));
}
