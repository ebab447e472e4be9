//! Triangles of one mesh, which intersect where they have common points beyond those of the corners
//! that they share.
//!
//! Corners are shared by position. The hull of the shared ones belongs to both triangles, so they
//! intersect if there is a common point outside of it:
//!
//! | shared corners | the triangles intersect if |
//! |---|---|
//! | 0 | they have a common point |
//! | 1, in different planes | both meet the common line of the planes on the same side of the corner |
//! | 1, in one plane | they overlap, or an edge of one from the corner lies on one of the other |
//! | 2 | they lie in one plane and overlap: their third corners are on the same side |
//! | 3 | always: they overlap |

use super::coplanar::{Separation, are_in_one_direction, separation};
use super::orientation::{Corners, heights};
use super::{IntersectionKind, intersect};
use crate::arithmetic::V3;
use crate::shapes::Triangle64;

/// Returns how two triangles with area intersect.
pub(crate) fn self_intersect(a: &Triangle64, b: &Triangle64) -> Option<IntersectionKind> {
    let (p, q) = (a.coordinates(), b.coordinates());
    // For each corner, whether it is one of the other triangle.
    let shared = p.map(|corner| q.contains(&corner));
    match shared.into_iter().filter(|&is_shared| is_shared).count() {
        0 => intersect(a, b),
        1 => {
            let place = shared.iter().position(|&is_shared| is_shared)?;
            let other = q.iter().position(|corner| *corner == p[place])?;
            at_corner(turned(p, place), turned(q, other))
        }
        2 => {
            let other = q.iter().find(|corner| !p.contains(corner))?;
            along_edge(&p, &q, *other)
        }
        _ => Some(IntersectionKind::CoplanarOverlap),
    }
}

/// Returns the corners in the same cyclic order, beginning with one of them.
fn turned([a, b, c]: Corners, first: usize) -> Corners {
    match first {
        1 => [b, c, a],
        2 => [c, a, b],
        _ => [a, b, c],
    }
}

/// Returns how triangles intersect that share two corners, given the third one of the second.
fn along_edge(p: &Corners, q: &Corners, other: V3) -> Option<IntersectionKind> {
    let is_coplanar = heights(p, &[other]) == [0];
    let overlaps = || matches!(separation(p, q), Some(Separation::Overlapping));
    (is_coplanar && overlaps()).then_some(IntersectionKind::CoplanarOverlap)
}

/// Returns how triangles intersect that share their first corner.
///
/// With the corners a, b and c, d relative to it, and the normals n and m, the common line of the
/// planes has the direction `n x m = (m . a) b - (m . b) a = (n . d) c - (n . c) d`. So the part of
/// the first triangle on it is in front, in this direction, where `m . a > 0 >= m . b` or
/// `m . a >= 0 > m . b`, and behind with the signs exchanged.
fn at_corner(p: Corners, q: Corners) -> Option<IntersectionKind> {
    let [a, b] = heights(&q, &[p[1], p[2]]);
    if a * b > 0 {
        return None;
    }
    if a == 0 && b == 0 {
        return in_plane(&p, &q);
    }
    let [c, d] = heights(&p, &[q[1], q[2]]);
    if c * d > 0 {
        return None;
    }
    let p_is_in_front = a > 0 || b < 0;
    let q_is_in_front = d > 0 || c < 0;
    if p_is_in_front != q_is_in_front {
        return None;
    }
    Some(match a * b < 0 && c * d < 0 {
        true => IntersectionKind::Crossing,
        false => IntersectionKind::Touching,
    })
}

fn in_plane(p: &Corners, q: &Corners) -> Option<IntersectionKind> {
    if let Separation::Overlapping = separation(p, q)? {
        return Some(IntersectionKind::CoplanarOverlap);
    }
    let pairs = [(1, 1), (1, 2), (2, 1), (2, 2)];
    let lie_on_each_other = |(i, j): (usize, usize)| are_in_one_direction(p[0], p[i], q[j]);
    pairs
        .into_iter()
        .any(lie_on_each_other)
        .then_some(IntersectionKind::Touching)
}
