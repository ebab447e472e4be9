//! Work on all cores.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `work` with every number below `count`, on all cores, and returns the answers in order.
///
/// # Panics
/// Panics if a call does; most of the others are then left out.
pub fn on_all_cores<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let run = || {
        let _guard = StopOthers(&next);
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, work(index)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut done = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, answer)| answer).collect()
}

/// Ends the work of the other threads when this one panics.
struct StopOthers<'a>(&'a AtomicUsize);

impl Drop for StopOthers<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(usize::MAX / 2, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_order_and_panics_are_passed_on() {
        let squares: Vec<usize> = (0..1000).map(|i| i * i).collect();
        assert_eq!(on_all_cores(1000, |i| i * i), squares);
        assert!(on_all_cores(0, |i| i).is_empty());
        let failing = || on_all_cores(1000, |i| assert_ne!(i, 700));
        assert!(std::panic::catch_unwind(failing).is_err());
    }
}
