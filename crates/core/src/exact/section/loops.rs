//! The areas of closed polylines, and which lie in which.
//!
//! The points that count are the exact ones, in which the plane meets the edges. They are seen along the
//! axis that the plane's normal is closest to, with two coordinates x and y: this keeps orientations, and
//! divides areas by the length of the normal over the size of its component along that axis.
//!
//! # Bounds
//! With v = 2^-53, a point `a + s (b - a)` whose share s of the edge is off by at most S is off by
//! `S |b - a|` and less than `4v (|a| + |b - a|)` in each coordinate. Points that are off by D_k change
//! twice the area, the sum of `x_k (y_(k+1) - y_(k-1))`, by at most the sum of
//! `D_k (|x_(k+1) - x_(k-1)| + |y_(k+1) - y_(k-1)| + 2 D_(k+1) + 2 D_(k-1))`. The terms have three roundings
//! each, and their sum keeps its roundings. Where the bound of an area is more than 2^-38 of it, terms
//! are exact quotients, as sums of two `f64`s or of eight; where these leave its sign open, as where it is
//! 0, all are brought to one denominator.

use super::polyline::{Polyline, Section, SectionLoop, SectionPoint};
use crate::arithmetic::{
    Bounded, Dyadic, ExactV3, InlineMap, Ratio, V, V3, exact_triple, quotient, sqrt, sum, two_sum,
    widen,
};
use crate::shapes::{
    Plane, PlaneSide,
    surface::{EdgeKey, position, undirected},
};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// What is granted to the roundings of a bound.
const MORE: f64 = 1.0 + 1e-6;
/// 2^-38.
const ENOUGH: f64 = 32768.0 * V;
/// More than a term of an area loses by underflow.
const TINY: f64 = f64::MIN_POSITIVE;

/// Returns the loops of a section.
pub(super) fn of_section(section: &Section) -> Vec<SectionLoop> {
    let seen = Seen::new(&section.plane);
    let polylines = section.polylines.iter().enumerate();
    let outlines: Vec<Outline> = polylines
        .filter_map(|(number, polyline)| seen.outline(number, polyline))
        .collect();
    let parents = seen.parents(&outlines);
    let mut depths: Vec<Option<usize>> = vec![None; parents.len()];
    for at in 0..parents.len() {
        let (mut chain, mut next) = (Vec::new(), Some(at));
        while let Some(at) = next.filter(|&at| depths[at].is_none()) {
            chain.push(at);
            next = parents[at];
        }
        let above = next.and_then(|at| depths[at]).map_or(0, |depth| depth + 1);
        for (depth, at) in (above..).zip(chain.into_iter().rev()) {
            depths[at] = Some(depth);
        }
    }
    let found = outlines
        .iter()
        .enumerate()
        .map(|(at, outline)| SectionLoop {
            polyline: outline.polyline,
            area: with_sign(0.5 * outline.twice_area * seen.stretch, outline.sign()),
            parent: parents[at].map(|at| outlines[at].polyline),
            depth: depths[at].unwrap_or(0),
        });
    found.collect()
}

/// Returns a number, or the least one of a sign where it is 0 by underflow.
fn with_sign(x: f64, sign: i32) -> f64 {
    if x == 0.0 {
        f64::from_bits(1) * f64::from(sign)
    } else {
        x
    }
}

/// A plane, seen along the axis that its normal is closest to.
struct Seen<'a> {
    plane: &'a Plane,
    /// The axes of x and y, which turn counterclockwise as seen from in front.
    axes: [usize; 2],
    /// What areas are larger in the plane than as seen.
    stretch: f64,
}

/// A point of the cut: where the plane meets an edge, or a corner on the plane.
#[derive(Clone, Copy)]
struct Site {
    front: V3,
    behind: Option<V3>,
}

/// A point in `f64`, with bounds of the errors of x and y.
#[derive(Clone, Copy)]
struct Spot {
    at: [f64; 2],
    error: [f64; 2],
}

/// A closed polyline.
struct Outline {
    polyline: usize,
    sites: Vec<Site>,
    spots: Vec<Spot>,
    /// A box around the exact points.
    low: [f64; 2],
    high: [f64; 2],
    twice_area: f64,
}

/// The middle between two points, which may be one.
struct Middle<'a> {
    ends: [&'a Site; 2],
    spot: Spot,
}

impl Site {
    /// Returns `None` for a point that is not finite. One whose edge the plane does not cross is where its
    /// rounded coordinates are.
    fn new(plane: &Plane, point: &SectionPoint) -> Option<Self> {
        let [start, end] = point.edge_ends;
        let sides = [start, end].inline_map(|corner| plane.side_of(corner));
        let (front, behind) = match sides {
            [Some(PlaneSide::On), Some(PlaneSide::Back)] => (start, None),
            [Some(PlaneSide::Back), Some(PlaneSide::On)] => (end, None),
            [Some(PlaneSide::Front), Some(PlaneSide::Back)] => (start, Some(end)),
            [Some(PlaneSide::Back), Some(PlaneSide::Front)] => (end, Some(start)),
            _ => (point.point, None),
        };
        front.is_finite().then(|| Site {
            front: widen(front),
            behind: behind.map(widen),
        })
    }

    /// Returns what is equal for the same edge, and for the same corner on the plane.
    fn key(&self) -> EdgeKey {
        let corner = |at: V3| position(glam::DVec3::from(at).as_vec3());
        let front = corner(self.front);
        undirected([front, self.behind.map_or(front, corner)])
    }
}

impl Spot {
    /// Returns the greatest corner of a box around the exact point, or with -1 the least.
    fn end(&self, side: f64) -> [f64; 2] {
        [0, 1].map(|axis| self.at[axis] + side * self.error[axis] * MORE)
    }
}

impl<'a> Seen<'a> {
    fn new(plane: &'a Plane) -> Self {
        let normal = widen(plane.normal());
        let larger = |a: usize, b: usize| match normal[b].abs() > normal[a].abs() {
            true => b,
            false => a,
        };
        let axis = larger(larger(0, 1), 2);
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let axes = if normal[axis] > 0.0 { [x, y] } else { [y, x] };
        // Squares are exact; three roundings follow.
        let length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        Seen {
            plane,
            axes,
            stretch: length / normal[axis].abs(),
        }
    }

    fn outline(&self, polyline: usize, of: &Polyline) -> Option<Outline> {
        if !of.is_closed || of.points.is_empty() {
            return None;
        }
        let sites = of.points.iter().map(|point| Site::new(self.plane, point));
        let sites: Vec<Site> = sites.collect::<Option<_>>()?;
        let spots: Vec<Spot> = sites.iter().map(|site| self.spot(site)).collect();
        let end = |side: f64| {
            let ends = spots
                .iter()
                .map(|spot| spot.end(side).map(|end| side * end));
            ends.fold([f64::NEG_INFINITY; 2], |[x, y], [u, v]| {
                [x.max(u), y.max(v)]
            })
        };
        let mut outline = Outline {
            polyline,
            low: end(-1.0).map(|end| -end),
            high: end(1.0),
            sites,
            spots,
            twice_area: 0.0,
        };
        let rough = outline.rough_area();
        outline.twice_area = match rough.error <= ENOUGH * rough.value.abs() {
            true => rough.value,
            false => self.exact_area(&[(&outline, 1)]),
        };
        Some(outline)
    }

    fn spot(&self, site: &Site) -> Spot {
        let Site { front, behind } = site;
        let at = self.axes.map(|axis| front[axis]);
        let Some(behind) = behind else {
            return Spot {
                at,
                error: [0.0; 2],
            };
        };
        let f = self.plane.height(*front);
        let g = self.plane.height(*behind).negated();
        let (low, high) = quotient(f, sum(f, g));
        let (low, high) = (low.max(0.0), high.min(1.0));
        let share = 0.5 * (low + high);
        let off = 0.5 * (high - low) + 2.0 * V;
        let way = [0, 1].map(|i| behind[self.axes[i]] - at[i]);
        Spot {
            at: [0, 1].map(|i| at[i] + share * way[i]),
            error: [0, 1].map(|i| match way[i] == 0.0 {
                true => 0.0,
                false => (off + 4.0 * V) * way[i].abs() + 4.0 * V * at[i].abs(),
            }),
        }
    }

    /// Returns the point as X, Y and a positive W, with x = X / W and y = Y / W.
    fn exact_point(&self, site: &Site) -> ExactV3 {
        let front = self.axes.map(|axis| Dyadic::from_f64(site.front[axis]));
        let Some(behind) = site.behind else {
            let [x, y] = front;
            return [x, y, Dyadic::from_f64(1.0)];
        };
        let f = self.plane.exact_height(site.front);
        let g = self.plane.exact_height(behind).neg();
        let along = |i: usize| {
            let behind = Dyadic::from_f64(behind[self.axes[i]]);
            g.mul(&front[i]).add(&f.mul(&behind))
        };
        [along(0), along(1), g.add(&f)]
    }

    /// Returns twice the area of outlines, each times a number, within 2^-50 of itself and with its sign.
    fn exact_area(&self, outlines: &[(&Outline, i32)]) -> f64 {
        // Segments that are used in both directions cancel.
        let mut segments = Vec::new();
        for (outline, factor) in outlines {
            let sites = &outline.sites;
            for (site, next) in sites.iter().zip(sites.iter().cycle().skip(1)) {
                let (one, other) = (site.key(), next.key());
                segments.push(match one.cmp(&other) {
                    Ordering::Less => ((one, other), [site, next], *factor),
                    Ordering::Equal => continue,
                    Ordering::Greater => ((other, one), [next, site], -factor),
                });
            }
        }
        segments.sort_unstable_by_key(|segment| segment.0);
        let uses = segments.chunk_by(|a, b| a.0 == b.0);
        let uses: Vec<([&Site; 2], i32)> = uses
            .map(|uses| (uses[0].1, uses.iter().map(|segment| segment.2).sum()))
            .filter(|&(_, times)| times != 0)
            .collect();
        let term = |&([a, b], times): &([&Site; 2], i32)| {
            let ([x, y, w], [u, v, t]) = (self.exact_point(a), self.exact_point(b));
            let cross = x.mul(&v).sub(&u.mul(&y));
            (cross.mul(&Dyadic::from_f64(times.into())), w.mul(&t))
        };
        for pieces in [2, 8] {
            let mut total = Dyadic::from_f64(0.0);
            let mut error = 0.0;
            for (mut rest, den) in uses.iter().map(term) {
                for piece in 0..pieces {
                    if rest.sign() == 0 {
                        break;
                    }
                    let part = Ratio::new(rest.clone(), den.clone()).to_f64();
                    total = total.add(&Dyadic::from_f64(part));
                    rest = rest.sub(&den.mul(&Dyadic::from_f64(part)));
                    if piece + 1 == pieces && rest.sign() != 0 {
                        error += part.abs() * V + TINY;
                    }
                }
            }
            let value = total.to_f64();
            if error * MORE <= value.abs() * (4.0 * V) {
                return with_sign(value, total.sign());
            }
        }
        let (num, den) = added(&uses, &term);
        let sign = num.sign();
        with_sign(Ratio::new(num, den).to_f64(), sign)
    }

    /// Returns the loop that each one lies in, the innermost one.
    fn parents(&self, outlines: &[Outline]) -> Vec<Option<usize>> {
        // A loop whose first point is outside of the box of another one does not lie in it.
        let first = |at: usize, side: f64| outlines[at].spots[0].end(side);
        let mut boxes: Vec<usize> = (0..outlines.len()).collect();
        let mut order = boxes.clone();
        boxes.sort_by(|&a, &b| outlines[a].low[0].total_cmp(&outlines[b].low[0]));
        order.sort_by(|&a, &b| first(a, -1.0)[0].total_cmp(&first(b, -1.0)[0]));
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
        fn keys(outline: &Outline) -> impl Iterator<Item = EdgeKey> {
            outline.sites.iter().map(Site::key)
        }
        if keys(a).eq(keys(b)) {
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

/// Returns the sum of quotients as one.
fn added<T>(of: &[T], term: &impl Fn(&T) -> (Dyadic, Dyadic)) -> (Dyadic, Dyadic) {
    match of {
        [] => (Dyadic::from_f64(0.0), Dyadic::from_f64(1.0)),
        [one] => term(one),
        _ => {
            let (left, right) = of.split_at(of.len() / 2);
            let ((a, b), (c, d)) = (added(left, term), added(right, term));
            (a.mul(&d).add(&c.mul(&b)), b.mul(&d))
        }
    }
}

impl Outline {
    fn sign(&self) -> i32 {
        i32::from(self.twice_area > 0.0) - i32::from(self.twice_area < 0.0)
    }

    /// Returns twice the area, in `f64`.
    fn rough_area(&self) -> Bounded {
        let (spots, count) = (&self.spots, self.spots.len());
        let first = spots[0].at[0];
        let (mut value, mut rest, mut error) = (0.0, 0.0, 0.0);
        for (at, spot) in spots.iter().enumerate() {
            let before = &spots[(at + count - 1) % count];
            let after = &spots[(at + 1) % count];
            let step = [0, 1].map(|axis| after.at[axis] - before.at[axis]);
            let term = (spot.at[0] - first) * step[1];
            let (sum, lost) = two_sum(value, term);
            value = sum;
            rest += lost;
            let largest = |spot: &Spot| spot.error[0].max(spot.error[1]);
            let around = 2.0 * (largest(before) + largest(after));
            error += largest(spot) * (step[0].abs() + step[1].abs() + around)
                + 4.0 * V * term.abs()
                + TINY;
        }
        let value = value + rest;
        Bounded {
            value,
            // What is lost is less than 2^-53 of partial sums, and is added with another such error.
            error: (error + 2.0 * V * value.abs()) * MORE,
        }
    }

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
