//! Any file can be given to `import`: it is taken in or refused with its line, and a second time brings nothing new.
#![no_main]

use infralens::store::{Source, Store};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(store) = Store::in_memory() else { return };
    if store.import(data, Source::Elsewhere, jiff::Timestamp::MAX).is_ok() {
        let again = store.import(data, Source::Elsewhere, jiff::Timestamp::MAX).expect("what was taken once is taken twice");
        assert_eq!(again.taken, 0, "a second import brought something new");
    }
});
