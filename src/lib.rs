//! InfraLens, the library: the map of the house.
//!
//! Dependencies run one way: `main` → [`cmd`] → [`tui`] and [`mod@line`] → [`page`] → [`services`] → [`store`]; [`tui`]
//! draws with [`widget`]. Files are put in place by `whole`, and turns are taken by `turn`, from the store upwards. Pages use [`study`],
//! [`score`], [`sim`] and [`pack`], which name no terminal and no database. [`store`] holds the only SQL.
#![forbid(unsafe_code)]

pub mod built_in;
pub mod cli;
pub mod cmd;
pub mod judge;
pub mod line;
pub mod measure;
pub mod page;
pub mod process;
pub mod services;
pub mod store;
pub mod time;
pub mod tui;
mod turn;
mod whole;
pub mod widget;

pub use infralens_course::{doc, pack, score, sim, study};
