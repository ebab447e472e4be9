//! Rays: single ones, packets and streams, masks and instances.

use super::host::{Host, NO_HIT, found, no_context, up};
use crate::context::IntersectContext;
use crate::rays::{
    rtcIntersect1, rtcIntersect4, rtcIntersect8, rtcIntersect16, rtcOccluded4, rtcOccluded8,
    rtcOccluded16,
};
use crate::streams::{
    rtcIntersect1M, rtcIntersect1Mp, rtcIntersectNM, rtcIntersectNp, rtcOccluded1M, rtcOccluded1Mp,
    rtcOccludedNM, rtcOccludedNp,
};
use estoc_embree_common::abi::{INVALID, RayHits, Rays};
use estoc_embree_common::calls::device::rtcGetDeviceProperty;
use estoc_embree_common::calls::geometry::{rtcCommitGeometry, rtcSetGeometryMask};
use estoc_embree_common::calls::scene::rtcGetGeometry;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::host_pointer::read;
use estoc_embree_common::scene::Scene;
use std::ffi::c_int;
use std::ptr::null_mut;

/// Rays of which every other one hits.
fn rays() -> [Rays<1>; 6] {
    std::array::from_fn(|i| up(if i % 2 == 0 { 0.25 } else { 3.0 }, 0.5 + i as f32 / 2.0))
}

fn intersected(host: &Host) -> [RayHits<1, 0>; 6] {
    rays().map(|ray| host.intersect(ray, &mut no_context()))
}

fn numbers<const N: usize, T>(of: &T) -> [u32; N] {
    assert_eq!(size_of::<T>(), 4 * N);
    read(std::ptr::from_ref(of).cast()).unwrap()
}

#[test]
fn single_rays_hit_the_nearest_triangle() {
    let host = Host::of_sheets();
    let hit = host.intersect(up(0.25, 0.0), &mut no_context());
    assert_eq!(found(&hit), Some((1.0, 0, INVALID)));
    assert_eq!((hit.hit.u, hit.hit.v), ([0.25], [0.25]));
    assert_eq!(hit.hit.normal, [[0.0], [0.0], [1.0]]);
    assert!(host.occluded(up(0.25, 0.0), &mut no_context()));
    assert!(!host.occluded(up(3.0, 0.0), &mut no_context()));
    // No more than the layout of Embree 3 is written to.
    let mut two = [RayHits {
        ray: up(0.25, 0.0),
        hit: NO_HIT,
    }; 2];
    let before = numbers::<20, _>(&two[1]);
    rtcIntersect1(host.scene, null_mut(), Some(&mut two[0]));
    assert_eq!(found(&two[0]), found(&hit));
    assert_eq!(numbers(&two[1]), before);
}

type Packets<const N: usize, T> =
    extern "C-unwind" fn(Option<&[c_int; N]>, Handle<Scene>, *mut IntersectContext, Option<&mut T>);

/// Asks about the rays over and over, of which every fourth is inactive.
fn packets_answer_as_single_rays<const N: usize>(
    host: &Host,
    intersect: Packets<N, RayHits<N, 0>>,
    occluded: Packets<N, Rays<N>>,
) {
    let valid: [c_int; N] = std::array::from_fn(|lane| if lane % 4 == 2 { 0 } else { -1 });
    let blank = rays().map(|ray| numbers::<20, _>(&RayHits { ray, hit: NO_HIT }));
    let column = |k: usize| -> [u32; N] { std::array::from_fn(|lane| blank[lane % 6][k]) };
    let columns: [[u32; N]; 20] = std::array::from_fn(column);
    let mut packet: RayHits<N, 0> = read(columns.as_ptr().cast()).unwrap();
    let context = &mut no_context();
    intersect(Some(&valid), host.scene, context, Some(&mut packet));
    let found: [[u32; N]; 20] = read(std::ptr::from_ref(&packet).cast()).unwrap();
    let expected = intersected(host).map(|hit| numbers::<20, _>(&hit));
    let columns: [[u32; N]; 12] = std::array::from_fn(column);
    let mut shadows: Rays<N> = read(columns.as_ptr().cast()).unwrap();
    occluded(Some(&valid), host.scene, context, Some(&mut shadows));
    for lane in 0..N {
        let is_valid = valid[lane] != 0;
        let of = if is_valid { &expected } else { &blank };
        assert_eq!(found.map(|column| column[lane]), of[lane % 6], "{lane}");
        let is_hit = shadows.tfar[lane] == f32::NEG_INFINITY;
        assert_eq!(is_hit, is_valid && lane % 6 % 2 == 0, "{lane}");
    }
}

#[test]
fn packets_answer_as_single_rays_do() {
    let host = Host::of_sheets();
    packets_answer_as_single_rays(&host, rtcIntersect4, rtcOccluded4);
    packets_answer_as_single_rays(&host, rtcIntersect8, rtcOccluded8);
    packets_answer_as_single_rays(&host, rtcIntersect16, rtcOccluded16);
}

/// A ray with something of the host after it.
#[derive(Clone, Copy)]
#[repr(C)]
struct Followed<T>(T, [u32; 4]);

#[test]
fn streams_of_single_rays_have_strides_or_pointers() {
    let host = Host::of_sheets();
    let context = &mut no_context();
    let expected = intersected(&host).map(|hit| numbers::<20, _>(&hit));
    let mut all = rays().map(|ray| Followed(RayHits { ray, hit: NO_HIT }, [9; 4]));
    rtcIntersect1M(host.scene, context, all.as_mut_ptr().cast(), 6, 96);
    assert_eq!(all.map(|of| numbers(&of.0)), expected);
    assert!(all.iter().all(|of| of.1 == [9; 4]));
    let mut all = rays().map(|ray| RayHits { ray, hit: NO_HIT });
    let pointers: Vec<*mut _> = all.iter_mut().rev().map(|ray| &raw mut *ray).collect();
    rtcIntersect1Mp(host.scene, context, pointers.as_ptr(), 6);
    assert_eq!(all.map(|of| numbers(&of)), expected);

    let is_hit = [true, false, true, false, true, false];
    let mut all = rays().map(|ray| Followed(ray, [9; 4]));
    rtcOccluded1M(host.scene, context, all.as_mut_ptr().cast(), 6, 64);
    assert_eq!(all.map(|of| of.0.tfar == [f32::NEG_INFINITY]), is_hit);
    let mut all = rays();
    let pointers: Vec<*mut _> = all.iter_mut().map(|ray| &raw mut *ray).collect();
    rtcOccluded1Mp(host.scene, context, pointers.as_ptr(), 6);
    assert_eq!(all.map(|ray| ray.tfar == [f32::NEG_INFINITY]), is_hit);
    rtcIntersect1M(host.scene, context, null_mut(), 6, 80);
}

#[test]
fn streams_of_packets_have_each_number_of_all_rays_after_one_another() {
    let host = Host::of_sheets();
    let context = &mut no_context();
    let expected = intersected(&host).map(|hit| numbers::<20, _>(&hit));
    // Two packets of three rays, with something of the host between them.
    let blank = rays().map(|ray| numbers::<20, _>(&RayHits { ray, hit: NO_HIT }));
    let packet = |rays: &[[u32; 20]]| -> Vec<u32> {
        (0..20)
            .flat_map(|k| rays.iter().map(move |ray| ray[k]))
            .chain([9; 4])
            .collect()
    };
    let packets = |all: &[[u32; 20]]| all.chunks(3).flat_map(packet).collect::<Vec<_>>();
    let mut all = packets(&blank);
    rtcIntersectNM(host.scene, context, all.as_mut_ptr(), 3, 2, 4 * 64);
    assert_eq!(all, packets(&expected));
    let mut all = packets(&blank);
    rtcOccludedNM(host.scene, context, all.as_mut_ptr(), 3, 2, 4 * 64);
    let tfar = |i: usize| f32::from_bits(all[64 * (i / 3) + 24 + i % 3]);
    assert_eq!(
        [0, 1, 2].map(|i| tfar(i) == f32::NEG_INFINITY),
        [true, false, true]
    );
    assert_eq!(
        [3, 4, 5].map(|i| tfar(i) == f32::NEG_INFINITY),
        [false, true, false]
    );
}

#[test]
fn streams_of_columns_may_lack_some() {
    let host = Host::of_sheets();
    let context = &mut no_context();
    let expected = intersected(&host);
    let mut columns: [[u32; 6]; 20] = std::array::from_fn(|k| {
        rays().map(|ray| numbers::<20, _>(&RayHits { ray, hit: NO_HIT })[k])
    });
    let mut pointers: [*mut u32; 20] = columns.each_mut().map(|column| column.as_mut_ptr());
    // tnear, time, mask, id, flags and the instance.
    for lacked in [3, 7, 9, 10, 11, 19] {
        pointers[lacked] = null_mut();
    }
    let shadows: [*mut u32; 12] = std::array::from_fn(|k| pointers[k]);
    rtcIntersectNp(host.scene, context, Some(&pointers), 6);
    assert_eq!(columns[8], expected.map(|hit| hit.ray.tfar[0].to_bits()));
    assert_eq!(columns[17], expected.map(|hit| hit.hit.prim[0]));
    columns[8] = [1e37f32.to_bits(); 6];
    rtcOccludedNp(host.scene, context, Some(&shadows), 6);
    let is_hit = columns[8].map(|t| f32::from_bits(t) == f32::NEG_INFINITY);
    assert_eq!(is_hit, [true, false, true, false, true, false]);
}

#[test]
fn geometries_are_seen_by_all_masks_until_one_is_set() {
    let host = Host::of_sheets();
    let seen = |mask| {
        let ray = Rays {
            mask: [mask],
            ..up(0.25, 0.0)
        };
        host.occluded(ray, &mut no_context())
    };
    assert_eq!([1, 1 << 31, 0].map(seen), [true, true, false]);
    let geometry = rtcGetGeometry(host.scene, 0);
    rtcSetGeometryMask(geometry, 2);
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!([1, 2, 3].map(seen), [false, true, true]);
}

#[test]
fn hits_tell_the_instance_or_that_of_the_context() {
    let object = Host::of_sheets();
    let host = Host::of_instance(&object);
    let hit = host.intersect(up(0.25, 0.0), &mut no_context());
    assert_eq!(found(&hit), Some((11.0, 0, 5)));
    let mut by_hand = IntersectContext {
        instance: 12,
        ..IntersectContext::NONE
    };
    let hit = object.intersect(up(0.25, 0.0), &mut by_hand);
    assert_eq!(found(&hit), Some((1.0, 0, 12)));
    assert_eq!(by_hand.instance, 12);
}

#[test]
fn the_device_tells_the_version_and_what_is_served() {
    let host = Host::new();
    let property = |number| rtcGetDeviceProperty(host.device, number);
    assert_eq!([0, 1, 2, 3].map(property), [31_305, 3, 13, 5]);
    assert_eq!([35, 64, 66, 98].map(property), [1, 1, 1, 0]);
    assert_eq!(host.error(), 0);
}
