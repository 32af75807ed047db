//! Texts that are no answer in sentences: code, data, a table, thousands of words.

/// More words than anybody says as an answer.
const MOST_WORDS: usize = 2000;

/// The share of signs in a line, and in a whole text, that sentences do not have.
const OF_LINE: f64 = 0.09;
const OF_TEXT: f64 = 0.1;

/// The share of the text in such lines, of so many lines at least.
const IN_LINES: f64 = 0.55;
const LINES: usize = 6;

/// Whether most of a text is not sentences.
pub(super) fn is_none(text: &str, words: usize) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    let length = |line: &str| line.chars().count();
    let odd = lines().filter(|line| is_odd(line)).map(length).sum::<usize>() as f64;
    let all = lines().map(length).sum::<usize>().max(1) as f64;
    let is_laid_out = lines().count() >= LINES && odd / all >= IN_LINES && share(text) >= OF_TEXT;
    let is_data = text.trim_start().starts_with(['{', '[']) && text.contains("\":") && share(text) >= OF_LINE;
    words > MOST_WORDS || is_laid_out || is_data
}

/// Whether a line is one of code, data or a table.
fn is_odd(line: &str) -> bool {
    let sign = ['{', '}', '[', ']', '|'];
    line.starts_with(sign) || line.ends_with(sign) || line.ends_with(';') || share(line) >= OF_LINE
}

/// The share of its letters and signs that are signs of code.
fn share(text: &str) -> f64 {
    let seen = || text.chars().filter(|c| !c.is_whitespace());
    let signs = seen().filter(|c| "{}[]\"|<>;=\\_`#()*".contains(*c)).count();
    signs as f64 / seen().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_not_prose(text: &str) -> bool {
        is_none(text, crate::count_words(text))
    }

    #[test]
    fn code_data_tables_and_very_long_texts_are_no_sentences() {
        let code = "import torch\nmodel = DDP(model)\nfor x, y in loader:\n    loss = f(model(x), y)\n    loss.backward()\n    opt.step()\n";
        let json =
            r#"{"id": "a", "answer": "DDP keeps a replica on each rank", "marks": [1, 0.5], "at": "now"}"#;
        let table = "| stage | bytes |\n|---|---|\n| ZeRO-1 | 4 + 12/d |\n| ZeRO-2 | 2 + 14/d |\n| ZeRO-3 | 16/d |\n| none | 16 |\n";
        for text in [code, json, table, &"many words ".repeat(1500)] {
            assert!(is_not_prose(text), "{text}");
        }
    }

    #[test]
    fn notes_formulas_and_lists_are_an_answer() {
        for text in [
            "bubble=(p-1)/(m+p-1): 7/(m+7)<=.1 -> m>=63, use 64. Links: p2p act fwd + grad bwd.",
            "- `bucket_cap_mb` is huge\n- no_sync() is left on\n- one unit (FSDP) wraps all\n- a parameter is unused\n",
            "NCCL_DEBUG=INFO plus NCCL_DEBUG_SUBSYS=TUNING logs chosen algo/proto.",
            "State: 2 + 2 + 12 = 16 bytes.\nZeRO-1: 4 + 12/8 = 5.5 bytes.\nZeRO-3: 16/8 = 2 bytes.\nI measure it.\n",
            "",
        ] {
            assert!(!is_not_prose(text), "{text}");
        }
    }
}
