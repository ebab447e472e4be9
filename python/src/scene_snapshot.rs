//! Scenes as they were at one moment, and their questions.

use crate::ask::{reserve, values};
use crate::call::Call;
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::{lists, without_spare};
use crate::options::RayOptions;
use crate::ray_arguments::RayArguments;
use crate::ray_input::RayInput;
use estoc::Ray;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK};
use estoc::scene::{Ray64, SceneHit, ScenePath};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use std::sync::Arc;

/// A scene that does not change.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct SceneSnapshot {
    pub(crate) scene: Arc<estoc::scene::SceneSnapshot>,
}

/// The number of a placement where there is none.
pub(crate) const NONE: i64 = -1;

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

    /// Writes the first hit of each ray: t, triangle, u, v, and `depth` numbers of placements.
    fn closest_hit(
        &self,
        py: Python<'_>,
        arguments: RayArguments<'_>,
        depth: usize,
        out: [Bound<'_, PyAny>; 5],
    ) -> PyResult<()> {
        let (rays, options) = arguments.rays()?;
        let t = Column::<f32>::of(&out[0], rays.len())?;
        let prim = Column::<i64>::of(&out[1], rays.len())?;
        let u = Column::<f32>::of(&out[2], rays.len())?;
        let v = Column::<f32>::of(&out[3], rays.len())?;
        let path = Column::<i64>::of(&out[4], rays.len().saturating_mul(depth))?;
        let put = |place: usize, hit: &Option<SceneHit>| {
            t.put(place, hit.map_or(f32::INFINITY, |hit| hit.t));
            prim.put(place, hit.map_or(NONE, |hit| i64::from(hit.prim.get())));
            u.put(place, hit.map_or(0.0, |hit| hit.u));
            v.put(place, hit.map_or(0.0, |hit| hit.v));
            for level in 0..depth {
                path.put(
                    depth * place + level,
                    hit.map_or(NONE, |hit| step(&hit.path, level)),
                );
            }
        };
        arguments.run(py, |call| {
            let (scene, batch) = (&*self.scene, options.batch(call));
            match rays.is_f64() {
                true => values::<_, _, Ray64, _>((scene, Closest), &rays, batch, call, put),
                false => values::<_, _, Ray, _>((scene, Closest), &rays, batch, call, put),
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

    /// Returns the offsets, t, triangles, u, v and paths of lists of hits: all, the first `k`, or the
    /// crossings. A path has `depth` numbers.
    fn lists<'py>(
        &self,
        py: Python<'py>,
        arguments: RayArguments<'_>,
        depth: usize,
        crossings: bool,
        k: Option<usize>,
        max_hits: Option<usize>,
    ) -> PyResult<[Bound<'py, PyAny>; 6]> {
        let (rays, options) = arguments.rays()?;
        let mut found = Found {
            depth,
            ..Found::default()
        };
        let (offsets, found) = arguments.run(py, |call| {
            let k = (k, crossings);
            let offsets = listed(&self.scene, &rays, options, k, max_hits, call, &mut found)?;
            found.numbers = found.numbers.map(without_spare);
            found.prims = without_spare(found.prims);
            found.paths = without_spare(found.paths);
            Ok((offsets, found))
        })?;
        let [t, u, v] = found.numbers;
        Ok([
            offsets.into_pyarray(py).into_any(),
            t.into_pyarray(py).into_any(),
            found.prims.into_pyarray(py).into_any(),
            u.into_pyarray(py).into_any(),
            v.into_pyarray(py).into_any(),
            found.paths.into_pyarray(py).into_any(),
        ])
    }
}

/// Returns a number of a path.
pub(crate) fn step(path: &ScenePath, level: usize) -> i64 {
    let number = path.numbers().get(level);
    number.map_or(NONE, |&number| i64::from(number))
}

/// Columns of hits.
#[derive(Default)]
struct Found {
    depth: usize,
    numbers: [Vec<f32>; 3],
    prims: Vec<i64>,
    paths: Vec<i64>,
}

impl Found {
    fn add(&mut self, hits: &[SceneHit]) -> Result<(), Failure> {
        for column in &mut self.numbers {
            reserve(column, hits.len())?;
        }
        reserve(&mut self.prims, hits.len())?;
        reserve(&mut self.paths, hits.len().saturating_mul(self.depth))?;
        let [t, u, v] = &mut self.numbers;
        t.extend(hits.iter().map(|hit| hit.t));
        u.extend(hits.iter().map(|hit| hit.u));
        v.extend(hits.iter().map(|hit| hit.v));
        self.prims
            .extend(hits.iter().map(|hit| i64::from(hit.prim.get())));
        let depth = self.depth;
        self.paths.extend(
            hits.iter()
                .flat_map(|hit| (0..depth).map(|level| step(&hit.path, level))),
        );
        Ok(())
    }
}

fn listed(
    scene: &estoc::scene::SceneSnapshot,
    rays: &RayInput,
    options: RayOptions,
    (k, crossings): (Option<usize>, bool),
    most: Option<usize>,
    call: &Call,
    found: &mut Found,
) -> Result<Vec<i64>, Failure> {
    let batch = options.batch(call);
    let take = |hits: &[SceneHit]| found.add(hits);
    match (rays.is_f64(), k) {
        (true, _) if crossings => {
            lists::<_, _, Ray64, _>((scene, Crossings), rays, batch, most, call, take)
        }
        (true, Some(k)) => {
            lists::<_, _, Ray64, _>((scene, FirstK(k)), rays, batch, most, call, take)
        }
        (true, None) => lists::<_, _, Ray64, _>((scene, All), rays, batch, most, call, take),
        (false, _) if crossings => {
            lists::<_, _, Ray, _>((scene, Crossings), rays, batch, most, call, take)
        }
        (false, Some(k)) => {
            lists::<_, _, Ray, _>((scene, FirstK(k)), rays, batch, most, call, take)
        }
        (false, None) => lists::<_, _, Ray, _>((scene, All), rays, batch, most, call, take),
    }
}
