//! Bounds of the squared distance of two triangles, in `f64`.
//!
//! Two points of the triangles that are about the nearest give an upper bound, and the direction from
//! one to the other a lower one: both triangles lie on their sides of two planes at right angles to it.
//! Neither has to be accurate, so only their evaluation needs bounds.
//!
//! # Bounds
//! Let v = 2^-53. Corners are given relative to a base; R is the largest of their coordinates, and each is
//! off by at most E, with the rounding of the difference.
//!
//! - **Points.** `c + t e` with t in 0 ..= 1 has 6.1v R; sums of three corners by weights whose own sum is
//!   within 4.1v of 1 have 8.3v R. Together with E, and the difference of two such points, a coordinate of
//!   the gap is off by at most `19v R + 2E`, and its length by 1.8 times that: `64v R + 4E` are granted.
//! - **Upper bounds.** The length has 2.6v, and the square its own rounding; 8v and 4v are granted.
//! - **Lower bounds.** A product `g . c` is off by `4.1v G R + E G` with the sum G of the sizes of g's
//!   coordinates, for a triangle and for a corner of a box, which lies no farther out but for roundings; for
//!   both sides and their difference `16v G R + 3E G` are granted. The squares of the rest and of g have a few
//!   roundings, for which 16v are granted, where they are normal numbers.
//!
//! Numbers that overflow or underflow there are NaN, infinite or not normal, and prove nothing.

use estoc_core::glam::DVec3;
use estoc_core::{Feature, InlineMap};

/// 2^-53.
const V: f64 = f64::EPSILON / 2.0;

/// How far the corners of triangles may be from the base, and how far they may be off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    pub(crate) reach: f64,
    pub(crate) error: f64,
}

/// Bounds of the squared distance of two triangles.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairDistance {
    pub(crate) low: f64,
    /// An upper bound if both triangles have area.
    pub(crate) high: f64,
    /// From the second to the first, about where they are nearest.
    pub(crate) gap: DVec3,
    /// The parts that are about the nearest.
    pub(crate) parts: [Feature; 2],
}

/// Returns bounds of the squared distance of two triangles by their corners.
pub(crate) fn pair_distance(a: &[DVec3; 3], b: &[DVec3; 3], reach: Reach) -> PairDistance {
    let (gap, parts) = nearest_gap(a, b);
    let length = gap.length() * (1.0 + 8.0 * V) + 64.0 * V * reach.reach + 4.0 * reach.error;
    let [x, y, z] = a.inline_map(|corner| gap.dot(corner));
    let least = x.min(y).min(z);
    let [x, y, z] = b.inline_map(|corner| gap.dot(corner));
    let most = x.max(y).max(z);
    PairDistance {
        low: Direction::new(gap).square_between(least, most, reach),
        high: length * length * (1.0 + 4.0 * V) + f64::MIN_POSITIVE,
        gap,
        parts,
    }
}

/// A direction in which triangles are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direction {
    pub(crate) along: DVec3,
    sum: f64,
    /// What a squared product is multiplied by; 0 where the direction is too short or too long.
    factor: f64,
}

impl Direction {
    pub(crate) fn new(along: DVec3) -> Self {
        let square = along.length_squared();
        let is_fit = square.is_normal();
        Direction {
            along,
            sum: along.abs().element_sum(),
            factor: if is_fit {
                (1.0 - 16.0 * V) / square
            } else {
                0.0
            },
        }
    }

    /// Returns a lower bound of the squared distance of two triangles: the first is from `least` on, the
    /// second up to `most`.
    #[inline(always)]
    pub(crate) fn square_between(&self, least: f64, most: f64, reach: Reach) -> f64 {
        let error = self.sum * (16.0 * V * reach.reach + 3.0 * reach.error);
        let gap = least - most - error;
        let square = gap * gap;
        let low = square * self.factor - f64::MIN_POSITIVE;
        let is_proven = gap > 0.0 && (f64::MIN_POSITIVE..f64::INFINITY).contains(&square);
        if is_proven && low > 0.0 { low } else { 0.0 }
    }
}

/// Returns the vector from about the nearest point of the second triangle to that of the first, and the
/// parts that they lie on.
fn nearest_gap(a: &[DVec3; 3], b: &[DVec3; 3]) -> (DVec3, [Feature; 2]) {
    let mut best = (f64::INFINITY, a[0] - b[0], [Feature::Vertex(0); 2]);
    let mut offer = |gap: DVec3, parts: [Feature; 2]| {
        let square = gap.length_squared();
        if square < best.0 {
            best = (square, gap, parts);
        }
    };
    let edge = |corners: &[DVec3; 3], i: usize| corners[(i + 1) % 3] - corners[i];
    let part = |i: usize, share: f64| match share {
        0.0 => Feature::Vertex(i as u8),
        1.0 => Feature::Vertex((i as u8 + 1) % 3),
        _ => Feature::Edge(i as u8),
    };
    for i in 0..3 {
        let e = edge(a, i);
        for j in 0..3 {
            let (gap, s, t) = gap_of_edges(a[i], e, b[j], edge(b, j));
            offer(gap, [part(i, s), part(j, t)]);
        }
    }
    for i in 0..3 {
        if let Some(foot) = foot_on_face(a[i], b) {
            offer(a[i] - foot, [Feature::Vertex(i as u8), Feature::Face]);
        }
        if let Some(foot) = foot_on_face(b[i], a) {
            offer(foot - b[i], [Feature::Face, Feature::Vertex(i as u8)]);
        }
    }
    (best.1, best.2)
}

/// Returns the vector between about the nearest points of two edges, and their places from 0 to 1 (Ericson
/// 2005, "Real-Time Collision Detection", 5.1.9).
#[inline(always)]
fn gap_of_edges(p: DVec3, e: DVec3, q: DVec3, f: DVec3) -> (DVec3, f64, f64) {
    let w = p - q;
    let (ee, ff, ef) = (e.length_squared(), f.length_squared(), e.dot(f));
    let (ew, fw) = (e.dot(w), f.dot(w));
    let share = |num: f64, den: f64| {
        let share = num / den;
        // Where that is not a number, any will do.
        if share > 0.0 { share.min(1.0) } else { 0.0 }
    };
    let s = share(ef * fw - ff * ew, ee * ff - ef * ef);
    let t = share(ef * s + fw, ff);
    let s = share(ef * t - ew, ee);
    ((p + s * e) - (q + t * f), s, t)
}

/// Returns about the foot of the perpendicular from a point, if it is inside the triangle.
#[inline(always)]
fn foot_on_face(point: DVec3, corners: &[DVec3; 3]) -> Option<DVec3> {
    let [a, b, c] = corners.inline_map(|corner| corner - point);
    let normal = (b - a).cross(c - a);
    let [x, y, z] = [b.cross(c), c.cross(a), a.cross(b)].inline_map(|arm| normal.dot(arm));
    let sum = x + y + z;
    let is_inside = x >= 0.0 && y >= 0.0 && z >= 0.0 && sum > 0.0 && sum < f64::INFINITY;
    let [a, b, c] = *corners;
    is_inside.then(|| (x / sum) * a + (y / sum) * b + (z / sum) * c)
}
