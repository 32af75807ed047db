//! Moving through rows: how far an action goes, and which row of a plain list is chosen then.

use crate::app::event::Mouse;
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

/// The row chosen after an action; the same where the action moves nothing.
pub fn after(action: Action, chosen: usize, count: usize, view: u16) -> usize {
    let to = chosen.saturating_add_signed(by(action, view.into()));
    to.min(count.saturating_sub(1))
}

/// The row chosen after a turn of the wheel.
pub fn after_wheel(kind: Mouse, chosen: usize, count: usize) -> usize {
    match kind {
        Mouse::ScrollDown => after(Action::Down, chosen, count, 1),
        Mouse::ScrollUp => after(Action::Up, chosen, count, 1),
        Mouse::Click => chosen,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_stay_in_the_list() {
        assert_eq!(after(Action::Down, 8, 10, 5), 9);
        assert_eq!(after(Action::Down, 9, 10, 5), 9);
        assert_eq!(after(Action::PageDown, 2, 10, 5), 7);
        assert_eq!(after(Action::PageUp, 2, 10, 5), 0);
        assert_eq!(after(Action::Bottom, 2, 10, 5), 9);
        assert_eq!(after(Action::Top, 2, 10, 5), 0);
        assert_eq!(after(Action::Bottom, 0, 0, 0), 0);
        assert_eq!(after(Action::Back, 3, 10, 5), 3);
        assert_eq!(after_wheel(Mouse::ScrollDown, 3, 10), 4);
    }
}
