//! A ray and a placed triangle in exact arithmetic, for numbers of any size.

use super::world_line::WorldLine;
use crate::arithmetic::{
    Dyadic, ExactV3, Ratio, Surd, V3, exact, exact_cross, exact_dot, exact_triple, widen,
};
use crate::placed::PlacementMatrix;
use crate::shapes::Triangle;

/// The corners of a placed triangle, exactly.
pub(super) struct WorldCorners(pub(super) [ExactV3; 3]);

impl WorldCorners {
    /// Returns `A v + m` for each corner of a finite triangle.
    pub(super) fn of(matrix: &PlacementMatrix, triangle: &Triangle) -> Self {
        let rows = matrix.rows().map(|row| row.map(Dyadic::from_f64));
        WorldCorners(triangle.corners().map(|corner| {
            let v = exact(widen(corner));
            let along = |axis: usize| {
                let [x, y, z, moved] = &rows[axis];
                let sum = x.mul(&v[0]).add(&y.mul(&v[1]));
                sum.add(&z.mul(&v[2])).add(moved)
            };
            [along(0), along(1), along(2)]
        }))
    }

    /// Returns the start and the end of the edge opposite to a corner.
    fn edge(&self, corner: usize) -> (&ExactV3, &ExactV3) {
        (&self.0[(corner + 1) % 3], &self.0[(corner + 2) % 3])
    }

    /// Returns the normal, whose length is twice the area.
    pub(super) fn normal(&self) -> ExactV3 {
        let [p0, p1, p2] = &self.0;
        exact_cross(&minus(p1, p0), &minus(p2, p0))
    }
}

/// The line of a ray, exactly.
pub(super) struct ExactLine {
    origin: ExactV3,
    dir: ExactV3,
}

impl ExactLine {
    pub(super) fn of(line: &WorldLine) -> Self {
        let exactly = |v: V3| exact(v);
        ExactLine {
            origin: exactly(line.origin),
            dir: exactly(line.dir),
        }
    }

    pub(super) fn den(&self, corners: &WorldCorners) -> Dyadic {
        exact_dot(&self.dir, &corners.normal())
    }

    #[cfg(test)]
    pub(super) fn num(&self, corners: &WorldCorners) -> Dyadic {
        exact_dot(&minus(&corners.0[0], &self.origin), &corners.normal())
    }

    /// Returns the polynomial of the edge opposite to a corner.
    pub(super) fn edge(&self, corners: &WorldCorners, corner: usize) -> Dyadic {
        let (start, end) = corners.edge(corner);
        exact_triple(&self.dir, &minus(start, &self.origin), &minus(end, start))
    }

    /// Returns the parameter at which the line meets the plane, if it is not parallel to it.
    pub(super) fn t(&self, corners: &WorldCorners) -> Ratio {
        let normal = corners.normal();
        let num = exact_dot(&minus(&corners.0[0], &self.origin), &normal);
        Ratio::new(num, exact_dot(&self.dir, &normal))
    }

    /// Returns the same as [`t`](Self::t), to be compared with roots of quadratics.
    pub(super) fn t_as_surd(&self, corners: &WorldCorners) -> Surd {
        let normal = corners.normal();
        let num = exact_dot(&minus(&corners.0[0], &self.origin), &normal);
        Surd::quotient(num, exact_dot(&self.dir, &normal))
    }

    /// Returns how the polynomial of an edge changes when the origin moves by `(e, e^2, e^3)`: its
    /// sign for a small e; see [`PreparedRay::crosses`].
    pub(super) fn change_of_edge(&self, corners: &WorldCorners, corner: usize) -> Option<i32> {
        let (start, end) = corners.edge(corner);
        let change = exact_cross(&self.dir, &minus(end, start));
        change.iter().map(Dyadic::sign).find(|sign| *sign != 0)
    }
}

fn minus(a: &ExactV3, b: &ExactV3) -> ExactV3 {
    [a[0].sub(&b[0]), a[1].sub(&b[1]), a[2].sub(&b[2])]
}
