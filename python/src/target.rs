//! What answers questions.

use crate::bvh::Bvh;
use crate::scene::SceneSnapshot;
use estoc::PrimId;
use estoc::glam::DVec3;
use pyo3::prelude::*;

/// A tree, or a scene as it was at one moment.
#[derive(FromPyObject)]
pub(crate) enum Target {
    Tree(Py<Bvh>),
    Scene(Py<SceneSnapshot>),
}

/// Returns the number of placements in the path of an answer, with those that stand for none; 0 for a tree,
/// whose answers have no path.
#[pyfunction]
pub(crate) fn path_len(py: Python<'_>, target: Target) -> usize {
    target.path_len(py)
}

impl Target {
    /// Returns the number of triangles of a tree; the largest that a mesh may have, for a scene.
    pub(crate) fn triangle_count(&self) -> usize {
        match self {
            Target::Tree(tree) => tree.get().triangle_count(),
            Target::Scene(_) => PrimId::MAX.index() + 1,
        }
    }

    /// Returns the tree in `f64`, if it is one.
    pub(crate) fn wide(&self) -> Option<&estoc::Bvh<f64>> {
        match self {
            Target::Tree(tree) => tree.get().wide(),
            Target::Scene(_) => None,
        }
    }

    /// Returns the number of triangles, each counted as often as it is placed.
    pub(crate) fn face_count(&self) -> usize {
        match self {
            Target::Tree(tree) => tree.get().triangle_count(),
            Target::Scene(scene) => scene.get().scene.triangle_count(),
        }
    }

    /// Returns the origin of the coordinates of a tree in the world.
    pub(crate) fn origin(&self) -> DVec3 {
        match self {
            Target::Tree(tree) => tree.get().origin,
            Target::Scene(_) => DVec3::ZERO,
        }
    }

    fn path_len(&self, py: Python<'_>) -> usize {
        match self {
            Target::Tree(_) => 0,
            Target::Scene(scene) => py.detach(|| scene.get().scene.depth()).max(1),
        }
    }

    /// Returns the same for answers in lists, which have no arrays to be written to; 0 for others.
    pub(crate) fn list_depth(&self, py: Python<'_>, out: &Bound<'_, PyAny>) -> usize {
        match out.is_none() {
            true => self.path_len(py),
            false => 0,
        }
    }
}
