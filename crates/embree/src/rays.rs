//! The calls for single rays, and for packets.

use crate::arguments::{Given, IntersectArguments, OccludedArguments};
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
            scene: Handle<Scene>, rays: Option<&mut RayHits<$n>>, arguments: Option<&IntersectArguments>,
        ) {
            intersect(calls!($($valid)?), scene, rays, Given(arguments))
        }

        fn $occluded(
            $($valid: Option<&[c_int; $n]>,)?
            scene: Handle<Scene>, rays: Option<&mut Rays<$n>>, arguments: Option<&OccludedArguments>,
        ) {
            occluded(calls!($($valid)?), scene, rays, Given(arguments))
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
    rtcTraversableIntersect1 rtcTraversableOccluded1: 1;
    rtcTraversableIntersect4 rtcTraversableOccluded4: valid 4;
    rtcTraversableIntersect8 rtcTraversableOccluded8: valid 8;
    rtcTraversableIntersect16 rtcTraversableOccluded16: valid 16;
}
