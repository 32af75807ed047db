//! What the services give, with faults said in a line.

use super::out::Out;
use crate::store::StoreError;

/// What a store call gave; a fault is said.
pub fn heard<T>(result: Result<T, StoreError>, out: &mut Out) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(fault) => {
            out.say(&format!("Not kept: {fault}."));
            None
        }
    }
}
