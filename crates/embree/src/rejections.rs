//! Calls that only Embree 4 has and that set an error.

use estoc_embree_common::handle::Handle;
use estoc_embree_common::not_served;
use estoc_embree_common::scene::Scene;
use std::ffi::c_void;

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
