//! A value that many threads read without writing to shared memory, and one replaces.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A value or none.
pub struct SwapCell<T> {
    value: AtomicPtr<T>,
    /// Holds what `value` points to.
    kept: Mutex<Option<Arc<T>>>,
}

impl<T> Default for SwapCell<T> {
    fn default() -> Self {
        SwapCell {
            value: AtomicPtr::new(null_mut()),
            kept: Mutex::new(None),
        }
    }
}

impl<T> SwapCell<T> {
    /// Returns the value for the time of a call of the host.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: null, or what `kept` holds until `set` is called. The host does not commit a scene while a query about it
        // runs, as Embree's documentation of `rtcCommitScene` demands, and `set` is only called by a commit.
        unsafe { self.value.load(Ordering::Acquire).as_ref() }
    }

    /// Returns a reference of the value.
    pub fn shared(&self) -> Option<Arc<T>> {
        self.kept
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Replaces the value, and returns what it was.
    pub fn set(&self, value: Arc<T>) -> Option<Arc<T>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        self.value
            .store(Arc::as_ptr(&value).cast_mut(), Ordering::Release);
        kept.replace(value)
    }
}
