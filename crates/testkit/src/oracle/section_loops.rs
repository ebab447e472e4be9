//! The areas of closed polylines of a section and which lies in which, in fractions.

use super::binary::Binary;
use super::number::{Fraction, Grid, Vector};
use super::section::{CutBy, crossing, height};
use crate::generate::PlaneCase;
use estoc_core::{Coordinate, Polyline, Section, SectionPoint, Triangle64};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// A closed polyline of a section, as [`SectionLoop`](estoc_core::SectionLoop) describes it.
pub struct ExactLoop {
    /// The index of the polyline.
    pub polyline: usize,
    /// The polyline that it lies in.
    pub parent: Option<usize>,
    /// The number of parents up to the outermost one.
    pub depth: usize,
    points: Vec<Point>,
    /// Twice the area times the length of the normal, in units of units of units.
    flux: Fraction,
    /// The square of the length of the normal, in units of units.
    square: BigInt,
    grid: Grid,
}

/// A point in space, in units.
type Point = [Fraction; 3];

impl ExactLoop {
    /// Returns 1, 0 or -1 as the area is positive, zero or negative.
    pub fn sign(&self) -> i32 {
        sign(&self.flux.num)
    }

    /// Returns whether a number has the sign of the area and is within 2^-36 of it, where `f64` has
    /// numbers for that.
    pub fn has_area(&self, found: f64) -> bool {
        let found_sign = found.partial_cmp(&0.0).map(|order| order as i32);
        if found_sign != Some(self.sign()) {
            return false;
        }
        if !(1e-300..f64::INFINITY).contains(&found.abs()) {
            return true;
        }
        // Both squared, times the denominator, the square of the normal's length and 2^72, in units of
        // 2^-2148.
        let units = Binary::new(found).in_units(-1074);
        let scale = 2 * self.grid.0 + 1;
        let found = (&units * &units * &self.flux.den * &self.flux.den * &self.square)
            << (72 + 2 * scale.saturating_sub(1074));
        let one = BigInt::one() << 36;
        let near = |off: i32| {
            let share = &one + off;
            // The area is flux / 2 / length in units of units.
            let size = &self.flux.num * share;
            (&size * &size) << (2 * 1074usize.saturating_sub(scale))
        };
        near(-1) <= found && found <= near(1)
    }
}

fn sign(x: &BigInt) -> i32 {
    x.cmp(&BigInt::zero()) as i32
}

pub(super) fn loops<C: Coordinate>(
    triangles: &[Triangle64],
    of: &CutBy<C>,
    section: &Section<C>,
) -> Vec<ExactLoop> {
    let (PlaneCase::Through(_, normal) | PlaneCase::Offset(normal, _)) = of.plane;
    let normal = of.grid.vector(C::wide(normal));
    // Along another axis than that of the greatest component, where there is one.
    let axis = (0..3).filter(|&axis| !normal.0[axis].is_zero());
    let axis = axis
        .min_by_key(|&axis| normal.0[axis].abs())
        .expect("a normal");
    let all = section.polylines.iter().enumerate();
    let mut loops: Vec<ExactLoop> = all
        .filter(|(_, polyline)| polyline.is_closed)
        .map(|(number, polyline)| {
            let points = points(triangles, of, polyline);
            ExactLoop {
                polyline: number,
                parent: None,
                depth: 0,
                flux: flux(&points, &normal),
                square: normal.dot(&normal),
                grid: of.grid,
                points,
            }
        })
        .collect();
    let is_larger = |a: usize, b: usize| {
        let size = |at: usize| Fraction {
            num: loops[at].flux.num.abs(),
            den: loops[at].flux.den.clone(),
        };
        size(a).cmp(&size(b)).then(b.cmp(&a)) == Ordering::Greater
    };
    let parents: Vec<Option<usize>> = (0..loops.len())
        .map(|inner| {
            let around = (0..loops.len()).filter(|&outer| {
                loops[outer].sign() != 0
                    && is_larger(outer, inner)
                    && lies_in(&loops[inner].points, &loops[outer].points, axis)
            });
            around.reduce(|a, b| if is_larger(a, b) { b } else { a })
        })
        .collect();
    for at in 0..loops.len() {
        let mut above = parents[at];
        loops[at].parent = above.map(|above| loops[above].polyline);
        while let Some(next) = above {
            loops[at].depth += 1;
            above = parents[next];
        }
    }
    loops
}

fn points<C: Coordinate>(
    triangles: &[Triangle64],
    of: &CutBy<C>,
    polyline: &Polyline<C>,
) -> Vec<Point> {
    let point = |point: &SectionPoint<C>| {
        let corners = triangles[point.prim.index()].corners();
        let edge = usize::from(point.edge);
        let ends = [corners[edge], corners[(edge + 1) % 3]].map(|p| of.grid.vector(p));
        let [a, b] = [0, 1].map(|end| height(&ends[end], of));
        let (num, den) = crossing([&ends[0], &ends[1]], [&a, &b]);
        num.map(|num| Fraction {
            num,
            den: den.clone(),
        })
    };
    polyline.points.iter().map(point).collect()
}

/// Returns the sum of the triple products of the normal and the ends of each segment.
fn flux(points: &[Point], normal: &Vector) -> Fraction {
    let next = points.iter().cycle().skip(1);
    let terms = points.iter().zip(next).map(|(a, b)| {
        let vector = |point: &Point| Vector([0, 1, 2].map(|axis| point[axis].num.clone()));
        Fraction {
            num: normal.dot(&vector(a).cross(&vector(b))),
            den: &a[0].den * &b[0].den,
        }
    });
    // In pairs, so that products have factors of one size.
    let mut terms: Vec<Fraction> = terms.collect();
    while terms.len() > 1 {
        let pairs = terms.chunks(2);
        terms = pairs
            .map(|pair| match pair {
                [a, b] => a.plus(b),
                _ => pair[0].clone(),
            })
            .collect();
    }
    terms.pop().unwrap_or(Fraction {
        num: BigInt::zero(),
        den: BigInt::one(),
    })
}

fn lies_in(inner: &[Point], outer: &[Point], axis: usize) -> bool {
    let seen = |point: &Point| [1, 2].map(|step| point[(axis + step) % 3].clone());
    let [inner, outer] = [inner, outer].map(|points| points.iter().map(seen).collect::<Vec<_>>());
    let half = Fraction {
        num: BigInt::one(),
        den: BigInt::from(2),
    };
    let middles = (0..inner.len()).map(|at| {
        let (a, b) = (&inner[at], &inner[(at + 1) % inner.len()]);
        [0, 1].map(|i| a[i].plus(&b[i]).times(&half))
    });
    let all: Vec<[Fraction; 2]> = inner.iter().cloned().chain(middles).collect();
    all.iter()
        .find_map(|point| is_inside(point, &outer))
        .unwrap_or(true)
}

/// Returns whether a point is inside of a polygon by the even-odd rule; `None` if it is on it.
fn is_inside(q: &[Fraction; 2], polygon: &[[Fraction; 2]]) -> Option<bool> {
    let mut inside = false;
    for (at, b) in polygon.iter().enumerate() {
        let a = &polygon[(at + polygon.len() - 1) % polygon.len()];
        let way = |to: &[Fraction; 2]| [0, 1].map(|i| to[i].minus(&q[i]));
        let (a, b) = (way(a), way(b));
        let turn = a[0].times(&b[1]).minus(&a[1].times(&b[0]));
        let along = a[0].times(&b[0]).plus(&a[1].times(&b[1]));
        if turn.num.is_zero() && !along.num.is_positive() {
            return None;
        }
        // The segment meets the line through the point where a ray may meet it.
        let (low, high) = (a[1].num.is_negative(), b[1].num.is_negative());
        if low != high {
            let [x, y] = [0, 1].map(|i| b[i].minus(&a[i]));
            // a.x - a.y x / y
            let at_line = a[0].times(&y).minus(&a[1].times(&x));
            inside ^= sign(&at_line.num) * sign(&y.num) > 0;
        }
    }
    Some(inside)
}
