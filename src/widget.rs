//! Drawing pieces that know no screen.
//!
//! Text goes one way: [`crate::doc::escape`] makes it harmless, [`wrap`] turns it into rows of a known
//! width, and only then is it drawn. Rows are known before drawing, so scrolling is arithmetic
//! ([`scroll`]). Every colour comes from [`theme`], which also names a cue that is not a colour.

pub mod bar;
pub mod code;
pub mod editor;
pub mod frame;
pub mod highlight;
pub mod list;
pub mod markdown;
pub mod marked;
pub mod picture;
pub mod popup;
pub mod scroll;
pub mod table;
pub mod theme;
pub mod wrap;

pub use crate::doc::escape;
