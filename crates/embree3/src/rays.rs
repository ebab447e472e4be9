//! The calls for single rays, and for packets.

use crate::context::{Given, IntersectContext};
use estoc_embree_common::abi::{RayHits, Rays};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::query::{intersect, occluded};
use estoc_embree_common::scene::Scene;
use std::ffi::c_int;

macro_rules! calls {
    ($($intersect:ident $occluded:ident: $($valid:ident)? $n:literal;)+) => {exports! {$(
        fn $intersect(
            $($valid: Option<&[c_int; $n]>,)?
            scene: Handle<Scene>, context: *mut IntersectContext, rays: Option<&mut RayHits<$n, 0>>,
        ) {
            intersect(calls!($($valid)?), scene, rays, Given(context))
        }

        fn $occluded(
            $($valid: Option<&[c_int; $n]>,)?
            scene: Handle<Scene>, context: *mut IntersectContext, rays: Option<&mut Rays<$n>>,
        ) {
            occluded(calls!($($valid)?), scene, rays, Given(context))
        }
    )+}};
    () => { None };
    ($valid:ident) => { $valid };
}

calls! {
    rtcIntersect1 rtcOccluded1: 1;
    rtcIntersect4 rtcOccluded4: valid 4;
    rtcIntersect8 rtcOccluded8: valid 8;
    rtcIntersect16 rtcOccluded16: valid 16;
}
