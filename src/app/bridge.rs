//! Carries out what the screens that are no pages yet ask for. It goes with the last of them.

use jiff::Timestamp;

use super::effect::{Effect, Query, Reply};
use crate::services::{Kept, Record, Services};
use crate::store::StoreError;

/// Carries out an effect on the store, and gives the answer if there is one.
pub fn carry_out(services: &mut Services, effect: Effect, now: Timestamp) -> Option<Reply> {
    let record = match effect {
        Effect::SavePosition(position) => Record::Position(position),
        Effect::SaveDone(item, done) => Record::Done(item, done),
        Effect::SaveDraft(draft) => Record::Draft(draft),
        Effect::DropDraft(id) => Record::DropDraft(id),
        Effect::Record(attempt) => {
            let id = attempt.id.clone();
            let kept = services.keep(Record::Attempt(attempt), now);
            return Some(kept.said().map_or(Reply::Recorded(id), Reply::Failed));
        }
        Effect::Rate(attempt) => Record::Rating(attempt),
        Effect::RecordCheck(check) => Record::Check(check),
        Effect::Grade(graded) => Record::Grade(graded),
        Effect::SaveCell(entry) => Record::Cell(entry),
        Effect::SavePuzzle(solved) => {
            let pack = solved.pack.clone();
            return match services.keep(Record::Puzzle(solved), now) {
                Kept::Yes => Some(Reply::Puzzles(pack.clone(), services.puzzles(&pack))),
                kept => kept.said().map(Reply::Failed),
            };
        }
        Effect::SaveRehearsal(run) => Record::Rehearsal(run),
        Effect::FinishRehearsal(run, report) => Record::Finish(run, report),
        Effect::DropRehearsal(id) => Record::DropRehearsal(id),
        Effect::Set(key, value) => Record::Setting(key, value),
        asked => return read(services, asked, now).unwrap_or_else(|e| Some(Reply::Failed(e.to_string()))),
    };
    services.keep(record, now).said().map(Reply::Failed)
}

fn read(services: &Services, asked: Effect, now: Timestamp) -> Result<Option<Reply>, StoreError> {
    Ok(match asked {
        Effect::TakeRehearsal(id) => {
            Some(Reply::Taken(services.store.take_rehearsal(&id, now)?.map(Box::new)))
        }
        Effect::FreshId => Some(Reply::Id(services.store.fresh_id(now)?)),
        Effect::Recall(query) => Some(recall(services, &query)?),
        Effect::Refresh => Some(home(services, now)?),
        // the app carries out the others itself
        _ => None,
    })
}

fn recall(services: &Services, query: &Query) -> Result<Reply, StoreError> {
    const MOST: u32 = 50;
    Ok(match query {
        Query::Cells(pack, check) => {
            let cells = services.store.cells(pack, check)?;
            Reply::Cells(pack.clone(), check.clone(), cells)
        }
        Query::Puzzles(pack) => Reply::Puzzles(pack.clone(), services.puzzles(pack)),
        Query::Setting(key) => Reply::Setting(key, services.setting(key)?),
        Query::Rehearsals(pack) => {
            let found = services.store.rehearsals(pack, MOST)?;
            Reply::Rehearsals(pack.clone(), found)
        }
    })
}

fn home(services: &Services, now: Timestamp) -> Result<Reply, StoreError> {
    let mut homes = Vec::new();
    let mut positions = Vec::new();
    for (index, pack) in services.library.packs.iter().enumerate() {
        homes.push(services.home(index, now)?);
        positions.extend(services.store.positions(&pack.id)?);
    }
    Ok(Reply::Home(homes, positions))
}
