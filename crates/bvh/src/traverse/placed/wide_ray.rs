//! Rays in `f64` at placed meshes: the world is placed in itself.
//!
//! # Bound
//! A ray is taken from a parameter s on: where it enters the world's box, or its least parameter if that is in the
//! box. Here all faces of the box are 2^-10 of its reach R farther out. No coordinate of the origin is above 2^16 R,
//! so three roundings in `f64` move a face by less than that, and s, rounded down to an `f32`, is early by at most
//! 2^-7 R: no coordinate there is above 1.01 R. Therefore what `inverse_map.rs` derives for worlds in worlds holds
//! for the identity. Hits are rounded by the map from the world to the mesh, without that identity.

use super::inverse_map::InverseMap;
use super::placed_hit::{FirstPlaced, Outer};
use super::placed_object::PlacedObjects;
use super::placed_walk::{InnerFound, PlacedSkip, in_world};
use super::world_ray::WorldRay;
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::U;
use crate::traverse::mapped::longest;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{ItemTree, Measures};
use estoc_core::{Ray64, ScenePath};
use fearless_simd::{Level, Simd, SimdBase, f64x4};

/// Does what [`closest`](super::closest) does.
pub(crate) fn closest_wide(
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
pub(crate) fn any_wide(
    of: (&ItemTree, &impl PlacedObjects),
    level: Level,
    ray: &Ray64,
    skip: PlacedSkip<'_>,
) -> Option<bool> {
    at_level!(move level, simd => match trace(simd, Any, of, ray, skip) {
        InnerFound::Any => Some(true),
        InnerFound::Nothing => Some(false),
        InnerFound::First(_) | InnerFound::Open => None,
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
        Some(Some(start)) => start,
        Some(None) => return InnerFound::Nothing,
        None => return InnerFound::Open,
    };
    let outer = Outer {
        world: &WorldRay::of_wide(simd, ray, &of.0.measures),
        inverse: &InverseMap::IDENTITY,
        start,
        outer: None,
        is_here: true,
    };
    in_world(
        simd,
        wanted,
        of,
        &outer,
        Some(ScenePath::ROOT),
        skip,
        ray.t_max.into(),
    )
}

/// Returns a parameter before all those in the world's box, or the least of the ray if that is greater; `Some(None)`
/// if there are none, and `None` for a ray that kernels are unfit for.
fn start_in_world(ray: &Ray64, measures: &Measures) -> Option<Option<f32>> {
    let reach = f64::from(measures.reach);
    let is_near = longest(ray.origin.to_array()) <= reach * 65536.0;
    // In this form NaN is refused.
    if !(measures.has_plain_rays() && is_near && ray.check().is_ok()) {
        return None;
    }
    let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
    for axis in 0..3 {
        let (o, d) = (ray.origin[axis], ray.dir[axis]);
        let low = f64::from(measures.min[axis]) - reach / 1024.0 - o;
        let high = f64::from(measures.max[axis]) + reach / 1024.0 - o;
        if d == 0.0 {
            if low > 0.0 || high < 0.0 {
                return Some(None);
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (low, high) } else { (high, low) };
        entry = entry.max(near / d);
        exit = exit.min(far / d);
    }
    let start = f64::from((entry as f32).next_down()).max(ray.t_min.into());
    match start <= exit {
        false => Some(None),
        true => start.is_finite().then_some(Some(start as f32)),
    }
}

impl<S: Simd> WorldRay<S> {
    #[inline(always)]
    fn of_wide(simd: S, ray: &Ray64, measures: &Measures) -> Self {
        let ([x, y, z], [dx, dy, dz]) = (ray.origin.to_array(), ray.dir.to_array());
        let rounded_up = |x: f64| x as f32 * (1.0 + 2.0 * U);
        WorldRay {
            origin: f64x4::load_array_ref(simd, &[x, y, z, 0.0]),
            dir: f64x4::load_array_ref(simd, &[dx, dy, dz, 0.0]),
            wide_dir: [dx, dy, dz],
            t_min: ray.t_min,
            t_max: ray.t_max,
            size: 1.1 * (rounded_up(longest([x, y, z])) + measures.reach),
            dir_size: rounded_up(longest([dx, dy, dz])),
            origin_error: 0.0,
            dir_error: 0.0,
        }
    }
}
