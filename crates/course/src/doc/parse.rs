//! From Markdown to blocks.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::{Align, Block, Inline, LinkKind, Look, Run, TableColumn};

/// Containers nested deeper than this are laid out as if they were not there.
const DEPTH: usize = 12;

/// The blocks of a text. Links are added to `links`.
pub fn blocks(text: &str, links: &mut Vec<(String, LinkKind)>) -> Vec<Block> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_WIKILINKS;
    let mut builder = Builder::new(links);
    for event in Parser::new_ext(text, options) {
        builder.event(event);
    }
    builder.finish()
}

/// The words of a text that should be a single paragraph; several are joined.
pub fn inline(text: &str, links: &mut Vec<(String, LinkKind)>) -> Inline {
    let mut words = Inline::new();
    for block in blocks(text, links) {
        match block {
            Block::Paragraph(inline) | Block::Heading(_, inline) => words.extend(inline),
            // "1. Start" or "- x" in a title is words, not a list
            _ => {
                return vec![Run { text: text.to_string(), ..Run::default() }];
            }
        }
    }
    words
}

/// A container that is still open.
enum Open {
    List {
        start: Option<u64>,
        loose: bool,
        items: Vec<Vec<Block>>,
    },
    Item,
    Quote,
    Table {
        columns: Vec<TableColumn>,
        rows: Vec<Vec<Inline>>,
    },
    /// Nested too deep: its blocks go to the container around it.
    Ignored,
}

struct Builder<'a> {
    links: &'a mut Vec<(String, LinkKind)>,
    /// Finished blocks of the document, and of each open container that holds blocks.
    levels: Vec<Vec<Block>>,
    open: Vec<Open>,
    words: Inline,
    look: Look,
    depths: [usize; 3],
    link: Option<usize>,
    /// Where the words of the open link begin in `words`.
    link_words: usize,
    code: Option<Code>,
    row: Vec<Inline>,
}

/// A block of code that is being read.
#[derive(Default)]
struct Code {
    language: String,
    spoken: Option<String>,
    text: String,
}

/// What stands behind a fence: a language, and perhaps ` | ` with what is said instead of the block.
fn fence(info: &str) -> Code {
    let (language, spoken) =
        info.split_once(" | ").map_or((info, None), |(language, said)| (language, Some(said)));
    Code {
        language: language.split([' ', ',']).next().unwrap_or("").to_string(),
        spoken: spoken.map(|said| said.trim().to_owned()).filter(|said| !said.is_empty()),
        text: String::new(),
    }
}

impl<'a> Builder<'a> {
    fn new(links: &'a mut Vec<(String, LinkKind)>) -> Builder<'a> {
        Builder {
            links,
            levels: vec![Vec::new()],
            open: Vec::new(),
            words: Inline::new(),
            look: Look::default(),
            depths: [0; 3],
            link: None,
            link_words: 0,
            code: None,
            row: Vec::new(),
        }
    }

    fn finish(mut self) -> Vec<Block> {
        self.flush();
        self.levels.into_iter().flatten().collect()
    }

    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => {
                let look = Look { code: true, ..self.look };
                self.push(&text, look);
            }
            Event::InlineHtml(text) if text.starts_with("<!--") => {}
            Event::Html(text) | Event::InlineHtml(text) => self.text(&text),
            Event::SoftBreak => self.text(" "),
            Event::HardBreak => self.text("\n"),
            Event::Rule => self.block(Block::Rule),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Emphasis => self.mark(0, 1),
            Tag::Strong => self.mark(1, 1),
            Tag::Strikethrough => self.mark(2, 1),
            Tag::Link { link_type, dest_url, .. } => self.start_link(link_type, &dest_url),
            Tag::Image { .. } => self.text("[image: "),
            Tag::Paragraph => {
                self.flush();
                self.loosen();
            }
            Tag::TableCell => self.words.clear(),
            Tag::TableHead | Tag::TableRow => self.row.clear(),
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = Some(match kind {
                    CodeBlockKind::Fenced(info) => fence(&info),
                    CodeBlockKind::Indented => Code::default(),
                });
            }
            Tag::List(start) => self.open(Open::List { start, loose: false, items: Vec::new() }),
            Tag::Item => self.open(Open::Item),
            Tag::BlockQuote(_) => self.open(Open::Quote),
            Tag::Table(alignments) => {
                let columns = alignments
                    .iter()
                    .map(|align| TableColumn { align: aligned(*align), ..TableColumn::default() });
                self.open(Open::Table { columns: columns.collect(), rows: Vec::new() });
            }
            _ => self.flush(),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Emphasis => self.mark(0, -1),
            TagEnd::Strong => self.mark(1, -1),
            TagEnd::Strikethrough => self.mark(2, -1),
            TagEnd::Link => self.end_link(),
            TagEnd::Image => self.text("]"),
            TagEnd::HtmlBlock => self.end_html(),
            TagEnd::Heading(level) => {
                let words = std::mem::take(&mut self.words);
                self.block(Block::Heading(level as u8, words));
            }
            TagEnd::CodeBlock => {
                if let Some(Code { language, spoken, text }) = self.code.take() {
                    self.block(Block::Code {
                        language,
                        text: text.trim_end_matches('\n').to_string(),
                        spoken,
                    });
                }
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                self.row.push(cell);
            }
            TagEnd::TableHead => self.end_head(),
            TagEnd::TableRow => {
                let row = std::mem::take(&mut self.row);
                if let Some(Open::Table { rows, .. }) = self.open.last_mut() {
                    rows.push(row);
                }
            }
            TagEnd::List(_) | TagEnd::Item | TagEnd::BlockQuote(_) | TagEnd::Table => self.close(),
            _ => self.flush(),
        }
    }

    /// HTML is shown as it is written, comments are not shown.
    fn end_html(&mut self) {
        if self.words.first().is_some_and(|run| run.text.trim_start().starts_with("<!--")) {
            self.words.clear();
        }
        self.flush();
    }

    fn end_head(&mut self) {
        let titles = std::mem::take(&mut self.row);
        if let Some(Open::Table { columns, .. }) = self.open.last_mut() {
            for (column, title) in columns.iter_mut().zip(titles) {
                column.title = title;
            }
        }
    }

    fn text(&mut self, text: &str) {
        match &mut self.code {
            Some(code) => code.text.push_str(text),
            None => self.push(text, self.look),
        }
    }

    fn push(&mut self, text: &str, look: Look) {
        match self.words.last_mut() {
            Some(run) if run.look == look && run.link == self.link && !look.code => run.text.push_str(text),
            _ => self.words.push(Run { text: text.to_string(), look, link: self.link }),
        }
    }

    fn mark(&mut self, which: usize, by: isize) {
        self.depths[which] = self.depths[which].saturating_add_signed(by);
        let [emphasis, strong, struck] = self.depths.map(|depth| depth > 0);
        self.look = Look { emphasis, strong, struck, ..self.look };
    }

    fn start_link(&mut self, link_type: LinkType, target: &str) {
        let kind = match link_type {
            LinkType::WikiLink { .. } => LinkKind::Term,
            LinkType::Autolink | LinkType::Email => LinkKind::Address,
            _ if ["https:", "http:", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) => {
                LinkKind::Address
            }
            _ => LinkKind::Place,
        };
        // In a table the bar of `[[term|shown]]` is escaped, and the parser leaves the escape there.
        let target = match kind {
            LinkKind::Term => target.trim_end_matches('\\'),
            _ => target,
        };
        self.links.push((target.to_string(), kind));
        self.link = Some(self.links.len() - 1);
        self.link_words = self.words.len();
    }

    /// Ends a link; an address that is not already its words is shown behind them.
    fn end_link(&mut self) {
        let Some(link) = self.link else { return };
        let (target, kind) = self.links[link].clone();
        let words: String = self
            .words
            .get(self.link_words..)
            .unwrap_or_default()
            .iter()
            .map(|run| run.text.as_str())
            .collect();
        if words.trim().is_empty() {
            self.push(&target, self.look);
        } else if kind == LinkKind::Address && words != target {
            let look = Look { address: true, ..Look::default() };
            self.push(&format!(" ({target})"), look);
        }
        self.link = None;
    }

    /// A paragraph inside an item makes its list loose.
    fn loosen(&mut self) {
        if let [.., Open::List { loose, .. }, Open::Item] = self.open.as_mut_slice() {
            *loose = true;
        }
    }

    /// Ends the paragraph that is being read.
    fn flush(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.iter().any(|run| !run.text.trim().is_empty()) {
            self.block(Block::Paragraph(words));
        }
    }

    fn block(&mut self, block: Block) {
        self.levels.last_mut().expect("the document's own level is never popped").push(block);
    }

    fn open(&mut self, container: Open) {
        self.flush();
        if self.open.len() >= DEPTH {
            self.open.push(Open::Ignored);
            return;
        }
        if matches!(container, Open::Item | Open::Quote) {
            self.levels.push(Vec::new());
        }
        self.open.push(container);
    }

    fn close(&mut self) {
        self.flush();
        match self.open.pop() {
            Some(Open::List { start, loose, items }) => self.block(Block::List { start, loose, items }),
            Some(Open::Table { columns, rows }) => self.block(Block::Table { columns, rows }),
            Some(Open::Quote) => {
                let blocks = self.close_level();
                self.block(Block::Quote(blocks));
            }
            Some(Open::Item) => {
                let blocks = self.close_level();
                if let Some(Open::List { items, .. }) = self.open.last_mut() {
                    items.push(blocks);
                }
            }
            Some(Open::Ignored) | None => {}
        }
    }

    fn close_level(&mut self) -> Vec<Block> {
        self.levels.pop().unwrap_or_default()
    }
}

fn aligned(align: Alignment) -> Align {
    match align {
        Alignment::None | Alignment::Left => Align::Left,
        Alignment::Center => Align::Centre,
        Alignment::Right => Align::Right,
    }
}
