//! State and update.
