//! Checks whether threads can be started.

use crate::check_room;

/// The largest number of threads of a pool.
pub const MAX_THREADS: usize = 1024;

/// What a thread takes: its stack and little else.
const THREAD_BYTES: usize = (2 << 20) + (256 << 10);

/// The number of threads that may start at the same time.
const MANY: usize = 64;

/// Returns an error, which says why, if a pool must not have `threads` threads: they are more than
/// [`MAX_THREADS`], or there is no memory for their stacks. A thread that starts without memory ends
/// the process.
///
/// ```
/// use estoc_system::check_threads;
/// assert_eq!(check_threads(1), Ok(()));
/// assert_eq!(check_threads(usize::MAX), Err("at most 1024 are supported".into()));
/// ```
pub fn check_threads(threads: usize) -> Result<(), String> {
    if threads > MAX_THREADS {
        return Err(format!("at most {MAX_THREADS} are supported"));
    }
    check_room(threads.min(MANY) * THREAD_BYTES).map_err(|_| "there is not enough memory".into())
}
