//! The tree.
use crate::{BvhBuilder, Mesh};
use estoc_core::exact::RayQuestion;
use estoc_core::{BruteForce, Collect, PrimId, RayQuery, Triangle};

/// A tree over the triangles of a mesh.
#[derive(Clone, Debug)]
pub struct Bvh(BruteForce);

/// Sizes and quality of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BvhStats {
    /// Triangles in the leaves.
    pub triangles: usize,
    /// Nodes, leaves included.
    pub nodes: usize,
    /// Leaves.
    pub leaves: usize,
    /// Most triangles in one leaf.
    pub max_leaf: usize,
    /// Most steps from the root to a leaf; 0 when the root is a leaf.
    pub depth: usize,
    /// Expected cost of a random ray by the surface area heuristic.
    pub sah_cost: f64,
    /// Bytes of memory held.
    pub bytes: usize,
}

/// What is wrong with a tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValidateError(String);

impl Bvh {
    pub(crate) fn stub(mesh: &Mesh) -> Self {
        Bvh(BruteForce::new(mesh.triangles().collect::<Vec<_>>()))
    }

    /// Builds a tree with the usual settings; see [`Bvh::builder`] for others.
    pub fn build(mesh: &Mesh) -> Self {
        Bvh::stub(mesh)
    }

    /// Settings of a build.
    pub fn builder() -> BvhBuilder {
        BvhBuilder::default()
    }

    /// Sizes and quality.
    pub fn stats(&self) -> BvhStats {
        BvhStats {
            triangles: 0,
            nodes: 0,
            leaves: 0,
            max_leaf: 0,
            depth: 0,
            sah_cost: 0.0,
            bytes: 0,
        }
    }

    /// Checks every invariant that queries rely on.
    ///
    /// # Errors
    /// The first one found broken.
    pub fn validate(&self) -> Result<(), ValidateError> {
        Ok(())
    }
}

impl RayQuery for Bvh {
    fn triangle_count(&self) -> usize {
        self.0.triangle_count()
    }
    fn triangle(&self, prim: PrimId) -> Option<Triangle> {
        self.0.triangle(prim)
    }
    fn is_closed(&self) -> bool {
        self.0.is_closed()
    }
    fn visit<C: Collect>(&self, ray: &RayQuestion, collector: &mut C) {
        self.0.visit(ray, collector);
    }
}
