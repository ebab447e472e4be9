//! Coordinates of a file in the frame of the mesh: rounded once, whatever the origin.

mod exact_decimal;
pub(crate) mod exact_sum;
mod nearest;
pub(crate) mod tally;

#[cfg(feature = "gltf")]
use estoc_core::glam::DAffine3;
use estoc_core::glam::{DVec3, Vec3};

use crate::text::number::{is_named_non_finite, leading_decimal};
use exact_decimal::ExactDecimal;
#[cfg(feature = "gltf")]
use exact_sum::two_product;
use exact_sum::{ExactSum, two_sum};
use nearest::nearest;

/// The origin of a mesh in the coordinates of its file, and what is asked about the rounding.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FileFrame {
    /// Finite.
    origin: DVec3,
    /// Whether the origin is not 0.
    is_moved: bool,
    /// Whether the coordinates of the file are kept, for a survey of the rounding.
    pub(crate) surveys: bool,
    /// Whether they are kept for a mesh in `f64`.
    pub(crate) keeps: bool,
}

/// A coordinate of a vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundedCoordinate {
    /// The nearest `f32` to the difference of the number in the file and the origin.
    pub(crate) value: f32,
    /// The number in the file, rounded to `f64`.
    pub(crate) in_file: f64,
    /// How far the rounding to `f32` moved it, approximately and with a sign.
    pub(crate) moved: f64,
}

impl RoundedCoordinate {
    /// A coordinate of a vertex that cannot be read.
    pub(crate) const UNREAD: RoundedCoordinate = RoundedCoordinate {
        value: f32::NAN,
        in_file: f64::NAN,
        moved: 0.0,
    };

    #[inline]
    fn of(x: f64) -> Self {
        let value = x as f32;
        RoundedCoordinate {
            value,
            in_file: x,
            moved: f64::from(value) - x,
        }
    }
}

/// The largest relative error of a number rounded to `f64`, and a little more, so that an error of the
/// bound itself does not matter.
const RELATIVE: f64 = f64::EPSILON * 0.500_001;

/// More than the error of rounding to a subnormal `f64`.
const ABSOLUTE: f64 = f64::MIN_POSITIVE;

impl FileFrame {
    /// Returns the frame with this origin, which must be finite.
    pub(crate) fn new(origin: DVec3, surveys: bool) -> Self {
        FileFrame {
            // Adding 0 turns -0 into +0.
            origin: origin + DVec3::ZERO,
            is_moved: origin != DVec3::ZERO,
            surveys,
            keeps: false,
        }
    }

    /// Returns the frame of a mesh in `f64`.
    pub(crate) fn of_f64() -> Self {
        FileFrame {
            keeps: true,
            ..FileFrame::default()
        }
    }

    pub(crate) fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Returns the coordinate of a number of the file.
    #[inline]
    pub(crate) fn number(&self, axis: usize, x: f64) -> RoundedCoordinate {
        match self.is_moved {
            false => RoundedCoordinate::of(x),
            true => self.moved_number(axis, x),
        }
    }

    fn moved_number(&self, axis: usize, x: f64) -> RoundedCoordinate {
        let (sum, rest) = two_sum(x, -self.origin[axis]);
        if rest == 0.0 || !sum.is_finite() {
            let coordinate = RoundedCoordinate::of(sum);
            return RoundedCoordinate {
                value: coordinate.value + 0.0,
                in_file: x,
                ..coordinate
            };
        }
        self.certain(axis, x, 0.0).unwrap_or_else(|| {
            let mut exact = ExactSum::<3>::new();
            exact.add(rest);
            exact.add(sum);
            let value = nearest(below(sum), above(sum), |other| exact.compare(other));
            self.rounded(axis, x, value)
        })
    }

    /// Returns the coordinates of a vertex of decimals, given rounded to `f64` as by
    /// [`leading_decimal`]; `None` if that is not enough to round one of them.
    #[inline]
    pub(crate) fn near_decimals(&self, [x, y, z]: [f64; 3]) -> Option<[RoundedCoordinate; 3]> {
        if !self.is_moved {
            return Some([x, y, z].map(RoundedCoordinate::of));
        }
        Some([
            self.near_decimal(0, x)?,
            self.near_decimal(1, y)?,
            self.near_decimal(2, z)?,
        ])
    }

    #[inline]
    fn near_decimal(&self, axis: usize, x: f64) -> Option<RoundedCoordinate> {
        match self.origin[axis] == 0.0 {
            true => Some(RoundedCoordinate::of(x)),
            false => self.certain(axis, x, x.abs() * RELATIVE + ABSOLUTE),
        }
    }

    /// Parses a coordinate as [`parse_f32`](crate::text::number::parse_f32) does, and rounds the
    /// difference of the decimal and the origin once.
    pub(crate) fn decimal(&self, axis: usize, word: &[u8]) -> Option<RoundedCoordinate> {
        if let Some((x, [])) = leading_decimal(word)
            && let Some(coordinate) = self.near_decimal(axis, x)
        {
            return Some(coordinate);
        }
        let text = core::str::from_utf8(word).ok()?;
        let Ok(x) = text.parse::<f64>() else {
            return is_named_non_finite(text).then_some(RoundedCoordinate::UNREAD);
        };
        if self.origin[axis] == 0.0 {
            let value = text.parse::<f32>().ok()?;
            return Some(RoundedCoordinate {
                value,
                in_file: x,
                moved: f64::from(value) - x,
            });
        }
        // An origin is finite, so the difference to anything beyond `f64` is beyond `f32`.
        let difference = x - self.origin[axis];
        if !difference.is_finite() {
            return Some(RoundedCoordinate {
                in_file: x,
                ..RoundedCoordinate::of(difference)
            });
        }
        let bound = x.abs() * RELATIVE + ABSOLUTE;
        self.certain(axis, x, bound).or_else(|| {
            let exact = ExactDecimal::of(text, x)?;
            if exact.compare((x, 0.0)).is_eq() {
                return Some(self.moved_number(axis, x));
            }
            // Generous: the search halves the range at each step.
            let (low, high) = (difference - 2.0 * bound, difference + 2.0 * bound);
            let value = nearest(below(low), above(high), |other| {
                exact.compare(two_sum(self.origin[axis], other))
            });
            Some(self.rounded(axis, x, value))
        })
    }

    /// Returns the coordinate of a number within `bound` of `x`, if all such numbers are rounded to
    /// the same.
    ///
    /// The sum of `x` and the origin is exact as `sum + rest`. Adding the bound to `rest`, and that to
    /// `sum`, is rounded twice: the first error is far less than what `RELATIVE` adds to the bound or
    /// than half a unit of the result, the second at most half a unit, and the next number is at least
    /// that much farther.
    #[inline]
    fn certain(&self, axis: usize, x: f64, bound: f64) -> Option<RoundedCoordinate> {
        let (sum, rest) = two_sum(x, -self.origin[axis]);
        let low = (sum + (rest - bound)).next_down() as f32;
        let high = (sum + (rest + bound)).next_up() as f32;
        // Neither is equal to anything if the sum overflows.
        (low == high).then(|| self.rounded(axis, x, low + 0.0))
    }

    /// Returns the coordinate with a value that was decided otherwise.
    #[inline]
    fn rounded(&self, axis: usize, x: f64, value: f32) -> RoundedCoordinate {
        let (sum, rest) = two_sum(x, -self.origin[axis]);
        RoundedCoordinate {
            value,
            in_file: x,
            moved: (f64::from(value) - sum) - rest,
        }
    }

    /// Returns the coordinates of a vertex of numbers.
    pub(crate) fn numbers(&self, numbers: DVec3) -> [RoundedCoordinate; 3] {
        core::array::from_fn(|axis| self.number(axis, numbers[axis]))
    }

    /// Returns a point of the file in the frame of the mesh.
    pub(crate) fn point(&self, point: DVec3) -> Vec3 {
        self.numbers(point)
            .map(|coordinate| coordinate.value)
            .into()
    }

    /// Returns the coordinates of a transformed point: without an origin, the point as transformed in
    /// `f64`, or, for a mesh in `f64`, the nearest one to the exact value; otherwise the exact value of the transform minus the origin, unless a product overflows
    /// or underflows.
    #[cfg(feature = "gltf")]
    pub(crate) fn transformed(&self, transform: &DAffine3, point: DVec3) -> [RoundedCoordinate; 3] {
        let place = transform.transform_point3(point);
        core::array::from_fn(|axis| {
            if !self.is_moved && !self.keeps {
                return RoundedCoordinate::of(place[axis]);
            }
            let mut exact = ExactSum::<9>::new();
            if self.is_moved {
                exact.add(-self.origin[axis]);
            }
            exact.add(transform.translation[axis]);
            let row = transform.matrix3.row(axis).to_array();
            for (a, b) in row.into_iter().zip(point.to_array()) {
                let (product, rest) = two_product(a, b);
                exact.add(rest);
                exact.add(product);
            }
            let about = exact.about();
            if !about.is_finite() {
                return self.number(axis, place[axis]);
            }
            if self.keeps {
                return RoundedCoordinate::of(exact.nearest());
            }
            let value = nearest(below(about), above(about), |other| exact.compare(other));
            RoundedCoordinate {
                value,
                in_file: place[axis],
                moved: f64::from(value) - about,
            }
        })
    }
}

/// Returns an `f32` that is not above any number near `x`.
fn below(x: f64) -> f32 {
    (x as f32).next_down()
}

/// Returns an `f32` that is not below any number near `x`.
fn above(x: f64) -> f32 {
    (x as f32).next_up()
}
