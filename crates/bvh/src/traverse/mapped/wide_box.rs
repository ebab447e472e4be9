//! Boxes of `f64`s, and their images.

use crate::wide::WideBounds;
use estoc_core::{PlacementMatrix, WorldLine};

/// A box around points that may lie beyond the range of `f32`. Its corners may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WideBox {
    /// The least corner.
    pub min: [f64; 3],
    /// The greatest corner.
    pub max: [f64; 3],
}

/// Bounds the size of each coordinate of what is nested in a scene, to bound what rounded matrices
/// change.
pub type PlacedReach = [f64; 3];

impl WideBox {
    /// The box of nothing.
    pub const EMPTY: WideBox = WideBox {
        min: [f64::INFINITY; 3],
        max: [f64::NEG_INFINITY; 3],
    };

    /// Returns the box between two corners.
    pub fn of([min, max]: WideBounds) -> Self {
        WideBox { min, max }
    }

    /// Returns the two corners.
    pub fn corners(&self) -> WideBounds {
        [self.min, self.max]
    }

    /// Returns the smallest box around two.
    pub fn join(&self, other: &WideBox) -> WideBox {
        WideBox {
            min: each_axis(f64::min, self.min, other.min),
            max: each_axis(f64::max, self.max, other.max),
        }
    }

    /// Returns what is in both of two boxes, which hold something in common.
    pub fn overlap(&self, other: &WideBox) -> WideBox {
        WideBox {
            min: each_axis(f64::max, self.min, other.min),
            max: each_axis(f64::min, self.max, other.max),
        }
    }

    /// Returns a lower bound of the squared distance of a point from the box.
    ///
    /// A gap has one rounding, and may overflow only where the square does; a square has one more, and
    /// the sums two. What underflows is no larger for it than the least number.
    pub fn square_from(&self, point: [f64; 3]) -> f64 {
        let gap = |axis: usize| {
            let (below, above) = (self.min[axis] - point[axis], point[axis] - self.max[axis]);
            below.max(above).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        (x * x + y * y + z * z) * (1.0 - 4.0 * f64::EPSILON)
    }

    /// Returns the largest size of each coordinate.
    pub fn reach(&self) -> PlacedReach {
        [0, 1, 2].map(|axis| self.min[axis].abs().max(self.max[axis].abs()))
    }

    /// Returns a box around the images of all points of the box, which is not empty.
    ///
    /// `reach` is that of all that is nested below, if that has matrices of its own. Let u = 2^-53 and
    /// S the sum of the sizes of the four terms of a coordinate. A computed coordinate has four
    /// roundings at most and is off by less than `5u S`. The composed matrix of up to eight levels
    /// differs from the product of its parts by eight roundings of its entries, each of which changes
    /// a coordinate by at most u times S of the reach, except for terms in u^2. `16u` covers both.
    /// What underflows is below 2^-1074 for each product, and for each rounded entry times the reach.
    pub fn image(&self, matrix: &PlacementMatrix, reach: Option<PlacedReach>) -> WideBox {
        let mut image = WideBox::EMPTY;
        let own = self.reach();
        for (axis, row) in matrix.rows().into_iter().enumerate() {
            let (mut low, mut high) = (row[3], row[3]);
            let mut size = row[3].abs();
            let mut far = 1.0;
            for along in 0..3 {
                let (a, b) = (row[along] * self.min[along], row[along] * self.max[along]);
                low += a.min(b);
                high += a.max(b);
                let reach = reach.map_or(own[along], |reach| reach[along].max(own[along]));
                size += row[along].abs() * reach;
                far += reach;
            }
            // 2^-1070.
            let lost = far * f64::from_bits(16) + f64::MIN_POSITIVE;
            let pad = size * (8.0 * f64::EPSILON) + lost;
            // Sums of infinities of both signs are NaN, and so is 0 times an infinite corner.
            let or = |x: f64, infinite: f64| if x.is_nan() { infinite } else { x };
            image.min[axis] = or(low - pad, f64::NEG_INFINITY);
            image.max[axis] = or(high + pad, f64::INFINITY);
        }
        image
    }
}

fn each_axis(of: fn(f64, f64) -> f64, a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [of(a[0], b[0]), of(a[1], b[1]), of(a[2], b[2])]
}

/// A ray prepared for tests of boxes of `f64`s.
///
/// # Why it never loses a hit
/// On an axis with d != 0, the parameter of a face, `(face - o) / d`, has two roundings, and the quotient
/// may overflow to the infinity on the same side, or underflow. The bounds are moved outwards by more:
/// 4 * 2^-53 of their size and the least normal number. A difference that overflows is at least the
/// largest number, which is taken in its place where infinity would be too late for the near face, or too
/// early for the far one. On an axis with d = 0, a box that the origin is outside of is missed.
#[derive(Clone, Copy)]
pub struct WideBoxTest {
    origin: [f64; 3],
    dir: [f64; 3],
    t_min: f64,
}

impl WideBoxTest {
    /// Prepares a line from a parameter on.
    pub fn new(line: &WorldLine, t_min: f64) -> Self {
        WideBoxTest {
            origin: line.origin,
            dir: line.dir,
            t_min,
        }
    }

    /// Returns `None` only if no parameter up to the limit puts the ray into the box; otherwise a
    /// lower bound of all such parameters.
    pub fn enter(&self, of: &WideBox, t_limit: f64) -> Option<f64> {
        let (mut entry, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let (o, d) = (self.origin[axis], self.dir[axis]);
            let (low, high) = (of.min[axis] - o, of.max[axis] - o);
            if d == 0.0 {
                // The differences have the right sign, rounded or not.
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let ([near, far], d) = if d > 0.0 {
                ([low, high], d)
            } else {
                ([-high, -low], -d)
            };
            entry = entry.max(earlier(near.min(f64::MAX) / d));
            exit = exit.min(-earlier(-(far.max(f64::MIN) / d)));
        }
        let entry = entry.max(self.t_min);
        (entry <= exit && entry <= t_limit).then_some(entry)
    }
}

/// Returns a number that is less by more than a few roundings.
fn earlier(t: f64) -> f64 {
    const SHARE: f64 = 2.0 * f64::EPSILON;
    let share = if t > 0.0 { 1.0 - SHARE } else { 1.0 + SHARE };
    t * share - f64::MIN_POSITIVE
}
