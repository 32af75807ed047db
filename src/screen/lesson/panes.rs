//! How two panes share a screen: beside each other where both have room, else one at a time.

/// Below this width there is one pane.
const WIDE: u16 = 100;
/// Columns that the pane beside a text has at least.
const LEAST: u16 = 42;

/// The columns of the left pane beside another; none where there is room for one alone. The left
/// pane gets half, or what it needs so that nothing in it is cut, and not more than it can use.
pub fn left(width: u16, needs: u16, uses: u16) -> Option<u16> {
    if width < WIDE {
        return None;
    }
    let half = width / 2;
    let left = half.min(uses).max(needs);
    (left.saturating_add(1 + LEAST) <= width).then_some(left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_never_narrower_than_what_it_shows() {
        assert_eq!(left(99, 20, 90), None);
        assert_eq!(left(100, 20, 90), Some(50));
        assert_eq!(left(100, 57, 90), Some(57));
        assert_eq!(left(100, 58, 90), None);
        assert_eq!(left(120, 77, 90), Some(77));
        assert_eq!(left(200, 77, 90), Some(90));
        assert_eq!(left(200, 120, 120), Some(120));
        assert_eq!(left(0, u16::MAX, u16::MAX), None);
    }
}
