//! The second stage: ray against triangle in `f64`, with the signs that it leaves open exact.
//!
//! Rays in planes, through edges and through corners make polynomials that are zero. `f64`
//! cannot tell, but the rest of what it knows is as sharp as ever.

use super::corners::Corners;
use super::products::Products;
use super::quick::{ROOM, V, Verdict, WELL_ABOVE};
use super::residue::Residues;
use super::{RayQuestion, Touch};
use crate::{PrimId, Side, Triangle};

impl RayQuestion {
    /// As [`touch`](Self::touch), where the signs that `f64` leaves open are known exactly:
    /// of a ray in the triangle's plane, through an edge or a corner, or starting on it.
    pub(super) fn touch_by_residues(&self, prim: PrimId, triangle: &Triangle) -> Verdict {
        let corners = Corners::of(triangle).0;
        let Some(residues) = Residues::of(self.origin, self.dir, corners) else {
            return Verdict::Open;
        };
        let found = Products::of(self.origin, self.dir, corners);
        let way = match residues.den_sign(&found) {
            None => return Verdict::Open,
            Some(0) => return Verdict::Missed,
            Some(way) => way,
        };
        let signs = residues.edge_signs(&found);
        if signs.contains(&Some(-way)) {
            return Verdict::Missed;
        }
        let certain = found.den.abs() > found.den_error * WELL_ABOVE;
        if !certain || signs.contains(&None) {
            return Verdict::Open;
        }
        // As in `touch_from`.
        let inverse = 1.0 / found.den;
        let size = inverse.abs() * ROOM;
        let relative_error = found.den_error * size + 4.0 * V;
        let t = found.num * inverse;
        let t_error = found.num_error * size + t.abs() * relative_error;
        let (mut t_low, mut t_high) = (t - t_error, t + t_error);
        if t_high < self.t_min || t_low > self.t_max {
            return Verdict::Missed;
        }
        if t_low < self.t_min && self.t_min == 0.0 {
            match residues.num_sign(&found) {
                None => return Verdict::Open,
                Some(0) => (t_low, t_high) = (0.0, 0.0),
                Some(sign) if sign == way => t_low = 0.0,
                Some(_) => return Verdict::Missed,
            }
        }
        if t_low < self.t_min || t_high > self.t_max {
            return Verdict::Open;
        }

        let on_edge = |corner: usize| signs[corner] == Some(0);
        let mut weights = [found.edges[1] * inverse, found.edges[2] * inverse];
        let mut weight_error = found.edge_error * size;
        let mut relative_error = relative_error;
        if on_edge(1) || on_edge(2) {
            // What is zero or one is known; what another weight is off by is put in
            // proportion to it.
            let in_corner = on_edge(0) || on_edge(1) && on_edge(2);
            for (corner, weight) in [1, 2].into_iter().zip(&mut weights) {
                if on_edge(corner) {
                    *weight = 0.0;
                } else if in_corner {
                    *weight = 1.0;
                } else {
                    relative_error += weight_error / weight.abs();
                }
            }
            if in_corner {
                relative_error = 0.0;
            }
            weight_error = 0.0;
        }
        Verdict::Touched(Touch {
            prim,
            triangle: *triangle,
            t_low,
            t_high,
            weights,
            weight_error,
            relative_error,
            side: if way < 0 { Side::Front } else { Side::Back },
            on_edges: (0..3)
                .map(|corner| u8::from(on_edge(corner)) << corner)
                .sum(),
        })
    }
}
