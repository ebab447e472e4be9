//! Each call that is not served sets the error.

use super::host::{Host, sheet};
use crate::rejections as own;
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
        own::rtcSetDeviceSYCLDevice(host.device);
        own::rtcForwardIntersect4(none, none, scene);
        own::rtcForwardIntersect4Ex(none, none, scene);
        own::rtcForwardIntersect8(none, none, scene);
        own::rtcForwardIntersect8Ex(none, none, scene);
        own::rtcForwardIntersect16(none, none, scene);
        own::rtcForwardIntersect16Ex(none, none, scene);
        own::rtcForwardOccluded4(none, none, scene);
        own::rtcForwardOccluded4Ex(none, none, scene);
        own::rtcForwardOccluded8(none, none, scene);
        own::rtcForwardOccluded8Ex(none, none, scene);
        own::rtcForwardOccluded16(none, none, scene);
        own::rtcForwardOccluded16Ex(none, none, scene);
        own::rtcTraversableForwardIntersect4(none, none, scene);
        own::rtcTraversableForwardIntersect4Ex(none, none, scene);
        own::rtcTraversableForwardIntersect8(none, none, scene);
        own::rtcTraversableForwardIntersect8Ex(none, none, scene);
        own::rtcTraversableForwardIntersect16(none, none, scene);
        own::rtcTraversableForwardIntersect16Ex(none, none, scene);
        own::rtcTraversableForwardOccluded4(none, none, scene);
        own::rtcTraversableForwardOccluded4Ex(none, none, scene);
        own::rtcTraversableForwardOccluded8(none, none, scene);
        own::rtcTraversableForwardOccluded8Ex(none, none, scene);
        own::rtcTraversableForwardOccluded16(none, none, scene);
        own::rtcTraversableForwardOccluded16Ex(none, none, scene);
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
        own::rtcNewSYCLDeviceInternal(none);
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

#[test]
fn a_host_that_looks_for_sycl_devices_finds_none() {
    use crate::rejections::{rtcIsSYCLDeviceSupported, rtcSYCLDeviceSelector};
    rtcGetDeviceError(Handle::NULL);
    assert!(!rtcIsSYCLDeviceSupported(null()));
    assert!(rtcSYCLDeviceSelector(null()) < 0);
    assert_eq!(rtcGetDeviceError(Handle::NULL), error::NONE);
}
