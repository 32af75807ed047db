//! Undo and redo. Edits that belong together are one step: a word typed, a run of backspaces.

/// Steps kept; older ones are forgotten.
const STEPS: usize = 5000;

/// What kind of edit it is; edits of a kind may join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A character after the other.
    Typing,
    /// A character after the other, gone.
    Deleting,
    /// A step of its own.
    Other,
}

/// A change: at a byte, some text gave way to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub at: usize,
    pub removed: String,
    pub inserted: String,
    /// The caret before and after.
    pub carets: (usize, usize),
}

#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// The kind that the last step may still be joined with.
    joining: Option<Kind>,
}

impl History {
    /// Adds an edit, to the last step if it belongs there.
    pub fn push(&mut self, edit: Edit, kind: Kind) {
        self.undone.clear();
        let joins = self.joining == Some(kind);
        self.joining = (kind != Kind::Other).then_some(kind);
        let joined = joins && self.done.last_mut().is_some_and(|last| join(last, &edit, kind));
        if !joined {
            self.done.push(edit);
        }
        if self.done.len() > STEPS {
            self.done.remove(0);
        }
    }

    /// Ends the step: the caret went elsewhere.
    pub fn settle(&mut self) {
        self.joining = None;
    }

    /// The edit to take back.
    pub fn undo(&mut self) -> Option<Edit> {
        self.settle();
        let edit = self.done.pop()?;
        self.undone.push(edit.clone());
        Some(edit)
    }

    /// The edit to make again.
    pub fn redo(&mut self) -> Option<Edit> {
        self.settle();
        let edit = self.undone.pop()?;
        self.done.push(edit.clone());
        Some(edit)
    }
}

/// Joins an edit with the step before it, where both are one to a person.
fn join(last: &mut Edit, edit: &Edit, kind: Kind) -> bool {
    let blank = |text: &str| text.chars().all(char::is_whitespace);
    match kind {
        Kind::Typing => {
            let new_word = last.inserted.ends_with(char::is_whitespace) && !blank(&edit.inserted);
            if edit.at != last.at + last.inserted.len() || new_word || edit.inserted == "\n" {
                return false;
            }
            last.inserted.push_str(&edit.inserted);
        }
        Kind::Deleting => {
            let new_word = blank(&edit.removed) && !blank(&last.removed);
            if new_word {
                return false;
            }
            if edit.at + edit.removed.len() == last.at {
                last.removed.insert_str(0, &edit.removed);
                last.at = edit.at;
            } else if edit.at == last.at {
                last.removed.push_str(&edit.removed);
            } else {
                return false;
            }
        }
        Kind::Other => return false,
    }
    last.carets.1 = edit.carets.1;
    true
}
