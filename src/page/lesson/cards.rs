//! A Markdown text in pieces to choose from, and in cards to be spoken one after another.

/// Letters that are spoken at once, where a paragraph ends behind them.
const CARD: usize = 360;

/// A Markdown text in pieces, one for each heading of the second level, with the heading. What comes before
/// the first is left out: the page says it.
pub fn pieces(markdown: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let mut fence = Fence::default();
    for line in markdown.lines() {
        if let (false, Some(title)) = (fence.holds(line), line.strip_prefix("## ")) {
            out.push((title.trim().to_owned(), String::new()));
        }
        if let Some((_, text)) = out.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    out
}

/// A piece in cards of whole paragraphs, a heading with what follows it.
pub fn cards(markdown: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut card = String::new();
    let mut fence = Fence::default();
    for line in markdown.lines() {
        let is_code = fence.holds(line);
        let last = card.trim_end().lines().last().unwrap_or("");
        let ends = !is_code && card.ends_with("\n\n") && !last.starts_with('#');
        let follows = line.starts_with("- ") || line.starts_with("  ") || line.starts_with(['|', '>']);
        if ends && !line.is_empty() && (line.starts_with('#') || card.len() > CARD && !follows) {
            out.push(std::mem::take(&mut card));
        }
        card.push_str(line);
        card.push('\n');
    }
    if !card.trim().is_empty() {
        out.push(card);
    }
    out
}

/// Whether lines stand in a fenced block.
#[derive(Default)]
pub(super) struct Fence(Option<String>);

impl Fence {
    /// Takes the next line; says whether it stands in a block.
    pub(super) fn holds(&mut self, line: &str) -> bool {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &self.0 {
            Some(open) if line.trim_end() == *open => self.0 = None,
            Some(_) => return true,
            None if ticks.len() >= 3 => self.0 = Some(ticks),
            None => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parted_at_its_headings_but_not_inside_code() {
        let text = "# T\n\nlead\n\n## One\n\na\n\n```text\n## not one\n```\n\n### sub\n\n## Two\n\nb\n";
        let titles: Vec<String> = pieces(text).into_iter().map(|(t, _)| t).collect();
        assert_eq!(titles, ["One", "Two"]);
        assert!(pieces(text)[0].1.contains("### sub") && pieces(text)[0].1.contains("## not one"));
    }

    #[test]
    fn a_card_holds_whole_paragraphs_and_a_heading_goes_with_what_follows() {
        let long = "word ".repeat(80);
        let text = format!("## One\n\n{long}\n\nsecond\n\n### Sub\n\n```text\na\n\nb\n```\n\nend\n");
        let all = cards(&text);
        assert_eq!(all.len(), 3, "{all:?}");
        assert!(all[0].starts_with("## One") && all[1].starts_with("second"));
        assert!(all[2].starts_with("### Sub") && all[2].contains("a\n\nb") && all[2].contains("end"));
        assert_eq!(all.concat(), text);
    }

    #[test]
    fn a_claim_and_its_answer_stand_in_one_card() {
        let text = format!("## Wrong\n\n{}\n\n**People say:** x\n\n> No: y\n\nend\n", "word ".repeat(80));
        let all = cards(&text);
        let claim = all.iter().find(|card| card.contains("People say")).unwrap();
        assert!(claim.contains("> No: y"), "{all:?}");
    }
}
