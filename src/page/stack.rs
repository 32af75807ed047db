//! Where one is, and where one came from: the one navigation of both faces.

/// Pages, the first one at the bottom, and those that stand over the top one: from a term to another, and back.
#[derive(Debug)]
pub struct Stack<S> {
    pages: Vec<S>,
    popups: Vec<S>,
}

impl<S> Default for Stack<S> {
    fn default() -> Self {
        Stack { pages: Vec::new(), popups: Vec::new() }
    }
}

impl<S> Stack<S> {
    /// A stack of one page.
    pub fn of(first: S) -> Self {
        Stack { pages: vec![first], popups: Vec::new() }
    }

    /// Opens a page on top; back comes to the one below. Pages over another go once a whole one is opened.
    pub fn open(&mut self, page: S, over: bool) {
        if over {
            return self.popups.push(page);
        }
        self.popups.clear();
        self.pages.push(page);
    }

    /// Takes the top page away, so that the next one stands in its place. The first page stays.
    pub fn drop_top(&mut self) {
        if self.popups.pop().is_none() && self.pages.len() > 1 {
            self.pages.pop();
        }
    }

    /// Goes back; false where there is nothing to go back to.
    pub fn back(&mut self) -> bool {
        let can = !self.popups.is_empty() || self.pages.len() > 1;
        self.drop_top();
        can
    }

    /// Goes to the first page.
    pub fn home(&mut self) {
        self.popups.clear();
        self.pages.truncate(1);
    }

    /// What has the keys.
    pub fn top(&self) -> Option<&S> {
        self.popups.last().or(self.pages.last())
    }

    /// What has the keys.
    pub fn top_mut(&mut self) -> Option<&mut S> {
        self.popups.last_mut().or(self.pages.last_mut())
    }

    /// The page that is seen whole, under the one over it.
    pub fn page(&self) -> Option<&S> {
        self.pages.last()
    }

    /// The page over another.
    pub fn popup(&self) -> Option<&S> {
        self.popups.last()
    }

    /// All that is seen, the page before the one over it.
    pub fn seen_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.pages.last_mut().into_iter().chain(self.popups.last_mut())
    }

    /// All pages, the first one first.
    pub fn all_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut S> {
        self.pages.iter_mut().chain(&mut self.popups)
    }

    /// How many pages there are, but for one over another.
    pub fn depth(&self) -> usize {
        self.pages.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn back_goes_where_one_came_from() {
        let mut stack = Stack::of("home");
        stack.open("lesson", false);
        stack.open("term", true);
        assert_eq!((stack.top(), stack.page()), (Some(&"term"), Some(&"lesson")));
        assert!(stack.back());
        assert_eq!(stack.top(), Some(&"lesson"));
        stack.open("drill", false);
        stack.drop_top();
        stack.open("verdict", false);
        assert!(stack.back());
        assert_eq!(stack.top(), Some(&"lesson"), "what was replaced is not seen again");
        assert!(stack.back());
        assert!(!stack.back(), "there is no way back from the first page");
        assert_eq!(stack.top(), Some(&"home"));
    }

    #[test]
    fn a_page_opened_from_one_over_another_closes_that() {
        let mut stack = Stack::of("home");
        stack.open("term", true);
        stack.open("lesson", false);
        assert!(stack.popup().is_none());
        stack.open("keys", true);
        stack.home();
        assert_eq!((stack.top(), stack.depth()), (Some(&"home"), 1));
    }
    #[test]
    fn back_from_one_over_another_comes_to_the_one_before() {
        let mut stack = Stack::of("lesson");
        for term in ["glossary", "rank", "world size"] {
            stack.open(term, true);
        }
        assert!(stack.back());
        assert_eq!((stack.top(), stack.page()), (Some(&"rank"), Some(&"lesson")));
        assert!(stack.back() && stack.back());
        assert_eq!(stack.top(), Some(&"lesson"));
    }
}
