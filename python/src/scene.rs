//! Scenes of placed meshes.

use crate::ask::{lists, reserve, values};
use crate::bvh::Bvh;
use crate::call::Call;
use crate::column::Column;
use crate::failure::Failure;
use crate::options::RayOptions;
use crate::pool;
use crate::ray_arguments::RayArguments;
use crate::ray_input::RayInput;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK};
use estoc::scene::{
    In64, Placement, PlacementId, PlacementMatrix, SceneHit, SceneObject, SceneSnapshot,
};
use numpy::IntoPyArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A scene that can be changed.
#[pyclass(frozen, module = "estoc._estoc")]
pub(crate) struct Scene {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    scene: estoc::scene::Scene,
    ids: HashMap<u32, PlacementId>,
}

/// The number of triangles, that of placements on the longest path, and the corners of a box.
type Facts = (usize, usize, Option<[[f64; 3]; 2]>);

/// The number of a placement where there is none.
const NONE: i64 = -1;

/// The lock is taken by calling threads only, without the interpreter's lock, and never by threads of a
/// pool: those may take up the work of another call while they wait for their own.
impl Scene {
    /// Changes the scene.
    fn change<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut State) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let changed =
            py.detach(|| work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner)));
        changed.map_err(|failure| failure.raise(py))
    }

    /// Returns the scene as it is now.
    pub(crate) fn snapshot(&self, py: Python<'_>) -> PyResult<Arc<SceneSnapshot>> {
        let pool = pool::pool(0).map_err(|failure| failure.raise(py))?;
        self.change(py, |state| {
            pool.install(|| state.scene.try_commit()).map_err(refused)
        })
    }

    fn object(&self, py: Python<'_>, object: &Bound<'_, PyAny>) -> PyResult<SceneObject> {
        if let Ok(bvh) = object.cast::<Bvh>() {
            return Ok(bvh.get().bvh.clone().into());
        }
        if let Ok(scene) = object.cast::<Scene>() {
            return Ok(scene.get().snapshot(py)?.into());
        }
        Err(PyTypeError::new_err("an object of another type was passed"))
    }
}

impl State {
    fn id(&self, number: u32) -> Result<PlacementId, Failure> {
        let id = self.ids.get(&number).copied();
        id.ok_or_else(|| refused(format!("the scene has no placement {number}")))
    }
}

fn refused(error: impl ToString) -> Failure {
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
        self.change(py, |state| {
            let matrix = PlacementMatrix::from_rows(matrix).map_err(refused)?;
            let mut placement = Placement::with_matrix(object, matrix)
                .mask(mask)
                .reversed(reverse);
            if let Some(name) = name {
                placement = placement.name(name);
            }
            let id = state.scene.add(placement).map_err(refused)?;
            state.ids.insert(id.number(), id);
            Ok(id.number())
        })
    }

    /// Moves a placement.
    fn set_matrix(&self, py: Python<'_>, number: u32, matrix: [[f64; 4]; 3]) -> PyResult<()> {
        self.change(py, |state| {
            let id = state.id(number)?;
            let matrix = PlacementMatrix::from_rows(matrix).map_err(refused)?;
            state.scene.set_matrix(id, matrix).map_err(refused)
        })
    }

    /// Removes a placement.
    fn remove(&self, py: Python<'_>, number: u32) -> PyResult<()> {
        self.change(py, |state| {
            let id = state.id(number)?;
            state.ids.remove(&number);
            state.scene.remove(id).map(drop).map_err(refused)
        })
    }

    /// Returns the number of placements.
    fn placement_count(&self, py: Python<'_>) -> PyResult<usize> {
        self.change(py, |state| Ok(state.scene.len()))
    }

    /// Returns the name of a placement.
    fn name(&self, py: Python<'_>, number: u32) -> PyResult<Option<String>> {
        self.change(py, |state| {
            let placement = state.scene.placement(state.id(number)?).map_err(refused)?;
            Ok(placement.get_name().map(str::to_owned))
        })
    }

    /// Returns the number of triangles, each counted as often as it is placed, the number of placements
    /// on the longest path, and the corners of a box around everything.
    fn facts(&self, py: Python<'_>) -> PyResult<Facts> {
        let snapshot = self.snapshot(py)?;
        py.detach(|| {
            let bounds = snapshot
                .bounds()
                .map(|corners| corners.map(|p| p.to_array()));
            Ok((snapshot.triangle_count(), snapshot.depth(), bounds))
        })
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
                    hit.map_or(NONE, |hit| step(&hit, level)),
                );
            }
        };
        let scene = self.snapshot(py)?;
        arguments.run(py, |call| {
            let (scene, batch) = (&*scene, options.batch(call));
            match rays.is_f64() {
                true => values((scene, In64(Closest)), &rays, batch, call, put),
                false => values((scene, Closest), &rays, batch, call, put),
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
        let scene = self.snapshot(py)?;
        arguments.run(py, |call| {
            let (scene, batch) = (&*scene, options.batch(call));
            match rays.is_f64() {
                true => values((scene, In64(Any)), &rays, batch, call, put),
                false => values((scene, Any), &rays, batch, call, put),
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
        let scene = self.snapshot(py)?;
        arguments.run(py, |call| {
            let (scene, batch) = (&*scene, options.batch(call));
            match (rays.is_f64(), crossings) {
                (true, true) => values((scene, In64(CountCrossings)), &rays, batch, call, put),
                (true, false) => values((scene, In64(Count)), &rays, batch, call, put),
                (false, true) => values((scene, CountCrossings), &rays, batch, call, put),
                (false, false) => values((scene, Count), &rays, batch, call, put),
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
        let scene = self.snapshot(py)?;
        let offsets = arguments.run(py, |call| {
            let k = (k, crossings);
            listed(&scene, &rays, options, k, max_hits, call, &mut found)
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

/// Returns a number of the path to a hit.
fn step(hit: &SceneHit, level: usize) -> i64 {
    let number = hit.path.numbers().get(level);
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
                .flat_map(|hit| (0..depth).map(|level| step(hit, level))),
        );
        Ok(())
    }
}

fn listed(
    scene: &SceneSnapshot,
    rays: &RayInput,
    options: RayOptions,
    (k, crossings): (Option<usize>, bool),
    most: Option<usize>,
    call: &Call,
    found: &mut Found,
) -> Result<Vec<i64>, Failure> {
    let batch = options.batch(call);
    let take = |hits: &[SceneHit]| found.add(hits);
    let offsets = match (rays.is_f64(), k) {
        (true, _) if crossings => lists((scene, In64(Crossings)), rays, batch, most, call, take),
        (true, Some(k)) => lists((scene, In64(FirstK(k))), rays, batch, most, call, take),
        (true, None) => lists((scene, In64(All)), rays, batch, most, call, take),
        (false, _) if crossings => lists((scene, Crossings), rays, batch, most, call, take),
        (false, Some(k)) => lists((scene, FirstK(k)), rays, batch, most, call, take),
        (false, None) => lists((scene, All), rays, batch, most, call, take),
    }?;
    Ok(offsets.0)
}
