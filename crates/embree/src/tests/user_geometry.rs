//! User geometry: spheres that callbacks intersect.

use super::host::{Found, Host, ray, sheet};
use crate::forward::{
    rtcForwardIntersect1, rtcForwardIntersect1Ex, rtcForwardOccluded1, rtcForwardOccluded1Ex,
    rtcInvokeIntersectFilterFromGeometry, rtcInvokeOccludedFilterFromGeometry,
    rtcTraversableForwardIntersect1, rtcTraversableForwardIntersect1Ex,
    rtcTraversableForwardOccluded1, rtcTraversableForwardOccluded1Ex,
};
use estoc_embree_common::abi::{
    BoundsArguments, FilterArguments, Hits, InstanceIds, RayHits, Rays, UserArguments, error,
    format, geometry_type,
};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcSetGeometryBoundsFunction, rtcSetGeometryInstancedScene,
    rtcSetGeometryIntersectFilterFunction, rtcSetGeometryIntersectFunction,
    rtcSetGeometryOccludedFilterFunction, rtcSetGeometryOccludedFunction, rtcSetGeometryTransform,
    rtcSetGeometryUserData, rtcSetGeometryUserPrimitiveCount,
};
use estoc_embree_common::calls::scene::{rtcGetGeometry, rtcNewScene};
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use estoc_embree_common::scene::geometry::Geometry;
use std::cell::Cell;
use std::ffi::c_int;

/// Centers along x; all radii are 1.
static CENTERS: [f32; 3] = [0.0, 4.0, 8.0];

fn centers(user: *mut std::ffi::c_void) -> &'static [f32; 3] {
    // SAFETY: the tests pass the address of `CENTERS`.
    unsafe { &*user.cast_const().cast() }
}

extern "C" fn bounds(arguments: *const BoundsArguments) {
    // SAFETY: the library passes arguments that are valid for the call.
    let (of, to) = unsafe { (&*arguments, &mut *(*arguments).bounds) };
    let x = centers(of.user)[of.prim as usize];
    (to.lower, to.upper) = ([x - 1.0, -1.0, -1.0, 0.0], [x + 1.0, 1.0, 1.0, 0.0]);
}

/// Returns the first parameter of a sphere within the ray's interval.
fn first(ray: &Rays<1>, x: f32) -> Option<f32> {
    let o = [ray.origin[0][0] - x, ray.origin[1][0], ray.origin[2][0]];
    let d = ray.dir.map(|[d]| d);
    let dot = |a: [f32; 3], b: [f32; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (a, b, c) = (dot(d, d), dot(o, d), dot(o, o) - 1.0);
    let root = (b * b - a * c).sqrt();
    [(-b - root) / a, (-b + root) / a]
        .into_iter()
        .find(|&t| t >= ray.tnear[0] && t <= ray.tfar[0])
}

extern "C" fn intersect(arguments: *const UserArguments<RayHits<1>>) {
    // SAFETY: as above.
    let (of, rayhit) = unsafe { (&*arguments, &mut *(*arguments).ray) };
    assert_eq!(of.n, 1);
    // SAFETY: as above.
    let context = unsafe { &*of.context.cast::<InstanceIds>() };
    if let Some(t) = first(&rayhit.ray, centers(of.user)[of.prim as usize]) {
        let before = rayhit.ray.tfar;
        rayhit.ray.tfar = [t];
        let mut hit = rayhit.hit;
        hit.u = [0.5];
        hit.normal = [[1.0], [2.0], [3.0]];
        (hit.geometry, hit.prim) = ([of.geometry], [of.prim]);
        (hit.instance, hit.instance_prim) = ([context.instance], [[context.instance_prim]]);
        let mut valid: c_int = -1;
        let filter = FilterArguments {
            valid: &raw mut valid,
            user: of.user,
            context: of.context,
            ray: &raw mut rayhit.ray,
            hit: &raw mut hit,
            n: 1,
        };
        rtcInvokeIntersectFilterFromGeometry(arguments, &raw const filter);
        match valid {
            0 => rayhit.ray.tfar = before,
            _ => rayhit.hit = hit,
        }
    }
}

extern "C" fn occluded(arguments: *const UserArguments<Rays<1>>) {
    // SAFETY: as above.
    let (of, ray) = unsafe { (&*arguments, &mut *(*arguments).ray) };
    if first(ray, centers(of.user)[of.prim as usize]).is_some() {
        let (mut valid, mut hit) = (-1, Hits::NONE);
        (hit.geometry, hit.prim) = ([of.geometry], [of.prim]);
        let filter = FilterArguments {
            valid: &raw mut valid,
            user: of.user,
            context: of.context,
            ray: &raw mut *ray,
            hit: &raw mut hit,
            n: 1,
        };
        rtcInvokeOccludedFilterFromGeometry(arguments, &raw const filter);
        if valid != 0 {
            ray.tfar = [f32::NEG_INFINITY];
        }
    }
}

fn spheres(host: &Host) -> Handle<Geometry> {
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 3);
    rtcSetGeometryUserData(geometry, (&raw const CENTERS).cast_mut().cast());
    rtcSetGeometryBoundsFunction(geometry, Some(bounds));
    rtcSetGeometryIntersectFunction(geometry, Some(intersect));
    rtcSetGeometryOccludedFunction(geometry, Some(occluded));
    rtcCommitGeometry(geometry);
    geometry
}

fn along_x(x: f32) -> Rays<1> {
    ray([x, 0.0, 0.0], [1.0, 0.0, 0.0])
}

#[test]
fn callbacks_find_hits_beside_those_of_triangles() {
    let host = Host::new();
    host.attach(host.mesh(
        &[[2.5, -9.0, -9.0], [2.5, 9.0, -9.0], [2.5, 0.0, 9.0]],
        &[[0, 1, 2]],
    ));
    host.attach(spheres(&host));
    host.commit();
    assert_eq!(host.error(), 0);
    let hit = host.intersect(along_x(-5.0));
    assert_eq!(hit.found(), Some((4.0, 1, 0)));
    assert_eq!((hit.hit.u, hit.hit.normal), ([0.5], [[1.0], [2.0], [3.0]]));
    assert_eq!(
        host.intersect(along_x(0.0)).found(),
        Some((1.0, 1, 0)),
        "from within"
    );
    assert_eq!(
        host.intersect(along_x(1.5)).found(),
        Some((1.0, 0, 0)),
        "the triangle"
    );
    assert_eq!(host.intersect(along_x(3.0)).found(), Some((0.0, 1, 1)));
    assert_eq!(host.intersect(along_x(9.5)).found(), None);
    assert_eq!(
        host.occluded(Rays {
            tfar: [1.0],
            ..along_x(5.5)
        }),
        1.0
    );
    assert_eq!(host.occluded(along_x(5.5)), f32::NEG_INFINITY);
}

#[test]
fn instances_of_user_geometry_move_the_ray() {
    let object = Host::new();
    object.attach(spheres(&object));
    object.commit();
    estoc_embree_common::calls::device::rtcRetainDevice(object.device);
    let host = Host {
        device: object.device,
        scene: rtcNewScene(object.device),
    };
    for z in [10.0f32, 20.0] {
        let geometry = rtcNewGeometry(host.device, geometry_type::INSTANCE);
        rtcSetGeometryInstancedScene(geometry, object.scene);
        let rows = [
            [2.0, 0.0, 0.0, 0.0],
            [0.0, 2.0, 0.0, 0.0],
            [0.0, 0.0, 2.0, z],
        ];
        rtcSetGeometryTransform(
            geometry,
            0,
            format::FLOAT3X4_ROW_MAJOR,
            rows.as_ptr().cast(),
        );
        rtcCommitGeometry(geometry);
        host.attach(geometry);
    }
    host.commit();
    assert_eq!(host.error(), 0);
    let up = ray([8.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    let hit = host.intersect(up);
    assert_eq!((hit.found(), hit.hit.instance), (Some((8.0, 0, 1)), [0]));
    let hit = host.intersect(Rays {
        tnear: [12.5],
        ..up
    });
    assert_eq!(
        (hit.found(), hit.hit.instance, hit.hit.instance_prim),
        (Some((18.0, 0, 1)), [1], [[0]])
    );
    assert_eq!(host.occluded(up), f32::NEG_INFINITY);
}

extern "C" fn not_the_first(arguments: *const FilterArguments) {
    // SAFETY: as above.
    unsafe {
        if (*(*arguments).hit).prim == [0] {
            *(*arguments).valid = 0;
        }
    }
}

#[test]
fn callbacks_invoke_the_filter_of_their_geometry() {
    let host = Host::new();
    let geometry = spheres(&host);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(not_the_first));
    rtcSetGeometryOccludedFilterFunction(geometry, Some(not_the_first));
    host.attach(geometry);
    host.commit();
    assert_eq!(host.intersect(along_x(-5.0)).found(), Some((8.0, 0, 1)));
    assert_eq!(host.occluded(along_x(-5.0)), f32::NEG_INFINITY);
    let short = Rays {
        tfar: [7.0],
        ..along_x(-5.0)
    };
    assert_eq!(host.occluded(short), 7.0, "only the first is within");
}

#[test]
fn user_geometry_without_bounds_is_an_error() {
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), 0, "it has no primitives");
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.error(), error::INVALID_OPERATION);
}

/// What the geometry's data are: the scene that it forwards to, and how.
struct Forwarding {
    scene: Handle<Scene>,
    intersect: fn(Option<&UserArguments<RayHits<1>>>, Handle<Scene>, Option<&Rays<1>>),
    occluded: fn(Option<&UserArguments<Rays<1>>>, Handle<Scene>, Option<&Rays<1>>),
}

/// Returns the geometry's data, and a ray moved by 5 along z.
///
/// # Safety
/// The arguments are those that the library passes for a geometry whose data are a `Forwarding`.
unsafe fn forwarding<T>(of: &UserArguments<T>) -> (&Forwarding, Rays<1>) {
    // SAFETY: the caller's promise; rays come first in what has a hit, too.
    let (forwarding, mut ray) = unsafe { (&*of.user.cast(), *of.ray.cast::<Rays<1>>()) };
    ray.origin[2][0] -= 5.0;
    (forwarding, ray)
}

extern "C" fn forwards(arguments: *const UserArguments<RayHits<1>>) {
    // SAFETY: as above.
    let of = unsafe { &*arguments };
    // SAFETY: the tests pass such data.
    let (data, ray) = unsafe { forwarding(of) };
    (data.intersect)(Some(of), data.scene, Some(&ray));
}

extern "C" fn forwards_occluded(arguments: *const UserArguments<Rays<1>>) {
    // SAFETY: as above.
    let of = unsafe { &*arguments };
    // SAFETY: the tests pass such data.
    let (data, ray) = unsafe { forwarding(of) };
    (data.occluded)(Some(of), data.scene, Some(&ray));
}

extern "C" fn large(arguments: *const BoundsArguments) {
    // SAFETY: as above.
    let to = unsafe { &mut *(*arguments).bounds };
    (to.lower, to.upper) = ([-9.0; 4], [9.0; 4]);
}

thread_local! {
    static SEEN: Cell<Option<[u32; 2]>> = const { Cell::new(None) };
}

/// Notes the ids of the instance.
extern "C" fn sees_ids(arguments: *const FilterArguments) {
    // SAFETY: as above.
    let context = unsafe { &*(*arguments).context.cast::<InstanceIds>() };
    SEEN.set(Some([context.instance, context.instance_prim]));
}

#[test]
fn callbacks_forward_rays_to_other_scenes() {
    let object = Host::of_mesh(&sheet(0.0), &[[0, 1, 2]]);
    let sheet = rtcGetGeometry(object.scene, 0);
    rtcSetGeometryOccludedFilterFunction(sheet, Some(sees_ids));
    rtcCommitGeometry(sheet);
    object.commit();
    estoc_embree_common::calls::device::rtcRetainDevice(object.device);
    let host = Host {
        device: object.device,
        scene: rtcNewScene(object.device),
    };
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcSetGeometryBoundsFunction(geometry, Some(large));
    rtcSetGeometryIntersectFunction(geometry, Some(forwards));
    rtcSetGeometryOccludedFunction(geometry, Some(forwards_occluded));
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    // The ids of instances by hand, which the callback chooses.
    let all: [(Forwarding, [u32; 2]); 4] = [
        (
            Forwarding {
                scene: object.scene,
                intersect: |of, scene, ray| rtcForwardIntersect1(of, scene, ray, 42),
                occluded: |of, scene, ray| rtcForwardOccluded1(of, scene, ray, 42),
            },
            [42, 0],
        ),
        (
            Forwarding {
                scene: object.scene,
                intersect: |of, scene, ray| rtcForwardIntersect1Ex(of, scene, ray, 43, 7),
                occluded: |of, scene, ray| rtcForwardOccluded1Ex(of, scene, ray, 43, 7),
            },
            [43, 7],
        ),
        (
            Forwarding {
                scene: object.scene,
                intersect: |of, scene, ray| rtcTraversableForwardIntersect1(of, scene, ray, 44),
                occluded: |of, scene, ray| rtcTraversableForwardOccluded1(of, scene, ray, 44),
            },
            [44, 0],
        ),
        (
            Forwarding {
                scene: object.scene,
                intersect: |of, to, ray| rtcTraversableForwardIntersect1Ex(of, to, ray, 45, 8),
                occluded: |of, to, ray| rtcTraversableForwardOccluded1Ex(of, to, ray, 45, 8),
            },
            [45, 8],
        ),
    ];
    for (data, ids) in &all {
        rtcSetGeometryUserData(geometry, (&raw const *data).cast_mut().cast());
        let up = ray([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]);
        let hit = host.intersect(up);
        assert_eq!((hit.found(), hit.hit.u), (Some((5.0, 0, 0)), [0.25]));
        assert_eq!([hit.hit.instance[0], hit.hit.instance_prim[0][0]], *ids);
        assert_eq!(host.occluded(up), f32::NEG_INFINITY);
        assert_eq!(SEEN.take(), Some(*ids));
        assert_eq!(host.occluded(ray([3.0, 3.0, 0.0], [0.0, 0.0, 1.0])), 1e37);
    }
}
