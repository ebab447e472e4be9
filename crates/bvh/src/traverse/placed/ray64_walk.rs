//! Rays in `f64` at placed meshes: the world is placed in itself.
//!
//! # Bound
//! A ray is taken from a parameter s on: where it enters the world's box, or its least parameter if that is in
//! the box, or the `f32` below it. Here all faces of the box are 2^-10 of its reach R farther out. No coordinate
//! of the origin is above 2^16 R, so three roundings in `f64` move a face by less than that, and s, which is an
//! `f32` below, is early by less than 2^-6 R: no coordinate there is above 1.02 R, where `inverse_map.rs` has 1.01
//! for worlds in worlds, with more than that to spare. So what it derives holds for the identity. Hits are rounded
//! by the map from the world to the mesh, without that identity.

use super::inverse_map::InverseMap;
use super::placed_hit::{FirstPlaced, Outer};
use super::placed_object::PlacedObjects;
use super::placed_walk::{InnerFound, PlacedSkip, in_world};
use super::world_ray::{WorldRay, rounded_down};
use crate::simd_level::at_level;
use crate::traverse::mapped::longest;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{ItemTree, Measures};
use estoc_core::{Ray64, ScenePath};
use fearless_simd::{Level, Simd};

/// Does what [`closest`](super::closest) does.
pub(crate) fn closest_64(
    of: (&ItemTree, &impl PlacedObjects),
    level: Level,
    ray: &Ray64,
    skip: PlacedSkip<'_>,
) -> Option<Option<FirstPlaced>> {
    at_level!(move level, simd => match trace(simd, Closest, of, ray, skip) {
        InnerFound::First(found) => Some(Some(found.hit)),
        InnerFound::Nothing => Some(None),
        InnerFound::Any | InnerFound::Open => None,
    })
}

/// Does what [`any`](super::any) does.
pub(crate) fn any_64(
    of: (&ItemTree, &impl PlacedObjects),
    level: Level,
    ray: &Ray64,
    skip: PlacedSkip<'_>,
) -> Option<bool> {
    at_level!(move level, simd => match trace(simd, Any, of, ray, skip) {
        InnerFound::Any | InnerFound::First(_) => Some(true),
        InnerFound::Nothing => Some(false),
        InnerFound::Open => None,
    })
}

#[inline(always)]
fn trace<S: Simd, W: Wanted>(
    simd: S,
    wanted: W,
    of: (&ItemTree, &impl PlacedObjects),
    ray: &Ray64,
    skip: PlacedSkip<'_>,
) -> InnerFound {
    let start = match start_in_world(ray, &of.0.measures) {
        Start::At(start) => start,
        Start::Misses => return InnerFound::Nothing,
        Start::Unfit => return InnerFound::Open,
    };
    let outer = Outer {
        world: &WorldRay::of_64(simd, ray, &of.0.measures),
        inverse: &InverseMap::IDENTITY,
        start,
        outer: None,
        is_here: true,
    };
    let path = Some(ScenePath::ROOT);
    if f64::from(start) >= ray.t_min {
        return in_world(simd, wanted, of, &outer, path, skip, ray.t_max);
    }
    // What is hit between the start and the least parameter does not count.
    match in_world(simd, Closest, of, &outer, path, skip, ray.t_max) {
        InnerFound::First(found) if found.from < ray.t_min => InnerFound::Open,
        found => found,
    }
}

/// Where a ray starts in a world.
enum Start {
    /// Before all parameters in the world's box, or at the least of the ray if that is greater, or at the `f32`
    /// below it.
    At(f32),
    Misses,
    /// Kernels are unfit for the ray.
    Unfit,
}

fn start_in_world(ray: &Ray64, measures: &Measures) -> Start {
    let reach = f64::from(measures.reach);
    let is_near = longest(ray.origin.to_array()) <= reach * 65536.0;
    // In this form NaN is refused.
    if !(measures.has_plain_rays() && is_near && ray.check().is_ok()) {
        return Start::Unfit;
    }
    let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let (o, d) = (ray.origin[axis], ray.dir[axis]);
        let low = f64::from(measures.min[axis]) - reach / 1024.0 - o;
        let high = f64::from(measures.max[axis]) + reach / 1024.0 - o;
        if d == 0.0 {
            if low > 0.0 || high < 0.0 {
                return Start::Misses;
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (low, high) } else { (high, low) };
        entry = entry.max(near / d);
        exit = exit.min(far / d);
    }
    let start = f64::from((entry as f32).next_down()).max(ray.t_min);
    let narrow = rounded_down(start);
    match (start <= exit, narrow.is_finite()) {
        (false, _) => Start::Misses,
        (true, true) => Start::At(narrow),
        (true, false) => Start::Unfit,
    }
}
