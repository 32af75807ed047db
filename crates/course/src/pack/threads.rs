//! Work on many files with all processors.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::guard::marked;

/// Fewer items than this are not worth another thread.
const SHARE: usize = 16;
/// Reading files gains nothing from more threads than this.
const MOST: usize = 8;

/// Does the same for every item; the results are in the order of the items. Each thread begins
/// with a state of its own, made by `begin`.
pub(super) fn each<T: Sync, S, R: Send>(
    items: &[T],
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let workers = processors.min(items.len() / SHARE + 1).min(MOST);
    let next = AtomicUsize::new(0);
    let share = || {
        let mut state = begin();
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                return done;
            };
            done.push((at, work(&mut state, item)));
        }
    };
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(|| marked(share))).collect();
        let mut done = share();
        for other in others {
            match other.join() {
                Ok(mut more) => done.append(&mut more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..500).collect();
        let doubled = each(&items, || 2, |factor, n| *factor * n);
        assert!(doubled.iter().enumerate().all(|(at, n)| *n == 2 * at));
    }
}
