//! Values of a thread for the time of some work.

use std::cell::Cell;
use std::thread::LocalKey;

/// Sets a value of this thread for the time of some work, also where a panic leaves it.
pub(crate) fn scoped<T: Default, R>(
    key: &'static LocalKey<Cell<T>>,
    value: T,
    work: impl FnOnce() -> R,
) -> R {
    struct Outer<T: Default + 'static>(&'static LocalKey<Cell<T>>, T);
    impl<T: Default> Drop for Outer<T> {
        fn drop(&mut self) {
            self.0.set(std::mem::take(&mut self.1));
        }
    }
    let _outer = Outer(key, key.replace(value));
    work()
}
