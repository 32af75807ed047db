//! Rows that several documents hold at once.

use std::ops::Deref;
use std::sync::Arc;

use super::Rows;

/// Rows that are made once: to take them into another document copies nothing, and the same ones are known at once. With
/// many packs Home has ten thousand.
#[derive(Debug, Clone, Default)]
pub struct Shared(Arc<Rows>);

impl From<Rows> for Shared {
    fn from(rows: Rows) -> Self {
        Shared(Arc::new(rows))
    }
}

impl Deref for Shared {
    type Target = Rows;

    fn deref(&self) -> &Rows {
        &self.0
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || *self.0 == *other.0
    }
}
