//! What a key can mean. The key table maps keys to these; screens act on them.

/// One thing that a person can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the key table says what each does, in words for people
pub enum Action {
    // everywhere
    Quit,
    Back,
    Help,
    Jump,
    Suspend,
    // moving
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    Top,
    Bottom,
    Open,
    NextPane,
    PrevPane,
    NextLink,
    PrevLink,
    NextBlock,
    PrevBlock,
    NextPage,
    PrevPage,
    // going somewhere
    Continue,
    Lab,
    Drill,
    Checks,
    Simulate,
    Puzzle,
    Rehearse,
    Review,
    History,
    Progress,
    Plan,
    Posting,
    Problems,
    News,
    Sims,
    Glossary,
    // reading
    HideNotes,
    Widen,
    Reveal,
    Run,
    Edit,
    Copy,
    MarkDone,
    // a lab on real processes
    Measure,
    NamePython,
    Fit,
    // answering
    Submit,
    Checklist,
    Hint,
    Discard,
    // saying what was meant
    Yes,
    Partly,
    No,
    Other,
    Skip,
    Cancel,
    // the verdict
    Ask,
    Judge,
    Why,
    Dispute,
    Follow,
    Model,
    Again,
    PartAgain,
    Earlier,
    ReadSection,
    // grading, choosing
    Digit(u8),
    Rate,
    // simulators
    Step,
    StepBack,
    Play,
    Predict,
    Formula,
    Preset,
    Keep,
    // settings
    Settings,
    Theme,
    Motion,
    // rehearsal
    Start,
    Export,
    NewSeed,
    Toggle,
    Resume,
    Later,
    Reports,
}

impl Action {
    /// Whether it only moves, opens the chosen row or leaves: what each face does in its own way.
    pub fn is_moving(self) -> bool {
        use Action::*;
        matches!(
            self,
            Up | Down | Left | Right | PageUp | PageDown | Top | Bottom | Open | NextPane | PrevPane
        ) || matches!(self, NextLink | PrevLink | Back | Help | Jump | Suspend | Quit)
    }
}
