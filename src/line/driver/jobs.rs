//! Jobs that a page asks for, in lines.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};

use crate::process::Cancel;
use crate::services::class::{Reading, Room};
use crate::services::job::{Done, Job};
use crate::services::trust::Asked;
use crate::services::{Services, edit, run};

/// A job that goes on while lines are taken.
pub(super) struct Beside {
    pub ends: Receiver<Done>,
    /// Whether its end is waited for where no more lines come: it is short, and a script asked for it.
    pub is_awaited: bool,
}

/// Begins a job that goes on while lines are taken, so that one of them can end it; none where it is done at once.
pub(super) fn beside(job: &Job, services: &Services) -> Option<Beside> {
    let (to, ends) = channel();
    match job {
        _ if services.refused(job).is_some() => return None,
        Job::Measure(order) => services.running.measure((**order).clone(), to),
        Job::Judge(case) => services.running.ask((**case).clone(), to),
        _ => return None,
    }
    Some(Beside { ends, is_awaited: matches!(job, Job::Judge(_)) })
}

/// Does a job, and gives how it ended; none where there is no such starter. No editor is opened over lines.
pub(super) fn begun(job: &Job, services: &Services) -> Option<Done> {
    if let Some(done) = services.refused(job) {
        return Some(done);
    }
    let (pack, lab) = match job {
        Job::Run(pack, lab) | Job::Edit(pack, lab) | Job::Copy(pack, lab) | Job::RunCopy(pack, lab) => {
            (pack, lab)
        }
        Job::Class(folder) => {
            let read = Room::read(folder, &services.library.packs, |_, _| {});
            let reading = read.map_or_else(Reading::Failed, |room| Reading::Read(Arc::new(room)));
            return Some(Done::Class(folder.clone(), reading));
        }
        Job::Surroundings => return Some(run::surroundings()),
        Job::Look(setting) => return Some(run::found(setting.clone())),
        Job::Mark(unmarked) => {
            return services.pack(unmarked.pack).map(|pack| run::marked(pack, (**unmarked).clone()));
        }
        // they go on beside
        Job::Measure(_) | Job::Judge(_) => return None,
    };
    let id = &services.pack(*pack)?.id;
    let (Asked::Run(starter) | Asked::Untrusted(starter, _)) = services.starter(*pack, lab)?;
    Some(match job {
        Job::Run(..) => Done::Ran(run::run(*pack, starter, &Cancel::default())),
        Job::RunCopy(..) => {
            let own = services.own_copy(*pack, lab)?;
            run::run_copy(*pack, (starter, own.text), &Cancel::default())
        }
        _ => match edit::copied(&starter, id, &services.work) {
            // the page says where it is
            Ok(_) if matches!(job, Job::Copy(..)) => return None,
            Ok(path) => {
                Done::Said(format!("Your copy is {}; change it in an editor, r runs it", path.display()))
            }
            Err(fault) => {
                Done::Failed(format!("No copy could be written: {fault}; make room, or allow writing there"))
            }
        },
    })
}
