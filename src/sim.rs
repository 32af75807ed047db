//! What a simulator is. Pure arithmetic; no terminal.
