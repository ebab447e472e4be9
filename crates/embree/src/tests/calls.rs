//! Each call that is not served sets the error.

use super::host::{Host, sheet};
use crate::rejections as packets;
use estoc_embree_common::abi::error;
use estoc_embree_common::calls::device::rtcGetDeviceError;
use estoc_embree_common::calls::rejections as no;
use estoc_embree_common::handle::Handle;
use std::ptr::null;

/// Calls each function, checks the error that it leaves, and adds its name to a list.
macro_rules! fail {
    ($names:ident, $error:expr => $($of:ident::$call:ident($($argument:expr),*);)*) => {$({
        let _answer = $of::$call($($argument),*);
        assert_eq!($error, error::INVALID_OPERATION, stringify!($call));
        $names.push(stringify!($call));
    })*};
}

#[test]
fn what_the_table_has_as_not_served_sets_the_error() {
    use estoc_embree_common::calls::geometry as of;
    let host = Host::of_mesh(&sheet(1.0), &[[0, 1, 2]]);
    let (none, scene, geometry) = (
        null(),
        host.scene,
        estoc_embree_common::calls::scene::rtcGetGeometry(host.scene, 0),
    );
    rtcGetDeviceError(Handle::NULL);
    let mut names = Vec::new();
    fail! { names, host.error() =>
        no::rtcNewBVH(host.device);
        no::rtcCollide(scene);
        packets::rtcForwardIntersect4(none, none, scene);
        packets::rtcForwardIntersect4Ex(none, none, scene);
        packets::rtcForwardIntersect8(none, none, scene);
        packets::rtcForwardIntersect8Ex(none, none, scene);
        packets::rtcForwardIntersect16(none, none, scene);
        packets::rtcForwardIntersect16Ex(none, none, scene);
        packets::rtcForwardOccluded4(none, none, scene);
        packets::rtcForwardOccluded4Ex(none, none, scene);
        packets::rtcForwardOccluded8(none, none, scene);
        packets::rtcForwardOccluded8Ex(none, none, scene);
        packets::rtcForwardOccluded16(none, none, scene);
        packets::rtcForwardOccluded16Ex(none, none, scene);
        packets::rtcTraversableForwardIntersect4(none, none, scene);
        packets::rtcTraversableForwardIntersect4Ex(none, none, scene);
        packets::rtcTraversableForwardIntersect8(none, none, scene);
        packets::rtcTraversableForwardIntersect8Ex(none, none, scene);
        packets::rtcTraversableForwardIntersect16(none, none, scene);
        packets::rtcTraversableForwardIntersect16Ex(none, none, scene);
        packets::rtcTraversableForwardOccluded4(none, none, scene);
        packets::rtcTraversableForwardOccluded4Ex(none, none, scene);
        packets::rtcTraversableForwardOccluded8(none, none, scene);
        packets::rtcTraversableForwardOccluded8Ex(none, none, scene);
        packets::rtcTraversableForwardOccluded16(none, none, scene);
        packets::rtcTraversableForwardOccluded16Ex(none, none, scene);
        of::rtcSetGeometryMaxRadiusScale(geometry, 1.0);
        of::rtcSetGeometryTessellationRate(geometry, 1.0);
        of::rtcSetGeometryTopologyCount(geometry, 1);
        of::rtcSetGeometrySubdivisionMode(geometry, 0, 0);
        of::rtcSetGeometryVertexAttributeTopology(geometry, 0, 0);
        of::rtcSetGeometryDisplacementFunction(geometry, none);
        of::rtcGetGeometryFirstHalfEdge(geometry, 0);
        of::rtcGetGeometryFace(geometry, 0);
        of::rtcGetGeometryNextHalfEdge(geometry, 0);
        of::rtcGetGeometryPreviousHalfEdge(geometry, 0);
        of::rtcGetGeometryOppositeHalfEdge(geometry, 0, 0);
    }
    // Those without an object of a device leave it where there is none.
    fail! { names, rtcGetDeviceError(Handle::NULL) =>
        no::rtcBuildBVH(none);
        no::rtcThreadLocalAlloc(none);
        no::rtcMakeStaticBVH(none);
        no::rtcRetainBVH(none);
        no::rtcReleaseBVH(none);
    }
    // The script `test` compares all names of the README with what the library exports.
    let readme = include_str!("../../README.md");
    let section = readme.split("## Not served").nth(1).expect("the section");
    let mut listed: Vec<_> = section
        .split('`')
        .filter(|word| word.starts_with("rtc"))
        .collect();
    listed.sort_unstable();
    names.sort_unstable();
    assert_eq!(listed, names);
}
