//! Questions about rays, which trees and scenes answer.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Source, values, write};
use crate::call::{Call, run};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::ray_input::RayInput;
use crate::target::Target;
use estoc::engine::HitOf;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, FirstK};
use estoc::scene::Ray64;
use estoc::{Batch, Cull, Hit, QueryOptions, Ray};
use estoc_batch::{Item, Record};
use estoc_core::{IdOf, RayEngine, RayKind};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The tuple that the Python sources pass: the rays, or the origins and the directions; t_min and
/// t_max; the sides that are culled; the mask; the number of threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct RayArguments<'py>(
    Bound<'py, PyUntypedArray>,
    Option<Bound<'py, PyUntypedArray>>,
    f32,
    f32,
    Option<String>,
    u32,
    usize,
    Option<Bound<'py, PyAny>>,
);

/// A question, with what its answers are written to.
enum RayQuestion<'a> {
    Closest(AnswerArrays),
    Any(Column<bool>),
    Count(Column<i64>),
    CountCrossings(Column<i64>),
    All(&'a mut AnswerLists),
    FirstK(usize, &'a mut AnswerLists),
    Crossings(&'a mut AnswerLists),
}

impl RayArguments<'_> {
    /// Returns the rays.
    fn rays(&self) -> PyResult<RayInput> {
        let RayArguments(rays, dirs, t_min, t_max, ..) = self;
        RayInput::of(rays, dirs.as_ref(), *t_min, *t_max)
    }

    /// Asks about the rays. A tree takes them in `f32`, to which `f64` is rounded, and a scene as they are.
    fn ask(
        &self,
        py: Python<'_>,
        target: &Target,
        rays: &RayInput,
        question: RayQuestion<'_>,
    ) -> PyResult<()> {
        let RayArguments(_, _, _, _, sides, mask, threads, progress) = self;
        let options = (cull(sides.as_deref())?, *mask);
        run(py, *threads, progress.as_ref(), |call| match target {
            Target::Tree(bvh) => answer::<Ray, _>(&**bvh, question, rays, options, call),
            Target::Scene(scene) if rays.is_f64() => {
                answer::<Ray64, _>(&**scene, question, rays, options, call)
            }
            Target::Scene(scene) => answer::<Ray, _>(&**scene, question, rays, options, call),
        })
    }
}

/// Parses the name of the sides that are culled.
fn cull(name: Option<&str>) -> PyResult<Cull> {
    match name {
        None | Some("none") => Ok(Cull::None),
        Some("back") => Ok(Cull::Back),
        Some("front") => Ok(Cull::Front),
        Some(other) => Err(PyValueError::new_err(format!(
            "cull is {other:?}; it must be \"back\", \"front\" or None"
        ))),
    }
}

fn answer<R, E>(
    engine: &E,
    question: RayQuestion<'_>,
    rays: &RayInput,
    (cull, mask): (Cull, u32),
    call: &Call,
) -> Result<(), Failure>
where
    R: RayKind + Item,
    E: RayEngine<R> + Sync,
    IdOf<E>: Copy,
    HitOf<E>: Record,
    RayInput: Source<R>,
{
    let options = QueryOptions::default().cull(cull).mask(mask);
    let batch = Batch::new().options(options).cancel(&call.cancel);
    match question {
        RayQuestion::Closest(out) => write((engine, Closest), rays, batch, call, &out),
        RayQuestion::Any(out) => {
            let put = |place, &hit: &bool| out.put(place, hit);
            values((engine, Any), rays, batch, call, put)
        }
        RayQuestion::Count(out) => {
            let put = |place, &count: &usize| out.put(place, count as i64);
            values((engine, Count), rays, batch, call, put)
        }
        RayQuestion::CountCrossings(out) => {
            let put = |place, &count: &usize| out.put(place, count as i64);
            values((engine, CountCrossings), rays, batch, call, put)
        }
        RayQuestion::All(to) => lists((engine, All), rays, batch, call, to),
        RayQuestion::FirstK(k, to) => lists((engine, FirstK(k)), rays, batch, call, to),
        RayQuestion::Crossings(to) => lists((engine, Crossings), rays, batch, call, to),
    }
}

/// Writes the first hit of each ray.
#[pyfunction]
pub(crate) fn closest_hit(
    py: Python<'_>,
    target: Target,
    arguments: RayArguments<'_>,
    out: Bound<'_, PyDict>,
) -> PyResult<()> {
    let rays = arguments.rays()?;
    // Those of a scene have the same columns.
    let out = AnswerArrays::of::<Hit>(&out, rays.len())?;
    arguments.ask(py, &target, &rays, RayQuestion::Closest(out))
}

/// Writes whether each ray hits anything.
#[pyfunction]
pub(crate) fn any_hit(
    py: Python<'_>,
    target: Target,
    arguments: RayArguments<'_>,
    out: Bound<'_, PyAny>,
) -> PyResult<()> {
    let rays = arguments.rays()?;
    let out = Column::of(&out, rays.len())?;
    arguments.ask(py, &target, &rays, RayQuestion::Any(out))
}

/// Writes the number of triangles that each ray touches, or of its crossings of surfaces.
#[pyfunction]
pub(crate) fn count(
    py: Python<'_>,
    target: Target,
    arguments: RayArguments<'_>,
    crossings: bool,
    out: Bound<'_, PyAny>,
) -> PyResult<()> {
    let rays = arguments.rays()?;
    let out = Column::of(&out, rays.len())?;
    let question = match crossings {
        true => RayQuestion::CountCrossings(out),
        false => RayQuestion::Count(out),
    };
    arguments.ask(py, &target, &rays, question)
}

/// Returns the offsets, columns and paths of lists of hits: all, the first `k`, or the crossings.
#[pyfunction]
pub(crate) fn hit_lists<'py>(
    py: Python<'py>,
    target: Target,
    arguments: RayArguments<'_>,
    crossings: bool,
    k: Option<usize>,
    max_hits: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let rays = arguments.rays()?;
    // Those of a scene have the same columns, and a path.
    let mut hits = AnswerLists::of::<Hit>(target.path_len(py), max_hits);
    let question = match k {
        _ if crossings => RayQuestion::Crossings(&mut hits),
        Some(k) => RayQuestion::FirstK(k, &mut hits),
        None => RayQuestion::All(&mut hits),
    };
    arguments.ask(py, &target, &rays, question)?;
    hits.into_arrays(py)
}
