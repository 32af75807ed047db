//! Sequence and context parallelism: ring attention hop by hop, Ulysses, Megatron SP.

use crate::sim::Kind;
use crate::sim::formula::sequence;
use crate::sim::output::Run;
use crate::sim::parameter::{Parameter, Preset, Settings, plain};
use crate::sim::picture::{
    Axis, Bar, Bars, Cell, Frame, Grid, Lane, Lanes, Line, Picture, Series, Span, Tone, View,
};
use crate::sim::quantity::{self, GB, GB_PER_S, PERCENT, PLAIN, SECONDS, TFLOP_PER_S, US, Unit};

mod ring;

use ring::{Cut, Hop, Ring};

/// The context-parallel simulator.
pub(super) const KIND: Kind = Kind {
    name: "context",
    title: "Long context",
    about: "One long sequence on several ranks. Keys and values go round a ring, or an all-to-all turns the sequence into heads. \
            See who waits under a causal mask, and what each scheme sends.",
    parameters: &[
        Parameter::doubling(
            ("ranks", "ranks c"),
            Unit::count("ranks"),
            (1.0, 8.0, 64.0),
            "context-parallel degree",
        ),
        Parameter::doubling(
            ("sequence", "sequence"),
            Unit::count("tokens"),
            (16.0, 131_072.0, 16_777_216.0),
            "tokens of the sequence",
        ),
        Parameter::doubling(
            ("micro_batch", "micro-batch"),
            Unit::count("sequences"),
            (1.0, 1.0, 64.0),
            "sequences of a micro-batch",
        ),
        Parameter::doubling(
            ("hidden", "hidden"),
            PLAIN,
            (64.0, 8192.0, 65536.0),
            "width of the residual stream",
        ),
        Parameter::doubling(
            ("heads", "heads"),
            Unit::count("heads"),
            (1.0, 64.0, 1024.0),
            "attention heads",
        ),
        Parameter::doubling(
            ("kv_heads", "kv heads"),
            Unit::count("heads"),
            (1.0, 8.0, 1024.0),
            "key-value heads",
        ),
        Parameter::choice(
            ("mask", "mask"),
            &[("causal", "causal"), ("full", "full")],
            "whether a token sees only what is before it",
        ),
        Parameter::choice(
            ("cut", "cut"),
            &[("contiguous", "contiguous"), ("zigzag", "zigzag")],
            "how the sequence lies on the ranks; zigzag pairs an early piece with a late one",
        ),
        Parameter::sliding(
            ("link", "link"),
            GB_PER_S,
            (0.1, 370.0, 2000.0, 10.0),
            "rate between neighbours, per direction; short pieces and slow links expose the sends",
        ),
        Parameter::sliding(
            ("alpha", "latency"),
            US,
            (0.0, 10.0, 10_000.0, 5.0),
            "time of a hop whatever its size",
        ),
        Parameter::sliding(
            ("rate", "achieved rate"),
            TFLOP_PER_S,
            (1.0, 494.5, 5000.0, 50.0),
            "FLOP per second in attention",
        ),
    ],
    presets: &[
        Preset {
            name: "70B, 128k tokens, 8 ranks",
            set: &[
                ("ranks", 8.0),
                ("sequence", 131_072.0),
                ("hidden", 8192.0),
                ("heads", 64.0),
                ("kv_heads", 8.0),
            ],
        },
        Preset {
            name: "8B, 32k tokens, 8 ranks",
            set: &[
                ("ranks", 8.0),
                ("sequence", 32768.0),
                ("hidden", 4096.0),
                ("heads", 32.0),
                ("kv_heads", 8.0),
            ],
        },
        Preset {
            name: "7B, every head its own keys",
            set: &[
                ("ranks", 8.0),
                ("sequence", 131_072.0),
                ("hidden", 4096.0),
                ("heads", 32.0),
                ("kv_heads", 32.0),
            ],
        },
        Preset {
            name: "short pieces between nodes",
            set: &[("ranks", 16.0), ("sequence", 16384.0), ("link", 45.0)],
        },
        Preset {
            name: "zigzag",
            set: &[("cut", 1.0), ("mask", 0.0)],
        },
    ],
    run,
};

fn read(settings: &Settings, run: &mut Run) -> Ring {
    let (heads, kv_heads) = (settings.number("heads"), settings.number("kv_heads"));
    if kv_heads > heads {
        run.notes
            .push("more key-value heads than heads: taken as many as heads".into());
    }
    let hidden = settings.number("hidden");
    if settings.count("heads") % settings.count("ranks") != 0 {
        run.notes.push(format!(
            "{heads} heads do not divide over {} ranks: Ulysses cannot split them",
            settings.count("ranks")
        ));
    }
    Ring {
        cut: [Cut::Contiguous, Cut::Zigzag][settings.count("cut")],
        causal: settings.count("mask") == 0,
        ranks: settings.count("ranks"),
        tokens: settings.number("sequence"),
        micro_batch: settings.number("micro_batch"),
        hidden,
        kv_width: hidden / heads * kv_heads.min(heads),
        head: hidden / heads,
        link: settings.base("link"),
        alpha: settings.base("alpha"),
        rate: settings.base("rate"),
    }
}

fn run(settings: &Settings) -> Run {
    let mut run = Run::default();
    let ring = read(settings, &mut run);
    let hops = ring.hops();
    outputs(&mut run, (settings, &ring), &hops);
    questions(&mut run, &ring, &hops);
    let heads = settings.count("heads").min(settings.count("kv_heads"));
    if ring.ranks > heads {
        run.notes.push(format!(
            "beyond {heads} ranks, the key-value heads, Ulysses sends copies of them; they are counted"
        ));
    }
    run.views.push(mask_view(&ring, &hops));
    run.views.push(lanes_view(&ring, &hops));
    run.views.push(ulysses_view(&ring));
    run.views.push(bytes_view(&ring));
    run.views.push(ranks_view(&ring));
    run
}

fn outputs(run: &mut Run, (settings, ring): (&Settings, &Ring), hops: &[Hop]) {
    let [b, s, h] = ["micro_batch", "sequence", "hidden"].map(|name| settings.term(name));
    let (c, kv) = (plain(ring.ranks as f64), plain(ring.kv_width));
    let copied = plain(ring.copied(ring.ranks as f64));
    let alone = ring.ranks < 2;
    let rate = settings.term("rate");
    let hop = format!("ring_attention_hop_bytes({b}, {s}, {c}, {kv})");
    run.worked_or_0(
        "hop_bytes",
        "a hop: keys and values",
        GB,
        (!alone).then(|| hop.clone()),
    );
    run.worked(
        "ring_sent",
        "ring sends, layer forward",
        GB,
        format!("ring_attention_bytes({b}, {s}, {c}, {kv})"),
    );
    run.worked(
        "ulysses_sent",
        "Ulysses sends, layer forward",
        GB,
        format!("ulysses_bytes({b}, {s}, {c}, {h}, {copied})"),
    );
    run.worked(
        "sp_sent",
        "Megatron SP sends, forward",
        GB,
        format!("megatron_sp_bytes({b}, {s}, {c}, {h})"),
    );
    let ratio =
        format!("ring_attention_bytes({b}, {s}, {c}, {kv}) / ulysses_bytes({b}, {s}, {c}, {h}, {copied})");
    let ratio = (!alone).then_some(ratio);
    run.worked_or_0(
        "ring_over_ulysses",
        "bytes of ring over Ulysses",
        Unit::count("x"),
        ratio,
    );
    let send = format!(
        "send_time({hop}, {}, {})",
        settings.term("alpha"),
        settings.term("link")
    );
    run.worked_or_0("hop_send", "send of one hop", SECONDS, (!alone).then_some(send));
    let wall: f64 = hops.iter().map(Hop::time).sum();
    let exposed: f64 = hops.iter().map(|h| h.time() - h.compute).sum();
    run.counted(
        ("wall", "attention of a layer, forward"),
        wall,
        SECONDS,
        "the hops one after another; each lasts as long as its busiest rank or its send",
    );
    run.counted(
        ("ideal", "the same, if even and free"),
        ring.ideal(),
        SECONDS,
        "the work of all ranks shared out evenly, nothing sent",
    );
    run.counted(
        ("efficiency", "useful share of that time"),
        if wall > 0.0 { ring.ideal() / wall } else { 1.0 },
        PERCENT,
        "if even and free / attention of a layer",
    );
    run.counted(
        ("exposed", "exposed communication"),
        exposed,
        SECONDS,
        "what the sends take beyond the compute of their hop",
    );
    let work = |rank: usize| hops.iter().map(|hop| hop.pairs[rank]).sum::<f64>();
    run.counted(
        ("imbalance", "last rank's work over the first's"),
        work(ring.ranks - 1) / work(0),
        Unit::count("times"),
        "pairs of tokens that each computes, over all hops",
    );
    run.worked(
        "tokens_per_rank",
        "tokens a rank",
        Unit::count("tokens"),
        format!("{s} / {c}"),
    );
    // half of each block is masked everywhere only where the cut is even
    let k = if ring.causal && ring.cut == Cut::Zigzag {
        2
    } else {
        1
    };
    let (link, alpha) = (settings.term("link"), settings.term("alpha"));
    let half = format!("{k} * ring_attention_tokens_to_hide({rate}, {link}, {h}, {kv}) / 2");
    run.worked(
        "tokens_needed",
        "tokens a rank that hide a send",
        Unit::count("tokens"),
        format!("{half} + sqrt(({half}) ^ 2 + {k} * {rate} * {alpha} / (4 * {h} * {b}))"),
    );
}

/// The mask, cut into blocks of one rank's queries and one rank's keys.
fn mask_view(ring: &Ring, hops: &[Hop]) -> View {
    let ring = *ring;
    let times: Vec<f64> = hops.iter().map(Hop::time).collect();
    View::stepped("blocks hop by hop", ring.ranks, move |hop| {
        let block = (ring.tokens / ring.ranks as f64).powi(2);
        let row = |rank: usize| {
            let cells = (0..ring.ranks).map(|keys| {
                let share = ring.pairs(rank, keys) / block;
                let at = (rank + ring.ranks - keys) % ring.ranks;
                let tone = match at.cmp(&hop) {
                    _ if share == 0.0 => Tone::Empty,
                    std::cmp::Ordering::Less => Tone::Done,
                    std::cmp::Ordering::Equal => Tone::Moving,
                    std::cmp::Ordering::Greater => Tone::Buffer,
                };
                let text = if share == 0.0 {
                    String::new()
                } else {
                    format!("{:.0}", 100.0 * share)
                };
                Cell { text, tone }
            });
            (rank.to_string(), cells.collect())
        };
        let grid = Grid {
            corner: "queries \\ keys".into(),
            columns: (0..ring.ranks).map(|c| c.to_string()).collect(),
            rows: (0..ring.ranks).map(row).collect(),
            legend: vec![
                (Tone::Moving, "at work in this hop"),
                (Tone::Done, "done"),
                (Tone::Buffer, "to come, in % of a block"),
                (Tone::Empty, "masked"),
            ],
        };
        let busy = (0..ring.ranks)
            .filter(|r| ring.pairs(*r, ring.source(*r, hop)) > 0.0)
            .count();
        let time = quantity::show(times[hop], SECONDS);
        let (c, last) = (ring.ranks, ring.ranks - 1);
        let whose = match (hop, ring.cut) {
            (0, Cut::Zigzag) => format!("own keys; rank 0 holds pieces 0 and {} of {}", 2 * c - 1, 2 * c),
            (0, Cut::Contiguous) => "own keys".to_owned(),
            _ => format!("rank {last} works on the keys of rank {}", ring.source(last, hop)),
        };
        let caption = format!("hop {hop}, {whose}: {busy} of {c} ranks have work for {time}");
        Frame {
            caption,
            picture: Picture::Grid(grid),
            now: None,
        }
    })
}

fn lanes_view(ring: &Ring, hops: &[Hop]) -> View {
    let mut lanes: Vec<Lane> = (0..ring.ranks)
        .map(|r| Lane {
            label: format!("rank {r}"),
            spans: Vec::new(),
        })
        .collect();
    let mut network = Lane {
        label: "network".into(),
        spans: Vec::new(),
    };
    let mut now = 0.0;
    for (i, hop) in hops.iter().enumerate() {
        for (rank, pairs) in hop.pairs.iter().enumerate().filter(|(_, pairs)| **pairs > 0.0) {
            let number = ring.source(rank, i) as u32;
            let end = now + ring.seconds(*pairs);
            lanes[rank].spans.push(Span {
                start: now,
                end,
                tone: Tone::Forward,
                number,
                part: 0,
            });
        }
        let hidden = hop.send.min(hop.compute);
        let (number, part) = (i as u32, 0);
        if hidden > 0.0 {
            network.spans.push(Span {
                start: now,
                end: now + hidden,
                tone: Tone::Hidden,
                number,
                part,
            });
        }
        if hop.send > hop.compute {
            let (start, end) = (now + hop.compute, now + hop.send);
            network.spans.push(Span {
                start,
                end,
                tone: Tone::Exposed,
                number,
                part,
            });
        }
        now += hop.time();
    }
    lanes.push(network);
    let lanes = Lanes {
        unit: "s",
        end: now,
        lanes,
        marks: Vec::new(),
        names: Vec::new(),
        legend: vec![
            (Tone::Forward, "attention to the keys of that rank"),
            (Tone::Hidden, "keys and values passed on, hidden"),
            (Tone::Exposed, "exposed"),
            (Tone::Idle, "waiting"),
        ],
    };
    let ranks = ring.ranks;
    View::timeline("who waits", lanes, move |lanes, now| {
        let busy = (0..ranks).filter(|r| lanes.span_at(*r, now).is_some()).count();
        if now >= lanes.end {
            return "a hop ends when the rank with the most work is done".into();
        }
        format!(
            "{}: {busy} of {ranks} ranks at work",
            quantity::show(now, SECONDS)
        )
    })
}

/// Which rank holds which part of the sequence for which heads, before, during and after attention.
fn ulysses_view(ring: &Ring) -> View {
    let ranks = ring.ranks.min(8);
    let stand = match ring.ranks > ranks {
        true => format!("8 ranks stand for {}: ", ring.ranks),
        false => String::new(),
    };
    const STEPS: [&str; 3] = [
        "outside attention a rank holds its tokens for all heads",
        "after the all-to-all of Q, K and V it holds all tokens for its heads, and attention is local",
        "another all-to-all of the output brings the tokens back",
    ];
    View::stepped("Ulysses", STEPS.len(), move |step| {
        let holder = |tokens: usize, heads: usize| if step == 1 { heads } else { tokens };
        let row = |tokens: usize| {
            let cell = |heads: usize| {
                let rank = holder(tokens, heads);
                Cell {
                    text: rank.to_string(),
                    tone: Tone::Nth(rank as u8),
                }
            };
            (format!("tokens {tokens}"), (0..ranks).map(cell).collect())
        };
        let grid = Grid {
            corner: "held by rank".into(),
            columns: (0..ranks).map(|h| format!("h{h}")).collect(),
            rows: (0..ranks).map(row).collect(),
            legend: vec![(
                Tone::Nth(0),
                "the rank that holds it; h0: the first group of heads",
            )],
        };
        Frame {
            caption: format!("{stand}{}", STEPS[step]),
            picture: Picture::Grid(grid),
            now: None,
        }
    })
}

/// Forward bytes a rank of each scheme over `c` ranks.
fn volumes(ring: &Ring, c: f64) -> [(&'static str, f64); 3] {
    let (b, s, h, kv) = (ring.micro_batch, ring.tokens, ring.hidden, ring.kv_width);
    [
        ("ring attention", sequence::ring_attention_bytes(b, s, c, kv)),
        ("Ulysses", sequence::ulysses_bytes(b, s, c, h, ring.copied(c))),
        ("Megatron SP", sequence::megatron_sp_bytes(b, s, c, h)),
    ]
}

fn bytes_view(ring: &Ring) -> View {
    let bar = |(label, bytes): (&str, f64)| Bar {
        label: label.into(),
        pieces: vec![(Tone::Moving, bytes)],
        chosen: false,
        said: None,
    };
    let bars = Bars {
        unit: "GB",
        bars: volumes(ring, ring.ranks as f64).map(bar).to_vec(),
        limit: None,
        reach: 0.0,
        legend: vec![(Tone::Moving, "sent by a rank, a layer, forward")],
    };
    let caption = "Megatron SP also pays for splitting the weights; the other two leave them whole";
    View::still("bytes side by side", caption, Picture::Bars(bars))
}

fn ranks_view(ring: &Ring) -> View {
    let degrees = || (1..=6).map(|e| f64::from(1 << e));
    let line = |i: usize| Line {
        label: volumes(ring, 2.0)[i].0.to_owned(),
        tone: Tone::Nth(i as u8),
        points: degrees().map(|c| (c, volumes(ring, c)[i].1)).collect(),
    };
    let here = volumes(ring, ring.ranks as f64)[0].1;
    let series = Series {
        x: Axis {
            label: "ranks",
            unit: "",
            log: true,
        },
        y: Axis {
            label: "sent by a rank, a layer forward",
            unit: "GB",
            log: true,
        },
        lines: (0..3).map(line).collect(),
        marks: if ring.ranks > 1 {
            vec![(ring.ranks as f64, here, "here, ring".into())]
        } else {
            Vec::new()
        },
    };
    let caption =
        "Ulysses sends less with every rank; the ring sends nearly all keys and values whatever the degree";
    View::still("bytes over ranks", caption, Picture::Series(series)).comparing(&["ranks"])
}

fn questions(run: &mut Run, ring: &Ring, hops: &[Hop]) {
    let c = ring.ranks;
    run.ask(
        format!("How many bytes of keys and values does a rank pass on in one hop, with {} tokens on {c} ranks?", quantity::digits(ring.tokens)),
        (run.value("hop_bytes"), GB),
        "Keys and values of its tokens: 2 x s/c x kv width x 2 bytes. With grouped heads the kv width is small.",
    );
    let names: Vec<String> = volumes(ring, c as f64)
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    let least = |bytes: [(&str, f64); 3]| {
        bytes
            .iter()
            .enumerate()
            .min_by(|a, b| a.1.1.total_cmp(&b.1.1))
            .map_or(0, |(i, _)| i)
    };
    run.choose(
        "Which scheme sends the fewest bytes forward here?",
        (names, least(volumes(ring, c as f64))),
        "Ring over Ulysses is c*hkv/(h+hkv): few key-value heads favour the ring, many ranks favour Ulysses.",
    );
    if c > 1 {
        let idle = hops
            .get(1)
            .map_or(0, |hop| hop.pairs.iter().filter(|p| **p == 0.0).count());
        run.ask(
            "How many ranks have nothing to do in hop 1?",
            (idle as f64, Unit::count("ranks")),
            "Under a causal mask rank 0 of a contiguous cut meets only keys that come after its queries. Zigzag gives every \
             rank an early and a late piece, so that each hop is even.",
        );
    }
    run.ask(
        "What is the efficiency of attention here: even work over the time it takes?",
        (run.value("efficiency"), PERCENT),
        "A hop takes as long as its busiest rank. Contiguous and causal, the busiest rank computes a whole block in nearly \
         every hop, and on average half of them is masked.",
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Sim;

    fn at(set: &[(&str, f64)]) -> Run {
        let mut sim = Sim::new(&KIND);
        for (name, value) in set {
            sim.set(name, *value).expect("a knob");
        }
        sim.run()
    }

    fn mb(run: &Run, name: &str) -> f64 {
        (run.value(name) / 1e5).round() / 10.0
    }

    #[test]
    fn volumes_of_the_two_models() {
        let large = at(&[]);
        assert_eq!(
            (
                mb(&large, "hop_bytes"),
                mb(&large, "ring_sent"),
                mb(&large, "ulysses_sent")
            ),
            (67.1, 469.8, 528.5)
        );
        let mut sim = Sim::new(&KIND);
        sim.apply(&KIND.presets[1]);
        let small = sim.run();
        assert_eq!(
            (
                mb(&small, "ring_sent"),
                mb(&small, "ulysses_sent"),
                mb(&small, "sp_sent")
            ),
            (117.4, 73.4, 939.5)
        );
        sim.apply(&KIND.presets[2]);
        let heads = sim.run();
        assert_eq!(
            (
                mb(&heads, "ring_sent"),
                mb(&heads, "ulysses_sent"),
                mb(&heads, "sp_sent")
            ),
            (1879.0, 469.8, 3758.1)
        );
        assert_eq!(heads.value("ring_over_ulysses"), 4.0);
    }

    #[test]
    fn zigzag_is_even_and_contiguous_is_not() {
        let toy = [
            ("ranks", 4.0),
            ("sequence", 65536.0),
            ("alpha", 0.0),
            ("link", 2000.0),
        ];
        let contiguous = at(&toy);
        // Half a block for all, then three whole ones for the last rank, against two on average.
        assert!((contiguous.value("efficiency") - 4.0 / 7.0).abs() < 1e-4);
        let zigzag = at(&[&toy[..], &[("cut", 1.0)]].concat());
        assert!((zigzag.value("efficiency") - 1.0).abs() < 1e-9);
        assert_eq!(zigzag.value("imbalance"), 1.0);
    }

    #[test]
    fn enough_tokens_hide_the_hops() {
        let hidden = at(&[("mask", 1.0)]);
        assert_eq!(hidden.value("exposed"), 0.0);
        let short = at(&[
            ("mask", 1.0),
            ("sequence", 16384.0),
            ("ranks", 16.0),
            ("link", 45.0),
            ("alpha", 0.0),
        ]);
        assert!(short.value("tokens_per_rank") < short.value("tokens_needed"));
        assert!(short.value("exposed") > 0.0);
    }
}
