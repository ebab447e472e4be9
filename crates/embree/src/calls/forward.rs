//! Rays that a callback of user geometry forwards to another scene: instances by hand.

use crate::abi::{Hits, INVALID, RayHits, Rays, UserArguments};
use crate::handle::Handle;
use crate::host_pointer::{exchange, read};
use crate::query::{intersect, occluded};
use crate::scene::Scene;

/// Traces a ray, given in the space of the scene, and writes a hit where the callback has to.
fn forward_intersect(
    arguments: Option<&UserArguments<RayHits<1>>>,
    scene: Handle<Scene>,
    ray: Option<&mut Rays<1>>,
    [instance, instance_prim]: [u32; 2],
) {
    let (Some(arguments), Some(ray)) = (arguments, ray) else {
        return;
    };
    let mut traced = RayHits {
        ray: *ray,
        hit: Hits::NONE,
    };
    intersect(None, scene, Some(&mut traced), None);
    if let Some(of_host) =
        read(arguments.ray.cast_const()).filter(|_| traced.hit.geometry[0] != INVALID)
    {
        ray.tfar = traced.ray.tfar;
        (traced.hit.instance, traced.hit.instance_prim) = ([instance], [instance_prim]);
        let ray = Rays {
            tfar: ray.tfar,
            ..of_host.ray
        };
        exchange(
            arguments.ray,
            RayHits {
                ray,
                hit: traced.hit,
            },
        );
    }
}

/// Does the same for a ray of which it is asked whether it hits anything.
fn forward_occluded(
    arguments: Option<&UserArguments<Rays<1>>>,
    scene: Handle<Scene>,
    ray: Option<&mut Rays<1>>,
) {
    let (Some(arguments), Some(ray)) = (arguments, ray) else {
        return;
    };
    occluded(None, scene, Some(ray), None);
    if let Some(of_host) =
        read(arguments.ray.cast_const()).filter(|_| ray.tfar[0] == f32::NEG_INFINITY)
    {
        exchange(
            arguments.ray,
            Rays {
                tfar: ray.tfar,
                ..of_host
            },
        );
    }
}

/// The calls for single rays; callbacks never get packets.
macro_rules! calls {
    ($($intersect:ident $intersect_ex:ident $occluded:ident $occluded_ex:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $intersect(
            arguments: Option<&UserArguments<RayHits<1>>>,
            scene: Handle<Scene>,
            ray: Option<&mut Rays<1>>,
            instance: u32,
        ) {
            forward_intersect(arguments, scene, ray, [instance, INVALID]);
        }

        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $intersect_ex(
            arguments: Option<&UserArguments<RayHits<1>>>,
            scene: Handle<Scene>,
            ray: Option<&mut Rays<1>>,
            instance: u32,
            instance_prim: u32,
        ) {
            forward_intersect(arguments, scene, ray, [instance, instance_prim]);
        }

        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $occluded(
            arguments: Option<&UserArguments<Rays<1>>>,
            scene: Handle<Scene>,
            ray: Option<&mut Rays<1>>,
            _instance: u32,
        ) {
            forward_occluded(arguments, scene, ray);
        }

        #[unsafe(no_mangle)]
        pub(crate) extern "C" fn $occluded_ex(
            arguments: Option<&UserArguments<Rays<1>>>,
            scene: Handle<Scene>,
            ray: Option<&mut Rays<1>>,
            _instance: u32,
            _instance_prim: u32,
        ) {
            forward_occluded(arguments, scene, ray);
        }
    )*};
}

calls! {
    rtcForwardIntersect1 rtcForwardIntersect1Ex rtcForwardOccluded1 rtcForwardOccluded1Ex;
    rtcTraversableForwardIntersect1 rtcTraversableForwardIntersect1Ex
        rtcTraversableForwardOccluded1 rtcTraversableForwardOccluded1Ex;
}
