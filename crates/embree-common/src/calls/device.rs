//! The calls about devices.

use crate::abi::{ErrorFunction, MemoryMonitor};
use crate::call::call;
use crate::device::{Device, Version, taken};
use crate::exports;
use crate::failure::{invalid_argument, invalid_operation};
use crate::handle::Handle;
use crate::host_pointer::{HostPointer, text};
use std::ffi::{c_char, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// Sets a callback with its pointer.
fn set<F>(of: &Mutex<Option<(F, HostPointer)>>, function: Option<F>, user: *mut c_void) {
    let function = function.map(|function| (function, HostPointer::of(user)));
    *of.lock().unwrap_or_else(PoisonError::into_inner) = function;
}

/// Makes a device of a version: `rtcNewDevice`.
pub fn new_device(config: *const c_char, version: &'static Version) -> Handle<Device> {
    call(None, Handle::NULL, || {
        Ok(Handle::given(Arc::new(Device::new(
            &text(config),
            version,
        )?)))
    })
}

exports! {
    fn rtcRetainDevice(device: Handle<Device>) { call(None, (), || device.retain()) }

    fn rtcReleaseDevice(device: Handle<Device>) { call(None, (), || device.release().map(drop)) }

    fn rtcGetDeviceError(device: Handle<Device>) -> u32 { taken(device.get()) }

    fn rtcSetDeviceErrorFunction(device: Handle<Device>, function: Option<ErrorFunction>, user: *mut c_void) {
        call(device.get(), (), || Ok(set(&device.object()?.error, function, user)))
    }

    fn rtcSetDeviceMemoryMonitorFunction(device: Handle<Device>, function: Option<MemoryMonitor>, user: *mut c_void) {
        call(device.get(), (), || Ok(set(&device.object()?.monitor, function, user)))
    }

    fn rtcGetDeviceProperty(device: Handle<Device>, property: u32) -> isize {
        call(device.get(), 0, || {
            let version = device.object()?.version;
            let [major, minor, patch] = version.number;
            match property {
                0 => Ok(major * 10_000 + minor * 100 + patch),
                1 => Ok(major),
                2 => Ok(minor),
                3 => Ok(patch),
                35 if version.has_streams => Ok(1),
                // Masks; filters; invalid rays, which hit nothing; triangles; quads; user geometry; joint and parallel
                // commits; a CPU.
                64 | 66 | 67 | 96 | 97 | 100 | 129 | 130 | 140 => Ok(1),
                // Packets whose callbacks get all of their rays; culling of spheres, curves and all; compact polygons;
                // subdivision, curves and points; the tasking system, of which 0 is the internal one; SYCL.
                32..=34 | 62 | 63 | 65 | 68 | 98 | 99 | 101 | 128 | 141 => Ok(0),
                _ => Err(invalid_argument(format!("there is no device property {property}"))),
            }
        })
    }

    fn rtcSetDeviceProperty(device: Handle<Device>, property: u32, _value: isize) {
        call(device.get(), (), || {
            device.object()?;
            Err(invalid_operation(format!("the device property {property} cannot be set")))
        })
    }
}
