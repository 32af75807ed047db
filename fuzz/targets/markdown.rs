//! Any Markdown is a document, and the document holds nothing that a terminal would obey.
#![no_main]

use infralens_course::doc::speech::Form;
use infralens_course::doc::{Document, escape};
use infralens_fuzz::texts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for text in texts(data).iter().take(1) {
        let document = Document::parse(text);
        for width in [1, 7, 80] {
            let lines = document.plain(width).into_iter().chain(document.lines(width, Form::Numbered(0)));
            for line in lines {
                assert!(!line.chars().any(escape::is_harmful), "{line:?}");
            }
        }
    }
});
