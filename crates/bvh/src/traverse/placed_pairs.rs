//! The space of meshes that are placed by matrices, for the nearest triangles of two.
//!
//! Let v = 2^-53. A coordinate `a . p + m` has three products and three sums, so it is off by less than 4v
//! of the sum of the sizes of its terms, and by what underflows. 6v are granted, and the least normal
//! number; a box around points needs one rounding more. Numbers that overflow make boxes and errors infinite, which leave nothing out.

use super::pair_walk::{LANES, Narrow, PairSpace, Wide, widened};
use estoc_core::{InlineMap, PlacedTriangle, PlacementMatrix, Triangle};

/// What is granted of the sum of the sizes of all terms.
const GRANT: f64 = 3.0 * f64::EPSILON;

impl PairSpace for PlacementMatrix {
    type Measured = PlacedTriangle;

    fn triangle(&self, triangle: Triangle) -> PlacedTriangle {
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
