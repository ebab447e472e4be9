//! Which loops lie in which.

use super::loops::{ENOUGH, MORE, Outline, Seen, Site, Spot};
use crate::arithmetic::{ExactV3, V, exact_triple};
use crate::compact_sort::sort_compactly;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// The middle between two points, which may be one.
struct Middle<'a> {
    ends: [&'a Site; 2],
    spot: Spot,
}

impl Seen<'_> {
    /// Returns the loop that each one lies in, the innermost one.
    pub(super) fn parents(&self, outlines: &[Outline]) -> Vec<Option<usize>> {
        // A loop whose first point is outside of the box of another one does not lie in it.
        let first = |at: usize, side: f64| outlines[at].spots[0].end(side);
        let mut boxes: Vec<usize> = (0..outlines.len()).collect();
        let mut order = boxes.clone();
        let low = |at: usize| outlines[at].low[0];
        sort_compactly(&mut boxes, |a, b| {
            low(*a).total_cmp(&low(*b)).then(a.cmp(b))
        });
        let start = |at: usize| first(at, -1.0)[0];
        sort_compactly(&mut order, |a, b| {
            start(*a).total_cmp(&start(*b)).then(a.cmp(b))
        });
        let is_larger = |a: usize, b: usize| {
            let order = self.order(&outlines[a], &outlines[b]);
            order == Ordering::Greater || (order == Ordering::Equal && a < b)
        };
        // From left to right: the boxes that have begun, and do not end before the point.
        let mut boxes = boxes.into_iter().peekable();
        let mut active: Vec<usize> = Vec::new();
        let mut parents = vec![None; outlines.len()];
        for at in order {
            let (low, high) = (first(at, -1.0), first(at, 1.0));
            while let Some(next) = boxes.next_if(|&next| outlines[next].low[0] <= high[0]) {
                active.push(next);
            }
            active.retain(|&other| outlines[other].high[0] >= low[0]);
            // The innermost one began last, where they do not cross.
            for &other in active.iter().rev().filter(|&&other| other != at) {
                let of = &outlines[other];
                if of.twice_area != 0.0
                    && (of.low[1] <= high[1] && of.high[1] >= low[1])
                    && is_larger(other, at)
                    && parents[at].is_none_or(|parent| is_larger(parent, other))
                    && self.lies_in(&outlines[at], of)
                {
                    parents[at] = Some(other);
                }
            }
        }
        parents
    }

    /// Compares the sizes of two areas.
    fn order(&self, a: &Outline, b: &Outline) -> Ordering {
        let (size, other) = (a.twice_area.abs(), b.twice_area.abs());
        if (size - other).abs() > 4.0 * ENOUGH * size.max(other) {
            return size.total_cmp(&other);
        }
        let [own, others] = [a, b].map(|outline| outline.sites.iter().map(Site::key));
        // Many equal loops would take long.
        if own.eq(others) {
            return Ordering::Equal;
        }
        let difference = self.exact_area(&[(a, a.sign()), (b, -b.sign())]);
        difference.total_cmp(&0.0)
    }

    /// Returns whether a loop lies in another one.
    fn lies_in(&self, inner: &Outline, outer: &Outline) -> bool {
        let count = inner.sites.len();
        // On equal outlines, the next point is close to the last one.
        let mut start = 0;
        for step in 0..2 * count {
            let at = step % count;
            let other = if step < count { at } else { (at + 1) % count };
            match self.contains(outer, &inner.middle(at, other), start) {
                Ok(is_inside) => return is_inside,
                Err(place) => start = place + 2 * outer.sites.len() - 2,
            }
        }
        true
    }

    /// Returns whether an outline runs around a point by the even-odd rule: whether it crosses the ray from
    /// there in the direction +x an odd number of times; or the index of a point of the outline near
    /// one on it. Looks at the outline from a point on.
    fn contains(&self, outline: &Outline, point: &Middle<'_>, start: usize) -> Result<bool, usize> {
        let count = outline.sites.len();
        let side = |at: usize, axis: usize| self.side(outline, at, point, axis);
        let mut before = start % count;
        let mut height_before = side(before, 1);
        let mut is_inside = false;
        for step in 1..=count {
            let at = (start + step) % count;
            let height = side(at, 1);
            if height == 0 && side(at, 0) == 0 {
                return Err(at);
            }
            if (height_before > 0) != (height > 0) {
                match self.turn(outline, [before, at], height > 0, point) {
                    0 => return Err(at),
                    turn => is_inside ^= (turn > 0) == (height > 0),
                }
            } else if height == 0 && height_before == 0 && side(before, 0) * side(at, 0) < 0 {
                return Err(at);
            }
            (before, height_before) = (at, height);
        }
        Ok(is_inside)
    }

    /// Returns the sign of a point's x or y less that of another point.
    fn side(&self, outline: &Outline, at: usize, point: &Middle<'_>, axis: usize) -> i32 {
        let (spot, other) = (&outline.spots[at], &point.spot);
        let difference = spot.at[axis] - other.at[axis];
        let error = spot.error[axis] + other.error[axis];
        if difference.abs() > error * MORE || error == 0.0 {
            return difference.partial_cmp(&0.0).map_or(0, |order| order as i32);
        }
        let (p, q) = (
            self.exact_point(&outline.sites[at]),
            self.exact_middle(point),
        );
        p[axis].mul(&q[2]).sub(&q[axis].mul(&p[2])).sign()
    }

    /// Returns the sign of the turn from one point of an outline to another and to a point: 1 where it is
    /// counterclockwise. The ends are on different sides of the point in y.
    fn turn(
        &self,
        outline: &Outline,
        ends: [usize; 2],
        is_upward: bool,
        point: &Middle<'_>,
    ) -> i32 {
        let sides = ends.map(|at| self.side(outline, at, point, 0));
        if sides[0] == sides[1] && sides[0] != 0 {
            return if is_upward { sides[0] } else { -sides[0] };
        }
        let [a, b] = ends.map(|at| self.exact_point(&outline.sites[at]));
        exact_triple(&a, &b, &self.exact_middle(point)).sign()
    }

    fn exact_middle(&self, point: &Middle<'_>) -> ExactV3 {
        let [a, b] = point.ends.map(|site| self.exact_point(site));
        let sum = |i: usize| a[i].mul(&b[2]).add(&b[i].mul(&a[2]));
        [sum(0), sum(1), sum(2)]
    }
}

impl Outline {
    fn middle(&self, at: usize, other: usize) -> Middle<'_> {
        let [a, b] = [&self.spots[at], &self.spots[other]];
        let spot = match at == other {
            true => *a,
            false => Spot {
                at: [0, 1].map(|i| 0.5 * a.at[i] + 0.5 * b.at[i]),
                error: [0, 1].map(|i| {
                    let size = a.at[i].abs() + b.at[i].abs();
                    a.error[i] + b.error[i] + V * size
                }),
            },
        };
        Middle {
            ends: [&self.sites[at], &self.sites[other]],
            spot,
        }
    }
}
