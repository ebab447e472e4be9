//! A global allocator that refuses large requests, to test that no lack of memory ends the process.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

/// The system's allocator, which refuses requests while [`RefusingAllocator::check`] runs.
#[derive(Debug)]
pub struct RefusingAllocator {
    /// The size in bytes from which requests are counted.
    large: AtomicUsize,
    counted: AtomicUsize,
    /// The number of the request that is refused, from 0.
    refused: AtomicUsize,
    /// Whether all later ones are refused too, as a limit does.
    is_limit: AtomicBool,
}

/// A function that returns a hash of what it makes, or `None` if it reports a lack of memory.
pub type Work<'a> = &'a dyn Fn() -> Option<u64>;

impl RefusingAllocator {
    /// Returns an allocator that refuses nothing yet, for `#[global_allocator]`.
    #[allow(clippy::new_without_default, reason = "for a static")]
    pub const fn new() -> Self {
        RefusingAllocator {
            large: AtomicUsize::new(usize::MAX),
            counted: AtomicUsize::new(0),
            refused: AtomicUsize::new(0),
            is_limit: AtomicBool::new(false),
        }
    }

    /// Runs each function again and again: in run `n`, the `n`-th request of at least `large` bytes is
    /// refused, until a run makes fewer. Then the same with all requests from the `n`-th on.
    ///
    /// Each case has a process of its own, since an ordinary allocation that is refused ends it. `test` is
    /// the full name of the calling test.
    ///
    /// # Panics
    /// If a process ends, if a run without memory makes something else, or if no run lacks memory.
    pub fn check(&self, test: &str, cases: &[(&str, usize, Work<'_>)]) {
        const CASE: &str = "ESTOC_REFUSED_CASE";
        let wanted = std::env::var(CASE).ok();
        for &(name, large, work) in cases {
            match &wanted {
                Some(wanted) if name == wanted => self.check_one(name, large, work),
                Some(_) => {}
                None => {
                    let this = std::env::current_exe().expect("the test is a program");
                    let mut child = Command::new(this);
                    child.args([test, "--exact", "--nocapture"]);
                    let output = child.env(CASE, name).output().expect("it can be started");
                    let told = String::from_utf8_lossy(&output.stderr);
                    assert!(output.status.success(), "{name}: {}\n{told}", output.status);
                }
            }
        }
    }

    fn check_one(&self, name: &str, large: usize, work: Work<'_>) {
        // What is made once for all is made now.
        let whole = work().expect("there is memory");
        for is_limit in [false, true] {
            let mut lacking = 0;
            for refused in 0.. {
                self.counted.store(0, SeqCst);
                self.refused.store(refused, SeqCst);
                self.is_limit.store(is_limit, SeqCst);
                self.large.store(large, SeqCst);
                let made = work();
                self.stop();
                let what = || format!("{name}: request {refused}, a limit: {is_limit}");
                match made {
                    None => lacking += 1,
                    Some(made) => assert_eq!(made, whole, "{}", what()),
                }
                if self.counted.load(SeqCst) <= refused {
                    assert!(made.is_some() && refused > 0, "{}", what());
                    break;
                }
            }
            assert!(lacking > 0, "{name} never lacks memory");
        }
    }

    /// Refuses nothing more in this run: a function calls it before it computes the hash.
    pub fn stop(&self) {
        self.large.store(usize::MAX, SeqCst);
    }

    fn refuses(&self, size: usize) -> bool {
        if size < self.large.load(SeqCst) {
            return false;
        }
        let number = self.counted.fetch_add(1, SeqCst);
        let refused = self.refused.load(SeqCst);
        number == refused || number > refused && self.is_limit.load(SeqCst)
    }
}

// SAFETY: calls are forwarded to `System` unchanged, or answered by a null pointer, as any request may
// be; counting does not allocate, unwind or touch the memory.
unsafe impl GlobalAlloc for RefusingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.refuses(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: the caller upholds the contract of `alloc`, which is the same.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match self.refuses(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: the caller upholds the contract of `alloc_zeroed`, which is the same.
            false => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match self.refuses(size) {
            true => std::ptr::null_mut(),
            // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
            false => unsafe { System.realloc(memory, layout, size) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}
