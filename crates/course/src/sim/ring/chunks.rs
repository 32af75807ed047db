//! Chunks that go round a ring, hop by hop.

use crate::sim::picture::{Cell, Frame, Grid, Picture, Tone, View};

/// The most ranks whose chunks are shown.
const SHOWN_RANKS: usize = 16;

/// The ring that stands for a larger one.
const EXAMPLE: usize = 8;

/// The chunk that rank `r` sends at hop `hop` of either half: (r-1-hop) in the reduce-scatter, r-hop after.
pub(super) fn sent_chunk(rank: usize, hop: usize, ranks: usize) -> usize {
    let half = ranks - 1;
    let back = if hop < half { 1 + hop } else { hop - half };
    (rank + 2 * ranks - back) % ranks
}

/// Which ranks' values each chunk of each rank holds after some hops: `held[rank][chunk]` is a count.
pub(super) fn held_after(hops: usize, ranks: usize) -> Vec<Vec<usize>> {
    let mut held = vec![vec![1; ranks]; ranks];
    for hop in 0..hops {
        let moves: Vec<(usize, usize, usize)> = (0..ranks)
            .map(|rank| {
                let chunk = sent_chunk(rank, hop, ranks);
                ((rank + 1) % ranks, chunk, held[rank][chunk])
            })
            .collect();
        for (to, chunk, count) in moves {
            if hop < ranks - 1 {
                held[to][chunk] += count;
            } else {
                held[to][chunk] = count;
            }
        }
    }
    held
}

pub(super) fn chunks_view(ranks: usize) -> View {
    let shown = if ranks > SHOWN_RANKS { EXAMPLE } else { ranks.max(1) };
    View::stepped("chunks round the ring", 2 * shown - 1, move |step| {
        let mut frame = chunk_frame(step, shown);
        if shown < ranks {
            frame.caption = format!("{EXAMPLE} ranks stand for {ranks}. {}", sentence_start(&frame.caption));
        }
        frame
    })
}

fn sentence_start(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn chunk_frame(step: usize, ranks: usize) -> Frame {
    let held = held_after(step, ranks);
    let arrived = |rank: usize, chunk: usize| {
        step > 0 && sent_chunk((rank + ranks - 1) % ranks, step - 1, ranks) == chunk
    };
    let rows = (0..ranks).map(|rank| {
        let cells = (0..ranks).map(|chunk| {
            let count = held[rank][chunk];
            let tone = match (arrived(rank, chunk), count == ranks) {
                (true, _) => Tone::Moving,
                (false, true) => Tone::Done,
                (false, false) => Tone::Buffer,
            };
            Cell { text: count.to_string(), tone }
        });
        (format!("rank {rank}"), cells.collect())
    });
    let grid = Grid {
        corner: "rank \\ chunk".into(),
        columns: (0..ranks).map(|c| c.to_string()).collect(),
        rows: rows.collect(),
        legend: vec![
            (Tone::Buffer, "how many ranks are summed"),
            (Tone::Moving, "new, from the rank above"),
            (Tone::Done, "sum of all"),
        ],
    };
    Frame { caption: chunk_caption(step, ranks), picture: Picture::Grid(grid), now: None }
}

fn chunk_caption(step: usize, ranks: usize) -> String {
    let half = ranks - 1;
    let sent = format!("{step}/{ranks} of the message sent");
    match step {
        0 if ranks == 1 => "one rank: nothing to send".into(),
        0 => format!("each rank holds {ranks} chunks of its own values; next: reduce-scatter"),
        s if s < half => format!("reduce-scatter, hop {s} of {half}: add what arrives; {sent}"),
        s if s == half => format!("reduce-scatter done: rank r holds the whole sum of chunk r; {sent}"),
        s if s < 2 * half => format!("all-gather, hop {} of {half}: copy what arrives; {sent}", s - half),
        _ => format!("all-gather done: every rank holds every sum; {sent}"),
    }
}
