//! Counts the steps of a query.

use super::Bvh;
use crate::traverse::{TraversalSteps, visit};
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, QueryOptions, Ray};

impl Bvh {
    /// Returns the number of steps of a search for the first hit on this ray, without masks, that
    /// certifies it. [`closest_hit`](estoc_core::RayQuery::closest_hit) takes about as many. Shows
    /// what makes a ray slow, and where a tree is bad.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; }
    /// use estoc::{Bvh, Mesh, Ray};
    /// let mesh = Mesh::try_new([[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 1.0, 5.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::build(&mesh);
    /// let at = bvh.closest_hit_steps(&Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((at.nodes, at.leaves, at.triangles), (1, 1, 1));
    /// let beside = bvh.closest_hit_steps(&Ray::new([9.0; 3], [0.0, 0.0, 1.0]));
    /// assert_eq!((beside.nodes, beside.leaves, beside.triangles), (1, 0, 0));
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn closest_hit_steps(&self, ray: &Ray) -> TraversalSteps {
        let ray = PreparedRay::new(ray);
        ray.map_or_else(TraversalSteps::default, |ray| {
            let mut collector = Collector::first(ray, const { &QueryOptions::new() }, None);
            visit(self.tree(), self.token(), &ray, &mut collector)
        })
    }
}
