//! The second stage of the ray-triangle test: `f64`, with exact values for the signs that it leaves
//! open.
//!
//! Rays in planes, through edges and through corners make polynomials that are zero. `f64` cannot
//! decide their signs, but all else that it computes is as accurate as ever.

use super::f64_test::Verdict;
use super::products::Products;
use super::quotients::{INVERSE_FACTOR, WELL_ABOVE};
use super::residue::Residues;
use super::triangle_corners::Corners;
use super::{PreparedRay, Touch};
use crate::arithmetic::{Bounded, InlineMap, V};
use crate::shapes::{PrimId, Side, Triangle};

impl PreparedRay<'_> {
    /// Does the same as [`touch`](Self::touch), with exact values for the signs that `f64` leaves
    /// open: for a ray in the triangle's plane, through an edge or a corner, or starting on it.
    pub(super) fn touch_by_residues(&self, prim: PrimId, triangle: &Triangle) -> Verdict {
        let corners = Corners::of(triangle).0;
        let Some(residues) = Residues::of(self.origin(), self.dir(), corners) else {
            return Verdict::Open;
        };
        let found = Products::of(self.origin(), self.dir(), corners);
        let den = residues.den(&found);
        let den_sign = match den.sign() {
            None => return Verdict::Open,
            Some(0) => return Verdict::Missed,
            Some(den_sign) => den_sign,
        };
        let edges = residues.edges(&found);
        let signs = edges.inline_map(Bounded::sign);
        if signs.contains(&Some(-den_sign)) {
            return Verdict::Missed;
        }
        let certain = den.value.abs() > den.error * WELL_ABOVE;
        if !certain || signs.contains(&None) {
            return Verdict::Open;
        }

        // The same as in `touch_from`, except that each number has its own bound.
        let inverse = 1.0 / den.value;
        let size = inverse.abs() * INVERSE_FACTOR;
        let relative_error = den.error * size + 4.0 * V;
        let num = residues.num(&found);
        let t = num.value * inverse;
        let t_error = num.error * size + t.abs() * relative_error;
        let (t_low, t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min() || t_low > self.t_max() {
            return Verdict::Missed;
        }
        if t_low < self.t_min() || t_high > self.t_max() {
            return Verdict::Open;
        }
        // Errors of weights become relative; a weight of zero has none.
        let off = |edge: Bounded| match edge.value == 0.0 {
            true => 0.0,
            false => edge.error / edge.value.abs() * INVERSE_FACTOR,
        };
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [edges[1].value * inverse, edges[2].value * inverse],
            weight_error: 0.0,
            relative_error: relative_error + off(edges[1]) + off(edges[2]),
            side: Side::facing(den_sign < 0),
            on_edges: (0..3)
                .map(|corner| u8::from(signs[corner] == Some(0)) << corner)
                .sum(),
        })
    }

    /// Rounds the numbers of a hit, as far as the second and third stage decide them.
    pub(super) fn round_sharply(&self, touch: &Touch) -> [Option<f32>; 3] {
        let rounded = |verdict| match verdict {
            Verdict::Touched(touch) => Touch::round(&touch),
            _ => [None; 3],
        };
        let [t, u, v] = rounded(self.touch_by_residues(touch.prim, &touch.triangle));
        if let [Some(_), Some(_), Some(_)] = [t, u, v] {
            return [t, u, v];
        }
        let on_grid = rounded(self.touch_on_grid(touch.prim, &touch.triangle));
        [t.or(on_grid[0]), u.or(on_grid[1]), v.or(on_grid[2])]
    }
}
