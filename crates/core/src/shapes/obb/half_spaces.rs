//! An oriented box as the intersection of six half spaces.

use super::Obb;
use crate::arithmetic::{Bounded, Dyadic, V3, exact_dot, exact_minus, widen};

impl Obb {
    /// Returns whether the face has the greater heights `n . (p - c)`, which it has not where the
    /// frame is mirrored.
    fn is_upper(&self, is_max: bool) -> bool {
        is_max != self.is_mirrored
    }

    /// Returns a linear function of points, positive on the inner side of a face and 0 on its plane.
    pub(crate) fn height_inside(&self, axis: usize, is_max: bool, point: V3) -> Bounded {
        let center = widen(self.frame.reference());
        let planes = &self.planes[axis];
        let dot = planes.dot([0, 1, 2].map(|i| point[i] - center[i]));
        let gap = planes.gap(is_max, dot);
        if self.is_upper(is_max) {
            gap
        } else {
            gap.negated()
        }
    }

    /// Returns the exact value of [`height_inside`](Obb::height_inside).
    pub(crate) fn exact_height_inside(&self, axis: usize, is_max: bool, point: V3) -> Dyadic {
        let delta = exact_minus(point, widen(self.frame.reference()));
        let height = exact_dot(&self.frame.exact_normal(axis), &delta);
        let bound = self.frame.exact_bound(axis, is_max);
        if self.is_upper(is_max) {
            bound.sub(&height)
        } else {
            height.sub(&bound)
        }
    }

    /// Returns the gradient of [`height_inside`](Obb::height_inside), each component rounded at most
    /// once.
    pub(crate) fn inward(&self, axis: usize, is_max: bool) -> V3 {
        let normal = self.planes[axis].normal;
        if self.is_upper(is_max) {
            normal.map(|x| -x)
        } else {
            normal
        }
    }
}
