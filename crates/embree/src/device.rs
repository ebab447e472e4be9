//! Devices: settings, errors and monitors.

use crate::abi::{ErrorFunction, MemoryMonitor, VERSION};
use crate::entry::{call, callback};
use crate::failure::{self, Failure, invalid_argument, invalid_operation, out_of_memory};
use crate::handle::Handle;
use crate::host_pointer::HostPointer;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A device. All other objects hold a reference to theirs.
pub(crate) struct Device {
    /// Its number in this process, from 1.
    pub(crate) number: u64,
    /// The threads that build, if their number is set; else those of the machine.
    pool: Option<ThreadPool>,
    is_verbose: bool,
    error: Mutex<Option<(ErrorFunction, HostPointer)>>,
    monitor: Mutex<Option<(MemoryMonitor, HostPointer)>>,
}

impl Device {
    fn new(config: &str) -> Result<Self, Failure> {
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let (mut threads, mut is_verbose) = (0, false);
        let settings = config
            .split([',', ' ', '\t', '\n'])
            .filter(|setting| !setting.is_empty());
        for setting in settings {
            // What does not concern this library, such as instruction sets and huge pages, has no effect.
            let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
            let number = || {
                value.trim().parse::<usize>().map_err(|_| {
                    invalid_argument(format!(
                        "the setting {key}={value} is no number, as in {key}=1"
                    ))
                })
            };
            match key.trim() {
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
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            pool,
            is_verbose,
            error: Mutex::new(None),
            monitor: Mutex::new(None),
        })
    }

    /// Runs work in the device's threads.
    pub(crate) fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    pub(crate) fn tell_error(&self, code: u32, message: &CStr) {
        if self.is_verbose {
            eprintln!("estoc: {}", message.to_string_lossy());
        }
        let function = *self.error.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((function, user)) = function {
            callback(|| function(user.get(), code, message.as_ptr()));
        }
    }

    /// Tells the memory monitor that so many bytes are about to be allocated, or were freed where it is negative. Fails if
    /// it refuses an allocation.
    pub(crate) fn tell_memory(&self, bytes: isize) -> Result<(), Failure> {
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

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcNewDevice(config: *const c_char) -> Handle<Device> {
    call(None, Handle::NULL, || {
        let config = crate::host_pointer::text(config);
        Ok(Handle::given(Arc::new(Device::new(&config)?)))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcRetainDevice(device: Handle<Device>) {
    call(None, (), || device.retain());
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcReleaseDevice(device: Handle<Device>) {
    call(None, (), || device.release().map(drop));
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetDeviceError(device: Handle<Device>) -> u32 {
    failure::taken(device.get())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetDeviceLastErrorMessage(device: Handle<Device>) -> *const c_char {
    failure::last_message(device.get())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetErrorString(code: u32) -> *const c_char {
    failure::name(code).as_ptr()
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetDeviceErrorFunction(
    device: Handle<Device>,
    function: Option<ErrorFunction>,
    user: *mut c_void,
) {
    call(device.get(), (), || {
        let function = function.map(|function| (function, HostPointer::of(user)));
        *device
            .object()?
            .error
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = function;
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetDeviceMemoryMonitorFunction(
    device: Handle<Device>,
    function: Option<MemoryMonitor>,
    user: *mut c_void,
) {
    call(device.get(), (), || {
        let function = function.map(|function| (function, HostPointer::of(user)));
        *device
            .object()?
            .monitor
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = function;
        Ok(())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcGetDeviceProperty(device: Handle<Device>, property: u32) -> isize {
    call(device.get(), 0, || {
        device.object()?;
        let [major, minor, patch] = VERSION;
        match property {
            0 => Ok(major * 10_000 + minor * 100 + patch),
            1 => Ok(major),
            2 => Ok(minor),
            3 => Ok(patch),
            // Packets of 4, 8 and 16; masks; filters; triangles; quads; user geometry; joint and parallel commits; a CPU.
            32..=34 | 64 | 66 | 96 | 97 | 100 | 129 | 130 | 140 => Ok(1),
            // Culling of back faces of spheres, curves and all; ignoring invalid rays is no setting, as they hit nothing;
            // compact polygons; subdivision, curves and points; the internal tasking system is 0; SYCL.
            62 | 63 | 65 | 68 | 98 | 99 | 101 | 128 | 141 => Ok(0),
            67 => Ok(1),
            _ => Err(invalid_argument(format!(
                "there is no device property {property}"
            ))),
        }
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn rtcSetDeviceProperty(device: Handle<Device>, property: u32, _: isize) {
    call(device.get(), (), || {
        device.object()?;
        Err(invalid_operation(format!(
            "the device property {property} cannot be set"
        )))
    });
}
