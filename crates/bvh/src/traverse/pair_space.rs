//! The space in which the distances of two meshes are measured: that of the meshes themselves, in `f32` or `f64`, or
//! the world where they are placed by matrices.
//!
//! # Bounds of placed points and boxes
//! Let v = 2^-53. A coordinate `a . p + m` has three products and three sums, so it is off by less than 4v
//! of the sum of the sizes of its terms, and by what underflows. 6v are granted, and the least normal
//! number; a box around points needs one rounding more. Numbers that overflow make boxes and errors infinite,
//! which leave nothing out.

use crate::wide::{WIDTH, WideTriangles};
use estoc_core::{
    InlineMap, PairTriangle, PlacedTriangle, PlacementMatrix, PrimId, Triangle, Triangle64,
};

/// One number of each of eight points or boxes, in the mesh's units and in the space of distances.
pub(crate) type Narrow = [f32; WIDTH];
pub(crate) type Wide = [f64; WIDTH];

pub(crate) const LANES: [usize; WIDTH] = [0, 1, 2, 3, 4, 5, 6, 7];

/// How the triangles of a tree lie in the space in which distances are measured.
pub(crate) trait PairSpace: Sync {
    /// A triangle there.
    type Measured: PairTriangle;

    /// Returns a triangle of the mesh there, given with its id as it is in the tree.
    fn triangle(&self, prim: PrimId, triangle: Triangle) -> Self::Measured;

    /// Returns points of the mesh there, by axis, each coordinate off by at most the
    /// [`error`](Self::error).
    fn points(&self, points: [Narrow; 3]) -> [Wide; 3];

    /// Returns boxes around the images of boxes: by axis the least and the greatest coordinates.
    fn boxes(&self, boxes: [[Narrow; 2]; 3]) -> [[Wide; 2]; 3];

    /// Returns how far images of points of a box of the mesh may be off.
    fn error(&self, min: [f32; 3], max: [f32; 3]) -> f64;
}

/// The space of the meshes themselves.
pub(crate) struct OwnSpace;

impl PairSpace for OwnSpace {
    type Measured = Triangle;

    #[inline(always)]
    fn triangle(&self, _: PrimId, triangle: Triangle) -> Triangle {
        triangle
    }

    #[inline(always)]
    fn points(&self, points: [Narrow; 3]) -> [Wide; 3] {
        points.inline_map(widened)
    }

    #[inline(always)]
    fn boxes(&self, boxes: [[Narrow; 2]; 3]) -> [[Wide; 2]; 3] {
        boxes.inline_map(|ends| ends.inline_map(widened))
    }

    fn error(&self, _: [f32; 3], _: [f32; 3]) -> f64 {
        0.0
    }
}

/// Corners in `f64` that the tree has in a frame: points are off by the frame's error and by two roundings, of the
/// quotient and of the sum, and so are boxes, which are moved outwards by that.
impl PairSpace for WideTriangles {
    type Measured = Triangle64;

    fn triangle(&self, prim: PrimId, _: Triangle) -> Triangle64 {
        self.get_or_nowhere(prim)
    }

    #[inline(always)]
    fn points(&self, points: [Narrow; 3]) -> [Wide; 3] {
        let (down, origin) = (1.0 / self.frame().up(), self.frame().origin);
        [0, 1, 2].inline_map(|axis: usize| {
            points[axis].inline_map(|x| f64::from(x) * down + origin[axis])
        })
    }

    #[inline(always)]
    fn boxes(&self, boxes: [[Narrow; 2]; 3]) -> [[Wide; 2]; 3] {
        let [low, high] = [0, 1].inline_map(|end: usize| {
            self.points([0, 1, 2].inline_map(|axis: usize| boxes[axis][end]))
        });
        let spare = [0, 1, 2].inline_map(|axis: usize| {
            LANES.inline_map(|lane| {
                let [low, high] = boxes[axis].inline_map(|end| f64::from(end[lane]).abs());
                self.spare(low.max(high), axis)
            })
        });
        [0, 1, 2].inline_map(|axis: usize| {
            [
                LANES.inline_map(|lane| low[axis][lane] - spare[axis][lane]),
                LANES.inline_map(|lane| high[axis][lane] + spare[axis][lane]),
            ]
        })
    }

    fn error(&self, min: [f32; 3], max: [f32; 3]) -> f64 {
        let most = |axis: usize| f64::from(min[axis].abs().max(max[axis].abs()));
        let spares = [0, 1, 2].map(|axis: usize| self.spare(most(axis), axis));
        spares.into_iter().fold(0.0, f64::max)
    }
}

impl WideTriangles {
    /// Bounds how far a coordinate of a corner is off that is at most of this size in the frame.
    #[inline(always)]
    fn spare(&self, size: f64, axis: usize) -> f64 {
        let frame = self.frame();
        let down = 1.0 / frame.up();
        let far = size * down + frame.origin[axis].abs();
        frame.error * down * (1.0 + 4.0 * f64::EPSILON)
            + far * (4.0 * f64::EPSILON)
            + f64::MIN_POSITIVE
    }
}

#[inline(always)]
pub(crate) fn widened(numbers: Narrow) -> Wide {
    numbers.inline_map(f64::from)
}

/// What is granted of the sum of the sizes of all terms.
const GRANT: f64 = 3.0 * f64::EPSILON;

impl PairSpace for PlacementMatrix {
    type Measured = PlacedTriangle;

    fn triangle(&self, _: PrimId, triangle: Triangle) -> PlacedTriangle {
        PlacedTriangle::new(triangle, *self)
    }

    #[inline(always)]
    fn points(&self, points: [Narrow; 3]) -> [Wide; 3] {
        let [x, y, z] = points.inline_map(widened);
        self.rows().inline_map(|[a, b, c, moved]| {
            LANES.inline_map(|i| moved + (a * x[i] + b * y[i] + c * z[i]))
        })
    }

    #[inline(always)]
    fn boxes(&self, boxes: [[Narrow; 2]; 3]) -> [[Wide; 2]; 3] {
        let boxes = boxes.inline_map(|ends| ends.inline_map(widened));
        self.rows().inline_map(|row| {
            // The products with both ends of a lane, and the sum of the larger sizes.
            let ends =
                |axis: usize, lane: usize| boxes[axis].inline_map(|end| row[axis] * end[lane]);
            let grant = |lane: usize| {
                let size = |axis: usize| {
                    let [a, b] = ends(axis, lane);
                    a.abs().max(b.abs())
                };
                (row[3].abs() + size(0) + size(1) + size(2)) * GRANT + f64::MIN_POSITIVE
            };
            let sum = |lane: usize, of: fn(f64, f64) -> f64| {
                let end = |axis: usize| {
                    let [a, b] = ends(axis, lane);
                    of(a, b)
                };
                row[3] + end(0) + end(1) + end(2)
            };
            [
                LANES.inline_map(|lane| sum(lane, f64::min) - grant(lane)),
                LANES.inline_map(|lane| sum(lane, f64::max) + grant(lane)),
            ]
        })
    }

    fn error(&self, min: [f32; 3], max: [f32; 3]) -> f64 {
        let most = |axis: usize| f64::from(min[axis].abs().max(max[axis].abs()));
        let terms = self.rows().map(|[a, b, c, moved]| {
            a.abs() * most(0) + b.abs() * most(1) + c.abs() * most(2) + moved.abs()
        });
        terms.into_iter().fold(0.0, f64::max) * GRANT + f64::MIN_POSITIVE
    }
}
