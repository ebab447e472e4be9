//! Ray against triangle: the certificate that every engine's answers rest on.

use super::grid::{GridProducts, order_on_grid};
use super::polynomial::{
    V3, exact, exact_cross, exact_dot, exact_minus, exact_triple, minus, triple, widen,
};
use super::products::Products;
use super::{Expansion, Ratio, quotient, round};
use crate::{Hit, PrimId, Ray, Side, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// A ray made ready for questions about triangles.
///
/// Engines find the triangles that a ray may hit; this type decides which of them it does
/// hit, in which order, and with which rounded numbers, all as exact arithmetic would.
#[derive(Clone, Copy, Debug)]
pub struct RayQuestion {
    origin: V3,
    dir: V3,
    t_min: f64,
    t_max: f64,
}

/// A triangle that a ray is known to hit.
///
/// Holds an interval around its exact parameter instead of a rounded one, so that most
/// comparisons need no more than two `f64`s. Only [`RayQuestion`] can make one, and a touch
/// means something only together with the ray that made it.
#[derive(Clone, Copy, Debug)]
pub struct Touch {
    prim: PrimId,
    triangle: Triangle,
    t_low: f64,
    t_high: f64,
    /// Of the second and the third corner, off by no more than `weight_error` and
    /// `relative_error` of themselves together.
    weights: [f64; 2],
    weight_error: f64,
    relative_error: f64,
    side: Side,
    /// Bit i is set when corner i has weight exactly zero: the ray passes through the edge
    /// opposite to it.
    on_edges: u8,
}

impl Touch {
    /// The triangle's name.
    pub fn prim(&self) -> PrimId {
        self.prim
    }

    /// The side that the ray comes from.
    pub fn side(&self) -> Side {
        self.side
    }

    /// A number not less than the exact parameter of this hit: what lies beyond it, comes
    /// after it.
    pub fn t_high(&self) -> f64 {
        self.t_high
    }

    /// A number not greater than the exact parameter of this hit.
    pub fn t_low(&self) -> f64 {
        self.t_low
    }
}

impl Touch {
    /// `t`, `u` and `v`, as far as what is known decides them.
    #[inline(always)]
    fn round(&self) -> [Option<f32>; 3] {
        let weight = |weight: f64| {
            let error = self.weight_error + weight.abs() * self.relative_error;
            round((weight - error, weight + error))
        };
        let [u, v] = self.weights;
        [round((self.t_low, self.t_high)), weight(u), weight(v)]
    }

    /// Whether both hits lie between the same corners: in the same triangle given twice, on
    /// the same edge, or in the same corner. The ray is not parallel to any of them, so it
    /// meets them in one point: the commonest ties take no arithmetic.
    fn is_in_same_place_as(&self, other: &Touch) -> bool {
        let supports = |touch: &Touch, point: Vec3| {
            let corners = touch.triangle.corners().into_iter().enumerate();
            corners
                .filter(|(corner, _)| touch.on_edges >> corner & 1 == 0)
                .any(|(_, corner)| corner == point)
        };
        // The corners of a triangle that is hit differ, so equally many make the same set.
        self.on_edges.count_ones() == other.on_edges.count_ones()
            && (0..3)
                .filter(|corner| self.on_edges >> corner & 1 == 0)
                .all(|corner| supports(other, self.triangle.corners()[corner]))
    }
}

const V: f64 = f64::EPSILON / 2.0;

/// By how much a `den` must exceed what it may be off by, for `touch` to divide by it.
///
/// With true values N, D and computed n, d, the quotient N/D is off from n/d by at most
/// `(En + |n/d| Ed) / (|d| - Ed)` (see [`quotient`]), and `1 / (|d| - Ed)` is then at most
/// 1024/1023 of `1/|d|`, which [`ROOM`] exceeds by more than the roundings of the bound. The
/// roundings of `1/d`, of its product with n, and of an end of the interval are v each, which
/// 4v cover.
const WELL_ABOVE: f64 = 1024.0;
const ROOM: f64 = 1.001;

/// `x`, or its opposite where `sign` is negative.
#[inline(always)]
fn turned(x: f64, sign: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ (sign.to_bits() & 1 << 63))
}

/// One instruction, other than [`f64::min`], which has to pass over a NaN.
#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// What `f64` makes of a triangle.
pub(crate) enum Verdict {
    /// It is not hit up to the limit.
    Missed,
    /// It is hit.
    Touched(Touch),
    /// It is too close a call.
    Open,
}

/// The three corners in `f64`.
struct Corners([V3; 3]);

impl Corners {
    #[inline(always)]
    fn of(triangle: &Triangle) -> Self {
        Corners([widen(triangle.p0), widen(triangle.p1), widen(triangle.p2)])
    }

    /// The corner opposite to the longest edge.
    fn opposite_to_longest(&self) -> usize {
        let length = |corner: usize| {
            let (start, end) = self.edge(corner);
            minus(end, start)
                .map(f64::abs)
                .into_iter()
                .fold(0.0, f64::max)
        };
        let [a, b, c] = [0, 1, 2].map(length);
        if a >= b && a >= c {
            0
        } else if b >= c {
            1
        } else {
            2
        }
    }

    /// Start and end of the edge opposite to a corner.
    fn edge(&self, corner: usize) -> (V3, V3) {
        (self.0[(corner + 1) % 3], self.0[(corner + 2) % 3])
    }
}

impl RayQuestion {
    /// `None` for an undefined ray, which hits nothing (see [`Ray::check`]).
    pub fn new(ray: &Ray) -> Option<Self> {
        ray.check().ok()?;
        Some(RayQuestion {
            origin: widen(ray.origin),
            dir: widen(ray.dir),
            t_min: ray.t_min.into(),
            t_max: ray.t_max.into(),
        })
    }

    /// The origin's coordinates.
    pub fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// The direction's coordinates, not all zero.
    pub fn dir(&self) -> [f64; 3] {
        self.dir
    }

    /// The least parameter that counts; may be infinite.
    pub fn t_min(&self) -> f64 {
        self.t_min
    }

    /// The greatest parameter that counts; may be infinite.
    pub fn t_max(&self) -> f64 {
        self.t_max
    }

    /// Whether the ray hits the closed triangle, decided exactly.
    ///
    /// `t_limit` is what the caller already knows to be enough: a triangle certainly hit
    /// beyond it may be answered `None` early. Pass `f64::INFINITY` to know for sure.
    ///
    /// A triangle with no area, one parallel to the ray, and one with a corner that is not
    /// finite are not hit.
    ///
    /// The order of work is not Badouel's (Graphics Gems I, p. 390), plane, closest hit,
    /// inside, division: nearly all triangles that an engine asks about are hit, so all is
    /// computed at once, and one division serves the parameter and both weights.
    #[inline]
    pub fn touch(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Option<Touch> {
        match self.touch_quickly(prim, triangle, t_limit) {
            Verdict::Missed => None,
            Verdict::Touched(touch) => Some(touch),
            Verdict::Open => self.touch_slowly(prim, triangle, t_limit),
        }
    }

    /// What `f64` makes of it.
    #[inline(always)]
    pub(crate) fn touch_quickly(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Verdict {
        self.touch_from(0, prim, triangle, t_limit)
    }

    /// As [`touch_quickly`](Self::touch_quickly), with a corner of choice in the place of the
    /// first: the quantities are the same, but not what rounding does to them.
    #[inline(always)]
    fn touch_from(&self, base: usize, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Verdict {
        let corners = Corners::of(triangle).0;
        let turned_to = |place: usize| corners[(base + place) % 3];
        let corners = [turned_to(0), turned_to(1), turned_to(2)];
        let found = Products::of(self.origin, self.dir, corners);
        // Written so that NaN is not decided here.
        let certain = found.den.abs() > found.den_error * WELL_ABOVE;
        if !certain {
            return Verdict::Open;
        }
        let [inside0, inside1, inside2] = found.edges.map(|edge| turned(edge, found.den));
        let least = smaller(smaller(inside0, inside1), inside2);
        if least < -found.edge_error {
            return Verdict::Missed;
        }
        let inverse = 1.0 / found.den;
        let size = inverse.abs() * ROOM;
        let relative_error = found.den_error * size + 4.0 * V;
        let t = found.num * inverse;
        let t_error = found.num_error * size + t.abs() * relative_error;
        let (t_low, t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min || t_low > self.t_max || t_low > t_limit {
            return Verdict::Missed;
        }
        if least <= found.edge_error || t_low < self.t_min || t_high > self.t_max {
            return Verdict::Open;
        }
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [
                found.edges[(4 - base) % 3] * inverse,
                found.edges[(5 - base) % 3] * inverse,
            ],
            weight_error: found.edge_error * size,
            relative_error,
            side: if found.den < 0.0 {
                Side::Front
            } else {
                Side::Back
            },
            on_edges: 0,
        })
    }

    /// As [`touch`](Self::touch), exactly.
    #[cold]
    pub(crate) fn touch_slowly(
        &self,
        prim: PrimId,
        triangle: &Triangle,
        t_limit: f64,
    ) -> Option<Touch> {
        match self.touch_on_grid(prim, triangle) {
            Verdict::Missed => None,
            Verdict::Touched(touch) => (touch.t_low <= t_limit).then_some(touch),
            Verdict::Open => self.touch_uneven(prim, triangle, t_limit),
        }
    }

    /// As [`touch`](Self::touch), exactly, for numbers of very different sizes.
    ///
    /// A corner far away from the two others must not be the one that their edges start from.
    fn touch_uneven(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Option<Touch> {
        let verdict = match Corners::of(triangle).opposite_to_longest() {
            0 => Verdict::Open, // has been tried
            base => self.touch_from(base, prim, triangle, t_limit),
        };
        match verdict {
            Verdict::Missed => None,
            Verdict::Touched(touch) => Some(touch),
            Verdict::Open => self.touch_anywhere(prim, triangle, t_limit),
        }
    }

    /// As [`touch`](Self::touch), exactly, for numbers of usual sizes.
    fn touch_on_grid(&self, prim: PrimId, triangle: &Triangle) -> Verdict {
        let found = match GridProducts::of(&self.ray(), triangle) {
            None => return Verdict::Open,
            Some(None) => return Verdict::Missed,
            Some(Some(found)) => found,
        };
        let way = found.den.sign();
        let mut on_edges = 0;
        for (corner, edge) in found.edges.iter().enumerate() {
            let sign = edge.sign();
            if sign == -way {
                return Verdict::Missed;
            }
            on_edges |= u8::from(sign == 0) << corner;
        }
        // Two numbers off by 2v each, and their quotient by v.
        const RELATIVE_ERROR: f64 = 6.0 * V;
        let den = found.den.to_f64();
        let t = found.num.to_f64() / den * found.t_unit;
        let t_error = t.abs() * (RELATIVE_ERROR + 2.0 * V);
        let (t_low, t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min || t_low > self.t_max {
            return Verdict::Missed;
        }
        if t_low < self.t_min || t_high > self.t_max {
            return Verdict::Open;
        }
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [1, 2].map(|corner| found.edges[corner].to_f64() / den),
            weight_error: 0.0,
            relative_error: RELATIVE_ERROR + 2.0 * V,
            side: if way < 0 { Side::Front } else { Side::Back },
            on_edges,
        })
    }

    fn ray(&self) -> Ray {
        let narrow = |v: V3| Vec3::from_array(v.map(|x| x as f32));
        Ray::new(narrow(self.origin), narrow(self.dir))
    }

    /// As [`touch`](Self::touch), exactly, for numbers of any size.
    fn touch_anywhere(&self, prim: PrimId, triangle: &Triangle, t_limit: f64) -> Option<Touch> {
        let corners = Corners::of(triangle);
        let [p0, p1, p2] = corners.0;
        let (e1, e2) = (minus(p1, p0), minus(p2, p0));
        let den = triple(self.dir, e1, e2);
        let way = match den.sign() {
            Some(sign) => sign,
            None if triangle.is_finite() => self.exact_den(&corners).sign(),
            None => 0,
        };
        if way == 0 {
            return None;
        }
        let num = triple(minus(p0, self.origin), e1, e2);
        let (t_low, t_high) = quotient(num, den);
        if t_high < self.t_min || t_low > self.t_max.min(t_limit) {
            return None;
        }

        let mut on_edges = 0;
        for corner in 0..3 {
            let (start, end) = corners.edge(corner);
            let weight = triple(self.dir, minus(start, self.origin), minus(end, start));
            let sign = weight
                .sign()
                .unwrap_or_else(|| self.exact_edge(start, end).sign());
            if sign == -way {
                return None;
            }
            on_edges |= u8::from(sign == 0) << corner;
        }

        let after_start = t_low >= self.t_min;
        let before_end = t_high <= self.t_max;
        if !(after_start && before_end) {
            let t = self.exact_t(&corners);
            if t.cmp_f64(self.t_min) == Ordering::Less || t.cmp_f64(self.t_max) == Ordering::Greater
            {
                return None;
            }
        }
        let side = if way < 0 { Side::Front } else { Side::Back };
        Some(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [0.0; 2],
            weight_error: f64::INFINITY,
            relative_error: 0.0,
            side,
            on_edges,
        })
    }

    /// Whether the ray crosses the surface in this touched triangle.
    ///
    /// Where a ray runs through an edge or a corner, exactly one way of counting is right for
    /// a closed surface: as if the ray's origin were moved by `(e, e^2, e^3)` for an `e > 0`
    /// smaller than any number that matters (simulation of simplicity, Edelsbrunner and
    /// Muecke 1990). The moved ray meets no edge, so the triangles around one agree on who
    /// owns it.
    pub fn crosses(&self, touch: &Touch) -> bool {
        let way = if touch.side == Side::Front { -1 } else { 1 };
        let corners = Corners::of(&touch.triangle);
        (0..3)
            .filter(|corner| touch.on_edges >> corner & 1 == 1)
            .all(|corner| {
                // edge(a, b) = d . ((a-o) x (b-a)) changes by d . (-move x (b-a)), which is
                // move . (d x (b-a)): its first component that is not zero decides. One is
                // not, since an edge along the ray would make the plane parallel to it.
                let (start, end) = corners.edge(corner);
                let change = exact_cross(&exact(self.dir), &exact_minus(end, start));
                let sign = change.iter().map(Expansion::sign).find(|sign| *sign != 0);
                sign == Some(way)
            })
    }

    /// The order of two hits of this ray: by exact parameter, then by primitive.
    #[inline]
    pub fn order(&self, a: &Touch, b: &Touch) -> Ordering {
        self.order_t(a, b).then(a.prim.cmp(&b.prim))
    }

    #[inline]
    fn order_t(&self, a: &Touch, b: &Touch) -> Ordering {
        if a.t_high < b.t_low {
            Ordering::Less
        } else if a.t_low > b.t_high {
            Ordering::Greater
        } else {
            self.order_slowly(a, b)
        }
    }

    #[cold]
    fn order_slowly(&self, a: &Touch, b: &Touch) -> Ordering {
        if a.is_in_same_place_as(b) {
            return Ordering::Equal;
        }
        if let Some(order) = order_on_grid(&self.ray(), &a.triangle, &b.triangle) {
            return order;
        }
        let [a, b] = [a, b].map(|touch| self.exact_t(&Corners::of(&touch.triangle)));
        a.cmp(&b)
    }

    /// The hit as the caller sees it: `t`, `u` and `v` rounded once from the exact values.
    #[inline]
    pub fn hit(&self, touch: &Touch) -> Hit {
        match touch.round() {
            [Some(t), Some(u), Some(v)] => Hit {
                t,
                u,
                v,
                prim: touch.prim,
            },
            _ => self.hit_slowly(touch),
        }
    }

    #[cold]
    fn hit_slowly(&self, touch: &Touch) -> Hit {
        let rounded = match self.touch_on_grid(touch.prim, &touch.triangle) {
            Verdict::Touched(touch) => touch.round(),
            _ => [None; 3],
        };
        let corners = Corners::of(&touch.triangle);
        let weight = |corner: usize| {
            rounded[corner].unwrap_or_else(|| self.weight_anywhere(touch, &corners, corner))
        };
        Hit {
            t: rounded[0].unwrap_or_else(|| {
                round((touch.t_low, touch.t_high))
                    .unwrap_or_else(|| self.exact_t(&corners).to_f32())
            }),
            u: weight(1),
            v: weight(2),
            prim: touch.prim,
        }
    }

    /// The weight of a corner, with a tighter bound, and then exactly.
    fn weight_anywhere(&self, touch: &Touch, corners: &Corners, corner: usize) -> f32 {
        if touch.on_edges >> corner & 1 == 1 {
            return 0.0;
        }
        let [p0, p1, p2] = corners.0;
        let den = triple(self.dir, minus(p1, p0), minus(p2, p0));
        let (start, end) = corners.edge(corner);
        let edge = triple(self.dir, minus(start, self.origin), minus(end, start));
        round(quotient(edge, den)).unwrap_or_else(|| {
            Ratio::new(self.exact_edge(start, end), self.exact_den(corners)).to_f32()
        })
    }

    fn exact_den(&self, corners: &Corners) -> Expansion {
        let [p0, p1, p2] = corners.0;
        exact_triple(&exact(self.dir), &exact_minus(p1, p0), &exact_minus(p2, p0))
    }

    fn exact_edge(&self, start: V3, end: V3) -> Expansion {
        exact_triple(
            &exact(self.dir),
            &exact_minus(start, self.origin),
            &exact_minus(end, start),
        )
    }

    fn exact_t(&self, corners: &Corners) -> Ratio {
        let [p0, p1, p2] = corners.0;
        let normal = exact_cross(&exact_minus(p1, p0), &exact_minus(p2, p0));
        let num = exact_dot(&exact_minus(p0, self.origin), &normal);
        Ratio::new(num, exact_dot(&exact(self.dir), &normal))
    }
}
