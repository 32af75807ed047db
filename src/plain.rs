//! The line-mode face.
