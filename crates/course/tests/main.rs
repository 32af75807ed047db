//! What the course, its simulators and its scorer do, seen from outside.
#![allow(missing_docs, clippy::unwrap_used)]

mod kit;

mod answers;
mod author_day;
mod course_traps;
mod scorer_corpus;
mod scorer_kit;
mod scorer_properties;
mod scorer_truth;
mod sim_formula;
mod sim_independent;
mod sim_models;
mod sim_plan;
mod sim_puzzle;
mod sim_worksheet;
mod study_carry;
mod study_check;
mod study_plan;
mod study_posting;
mod study_rehearsal;
mod study_schedule;
mod study_session;
mod wrapped;
