//! Single rays and packets, on triangles and quads.

use super::host::{Found, Host, NO_HIT, fill, ray, sheet, up};
use crate::calls::rtcGetSceneTraversable;
use crate::rays::{
    rtcIntersect1, rtcIntersect4, rtcIntersect8, rtcIntersect16, rtcOccluded1, rtcOccluded4,
    rtcOccluded8, rtcOccluded16, rtcTraversableIntersect1, rtcTraversableIntersect4,
    rtcTraversableIntersect8, rtcTraversableIntersect16, rtcTraversableOccluded1,
    rtcTraversableOccluded4, rtcTraversableOccluded8, rtcTraversableOccluded16,
};
use estoc_embree_common::abi::{Hits, INVALID, RayHits, Rays};
use estoc_embree_common::calls::geometry::{rtcCommitGeometry, rtcSetGeometryMask};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use std::ffi::c_int;

#[test]
fn a_hit_has_all_numbers() {
    let host = Host::of_mesh(
        &sheet(2.0).map(|[x, y, z]| [2.0 * x, 2.0 * y, z]),
        &[[0, 1, 2]],
    );
    let hit = host.intersect(ray([0.5, 1.0, 0.0], [0.0, 0.0, 0.5]));
    assert_eq!(hit.found(), Some((4.0, 0, 0)));
    // u is the weight of the second vertex, and the normal is as long as the area of the parallelogram.
    assert_eq!((hit.hit.u, hit.hit.v), ([0.25], [0.5]));
    assert_eq!(hit.hit.normal, [[0.0], [0.0], [4.0]]);
    assert_eq!(
        (hit.hit.instance, hit.hit.instance_prim),
        ([INVALID], [[INVALID]])
    );
    assert_eq!(
        host.occluded(ray([0.5, 1.0, 0.0], [0.0, 0.0, 0.5])),
        f32::NEG_INFINITY
    );
}

#[test]
fn a_miss_changes_nothing() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let away = ray([5.0, 5.0, 0.0], [0.0, 0.0, 1.0]);
    let missed = host.intersect(away);
    assert_eq!((missed.found(), missed.ray.tfar), (None, [1e37]));
    assert_eq!(host.occluded(away), 1e37);
}

#[test]
fn intervals_are_closed_and_undefined_rays_hit_nothing() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let within = |tnear: f32, tfar: f32| {
        let ray = Rays {
            tnear: [tnear],
            tfar: [tfar],
            ..up()
        };
        let (found, tfar_after) = (host.intersect(ray).found().is_some(), host.occluded(ray));
        assert_eq!(
            found,
            tfar_after == f32::NEG_INFINITY && tfar != f32::NEG_INFINITY
        );
        found
    };
    assert!(
        within(3.0, 3.0)
            && within(0.0, f32::INFINITY)
            && within(-1.0, 1e37)
            && within(f32::NEG_INFINITY, 3.0)
    );
    assert!(!within(0.0, 3.0f32.next_down()) && !within(3.0f32.next_up(), 9.0));
    assert!(!within(9.0, 0.0) && !within(f32::NAN, 9.0) && !within(0.0, f32::NAN));
    assert!(!within(0.0, f32::NEG_INFINITY), "what is occluded stays so");
    assert!(
        host.intersect(ray([f32::NAN, 0.0, 0.0], [0.0, 0.0, 1.0]))
            .found()
            .is_none()
    );
    assert!(
        host.intersect(ray([0.25, 0.25, 2.0], [0.0; 3]))
            .found()
            .is_none()
    );
}

#[test]
fn no_ray_leaks_through_a_shared_edge() {
    let corners = [
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 1.0],
    ];
    let host = Host::of_mesh(&corners, &[[0, 1, 2], [0, 2, 3]]);
    for i in 0..=1000u16 {
        let x = f32::from(i) / 1000.0;
        let aimed = ray([0.3, 0.7, -2.0], [x - 0.3, x - 0.7, 3.0]);
        let Some((_, 0, prim)) = host.intersect(aimed).found() else {
            // The direction is rounded, so that it may pass beside the corner at each end.
            assert!(i == 0 || i == 1000, "{i}");
            continue;
        };
        assert!(prim < 2);
    }
}

#[test]
fn quads_are_two_triangles() {
    let corners = [
        [0.0, 0.0, 1.0],
        [2.0, 0.0, 1.0],
        [2.0, 2.0, 1.0],
        [0.0, 2.0, 1.0],
    ];
    // The second is a triangle as a quad.
    let host = Host::of_mesh(
        &corners.map(|[x, y, z]| [x, y, z]),
        &[[0, 1, 2, 3], [3, 2, 1, 1]],
    );
    for (x, y) in [(0.5, 0.25), (1.5, 1.75), (1.0, 1.0)] {
        let hit = host.intersect(ray([x, y, 0.0], [0.0, 0.0, 1.0]));
        assert_eq!(
            hit.found(),
            Some((1.0, 0, 0)),
            "the lowest number of equals"
        );
        assert_eq!((hit.hit.u, hit.hit.v), ([x / 2.0], [y / 2.0]));
        assert_eq!(hit.hit.normal, [[0.0], [0.0], [4.0]]);
    }
    let alone = Host::of_mesh(&corners, &[[0, 1, 2, 2]]);
    assert!(
        alone
            .intersect(ray([1.5, 0.5, 0.0], [0.0, 0.0, 1.0]))
            .found()
            .is_some()
    );
    assert!(
        alone
            .intersect(ray([0.5, 1.5, 0.0], [0.0, 0.0, 1.0]))
            .found()
            .is_none()
    );
}

#[test]
fn geometries_have_masks_which_are_1_at_first() {
    let host = Host::new();
    let below = host.mesh(&sheet(1.0), &[[0, 1, 2]]);
    let above = host.mesh(&sheet(2.0), &[[0, 1, 2]]);
    let set = |geometry, mask| {
        rtcSetGeometryMask(geometry, mask);
        rtcCommitGeometry(geometry);
    };
    host.attach(below);
    host.attach(above);
    let seen = |mask: u32| {
        let ray = Rays {
            mask: [mask],
            ..up()
        };
        let found = host.intersect(ray).found().map(|(_, geometry, _)| geometry);
        assert_eq!(found.is_some(), host.occluded(ray) == f32::NEG_INFINITY);
        found
    };
    host.commit();
    assert_eq!(
        [1, u32::MAX, 2, 0].map(seen),
        [Some(0), Some(0), None, None]
    );
    set(below, 0b100);
    host.commit();
    assert_eq!(
        [1, 0b100, u32::MAX, 2, 0].map(seen),
        [Some(1), Some(0), Some(0), None, None]
    );
    set(above, 0b100);
    host.commit();
    assert_eq!([1, 0b110].map(seen), [None, Some(0)]);
}

/// Asks about packets what single rays are asked.
fn packets_answer_as_single_rays<const N: usize>(
    host: &Host,
    intersect: extern "C-unwind" fn(
        Option<&[c_int; N]>,
        Handle<Scene>,
        Option<&mut RayHits<N>>,
        Option<&crate::arguments::IntersectArguments>,
    ),
    occluded: extern "C-unwind" fn(
        Option<&[c_int; N]>,
        Handle<Scene>,
        Option<&mut Rays<N>>,
        Option<&crate::arguments::OccludedArguments>,
    ),
) {
    let each = |lane: usize| Rays {
        mask: [if lane % 5 == 4 { 2 } else { 1 }],
        id: [lane as u32],
        ..ray([lane as f32 / 10.0, 0.25, -1.0], [0.0, 0.0, 1.0])
    };
    fn spread<T, const N: usize>(of: impl Fn(usize) -> [T; 1]) -> [T; N] {
        std::array::from_fn(|lane| of(lane).map(|x| x)).map(|[x]| x)
    }
    let rays = Rays::<N> {
        origin: [0, 1, 2].map(|axis| spread(|lane| each(lane).origin[axis])),
        tnear: spread(|lane| each(lane).tnear),
        dir: [0, 1, 2].map(|axis| spread(|lane| each(lane).dir[axis])),
        time: [0.0; N],
        tfar: spread(|lane| each(lane).tfar),
        mask: spread(|lane| each(lane).mask),
        id: spread(|lane| each(lane).id),
        flags: [0; N],
    };
    let hit = Hits {
        normal: [[0.0; N]; 3],
        u: [7.0; N],
        v: [7.0; N],
        prim: [INVALID; N],
        geometry: [INVALID; N],
        instance: [INVALID; N],
        instance_prim: [[INVALID; N]],
    };
    let valid: [c_int; N] = std::array::from_fn(|lane| if lane % 3 == 2 { 0 } else { -1 });
    let (mut together, mut shadows) = (RayHits { ray: rays, hit }, rays);
    intersect(Some(&valid), host.scene, Some(&mut together), None);
    occluded(Some(&valid), host.scene, Some(&mut shadows), None);
    let mut hits = 0;
    for (lane, is_valid) in valid.into_iter().enumerate() {
        let alone = match is_valid {
            0 => RayHits {
                ray: each(lane),
                hit: NO_HIT,
            },
            _ => host.intersect(each(lane)),
        };
        let (a, b) = (&together, &alone);
        assert_eq!(
            (a.ray.tfar[lane], a.hit.geometry[lane], a.hit.prim[lane]),
            (b.ray.tfar[0], b.hit.geometry[0], b.hit.prim[0])
        );
        let is_hit = alone.found().is_some();
        if is_hit {
            hits += 1;
            assert_eq!(
                [a.hit.u[lane], a.hit.v[lane], a.hit.normal[2][lane]],
                [b.hit.u[0], b.hit.v[0], b.hit.normal[2][0]]
            );
        } else {
            assert_eq!(
                a.hit.u[lane], 7.0,
                "an inactive ray and a miss are not written to"
            );
        }
        assert_eq!(shadows.tfar[lane] == f32::NEG_INFINITY, is_hit);
    }
    assert!(hits > 1);
}

#[test]
fn packets_answer_as_single_rays_do() {
    let plain = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    // Of two masks, so that rays are looked at one by one.
    let masked = Host::new();
    let other = masked.mesh(&sheet(1.0), &[[0, 1, 2]]);
    rtcSetGeometryMask(other, 2);
    masked.attach(other);
    masked.attach(masked.mesh(&sheet(2.0), &[[0, 1, 2]]));
    masked.commit();
    for host in [&plain, &masked] {
        packets_answer_as_single_rays::<4>(host, rtcIntersect4, rtcOccluded4);
        packets_answer_as_single_rays::<8>(host, rtcIntersect8, rtcOccluded8);
        packets_answer_as_single_rays::<16>(host, rtcIntersect16, rtcOccluded16);
        packets_answer_as_single_rays(host, rtcTraversableIntersect4, rtcTraversableOccluded4);
        packets_answer_as_single_rays(host, rtcTraversableIntersect8, rtcTraversableOccluded8);
        packets_answer_as_single_rays(host, rtcTraversableIntersect16, rtcTraversableOccluded16);
    }
}

#[test]
fn a_scene_is_its_own_traversable_object() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let mut found = RayHits {
        ray: up(),
        hit: NO_HIT,
    };
    let traversable = rtcGetSceneTraversable(host.scene);
    rtcTraversableIntersect1(traversable, Some(&mut found), None);
    assert_eq!(found.found(), Some((3.0, 0, 0)));
    let tfar = |tfar| {
        let mut shadow = Rays {
            tfar: [tfar],
            ..up()
        };
        rtcTraversableOccluded1(traversable, Some(&mut shadow), None);
        shadow.tfar[0]
    };
    assert_eq!([9.0, 2.0].map(tfar), [f32::NEG_INFINITY, 2.0]);
}

#[test]
fn queries_before_a_commit_and_of_null_find_nothing() {
    let host = Host::new();
    host.attach(host.mesh(&sheet(2.0), &[[0, 1, 2]]));
    assert_eq!(host.intersect(up()).found(), None);
    rtcIntersect1(host.scene, None, None);
    rtcOccluded1(host.scene, None, None);
    let mut found = RayHits {
        ray: up(),
        hit: NO_HIT,
    };
    rtcIntersect1(Handle::NULL, Some(&mut found), None);
    assert_eq!(found.found(), None);
    host.commit();
    assert_eq!(host.intersect(up()).found(), Some((3.0, 0, 0)));
}

/// As programs do that pack a ray and more into one buffer.
#[test]
fn rays_need_no_alignment() {
    let host = Host::of_mesh(&sheet(2.0), &[[0, 1, 2]]);
    let mut memory = [0u32; 40];
    fill(
        memory[1..].as_mut_ptr().cast(),
        84,
        &[RayHits {
            ray: up(),
            hit: NO_HIT,
        }],
    );
    // SAFETY: the memory has the numbers of a ray and its hit, and is as aligned as they are.
    let aimed = unsafe { &mut *memory[1..].as_mut_ptr().cast::<RayHits<1>>() };
    rtcIntersect1(host.scene, Some(aimed), None);
    assert_eq!(aimed.found(), Some((3.0, 0, 0)));
}
