//! A lock that does not outlive a fork.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};

/// A lock for which no thread waits that cannot be given it.
///
/// A child that is made by `fork` has the memory of its parent, and of its threads only the one that
/// forked. A lock that another thread held then is never released in the child. Here the process that
/// holds the lock is known, so the child finds that out instead of waiting forever. The value may then be
/// half changed, so it is never handed out again in that child.
#[derive(Debug, Default)]
pub struct ProcessLock<T> {
    value: Mutex<T>,
    /// The process that took the lock last.
    owner: AtomicU32,
}

impl<T> ProcessLock<T> {
    /// Returns a lock with this value.
    pub const fn new(value: T) -> Self {
        ProcessLock {
            value: Mutex::new(value),
            owner: AtomicU32::new(0),
        }
    }

    /// Waits until no thread of this process holds the lock, and returns it. A panic of a thread that
    /// held it is ignored. Returns `None` if a thread of a parent process held it at the `fork`; it may
    /// also return `None` in the moment in which another thread takes the lock for the first time.
    pub fn lock(&self) -> Option<MutexGuard<'_, T>> {
        let process = this_process();
        let guard = match self.value.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(guard)) => guard.into_inner(),
            Err(TryLockError::WouldBlock) if self.owner.load(Ordering::Acquire) == process => {
                self.value.lock().unwrap_or_else(PoisonError::into_inner)
            }
            Err(TryLockError::WouldBlock) => return None,
        };
        self.owner.store(process, Ordering::Release);
        Some(guard)
    }
}

/// Returns the number of this process. Where there are none, there is no `fork` either.
fn this_process() -> u32 {
    match cfg!(target_family = "wasm") {
        true => 1,
        false => std::process::id(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_of_another_process_is_not_waited_for() {
        let lock = ProcessLock::new(3);
        *lock.lock().unwrap() = 4;
        let held = lock.lock().unwrap();
        // As a child finds it.
        lock.owner.store(this_process() + 1, Ordering::Release);
        assert!(lock.lock().is_none());
        drop(held);
        assert_eq!(*lock.lock().unwrap(), 4);
    }

    #[test]
    fn threads_of_one_process_take_turns() {
        let lock = ProcessLock::new(0);
        drop(lock.lock());
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        *lock.lock().unwrap() += 1;
                    }
                });
            }
        });
        assert_eq!(*lock.lock().unwrap(), 4000);
    }

    #[test]
    fn a_panic_does_not_keep_the_lock() {
        let lock = ProcessLock::new(1);
        let panicked = std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _held = lock.lock();
                panic!("on purpose");
            });
            panics.join()
        });
        assert!(panicked.is_err());
        assert_eq!(*lock.lock().unwrap(), 1);
    }
}
