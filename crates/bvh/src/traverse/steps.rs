//! What a query costs, counted.

use super::closest_steps;
use crate::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::{Engine, Ray};

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

impl Bvh {
    /// How many steps [`closest_hit`](estoc_core::RayQuery::closest_hit) takes for this ray: what makes a
    /// ray slow, and where a tree is bad.
    ///
    /// ```
    /// use estoc_bvh::{Bvh, Mesh};
    /// use estoc_core::Ray;
    /// let mesh = Mesh::new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::build(&mesh);
    /// let at = bvh.closest_hit_steps(&Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((at.nodes, at.leaves, at.triangles), (1, 1, 1));
    /// let beside = bvh.closest_hit_steps(&Ray::new([9.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((beside.nodes, beside.leaves, beside.triangles), (1, 0, 0));
    /// # Ok::<(), estoc_bvh::MeshError>(())
    /// ```
    pub fn closest_hit_steps(&self, ray: &Ray) -> Steps {
        let ray = PreparedRay::new(ray);
        ray.map_or_else(Steps::default, |ray| {
            closest_steps(self.tree(), self.token(), self.masks(), &ray)
        })
    }
}
