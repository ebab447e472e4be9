//! How many steps a query takes.

use super::Bvh;
use crate::traverse::{Steps, nearest_first};
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collect, PrimId, Ray, RayQuery, Triangle};

/// The same engine, counting.
struct Counted<'a> {
    bvh: &'a Bvh,
    steps: Cell<Steps>,
}

impl RayQuery for Counted<'_> {
    fn triangle_count(&self) -> usize {
        self.bvh.triangle_count()
    }

    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.bvh.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.bvh.is_closed()
    }

    fn visit<C: Collect>(&self, ray: &PreparedRay<'_>, collector: &mut C) {
        let mut steps = self.steps.get();
        nearest_first(
            self.bvh.tree(),
            self.bvh.token(),
            ray,
            collector,
            &mut steps,
        );
        self.steps.set(steps);
    }
}

impl Bvh {
    /// How many steps [`closest_hit`](RayQuery::closest_hit) takes for this ray: what makes a
    /// ray slow, and where a tree is bad.
    ///
    /// ```
    /// use estoc_bvh::Bvh;
    /// use estoc_mesh::Mesh;
    /// use estoc_core::Ray;
    /// let mesh = Mesh::new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::build(&mesh);
    /// let at = bvh.closest_hit_steps(&Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((at.nodes, at.leaves, at.triangles), (1, 1, 1));
    /// let beside = bvh.closest_hit_steps(&Ray::new([9.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((beside.nodes, beside.leaves, beside.triangles), (1, 0, 0));
    /// # Ok::<(), estoc_mesh::MeshError>(())
    /// ```
    pub fn closest_hit_steps(&self, ray: &Ray) -> Steps {
        let counted = Counted {
            bvh: self,
            steps: Cell::default(),
        };
        // Only the way there is asked for.
        let _ = counted.closest_hit(ray);
        counted.steps.get()
    }
}
