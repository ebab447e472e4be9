//! Rays aimed exactly at corners and edges, with the answers known by construction.

use super::solids::{Point, RADIUS, Solid};
use crate::ray::Ray;
use estoc_demo::SingleRandom;

/// Points inside the mesh that each target is joined with.
const INNER: usize = 16;
/// Distances of outer rays' origins from the target, relative to that of the inner point.
const OUTSIDE: [i64; 2] = [1, 64];

/// The position of a mesh: its name, and how far it is from the origin of coordinates.
pub(super) type Place = (&'static str, Point);
/// Around the origin, and a thousand times its radius away.
pub(super) const PLACES: [Place; 2] = [
    ("near", [0; 3]),
    ("far", [1024 * RADIUS, -768 * RADIUS, 512 * RADIUS]),
];

/// Returns the coordinates of a point of the mesh at a place; nothing is rounded.
pub(super) fn at((_, offset): Place, p: Point) -> [f32; 3] {
    [0, 1, 2].map(|axis| in_f32(p[axis] + offset[axis]))
}

/// Converts a number of units to a length; nothing is rounded.
fn in_f32(units: i64) -> f32 {
    debug_assert!(units.abs() < 1 << 24, "{units} units");
    units as f32 / RADIUS as f32
}

/// A ray through a point of the surface, to or from a point inside.
pub(super) struct Aimed {
    pub(super) ray: Ray,
    /// The index in [`Solid::targets`] of the target that it runs through.
    pub(super) target: usize,
    /// The exact parameter of the target, which is the first point of the surface on the ray.
    pub(super) t: f32,
    /// The number of times that the ray crosses the surface: 1 from inside, 2 from outside.
    pub(super) surfaces: usize,
}

/// Returns the rays at all targets of a mesh: from each of several points inside, and from
/// outside on the same lines, near and far.
///
/// A line that holds a point of a convex surface and a point inside crosses that surface
/// there, and once more on the other side of the point inside.
pub(super) fn rays(solid: &Solid, place: Place) -> Vec<Aimed> {
    let mut random = SingleRandom::new(2718);
    let mut rays = Vec::new();
    for (target, &v) in solid.targets().iter().enumerate() {
        let random = std::iter::repeat_with(|| inner(&mut random));
        let inner = axial(v).into_iter().chain(random);
        let inner = inner.filter(|&p| solid.is_inside(p)).take(INNER);
        for p in inner.collect::<Vec<_>>() {
            let [to_v, to_p] = [minus(v, p), minus(p, v)].map(|dir| dir.map(in_f32));
            rays.push(Aimed {
                ray: ray(at(place, p), to_v),
                target,
                t: 1.0,
                surfaces: 1,
            });
            for times in OUTSIDE {
                let away = minus(v, p).map(|x| times * x);
                let origin = [0, 1, 2].map(|axis| v[axis] + away[axis]);
                rays.push(Aimed {
                    ray: ray(at(place, origin), to_p),
                    target,
                    t: times as f32,
                    surfaces: 2,
                });
            }
        }
    }
    rays
}

/// Returns points that see a target along an axis of coordinates.
fn axial(v: Point) -> [Point; 3] {
    [0, 1, 2].map(|axis| {
        let mut p = v;
        p[axis] = 0;
        p
    })
}

/// Returns a point in the middle of the mesh, which may be outside of a thin one.
fn inner(random: &mut SingleRandom) -> Point {
    let half = (RADIUS / 2) as f32;
    random.cube().to_array().map(|x| (x * half) as i64)
}

fn minus(a: Point, b: Point) -> Point {
    [0, 1, 2].map(|axis| a[axis] - b[axis])
}

fn ray(origin: [f32; 3], dir: [f32; 3]) -> Ray {
    Ray {
        origin,
        t_max: f32::INFINITY,
        dir,
    }
}

#[cfg(test)]
mod tests {
    use super::super::solids;
    use super::*;

    #[test]
    fn rays_run_through_their_targets_exactly() {
        let units = |x: f32| {
            let units = f64::from(x) * RADIUS as f64;
            assert_eq!(units, units.round(), "{x} is not on the grid");
            units as i64
        };
        for solid in solids::all() {
            let targets = solid.targets();
            for place in PLACES {
                let (_, offset) = place;
                for aimed in rays(&solid, place).iter().step_by(101) {
                    for axis in 0..3 {
                        let origin = units(aimed.ray.origin[axis]);
                        let there = origin + aimed.t as i64 * units(aimed.ray.dir[axis]);
                        assert_eq!(there, targets[aimed.target][axis] + offset[axis]);
                    }
                }
            }
        }
    }

    #[test]
    fn some_rays_follow_an_axis() {
        let solid = &solids::all()[1];
        let zeros = |aimed: &Aimed| aimed.ray.dir.iter().filter(|&&x| x == 0.0).count();
        let along = rays(solid, PLACES[0])
            .iter()
            .filter(|aimed| zeros(aimed) == 2)
            .count();
        assert!(along > 1000, "{along}");
    }
}
