//! Scenes as they were at one moment.

use pyo3::prelude::*;
use std::sync::Arc;

/// A scene that does not change.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct SceneSnapshot {
    pub(crate) scene: Arc<estoc::scene::SceneSnapshot>,
}

#[pymethods]
impl SceneSnapshot {
    /// Returns the number of triangles, each counted as often as it is placed.
    fn face_count(&self) -> usize {
        self.scene.triangle_count()
    }

    /// Returns the corners of a box around everything.
    fn bounds(&self, py: Python<'_>) -> Option<[[f64; 3]; 2]> {
        let bounds = py.detach(|| self.scene.bounds());
        bounds.map(|corners| corners.map(|corner| corner.to_array()))
    }
}
