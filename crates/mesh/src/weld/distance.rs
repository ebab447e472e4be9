//! Distances between positions, compared exactly.

use crate::frame::exact_sum::{ExactSum, two_product, two_sum};

/// A position of finite coordinates, none of which is -0.
pub(super) type Position = [f32; 3];

/// The least distance of two different positions.
const LEAST: f64 = f32::from_bits(1) as f64;

/// More than the distance of any two positions.
const FARTHEST: f64 = (1u128 << 127) as f64 * 8.0;

/// A square computed in `f64` that is larger than another one by this factor is larger.
///
/// Nothing underflows or overflows. The square of a distance has up to six roundings in a row, and
/// that of a [`WeldReach`] one: fewer than the 16 halves of `f64::EPSILON` that are granted.
const SURELY_LARGER: f64 = 1.0 + 8.0 * f64::EPSILON;

/// A square computed in `f64` that is smaller by this factor is smaller, likewise.
const SURELY_SMALLER: f64 = 1.0 - 8.0 * f64::EPSILON;

/// A distance that the distances of positions are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct WeldReach {
    distance: f64,
    square: f64,
}

impl WeldReach {
    /// Returns the reach of a distance, which must not be negative or NaN.
    pub(super) fn new(distance: f64) -> Self {
        // So the square is far from what `f64` cannot hold, and no comparison has another answer.
        let distance = match distance < LEAST {
            true => 0.0,
            false => distance.min(FARTHEST),
        };
        WeldReach {
            distance,
            square: distance * distance,
        }
    }

    /// Returns whether two positions are at most this far apart, exactly.
    #[inline]
    pub(super) fn holds(&self, a: Position, b: Position) -> bool {
        let square = square(differences(a, b));
        if square > self.square * SURELY_LARGER {
            return false;
        }
        square < self.square * SURELY_SMALLER || self.holds_exactly(a, b)
    }

    #[cold]
    fn holds_exactly(&self, a: Position, b: Position) -> bool {
        // Six terms for each coordinate, two for the square of the reach, and one for comparing.
        let mut sum = ExactSum::<21>::new();
        let mut add = |x: f64, y: f64| {
            let (product, rest) = two_product(x, y);
            for term in [rest, product] {
                if term != 0.0 {
                    sum.add(term);
                }
            }
        };
        for axis in 0..3 {
            let (difference, rest) = two_sum(a[axis].into(), -f64::from(b[axis]));
            add(difference, difference);
            add(2.0 * difference, rest);
            add(rest, rest);
        }
        add(-self.distance, self.distance);
        sum.compare(0.0).is_le()
    }

    /// Returns whether all positions in one box are certainly farther than this from all in another.
    #[inline]
    pub(super) fn is_beyond(&self, [low, high]: [Position; 2], other: [Position; 2]) -> bool {
        let gaps = [0, 1, 2].map(|axis| {
            let after = f64::from(other[0][axis]) - f64::from(high[axis]);
            let before = f64::from(low[axis]) - f64::from(other[1][axis]);
            after.max(before).max(0.0)
        });
        square(gaps) > self.square * SURELY_LARGER
    }
}

#[inline]
fn differences(a: Position, b: Position) -> [f64; 3] {
    [0, 1, 2].map(|axis| f64::from(a[axis]) - f64::from(b[axis]))
}

#[inline]
fn square([x, y, z]: [f64; 3]) -> f64 {
    x * x + y * y + z * z
}
