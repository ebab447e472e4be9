//! Calls that are exported so that a program that asks for them gets an error and not Embree's own, which would take our
//! handles for its own.

use crate::call::call;
use crate::device::Device;
use crate::failure::invalid_operation;
use crate::handle::Handle;
use crate::scene::Scene;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Defines calls that set the error RTC_ERROR_INVALID_OPERATION of the device that an argument belongs to, if one does. What
/// arguments come after it does not matter: the caller's convention lets them be.
macro_rules! not_served {
    ($why:literal: $($name:ident($([$before:ty])* $of:ident: $handle:ty => $device:expr) -> $answer:ty = $on_failure:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $name($(_: $before,)* $of: $handle) -> $answer {
            call($device, $on_failure, || Err(invalid_operation(concat!(stringify!($name), ": ", $why))))
        }
    )*};
}

not_served! {
    "the builder of trees is not served; use a scene, or estoc's own library":
    rtcNewBVH(device: Handle<Device> => device.get()) -> *mut c_void = null_mut();
    rtcBuildBVH(_arguments: *const c_void => None) -> *mut c_void = null_mut();
    rtcThreadLocalAlloc(_allocator: *const c_void => None) -> *mut c_void = null_mut();
    rtcMakeStaticBVH(_tree: *const c_void => None) -> () = ();
    rtcRetainBVH(_tree: *const c_void => None) -> () = ();
    rtcReleaseBVH(_tree: *const c_void => None) -> () = ();
}

not_served! {
    "collisions are not served; use estoc's own library, which finds the triangles that intersect":
    rtcCollide(scene: Handle<Scene> => scene.get().map(Scene::device)) -> () = ();
}

// Of the builds of Embree with SYCL, such as Blender's: a program that asks for them is not started without. What C++ passes
// by value, it passes as a pointer.
not_served! {
    "SYCL devices are not served; use rtcNewDevice":
    rtcNewSYCLDeviceInternal(_context: *const c_void => None) -> Handle<Device> = Handle::NULL;
    rtcSetDeviceSYCLDevice(device: Handle<Device> => device.get()) -> () = ();
}

/// Calls for packets that callbacks forward.
macro_rules! forwarded {
    ($($name:ident)*) => {
        not_served! {
            "callbacks get single rays, so that there is no packet to forward":
            $($name([*const c_void] [*const c_void] scene: Handle<Scene> => scene.get().map(Scene::device)) -> () = ();)*
        }
    };
}

forwarded! {
    rtcForwardIntersect4 rtcForwardIntersect4Ex rtcForwardIntersect8 rtcForwardIntersect8Ex
    rtcForwardIntersect16 rtcForwardIntersect16Ex
    rtcForwardOccluded4 rtcForwardOccluded4Ex rtcForwardOccluded8 rtcForwardOccluded8Ex
    rtcForwardOccluded16 rtcForwardOccluded16Ex
    rtcTraversableForwardIntersect4 rtcTraversableForwardIntersect4Ex
    rtcTraversableForwardIntersect8 rtcTraversableForwardIntersect8Ex
    rtcTraversableForwardIntersect16 rtcTraversableForwardIntersect16Ex
    rtcTraversableForwardOccluded4 rtcTraversableForwardOccluded4Ex
    rtcTraversableForwardOccluded8 rtcTraversableForwardOccluded8Ex
    rtcTraversableForwardOccluded16 rtcTraversableForwardOccluded16Ex
}
