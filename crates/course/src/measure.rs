//! Labs measured on real processes, as far as nothing runs: the figures of a run, what each is compared with, and
//! predicted, simulated and measured beside each other.

pub mod compare;
pub mod figures;
pub mod table;
