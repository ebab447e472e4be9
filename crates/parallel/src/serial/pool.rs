//! Pools, scopes and forks that use the calling thread.

use std::convert::Infallible;

/// Returns 1.
pub fn current_num_threads() -> usize {
    1
}

/// Calls `a`, then `b`.
pub fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    let a = a();
    (a, b())
}

/// Calls `op` with a scope in which work can be spawned.
pub fn in_place_scope_fifo<R>(op: impl FnOnce(&ScopeFifo) -> R) -> R {
    op(&ScopeFifo(()))
}

/// A scope whose work is done where it is spawned.
#[derive(Debug)]
pub struct ScopeFifo(());

impl ScopeFifo {
    /// Calls `body` at once.
    pub fn spawn_fifo(&self, body: impl FnOnce(&ScopeFifo)) {
        body(self);
    }
}

/// What a worker of a pool found to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yield {
    /// It did some work.
    Executed,
    /// There was none.
    Idle,
}

/// Returns `None`: the calling thread is no worker of a pool.
pub fn yield_local() -> Option<Yield> {
    None
}

/// Makes a [`ThreadPool`].
#[derive(Debug, Default)]
pub struct ThreadPoolBuilder(());

impl ThreadPoolBuilder {
    /// Returns a builder.
    pub fn new() -> Self {
        ThreadPoolBuilder(())
    }

    /// Returns the same builder: no thread is started.
    #[must_use]
    pub fn num_threads(self, _: usize) -> Self {
        self
    }

    /// Returns the pool.
    ///
    /// # Errors
    /// None; rayon's builder fails if it cannot start the threads.
    pub fn build(self) -> Result<ThreadPool, Infallible> {
        Ok(ThreadPool(()))
    }
}

/// A pool that consists of the calling thread.
#[derive(Debug)]
pub struct ThreadPool(());

impl ThreadPool {
    /// Calls `op`.
    pub fn install<R>(&self, op: impl FnOnce() -> R) -> R {
        op()
    }
}
