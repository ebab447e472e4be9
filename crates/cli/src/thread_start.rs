//! Starts threads one after the other.

use std::sync::mpsc;
use std::{io, thread};

/// Starts a thread, and returns once it runs: while the allocator reserves address space for a new
/// thread, there may briefly be none for another that starts, which would end the process.
pub(crate) fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let (running, is_running) = mpsc::channel();
    thread::Builder::new().name(name.into()).spawn(move || {
        let _ = running.send(());
        work();
    })?;
    is_running.recv().map_err(io::Error::other)
}
