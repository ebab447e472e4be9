//! An oriented box as the intersection of six half spaces.

use super::Obb;
use crate::arithmetic::{Bounded, Dyadic, V3, minus, widen};

impl Obb {
    /// Returns whether the face has the greater heights `n . (p - c)`, which it has not where the
    /// frame is mirrored.
    fn is_upper(&self, is_max: bool) -> bool {
        is_max != self.is_mirrored
    }

    /// Returns a linear function of points, positive on the inner side of a face and 0 on its plane.
    pub(crate) fn height_inside(&self, axis: usize, is_max: bool, point: V3) -> Bounded {
        let planes = &self.planes[axis];
        let dot = planes.dot(minus(point, widen(self.frame.reference())));
        let gap = planes.gap(is_max, dot);
        if self.is_upper(is_max) {
            gap
        } else {
            gap.negated()
        }
    }

    /// Returns the exact value of [`height_inside`](Obb::height_inside).
    pub(crate) fn exact_height_inside(&self, axis: usize, is_max: bool, point: V3) -> Dyadic {
        let height = self.frame.exact_height(axis, point);
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
