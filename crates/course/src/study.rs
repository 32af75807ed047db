//! What to do next: attempts, strengths, the schedule, the plan, rehearsals, checks.
//!
//! Everything here is a pure function or a plain value: time comes in, nothing is drawn,
//! nothing is written. The store of the program keeps what these modules make.

pub mod align;
pub mod answer;
pub mod attempt;
pub mod change;
pub mod check;
pub mod class;
pub mod compare;
pub mod day;
pub mod deck;
pub mod delivery;
pub mod done;
pub mod duration;
pub mod explain;
pub mod find;
pub mod home;
pub mod judge;
pub mod lab;
pub mod lines;
pub mod measure;
pub mod next;
pub mod note;
pub mod plan;
pub mod posting;
pub mod rating;
pub mod rehearsal;
pub mod round;
pub mod schedule;
pub mod seed;
pub mod sentence;
pub mod session;
pub mod strength;
pub mod table;
pub mod thing;
pub mod words;
