//! What changed in a course since it was seen last.

use super::desk::heard;
use super::page::{At, Go, Page};
use crate::study::change::Content;

/// The changes of a course; saying them is seeing them.
pub struct News {
    pack: usize,
}

impl News {
    /// The changes of the pack with this index.
    pub fn new(pack: usize) -> Self {
        News { pack }
    }
}

impl Page for News {
    fn show(&mut self, at: &mut At) -> Go {
        let Some(content) = at.desk.pack(self.pack).map(Content::of) else {
            return Go::Back(None);
        };
        match heard(at.desk.store.news(&content, at.now), at.out).flatten() {
            None => at.out.say("Nothing changed since you last looked."),
            Some(news) => {
                at.out.say(&format!("{}, {}.", news.title, news.versions()));
                for change in &news.changes {
                    at.out.say(&format!("{change}."));
                }
                at.out.say("This is said once. What you did is kept.");
                heard(at.desk.store.see(&content, at.now), at.out);
            }
        }
        at.out.say("Enter or q goes back.");
        Go::Stay
    }

    fn line(&mut self, _line: &str, _at: &mut At) -> Go {
        Go::Back(None)
    }

    fn help(&self) -> &'static [(&'static str, &'static str)] {
        &[("Enter alone", "go back")]
    }

    fn pack(&self) -> usize {
        self.pack
    }
}
