//! Exact decisions about rays and triangles in `f64`.
//!
//! The polynomials are those of `exact/ray/products.rs`, whose bounds hold for any `f64`s of which no product
//! underflows or overflows: each component of `a`, `e1` and `e2` is rounded once. With sizes in the ranges of
//! [`is_usual`], nothing overflows, and no bound loses bits. A product that underflows loses at most 2^-1075; in `n` that is multiplied by A or D, and in `q` by E1 or
//! E2. The bounds have 2v of the products of sizes to spare, at least 2^-52 2^-300 2^-500 in all, which is more.
//! Where `a` is 0, `num` and `q` are exactly 0.
//!
//! What that leaves open, dyadic numbers decide. A hit's numbers are quotients of the same polynomials in sums
//! of two `f64`s (`exact/ray/round_wide.rs`); where their bounds leave a rounding open, with bounds of every step
//! (`arithmetic/pair.rs`); and then of dyadic numbers.

use super::{Primitive, RayTest};
use crate::arithmetic::{InlineMap, Number, Pair, V3, compare, cross_product, dot, largest, minus};
use crate::exact::{
    ExactCorners, ExactLine, PreparedRay, Products, Touch, Verdict, are_in_same_place, is_usual,
    level, round_wide,
};
use crate::shapes::{Hit, PrimId, RayKind, Side, Triangle64};
use core::cmp::Ordering;

type Touch64 = Touch<PrimId, Triangle64>;

impl Primitive for Triangle64 {
    type Id = PrimId;
    type Hit = Hit<f64>;
    type Touch = Touch64;
    type Near = Triangle64;

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
        ray.exact_line()
            .touch(&ExactCorners::of_64(&self), bounds, id, self)
    }

    fn order_t(ray: &PreparedRay<'_, R>, a: &Touch64, b: &Touch64) -> Ordering {
        compare((a.t_low, a.t_high), (b.t_low, b.t_high), || {
            let place = |touch: &Touch64| (touch.triangle.coordinates(), touch.on_edges);
            if are_in_same_place(place(a), place(b)) {
                return Ordering::Equal;
            }
            let line = ray.exact_line();
            let t = |touch: &Touch64| line.t(&ExactCorners::of_64(&touch.triangle));
            t(a).cmp(&t(b))
        })
    }

    fn crosses(ray: &PreparedRay<'_, R>, touch: &Touch64) -> bool {
        touch.on_edges == 0 || {
            let corners = ExactCorners::of_64(&touch.triangle);
            ray.exact_line()
                .crosses(&corners, touch.on_edges, touch.side)
        }
    }

    fn hit(ray: &PreparedRay<'_, R>, touch: &Touch64) -> Hit<f64> {
        let prim = touch.prim;
        if touch.on_edges == 0 {
            let line = (ray.origin(), ray.dir());
            if let Some(hit) = rounded_in_lanes(line, prim, &touch.triangle) {
                return hit;
            }
        }
        let [t, u, v] = match rounded_by_pairs(ray, touch) {
            [Some(t), Some(u), Some(v)] => [t, u, v],
            rounded => rounded_exactly(&ray.exact_line(), touch, rounded),
        };
        Hit { t, u, v, prim }
    }
}

/// Returns the polynomials, or `None` if a number is beyond the range of their bounds.
#[inline(always)]
fn products<R: RayKind>(ray: &PreparedRay<'_, R>, triangle: &Triangle64) -> Option<Products> {
    let [p0, p1, p2] = triangle.coordinates();
    let (a, e1, e2) = (minus(p0, ray.origin()), minus(p1, p0), minus(p2, p0));
    let sizes = [ray.dir(), a, e1, e2].inline_map(largest);
    is_usual(sizes).then(|| Products::of_vectors(ray.dir(), a, e1, e2))
}

/// Returns the hit if lanes decide its rounding. Compiled once: it is not generic.
fn rounded_in_lanes(line: (V3, V3), prim: PrimId, triangle: &Triangle64) -> Option<Hit<f64>> {
    fearless_simd::dispatch!(level(), simd => round_wide(simd, line, prim, triangle))
}

/// Returns `t`, `u` and `v`, each if pairs decide its rounding.
fn rounded_by_pairs<R: RayKind>(ray: &PreparedRay<'_, R>, touch: &Touch64) -> [Option<f64>; 3] {
    let [p0, p1, p2] = touch.triangle.coordinates();
    let less = |a: V3, b: V3| [0, 1, 2].map(|i: usize| Pair::of_difference(a[i], b[i]));
    let (a, e1, e2) = (less(p0, ray.origin()), less(p1, p0), less(p2, p0));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{
        Bounded, Numbers, exact, exact_minus, exact_triple, power_of_two, share_of_bound,
        usual_or_long,
    };
    use crate::shapes::Ray64;

    /// Checks the bounds of a ray and a triangle, if they are in range; returns whether they are.
    fn has_bounds(ray: &Ray64, triangle: &Triangle64) -> bool {
        let prepared = PreparedRay::new(ray).expect("finite numbers");
        let Some(found) = products(&prepared, triangle) else {
            return false;
        };
        let [p0, p1, p2] = triangle.coordinates();
        let (o, d) = (ray.origin.to_array(), exact(ray.dir.to_array()));
        let (e1, e2) = (exact_minus(p1, p0), exact_minus(p2, p0));
        // It fails where an error exceeds its bound.
        let check = |value, error, truth| _ = share_of_bound(Bounded { value, error }, &truth);
        check(
            found.num,
            found.num_error,
            exact_triple(&exact_minus(p0, o), &e1, &e2),
        );
        check(found.den, found.den_error, exact_triple(&d, &e1, &e2));
        let corners = [p0, p1, p2];
        for (corner, &edge) in found.edges.iter().enumerate() {
            let (start, end) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
            let truth = exact_triple(&d, &exact_minus(start, o), &exact_minus(end, start));
            check(edge, found.edge_error, truth);
        }
        true
    }

    #[test]
    fn bounds_hold_to_the_ends_of_their_ranges() {
        let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
        let cases = usual_or_long(20_000, 2_000_000);
        let mut in_range = 0;
        for _ in 0..cases {
            // A size for all numbers of a vector, and now and then a smaller one for each.
            let mut vector = |powers: &[i32]| {
                let mut pick = || numbers.next() as usize >> 8;
                let power = powers[pick() % powers.len()];
                let smaller = [0, 0, 30, 500][pick() % 4];
                let size = [0; 3].map(|_| (pick() % (smaller + 1)) as i32);
                size.map(|less| {
                    let part = (numbers.next() >> 11) as f64 / power_of_two(52) - 1.0;
                    part * power_of_two((power - less).max(-1022))
                })
            };
            let edges = [-249, -240, -100, 0, 100, 248, 249];
            let p0 = vector(&[-1000, -250, 0, 200, 248]);
            let [e1, e2] = [vector(&edges), vector(&edges)];
            let gap = vector(&[-1022, -320, -300, -299, -200, 0, 200, 248]);
            let dir = vector(&[-149, -148, -20, 0, 100, 126]);
            let sum = |a: V3, b: V3| [0, 1, 2].map(|i: usize| a[i] + b[i]);
            if dir == [0.0; 3] {
                continue;
            }
            for p0 in [p0, [0.0; 3]] {
                let triangle = Triangle64::new(p0, sum(p0, e1), sum(p0, e2));
                let ray = Ray64::new(sum(p0, gap), dir);
                in_range += usize::from(has_bounds(&ray, &triangle));
            }
        }
        assert!(in_range > cases / 3, "{in_range}");
    }
}
