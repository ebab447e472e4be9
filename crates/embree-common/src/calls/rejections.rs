//! Calls that are exported so that a program that asks for them gets an error and not Embree's own, which would take our
//! handles for its own: those that both versions have.

use crate::device::Device;
use crate::handle::Handle;
use crate::scene::Scene;
use std::ffi::c_void;
use std::ptr::null_mut;

/// Defines calls that set the error RTC_ERROR_INVALID_OPERATION of the device that an argument belongs to, if one does. What
/// arguments come after it does not matter: the caller's convention lets them be.
#[macro_export]
macro_rules! not_served {
    ($why:literal: $($name:ident($([$before:ty])* $of:ident: $handle:ty => $device:expr) -> $answer:ty = $on_failure:expr;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C-unwind" fn $name($(_: $before,)* $of: $handle) -> $answer {
            $crate::call::call($device, $on_failure, || {
                Err($crate::failure::invalid_operation(concat!(stringify!($name), ": ", $why)))
            })
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
