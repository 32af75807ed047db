//! Drawing pieces that know no screen.
