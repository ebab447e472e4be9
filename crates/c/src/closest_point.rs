//! The closest point of one point.

use crate::call::call;
use crate::hits::{ESTOC_NONE, estoc_triangle};
use crate::numbers::is_f32;
use crate::status::{estoc_status, room};
use crate::world::{World, estoc_world};
use estoc_core::glam::DVec3;
use estoc_core::{ClosestPoint, Coordinate, PointQuery, SceneClosestPoint};
use std::mem::MaybeUninit;

/// The closest point of a surface. Numbers of a world in `float` are the nearest `float`s, but for the point where the world
/// is a scene, and where the given point is no `float`s.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_closest {
    /// The distance from the given point; infinite where there is none, and where it is beyond the numbers.
    pub distance: f64,
    /// The closest point, each coordinate the nearest to the exact one.
    pub point: [f64; 3],
    /// The weight of the triangle's second corner.
    pub u: f64,
    /// The weight of the triangle's third corner.
    pub v: f64,
    /// The triangle. Where there is none its `prim` is `ESTOC_NONE`, and only that tells it.
    pub triangle: estoc_triangle,
    /// The part of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
    pub feature: u32,
}

impl estoc_closest {
    const NONE: Self = estoc_closest {
        distance: f64::INFINITY,
        point: [0.0; 3],
        u: 0.0,
        v: 0.0,
        triangle: estoc_triangle::of(ESTOC_NONE),
        feature: u8::MAX as u32,
    };
}

impl<C: Coordinate> From<ClosestPoint<C>> for estoc_closest {
    fn from(found: ClosestPoint<C>) -> Self {
        estoc_closest {
            distance: found.distance.into(),
            point: C::wide(found.point).to_array(),
            u: found.u.into(),
            v: found.v.into(),
            triangle: estoc_triangle::of(found.prim.get()),
            feature: found.feature.number().into(),
        }
    }
}

/// Returns what a scene has found, which stands for one mesh `alone` or not.
fn in_scene(found: &SceneClosestPoint, alone: bool) -> estoc_closest {
    estoc_closest {
        distance: found.distance.into(),
        point: found.point.to_array(),
        u: found.u.into(),
        v: found.v.into(),
        triangle: estoc_triangle::on(found.prim, &found.path, alone),
        feature: found.feature.number().into(),
    }
}

/// Tells the closest point of the surface that is not farther from a point than `max_distance`, which is rounded
/// to `float` but for worlds in `double`; infinite for any distance. The answer is that of `estoc_ask_points`.
///
/// Nothing is closest to a point that is not finite, nor within a distance that is negative or NaN. Fails with `ESTOC_NULL`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`.
/// Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_point(
    world: *const estoc_world,
    x: f64,
    y: f64,
    z: f64,
    max_distance: f64,
    closest: Option<&mut MaybeUninit<estoc_closest>>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let (at, to) = (DVec3::new(x, y, z), room(closest, "closest")?);
        let (scene, alone) = match world {
            World::Wide(bvh, _) => {
                let found = bvh.closest_point_within(at, max_distance);
                to.write(found.map_or(estoc_closest::NONE, Into::into));
                return Ok(());
            }
            World::Tree(tree) if tree.is_at_origin() && [x, y, z].into_iter().all(is_f32) => {
                let found = (tree.bvh).closest_point_within(at.as_vec3(), max_distance as f32);
                to.write(found.map_or(estoc_closest::NONE, Into::into));
                return Ok(());
            }
            World::Tree(tree) => (tree.alone()?, true),
            World::Scene(scene, _) => (&**scene, false),
        };
        let found = scene.closest_point_within(at, max_distance as f32);
        to.write(found.map_or(estoc_closest::NONE, |found| in_scene(&found, alone)));
        Ok(())
    })
}
