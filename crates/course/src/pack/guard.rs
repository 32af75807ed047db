//! Reading a pack of somebody else must not end the program, whatever is in it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::load::Loaded;
use super::problem::Problem;

thread_local! {
    static READING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread reads a pack. A panic of it is caught and becomes a problem of the pack, so that whoever
/// prints panics can leave it out.
pub fn is_reading() -> bool {
    READING.get()
}

/// Marks the thread as one that reads a pack, as long as the work takes.
pub(super) fn marked<T>(work: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            READING.set(self.0);
        }
    }
    let _before = Before(READING.replace(true));
    work()
}

/// What came of reading a pack; a panic on the way is a problem of it.
pub(super) fn guarded(read: impl FnOnce() -> Loaded) -> Loaded {
    // what the work held is dropped with it: nothing half done stays
    marked(|| catch_unwind(AssertUnwindSafe(read))).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a word");
        let fault = Problem::of_file(
            "pack.toml",
            format!("infralens itself failed while reading this pack: {said}"),
            "this is a fault in infralens: please report it with the pack, and remove the pack for now",
        );
        Loaded { pack: None, problems: vec![fault] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_problem() {
        let loaded = guarded(|| {
            assert!(is_reading());
            super::super::threads::each(&[1, 2], || (), |(), n| assert!(*n < 2, "two {}", is_reading()));
            Loaded { pack: None, problems: Vec::new() }
        });
        assert!(!is_reading());
        assert!(loaded.problems[0].what.contains("two true"), "{:?}", loaded.problems);
    }
}
