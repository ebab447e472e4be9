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
use crate::arithmetic::{Bounded, Dyadic, ExactV3, Ratio, V, V3, quotient, sqrt, sum, two_sum};
use crate::shapes::{
    Coordinate, Plane,
    surface::{EdgeKey, undirected},
};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::iter;
use glam::DVec3;

/// What is granted to the roundings of a bound.
pub(super) const MORE: f64 = 1.0 + 1e-6;
/// 2^-38.
pub(super) const ENOUGH: f64 = 32768.0 * V;
/// More than a term of an area loses by underflow.
const TINY: f64 = f64::MIN_POSITIVE;

/// Returns the loops of a section.
pub(super) fn of_section<C: Coordinate>(section: &Section<C>) -> Vec<SectionLoop> {
    let plane = section.plane.wide();
    let seen = Seen::new(&plane);
    let polylines = section.polylines.iter().enumerate();
    let outlines: Vec<Outline> = polylines
        .filter_map(|(number, polyline)| seen.outline(number, polyline))
        .collect();
    let parents = seen.parents(&outlines);
    let found = { outlines.iter().zip(&parents) }.map(|(outline, &parent)| SectionLoop {
        polyline: outline.polyline,
        area: with_sign(0.5 * outline.twice_area * seen.stretch, outline.sign()),
        parent: parent.map(|at| outlines[at].polyline),
        depth: iter::successors(parent, |&at| parents[at]).count(),
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
pub(super) struct Seen<'a> {
    plane: &'a Plane<f64>,
    /// The axes of x and y, which turn counterclockwise as seen from in front.
    axes: [usize; 2],
    /// What areas are larger in the plane than as seen.
    stretch: f64,
}

/// A point of the cut: where the plane meets an edge, or a corner on the plane.
#[derive(Clone, Copy)]
pub(super) struct Site {
    front: V3,
    behind: Option<V3>,
}

/// A point in `f64`, with bounds of the errors of x and y.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) at: [f64; 2],
    pub(super) error: [f64; 2],
}

/// A closed polyline.
pub(super) struct Outline {
    polyline: usize,
    pub(super) sites: Vec<Site>,
    pub(super) spots: Vec<Spot>,
    /// A box around the exact points.
    pub(super) low: [f64; 2],
    pub(super) high: [f64; 2],
    pub(super) twice_area: f64,
}

impl Site {
    /// Returns `None` for a point that is not finite. One whose edge the plane does not cross is where its
    /// rounded coordinates are.
    fn new<C: Coordinate>(plane: &Plane<f64>, point: &SectionPoint<C>) -> Option<Self> {
        let [start, end] = point.edge_ends.map(C::wide);
        let is_finite = start.is_finite() && end.is_finite();
        let [start, end] = [start, end].map(|corner| corner.to_array());
        let sides = is_finite.then(|| [start, end].map(|corner| plane.sign_at(corner)));
        let (front, behind) = match sides {
            Some([0, -1]) => (start, None),
            Some([-1, 0]) => (end, None),
            Some([1, -1]) => (start, Some(end)),
            Some([-1, 1]) => (end, Some(start)),
            _ => (C::wide(point.point).to_array(), None),
        };
        let site = Site { front, behind };
        DVec3::from(front).is_finite().then_some(site)
    }

    /// Returns what is equal for the same edge, and for the same corner on the plane.
    pub(super) fn key(&self) -> EdgeKey<[u64; 3]> {
        let corner = |at: V3| f64::position(at.into());
        let front = corner(self.front);
        undirected([front, self.behind.map_or(front, corner)])
    }
}

impl Spot {
    /// Returns the greatest corner of a box around the exact point, or with -1 the least.
    pub(super) fn end(&self, side: f64) -> [f64; 2] {
        [0, 1].map(
            |axis| match self.at[axis] + side * self.error[axis] * MORE {
                // Where an edge is too long for `f64`.
                end if end.is_nan() => side * f64::INFINITY,
                end => end,
            },
        )
    }
}

impl<'a> Seen<'a> {
    fn new(plane: &'a Plane<f64>) -> Self {
        let normal = plane.near_one().0.to_array();
        let larger = |a: usize, b: usize| match normal[b].abs() > normal[a].abs() {
            true => b,
            false => a,
        };
        let axis = larger(larger(0, 1), 2);
        let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
        let axes = if normal[axis] > 0.0 { [x, y] } else { [y, x] };
        // The squares and what follows have six roundings.
        let length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        Seen {
            plane,
            axes,
            stretch: length / normal[axis].abs(),
        }
    }

    fn outline<C: Coordinate>(&self, polyline: usize, of: &Polyline<C>) -> Option<Outline> {
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
        let (f, g) = self.plane.heights(*front, *behind);
        let (low, high) = quotient(f, sum(f, g));
        let (low, high) = (low.max(0.0), high.min(1.0));
        let share = 0.5 * (low + high);
        let off = 0.5 * (high - low) + 2.0 * V;
        let way = [0, 1].map(|i| behind[self.axes[i]] - at[i]);
        Spot {
            at: [0, 1].map(|i| at[i] + share * way[i]),
            error: [0, 1].map(|i| match way[i] == 0.0 {
                true => 0.0,
                false => (off + 4.0 * V) * way[i].abs() + 4.0 * V * at[i].abs() + TINY,
            }),
        }
    }

    /// Returns the point as X, Y and a positive W, with x = X / W and y = Y / W.
    pub(super) fn exact_point(&self, site: &Site) -> ExactV3 {
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
    pub(super) fn exact_area(&self, outlines: &[(&Outline, i32)]) -> f64 {
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
                    if part.is_infinite() {
                        error = f64::INFINITY;
                        break;
                    }
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
    pub(super) fn sign(&self) -> i32 {
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
}
