//! User geometry: spheres that callbacks intersect.

use super::host::{Host, ray, sheet};
use crate::abi::{
    BoundsArguments, FilterArguments, RayHits, Rays, UserArguments, error, format, geometry_type,
};
use crate::calls::forward::{rtcForwardIntersect1, rtcForwardOccluded1};
use crate::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcSetGeometryBoundsFunction, rtcSetGeometryInstancedScene,
    rtcSetGeometryIntersectFilterFunction, rtcSetGeometryIntersectFunction,
    rtcSetGeometryOccludedFunction, rtcSetGeometryTransform, rtcSetGeometryUserData,
    rtcSetGeometryUserPrimitiveCount,
};
use crate::calls::scene::rtcNewScene;
use crate::handle::Handle;
use crate::scene::geometry::Geometry;
use crate::scene::user_shape::rtcInvokeIntersectFilterFromGeometry;
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
    let context = unsafe { &*of.context };
    if let Some(t) = first(&rayhit.ray, centers(of.user)[of.prim as usize]) {
        let before = rayhit.ray.tfar;
        rayhit.ray.tfar = [t];
        let mut hit = rayhit.hit;
        hit.u = [0.5];
        hit.normal = [[1.0], [2.0], [3.0]];
        (hit.geometry, hit.prim) = ([of.geometry], [of.prim]);
        (hit.instance, hit.instance_prim) = ([context.instance], [context.instance_prim]);
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
        ray.tfar = [f32::NEG_INFINITY];
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
    crate::calls::device::rtcRetainDevice(object.device);
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
        (Some((18.0, 0, 1)), [1], [0])
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
    host.attach(geometry);
    host.commit();
    assert_eq!(host.intersect(along_x(-5.0)).found(), Some((8.0, 0, 1)));
}

#[test]
fn user_geometry_without_bounds_is_an_error() {
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), error::NONE, "it has no primitives");
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcCommitGeometry(geometry);
    host.commit();
    assert_eq!(host.error(), error::INVALID_OPERATION);
}

/// The geometry's data is the scene that it forwards to, which it moves by 5 along z.
extern "C" fn forwards(arguments: *const UserArguments<RayHits<1>>) {
    // SAFETY: as above.
    let of = unsafe { &*arguments };
    // SAFETY: as above; the data is the handle of a scene.
    let (mut ray, scene) = unsafe {
        (
            (*of.ray).ray,
            *of.user.cast::<Handle<crate::scene::Scene>>(),
        )
    };
    ray.origin[2][0] -= 5.0;
    rtcForwardIntersect1(Some(of), scene, Some(&ray), 42);
}

extern "C" fn forwards_occluded(arguments: *const UserArguments<Rays<1>>) {
    // SAFETY: as above.
    let of = unsafe { &*arguments };
    // SAFETY: as above.
    let (mut ray, scene) = unsafe { (*of.ray, *of.user.cast::<Handle<crate::scene::Scene>>()) };
    ray.origin[2][0] -= 5.0;
    rtcForwardOccluded1(Some(of), scene, Some(&ray), 42);
}

extern "C" fn large(arguments: *const BoundsArguments) {
    // SAFETY: as above.
    let to = unsafe { &mut *(*arguments).bounds };
    (to.lower, to.upper) = ([-9.0; 4], [9.0; 4]);
}

#[test]
fn callbacks_forward_rays_to_other_scenes() {
    let object = Host::of_mesh(&sheet(0.0), &[[0, 1, 2]]);
    crate::calls::device::rtcRetainDevice(object.device);
    let host = Host {
        device: object.device,
        scene: rtcNewScene(object.device),
    };
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    let mut scene = object.scene;
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcSetGeometryUserData(geometry, (&raw mut scene).cast());
    rtcSetGeometryBoundsFunction(geometry, Some(large));
    rtcSetGeometryIntersectFunction(geometry, Some(forwards));
    rtcSetGeometryOccludedFunction(geometry, Some(forwards_occluded));
    rtcCommitGeometry(geometry);
    host.attach(geometry);
    host.commit();
    let up = ray([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]);
    let hit = host.intersect(up);
    // An instance by hand, whose id the callback chose.
    assert_eq!((hit.found(), hit.hit.u), (Some((5.0, 0, 0)), [0.25]));
    assert_eq!(hit.hit.instance, [42]);
    assert_eq!(host.occluded(up), f32::NEG_INFINITY);
    assert_eq!(host.occluded(ray([3.0, 3.0, 0.0], [0.0, 0.0, 1.0])), 1e37);
}
