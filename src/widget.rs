//! Drawing pieces that know no screen.
//!
//! Text goes one way: [`crate::doc::escape`] makes it harmless, `wrap` turns it into rows of a known
//! width, and only then is it drawn. Rows are known before drawing, so scrolling is arithmetic
//! (`scroll`). Every colour comes from [`theme`], which also names a cue that is not a colour.

pub(crate) mod bar;
pub(crate) mod code;
pub(crate) mod editor;
pub(crate) mod field;
pub(crate) mod frame;
pub mod highlight;
pub mod markdown;
pub(crate) mod marked;
pub(crate) mod picture;
pub(crate) mod popup;
pub(crate) mod scroll;
pub(crate) mod table;
pub mod theme;
pub(crate) mod wrap;

pub use crate::doc::escape;
