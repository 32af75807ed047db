//! Moving through rows: how far an action goes.

use crate::page::action::Action;

/// How many rows an action moves; 0 where it moves nothing. `view` is the height of what is seen, in rows.
pub fn by(action: Action, view: usize) -> isize {
    let page = isize::try_from(view).unwrap_or(1);
    match action {
        Action::Down => 1,
        Action::Up => -1,
        Action::PageDown => page,
        Action::PageUp => -page,
        Action::Top => isize::MIN / 2,
        Action::Bottom => isize::MAX / 2,
        _ => 0,
    }
}
