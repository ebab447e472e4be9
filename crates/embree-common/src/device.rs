//! Devices: settings, errors and monitors.

use crate::abi::{ErrorFunction, MemoryMonitor, error};
use crate::failure::{Failure, invalid_argument, out_of_memory};
use crate::host_mode::callback;
use crate::host_pointer::HostPointer;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Returns a number that no other call has returned, from 1 on.
pub fn unique_number() -> u64 {
    static NUMBERS: AtomicU64 = AtomicU64::new(1);
    NUMBERS.fetch_add(1, Ordering::Relaxed)
}

/// Returns the settings of a configuration, such as `threads=2, verbose=1`. As in Embree, a comma may be left out, also
/// where a number ends.
fn settings(config: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = |c: char| c == ',' || c.is_whitespace();
    let mut rest = config;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(ends);
        let (key, after) = rest.split_at(rest.find(|c| c == '=' || ends(c)).unwrap_or(rest.len()));
        let after = after.trim_start();
        let value = after.strip_prefix('=').map_or("", str::trim_start);
        let is_number = value.starts_with(|c: char| c.is_ascii_digit());
        let end = value.find(|c: char| {
            if is_number {
                !c.is_ascii_digit()
            } else {
                ends(c)
            }
        });
        let (value, left) = value.split_at(end.unwrap_or(value.len()));
        rest = if after.starts_with('=') { left } else { after };
        (!key.is_empty() || !rest.is_empty()).then_some((key, value))
    })
}

/// What differs between versions of Embree.
pub struct Version {
    pub number: [isize; 3],
    /// That of geometries before it is set.
    pub mask: u32,
    /// Whether there are the calls for streams of rays.
    pub has_streams: bool,
}

/// A device. All other objects hold a reference to theirs.
pub struct Device {
    pub version: &'static Version,
    /// Its number in this process, from 1.
    number: u64,
    /// The threads that build, if their number is set; else those of the machine.
    pool: Option<ThreadPool>,
    is_verbose: bool,
    pub error: Mutex<Option<(ErrorFunction, HostPointer)>>,
    pub monitor: Mutex<Option<(MemoryMonitor, HostPointer)>>,
}

impl Device {
    pub fn new(config: &str, version: &'static Version) -> Result<Self, Failure> {
        let (mut threads, mut is_verbose) = (0, false);
        for (key, value) in settings(config) {
            // What does not concern this library, such as instruction sets and huge pages, has no effect.
            let number = || {
                value.parse::<usize>().map_err(|_| {
                    invalid_argument(format!(
                        "the setting {key}={value} is no number, as in {key}=1"
                    ))
                })
            };
            match key {
                "threads" => threads = number()?,
                "verbose" => is_verbose = number()? > 0,
                _ => {}
            }
        }
        let pool = match threads {
            0 => None,
            _ => {
                let checked = estoc_system::check_threads(threads).map_err(invalid_argument);
                let pool = ThreadPoolBuilder::new().num_threads(threads);
                let start = |()| {
                    pool.build()
                        .map_err(|error| out_of_memory(error.to_string()))
                };
                Some(checked.and_then(start)?)
            }
        };
        Ok(Device {
            version,
            number: unique_number(),
            pool,
            is_verbose,
            error: Mutex::new(None),
            monitor: Mutex::new(None),
        })
    }

    /// Runs work in the device's threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Writes a sentence to the standard error of the host, if the device is verbose.
    pub fn remark(&self, sentence: &str) {
        if self.is_verbose {
            // Nobody may listen any more.
            let _ = writeln!(std::io::stderr(), "estoc: {sentence}");
        }
    }

    pub fn notify(&self, code: u32, message: &CStr) {
        self.remark(&message.to_string_lossy());
        let function = *self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((function, user)) = function {
            function(user.get(), code, message.as_ptr());
        }
    }

    /// Tells the memory monitor of bytes that are about to be allocated, or were freed where the number is negative. Fails if
    /// it refuses an allocation.
    fn count_memory(&self, bytes: isize) -> Result<(), Failure> {
        let monitor = *self.monitor.lock().unwrap_or_else(PoisonError::into_inner);
        match monitor {
            Some((function, user)) if bytes != 0 => {
                let goes_on = callback(|| function(user.get(), bytes, bytes < 0));
                match goes_on || bytes < 0 {
                    true => Ok(()),
                    false => Err(out_of_memory(format!(
                        "the memory monitor refused an allocation of {bytes} bytes"
                    ))),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Bytes that a device's memory monitor counts until this is dropped.
pub struct CountedMemory(Arc<Device>, isize);

impl CountedMemory {
    /// Fails if the monitor refuses.
    pub fn new(device: &Arc<Device>, bytes: usize) -> Result<Self, Failure> {
        let counted = isize::try_from(bytes).unwrap_or(isize::MAX);
        device.count_memory(counted)?;
        Ok(CountedMemory(device.clone(), counted))
    }
}

impl Drop for CountedMemory {
    fn drop(&mut self) {
        // To free memory cannot be refused.
        let _ = self.0.count_memory(-self.1);
    }
}

/// The first code since the host asked, and the last sentence.
#[derive(Default)]
struct Stored {
    code: u32,
    message: CString,
}

thread_local! {
    /// The errors of this thread, by the number of the device; 0 is where there is none.
    static ERRORS: RefCell<HashMap<u64, Stored>> = RefCell::default();
}

fn number(device: Option<&Device>) -> u64 {
    device.map_or(0, |device| device.number)
}

/// Stores an error and tells it to the device's function.
#[cold]
pub fn report(device: Option<&Device>, failure: Failure) {
    // A sentence has no byte 0, unless a name of the host brought it.
    let message = CString::new(failure.message.replace('\0', " ")).unwrap_or_default();
    let told = message.clone();
    // While a thread ends, nobody asks any more.
    let _ = ERRORS.try_with(|errors| {
        let mut errors = errors.borrow_mut();
        let stored = errors.entry(number(device)).or_default();
        if stored.code == error::NONE {
            stored.code = failure.code;
        }
        stored.message = message;
    });
    if let Some(device) = device {
        device.notify(failure.code, &told);
    }
}

/// Returns the first error of this thread since the last call, and forgets it.
pub fn taken(device: Option<&Device>) -> u32 {
    let take = |errors: &RefCell<HashMap<u64, Stored>>| {
        let mut errors = errors.borrow_mut();
        let stored = errors.get_mut(&number(device));
        stored.map_or(error::NONE, |stored| std::mem::take(&mut stored.code))
    };
    ERRORS.try_with(take).unwrap_or(error::NONE)
}

/// Returns the last sentence of this thread, which stays valid until its next error; empty if there was none.
pub fn last_message(device: Option<&Device>) -> *const c_char {
    let none: &CStr = c"";
    let find = |errors: &RefCell<HashMap<u64, Stored>>| {
        let errors = errors.borrow();
        let stored = errors.get(&number(device));
        stored.map_or(none.as_ptr(), |stored| stored.message.as_ptr())
    };
    ERRORS.try_with(find).unwrap_or(none.as_ptr())
}
