//! Filters of geometries and of contexts, and user geometry.

use super::host::{Host, found, no_context, up};
use crate::calls::{rtcFilterIntersection, rtcFilterOcclusion};
use crate::context::IntersectContext;
use crate::rays::rtcIntersect1;
use estoc_embree_common::abi::{
    Bounds, BoundsArguments, FilterArguments, RayHits, Rays, UserArguments, geometry_type,
};
use estoc_embree_common::calls::geometry::{
    rtcCommitGeometry, rtcNewGeometry, rtcSetGeometryBoundsFunction,
    rtcSetGeometryIntersectFilterFunction, rtcSetGeometryIntersectFunction,
    rtcSetGeometryOccludedFilterFunction, rtcSetGeometryOccludedFunction, rtcSetGeometryUserData,
    rtcSetGeometryUserPrimitiveCount,
};
use estoc_embree_common::calls::scene::rtcGetGeometry;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::scene::Scene;
use std::ffi::c_int;

/// A context with something of the host after it.
#[repr(C)]
struct Counting(IntersectContext, u32);

/// Counts in the host's context, and accepts what is beyond z = 1.5.
extern "C" fn counts(arguments: *const FilterArguments) {
    // SAFETY: the library passes arguments that are valid for the call, and the context of the query.
    unsafe {
        let of = &*arguments;
        let context = &mut *of.context.cast::<Counting>();
        context.1 += 1;
        let ray = &*of.ray;
        assert_eq!((of.n, (*of.hit).instance[0]), (1, context.0.instance));
        if ray.origin[2][0] + ray.tfar[0] < 1.5 {
            *of.valid = 0;
        }
    }
}

/// Accepts the third primitive.
extern "C" fn only_the_last(arguments: *const FilterArguments) {
    // SAFETY: as above.
    unsafe {
        if (*(*arguments).hit).prim != [2] {
            *(*arguments).valid = 0;
        }
    }
}

fn ask(host: &Host, context: *mut Counting) -> Option<(f32, u32, u32)> {
    let mut ray = RayHits {
        ray: up(0.25, 0.0),
        hit: super::host::NO_HIT,
    };
    rtcIntersect1(host.scene, context.cast(), Some(&mut ray));
    found(&ray)
}

fn counting() -> Counting {
    let context = IntersectContext {
        filter: Some(counts),
        instance: 3,
        ..IntersectContext::NONE
    };
    Counting(context, 0)
}

#[test]
fn the_filter_of_the_context_is_called_for_all_geometries() {
    let host = Host::of_sheets();
    let mut context = counting();
    assert_eq!(ask(&host, &raw mut context), Some((2.0, 1, 3)));
    assert!(context.1 >= 2 && context.0.instance == 3);
    let object = host;
    let host = Host::of_instance(&object);
    context.0.filter = None;
    assert_eq!(ask(&host, &raw mut context), Some((11.0, 0, 5)));
    assert_eq!(
        context.0.instance, 3,
        "what the library writes to it is undone"
    );
}

#[test]
fn the_filter_of_the_geometry_is_called_before_that_of_the_context() {
    let host = Host::of_sheets();
    let geometry = rtcGetGeometry(host.scene, 0);
    rtcSetGeometryIntersectFilterFunction(geometry, Some(only_the_last));
    rtcSetGeometryOccludedFilterFunction(geometry, Some(only_the_last));
    rtcCommitGeometry(geometry);
    host.commit();
    let mut context = counting();
    assert_eq!(ask(&host, &raw mut context), Some((3.0, 2, 3)));
    assert_eq!(context.1, 1, "for what the first accepted");
    assert!(host.occluded(up(0.25, 0.0), &mut no_context()));
    let short = Rays {
        tfar: [2.5],
        ..up(0.25, 0.0)
    };
    assert!(!host.occluded(short, &mut no_context()));
}

extern "C" fn bounds(arguments: *const BoundsArguments) {
    // SAFETY: as above.
    unsafe {
        let z = 1.0 + (*arguments).prim as f32;
        *(*arguments).bounds = Bounds {
            lower: [0.0, 0.0, z, 0.0],
            upper: [1.0, 1.0, z, 0.0],
        };
    }
}

/// Finds the plane of the primitive, by its bounds, and asks the filters.
extern "C" fn intersects(arguments: *const UserArguments<RayHits<1>>) {
    // SAFETY: as above; the library lends what is as large as Embree 3 has it, or larger.
    unsafe {
        let of = &*arguments;
        let rayhit = &mut *of.ray.cast::<RayHits<1, 0>>();
        let t = 1.0 + of.prim as f32 - rayhit.ray.origin[2][0];
        if t < rayhit.ray.tnear[0] || t > rayhit.ray.tfar[0] {
            return;
        }
        let instance = (*of.context.cast::<IntersectContext>()).instance;
        // As large as a hit of Embree 3, with something after it.
        let mut hit = ([0u32; 8], 77u32);
        hit.0[5..].copy_from_slice(&[of.prim, of.geometry, instance]);
        let before = std::mem::replace(&mut rayhit.ray.tfar, [t]);
        let mut valid: c_int = -1;
        let filter = FilterArguments {
            valid: &raw mut valid,
            user: of.user,
            context: of.context,
            ray: &raw mut rayhit.ray,
            hit: (&raw mut hit.0).cast(),
            n: 1,
        };
        rtcFilterIntersection(Some(of), Some(&filter));
        assert_eq!(hit.1, 77);
        match valid {
            0 => rayhit.ray.tfar = before,
            _ => {
                (rayhit.hit.prim, rayhit.hit.geometry) = ([of.prim], [of.geometry]);
                rayhit.hit.instance = [instance];
            }
        }
    }
}

extern "C" fn occludes(arguments: *const UserArguments<Rays<1>>) {
    // SAFETY: as above.
    unsafe {
        let of = &*arguments;
        let ray = &mut *of.ray;
        let mut valid: c_int = -1;
        let mut hit = super::host::NO_HIT;
        hit.prim = [of.prim];
        let filter = FilterArguments {
            valid: &raw mut valid,
            user: of.user,
            context: of.context,
            ray: &raw mut *ray,
            hit: (&raw mut hit).cast(),
            n: 1,
        };
        rtcFilterOcclusion(Some(of), Some(&filter));
        if valid != 0 {
            ray.tfar = [f32::NEG_INFINITY];
        }
    }
}

fn of_user_geometry() -> Host {
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 3);
    rtcSetGeometryBoundsFunction(geometry, Some(bounds));
    rtcSetGeometryIntersectFunction(geometry, Some(intersects));
    rtcSetGeometryOccludedFunction(geometry, Some(occludes));
    rtcSetGeometryIntersectFilterFunction(geometry, Some(only_the_last));
    rtcSetGeometryOccludedFilterFunction(geometry, Some(only_the_last));
    host.attach(geometry);
    host.commit();
    assert_eq!(host.error(), 0);
    host
}

#[test]
fn user_geometry_calls_the_filters() {
    let host = of_user_geometry();
    let mut context = counting();
    assert_eq!(ask(&host, &raw mut context), Some((3.0, 2, 3)));
    assert!(context.1 >= 1);
    assert!(host.occluded(up(0.25, 0.0), &mut no_context()));
    let object = host;
    let host = Host::of_instance(&object);
    context.0.filter = None;
    assert_eq!(ask(&host, &raw mut context), Some((13.0, 2, 5)));
}

/// Traces the ray in the scene that the geometry's data are, as an instance by hand.
extern "C" fn forwards(arguments: *const UserArguments<RayHits<1>>) {
    // SAFETY: as above.
    unsafe {
        let of = &*arguments;
        let context = of.context.cast::<IntersectContext>();
        let outer = (*context).instance;
        (*context).instance = of.prim + 40;
        rtcIntersect1(
            *of.user.cast::<Handle<Scene>>(),
            context,
            Some(&mut *of.ray.cast()),
        );
        (*context).instance = outer;
    }
}

#[test]
fn user_geometry_traces_rays_in_other_scenes() {
    let object = Host::of_sheets();
    let host = Host::new();
    let geometry = rtcNewGeometry(host.device, geometry_type::USER);
    rtcSetGeometryUserPrimitiveCount(geometry, 1);
    rtcSetGeometryBoundsFunction(geometry, Some(bounds));
    rtcSetGeometryIntersectFunction(geometry, Some(forwards));
    let mut scene = object.scene;
    rtcSetGeometryUserData(geometry, (&raw mut scene).cast());
    host.attach(geometry);
    host.commit();
    let mut context = counting();
    context.0.filter = None;
    assert_eq!(ask(&host, &raw mut context), Some((1.0, 0, 40)));
    assert_eq!(context.0.instance, 3);
}
