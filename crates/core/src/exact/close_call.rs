//! The second stage: ray against triangle in `f64`, with the signs that it leaves open exact.
//!
//! Rays in planes, through edges and through corners make polynomials that are zero. `f64`
//! cannot tell, but the rest of what it knows is as sharp as ever.

use super::f64_test::{ROOM, V, Verdict, WELL_ABOVE};
use super::products::Products;
use super::residue::Residues;
use super::triangle_corners::Corners;
use super::{PreparedRay, Touch};
use crate::arithmetic::Bounded;
use crate::{PrimId, Side, Triangle};

impl PreparedRay<'_> {
    /// As [`touch`](Self::touch), where the signs that `f64` leaves open are known exactly:
    /// of a ray in the triangle's plane, through an edge or a corner, or starting on it.
    pub(super) fn touch_by_residues(&self, prim: PrimId, triangle: &Triangle) -> Verdict {
        let corners = Corners::of(triangle).0;
        let Some(residues) = Residues::of(self.origin(), self.dir(), corners) else {
            return Verdict::Open;
        };
        let found = Products::of(self.origin(), self.dir(), corners);
        let den = residues.den(&found);
        let way = match den.sign() {
            None => return Verdict::Open,
            Some(0) => return Verdict::Missed,
            Some(way) => way,
        };
        let edges = residues.edges(&found);
        let signs = edges.map(Bounded::sign);
        if signs.contains(&Some(-way)) {
            return Verdict::Missed;
        }
        let certain = den.value.abs() > den.error * WELL_ABOVE;
        if !certain || signs.contains(&None) {
            return Verdict::Open;
        }

        // As in `touch_from`, but that each number has a bound of its own.
        let inverse = 1.0 / den.value;
        let size = inverse.abs() * ROOM;
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
        // What a weight is off by is put in proportion to it; one of zero is not.
        let off = |edge: Bounded| match edge.value == 0.0 {
            true => 0.0,
            false => edge.error / edge.value.abs() * ROOM,
        };
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights: [edges[1].value * inverse, edges[2].value * inverse],
            weight_error: 0.0,
            relative_error: relative_error + off(edges[1]) + off(edges[2]),
            side: if way < 0 { Side::Front } else { Side::Back },
            on_edges: (0..3)
                .map(|corner| u8::from(signs[corner] == Some(0)) << corner)
                .sum(),
        })
    }

    /// The numbers of a hit, as far as more than the first stage knows decides them.
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
