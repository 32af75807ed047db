//! The program seen from outside: its screens, its lines, its verbs, its store.
#![allow(missing_docs, clippy::unwrap_used)]

mod kit;

mod asked_screen;
mod built_in;
mod class;
mod cli;
mod cli_authors;
mod cli_puzzle;
mod cli_sim;
mod course;
mod drill_screen;
mod journeys;
mod judge;
mod lesson_screen;
mod look;
mod measure;
mod measure_page;
mod new_user;
mod news_screen;
mod pack_faults;
mod pack_install;
mod plain;
mod progress_screen;
mod puzzle_screen;
mod rating_screen;
mod rehearsal_screen;
mod review_screen;
mod sim_screen;
mod store_carry;
mod store_home;
mod store_survives;
mod study_change;
mod study_strength;
mod sync;
mod worksheet_screen;
