//! Moving through a plain list: which row is chosen after an action or a turn of the wheel.

use crate::app::action::Action;
use crate::app::event::Mouse;

/// The row chosen after an action; the same where the action moves nothing. `view` is the height in rows.
pub fn after(action: Action, chosen: usize, count: usize, view: u16) -> usize {
    let view = usize::from(view).max(1);
    let to = match action {
        Action::Down => chosen + 1,
        Action::Up => chosen.saturating_sub(1),
        Action::PageDown => chosen + view,
        Action::PageUp => chosen.saturating_sub(view),
        Action::Top => 0,
        Action::Bottom => count,
        _ => chosen,
    };
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
