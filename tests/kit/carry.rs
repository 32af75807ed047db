//! What leaves a store.

use infralens::store::Store;

/// All that a store exports, as text.
pub fn exported(store: &Store) -> String {
    let mut text = Vec::new();
    store.export(&mut text).expect("an export");
    String::from_utf8(text).expect("UTF-8")
}
