//! The three pairs of parallel planes that bound an oriented box, in `f64` with bounds.

use super::frame::Frame;
use super::{Obb, ObbError};
use crate::arithmetic::{Bounded, V3, widen};
use glam::Vec3;

/// Two parallel planes: `n . (p - c)` is `bounds[0]` on the box's lower face and `bounds[1]` on its
/// upper face. In a mirrored frame the lower face has the greater bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlanePair {
    /// Components are rounded at most once.
    pub(super) normal: V3,
    pub(super) bounds: [Bounded; 2],
    /// At least the sum of the normal's absolute components.
    pub(super) size: f64,
    /// At least the error of either bound, including its rounding.
    pub(super) slack: f64,
}

/// Returns the determinant, not zero and with a small relative error.
pub(super) fn determinant(frame: &Frame) -> Result<Bounded, ObbError> {
    let mut det = frame.det();
    if det.error >= det.value.abs() * PRECISE {
        // Singular or nearly so: the terms cancel, and the exact sum decides.
        let exact = frame.exact_det();
        if exact.sign() == 0 {
            return Err(ObbError::Singular(frame.vectors()));
        }
        let value = exact.estimate();
        det = Bounded {
            value,
            error: value.abs() * (8.0 * f64::EPSILON),
        };
    }
    Ok(det)
}

/// The greatest relative error of a determinant.
const PRECISE: f64 = 1.0 / (1u64 << 40) as f64;

impl PlanePair {
    pub(super) fn new(frame: &Frame, axis: usize, det: Bounded) -> Self {
        let bounds = frame.extent(axis).map(|bound| {
            let bound = f64::from(bound);
            match frame {
                Frame::Axes { .. } => Bounded {
                    value: bound,
                    error: 0.0,
                },
                // The product is rounded once, and this bound three times more.
                Frame::Model { .. } => Bounded {
                    value: det.value * bound,
                    error: (det.error * 1.001 + det.value.abs() * f64::EPSILON) * bound.abs(),
                },
            }
        });
        let normal = frame.normal(axis);
        let [x, y, z] = normal.map(f64::abs);
        let [a, b] = bounds.map(|bound| bound.error + bound.value.abs() * (4.0 * f64::EPSILON));
        PlanePair {
            normal,
            bounds,
            size: (x + y + z) * (1.0 + 4.0 * f64::EPSILON),
            slack: a.max(b),
        }
    }

    /// Returns `n . delta` and the sum of the absolute values of its terms.
    pub(super) fn dot(&self, delta: V3) -> (f64, f64) {
        let [x, y, z] = [0, 1, 2].map(|i| self.normal[i] * delta[i]);
        (x + y + z, x.abs() + y.abs() + z.abs())
    }

    /// Returns `bound - n . (p - c)` for the lower or upper face, from the dot product of a
    /// difference whose components were rounded once.
    ///
    /// With u = 2^-53: the dot product has five roundings (normal, difference, product, two sums)
    /// and this difference one more, so 7u of the terms cover both and 8u the roundings of the
    /// error. Nothing underflows or overflows: terms lie in 2^-596 ..= 2^516.
    pub(super) fn gap(&self, is_max: bool, (height, terms): (f64, f64)) -> Bounded {
        let bound = self.bounds[usize::from(is_max)];
        Bounded {
            value: bound.value - height,
            error: bound.error + (terms + bound.value.abs()) * (4.0 * f64::EPSILON),
        }
    }
}

impl Obb {
    /// Returns whether the point is in the box or on its faces, decided exactly; `false` for NaN or
    /// infinite coordinates.
    pub fn contains(&self, point: impl Into<Vec3>) -> bool {
        let point = point.into();
        point.is_finite() && (0..3).all(|axis| self.is_between(axis, point))
    }

    /// Returns whether the point lies between the two planes across an axis, or on one.
    pub(super) fn is_between(&self, axis: usize, point: Vec3) -> bool {
        let point = widen(point);
        [false, true].into_iter().all(|is_max| {
            let inside = self.height_inside(axis, is_max, point).sign();
            inside.unwrap_or_else(|| self.exact_height_inside(axis, is_max, point).sign()) >= 0
        })
    }
}
