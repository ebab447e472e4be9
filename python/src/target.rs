//! What answers questions.

use crate::bvh::Bvh;
use crate::scene_snapshot::SceneSnapshot;
use pyo3::prelude::*;
use std::sync::Arc;

/// A tree, or a scene as it was at one moment.
pub(crate) enum Target {
    Tree(Arc<estoc::Bvh>),
    Scene(Arc<estoc::scene::SceneSnapshot>),
}

impl Target {
    /// Returns the number of placements in the path of an answer, with those that stand for none; 0 for a
    /// tree, whose answers have no path.
    pub(crate) fn path_len(&self, py: Python<'_>) -> usize {
        match self {
            Target::Tree(_) => 0,
            Target::Scene(scene) => py.detach(|| scene.depth()).max(1),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Target {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(tree) = object.cast::<Bvh>() {
            return Ok(Target::Tree(tree.get().bvh.clone()));
        }
        let scene = object.cast::<SceneSnapshot>()?;
        Ok(Target::Scene(scene.get().scene.clone()))
    }
}

/// Returns the number of placements in the path of an answer; 0 for a tree.
#[pyfunction]
pub(crate) fn path_len(py: Python<'_>, target: Target) -> usize {
    target.path_len(py)
}
