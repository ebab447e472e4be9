//! Rays that a callback of user geometry forwards to another scene: instances by hand.

use crate::abi::{
    Hits, INVALID, QueryArguments, QueryContext, RayHits, Rays, UserArguments, query_flag,
};
use crate::call::exports;
use crate::handle::Handle;
use crate::host_pointer::{exchange, read};
use crate::query::{IntersectArguments, OccludedArguments, intersect, occluded};
use crate::scene::Scene;
use crate::scene::user_shape::{Goal, current};

/// Returns the arguments of the query that runs, but for its callback for user geometry.
fn arguments_of_query<A>(context: *mut QueryContext) -> QueryArguments<A> {
    let filter = current().and_then(|running| running.asked.filter);
    QueryArguments {
        flags: match filter {
            Some((_, true)) => query_flag::INVOKE_ARGUMENT_FILTER,
            _ => 0,
        },
        feature_mask: u32::MAX,
        context,
        filter: filter.map(|(filter, _)| filter),
        user: None,
    }
}

/// Returns a ray of a callback with another origin and direction.
fn moved(of_host: &Rays<1>, ray: &Rays<1>) -> Rays<1> {
    Rays {
        origin: ray.origin,
        dir: ray.dir,
        ..*of_host
    }
}

/// Traces a ray, of which only the origin and the direction are read, with the ids of the instance in the context, and
/// writes a hit where the callback has to.
fn forward_intersect(
    arguments: Option<&UserArguments<RayHits<1>>>,
    scene: Handle<Scene>,
    ray: Option<&Rays<1>>,
    ids: [u32; 2],
) {
    let (Some(arguments), Some(ray)) = (arguments, ray) else {
        return;
    };
    let Some(of_host) = read(arguments.ray.cast_const()) else {
        return;
    };
    let mut traced = RayHits {
        ray: moved(&of_host.ray, ray),
        hit: Hits::NONE,
    };
    let query: IntersectArguments = QueryArguments {
        user: current().and_then(|running| match running.asked.goal {
            Goal::Intersect(user) => user,
            Goal::Occluded(_) => None,
        }),
        ..arguments_of_query(arguments.context)
    };
    let outer = exchange(arguments.context, QueryContext::of(ids));
    intersect(None, scene, Some(&mut traced), Some(&query));
    exchange(arguments.context, outer);
    if traced.hit.geometry[0] != INVALID {
        let ray = Rays {
            tfar: traced.ray.tfar,
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
    ray: Option<&Rays<1>>,
    ids: [u32; 2],
) {
    let (Some(arguments), Some(ray)) = (arguments, ray) else {
        return;
    };
    let Some(of_host) = read(arguments.ray.cast_const()) else {
        return;
    };
    let mut traced = moved(&of_host, ray);
    let query: OccludedArguments = QueryArguments {
        user: current().and_then(|running| match running.asked.goal {
            Goal::Occluded(user) => user,
            Goal::Intersect(_) => None,
        }),
        ..arguments_of_query(arguments.context)
    };
    let outer = exchange(arguments.context, QueryContext::of(ids));
    occluded(None, scene, Some(&mut traced), Some(&query));
    exchange(arguments.context, outer);
    if traced.tfar[0] == f32::NEG_INFINITY {
        exchange(
            arguments.ray,
            Rays {
                tfar: traced.tfar,
                ..of_host
            },
        );
    }
}

/// The calls for single rays; callbacks never get packets.
macro_rules! calls {
    ($($intersect:ident $intersect_ex:ident $occluded:ident $occluded_ex:ident;)*) => {exports! {$(
        fn $intersect(
            arguments: Option<&UserArguments<RayHits<1>>>, scene: Handle<Scene>, ray: Option<&Rays<1>>, instance: u32,
        ) {
            forward_intersect(arguments, scene, ray, [instance, 0])
        }

        fn $intersect_ex(
            arguments: Option<&UserArguments<RayHits<1>>>, scene: Handle<Scene>, ray: Option<&Rays<1>>, instance: u32,
            instance_prim: u32,
        ) {
            forward_intersect(arguments, scene, ray, [instance, instance_prim])
        }

        fn $occluded(
            arguments: Option<&UserArguments<Rays<1>>>, scene: Handle<Scene>, ray: Option<&Rays<1>>, instance: u32,
        ) {
            forward_occluded(arguments, scene, ray, [instance, 0])
        }

        fn $occluded_ex(
            arguments: Option<&UserArguments<Rays<1>>>, scene: Handle<Scene>, ray: Option<&Rays<1>>, instance: u32,
            instance_prim: u32,
        ) {
            forward_occluded(arguments, scene, ray, [instance, instance_prim])
        }
    )*}};
}

calls! {
    rtcForwardIntersect1 rtcForwardIntersect1Ex rtcForwardOccluded1 rtcForwardOccluded1Ex;
    rtcTraversableForwardIntersect1 rtcTraversableForwardIntersect1Ex
        rtcTraversableForwardOccluded1 rtcTraversableForwardOccluded1Ex;
}
