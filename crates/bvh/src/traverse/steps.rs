//! What a query costs, counted.

use super::nearest_first;
use crate::Bvh;
use core::cell::Cell;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collect, PrimId, Ray, RayQuery, Triangle};

/// Steps of a traversal. They depend on the tree, as answers never do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Nodes whose children's boxes were tested, eight at a time.
    pub nodes: u32,
    /// Leaves whose triangles were tested, up to eight at a time.
    pub leaves: u32,
    /// Triangles that passed, and were decided exactly.
    pub triangles: u32,
}

/// Is told of the steps; does nothing unless somebody counts.
pub(crate) trait Watch {
    #[inline(always)]
    fn node(&mut self) {}
    #[inline(always)]
    fn leaf(&mut self) {}
    #[inline(always)]
    fn triangle(&mut self) {}
}

impl Watch for () {}

impl Watch for Steps {
    fn node(&mut self) {
        self.nodes += 1;
    }

    fn leaf(&mut self) {
        self.leaves += 1;
    }

    fn triangle(&mut self) {
        self.triangles += 1;
    }
}

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
