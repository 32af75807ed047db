//! Plans of 64 GPUs: the good ones pass, the bad ones fail for the reason that is theirs.

use infralens_course::sim::cluster;
use infralens_course::sim::layout::Axis;
use infralens_course::sim::plan::{self, ParallelPlan, Recompute};

fn plan(model: &str, tp: usize, pp: usize, dp: usize) -> ParallelPlan {
    ParallelPlan::new(*cluster::model_named(model).expect("a model"), tp, pp, dp)
}

fn gb(bytes: f64) -> f64 {
    (bytes / 1e8).round() / 10.0
}

/// Codes of what is faulty, in order.
fn faults(plan: &ParallelPlan) -> Vec<String> {
    plan.check().into_iter().filter(|f| !f.ok).map(|f| f.code).collect()
}

/// Weights, gradients, optimizer, activations and total in GB.
fn ledger(plan: &ParallelPlan) -> [f64; 5] {
    let l = plan.ledger();
    [l.weights, l.gradients, l.optimizer, l.activations, l.total].map(gb)
}

fn v1() -> ParallelPlan {
    plan("7B", 1, 1, 64)
}

fn v2() -> ParallelPlan {
    plan("70B", 8, 4, 2)
}

fn v3() -> ParallelPlan {
    ParallelPlan { sequence: 2048, chunks: 2, global_batch: 256, ..plan("175B", 8, 8, 1) }
}

fn v4() -> ParallelPlan {
    plan("13B", 2, 1, 32)
}

fn v5() -> ParallelPlan {
    ParallelPlan { zero: 3, recompute: Recompute::Full, ..plan("70B", 1, 1, 64) }
}

fn v6() -> ParallelPlan {
    ParallelPlan { sequence: 2048, ..plan("175B", 8, 4, 2) }
}

#[test]
fn valid_designs_are_accepted_with_their_ledgers() {
    for (name, plan, expected) in [
        ("V1", v1(), [13.5, 13.5, 1.3, 18.3, 46.5]),
        ("V2", v2(), [4.3, 4.3, 12.9, 11.4, 33.0]),
        ("V3", v3(), [5.5, 5.5, 32.7, 14.8, 58.4]),
        ("V4", v4(), [13.0, 13.0, 2.4, 14.3, 42.7]),
        ("V5", v5(), [5.6, 2.2, 12.9, 6.5, 27.2]),
        ("V6", v6(), [10.9, 10.9, 32.7, 10.3, 64.8]),
    ] {
        let found = ledger(&plan);
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.11);
        assert!(near, "{name}: {found:?}, not {expected:?}");
        assert!(plan::accepted(&plan.check()), "{name}: {:?}", faults(&plan));
        assert_eq!(faults(&plan), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn fp32_gradients_move_the_ledgers() {
    let total = |plan: ParallelPlan| gb(ParallelPlan { gradient_bytes: 4.0, ..plan }.ledger().total);
    for (name, plan, expected) in
        [("V1", v1(), 60.0), ("V2", v2(), 37.3), ("V3", v3(), 63.9), ("V4", v4(), 55.7), ("V6", v6(), 75.7)]
    {
        assert!((total(plan) - expected).abs() < 0.11, "{name}");
    }
    let fails = ParallelPlan { gradient_bytes: 4.0, ..v6() };
    assert_eq!(faults(&fails), ["E9"], "V6 is borderline: the choice of ledger matters");
}

#[test]
fn micro_batches_and_bubbles_are_those_of_the_designs() {
    for (plan, m, bubble) in
        [(v1(), 8.0, 0.0), (v2(), 256.0, 1.2), (v3(), 256.0, 1.3), (v4(), 16.0, 0.0), (v6(), 256.0, 1.2)]
    {
        assert_eq!(plan.micro_batches(), m);
        assert!((plan.bubble() * 100.0 - bubble).abs() < 0.06, "{}", plan.bubble());
    }
}

#[test]
fn invalid_designs_are_refused_for_their_reason() {
    let order = vec![Axis::Pp, Axis::Dp, Axis::Tp];
    let designs: [(&str, ParallelPlan, &[&str], Option<f64>); 10] = [
        ("I1", ParallelPlan { zero: 0, ..v1() }, &["E9"], Some(126.1)),
        ("I2", plan("70B", 16, 4, 1), &["E2", "E7", "W3", "W4"], Some(23.0)),
        ("I3", ParallelPlan { sequence: 2048, ..plan("175B", 8, 1, 8) }, &["E9"], Some(130.3)),
        ("I4", ParallelPlan { global_batch: 16, ..plan("70B", 8, 8, 1) }, &["E10"], None),
        ("I5", ParallelPlan { order, ..v2() }, &["E7", "W3"], None),
        ("I6", plan("13B", 8, 8, 2), &["E1"], None),
        ("I7", ParallelPlan { zero: 3, ..plan("70B", 1, 1, 64) }, &["E9"], Some(112.0)),
        ("I8", plan("13B", 4, 16, 1), &["E5"], None),
        ("I9", ParallelPlan { recompute: Recompute::None, ..v2() }, &["E9"], Some(86.7)),
        ("I10", ParallelPlan { zero: 3, ..plan("70B", 8, 1, 8) }, &["W2"], Some(29.1)),
    ];
    for (name, plan, reason, total) in designs {
        let found = faults(&plan);
        assert!(!plan::accepted(&plan.check()), "{name} is refused");
        let stated = found.iter().map(String::as_str).filter(|c| reason.contains(c)).count();
        assert_eq!((stated, found[0].as_str()), (reason.len(), reason[0]), "{name}: {found:?}");
        for code in &found {
            assert!(reason.contains(&code.as_str()) || code.starts_with('W'), "{name}: {found:?}");
        }
        if let Some(total) = total {
            assert!((gb(plan.ledger().total) - total).abs() < 0.11, "{name}");
        }
        for finding in plan.check().iter().filter(|f| !f.ok) {
            assert!(!finding.cure.is_empty() && !finding.what.is_empty(), "{name} {}", finding.code);
        }
    }
}

#[test]
fn bubble_and_slowdown_of_the_bad_designs() {
    let i4 = ParallelPlan { global_batch: 16, ..plan("70B", 8, 8, 1) };
    assert!((i4.bubble() - 0.304).abs() < 0.0005);
    let i5 = ParallelPlan { order: vec![Axis::Pp, Axis::Dp, Axis::Tp], ..v2() };
    let seconds =
        |plan: &ParallelPlan| plan.traffic().iter().find(|t| t.axis == "tp").map(|t| t.seconds).expect("tp");
    assert!((seconds(&i5) / seconds(&v2()) - 8.2).abs() < 0.05);
}

#[test]
fn traffic_of_the_70b_design() {
    let traffic = v2().traffic();
    let of = |axis: &str| traffic.iter().find(|t| t.axis == axis).expect("an axis");
    let (tp, dp, pp) = (of("tp"), of("dp"), of("pp"));
    assert!((tp.bytes / 1e12 - 2.41).abs() < 0.005 && (tp.seconds - 6.5).abs() < 0.05);
    assert_eq!((tp.nodes, tp.ranks.clone()), (1, (0..8).collect()));
    assert!((dp.bytes / 1e9 - 4.3).abs() < 0.05 && (dp.seconds - 0.1).abs() < 0.005);
    assert_eq!((dp.nodes, dp.ranks.clone()), (2, vec![0, 8]));
    assert!((pp.bytes / 1e9 - 4.3).abs() < 0.05 && (pp.seconds - 0.1).abs() < 0.005);
    assert_eq!((pp.nodes, pp.ranks.clone()), (4, vec![0, 16, 32, 48]));
    assert!((v2().compute_seconds() - 27.4).abs() < 0.05);
}

#[test]
fn traffic_of_sharded_designs() {
    let dp = |plan: &ParallelPlan| plan.traffic().into_iter().find(|t| t.axis == "dp").expect("dp");
    let v1 = dp(&v1());
    assert!((v1.bytes / 1e9 - 26.5).abs() < 0.1 && (v1.seconds - 0.07).abs() < 0.005);
    let v5_traffic = dp(&v5());
    assert!((v5_traffic.bytes / 1e12 - 3.26).abs() < 0.005 && (v5_traffic.seconds - 9.06).abs() < 0.05);
    assert!((v5().compute_seconds() - 36.6).abs() < 0.5, "a third more for recomputation");
    let i10 = ParallelPlan { zero: 3, ..plan("70B", 8, 1, 8) };
    let w2 = i10.check().into_iter().find(|f| f.code == "W2").expect("W2");
    assert!(w2.numbers.contains("4,096") && w2.numbers.contains("10,989"), "{}", w2.numbers);
}

#[test]
fn experts_are_no_factor() {
    let experts = |degree| Some(plan::Experts { count: 8, top: 2, degree });
    let base = ParallelPlan { experts: experts(8), ..plan("7B", 1, 4, 16) };
    assert!(!faults(&base).contains(&"E1".to_owned()), "{:?}", faults(&base));
    let ep = base.traffic().into_iter().find(|t| t.axis == "ep").expect("ep");
    assert_eq!((ep.degree, ep.nodes), (8, 1));
    let three = ParallelPlan { experts: experts(3), ..base.clone() };
    assert!(faults(&three).contains(&"E1".to_owned()));
    let sixteen = ParallelPlan { experts: experts(16), ..base };
    assert!(faults(&sixteen).contains(&"E1".to_owned()), "8 experts do not divide over 16 ranks");
}

#[test]
fn other_faults_are_found() {
    let e3 = ParallelPlan { dp: 9, tp: 7, ..plan("70B", 7, 1, 9) };
    assert!(faults(&e3).contains(&"E3".to_owned()));
    let e4 = plan("70B", 3, 1, 21);
    assert!(faults(&e4).contains(&"E4".to_owned()));
    let e6 = ParallelPlan { global_batch: 500, ..v1() };
    assert!(faults(&e6).contains(&"E6".to_owned()));
    let e8 = ParallelPlan { chunks: 2, global_batch: 250, pp: 4, ..plan("70B", 8, 4, 2) };
    assert!(faults(&e8).contains(&"E8".to_owned()), "{:?}", faults(&e8));
    let w1 = ParallelPlan { zero: 2, ..v2() };
    assert_eq!(faults(&w1), ["W1"]);
    assert!(plan::accepted(&w1.check()), "a warning is no refusal");
}

#[test]
fn absurd_plans_are_refused_at_once() {
    for (tp, pp, dp) in [(usize::MAX, usize::MAX, 2), (1 << 20, 1 << 20, 1 << 20), (1, 1, 1), (1 << 15, 1, 1)]
    {
        let findings = plan("7B", tp, pp, dp).check();
        assert!(!plan::accepted(&findings));
        assert_eq!(findings.len(), 14);
    }
}
