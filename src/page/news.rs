//! What changed in the packs since they were seen last: new, reworded, changed, removed. Looking at it is
//! seeing it.

use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::pack::Pack;
use crate::services::{Record, Services};
use crate::study::change::{Change, How, Kind, News as OfPack};

/// The changes of every pack that has some.
pub struct News {
    found: Vec<OfPack>,
}

impl News {
    /// The changes, which count as seen from now on.
    ///
    /// # Errors
    /// Where the store cannot be read.
    pub fn open(at: &mut At) -> Result<Self, String> {
        let packs = 0..at.services.library.packs.len();
        let found: Result<Vec<_>, _> = packs.map(|index| at.services.news(index, at.now)).collect();
        let found: Vec<OfPack> = found.map_err(|fault| fault.to_string())?.into_iter().flatten().collect();
        for news in &found {
            let kept = at.services.keep(Record::Seen(news.pack.clone()), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
        }
        Ok(News { found })
    }
}

impl Page for News {
    fn title(&self, _: &Services) -> Vec<String> {
        vec!["What changed".into()]
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.found.is_empty() { Vec::new() } else { vec![Scope::News] }
    }

    fn view(&self, at: &At) -> View {
        if self.found.is_empty() {
            return View::new().words("Nothing changed since you last looked.");
        }
        let view = self.found.iter().fold(View::new(), |view, news| {
            let index = at.services.library.index(&news.pack);
            let of = index.and_then(|i| Some((i, at.services.pack(i)?)));
            let rows = news.changes.iter().map(|change| row(change, of));
            view.title(&format!("{}, {}", news.title, news.versions())).list(rows)
        });
        view.dim(
            "What you did is kept, marks included. “Reworded” means the same in other words; “changed” \
             means that answers are marked differently now. This list is shown once.",
        )
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if matches!(act, Act::Open(_)) {
            at.say("it is no longer there; your answers to it are kept");
        }
        Next::Stay
    }
}

fn row(change: &Change, of: Option<(usize, &Pack)>) -> Row {
    let role = match change.how {
        // colours of marks belong to marks
        How::Added | How::Changed | How::Removed => Role::Text,
        How::Reworded => Role::Dim,
    };
    let place = match change.how {
        How::Removed => None,
        _ => of.and_then(|(index, pack)| place(index, pack, change)),
    };
    let row = place.map_or_else(Row::here, Row::to).said(change.to_string());
    row.cell(Cell::text(change.how.to_string()).role(role))
        .cell(Cell::text(change.kind.to_string()).role(Role::Dim))
        .cell(Cell::text(&change.title))
}

/// Where a change leads.
fn place(index: usize, pack: &Pack, change: &Change) -> Option<Place> {
    let id = change.id.clone();
    Some(match change.kind {
        Kind::Lesson => Place::Lesson { pack: index, id },
        Kind::Lab => Place::Lab { pack: index, id },
        Kind::Drill => Place::Drill { pack: index, id, only: None },
        Kind::Check => Place::Checks { pack: index, lesson: pack.check(&id)?.lesson.clone(), only: Some(id) },
        Kind::Puzzle => Place::Puzzle { pack: index, id },
        Kind::Term => Place::Term { pack: index, id },
    })
}
