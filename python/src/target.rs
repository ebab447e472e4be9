//! What answers questions.

use crate::bvh::Bvh;
use crate::scene::SceneSnapshot;
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
