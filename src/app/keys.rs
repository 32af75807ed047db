//! The one table of keys: it dispatches, it prints the footer, it prints the help.

use super::action::Action as A;
use super::key::Key;

/// A part of the program in which some keys mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // named by the screen or habit they belong to
pub enum Scope {
    Everywhere,
    Typing,
    Moving,
    Home,
    HomeNews,
    News,
    Lesson,
    Panes,
    LessonLab,
    LessonChecks,
    LessonDrill,
    LessonSim,
    Links,
    Lab,
    Code,
    Popup,
    Palette,
    Predict,
    Ran,
    Drill,
    Verdict,
    Checks,
    CheckNumber,
    CheckOrder,
    Worksheet,
    History,
    Rehearse,
    RehearseLessons,
    BrokenOff,
    Rehearsal,
    RehearsalPractice,
    RehearsalLeave,
    RehearsalMarks,
    Report,
    Reports,
    ReviewOpen,
    ReviewCheck,
    ReviewNote,
    ReviewMarked,
    ReviewGrade,
    ReviewLater,
    ReviewAhead,
    ReviewDone,
    Progress,
    ProgressMap,
    ProgressPlan,
    InterviewDate,
    Sims,
    Sim,
    SimSteps,
    SimValue,
    SimFormula,
    SimAnswer,
    SimChoice,
    SimAnswered,
    Puzzle,
    PuzzleSheet,
    Problems,
}

/// One row of the table.
#[derive(Debug)]
pub struct Binding {
    /// Where it works.
    pub scope: Scope,
    /// The keys, the one to show first.
    pub keys: &'static [&'static str],
    /// What it asks for.
    pub action: A,
    /// The word for the footer. Empty: not in the footer.
    pub hint: &'static str,
    /// What it does, for the help.
    pub help: &'static str,
}

const fn row(
    scope: Scope,
    keys: &'static [&'static str],
    action: A,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding {
        scope,
        keys,
        action,
        hint,
        help,
    }
}

/// All keys of the program. Within a scope the most useful come first: a narrow footer
/// drops the last.
pub const TABLE: &[Binding] = &[
    // Home
    row(Scope::Home, &["enter"], A::Open, "open", "open what is selected"),
    row(
        Scope::Home,
        &["d"],
        A::Drill,
        "drill",
        "answer a drill of the selected lesson, a new one first",
    ),
    row(
        Scope::Home,
        &["r"],
        A::Rehearse,
        "rehearse",
        "rehearse an interview against the clock",
    ),
    row(
        Scope::Home,
        &["v"],
        A::Review,
        "review",
        "work through what is due",
    ),
    row(
        Scope::Home,
        &["p"],
        A::Progress,
        "progress",
        "the map of lessons and parts",
    ),
    row(
        Scope::Home,
        &["c"],
        A::Continue,
        "continue",
        "go on where you were",
    ),
    row(
        Scope::Home,
        &["s"],
        A::Sims,
        "simulators",
        "the simulators and puzzles",
    ),
    row(
        Scope::Home,
        &["right", "l"],
        A::Right,
        "unfold",
        "show what a lesson holds",
    ),
    row(Scope::Home, &["y"], A::History, "history", "your earlier answers"),
    row(
        Scope::Home,
        &["i"],
        A::Plan,
        "",
        "the date of your interview, and what to do each day until then",
    ),
    row(Scope::Home, &["left", "h"], A::Left, "", "fold it again"),
    row(
        Scope::Home,
        &["!"],
        A::Problems,
        "",
        "packs that did not load, and why",
    ),
    row(
        Scope::HomeNews,
        &["n"],
        A::News,
        "what changed",
        "what changed in the course since you last looked",
    ),
    row(Scope::News, &["enter"], A::Open, "open", "open what changed"),
    // Lesson and lab
    row(
        Scope::Panes,
        &["tab"],
        A::NextPane,
        "other pane",
        "go to the other pane: the text, the code",
    ),
    row(
        Scope::LessonLab,
        &["l"],
        A::Lab,
        "lab",
        "open the lab that belongs to this section",
    ),
    row(
        Scope::LessonChecks,
        &["c"],
        A::Checks,
        "checks",
        "the checks of this lesson",
    ),
    row(
        Scope::LessonDrill,
        &["d"],
        A::Drill,
        "drill",
        "answer a drill of this lesson",
    ),
    row(
        Scope::Links,
        &["n"],
        A::NextLink,
        "next link",
        "select the next term or link",
    ),
    row(
        Scope::Lesson,
        &["enter"],
        A::Open,
        "open",
        "open the selected term or link",
    ),
    row(
        Scope::LessonSim,
        &["b"],
        A::Simulate,
        "simulate",
        "open the simulator with the values of the lesson or lab",
    ),
    row(
        Scope::Links,
        &["N", "shift+tab"],
        A::PrevLink,
        "",
        "select the previous term or link",
    ),
    row(Scope::Lesson, &[">", "."], A::NextPage, "", "next lesson"),
    row(Scope::Lesson, &["<", ","], A::PrevPage, "", "previous lesson"),
    row(
        Scope::Lesson,
        &["m"],
        A::MarkDone,
        "",
        "mark as read, or as not read",
    ),
    row(
        Scope::Lab,
        &["r"],
        A::Run,
        "predict, run",
        "write a prediction, then run the starter",
    ),
    row(
        Scope::Lab,
        &["e"],
        A::Edit,
        "edit a copy",
        "open a copy of the starter in your editor",
    ),
    row(
        Scope::Lab,
        &["enter"],
        A::Open,
        "open",
        "open the selected term or link",
    ),
    row(
        Scope::Lab,
        &["g"],
        A::ReadSection,
        "section",
        "read the section of this lab",
    ),
    row(
        Scope::Lab,
        &["m"],
        A::MarkDone,
        "",
        "mark as done, or as not done",
    ),
    row(
        Scope::Code,
        &["z"],
        A::HideNotes,
        "hide notes",
        "hide the notes: say each first, then reveal it",
    ),
    row(
        Scope::Code,
        &["space"],
        A::Reveal,
        "reveal",
        "reveal the note of this line",
    ),
    row(
        Scope::Code,
        &["]", "}"],
        A::NextBlock,
        "next block",
        "next block of the code",
    ),
    row(
        Scope::Code,
        &["[", "{"],
        A::PrevBlock,
        "",
        "previous block of the code",
    ),
    // pop-ups
    row(Scope::Popup, &["enter"], A::Open, "open", "go there"),
    row(Scope::Popup, &["esc", "q"], A::Back, "close", "close"),
    row(Scope::Palette, &["enter"], A::Open, "go there", "go there"),
    row(
        Scope::Palette,
        &["esc", "ctrl+p", "ctrl+c"],
        A::Back,
        "close",
        "close",
    ),
    row(Scope::Palette, &["down", "ctrl+n", "tab"], A::Down, "", "down"),
    row(Scope::Palette, &["up", "shift+tab"], A::Up, "", "up"),
    row(Scope::Palette, &["pgdn"], A::PageDown, "", "one page down"),
    row(Scope::Palette, &["pgup"], A::PageUp, "", "one page up"),
    // a lab that is run
    row(
        Scope::Predict,
        &["ctrl+s", "f5"],
        A::Submit,
        "run it",
        "keep the prediction and run the starter",
    ),
    row(Scope::Predict, &["esc"], A::Back, "not now", "back to the lab"),
    row(
        Scope::Ran,
        &["tab"],
        A::NextPane,
        "answers",
        "the answers to the predictions, or the output",
    ),
    row(Scope::Ran, &["r"], A::Run, "run again", "predict and run again"),
    row(
        Scope::Ran,
        &["esc", "enter", "q"],
        A::Back,
        "back to the lab",
        "back to the lab",
    ),
    // Drill
    row(
        Scope::Drill,
        &["ctrl+s", "f5"],
        A::Submit,
        "score it",
        "end the answer and score it",
    ),
    row(
        Scope::Drill,
        &["ctrl+t", "f2"],
        A::Checklist,
        "five parts",
        "show or hide the five parts",
    ),
    row(
        Scope::Drill,
        &["esc"],
        A::Back,
        "leave",
        "leave; the draft is kept",
    ),
    row(
        Scope::Drill,
        &["ctrl+x"],
        A::Discard,
        "",
        "start over with an empty page (ctrl+z brings the text back)",
    ),
    // Verdict
    row(
        Scope::Verdict,
        &["e"],
        A::Why,
        "why",
        "why: the rule that fired, point by point",
    ),
    row(Scope::Verdict, &["m"], A::Model, "model", "show the model answer"),
    row(
        Scope::Verdict,
        &["f"],
        A::Follow,
        "follow-up",
        "a follow-up question on the weakest part",
    ),
    row(
        Scope::Verdict,
        &["r"],
        A::Again,
        "again",
        "answer the drill again",
    ),
    row(
        Scope::Verdict,
        &["h"],
        A::Earlier,
        "earlier",
        "earlier attempts side by side",
    ),
    row(
        Scope::Verdict,
        &["g"],
        A::ReadSection,
        "section",
        "read the section that explains it",
    ),
    row(
        Scope::Verdict,
        &["x"],
        A::Dispute,
        "dispute",
        "dispute the selected mark; it is kept with the attempt",
    ),
    row(
        Scope::Verdict,
        &["tab"],
        A::NextPane,
        "next part",
        "select the next part",
    ),
    row(
        Scope::Verdict,
        &["shift+tab"],
        A::PrevPane,
        "",
        "select the previous part",
    ),
    // Checks and worksheets
    row(
        Scope::Checks,
        &["enter"],
        A::Open,
        "answer",
        "answer, or go to the next",
    ),
    row(Scope::Checks, &["f2", "ctrl+t"], A::Hint, "hint", "the next hint"),
    row(
        Scope::Checks,
        &["right"],
        A::Right,
        "next",
        "skip to the next check",
    ),
    row(
        Scope::Checks,
        &["left"],
        A::Left,
        "",
        "back to the previous check",
    ),
    row(
        Scope::CheckNumber,
        &["esc"],
        A::Back,
        "back",
        "back to where you came from",
    ),
    row(
        Scope::CheckOrder,
        &["space"],
        A::Reveal,
        "pick",
        "pick the step that comes next, or take it back",
    ),
    row(
        Scope::Worksheet,
        &["ctrl+s", "f5"],
        A::Submit,
        "check it",
        "have the worksheet checked",
    ),
    row(
        Scope::Worksheet,
        &["tab", "enter"],
        A::NextPane,
        "cell",
        "next cell",
    ),
    row(Scope::Worksheet, &["shift+tab"], A::PrevPane, "", "previous cell"),
    row(
        Scope::Worksheet,
        &["right"],
        A::Right,
        "choice",
        "next choice; in a cell that is typed, the cell to the right",
    ),
    row(
        Scope::Worksheet,
        &["left"],
        A::Left,
        "",
        "previous choice; in a cell that is typed, the cell to the left",
    ),
    row(Scope::Worksheet, &["down"], A::Down, "", "the cell below"),
    row(Scope::Worksheet, &["up"], A::Up, "", "the cell above"),
    row(
        Scope::Worksheet,
        &["f2", "ctrl+t"],
        A::Hint,
        "hint",
        "the next hint",
    ),
    row(
        Scope::Worksheet,
        &["pgdn"],
        A::PageDown,
        "scroll",
        "scroll down: the table, what was found",
    ),
    row(
        Scope::Worksheet,
        &["pgup"],
        A::PageUp,
        "",
        "scroll up: the question",
    ),
    row(
        Scope::Worksheet,
        &["esc"],
        A::Back,
        "leave",
        "leave; what you wrote is kept",
    ),
    // History, progress, review
    row(Scope::History, &["enter"], A::Open, "open", "open the attempt"),
    row(
        Scope::History,
        &["r"],
        A::Again,
        "again",
        "answer that drill again",
    ),
    row(
        Scope::ProgressMap,
        &["enter"],
        A::Open,
        "drill this",
        "a drill on just that part of that lesson",
    ),
    row(
        Scope::ProgressMap,
        &["right", "l"],
        A::Right,
        "part",
        "the next part",
    ),
    row(Scope::ProgressMap, &["left", "h"], A::Left, "", "the part before"),
    row(
        Scope::ProgressPlan,
        &["enter"],
        A::Open,
        "do this",
        "go to what the plan asks for",
    ),
    row(
        Scope::Progress,
        &["tab"],
        A::NextPane,
        "next view",
        "next view: map, answers, plan",
    ),
    row(
        Scope::Progress,
        &["shift+tab"],
        A::PrevPane,
        "",
        "the view before",
    ),
    row(
        Scope::Progress,
        &["i"],
        A::Edit,
        "interview",
        "set or clear the date of your interview",
    ),
    row(
        Scope::Progress,
        &["t"],
        A::Reports,
        "rehearsals",
        "the reports of your rehearsals",
    ),
    row(
        Scope::InterviewDate,
        &["enter"],
        A::Open,
        "keep",
        "keep the date; empty clears it",
    ),
    row(
        Scope::InterviewDate,
        &["esc"],
        A::Back,
        "not now",
        "leave the date as it was",
    ),
    row(
        Scope::ReviewOpen,
        &["enter"],
        A::Open,
        "open",
        "open what is due; esc brings you back here",
    ),
    row(
        Scope::ReviewCheck,
        &["enter"],
        A::Open,
        "answer",
        "answer the check",
    ),
    row(
        Scope::ReviewCheck,
        &["f2", "ctrl+t"],
        A::Hint,
        "hint",
        "the next hint",
    ),
    row(
        Scope::ReviewNote,
        &["space", "enter"],
        A::Reveal,
        "reveal",
        "reveal the note",
    ),
    row(
        Scope::ReviewMarked,
        &["enter"],
        A::Open,
        "next",
        "keep the grade of the marks and go on",
    ),
    row(
        Scope::ReviewGrade,
        &["1"],
        A::Digit(1),
        "again",
        "I did not know it",
    ),
    row(
        Scope::ReviewGrade,
        &["2"],
        A::Digit(2),
        "hard",
        "I knew it with effort",
    ),
    row(Scope::ReviewGrade, &["3"], A::Digit(3), "good", "I knew it"),
    row(
        Scope::ReviewGrade,
        &["4"],
        A::Digit(4),
        "easy",
        "I knew it at once",
    ),
    row(
        Scope::ReviewLater,
        &["right"],
        A::Right,
        "later",
        "leave it for another time; it stays due",
    ),
    row(
        Scope::ReviewAhead,
        &["c"],
        A::Continue,
        "work ahead",
        "work ahead: what you would forget first",
    ),
    row(Scope::ReviewDone, &["enter"], A::Back, "done", "back"),
    // Rehearsal: the set-up
    row(
        Scope::Rehearse,
        &["enter"],
        A::Start,
        "start",
        "start the rehearsal",
    ),
    row(
        Scope::Rehearse,
        &["down", "j"],
        A::Down,
        "setting",
        "next setting",
    ),
    row(Scope::Rehearse, &["up", "k"], A::Up, "", "previous setting"),
    row(
        Scope::Rehearse,
        &["right", "l"],
        A::Right,
        "change",
        "next value; a number may also be typed, a time as 90 or 1:30",
    ),
    row(Scope::Rehearse, &["left", "h"], A::Left, "", "previous value"),
    row(
        Scope::Rehearse,
        &["space"],
        A::Toggle,
        "lessons",
        "choose lessons; on any other setting, the next value",
    ),
    row(
        Scope::Rehearse,
        &["n"],
        A::NewSeed,
        "",
        "another seed: other prompts",
    ),
    row(
        Scope::Rehearse,
        &["y"],
        A::Reports,
        "reports",
        "the reports of earlier rehearsals",
    ),
    row(
        Scope::Rehearse,
        &["backspace", "delete"],
        A::Discard,
        "",
        "take back a digit",
    ),
    row(
        Scope::RehearseLessons,
        &["space"],
        A::Toggle,
        "choose",
        "choose the lesson, or leave it out",
    ),
    row(
        Scope::RehearseLessons,
        &["enter", "esc"],
        A::Back,
        "done",
        "back to the settings",
    ),
    row(
        Scope::RehearseLessons,
        &["delete"],
        A::Discard,
        "none",
        "choose none, which means all",
    ),
    row(
        Scope::BrokenOff,
        &["enter"],
        A::Resume,
        "go on",
        "go on with the time that was left",
    ),
    row(
        Scope::BrokenOff,
        &["s"],
        A::Submit,
        "score it",
        "score what is there, and see the report",
    ),
    row(
        Scope::BrokenOff,
        &["d"],
        A::Discard,
        "give it up",
        "give the rehearsal up; answers that were scored stay",
    ),
    // Rehearsal: it runs
    row(
        Scope::Rehearsal,
        &["ctrl+s", "f5"],
        A::Submit,
        "go on",
        "end thinking and begin to answer; or end the answer and go on",
    ),
    row(
        Scope::RehearsalPractice,
        &["ctrl+t", "f2"],
        A::Checklist,
        "parts",
        "show the parts as a checklist",
    ),
    row(
        Scope::Rehearsal,
        &["esc", "ctrl+q", "ctrl+c"],
        A::Back,
        "leave",
        "leave; you are asked first, and the clock keeps running",
    ),
    row(
        Scope::Rehearsal,
        &["f1"],
        A::Help,
        "keys",
        "all keys of this screen",
    ),
    row(
        Scope::RehearsalLeave,
        &["esc", "enter"],
        A::Back,
        "stay",
        "stay and go on",
    ),
    row(
        Scope::RehearsalLeave,
        &["s"],
        A::Submit,
        "end and score",
        "end it here; what is typed is scored, then the report",
    ),
    row(
        Scope::RehearsalLeave,
        &["l"],
        A::Later,
        "go on later",
        "leave and go on later with the time that is left; the report says so",
    ),
    row(
        Scope::RehearsalLeave,
        &["d"],
        A::Discard,
        "give it up",
        "give the rehearsal up; answers that were scored stay",
    ),
    row(
        Scope::RehearsalLeave,
        &["ctrl+q", "ctrl+c"],
        A::Quit,
        "",
        "quit; the next start offers to go on",
    ),
    row(
        Scope::RehearsalMarks,
        &["enter", "ctrl+s", "f5"],
        A::Submit,
        "go on",
        "go on: to the follow-up question, or to the next prompt",
    ),
    row(
        Scope::RehearsalMarks,
        &["o"],
        A::Open,
        "open",
        "open the verdict: why, the model answer, earlier attempts",
    ),
    row(
        Scope::RehearsalMarks,
        &["n"],
        A::NextPage,
        "next prompt",
        "leave follow-up questions out, on to the next prompt",
    ),
    row(
        Scope::RehearsalMarks,
        &["esc", "q", "ctrl+q", "ctrl+c"],
        A::Back,
        "leave",
        "leave; you are asked first",
    ),
    row(
        Scope::RehearsalMarks,
        &["?", "f1"],
        A::Help,
        "keys",
        "all keys of this screen",
    ),
    row(
        Scope::Report,
        &["enter"],
        A::Open,
        "open",
        "open the selected answer with its marks, or what to read next",
    ),
    row(
        Scope::Report,
        &["g"],
        A::ReadSection,
        "read next",
        "read the lesson that would help most",
    ),
    row(
        Scope::Report,
        &["x"],
        A::Export,
        "export",
        "write the report to files, as Markdown and as JSON",
    ),
    row(
        Scope::Report,
        &["r"],
        A::Again,
        "repeat",
        "the same rehearsal again, same seed",
    ),
    row(
        Scope::Report,
        &["y"],
        A::Reports,
        "reports",
        "the reports of earlier rehearsals",
    ),
    row(Scope::Reports, &["enter"], A::Open, "open", "open the report"),
    row(
        Scope::Reports,
        &["r"],
        A::Rehearse,
        "rehearse",
        "set up another rehearsal",
    ),
    // Simulators
    row(
        Scope::Sims,
        &["enter"],
        A::Open,
        "open",
        "open the simulator or puzzle",
    ),
    row(
        Scope::Puzzle,
        &["i"],
        A::Hint,
        "goal, hints",
        "the goal in words, and hints one by one",
    ),
    row(
        Scope::Puzzle,
        &["t"],
        A::Preset,
        "start over",
        "turn all knobs back to where the puzzle starts",
    ),
    row(
        Scope::PuzzleSheet,
        &["enter", "esc", "q"],
        A::Back,
        "to the knobs",
        "to the simulator and its knobs",
    ),
    row(Scope::PuzzleSheet, &["i"], A::Hint, "hint", "the next hint"),
    row(Scope::Sim, &["right", "l"], A::Right, "turn", "turn the knob up"),
    row(Scope::Sim, &["left", "h"], A::Left, "", "turn the knob down"),
    row(Scope::Sim, &["down", "j"], A::Down, "knob", "next knob"),
    row(Scope::Sim, &["up", "k"], A::Up, "", "previous knob"),
    row(
        Scope::Sim,
        &["tab", "v", "]"],
        A::NextPage,
        "picture",
        "next picture",
    ),
    row(
        Scope::Sim,
        &["p"],
        A::Predict,
        "predict",
        "predict a number, then see it",
    ),
    row(
        Scope::Sim,
        &["f"],
        A::Formula,
        "formula",
        "the formulas behind the numbers, with the values put in",
    ),
    row(
        Scope::Sim,
        &["t"],
        A::Preset,
        "preset",
        "next preset: real models and clusters",
    ),
    row(
        Scope::Sim,
        &["enter"],
        A::Open,
        "type",
        "type a value, with a unit if you like; a digit begins one too",
    ),
    row(
        Scope::Sim,
        &["z"],
        A::HideNotes,
        "fold",
        "fold the knobs away, or show them",
    ),
    row(
        Scope::Sim,
        &["shift+tab", "V", "["],
        A::PrevPage,
        "",
        "the picture before",
    ),
    row(Scope::SimSteps, &["space"], A::Play, "play", "play, or pause"),
    row(Scope::SimSteps, &["n"], A::Step, "step", "one step on"),
    row(Scope::SimSteps, &["b"], A::StepBack, "back", "one step back"),
    row(Scope::SimSteps, &["home", "g"], A::Top, "", "to the first step"),
    row(
        Scope::SimSteps,
        &["end", "G"],
        A::Bottom,
        "",
        "to the last step, which shows the whole",
    ),
    row(Scope::SimValue, &["enter"], A::Open, "set", "set the value"),
    row(
        Scope::SimValue,
        &["esc"],
        A::Back,
        "leave it",
        "leave the knob as it was",
    ),
    row(
        Scope::SimFormula,
        &["down", "j"],
        A::Down,
        "next number",
        "the next number",
    ),
    row(Scope::SimFormula, &["up", "k"], A::Up, "", "the number before"),
    row(
        Scope::SimFormula,
        &["esc", "f", "enter"],
        A::Back,
        "picture",
        "back to the picture",
    ),
    row(
        Scope::SimAnswer,
        &["enter"],
        A::Submit,
        "answer",
        "answer, and see",
    ),
    row(Scope::SimAnswer, &["pgdn"], A::PageDown, "", "scroll down"),
    row(Scope::SimAnswer, &["pgup"], A::PageUp, "", "scroll up"),
    row(Scope::SimChoice, &["pgdn"], A::PageDown, "", "scroll down"),
    row(Scope::SimChoice, &["pgup"], A::PageUp, "", "scroll up"),
    row(
        Scope::SimAnswer,
        &["esc"],
        A::Back,
        "not now",
        "leave the question",
    ),
    row(
        Scope::SimChoice,
        &["enter"],
        A::Submit,
        "answer",
        "answer, and see",
    ),
    row(
        Scope::SimChoice,
        &["down", "j"],
        A::Down,
        "choose",
        "the next option; its number chooses it too",
    ),
    row(Scope::SimChoice, &["up", "k"], A::Up, "", "the option before"),
    row(
        Scope::SimChoice,
        &["esc"],
        A::Back,
        "not now",
        "leave the question",
    ),
    row(
        Scope::SimAnswered,
        &["p"],
        A::Predict,
        "next question",
        "the next question",
    ),
    row(
        Scope::SimAnswered,
        &["enter", "esc"],
        A::Submit,
        "go on",
        "back to the knobs and pictures",
    ),
    // moving about
    row(Scope::Moving, &["j", "down"], A::Down, "", "down"),
    row(Scope::Moving, &["k", "up"], A::Up, "", "up"),
    row(
        Scope::Moving,
        &["pgdn", "ctrl+f", "space"],
        A::PageDown,
        "",
        "one page down",
    ),
    row(Scope::Moving, &["pgup", "ctrl+b"], A::PageUp, "", "one page up"),
    row(Scope::Moving, &["g", "home"], A::Top, "", "to the start"),
    row(Scope::Moving, &["G", "end"], A::Bottom, "", "to the end"),
    // typing: what works while a text field takes the letters
    row(Scope::Typing, &["f1"], A::Help, "keys", "all keys of this screen"),
    row(
        Scope::Typing,
        &["ctrl+p"],
        A::Jump,
        "",
        "jump anywhere: lessons, labs, drills, terms",
    ),
    row(
        Scope::Typing,
        &["ctrl+q"],
        A::Quit,
        "quit",
        "quit; everything is kept",
    ),
    row(
        Scope::Typing,
        &["ctrl+c"],
        A::Quit,
        "",
        "quit; everything is kept",
    ),
    // everywhere else
    row(
        Scope::Everywhere,
        &["/", "ctrl+p"],
        A::Jump,
        "jump",
        "jump anywhere: lessons, labs, drills, terms",
    ),
    row(
        Scope::Everywhere,
        &["?", "f1"],
        A::Help,
        "keys",
        "all keys of this screen",
    ),
    row(
        Scope::Everywhere,
        &["esc", "backspace"],
        A::Back,
        "back",
        "back to where you came from",
    ),
    row(
        Scope::Everywhere,
        &["q", "ctrl+q", "ctrl+c"],
        A::Quit,
        "quit",
        "quit; everything is kept",
    ),
    row(
        Scope::Everywhere,
        &["ctrl+z"],
        A::Suspend,
        "",
        "suspend, back to the shell",
    ),
];

/// The rows of these scopes, in their order.
pub fn rows(scopes: &[Scope]) -> impl Iterator<Item = &'static Binding> {
    scopes
        .iter()
        .flat_map(|&s| TABLE.iter().filter(move |b| b.scope == s))
}

/// What a key asks for in these scopes; the first scope that knows it decides.
pub fn find(scopes: &[Scope], key: Key) -> Option<A> {
    let name = key.to_string();
    rows(scopes)
        .find(|b| b.keys.contains(&name.as_str()))
        .map(|b| b.action)
}

/// What stands in the footer: the first key of each row that has a hint.
pub fn hints(scopes: &[Scope]) -> Vec<(&'static str, &'static str)> {
    let mut out: Vec<(&'static str, &'static str)> = Vec::new();
    let at_home = scopes.contains(&Scope::Home);
    // there is no way back from Home, and the footer names no dead key
    let works = |b: &Binding| !(b.hint.is_empty() || at_home && b.action == A::Back);
    for b in rows(scopes).filter(|b| works(b)) {
        if !out.iter().any(|(k, _)| *k == b.keys[0]) {
            out.push((b.keys[0], b.hint));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_in_the_table_is_a_key() {
        for b in TABLE {
            assert!(!b.keys.is_empty() && !b.help.is_empty());
            for name in b.keys {
                assert!(Key::parse(name).is_some(), "{name} is no key");
            }
        }
    }

    #[test]
    fn no_key_means_two_things_in_one_scope() {
        for (i, a) in TABLE.iter().enumerate() {
            for b in &TABLE[i + 1..] {
                let clash = a.scope == b.scope && a.keys.iter().any(|k| b.keys.contains(k));
                assert!(
                    !clash,
                    "{:?} and {:?} share a key in {:?}",
                    a.action, b.action, a.scope
                );
            }
        }
    }

    #[test]
    fn the_first_scope_decides() {
        let g = Key::parse("g").expect("g is a key");
        assert_eq!(find(&[Scope::Verdict, Scope::Moving], g), Some(A::ReadSection));
        assert_eq!(find(&[Scope::Home, Scope::Moving], g), Some(A::Top));
    }
}
