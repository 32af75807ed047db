//! The grammars, and from their captures to tokens.

use std::borrow::Cow;
use std::sync::OnceLock;

use tree_sitter_highlight::{HighlightConfiguration, HighlightEvent, Highlighter};

use super::{Token, TokenKind, Tokens};

/// A language that can be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    Python,
    Rust,
    Shell,
    Toml,
    Sql,
    JavaScript,
    TypeScript,
    Go,
    Java,
    C,
    Cpp,
    Markdown,
    /// The words of a Markdown paragraph; never asked for by name.
    MarkdownInline,
}

impl Language {
    /// The language that a pack or a fence names, in any case.
    pub fn named(name: &str) -> Option<Language> {
        match name.to_ascii_lowercase().as_str() {
            "python" | "py" | "python3" => Some(Language::Python),
            "rust" | "rs" => Some(Language::Rust),
            "shell" | "bash" | "sh" | "zsh" => Some(Language::Shell),
            "toml" => Some(Language::Toml),
            "sql" => Some(Language::Sql),
            "javascript" | "js" => Some(Language::JavaScript),
            "typescript" | "ts" => Some(Language::TypeScript),
            "go" | "golang" => Some(Language::Go),
            "java" => Some(Language::Java),
            "c" | "h" => Some(Language::C),
            "cpp" | "c++" | "cc" | "cxx" | "hpp" => Some(Language::Cpp),
            "markdown" | "md" => Some(Language::Markdown),
            _ => None,
        }
    }
}

/// Numbers and comments of SQL: the grammar's own query tells them by patterns and names of another editor.
const SQL_OWN: &str = "((literal) @number (#match? @number \"^[-+]?[0-9.]+$\"))\n(comment) @comment\n";

/// What the captures of the grammars' queries mean. The longest name that fits a capture wins.
const CAPTURES: [(&str, Option<TokenKind>); 30] = [
    ("attribute", Some(TokenKind::Property)),
    ("boolean", Some(TokenKind::Number)),
    ("comment", Some(TokenKind::Comment)),
    ("conditional", Some(TokenKind::Keyword)),
    ("constant", Some(TokenKind::Number)),
    ("constructor", Some(TokenKind::Type)),
    // code within a string is code again
    ("embedded", None),
    ("escape", Some(TokenKind::String)),
    ("field", Some(TokenKind::Property)),
    ("float", Some(TokenKind::Number)),
    ("function", Some(TokenKind::Function)),
    ("keyword", Some(TokenKind::Keyword)),
    ("label", Some(TokenKind::Property)),
    ("number", Some(TokenKind::Number)),
    ("operator", Some(TokenKind::Punctuation)),
    ("property", Some(TokenKind::Property)),
    ("punctuation", Some(TokenKind::Punctuation)),
    ("storageclass", Some(TokenKind::Keyword)),
    ("string", Some(TokenKind::String)),
    ("string.special", Some(TokenKind::Number)),
    ("tag", Some(TokenKind::Keyword)),
    ("text.emphasis", Some(TokenKind::Keyword)),
    ("text.literal", Some(TokenKind::String)),
    ("text.reference", Some(TokenKind::Function)),
    ("text.strong", Some(TokenKind::Keyword)),
    ("text.title", Some(TokenKind::Heading)),
    ("text.uri", Some(TokenKind::Property)),
    ("type", Some(TokenKind::Type)),
    ("variable", None),
    ("variable.builtin", Some(TokenKind::Keyword)),
];

/// What stands within Markdown: the words of a paragraph, and fenced code. The query that comes
/// with the grammar leaves out the parts of a node that have nodes of their own, so that most
/// of a paragraph is never seen.
const MARKDOWN_WITHIN: &str = r#"
((inline) @injection.content
  (#set! injection.language "markdown_inline")
  (#set! injection.include-children))
(fenced_code_block
  (info_string (language) @injection.language)
  (code_fence_content) @injection.content
  (#set! injection.include-children))
"#;

/// The grammars, each made ready when it is first needed: that is most of the work.
#[derive(Default)]
pub struct Grammars {
    ready: [OnceLock<Option<HighlightConfiguration>>; 13],
}

impl Grammars {
    /// The tokens of a text. What cannot be parsed has none.
    pub fn tokens(&self, language: Language, text: &str) -> Tokens {
        let mut lines = Lines::new(text);
        let Some(grammar) = self.grammar(language) else {
            return lines.tokens;
        };
        let mut highlighter = Highlighter::new();
        let injected = |name: &str| match name {
            "markdown_inline" => self.grammar(Language::MarkdownInline),
            name => Language::named(name).and_then(|language| self.grammar(language)),
        };
        let Ok(events) = highlighter.highlight(grammar, text.as_bytes(), None, None, injected) else {
            return lines.tokens;
        };
        let mut kinds = Vec::new();
        for event in events {
            match event {
                Ok(HighlightEvent::HighlightStart(highlight)) => kinds.push(CAPTURES[highlight.0].1),
                Ok(HighlightEvent::HighlightEnd) => {
                    kinds.pop();
                }
                Ok(HighlightEvent::Source { start, end }) => {
                    if let Some(kind) = kinds.last().copied().flatten() {
                        lines.push(start, end, kind);
                    }
                }
                Err(_) => break,
            }
        }
        lines.tokens
    }

    fn grammar(&self, language: Language) -> Option<&HighlightConfiguration> {
        self.ready[language as usize].get_or_init(|| configured(language)).as_ref()
    }
}

fn configured(language: Language) -> Option<HighlightConfiguration> {
    // what C and JavaScript have, C++ and TypeScript add to
    let added = |to: &str, query: &str| Cow::Owned(format!("{to}\n{query}"));
    let (grammar, name, query, within) = match language {
        Language::Python => {
            (tree_sitter_python::LANGUAGE, "python", Cow::Borrowed(tree_sitter_python::HIGHLIGHTS_QUERY), "")
        }
        Language::Rust => {
            (tree_sitter_rust::LANGUAGE, "rust", Cow::Borrowed(tree_sitter_rust::HIGHLIGHTS_QUERY), "")
        }
        Language::Shell => {
            (tree_sitter_bash::LANGUAGE, "bash", Cow::Borrowed(tree_sitter_bash::HIGHLIGHT_QUERY), "")
        }
        Language::Toml => {
            (tree_sitter_toml_ng::LANGUAGE, "toml", Cow::Borrowed(tree_sitter_toml_ng::HIGHLIGHTS_QUERY), "")
        }
        Language::Sql => {
            let query = added(tree_sitter_sequel::HIGHLIGHTS_QUERY, SQL_OWN);
            (tree_sitter_sequel::LANGUAGE, "sql", query, "")
        }
        Language::JavaScript => {
            let query = tree_sitter_javascript::HIGHLIGHT_QUERY;
            (tree_sitter_javascript::LANGUAGE, "javascript", Cow::Borrowed(query), "")
        }
        Language::TypeScript => {
            let query =
                added(tree_sitter_javascript::HIGHLIGHT_QUERY, tree_sitter_typescript::HIGHLIGHTS_QUERY);
            (tree_sitter_typescript::LANGUAGE_TYPESCRIPT, "typescript", query, "")
        }
        Language::Go => (tree_sitter_go::LANGUAGE, "go", Cow::Borrowed(tree_sitter_go::HIGHLIGHTS_QUERY), ""),
        Language::Java => {
            (tree_sitter_java::LANGUAGE, "java", Cow::Borrowed(tree_sitter_java::HIGHLIGHTS_QUERY), "")
        }
        Language::C => (tree_sitter_c::LANGUAGE, "c", Cow::Borrowed(tree_sitter_c::HIGHLIGHT_QUERY), ""),
        Language::Cpp => {
            let query = added(tree_sitter_c::HIGHLIGHT_QUERY, tree_sitter_cpp::HIGHLIGHT_QUERY);
            (tree_sitter_cpp::LANGUAGE, "cpp", query, "")
        }
        Language::Markdown => {
            // fenced code has its own colours, or none
            let query = tree_sitter_md::HIGHLIGHT_QUERY_BLOCK.replace("(fenced_code_block)", "");
            (tree_sitter_md::LANGUAGE, "markdown", Cow::Owned(query), MARKDOWN_WITHIN)
        }
        Language::MarkdownInline => {
            let query = tree_sitter_md::HIGHLIGHT_QUERY_INLINE;
            (tree_sitter_md::INLINE_LANGUAGE, "markdown_inline", Cow::Borrowed(query), "")
        }
    };
    let mut grammar = HighlightConfiguration::new(grammar.into(), name, &query, within, "").ok()?;
    grammar.configure(&CAPTURES.map(|(name, _)| name));
    Some(grammar)
}

/// Tokens cut into lines.
struct Lines {
    /// The first byte of each line, and the byte after the text.
    starts: Vec<usize>,
    tokens: Tokens,
}

impl Lines {
    fn new(text: &str) -> Lines {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        let tokens = vec![Vec::new(); starts.len()];
        starts.push(text.len() + 1);
        Lines { starts, tokens }
    }

    fn push(&mut self, start: usize, end: usize, kind: TokenKind) {
        let mut line = self.starts.partition_point(|first| *first <= start).saturating_sub(1);
        while line < self.tokens.len() && self.starts[line] < end {
            let first = self.starts[line];
            let last = self.starts[line + 1] - 1;
            let (from, to) = (start.max(first) - first, end.min(last).saturating_sub(first));
            if from < to {
                match self.tokens[line].last_mut() {
                    Some(token) if token.kind == kind && token.range.end == from => token.range.end = to,
                    _ => self.tokens[line].push(Token { range: from..to, kind }),
                }
            }
            line += 1;
        }
    }
}
