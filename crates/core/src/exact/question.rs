//! Ray against triangle: the certificate that every engine's answers rest on.
//!
//! A triangle goes through as many stages as it needs: `f64` (`quick.rs`), nearly always;
//! integers of fixed width where that leaves it open; at last numbers of any size
//! (`slow.rs`).

use super::corners::Corners;
use super::grid::order_on_grid;
use super::polynomial::{V3, exact, exact_cross, exact_minus, widen};
use super::quick::Verdict;
use super::{Expansion, Touch, round};
use crate::{Hit, PrimId, Ray, Side, Triangle};
use core::cmp::Ordering;
use glam::Vec3;

/// A ray made ready for questions about triangles.
///
/// Engines find the triangles that a ray may hit; this type decides which of them it does
/// hit, in which order, and with which rounded numbers, all as exact arithmetic would.
#[derive(Clone, Copy, Debug)]
pub struct RayQuestion {
    pub(super) origin: V3,
    pub(super) dir: V3,
    pub(super) t_min: f64,
    pub(super) t_max: f64,
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
        let rounded = self.round_sharply(touch);
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

    /// What it was made from, but for the interval.
    pub(super) fn ray(&self) -> Ray {
        let narrow = |v: V3| Vec3::from_array(v.map(|x| x as f32));
        Ray::new(narrow(self.origin), narrow(self.dir))
    }
}
