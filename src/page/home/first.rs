//! Home for somebody of whom nothing is known: what one gets back is shown before anything is asked.

use std::sync::Arc;

use super::entry::{self, Course, Entry};
use super::known::Known;
use super::now;
use crate::doc::{Cell, Document, Judged, Mark, MarkKind, Role, Row as Cells, Rows};
use crate::pack::Pack;
use crate::page::place::Place;
use crate::page::view::View;
use crate::score::Verdict;
use crate::services::library::Library;
use crate::study::words::{percent, some};

/// Somebody's answer with its marks, as the scorer gives them: a test scores it again.
pub struct Sample {
    /// The drill of the built-in course that was answered.
    pub drill: &'static str,
    /// The answer.
    pub answer: &'static str,
    /// Words of the answer, and what they earned something for, by the place of the part; none where they are wrong.
    pub words: &'static [(&'static str, Option<usize>)],
    /// The mark of each part, in their order.
    pub marks: [Verdict; 5],
    /// The whole, 0 to 1.
    pub total: f64,
}

/// The sample of the built-in course.
pub const SAMPLE: Sample = Sample {
    drill: "ddp-gradients-not-parameters",
    answer: "Every rank has its own shard of the batch, so the gradients differ and the replicas would drift apart. \
        DDP averages the gradients with an all-reduce in buckets, so it overlaps with the rest of backward. \
        DDP also shards the optimizer state.",
    words: &[
        ("own shard of the batch, so the gradients differ", Some(0)),
        ("replicas would drift apart", Some(0)),
        ("averages the gradients", Some(1)),
        ("all-reduce in buckets", Some(1)),
        ("it overlaps with the rest of backward", Some(2)),
        ("DDP also shards the optimizer state", None),
    ],
    marks: [Verdict::Partial, Verdict::Partial, Verdict::Partial, Verdict::Missing, Verdict::Missing],
    total: 0.3,
};

/// What a newcomer may begin with: a question, the course, the date of an interview.
pub fn entries(pack: &Pack, library: &Library) -> Vec<Entry> {
    let index = pack.index();
    let drill = index.drills.first().map(|drill| {
        let place = Place::Drill { pack: 0, id: drill.id.to_string(), only: None };
        let text = "speak by typing; every sentence is marked";
        Entry { minutes: Some(drill.minutes), ..Entry::now(1, "Try one question", text, place) }
    });
    let lesson = index.lessons.first().map(|lesson| {
        let place = Place::Lesson { pack: 0, id: lesson.id.to_string() };
        let text = format!("read {}", lesson.title);
        Entry { minutes: Some(lesson.minutes), ..Entry::now(2, "Start the course", text, place) }
    });
    let text = "give its date, and get a plan for each day";
    let interview = Entry::now(3, "I have an interview", text, Place::Plan);
    drill.into_iter().chain(lesson).chain([interview]).chain(now::problems(library)).collect()
}

/// The page before anything could be read.
pub fn view(pack: &Pack, library: &Library) -> View {
    let known = Known::default();
    let courses = (0..library.packs.len()).filter_map(|at| Course::of((at, library), &known, &[]));
    let courses: Vec<Arc<Course>> = courses.map(Arc::new).collect();
    page(pack, &entries(pack, library), &courses, false)
}

/// The page. Who hears it is told the choices first.
pub fn page(pack: &Pack, entries: &[Entry], courses: &[Arc<Course>], is_heard: bool) -> View {
    let about = |view: View| {
        view.words(&pack.index().about).dim("Works offline; nothing you type leaves this machine.")
    };
    let has_sample = pack.index().drill(SAMPLE.drill).is_some();
    let mut view = match is_heard {
        true => {
            let ways = format!("{} to begin; Enter begins the course.", some(entries.len(), "way"));
            about(entry::now_view(View::new().words(&ways), Vec::new(), entries))
        }
        false => entry::now_view(about(View::new()), Vec::new(), entries),
    };
    if has_sample {
        view = view.with(|body| sample(body, pack));
    }
    view = courses.iter().fold(view, |view, course| course.below(view));
    view.centred().enter("begins the course").closing(entry::CLOSING_NEW)
}

/// Somebody's answer, and what it was worth.
fn sample(body: Document, pack: &Pack) -> Document {
    let marks = SAMPLE.words.iter().filter_map(|(words, part)| {
        let start = SAMPLE.answer.rfind(words)?;
        let kind = part.map_or(MarkKind::Wrong, MarkKind::Part);
        Some(Mark { bytes: start..start + words.len(), kind })
    });
    let cell = |(verdict, part): (&Verdict, &crate::pack::Part)| {
        Cell::mark(*verdict) + Cell::text(format!(" {}   ", part.title))
    };
    let said = SAMPLE.marks.iter().zip(&pack.parts);
    let said = said.map(|(verdict, part)| format!("{} {}", part.title, Judged::from(*verdict).word()));
    let said = said.collect::<Vec<_>>().join(", ");
    let parts = SAMPLE.marks.iter().zip(&pack.parts).map(cell);
    let total = Cell::text(percent(SAMPLE.total)).role(Role::Strong);
    body.title("What you get back, on someone's answer").answer(SAMPLE.answer, marks.collect(), None).rows(
        Rows::of([Cells::new([Cell::join(parts) + total])
            .wrapped()
            .said(format!("{said}: {} in all.", percent(SAMPLE.total)))]),
    )
}
