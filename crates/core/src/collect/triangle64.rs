//! Exact decisions about rays and triangles in `f64`.
//!
//! The polynomials are those of `exact/ray/products.rs`, whose bounds hold for any `f64`s of which no product
//! underflows or overflows: each component of `a`, `e1` and `e2` is rounded once. With edges and directions
//! within [`RANGE`] and origins at most 2^250 from the first corner, no product of three and no bound
//! overflows. An underflow is at most 2^-1075. In `n` it is multiplied by A, and in `q` by E1 or E2, which are at
//! most 2^250; so all that underflows is below 2^-820. The bounds have 2v of the products of sizes to spare,
//! which for `den` and for edges is at least 2^-52 2^-150 2^-500; `num`, of which A may be as small as it
//! likes, is granted [`LEAST`] besides.
//!
//! What that leaves open, dyadic numbers decide. A hit's numbers are quotients of the same polynomials in pairs
//! of `f64`s (`arithmetic/pair.rs`), and where their bounds leave a rounding open, of dyadic numbers.

use super::{Primitive, RayTest};
use crate::arithmetic::{
    InlineMap, Number, Pair, Range, compare, cross_product, dot, largest, minus, power_of_two,
};
use crate::exact::{
    ExactCorners, ExactLine, PreparedRay, Products, Touch, Verdict, are_in_same_place,
};
use crate::shapes::{Hit64, PrimId, RayKind, Side, Triangle64};
use core::cmp::Ordering;

/// 2^-250 to 2^250.
const RANGE: Range = Range::of_powers(-250, 250);
/// 2^-150 to 2^128.
const RANGE_OF_DIRS: Range = Range::of_powers(-150, 128);
/// 2^250.
const FARTHEST: f64 = power_of_two(250);
/// 2^-800.
const LEAST: f64 = power_of_two(-800);

type Touch64 = Touch<PrimId, Triangle64>;

impl Primitive for Triangle64 {
    type Id = PrimId;
    type Hit = Hit64;
    type Touch = Touch64;

    fn id(touch: &Touch64) -> PrimId {
        touch.prim
    }

    fn side(touch: &Touch64) -> Side {
        touch.side()
    }

    fn t_high(touch: &Touch64) -> f64 {
        touch.t_high()
    }

    fn prim(id: PrimId) -> PrimId {
        id
    }
}

impl<R: RayKind> RayTest<R> for Triangle64 {
    type Certifier = ();

    #[inline(always)]
    fn touch_quickly(
        &self,
        ray: &PreparedRay<'_, R>,
        id: PrimId,
        t_limit: f64,
    ) -> Verdict<Touch64> {
        match products(ray, self) {
            None => Verdict::Open,
            Some(found) => ray.decide(&found, 0, id, self, t_limit),
        }
    }

    #[cold]
    #[inline(never)]
    fn touch_slowly(self, ray: &PreparedRay<'_, R>, id: PrimId, t_limit: f64) -> Option<Touch64> {
        if !self.is_finite() {
            return None;
        }
        let bounds = [ray.t_min(), ray.t_max(), t_limit];
        line(ray).touch(&ExactCorners::of_64(&self), bounds, id, self)
    }

    fn order_t(ray: &PreparedRay<'_, R>, a: &Touch64, b: &Touch64) -> Ordering {
        compare((a.t_low, a.t_high), (b.t_low, b.t_high), || {
            let place = |touch: &Touch64| (touch.triangle.coordinates(), touch.on_edges);
            if are_in_same_place(place(a), place(b)) {
                return Ordering::Equal;
            }
            let line = line(ray);
            let t = |touch: &Touch64| line.t(&ExactCorners::of_64(&touch.triangle));
            t(a).cmp(&t(b))
        })
    }

    fn crosses(ray: &PreparedRay<'_, R>, touch: &Touch64) -> bool {
        touch.on_edges == 0 || {
            let corners = ExactCorners::of_64(&touch.triangle);
            line(ray).crosses(&corners, touch.on_edges, touch.side)
        }
    }

    fn hit(ray: &PreparedRay<'_, R>, touch: &Touch64) -> Hit64 {
        let [t, u, v] = match rounded_by_pairs(ray, touch) {
            [Some(t), Some(u), Some(v)] => [t, u, v],
            rounded => rounded_exactly(&line(ray), touch, rounded),
        };
        let prim = touch.prim;
        Hit64 { t, u, v, prim }
    }
}

/// Returns the polynomials, or `None` if a number is beyond the range of their bounds.
#[inline(always)]
fn products<R: RayKind>(ray: &PreparedRay<'_, R>, triangle: &Triangle64) -> Option<Products> {
    let [p0, p1, p2] = triangle.coordinates();
    let (a, e1, e2) = (minus(p0, ray.origin()), minus(p1, p0), minus(p2, p0));
    let is_usual = RANGE_OF_DIRS.contains(largest(ray.dir()))
        && RANGE.contains(largest(e1))
        && RANGE.contains(largest(e2))
        && largest(a) <= FARTHEST;
    if !is_usual {
        return None;
    }
    let mut found = Products::of_vectors(ray.dir(), a, e1, e2);
    found.num_error += LEAST;
    Some(found)
}

/// Returns `t`, `u` and `v`, each if pairs decide its rounding.
fn rounded_by_pairs<R: RayKind>(ray: &PreparedRay<'_, R>, touch: &Touch64) -> [Option<f64>; 3] {
    let [p0, p1, p2] = touch.triangle.coordinates();
    let minus =
        |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i: usize| Pair::of_difference(a[i], b[i]));
    let (a, e1, e2) = (minus(p0, ray.origin()), minus(p1, p0), minus(p2, p0));
    let dir = ray.dir().inline_map(Pair::exactly);
    let n = cross_product(&e1, &e2);
    let den = dot(&dir, &n);
    let q = cross_product(&a, &dir);
    let weight = |corner: usize, dividend: Pair| match touch.on_edges >> corner & 1 {
        1 => Some(0.0),
        _ => dividend.over(&den, 0.0),
    };
    [
        dot(&a, &n).over(&den, 0.0),
        weight(1, dot(&e2, &q)),
        weight(2, dot(&e1, &q).negative()),
    ]
}

/// Rounds the numbers that pairs left open.
#[cold]
#[inline(never)]
fn rounded_exactly(line: &ExactLine, touch: &Touch64, [t, u, v]: [Option<f64>; 3]) -> [f64; 3] {
    let corners = ExactCorners::of_64(&touch.triangle);
    let weight = |corner| line.weight(&corners, corner).to_f64();
    [
        t.unwrap_or_else(|| line.t(&corners).to_f64()),
        u.unwrap_or_else(|| weight(1)),
        v.unwrap_or_else(|| weight(2)),
    ]
}

fn line<R: RayKind>(ray: &PreparedRay<'_, R>) -> ExactLine {
    ExactLine::of(ray.origin(), ray.dir())
}
