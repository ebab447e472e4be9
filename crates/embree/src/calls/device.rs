//! The calls about devices.

use crate::abi::{ErrorFunction, MemoryMonitor, VERSION};
use crate::call::{call, exports};
use crate::device::{Device, last_message, taken};
use crate::failure::{invalid_argument, invalid_operation, name};
use crate::handle::Handle;
use crate::host_pointer::{HostPointer, text};
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// Sets a callback with its pointer.
fn set<F>(of: &Mutex<Option<(F, HostPointer)>>, function: Option<F>, user: *mut c_void) {
    let function = function.map(|function| (function, HostPointer::of(user)));
    *of.lock().unwrap_or_else(PoisonError::into_inner) = function;
}

exports! {
    fn rtcNewDevice(config: *const c_char) -> Handle<Device> {
        call(None, Handle::NULL, || Ok(Handle::given(Arc::new(Device::new(&text(config))?))))
    }

    fn rtcRetainDevice(device: Handle<Device>) { call(None, (), || device.retain()) }

    fn rtcReleaseDevice(device: Handle<Device>) { call(None, (), || device.release().map(drop)) }

    fn rtcGetDeviceError(device: Handle<Device>) -> u32 { taken(device.get()) }

    fn rtcGetDeviceLastErrorMessage(device: Handle<Device>) -> *const c_char { last_message(device.get()) }

    fn rtcGetErrorString(code: u32) -> *const c_char { name(code).as_ptr() }

    fn rtcSetDeviceErrorFunction(device: Handle<Device>, function: Option<ErrorFunction>, user: *mut c_void) {
        call(device.get(), (), || Ok(set(&device.object()?.error, function, user)))
    }

    fn rtcSetDeviceMemoryMonitorFunction(device: Handle<Device>, function: Option<MemoryMonitor>, user: *mut c_void) {
        call(device.get(), (), || Ok(set(&device.object()?.monitor, function, user)))
    }

    fn rtcGetDeviceProperty(device: Handle<Device>, property: u32) -> isize {
        call(device.get(), 0, || {
            device.object()?;
            let [major, minor, patch] = VERSION;
            match property {
                0 => Ok(major * 10_000 + minor * 100 + patch),
                1 => Ok(major),
                2 => Ok(minor),
                3 => Ok(patch),
                // Masks; filters; invalid rays, which hit nothing; triangles; quads; user geometry; joint and parallel
                // commits; a CPU.
                64 | 66 | 67 | 96 | 97 | 100 | 129 | 130 | 140 => Ok(1),
                // Packets whose callbacks get all of their rays; culling of spheres, curves and all; compact polygons; subdivision, curves and points; the tasking
                // system, of which 0 is the internal one; SYCL.
                32..=34 | 62 | 63 | 65 | 68 | 98 | 99 | 101 | 128 | 141 => Ok(0),
                _ => Err(invalid_argument(format!("there is no device property {property}"))),
            }
        })
    }

    /// Whether a SYCL device is served, which none is. C++ passes it as a pointer.
    fn rtcIsSYCLDeviceSupported(_device: *const c_void) -> bool { false }

    /// What a SYCL device is worth to the host that selects one: less than 0 rules it out.
    fn rtcSYCLDeviceSelector(_device: *const c_void) -> i32 { -1 }

    fn rtcSetDeviceProperty(device: Handle<Device>, property: u32, _value: isize) {
        call(device.get(), (), || {
            device.object()?;
            Err(invalid_operation(format!("the device property {property} cannot be set")))
        })
    }
}
