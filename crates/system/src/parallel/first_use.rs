//! Values that are computed on first use.

use super::ProcessLock;
use once_cell::race::OnceBox;
use std::fmt;

/// A value that is computed on first use, by one thread while the others wait; it is like
/// [`OnceLock`](std::sync::OnceLock), but a child that is made by `fork` while a thread computes the
/// value does not wait for that thread, which does not exist there: it computes the value again.
///
/// ```
/// use estoc_system::parallel::FirstUse;
/// let answer = FirstUse::new();
/// assert_eq!(answer.get(), None);
/// assert_eq!(answer.get_or_init(|| 6 * 7), &42);
/// assert_eq!(answer.get_or_init(|| unreachable!()), &42);
/// ```
pub struct FirstUse<T> {
    value: OnceBox<T>,
    turn: ProcessLock<()>,
}

impl<T> FirstUse<T> {
    /// Returns a place without a value.
    pub const fn new() -> Self {
        FirstUse {
            value: OnceBox::new(),
            turn: ProcessLock::new(()),
        }
    }

    /// Returns the value if it was computed.
    #[inline]
    pub fn get(&self) -> Option<&T> {
        self.value.get()
    }

    /// Returns the value, which is computed if it was not yet. The function may run in several threads,
    /// of which only one value is kept; it should give the same one each time.
    #[inline]
    pub fn get_or_init(&self, compute: impl FnOnce() -> T) -> &T {
        match self.value.get() {
            Some(value) => value,
            None => self.init(compute),
        }
    }

    #[cold]
    fn init(&self, compute: impl FnOnce() -> T) -> &T {
        // Without a turn, a thread that does not exist here has it.
        let _turn = self.turn.lock();
        self.value.get_or_init(|| Box::new(compute()))
    }
}

impl<T> Default for FirstUse<T> {
    fn default() -> Self {
        FirstUse::new()
    }
}

/// The copy has the value if it was computed.
impl<T: Clone> Clone for FirstUse<T> {
    fn clone(&self) -> Self {
        let copy = FirstUse::new();
        if let Some(value) = self.get() {
            copy.get_or_init(|| value.clone());
        }
        copy
    }
}

impl<T: fmt::Debug> fmt::Debug for FirstUse<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FirstUse").field(&self.get()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn threads_wait_for_the_first() {
        let (kept, calls) = (FirstUse::new(), AtomicUsize::new(0));
        // The first lock of all may be missed by others.
        drop(kept.turn.lock());
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let value = kept.get_or_init(|| calls.fetch_add(1, Ordering::Relaxed) + 10);
                    assert_eq!(*value, 10);
                });
            }
        });
        assert_eq!(calls.into_inner(), 1);
        let copy = kept.clone();
        assert_eq!(
            (copy.get(), format!("{copy:?}")),
            (Some(&10), "FirstUse(Some(10))".into())
        );
    }

    #[test]
    fn a_panic_leaves_it_without_a_value() {
        let kept: FirstUse<u8> = FirstUse::new();
        let compute = || kept.get_or_init(|| panic!("on purpose"));
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(compute));
        assert!(panicked.is_err());
        assert_eq!((kept.clone().get(), kept.get_or_init(|| 7)), (None, &7));
    }
}
