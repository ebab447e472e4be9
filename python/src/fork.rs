//! Work that no `fork` falls into.
//!
//! A child has the memory of its parent, but of its threads only the one that forked. What another thread
//! was changing stays half changed there, and a lock that it held is never released. So Python's `fork`
//! waits until no thread is at such work, and such work waits until the `fork` is over. It is short, at
//! most the time in which the changes of a scene are taken up, and does not need the interpreter's lock.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The number of threads that are about to fork.
static FORKS: AtomicUsize = AtomicUsize::new(0);

/// The number of threads at work that no `fork` may fall into.
static WORKS: AtomicUsize = AtomicUsize::new(0);

/// How long a thread sleeps before it looks again.
const PAUSE: Duration = Duration::from_micros(50);

/// Does work while no thread forks. It must not be called by such work, nor by a thread that holds the
/// interpreter's lock, for which the forking thread may wait.
pub(crate) fn apart<T>(work: impl FnOnce() -> T) -> T {
    loop {
        WORKS.fetch_add(1, Ordering::SeqCst);
        let at_work = AtWork;
        if FORKS.load(Ordering::SeqCst) == 0 {
            return work();
        }
        drop(at_work);
        std::thread::sleep(PAUSE);
    }
}

struct AtWork;

impl Drop for AtWork {
    fn drop(&mut self) {
        WORKS.fetch_sub(1, Ordering::SeqCst);
    }
}

#[pyfunction]
fn before_fork(py: Python<'_>) {
    FORKS.fetch_add(1, Ordering::SeqCst);
    py.detach(|| {
        while WORKS.load(Ordering::SeqCst) > 0 {
            std::thread::sleep(PAUSE);
        }
    });
}

#[pyfunction]
fn after_fork_in_parent() {
    FORKS.fetch_sub(1, Ordering::SeqCst);
}

/// Other threads that were about to fork, or to begin, do not exist in a child.
#[pyfunction]
fn after_fork_in_child() {
    WORKS.store(0, Ordering::SeqCst);
    FORKS.store(0, Ordering::SeqCst);
}

/// Lets Python call the functions above, where it can fork.
pub(crate) fn watch_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else {
        return Ok(());
    };
    let handlers = PyDict::new(py);
    handlers.set_item("before", wrap_pyfunction!(before_fork, module)?)?;
    handlers.set_item(
        "after_in_parent",
        wrap_pyfunction!(after_fork_in_parent, module)?,
    )?;
    handlers.set_item(
        "after_in_child",
        wrap_pyfunction!(after_fork_in_child, module)?,
    )?;
    register.call((), Some(&handlers))?;
    Ok(())
}
