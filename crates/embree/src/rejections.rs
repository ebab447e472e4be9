//! Calls that only Embree 4 has and that set an error.

use estoc_embree_common::device::Device;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use estoc_embree_common::{exports, not_served};
use std::ffi::c_void;

// Of the builds of Embree with SYCL, such as Blender's: a program that asks for them is not started without. What C++ passes
// by value, it passes as a pointer.
not_served! {
    "SYCL devices are not served; use rtcNewDevice":
    rtcNewSYCLDeviceInternal(_context: *const c_void => None) -> Handle<Device> = Handle::NULL;
    rtcSetDeviceSYCLDevice(device: Handle<Device> => device.get()) -> () = ();
}

exports! {
    /// Whether a SYCL device is served, which none is.
    fn rtcIsSYCLDeviceSupported(_device: *const c_void) -> bool { false }

    /// What a SYCL device is worth to the host that selects one: less than 0 rules it out.
    fn rtcSYCLDeviceSelector(_device: *const c_void) -> i32 { -1 }
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
