//! Scenes of placed meshes.

use crate::bvh::Bvh;
use crate::failure::Failure;
use crate::precision::either;
use crate::{fork, pool};
use estoc::scene::{Placement, PlacementId, PlacementMatrix, SceneObject};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A scene that can be changed.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Scene {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    scene: estoc::scene::Scene,
    ids: HashMap<u32, PlacementId>,
    /// Whether there is a snapshot and nothing has changed since.
    is_committed: bool,
}

impl Scene {
    /// Does something with the scene, without the interpreter's lock. No `fork` falls into that, so that a
    /// child neither finds the lock taken nor a scene half changed.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| fork::apart(|| work(&mut self.locked())));
        done.map_err(|failure| failure.raise(py))
    }

    /// The lock is taken by calling threads only, and never by threads of a pool.
    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the scene as it is now.
    pub(crate) fn now(&self, py: Python<'_>) -> PyResult<Arc<estoc::scene::SceneSnapshot>> {
        let snapshot = py.detach(|| {
            // Without changes, no pool is needed.
            let last = fork::apart(|| self.locked().last());
            if let Some(last) = last {
                return last;
            }
            let pool = pool::lend(0)?;
            fork::apart(|| {
                let mut locked = self.locked();
                let state = &mut *locked;
                pool.install(|| state.commit())
            })
        });
        snapshot.map_err(|failure| failure.raise(py))
    }

    fn object(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<SceneObject> {
        if let Ok(bvh) = object.cast::<Bvh>() {
            return Ok(either!(&bvh.get().bvh, bvh => bvh.clone().into()));
        }
        if let Ok(scene) = object.cast::<Scene>() {
            return Ok(scene.get().now(py)?.into());
        }
        Err(PyTypeError::new_err("an object of another type was passed"))
    }
}

impl State {
    fn id(&self, number: u32) -> Result<PlacementId, Failure> {
        let id = self.ids.get(&number).copied();
        id.ok_or_else(|| refused(format!("the scene has no placement {number}")))
    }

    /// Returns the scene for changes.
    fn changed(&mut self) -> &mut estoc::scene::Scene {
        self.is_committed = false;
        &mut self.scene
    }

    /// Returns the last snapshot if nothing has changed since.
    fn last(&mut self) -> Option<Result<Arc<estoc::scene::SceneSnapshot>, Failure>> {
        self.is_committed.then(|| self.commit())
    }

    fn commit(&mut self) -> Result<Arc<estoc::scene::SceneSnapshot>, Failure> {
        let snapshot = self.scene.try_commit().map_err(refused)?;
        self.is_committed = true;
        Ok(snapshot)
    }
}

pub(crate) fn refused(error: impl ToString) -> Failure {
    Failure::Raised("SceneError", error.to_string())
}

#[pymethods]
impl Scene {
    #[new]
    fn new() -> Self {
        Scene {
            state: Mutex::default(),
        }
    }

    /// Places a tree, or a scene as it is now, and returns the number of the placement.
    fn add(
        &self,
        py: Python<'_>,
        object: &Bound<'_, PyAny>,
        matrix: [[f64; 4]; 3],
        mask: u32,
        name: Option<String>,
        reverse: bool,
    ) -> PyResult<u32> {
        let object = self.object(py, object)?;
        self.with(py, |state| {
            let matrix = PlacementMatrix::from_rows(matrix).map_err(refused)?;
            let mut placement = Placement::with_matrix(object, matrix)
                .mask(mask)
                .reversed(reverse);
            if let Some(name) = name {
                placement = placement.name(name);
            }
            let id = state.changed().add(placement).map_err(refused)?;
            state.ids.insert(id.number(), id);
            Ok(id.number())
        })
    }

    /// Moves a placement.
    fn set_matrix(&self, py: Python<'_>, number: u32, matrix: [[f64; 4]; 3]) -> PyResult<()> {
        self.with(py, |state| {
            let id = state.id(number)?;
            let matrix = PlacementMatrix::from_rows(matrix).map_err(refused)?;
            state.changed().set_matrix(id, matrix).map_err(refused)
        })
    }

    /// Removes a placement.
    fn remove(&self, py: Python<'_>, number: u32) -> PyResult<()> {
        self.with(py, |state| {
            let id = state.id(number)?;
            state.ids.remove(&number);
            state.changed().remove(id).map(drop).map_err(refused)
        })
    }

    /// Returns the number of placements.
    fn placement_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.with(py, |state| Ok(state.scene.len()))
    }

    /// Returns the name of a placement.
    fn name(&self, py: Python<'_>, number: u32) -> PyResult<Option<String>> {
        self.with(py, |state| {
            let placement = state.scene.placement(state.id(number)?).map_err(refused)?;
            Ok(placement.get_name().map(str::to_owned))
        })
    }

    /// Returns the scene as it is now, which answers questions.
    fn snapshot(&self, py: Python<'_>) -> PyResult<SceneSnapshot> {
        let scene = self.now(py)?;
        Ok(SceneSnapshot { scene })
    }
}

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
