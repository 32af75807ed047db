//! What takes long or needs the terminal, and how it ended.

/// Something that the face around the pages does. Its end is told to every page of the stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Run a starter: pack index and lab id. Asked for by the person, once each time.
    Run(usize, String),
    /// Open a copy of a starter in the editor: pack index and lab id.
    Edit(usize, String),
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// A starter ran, or could not.
    Ran(Ran),
    /// A pack was opened beside the program, or could not be.
    Opened,
    /// Something went well and is worth a word.
    Said(String),
    /// Something failed: what, why and what to do, in one sentence.
    Failed(String),
}

/// How a starter ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// The pack's index.
    pub pack: usize,
    /// The lab's id.
    pub lab: String,
    /// What it printed, or what is stored where it could not run.
    pub output: String,
    /// A sentence where it did not end well, or did not run.
    pub note: Option<String>,
}
