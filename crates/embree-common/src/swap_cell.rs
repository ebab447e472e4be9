//! A value that many threads read without writing to shared memory, and one replaces.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
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
        // runs, as Embree's documentation of `rtcCommitScene` demands, and `set` is only called by a commit; that of a
        // `Copied` only if what it copies was changed since the value was set, which a host does not do while it asks for
        // it either: `rtcGetGeometry` is not safe against attaching, nor `rtcInterpolate` against setting buffers.
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

/// A copy of what a lock protects, which calls read without the lock until that changes.
pub struct Copied<T> {
    cell: SwapCell<T>,
    is_current: AtomicBool,
}

impl<T> Default for Copied<T> {
    fn default() -> Self {
        Copied {
            cell: SwapCell::default(),
            is_current: AtomicBool::new(false),
        }
    }
}

impl<T> Copied<T> {
    /// Returns the copy for the time of a call of the host, if nothing has changed since it was made.
    #[inline(always)]
    pub fn get(&self) -> Option<&T> {
        let is_current = self.is_current.load(Ordering::Acquire);
        is_current.then(|| self.cell.get()).flatten()
    }

    /// Says that what is copied changes, under its lock.
    pub fn outdate(&self) {
        self.is_current.store(false, Ordering::Release);
    }

    /// Makes a copy under the lock, unless there is one that is current. Returns the old one, to be dropped after the lock.
    pub fn renew(&self, copy: impl FnOnce() -> T) -> Option<Arc<T>> {
        if self.is_current.load(Ordering::Acquire) {
            return None;
        }
        let old = self.cell.set(Arc::new(copy()));
        self.is_current.store(true, Ordering::Release);
        old
    }
}
