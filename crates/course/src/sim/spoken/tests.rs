use super::*;
use crate::sim::{KINDS, Sim, at};

/// Every simulator as it opens, and at each of its presets.
fn all() -> Vec<Sim> {
    let mut all = Vec::new();
    for kind in KINDS {
        all.push(Sim::new(kind));
        for preset in kind.presets {
            let mut sim = Sim::new(kind);
            sim.apply(preset);
            all.push(sim);
        }
    }
    all
}

fn view(sim: &Sim, title: &str) -> crate::sim::picture::View {
    sim.run().views.into_iter().find(|view| view.title == title).expect("a view of this title")
}

#[test]
fn a_glance_is_a_few_sentences_and_every_step_one() {
    for sim in all() {
        for view in &sim.run().views {
            let name = format!("{} {}", sim.kind().name, view.title);
            let last = view.last();
            let told = gist(&last.picture);
            assert!(told.len() <= 7 && told.join(" ").len() <= 600, "{name}: {told:#?}");
            for step in 0..view.frames() {
                let before = step.checked_sub(1).map(|before| view.frame(before));
                let moved = moved(before.as_ref(), &view.frame(step)).join(" ");
                assert!(!moved.is_empty() && moved.len() <= 420, "{name}, step {step}: {moved}");
            }
            for sentence in told.iter().chain(&rows(&last.picture)) {
                assert!(sentence.ends_with('.') && !sentence.contains('\\'), "{name}: {sentence}");
                assert!(!sentence.contains("  ") && !sentence.contains(".."), "{name}: {sentence}");
            }
        }
    }
}

/// The glance at the last step of a view.
fn glance(sim: &Sim, title: &str) -> Vec<String> {
    gist(&view(sim, title).last().picture)
}

#[test]
fn a_grid_tells_its_pattern_and_its_rows_on_request() {
    let ring = Sim::new(&crate::sim::ring::KIND);
    assert_eq!(
        glance(&ring, "chunks round the ring"),
        [
            "8 rows by 8 columns.",
            "56 sum of all; 8 new, from the rank above.",
            "New, from the rank above: one in each row, chunk 1 in the first, each one column further than the row above.",
        ]
    );
    let chunks = view(&ring, "chunks round the ring");
    assert_eq!(
        rows(&chunks.last().picture)[1],
        "Rank 1: chunk 0 to chunk 1: 8, sum of all; chunk 2: 8, new, from the rank above; chunk 3 to chunk 7: 8, sum of all."
    );
    assert_eq!(
        moved(Some(&chunks.frame(0)), &chunks.frame(1)),
        ["8 of 64 cells changed, now 8 new, from the rank above."]
    );
    let context = Sim::new(&crate::sim::context::KIND);
    assert!(
        glance(&context, "blocks hop by hop")
            .contains(&"Masked: all that lies above the diagonal.".to_owned())
    );
}

#[test]
fn a_matrix_says_who_sends_to_whom_and_where_most_goes() {
    let experts = Sim::new(&crate::sim::experts::KIND);
    let told = glance(&experts, "all-to-all between ranks");
    assert_eq!(told[1], "The greatest: from 4 to 0, 25.5 MB.");
    assert_eq!(told[2], "The column with most: to 0, 177 MB in all; with least: to 7, 3.24 MB in all.");
    let rows = rows(&view(&experts, "all-to-all between ranks").last().picture);
    assert!(rows[0].starts_with("From 0: to 1, 19 MB; to 2, 10.4 MB;"), "{}", rows[0]);
    let wide = at(&crate::sim::experts::KIND, &[("experts", 64.0), ("ranks", 64.0)]);
    let rows = self::rows(&view(&wide, "all-to-all between ranks").last().picture);
    assert!(rows.len() == 64 && rows[0].starts_with("From 0: the greatest 8 of "), "{}", rows[0]);
}

#[test]
fn curves_say_how_they_run_and_where_one_stands() {
    let buckets = Sim::new(&crate::sim::buckets::KIND);
    assert_eq!(
        glance(&buckets, "exposed time over the cap"),
        [
            "Exposed over bucket cap, from 256 KiB to 768 MiB.",
            "It goes down from 20.2 ms to 810 us at 9.51 MiB, then up to 10.6 ms.",
            "Least exposed: 810 us at 9.51 MiB.",
            "Here: 1.02 ms at 25 MiB.",
        ]
    );
}

#[test]
fn a_timeline_says_who_waits_and_what_each_row_does_at_a_step() {
    let pipeline = Sim::new(&crate::sim::pipeline::KIND);
    assert_eq!(
        glance(&pipeline, "schedule"),
        [
            "A timeline of 33 tF with 4 rows.",
            "Each row is idle for 27% of it.",
            "The rows begin one after the other, stage 0 at 0 tF up to stage 3 at 3 tF.",
        ]
    );
    let schedule = view(&pipeline, "schedule");
    assert_eq!(
        moved(Some(&schedule.frame(0)), &schedule.frame(1)),
        ["At 1 tF, stage 0 and stage 1: forward; stage 2 and stage 3: idle."]
    );
}
