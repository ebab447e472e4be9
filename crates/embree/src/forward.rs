//! Rays that a callback of user geometry forwards to another scene: instances by hand.

use crate::arguments::{Given, INVOKE_ARGUMENT_FILTER, QueryArguments};
use estoc_embree_common::abi::{
    Callback, FilterArguments, Hits, INVALID, InstanceIds, RayHits, Rays, UserArguments,
};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::host_pointer::{exchange, read};
use estoc_embree_common::query::{intersect, occluded};
use estoc_embree_common::scene::Scene;
use estoc_embree_common::scene::user_shape::{Goal, current, invoke};

/// Traces a ray with the ids of an instance in the context and, but for its origin and direction, all that the query that
/// runs has. Writes what `trace` makes of the callback's own ray, if anything.
fn forward<A, T: Copy>(
    arguments: Option<&UserArguments<T>>,
    ids: [u32; 2],
    user: fn(Goal) -> Option<Callback<A>>,
    trace: impl FnOnce(T, Given<'_, A>) -> Option<T>,
) {
    let Some((arguments, of_host)) =
        arguments.and_then(|arguments| Some((arguments, read(arguments.ray.cast_const())?)))
    else {
        return;
    };
    let asked = current().map(|running| running.asked);
    let filter = asked.and_then(|asked| asked.filter);
    let context = arguments.context.cast();
    let query = QueryArguments {
        flags: match filter {
            Some((_, true)) => INVOKE_ARGUMENT_FILTER,
            _ => 0,
        },
        feature_mask: u32::MAX,
        context,
        filter: filter.map(|(filter, _)| filter),
        user: asked.and_then(|asked| user(asked.goal)),
    };
    let outer = exchange(context, InstanceIds::of(ids));
    let traced = trace(of_host, Given(Some(&query)));
    exchange(context, outer);
    if let Some(traced) = traced {
        exchange(arguments.ray, traced);
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

fn forward_intersect(
    arguments: Option<&UserArguments<RayHits<1>>>,
    scene: Handle<Scene>,
    ray: Option<&Rays<1>>,
    ids: [u32; 2],
) {
    let user = |goal| match goal {
        Goal::Intersect(user) => user,
        Goal::Occluded(_) => None,
    };
    forward(arguments, ids, user, |of_host, query| {
        let mut traced = RayHits {
            ray: moved(&of_host.ray, ray?),
            hit: Hits::NONE,
        };
        intersect(None, scene, Some(&mut traced), query);
        let ray = Rays {
            tfar: traced.ray.tfar,
            ..of_host.ray
        };
        (traced.hit.geometry[0] != INVALID).then_some(RayHits { ray, ..traced })
    });
}

fn forward_occluded(
    arguments: Option<&UserArguments<Rays<1>>>,
    scene: Handle<Scene>,
    ray: Option<&Rays<1>>,
    ids: [u32; 2],
) {
    let user = |goal| match goal {
        Goal::Occluded(user) => user,
        Goal::Intersect(_) => None,
    };
    forward(arguments, ids, user, |of_host, query| {
        let mut traced = moved(&of_host, ray?);
        occluded(None, scene, Some(&mut traced), query);
        let tfar = traced.tfar;
        (tfar[0] == f32::NEG_INFINITY).then_some(Rays { tfar, ..of_host })
    });
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

exports! {
    /// Calls the filter of the geometry whose callback calls this.
    fn rtcInvokeIntersectFilterFromGeometry(
        _callback: *const UserArguments<RayHits<1>>, arguments: *const FilterArguments,
    ) {
        invoke(|callbacks| callbacks.intersect_filter, arguments)
    }

    /// Calls the filter of the geometry whose callback calls this.
    fn rtcInvokeOccludedFilterFromGeometry(
        _callback: *const UserArguments<Rays<1>>, arguments: *const FilterArguments,
    ) {
        invoke(|callbacks| callbacks.occluded_filter, arguments)
    }
}
