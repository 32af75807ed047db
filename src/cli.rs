//! What the command line takes.
