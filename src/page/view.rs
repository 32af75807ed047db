//! What a page shows: a document, where its rows lead, what is typed into it.

use super::action::Action;
use super::place::Place;
use crate::doc::{Cell, Column, Document, Heat, Row as Cells, Rows, Set, Shared};
pub use clock::Clock;

mod clock;

/// What there is to see. Rows that lead somewhere are numbered through body and side, from 0.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct View {
    /// What is read first.
    pub body: Document,
    /// What stands beside it from 100 columns on, and below it otherwise.
    pub side: Option<Document>,
    /// What stands below the body instead of the side where there is no room beside.
    pub foot: Option<Document>,
    /// What can be typed.
    pub input: Input,
    /// What lines end with, instead of the usual words on what can be typed.
    pub closing: Option<String>,
    /// A Markdown text that a terminal shows instead of the body, with its figures, where it has a face for that.
    pub text: Option<String>,
    /// The clock that runs.
    pub clock: Option<Clock>,
    /// What stands at the right end of the title line, and before the body in lines.
    pub facts: String,
    /// The same for the eye alone: an ear hears it in the body.
    pub glance: String,
    /// The steps of what is done here, at the right end of the title line.
    pub steps: Vec<(String, Step)>,
    /// Whether what is told of the chosen row stands below the body, and the side below that.
    pub stacks: bool,
    /// How things stand, below what is typed: rules that hold, whether it is kept.
    pub status: Document,
    /// What Enter alone does in lines, such as `reads on`; nothing where it goes back.
    pub enter: String,
    /// Where within the page one is, for who asks in lines: `section 2 of 7, How it works, 3 of 4`.
    pub whereabouts: String,
    /// What else can be typed in lines, and what it does.
    pub typed: Vec<(&'static str, &'static str)>,
    /// Whether what stands beside was heard once and for all: it is not said again with the whole page.
    pub passes: bool,
    /// The pack, by its index, that links in the texts belong to.
    pub pack: usize,
    /// The row that is chosen at first.
    pub first: usize,
    /// Whether what stands beside is read as much as the body.
    pub halves: bool,
    /// Whether its rows need the width: what is told of the chosen one stands below them, and beside them only on a wide
    /// screen.
    pub broad: bool,
    /// Whether two texts stand beside each other in the body, so that it has all the width, or most of a wide one.
    pub pairs: bool,
    /// Whether all of it stands in one column, at any width.
    pub one_column: bool,
    /// Whether that column stands in the middle of a wide screen.
    pub centred: bool,
    /// The body with room between its rows, for a high screen: the same rows, with nothing between them here.
    pub loose: Option<Document>,
    /// The body where there is no room for columns: the same rows, one thing below the other.
    pub narrow: Option<Document>,
    /// Whether no row is chosen until one is gone to.
    pub unchosen: bool,
    /// Why what was typed was not taken, for the row below it.
    pub refused: Option<String>,
    /// Whether a low screen leaves the row below the title empty, where all of it has room then.
    pub airy: bool,
    /// Another number than before: other rows, of which the first is chosen anew.
    pub turn: usize,
    leads: Vec<Lead>,
    side_leads: Vec<Lead>,
}

/// What can be typed into a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Input {
    /// Nothing; letters are keys.
    #[default]
    None,
    /// One line: what is asked for, and what stands there.
    #[allow(missing_docs)]
    Line { ask: String, text: String },
    /// One line in the line-mode face, beside its rows; a terminal has keys for it.
    #[allow(missing_docs)]
    Spoken { ask: String },
    /// A text of many lines: what is asked for, and how it stands.
    #[allow(missing_docs)]
    Text { ask: String, draft: String },
}

/// Where one is with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Behind one.
    Done,
    /// At hand.
    Now,
    /// To come.
    Ahead,
}

/// Where a row leads.
#[derive(Debug, Clone, PartialEq)]
pub enum Lead {
    /// To a place; the face goes there itself.
    To(Place),
    /// To an action of the page, as if its key were pressed.
    Do(Action),
    /// The page is asked: [`super::Act::Open`].
    Here,
}

/// A row, and where it leads.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    cells: Cells,
    lead: Option<Lead>,
}

impl Row {
    /// A row that leads to a place.
    pub fn to(place: Place) -> Row {
        Row::leading(Lead::To(place))
    }

    /// A row that stands for an action.
    pub fn act(action: Action) -> Row {
        Row::leading(Lead::Do(action))
    }

    /// A row that the page itself opens.
    pub fn here() -> Row {
        Row::leading(Lead::Here)
    }

    /// A row to read.
    pub fn plain() -> Row {
        Row::default()
    }

    /// A row that leads to a place, if there is one.
    pub fn to_some(place: Option<Place>) -> Row {
        place.map_or_else(Row::plain, Row::to)
    }

    fn leading(lead: Lead) -> Row {
        Row { cells: Cells { leads: true, ..Cells::default() }, lead: Some(lead) }
    }

    /// These cells instead of those it has; where it leads stays.
    pub fn with(self, cells: Cells) -> Row {
        Row { cells: Cells { leads: self.lead.is_some(), ..cells }, ..self }
    }

    /// One more cell.
    pub fn cell(self, cell: Cell) -> Row {
        Row { cells: self.cells.cell(cell), ..self }
    }

    /// One more line below the cells.
    pub fn line(self, cell: Cell) -> Row {
        Row { cells: self.cells.line(cell), ..self }
    }

    /// The number that is spoken before it, the same whatever stands above it.
    pub fn number(self, number: usize) -> Row {
        Row { cells: Cells { number: Some(number), ..self.cells }, ..self }
    }

    /// What is spoken instead of the cells.
    pub fn said(self, words: impl AsRef<str>) -> Row {
        Row { cells: self.cells.said(words), ..self }
    }

    /// Its cells wrap in their columns.
    pub fn tall(self) -> Row {
        Row { cells: self.cells.tall(), ..self }
    }

    /// Its cells wrap in their columns where there are many; else each is cut to a line.
    pub fn brief(self) -> Row {
        Row { cells: self.cells.brief(), ..self }
    }

    /// It names what stands below it.
    pub fn heading(self) -> Row {
        Row { cells: self.cells.heading(), ..self }
    }

    /// Its one cell is a text that wraps.
    pub fn wrapped(self) -> Row {
        Row { cells: self.cells.wrapped(), ..self }
    }
}

/// Rows in columns, and where they lead: made once, to be shown in view after view.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    rows: Shared,
    leads: Vec<Lead>,
}

impl Table {
    /// These rows.
    pub fn new(columns: Vec<Column>, rows: impl IntoIterator<Item = Row>) -> Table {
        let mut leads = Vec::new();
        let mut cells = Vec::new();
        for row in rows {
            leads.extend(row.lead);
            cells.push(row.cells);
        }
        Table { rows: Rows { columns, rows: cells }.into(), leads }
    }
}

impl View {
    /// Nothing yet.
    pub fn new() -> View {
        View::default()
    }

    /// Words as they are.
    pub fn words(self, text: &str) -> View {
        self.with(|body| body.words(text))
    }

    /// Words that may be overlooked.
    pub fn dim(self, text: &str) -> View {
        self.with(|body| body.dim(text))
    }

    /// A title within the page, in plain words.
    pub fn title(self, words: &str) -> View {
        self.with(|body| body.title(words))
    }

    /// A Markdown text. Its links belong to the pack of [`View::of_pack`].
    pub fn markdown(self, text: &str) -> View {
        self.with(|body| body.markdown(text))
    }

    /// The pack, by its index, that links belong to.
    pub fn of_pack(self, pack: usize) -> View {
        View { pack, ..self }
    }

    /// What Enter alone does in lines, such as `reads on`.
    pub fn enter(self, does: &str) -> View {
        View { enter: does.into(), ..self }
    }

    /// Where within the page one is, for who asks in lines.
    pub fn at(self, whereabouts: impl Into<String>) -> View {
        View { whereabouts: whereabouts.into(), ..self }
    }

    /// What else can be typed in lines, and what it does.
    pub fn typed(self, typed: &[(&'static str, &'static str)]) -> View {
        View { typed: typed.to_vec(), ..self }
    }

    /// What stands beside is heard once, and not said again with the whole page.
    pub fn passing(self) -> View {
        View { passes: true, ..self }
    }

    /// The row that is chosen at first.
    pub fn begin_at(self, first: usize) -> View {
        View { first, ..self }
    }

    /// What stands beside the chosen row has half of the width.
    pub fn halves(self) -> View {
        View { halves: true, ..self }
    }

    /// Its rows need the width.
    pub fn broad(self) -> View {
        View { broad: true, ..self }
    }

    /// What stands beside the body stands below it at any width, so that nothing moves when it comes.
    pub fn one_column(self) -> View {
        View { one_column: true, ..self }
    }

    /// The same in the middle of a wide screen, so that an answer and its reason stand below what was asked.
    pub fn centred(self) -> View {
        View { centred: true, ..self.one_column() }
    }

    /// What a high screen shows instead of the body: the same rows, with more room between them.
    pub fn loose(self, body: Document) -> View {
        View { loose: Some(body), ..self }
    }

    /// What a narrow screen shows instead of the body: the same rows.
    pub fn narrow(self, body: Document) -> View {
        View { narrow: Some(body), ..self }
    }

    /// No row is chosen until one is gone to: Enter alone opens none.
    pub fn unchosen(self) -> View {
        View { unchosen: true, ..self }
    }

    /// Why what was typed was not taken.
    pub fn refused(self, why: Option<String>) -> View {
        View { refused: why, ..self }
    }

    /// A low screen leaves the row below the title empty, where there is room.
    pub fn airy(self) -> View {
        View { airy: true, ..self }
    }

    /// Two texts stand beside each other in the body.
    pub fn pairs(self) -> View {
        View { pairs: true, ..self }
    }

    /// The number of the rows that it shows: with another one, the first is chosen anew.
    pub fn turn(self, turn: usize) -> View {
        View { turn, ..self }
    }

    /// Adds to the body what leads nowhere, by the methods of [`Document`].
    pub fn with(self, add: impl FnOnce(Document) -> Document) -> View {
        View { body: add(self.body), ..self }
    }

    /// Rows without titles.
    pub fn list(self, rows: impl IntoIterator<Item = Row>) -> View {
        self.table(Vec::new(), rows)
    }

    /// Rows in columns.
    pub fn table(self, columns: Vec<Column>, rows: impl IntoIterator<Item = Row>) -> View {
        self.put(&Table::new(columns, rows))
    }

    /// Rows that were made before.
    pub fn put(mut self, table: &Table) -> View {
        self.leads.extend_from_slice(&table.leads);
        self.with(|body| body.rows(table.rows.clone()))
    }

    /// A grid of shares; each cell leads where `lead` says of its row and column.
    pub fn heat(mut self, heat: Heat, lead: impl Fn(usize, usize) -> Lead) -> View {
        for (row, of) in heat.rows.iter().enumerate() {
            self.leads.extend((0..of.cells.len()).map(|column| lead(row, column)));
        }
        self.with(|body| body.heat(heat))
    }

    /// Views side by side where there is room; each takes at least the columns named before it.
    pub fn columns(mut self, parts: impl IntoIterator<Item = (u16, View)>) -> View {
        let bodies = self.take_in(parts);
        self.with(|body| body.columns(bodies))
    }

    /// The same, with nothing between them where one stands below the other.
    pub fn close_columns(mut self, parts: impl IntoIterator<Item = (u16, View)>) -> View {
        let bodies = self.take_in(parts);
        self.with(|body| body.set_columns(Set::Close, bodies))
    }

    /// Two texts beside each other, under the row before them.
    pub fn paired(self, least: u16, texts: [Document; 2]) -> View {
        self.with(|body| body.set_columns(Set::Paired, texts.map(|text| (least, text))))
    }

    fn take_in(&mut self, parts: impl IntoIterator<Item = (u16, View)>) -> Vec<(u16, Document)> {
        let mut bodies = Vec::new();
        for (least, part) in parts {
            self.leads.extend(part.leads);
            bodies.push((least, part.body));
        }
        bodies
    }

    /// The same below the body of another one.
    pub fn under(mut self, head: View) -> View {
        let mut leads = head.leads;
        leads.append(&mut self.leads);
        View { body: head.body.and(self.body), leads, ..self }
    }

    /// What stands beside the body.
    pub fn beside(self, side: View) -> View {
        View { side: Some(side.body), side_leads: side.leads, ..self }
    }

    /// What is known at a glance: it stands at the right end of the title line.
    pub fn facts(self, words: impl Into<String>) -> View {
        View { facts: words.into(), ..self }
    }

    /// The same for the eye alone: the body says it too, further up than a small screen shows.
    pub fn glance(self, words: impl Into<String>) -> View {
        View { glance: words.into(), ..self }
    }

    /// The steps of what is done here, each with whether it is done, and the one at hand.
    pub fn ticked<S: Into<String>>(self, steps: impl IntoIterator<Item = (S, bool)>, now: usize) -> View {
        let step = |at: usize, is_done: bool| match (is_done, at == now) {
            (true, _) => Step::Done,
            (false, true) => Step::Now,
            (false, false) => Step::Ahead,
        };
        let steps = steps.into_iter().enumerate();
        View { steps: steps.map(|(at, (name, done))| (name.into(), step(at, done))).collect(), ..self }
    }

    /// What is told of the chosen row stands below the body, and the side below that.
    pub fn stacked(self) -> View {
        View { stacks: true, ..self }
    }

    /// What stands below the body, short, where there is no room for the side.
    pub fn foot(self, foot: Document) -> View {
        View { foot: Some(foot), ..self }
    }

    /// What lines end with: what can be typed here, in a sentence.
    pub fn closing(self, words: &str) -> View {
        View { closing: Some(words.into()), ..self }
    }

    /// One line can be typed: what is asked for, and what stands there.
    pub fn line(self, ask: &str, text: &str) -> View {
        View { input: Input::Line { ask: ask.into(), text: text.into() }, ..self }
    }

    /// A text can be typed: what is asked for, and how it stands.
    pub fn text(self, ask: &str, draft: &str) -> View {
        View { input: Input::Text { ask: ask.into(), draft: draft.into() }, ..self }
    }

    /// A terminal shows this Markdown text instead.
    pub fn reading(self, text: &str) -> View {
        View { text: Some(text.into()), ..self }
    }

    /// A clock runs.
    pub fn timed(self, clock: Clock) -> View {
        View { clock: Some(clock), ..self }
    }

    /// How things stand, in words that may be overlooked.
    pub fn standing(self, words: &str) -> View {
        View { status: Document::new().dim(words), ..self }
    }

    /// In lines, one line can be typed besides the numbers of rows; what is asked for.
    pub fn spoken(self, ask: &str) -> View {
        View { input: Input::Spoken { ask: ask.into() }, ..self }
    }

    /// Where the row with this number leads.
    pub fn lead(&self, row: usize) -> Option<&Lead> {
        match row.checked_sub(self.leads.len()) {
            None => self.leads.get(row),
            Some(row) => self.side_leads.get(row),
        }
    }

    /// How many rows lead somewhere.
    pub fn choices(&self) -> usize {
        self.leads.len() + self.side_leads.len()
    }

    /// The numbers that are spoken before them, in their order.
    pub fn numbers(&self) -> Vec<usize> {
        let mut all = self.body.numbers(0);
        let last = all.last().map_or(0, |last| *last);
        all.extend(self.side.iter().flat_map(|side| side.numbers(last)));
        all
    }

    /// The row that a number is spoken before.
    pub fn row_of(&self, number: usize) -> Option<usize> {
        self.numbers().iter().position(|n| *n == number)
    }

    /// The number that the rows of the side count on from.
    pub fn side_from(&self) -> usize {
        self.body.numbers(0).last().map_or(0, |last| *last)
    }

    /// How many of them stand in the body.
    pub fn choices_in_body(&self) -> usize {
        self.leads.len()
    }
}
