//! The right answers about triangles that are placed by matrices of `f64`s.
//!
//! All numbers are integers in one unit, a power of two that divides every coordinate in the world.

use super::meet::{Line, Plate};
use super::number::{Fraction, Vector};
use crate::generate::{CaseObject, PlacementCase};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    Cull, PrimId, QueryOptions, Ray, Ray64, SceneHit, ScenePath, ScenePrim, Side, Triangle,
};
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, Zero};
use std::cmp::Ordering;

/// An `f64` as an integer times a power of two.
#[derive(Clone, Debug)]
struct Binary {
    size: BigInt,
    exponent: i64,
}

impl Binary {
    fn new(x: f64) -> Self {
        assert!(x.is_finite());
        let bits = x.abs().to_bits();
        let biased = (bits >> 52) as i64;
        let fraction = bits & ((1 << 52) - 1);
        let size = if biased == 0 {
            fraction
        } else {
            fraction | 1 << 52
        };
        let zeros = if size == 0 { 0 } else { size.trailing_zeros() };
        let size = BigInt::from(size >> zeros);
        Binary {
            exponent: match size.is_zero() {
                true => 0,
                false => biased.max(1) - 1075 + i64::from(zeros),
            },
            size: if x < 0.0 { -size } else { size },
        }
    }

    fn times(&self, other: &Binary) -> Binary {
        Binary {
            size: &self.size * &other.size,
            exponent: self.exponent + other.exponent,
        }
    }

    fn plus(&self, other: &Binary) -> Binary {
        if self.size.is_zero() || other.size.is_zero() {
            return if self.size.is_zero() {
                other.clone()
            } else {
                self.clone()
            };
        }
        let exponent = self.exponent.min(other.exponent);
        Binary {
            size: self.in_units(exponent) + other.in_units(exponent),
            exponent,
        }
    }

    /// Returns the number divided by `2^exponent`, which must leave an integer.
    fn in_units(&self, exponent: i64) -> BigInt {
        let places = u32::try_from(self.exponent - exponent).expect("a unit that divides it");
        &self.size << places
    }

    /// Returns the nearest `f64`, ties to even.
    fn nearest(&self) -> f64 {
        if self.size.is_zero() {
            return 0.0;
        }
        let size = self.size.abs();
        // In units of the last place, of which there are at most 2^53.
        let last = (self.exponent + size.bits() as i64 - 53).max(-1074);
        let steps = match u32::try_from(last - self.exponent) {
            Err(_) => size << (self.exponent - last) as u32,
            Ok(0) => size,
            Ok(places) => {
                let whole: BigInt = &size >> places;
                let rest = size - (&whole << places);
                let half = BigInt::from(1) << (places - 1);
                let is_odd = whole.bit(0);
                match rest.cmp(&half) {
                    Ordering::Less => whole,
                    Ordering::Equal if !is_odd => whole,
                    _ => whole + 1,
                }
            }
        };
        // The digits of the number are read as a decimal is: exactly.
        let steps = u64::try_from(steps).expect("at most 2^53") as f64;
        let half = last / 2;
        let value = if (-1022..=970).contains(&last) {
            steps * 2f64.powi(last as i32)
        } else {
            steps * 2f64.powi(half as i32) * 2f64.powi((last - half) as i32)
        };
        if self.size.sign() == Sign::Minus {
            -value
        } else {
            value
        }
    }
}

type Rows = [[f64; 4]; 3];

/// Returns the product of two matrices, each entry rounded to nearest.
fn composed(outer: &Rows, inner: &Rows) -> Rows {
    let entry = |row: usize, column: usize| {
        let mut sum = Binary::new(if column == 3 { outer[row][3] } else { 0.0 });
        for axis in 0..3 {
            let product = Binary::new(outer[row][axis]).times(&Binary::new(inner[axis][column]));
            sum = sum.plus(&product);
        }
        sum.nearest()
    };
    std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)))
}

/// A triangle as placed.
struct Placed {
    id: ScenePrim,
    plate: Option<Plate>,
    mask: u32,
    reversed: bool,
    is_closed: bool,
}

/// The coordinates of rays are multiples of `2^-FINEST`.
const FINEST: i64 = 300;

/// The oracle for a scene of placed triangles.
pub struct PlacedOracle {
    triangles: Vec<Placed>,
    /// Coordinates are multiples of `2^-unit`.
    unit: i64,
}

/// A triangle that a ray touches within its interval.
#[derive(Clone, Debug)]
pub struct PlacedTouch {
    t: Fraction,
    /// The hit.
    pub hit: SceneHit,
    /// The side that the ray comes from.
    pub side: Side,
    /// Whether the ray crosses the surface there.
    pub crosses: bool,
    mask: u32,
    is_closed: bool,
}

impl PlacedOracle {
    /// Returns the oracle for a case.
    pub fn new(case: &PlacementCase) -> Self {
        let mut list = Vec::new();
        let world = case.scenes.len() - 1;
        flatten(
            case,
            world,
            None,
            &mut Vec::new(),
            u32::MAX,
            false,
            &mut list,
        );
        let exponents = list.iter().flat_map(|leaf| leaf.corners.iter().flatten());
        let exponents = exponents.flatten().filter(|x| !x.size.is_zero());
        let least = exponents.map(|x| x.exponent).min().unwrap_or(0);
        let unit = (-least).max(FINEST);
        let triangles = list.into_iter().map(|leaf| Placed {
            plate: leaf.corners.map(|corners| {
                let corner = |p: &[Binary; 3]| Vector([0, 1, 2].map(|i| p[i].in_units(-unit)));
                Plate::between([0, 1, 2].map(|i| corner(&corners[i])))
            }),
            id: leaf.id,
            mask: leaf.mask,
            reversed: leaf.reversed,
            is_closed: leaf.is_closed,
        });
        PlacedOracle {
            triangles: triangles.collect(),
            unit,
        }
    }

    /// Returns the ids of all triangles, in order.
    pub fn ids(&self) -> impl Iterator<Item = ScenePrim> + '_ {
        self.triangles.iter().map(|placed| placed.id)
    }

    /// Returns all that a ray touches, in order.
    pub fn touches(&self, ray: &Ray) -> Vec<PlacedTouch> {
        self.touches_64(&Ray64::from(*ray))
    }

    /// Returns all that a ray touches, in order.
    ///
    /// # Panics
    /// Panics if a coordinate of the ray is not a multiple of `2^-300`.
    pub fn touches_64(&self, ray: &Ray64) -> Vec<PlacedTouch> {
        let mut touches = Vec::new();
        if ray.check().is_err() {
            return touches;
        }
        let wide = |v: DVec3| Vector(v.to_array().map(|x| Binary::new(x).in_units(-self.unit)));
        let line = Line::through(wide(ray.origin), &wide(ray.dir));
        for placed in &self.triangles {
            let Some(met) = placed
                .plate
                .as_ref()
                .and_then(|plate| plate.meet_exactly(&line))
            else {
                continue;
            };
            let t = met.t;
            if t.cmp_f32(ray.t_min) == Ordering::Less || t.cmp_f32(ray.t_max) == Ordering::Greater {
                continue;
            }
            touches.push(PlacedTouch {
                hit: SceneHit {
                    t: t.nearest_f32(),
                    u: met.u,
                    v: met.v,
                    prim: placed.id.prim,
                    path: placed.id.path,
                },
                t,
                side: match (met.side, placed.reversed) {
                    (side, false) => side,
                    (Side::Front, true) => Side::Back,
                    (Side::Back, true) => Side::Front,
                },
                crosses: met.crosses,
                mask: placed.mask,
                is_closed: placed.is_closed,
            });
        }
        touches.sort_by(|a, b| a.t.cmp(&b.t).then(a.hit.id().cmp(&b.hit.id())));
        touches
    }

    /// Returns those of a ray's touches that count, or `None` if `after` is not touched.
    pub fn kept<'a>(
        &self,
        touches: &'a [PlacedTouch],
        options: &QueryOptions<ScenePrim>,
    ) -> Option<Vec<&'a PlacedTouch>> {
        let behind = match options.after {
            None => touches,
            Some(after) => {
                let place = touches.iter().position(|touch| touch.hit.id() == after)?;
                &touches[place + 1..]
            }
        };
        let counts = |touch: &&PlacedTouch| {
            let culled = match options.cull {
                Cull::None => false,
                Cull::Front => touch.side == Side::Front,
                Cull::Back => touch.side == Side::Back,
            };
            !culled && options.skip != Some(touch.hit.id()) && options.mask & touch.mask != 0
        };
        Some(behind.iter().filter(counts).collect())
    }

    /// Returns whether a point is on a closed object or inside one; `None` if there are objects, but
    /// none is closed.
    pub fn contains(&self, point: Vec3) -> Option<bool> {
        let some_closed = self.triangles.iter().any(|placed| placed.is_closed);
        if !some_closed {
            return self.triangles.is_empty().then_some(false);
        }
        let is_on = Vec3::AXES.iter().any(|&axis| {
            let here = Ray::new(point, axis).with_interval(0.0, 0.0);
            self.touches(&here).iter().any(|touch| touch.is_closed)
        });
        let touches = self.touches(&Ray::new(point, Vec3::X));
        let crossings = touches
            .iter()
            .filter(|touch| touch.crosses && touch.is_closed);
        let paths: Vec<ScenePath> = crossings.map(|touch| touch.hit.path).collect();
        let is_odd =
            |path: &ScenePath| paths.iter().filter(|other| *other == path).count() % 2 == 1;
        Some(is_on || paths.iter().any(is_odd))
    }
}

/// A triangle of a mesh that a path leads to.
struct Leaf {
    id: ScenePrim,
    corners: Option<[[Binary; 3]; 3]>,
    mask: u32,
    reversed: bool,
    is_closed: bool,
}

fn flatten(
    case: &PlacementCase,
    scene: usize,
    outer: Option<Rows>,
    path: &mut Vec<u32>,
    mask: u32,
    reversed: bool,
    list: &mut Vec<Leaf>,
) {
    for (number, placement) in case.scenes[scene].iter().enumerate() {
        path.push(number as u32);
        let rows = match &outer {
            None => placement.rows,
            Some(outer) => composed(outer, &placement.rows),
        };
        let mask = mask & placement.mask;
        let reversed = reversed != placement.reversed;
        match placement.object {
            CaseObject::Scene(inner) => {
                flatten(case, inner, Some(rows), path, mask, reversed, list);
            }
            CaseObject::Mesh(mesh) => {
                let triangles = &case.meshes[mesh];
                let is_closed = super::surface::is_closed(triangles);
                for (index, triangle) in triangles.iter().enumerate() {
                    list.push(Leaf {
                        id: ScenePrim {
                            path: ScenePath::try_new(path).expect("not deep"),
                            prim: PrimId::from_index(index).expect("few triangles"),
                        },
                        corners: corners(&rows, triangle),
                        mask: mask & case.mask_of(mesh, index),
                        reversed,
                        is_closed,
                    });
                }
            }
        }
        path.pop();
    }
}

fn corners(rows: &Rows, triangle: &Triangle) -> Option<[[Binary; 3]; 3]> {
    let is_finite = triangle.corners().iter().all(|p| p.is_finite());
    is_finite.then(|| {
        triangle.corners().map(|p| {
            let p = p.to_array().map(|x| Binary::new(x.into()));
            rows.map(|row| {
                let [x, y, z, moved] = row.map(Binary::new);
                let sum = x.times(&p[0]).plus(&y.times(&p[1]));
                sum.plus(&z.times(&p[2])).plus(&moved)
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_the_way_there_and_back() {
        for x in [
            0.0,
            1.0,
            -0.1,
            f64::MAX,
            f64::MIN_POSITIVE,
            5e-324,
            3e-310,
            -1e300,
        ] {
            assert_eq!(
                Binary::new(x).nearest().to_bits(),
                (x + 0.0).to_bits(),
                "{x}"
            );
        }
        let sum = |a: f64, b: f64| Binary::new(a).plus(&Binary::new(b)).nearest();
        let product = |a: f64, b: f64| Binary::new(a).times(&Binary::new(b)).nearest();
        for (a, b) in [
            (0.1, 0.2),
            (1e16, 1.0),
            (1.0, f64::EPSILON / 2.0),
            (-3.5, 1e-30),
        ] {
            assert_eq!(sum(a, b), a + b);
            assert_eq!(product(a, b), a * b);
        }
        assert_eq!(product(1e-200, 1e-120), 1e-320);
    }
}
