//! The line of a ray and the corners of a triangle in exact arithmetic, for numbers of any size.

use super::touch::edges_met;
use super::{PreparedRay, Touch};
use crate::arithmetic::{
    Dyadic, ExactV3, Ratio, Surd, V3, exact, exact_cross, exact_dot, exact_triple, widen,
};
use crate::shapes::{RayKind, Side, Triangle, Triangle64};
use core::cmp::Ordering;

/// The corners of a triangle, exactly.
pub(crate) struct ExactCorners(pub(crate) [ExactV3; 3]);

impl ExactCorners {
    /// Returns the corners of a finite triangle.
    pub(super) fn of(triangle: &Triangle) -> Self {
        ExactCorners(triangle.corners().map(|corner| exact(widen(corner))))
    }

    /// Returns the corners of a finite triangle in `f64`.
    pub(crate) fn of_64(triangle: &Triangle64) -> Self {
        ExactCorners(triangle.coordinates().map(exact))
    }

    /// Returns the start and the end of the edge opposite to a corner.
    fn edge(&self, corner: usize) -> (&ExactV3, &ExactV3) {
        (&self.0[(corner + 1) % 3], &self.0[(corner + 2) % 3])
    }

    /// Returns the normal, whose length is twice the area.
    pub(crate) fn normal(&self) -> ExactV3 {
        let [p0, p1, p2] = &self.0;
        exact_cross(&minus(p1, p0), &minus(p2, p0))
    }
}

/// The line of a ray, exactly.
pub(crate) struct ExactLine {
    origin: ExactV3,
    dir: ExactV3,
}

impl ExactLine {
    pub(crate) fn of(origin: V3, dir: V3) -> Self {
        ExactLine {
            origin: exact(origin),
            dir: exact(dir),
        }
    }

    pub(crate) fn den(&self, corners: &ExactCorners) -> Dyadic {
        exact_dot(&self.dir, &corners.normal())
    }

    #[cfg(test)]
    pub(crate) fn num(&self, corners: &ExactCorners) -> Dyadic {
        self.num_and_den(corners).0
    }

    fn num_and_den(&self, corners: &ExactCorners) -> (Dyadic, Dyadic) {
        let normal = corners.normal();
        let num = exact_dot(&minus(&corners.0[0], &self.origin), &normal);
        (num, exact_dot(&self.dir, &normal))
    }

    /// Returns the polynomial of the edge opposite to a corner.
    pub(crate) fn edge(&self, corners: &ExactCorners, corner: usize) -> Dyadic {
        let (start, end) = corners.edge(corner);
        exact_triple(&self.dir, &minus(start, &self.origin), &minus(end, start))
    }

    /// Returns the weight of a corner where the line meets the plane, if it is not parallel to it.
    pub(crate) fn weight(&self, corners: &ExactCorners, corner: usize) -> Ratio {
        Ratio::new(self.edge(corners, corner), self.den(corners))
    }

    /// Returns the parameter at which the line meets the plane, if it is not parallel to it.
    pub(crate) fn t(&self, corners: &ExactCorners) -> Ratio {
        let (num, den) = self.num_and_den(corners);
        Ratio::new(num, den)
    }

    /// Returns the same as [`t`](Self::t), to be compared with roots of quadratics.
    pub(crate) fn t_as_surd(&self, corners: &ExactCorners) -> Surd {
        let (num, den) = self.num_and_den(corners);
        Surd::quotient(num, den)
    }

    /// Returns the touch of a triangle with these corners, if the line hits it within both bounds of
    /// the parameter and not certainly beyond the limit.
    pub(crate) fn touch<I, P>(
        &self,
        corners: &ExactCorners,
        [t_min, t_max, t_limit]: [f64; 3],
        prim: I,
        triangle: P,
    ) -> Option<Touch<I, P>> {
        let den_sign = self.den(corners).sign();
        if den_sign == 0 {
            return None;
        }
        let on_edges = edges_met(den_sign, |corner| self.edge(corners, corner).sign())?;
        let t = self.t(corners);
        let (t_low, t_high) = t.bounds();
        let is_outside = t_low > t_limit
            || t.cmp_f64(t_min) == Ordering::Less
            || t.cmp_f64(t_max) == Ordering::Greater;
        let touch = || Touch::by_signs(prim, triangle, (t_low, t_high), den_sign, on_edges);
        (!is_outside).then(touch)
    }

    /// Returns the sign of the change of an edge's polynomial when the origin moves by `(e, e^2, e^3)`,
    /// for a small e; see [`PreparedRay::crosses`](super::PreparedRay::crosses).
    ///
    /// edge(a, b) = d . ((a-o) x (b-a)) changes by d . (-move x (b-a)), which is move . (d x (b-a)): its
    /// first component that is not zero decides. At least one is not zero, since an edge along the ray
    /// would make the plane parallel to it.
    fn change_of_edge(&self, corners: &ExactCorners, corner: usize) -> Option<i32> {
        let (start, end) = corners.edge(corner);
        let change = exact_cross(&self.dir, &minus(end, start));
        change.iter().map(Dyadic::sign).find(|sign| *sign != 0)
    }

    /// Returns whether the ray crosses the surface in a triangle that it hits on these edges, from the
    /// front or from behind.
    pub(crate) fn crosses(&self, corners: &ExactCorners, on_edges: u8, side: Side) -> bool {
        let expected = if side == Side::Front { -1 } else { 1 };
        (0..3)
            .filter(|corner| on_edges >> corner & 1 == 1)
            .all(|corner| self.change_of_edge(corners, corner) == Some(expected))
    }
}

impl<R: RayKind> PreparedRay<'_, R> {
    /// Returns the line of the ray.
    pub(crate) fn exact_line(&self) -> ExactLine {
        ExactLine::of(self.origin(), self.dir())
    }
}

fn minus(a: &ExactV3, b: &ExactV3) -> ExactV3 {
    [a[0].sub(&b[0]), a[1].sub(&b[1]), a[2].sub(&b[2])]
}
