//! The loop: draw, wait, handle, carry out effects.
