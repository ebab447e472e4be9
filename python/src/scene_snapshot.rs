//! Scenes as they were at one moment, and their questions.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{values, write};
use crate::call::Call;
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::options::RayOptions;
use crate::ray_arguments::RayArguments;
use crate::ray_input::RayInput;
use estoc::Ray;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK};
use estoc::scene::{Ray64, SceneHit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
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

    /// Returns the number of placements on the longest path.
    fn depth(&self, py: Python<'_>) -> usize {
        py.detach(|| self.scene.depth())
    }

    /// Returns the corners of a box around everything.
    fn bounds(&self, py: Python<'_>) -> Option<[[f64; 3]; 2]> {
        let bounds = py.detach(|| self.scene.bounds());
        bounds.map(|corners| corners.map(|corner| corner.to_array()))
    }

    /// Writes the first hit of each ray.
    fn closest_hit(
        &self,
        py: Python<'_>,
        arguments: RayArguments<'_>,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let (rays, options) = arguments.rays()?;
        let out = AnswerArrays::<SceneHit>::of(&out, rays.len())?;
        arguments.run(py, |call| {
            let (scene, batch) = (&*self.scene, options.batch(call));
            match rays.is_f64() {
                true => write::<_, _, Ray64, _>((scene, Closest), &rays, batch, call, &out),
                false => write::<_, _, Ray, _>((scene, Closest), &rays, batch, call, &out),
            }
        })
    }

    /// Writes whether each ray hits anything.
    fn any_hit(
        &self,
        py: Python<'_>,
        arguments: RayArguments<'_>,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (rays, options) = arguments.rays()?;
        let out = Column::<bool>::of(&out, rays.len())?;
        let put = |place, &hit: &bool| out.put(place, hit);
        arguments.run(py, |call| {
            let (scene, batch) = (&*self.scene, options.batch(call));
            match rays.is_f64() {
                true => values::<_, _, Ray64, _>((scene, Any), &rays, batch, call, put),
                false => values::<_, _, Ray, _>((scene, Any), &rays, batch, call, put),
            }
        })
    }

    /// Writes the number of triangles that each ray touches, or of its crossings of surfaces.
    fn count(
        &self,
        py: Python<'_>,
        arguments: RayArguments<'_>,
        crossings: bool,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (rays, options) = arguments.rays()?;
        let out = Column::<i64>::of(&out, rays.len())?;
        let put = |place, &count: &usize| out.put(place, count as i64);
        arguments.run(py, |call| {
            let (scene, batch) = (&*self.scene, options.batch(call));
            match (rays.is_f64(), crossings) {
                (true, true) => {
                    values::<_, _, Ray64, _>((scene, CountCrossings), &rays, batch, call, put)
                }
                (true, false) => values::<_, _, Ray64, _>((scene, Count), &rays, batch, call, put),
                (false, true) => {
                    values::<_, _, Ray, _>((scene, CountCrossings), &rays, batch, call, put)
                }
                (false, false) => values::<_, _, Ray, _>((scene, Count), &rays, batch, call, put),
            }
        })
    }

    /// Returns the offsets, columns and paths of lists of hits: all, the first `k`, or the crossings.
    fn lists<'py>(
        &self,
        py: Python<'py>,
        arguments: RayArguments<'_>,
        crossings: bool,
        k: Option<usize>,
        max_hits: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (rays, options) = arguments.rays()?;
        let mut hits = AnswerLists::<SceneHit>::new(self.depth(py).max(1));
        let offsets = arguments.run(py, |call| {
            let k = (k, crossings);
            listed(&self.scene, &rays, options, k, max_hits, call, &mut hits)
        })?;
        hits.into_arrays(py, offsets)
    }
}

fn listed(
    scene: &estoc::scene::SceneSnapshot,
    rays: &RayInput,
    options: RayOptions,
    (k, crossings): (Option<usize>, bool),
    most: Option<usize>,
    call: &Call,
    to: &mut AnswerLists<SceneHit>,
) -> Result<Vec<i64>, Failure> {
    let batch = options.batch(call);
    match (rays.is_f64(), k) {
        (true, _) if crossings => {
            lists::<_, _, Ray64, _>((scene, Crossings), rays, batch, most, call, to)
        }
        (true, Some(k)) => lists::<_, _, Ray64, _>((scene, FirstK(k)), rays, batch, most, call, to),
        (true, None) => lists::<_, _, Ray64, _>((scene, All), rays, batch, most, call, to),
        (false, _) if crossings => {
            lists::<_, _, Ray, _>((scene, Crossings), rays, batch, most, call, to)
        }
        (false, Some(k)) => lists::<_, _, Ray, _>((scene, FirstK(k)), rays, batch, most, call, to),
        (false, None) => lists::<_, _, Ray, _>((scene, All), rays, batch, most, call, to),
    }
}
