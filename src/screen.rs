//! One file a screen.
