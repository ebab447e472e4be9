//! Triangles in one plane, seen along an axis.

use super::IntersectionKind;
use super::orientation::{Corners, axis_with_area, orient_along};
use crate::arithmetic::V3;

/// Returns what two triangles in one plane have in common.
pub(super) fn intersect(p: &Corners, q: &Corners) -> Option<IntersectionKind> {
    match separation(p, q)? {
        Separation::Apart => None,
        Separation::Touching => Some(IntersectionKind::Touching),
        Separation::Overlapping => Some(IntersectionKind::CoplanarOverlap),
    }
}

pub(super) enum Separation {
    /// There is no common point.
    Apart,
    /// There is no common area.
    Touching,
    Overlapping,
}

/// Returns how two triangles in one plane lie: two convex polygons are apart, or have no common area,
/// if the line of an edge of either separates them. `None` without area.
pub(super) fn separation(p: &Corners, q: &Corners) -> Option<Separation> {
    let (axis, _) = axis_with_area(p)?;
    let mut result = Separation::Overlapping;
    for (own, other) in [(p, q), (q, p)] {
        let side = orient_along(axis, own[0], own[1], own[2]);
        for i in 0..3 {
            let (from, to) = (own[i], own[(i + 1) % 3]);
            let sides = other.map(|point| side * orient_along(axis, from, to, point));
            if sides == [-1; 3] {
                return Some(Separation::Apart);
            } else if !sides.contains(&1) {
                result = Separation::Touching;
            }
        }
    }
    Some(result)
}

/// Returns whether two points lie in the same direction from a third.
pub(super) fn are_in_one_direction(from: V3, a: V3, b: V3) -> bool {
    let side = |point: V3| [0, 1, 2].map(|axis| point[axis].partial_cmp(&from[axis]));
    side(a) == side(b) && (0..3).all(|axis| orient_along(axis, a, b, from) == 0)
}
