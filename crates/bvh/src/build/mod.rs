//! From a mesh to a tree: choose splits from the top down, then lay the nodes out.

mod binned;
mod quality;
mod recursion;

pub use quality::Quality;

use crate::tree::{LeafTriangle, Node};
use crate::{Bvh, Mesh};
use estoc_core::{CancelToken, PrimId};
use recursion::{BuildNode, Builder, Reference};

pub(crate) use binned::STEP_COST;
pub(crate) use recursion::Bounds;

/// Settings of a build; see [`Bvh::builder`].
#[derive(Clone, Copy, Default)]
pub struct BvhBuilder<'a> {
    quality: Quality,
    threads: usize,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

/// Why no tree was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The [`CancelToken`] was raised.
    #[error("building the tree was cancelled")]
    Cancelled,
    /// The threads asked for could not be had.
    #[error("cannot start {threads} threads to build the tree: {reason}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}

impl<'a> BvhBuilder<'a> {
    /// Sets how much work goes into the tree.
    #[must_use]
    pub fn quality(self, quality: Quality) -> Self {
        BvhBuilder { quality, ..self }
    }

    /// Builds with so many threads of its own; 0, the default, means the rayon pool that the
    /// caller is in. The tree is the same for any number.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        BvhBuilder { threads, ..self }
    }

    /// Stops the build soon after the token is raised.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        BvhBuilder {
            cancel: Some(token),
            ..self
        }
    }

    /// Is called from any thread now and then, with the number of triangles placed so far.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(usize) + Sync)) -> Self {
        BvhBuilder {
            progress: Some(progress),
            ..self
        }
    }

    /// Builds the tree.
    ///
    /// # Errors
    /// [`BuildError::Cancelled`] when the token was raised, and [`BuildError::Threads`] when
    /// threads were asked for and the system has none; without these settings never.
    pub fn build(&self, mesh: &Mesh) -> Result<Bvh, BuildError> {
        if self.threads == 0 {
            return self.build_here(mesh).ok_or(BuildError::Cancelled);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| BuildError::Threads {
                threads: self.threads,
                reason: error.to_string(),
            })?;
        pool.install(|| self.build_here(mesh))
            .ok_or(BuildError::Cancelled)
    }

    /// `None` when cancelled.
    pub(crate) fn build_here(&self, mesh: &Mesh) -> Option<Bvh> {
        let mut references: Vec<Reference> = mesh
            .triangles()
            .enumerate()
            .map_while(|(index, triangle)| {
                Some(Reference::new(PrimId::from_index(index)?, &triangle))
            })
            .collect();
        let builder = Builder::new(self.quality.settings(), self.cancel, self.progress);
        let root = builder.build(&mut references)?;
        let nodes = root.as_ref().map(lay_out).unwrap_or_default();
        let triangles = references.iter().filter_map(|reference| {
            let prim = reference.prim();
            let triangle = mesh.triangle(prim)?;
            Some(LeafTriangle { triangle, prim })
        });
        let mut leaves = Vec::with_capacity(references.len());
        leaves.extend(triangles);
        Some(Bvh::new(nodes, leaves))
    }
}

/// Nodes in the order of a walk that takes both children of a node together, so that they
/// stand side by side, and then all below the first before all below the second.
fn lay_out(root: &BuildNode) -> Vec<Node> {
    let mut nodes = vec![Node::default()];
    let mut pending = vec![(root, 0)];
    while let Some((node, place)) = pending.pop() {
        nodes[place] = match node {
            BuildNode::Leaf { bounds, first, len } => Node::leaf(bounds, *first, *len),
            BuildNode::Inner { bounds, children } => {
                let left = nodes.len();
                nodes.resize(left + 2, Node::default());
                pending.push((&children[1], left + 1));
                pending.push((&children[0], left));
                Node::inner(bounds, left)
            }
        };
    }
    nodes.shrink_to_fit();
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::DemoSpec;

    /// Everything that a tree is made of, to the bit.
    fn bits(bvh: &Bvh) -> Vec<String> {
        let nodes = bvh.nodes().iter().map(|node| format!("{node:?}"));
        let leaves = bvh.leaf_triangles().iter().map(|leaf| format!("{leaf:?}"));
        nodes.chain(leaves).collect()
    }

    #[test]
    fn the_tree_is_the_same_for_any_number_of_threads() {
        // Large enough that groups are measured and built in parallel.
        let scene: DemoSpec = "soup?n=70000".parse().unwrap();
        let mesh = scene.mesh();
        let build = |threads| Bvh::builder().threads(threads).build(&mesh).unwrap();
        let one = bits(&build(1));
        for threads in [2, 3, 7] {
            assert!(bits(&build(threads)) == one, "{threads} threads");
        }
    }
}
