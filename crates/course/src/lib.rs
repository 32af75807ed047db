//! What a course is and how it is studied. No terminal and no database is known here.
//!
//! [`doc`] is text as data; [`pack`] reads and checks a course; [`sim`] holds the simulators, the formulas and the worksheets;
//! [`measure`] compares them with labs on real processes; [`study`] the attempts, the schedule, the plan and the
//! rehearsals: values and pure functions.
#![forbid(unsafe_code)]

pub mod doc;
pub mod measure;
pub mod pack;
pub mod sim;
pub mod study;

pub use infralens_score as score;
