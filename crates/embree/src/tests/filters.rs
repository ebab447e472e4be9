//! Filters of geometries and of queries.

use super::host::{Found, Host, NO_HIT, ray, sheet, up};
use crate::arguments::IntersectArguments;
use crate::arguments::{INVOKE_ARGUMENT_FILTER, QueryArguments};
use crate::calls::rtcSetGeometryEnableFilterFunctionFromArguments;
use crate::rays::rtcIntersect1;
use estoc_embree_common::abi::{Callback, FilterArguments, InstanceIds, RayHits};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcSetGeometryIntersectFilterFunction, rtcSetGeometryOccludedFilterFunction,
    rtcSetGeometryUserData,
};
use estoc_embree_common::calls::scene::rtcGetGeometry;
use std::ptr::null_mut;

/// The arguments of a filter as references, for tests.
macro_rules! filter {
    ($name:ident($arguments:ident, $ray:ident, $hit:ident) $body:block) => {
        extern "C" fn $name(arguments: *const FilterArguments) {
            // SAFETY: the library passes arguments that are valid for the call.
            let ($arguments, $ray, $hit) = unsafe {
                let arguments = &*arguments;
                (arguments, &mut *arguments.ray, &mut *arguments.hit)
            };
            assert_eq!($arguments.n, 1);
            let is_accepted: bool = $body;
            if !is_accepted {
                // SAFETY: as above.
                unsafe { *$arguments.valid = 0 };
            }
        }
    };
}

filter!(only_from_2(arguments, ray, hit) {
    assert!(arguments.user.is_null() && !arguments.context.is_null());
    assert_eq!(hit.geometry, [0]);
    ray.tfar[0] >= 3.0
});

filter!(rewrites(_arguments, ray, hit) {
    (hit.u, hit.geometry, hit.prim) = ([0.75], [77], [88]);
    ray.tfar[0] -= 0.5;
    true
});

filter!(counts(arguments, _ray, _hit) {
    // SAFETY: the host of the test passes a number that outlives the query.
    unsafe { *arguments.user.cast::<u32>() += 1 };
    false
});

filter!(rejects_all(_arguments, _ray, _hit) { false });

fn three_sheets() -> Host {
    let vertices = [sheet(1.0), sheet(2.0), sheet(3.0)].concat();
    Host::of_mesh(&vertices, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]])
}

fn set(host: &Host, filter: Callback<FilterArguments>) {
    let geometry = rtcGetGeometry(host.scene, 0);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(filter));
    rtcSetGeometryOccludedFilterFunction(geometry, Some(filter));
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.error(), 0);
}

#[test]
fn rejected_hits_are_passed_through() {
    let host = three_sheets();
    set(&host, only_from_2);
    let found = host.intersect(up());
    assert_eq!(found.found(), Some((3.0, 0, 1)));
    assert_eq!(host.occluded(up()), f32::NEG_INFINITY);
    let short = estoc_embree_common::abi::Rays {
        tfar: [2.5],
        ..up()
    };
    assert_eq!(
        (host.intersect(short).found(), host.occluded(short)),
        (None, 2.5)
    );
    let missed = host.intersect(short);
    assert_eq!(missed.ray.dir, short.dir);
    assert_eq!(
        missed.ray.tfar,
        [2.5],
        "a rejected hit leaves the ray as it was"
    );
}

#[test]
fn a_filter_changes_the_hit() {
    let host = three_sheets();
    set(&host, rewrites);
    let found = host.intersect(up());
    assert_eq!((found.found(), found.hit.u), (Some((1.5, 77, 88)), [0.75]));
}

filter!(accepts_all(_arguments, _ray, _hit) { true });

/// Who gathers hits goes on from the last one's `tfar`, and misses those beside it if 1/3 is before its nearest `f32`.
#[test]
fn with_filters_a_rounded_parameter_is_compared_with_the_interval() {
    let host = Host::of_mesh(&sheet(1.0), &[[0, 1, 2]]);
    // 1/3 is rounded up, 1/25 down.
    let [third, part] = [3.0f32, 25.0].map(|speed| (speed, 1.0 / speed));
    let ask = |(speed, _): (f32, f32), tnear: f32, tfar: f32| {
        let along = estoc_embree_common::abi::Rays {
            tnear: [tnear],
            tfar: [tfar],
            ..ray([0.25, 0.25, 0.0], [0.0, 0.0, speed])
        };
        let found = host.intersect(along).found().map(|(t, ..)| t);
        assert_eq!(found.is_some(), host.occluded(along) == f32::NEG_INFINITY);
        found
    };
    assert_eq!(ask(third, third.1, 9.0), None);
    assert_eq!(ask(part, 0.0, part.1), None);
    set(&host, accepts_all);
    assert_eq!(ask(third, third.1, 9.0), Some(third.1));
    assert_eq!(ask(part, 0.0, part.1), Some(part.1));
    assert_eq!(ask(third, third.1.next_up(), 9.0), None);
    assert_eq!(ask(part, 0.0, part.1.next_down()), None);
}

#[test]
fn filters_get_the_data_of_the_geometry() {
    let host = three_sheets();
    let mut count = 0u32;
    set(&host, counts);
    // Set after the commit, and in effect.
    rtcSetGeometryUserData(rtcGetGeometry(host.scene, 0), (&raw mut count).cast());
    assert_eq!(host.intersect(up()).found(), None);
    assert!(count >= 3, "{count}");
}

#[test]
fn filters_among_the_arguments_are_called_where_they_are_allowed() {
    let host = three_sheets();
    let geometry = rtcGetGeometry(host.scene, 0);
    let mut context = InstanceIds::NONE;
    let mut ask = |flags| {
        let arguments: IntersectArguments = QueryArguments {
            flags,
            feature_mask: u32::MAX,
            context: &raw mut context,
            filter: Some(rejects_all),
            user: None,
        };
        let mut found = RayHits {
            ray: up(),
            hit: NO_HIT,
        };
        rtcIntersect1(host.scene, Some(&mut found), Some(&arguments));
        found.found().is_some()
    };
    assert!(ask(0));
    assert!(!ask(INVOKE_ARGUMENT_FILTER));
    rtcSetGeometryEnableFilterFunctionFromArguments(geometry, true);
    rtcCommitGeometry(geometry);
    host.commit();
    assert!(!ask(0));
    assert!(
        context == InstanceIds::NONE,
        "what the library writes to it is undone"
    );
    let none: IntersectArguments = QueryArguments {
        flags: 0,
        feature_mask: u32::MAX,
        context: null_mut(),
        filter: None,
        user: None,
    };
    let mut found = RayHits {
        ray: up(),
        hit: NO_HIT,
    };
    rtcIntersect1(host.scene, Some(&mut found), Some(&none));
    assert_eq!(found.found(), Some((2.0, 0, 0)));
}

/// A hit, a ray and both as the header has them.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Whole<const N: usize>([u32; N]);

extern "C" fn copies_whole_structs(arguments: *const FilterArguments) {
    // SAFETY: the library lends what is as large and aligned as the header has it.
    unsafe {
        let (ray, hit) = (
            (*arguments).ray.cast::<Whole<12>>(),
            (*arguments).hit.cast::<Whole<12>>(),
        );
        assert!(ray.is_aligned() && hit.is_aligned());
        let (copied, mut changed) = (*ray, *hit);
        *ray = copied;
        changed.0[3] = 0.5f32.to_bits();
        *hit = changed;
    }
}

#[test]
fn filters_may_copy_whole_rays_and_hits() {
    let host = three_sheets();
    set(&host, copies_whole_structs);
    let found = host.intersect(up());
    assert_eq!((found.found(), found.hit.u), (Some((2.0, 0, 0)), [0.5]));
    // In packets, too.
    let mut packet = estoc_embree_common::abi::RayHits::<4> {
        ray: estoc_embree_common::abi::Rays {
            origin: up().origin.map(|[x]| [x; 4]),
            tnear: [0.0; 4],
            dir: up().dir.map(|[x]| [x; 4]),
            time: [0.0; 4],
            tfar: [9.0, 9.0, 1.0, 9.0],
            mask: [u32::MAX; 4],
            id: [0, 1, 2, 3],
            flags: [0; 4],
        },
        hit: estoc_embree_common::abi::Hits {
            normal: [[0.0; 4]; 3],
            u: [7.0; 4],
            v: [7.0; 4],
            prim: [u32::MAX; 4],
            geometry: [u32::MAX; 4],
            instance: [u32::MAX; 4],
            instance_prim: [[u32::MAX; 4]],
        },
    };
    crate::rays::rtcIntersect4(Some(&[-1, 0, -1, -1]), host.scene, Some(&mut packet), None);
    assert_eq!(
        (packet.hit.u, packet.ray.tfar),
        ([0.5, 7.0, 7.0, 0.5], [2.0, 9.0, 1.0, 2.0])
    );
}

filter!(sees_ids(arguments, _ray, hit) {
    // SAFETY: as above.
    let context = unsafe { &*arguments.context.cast::<InstanceIds>() };
    assert_eq!((context.instance, hit.instance, hit.instance_prim), (12, [12], [[34]]));
    true
});

#[test]
fn instances_by_hand_are_told_by_the_context() {
    let host = three_sheets();
    let mut context = InstanceIds::of([12, 34]);
    let arguments: IntersectArguments = QueryArguments {
        flags: 0,
        feature_mask: u32::MAX,
        context: &raw mut context,
        filter: None,
        user: None,
    };
    let ask = || {
        let mut found = RayHits {
            ray: up(),
            hit: NO_HIT,
        };
        rtcIntersect1(host.scene, Some(&mut found), Some(&arguments));
        (found.hit.instance[0], found.hit.instance_prim[0][0])
    };
    assert_eq!(ask(), (12, 34));
    set(&host, sees_ids);
    assert_eq!(ask(), (12, 34));
}
