//! The space of meshes that are placed by matrices, for the nearest triangles of two.
//!
//! Let v = 2^-53. A coordinate `a . p + m` has three products and three sums, so it is off by less than 4v
//! of the sum of the sizes of its terms, and by what underflows. 6v are granted, and the least normal
//! number. Numbers that overflow make boxes and errors infinite, which leave nothing out.

use super::pair_walk::{Narrow, PairSpace, Wide, widened};
use crate::wide::WIDTH;
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
            let mut image = [moved; WIDTH];
            for lane in 0..WIDTH {
                image[lane] += a * x[lane] + b * y[lane] + c * z[lane];
            }
            image
        })
    }

    #[inline(always)]
    fn boxes(&self, boxes: [[Narrow; 2]; 3]) -> [[Wide; 2]; 3] {
        let boxes = boxes.inline_map(|ends| ends.inline_map(widened));
        self.rows().inline_map(|row| {
            let moved = row[3];
            let [mut low, mut high, mut size] =
                [[moved; WIDTH], [moved; WIDTH], [moved.abs(); WIDTH]];
            for axis in 0..3 {
                let [min, max] = &boxes[axis];
                for lane in 0..WIDTH {
                    let (one, other) = (row[axis] * min[lane], row[axis] * max[lane]);
                    low[lane] += one.min(other);
                    high[lane] += one.max(other);
                    size[lane] += one.abs().max(other.abs());
                }
            }
            for lane in 0..WIDTH {
                let grant = size[lane] * GRANT + f64::MIN_POSITIVE;
                low[lane] -= grant;
                high[lane] += grant;
            }
            [low, high]
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
