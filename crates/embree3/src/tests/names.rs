//! Each call that is not served sets the error, and so do geometries of other kinds.

use super::host::Host;
use estoc_embree_common::abi::error;
use estoc_embree_common::calls::device::rtcGetDeviceError;
use estoc_embree_common::calls::geometry as of;
use estoc_embree_common::calls::rejections as no;
use estoc_embree_common::calls::scene::rtcGetGeometry;
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
    let host = Host::of_sheets();
    let (none, geometry) = (null(), rtcGetGeometry(host.scene, 0));
    rtcGetDeviceError(Handle::NULL);
    let mut names = Vec::new();
    fail! { names, host.error() =>
        no::rtcNewBVH(host.device);
        no::rtcCollide(host.scene);
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
    let quoted = section.split('`');
    let mut listed: Vec<_> = quoted.filter(|word| word.starts_with("rtc")).collect();
    listed.sort_unstable();
    names.sort_unstable();
    assert_eq!(listed, names);
    assert!(of::rtcNewGeometry(host.device, 24).get().is_none());
    assert_eq!(host.error(), error::INVALID_OPERATION);
}
