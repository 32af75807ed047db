//! Templates, formulas and amounts: a text or a fault, never a panic, never a number that is not finite.
#![no_main]

use infralens_course::pack;
use infralens_course::sim::{expr, quantity};
use infralens_fuzz::texts;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let texts = texts(data);
    let text = texts[0].as_str();
    if let Err(fault) = pack::fill(text, &()) {
        assert!(text.get(fault.at.clone()).is_some(), "{fault:?} is outside the text");
    }
    if let Ok(value) = expr::value(text, &()) {
        assert!(value.is_finite());
    }
    for asked in ["", "B", "GB/s", "s", "%", "GPU"] {
        if let Ok(value) = quantity::read(text, asked) {
            assert!(value.is_finite());
        }
    }
});
