//! Triangles whose planes differ (Guigue and Devillers 2003, "Fast and robust triangle-triangle
//! overlap test using orientation predicates").
//!
//! The planes have a common line. Each triangle meets it in an interval, which may be a point; the
//! triangles have common points where the intervals have. A triangle is turned so that its first
//! corner is alone on its side of the other plane, and the other's plane so that this is the side behind:
//! then its interval lies between the edges from that corner, and two orientations compare its ends
//! with those of the other interval.

use super::IntersectionKind;
use super::orientation::{Corners, orient};

/// Returns what two triangles have in common, each given with the signs of its corners' heights above
/// the plane of the other: neither all positive, nor all negative, nor all 0.
pub(super) fn intersect(
    (p, above_q): (Corners, [i32; 3]),
    (q, above_p): (Corners, [i32; 3]),
) -> Option<IntersectionKind> {
    let (mut p, p_is_in_front) = apex_first(p, above_q);
    let (mut q, q_is_in_front) = apex_first(q, above_p);
    // Exchanging two corners of a triangle turns its plane, so that the other's apex is behind.
    if p_is_in_front {
        q.swap(1, 2);
    }
    if q_is_in_front {
        p.swap(1, 2);
    }
    let first = orient(p[0], p[1], q[0], q[1]);
    let last = orient(p[0], p[2], q[2], q[0]);
    if first > 0 || last > 0 {
        return None;
    }
    // Inside both triangles are the points inside both intervals, if the line goes through them.
    let goes_through = |heights: [i32; 3]| heights.contains(&1) && heights.contains(&-1);
    let is_inside = first < 0 && last < 0 && goes_through(above_q) && goes_through(above_p);
    Some(match is_inside {
        true => IntersectionKind::Crossing,
        false => IntersectionKind::Touching,
    })
}

/// Returns the corners in the same cyclic order, beginning with the one that is alone on its side of
/// the plane, and whether that is the side in front. Corners in the plane count to the side where they
/// leave one alone.
fn apex_first([a, b, c]: Corners, heights: [i32; 3]) -> (Corners, bool) {
    let place = |side: i32| heights.iter().position(|&height| height == side);
    let count = |side: i32| heights.iter().filter(|&&height| height == side).count();
    let (apex, is_in_front) = match (count(1), count(-1)) {
        (1, _) => (place(1), true),
        (_, 1) => (place(-1), false),
        // Two on one side and one in the plane, which then counts to the other side.
        (2, _) => (place(0), false),
        _ => (place(0), true),
    };
    let corners = match apex {
        Some(1) => [b, c, a],
        Some(2) => [c, a, b],
        _ => [a, b, c],
    };
    (corners, is_in_front)
}
