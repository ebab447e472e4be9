//! The exact stages of the ray-triangle test.

use super::exact_line::ExactCorners;
use super::f64_test::Verdict;
use super::grid::GridProducts;
use super::touch::edges_met;
use super::triangle_corners::Corners;
use super::{PreparedRay, Touch};
use crate::arithmetic::{Ratio, V, minus, quotient, round, triple};
use crate::shapes::{PrimId, Side, Triangle};
use core::cell::LazyCell;
use core::cmp::Ordering;

impl PreparedRay<'_> {
    /// Does the same as [`touch`](Self::touch), exactly.
    #[cold]
    pub(crate) fn touch_slowly(
        &self,
        prim: PrimId,
        triangle: &Triangle,
        t_limit: f64,
    ) -> Option<Touch> {
        let verdict = match self.touch_by_residues(prim, triangle) {
            Verdict::Open => self.touch_on_grid(prim, triangle),
            verdict => verdict,
        };
        match verdict {
            Verdict::Missed => None,
            Verdict::Touched(touch) => (touch.t_low <= t_limit).then_some(touch),
            Verdict::Open => self.touch_uneven(prim, triangle, t_limit),
        }
    }

    /// Does the same as [`touch`](Self::touch), exactly, for numbers of very different sizes.
    ///
    /// The edges must not start from a corner that is far from the two others.
    pub(super) fn touch_uneven(
        &self,
        prim: PrimId,
        triangle: &Triangle,
        t_limit: f64,
    ) -> Option<Touch> {
        let verdict = match Corners::of(triangle).opposite_to_longest() {
            0 => Verdict::Open, // already tried
            base => self.touch_from(base, prim, triangle, t_limit),
        };
        match verdict {
            Verdict::Missed => None,
            Verdict::Touched(touch) => Some(touch),
            Verdict::Open => self.touch_anywhere(prim, triangle, t_limit),
        }
    }

    /// Does the same as [`touch`](Self::touch), exactly, for numbers of usual sizes.
    pub(super) fn touch_on_grid(&self, prim: PrimId, triangle: &Triangle) -> Verdict {
        let found = match GridProducts::of(self.ray(), triangle) {
            None => return Verdict::Open,
            Some(None) => return Verdict::Missed,
            Some(Some(found)) => found,
        };
        let den_sign = found.den.sign();
        let Some(on_edges) = edges_met(den_sign, |corner| found.edges[corner].sign()) else {
            return Verdict::Missed;
        };
        // Two numbers off by 2v each, and their quotient by v.
        const RELATIVE_ERROR: f64 = 6.0 * V;
        let den = found.den.to_f64();
        let t = found.num.to_f64() / den * found.t_unit;
        let t_error = t.abs() * (RELATIVE_ERROR + 2.0 * V);
        let (t_low, t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min() || t_low > self.t_max() {
            return Verdict::Missed;
        }
        if t_low < self.t_min() || t_high > self.t_max() {
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
            side: Side::facing(den_sign < 0),
            on_edges,
        })
    }

    /// Does the same as [`touch`](Self::touch), exactly, for numbers of any size.
    pub(super) fn touch_anywhere(
        &self,
        prim: PrimId,
        triangle: &Triangle,
        t_limit: f64,
    ) -> Option<Touch> {
        let corners = Corners::of(triangle);
        let [p0, p1, p2] = corners.0;
        let (e1, e2) = (minus(p1, p0), minus(p2, p0));
        let exact = LazyCell::new(|| (self.exact_line(), ExactCorners::of(triangle)));
        let den = triple(self.dir(), e1, e2);
        let den_sign = match den.sign() {
            Some(sign) => sign,
            None if triangle.is_finite() => exact.0.den(&exact.1).sign(),
            None => 0,
        };
        if den_sign == 0 {
            return None;
        }
        let num = triple(minus(p0, self.origin()), e1, e2);
        let (t_low, t_high) = quotient(num, den);
        if t_high < self.t_min() || t_low > self.t_max().min(t_limit) {
            return None;
        }

        let on_edges = edges_met(den_sign, |corner| {
            let (start, end) = corners.edge(corner);
            let weight = triple(self.dir(), minus(start, self.origin()), minus(end, start));
            let sign = weight.sign();
            sign.unwrap_or_else(|| exact.0.edge(&exact.1, corner).sign())
        })?;

        let after_start = t_low >= self.t_min();
        let before_end = t_high <= self.t_max();
        if !(after_start && before_end) {
            let t = exact.0.t(&exact.1);
            if t.cmp_f64(self.t_min()) == Ordering::Less
                || t.cmp_f64(self.t_max()) == Ordering::Greater
            {
                return None;
            }
        }
        let t = (t_low, t_high);
        Some(Touch::by_signs(prim, *triangle, t, den_sign, on_edges))
    }

    /// Returns the weight of a corner, with a tighter bound, and then exactly.
    pub(super) fn weight_anywhere(&self, touch: &Touch, corner: usize) -> f32 {
        if touch.on_edges >> corner & 1 == 1 {
            return 0.0;
        }
        let corners = Corners::of(&touch.triangle);
        let [p0, p1, p2] = corners.0;
        let den = triple(self.dir(), minus(p1, p0), minus(p2, p0));
        let (start, end) = corners.edge(corner);
        let edge = triple(self.dir(), minus(start, self.origin()), minus(end, start));
        round(quotient(edge, den)).unwrap_or_else(|| {
            let exact = ExactCorners::of(&touch.triangle);
            self.exact_line().weight(&exact, corner).to_f32()
        })
    }

    pub(super) fn exact_t(&self, triangle: &Triangle) -> Ratio {
        self.exact_line().t(&ExactCorners::of(triangle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Numbers;
    use crate::shapes::Ray;

    /// Every stage that decides agrees with the stage for numbers of any size.
    #[test]
    fn the_stages_agree() {
        let mut numbers = Numbers(0x9e37_79b9_97f4_a7c5);
        let prim = PrimId::new(0).unwrap();
        let mut decided = [[0usize; 2]; 5];
        let mut settled = [0usize; 2];
        for round in 0..60_000 {
            let mut vector = || numbers.vector().map(|x| x as f32);
            let [mut o, mut d, a, b, mut c] = core::array::from_fn(|_| vector());
            match round % 8 {
                // Towards a corner, an edge, the inside.
                0 => d = [0, 1, 2].map(|i| a[i] - o[i]),
                1 => d = [0, 1, 2].map(|i| (a[i] - o[i]) + (b[i] - o[i])),
                // In the plane or nearly; from the plane or nearly.
                6 => d = [0, 1, 2].map(|i| b[i] - a[i]),
                7 => o = [0, 1, 2].map(|i| (a[i] + b[i]) * 0.5),
                2..6 => d = [0, 1, 2].map(|i| (a[i] - o[i]) + (b[i] - o[i]) + (c[i] - o[i])),
                _ => {}
            }
            if round % 5 == 0 {
                c[round % 3] = 1e30; // an outlier
            }
            let mut ray = Ray::new(o, d);
            if round % 3 == 0 {
                ray = ray.with_interval(-1.0, 1.0);
            }
            let Some(ray) = PreparedRay::new(&ray) else {
                continue;
            };
            for (a, b, c) in [(a, b, c), (c, a, b)] {
                let triangle = Triangle::new(a, b, c);
                let truth = ray.touch_anywhere(prim, &triangle, f64::INFINITY);
                let verdicts = [
                    ray.touch_from(0, prim, &triangle, f64::INFINITY),
                    ray.touch_from(1, prim, &triangle, f64::INFINITY),
                    ray.touch_from(2, prim, &triangle, f64::INFINITY),
                    ray.touch_by_residues(prim, &triangle),
                    ray.touch_on_grid(prim, &triangle),
                ];
                if let [Verdict::Open, .., residues, _] = &verdicts {
                    settled[0] += usize::from(matches!(residues, Verdict::Missed));
                    settled[1] += usize::from(matches!(residues, Verdict::Touched(_)));
                }
                for (verdict, decided) in verdicts.into_iter().zip(&mut decided) {
                    let what = || format!("{ray:?} {triangle:?}");
                    match verdict {
                        Verdict::Open => {}
                        Verdict::Missed => {
                            decided[0] += 1;
                            assert!(truth.is_none(), "{}", what());
                        }
                        Verdict::Touched(touch) => {
                            decided[1] += 1;
                            let truth = truth.as_ref().expect("a hit");
                            assert_eq!(touch.side, truth.side, "{}", what());
                            assert_eq!(touch.on_edges, truth.on_edges, "{}", what());
                            let t = ray.exact_t(&triangle);
                            assert_ne!(t.cmp_f64(touch.t_low), Ordering::Less, "{}", what());
                            assert_ne!(t.cmp_f64(touch.t_high), Ordering::Greater, "{}", what());
                            let [rounded, u, v] = touch.round();
                            let weight = |corner| ray.weight_anywhere(truth, corner);
                            assert_eq!(rounded.unwrap_or(t.to_f32()), t.to_f32(), "{}", what());
                            assert_eq!(u.unwrap_or(weight(1)), weight(1), "{}", what());
                            assert_eq!(v.unwrap_or(weight(2)), weight(2), "{}", what());
                            assert_eq!(ray.hit(&touch), ray.hit(truth), "{}", what());
                        }
                    }
                }
            }
        }
        println!("missed and hit, by f64 from each corner, residues, integers: {decided:?}");
        println!("missed and hit, by residues where f64 left it open: {settled:?}");
        assert!(settled.iter().all(|&count| count > 1000), "{settled:?}");
        assert!(
            decided.iter().flatten().all(|&count| count > 1000),
            "{decided:?}"
        );
    }
}
