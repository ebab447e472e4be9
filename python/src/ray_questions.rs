//! Questions about rays, which trees and scenes answer.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Asking, Source, values, write};
use crate::call::{Call, run, run_for};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::names::{named, unknown};
use crate::precision::Precision;
use crate::ray_input::{RayArrays, RayInput};
use crate::ray_options::{OptionArrays, RayOptions, TriangleId};
use crate::scene::refused;
use crate::target::Target;
use estoc::engine::HitOf;
use estoc::query::{All, Any, Closest, Count, CountCrossings, Crossings, Distinct, FirstK};
use estoc::scene::{Ray64, SceneSnapshot, SphereThickness};
use estoc::{Batch, Cull, Hit, QueryOptions, Ray};
use estoc_batch::{OfNumbers, Record};
use estoc_core::{IdOf, RayEngine, RayKind};
use pyo3::prelude::*;
use std::sync::Arc;

/// The tuple that the Python sources pass: the rays; the options of each; t_min and t_max; the sides that are
/// culled; the mask; whether hits at t_min and t_max are left out; the number of hits of each ray and of all, for
/// lists; the number of threads; what is called with the progress.
#[derive(FromPyObject)]
pub(crate) struct RayArguments<'py>(
    RayArrays<'py>,
    OptionArrays<'py>,
    f64,
    f64,
    Option<String>,
    u32,
    bool,
    Option<usize>,
    Option<usize>,
    usize,
    Option<Bound<'py, PyAny>>,
);

/// The most hits of a call that is answered where it is made, if its rays hit all triangles.
const LONG: usize = 1 << 20;

/// A question, with what its answers are written to.
enum RayQuestion<'a> {
    Closest(AnswerArrays),
    Any(Column<bool>),
    Count(Column<i64>),
    CountCrossings(Column<i64>),
    All(&'a mut AnswerLists),
    FirstK(usize, &'a mut AnswerLists),
    Crossings(&'a mut AnswerLists),
    Distinct(&'a mut AnswerLists),
}

/// What answers about rays.
enum Asked<'a> {
    Tree(&'a estoc::Bvh),
    Wide(&'a estoc::Bvh<f64>),
    Scene(Arc<SceneSnapshot>),
}

/// Answers a question of this name in `out`, or returns the offsets, columns and paths of lists.
///
/// A scene takes the rays as they are. So does a tree in `f64`, and one whose origin is elsewhere in the world; another
/// one takes them in `f32`, to which `f64` is rounded, but not their bounds.
#[pyfunction]
pub(crate) fn ask_rays<'py>(
    py: Python<'py>,
    target: Target,
    name: &str,
    arguments: RayArguments<'_>,
    out: Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let RayArguments(rays, each, t_min, t_max, sides, mask, open, k, most, threads, progress) =
        arguments;
    let mut rays = RayInput::of(&rays, t_min, t_max)?;
    let count = rays.len();
    let each = RayOptions::of(&each, count)?;
    rays.has_options = each.is_some();
    rays.is_rounded = match &target {
        Target::Tree(tree) => !tree.get().has_origin() && tree.get().wide().is_none(),
        Target::Scene(_) => false,
    };
    let mut hits = AnswerLists::new(target.list_depth(py, &out), most);
    let question = match (name, k) {
        ("closest_hit", _) => RayQuestion::Closest(match target.wide() {
            Some(_) => AnswerArrays::of::<Hit<f64>>(&out, count)?,
            // Hits of a scene have the columns of those of a tree, and a path.
            None => AnswerArrays::of::<Hit>(&out, count)?,
        }),
        ("any_hit", _) => RayQuestion::Any(Column::of(&out, count)?),
        ("count_hits", _) => RayQuestion::Count(Column::of(&out, count)?),
        ("count_crossings", _) => RayQuestion::CountCrossings(Column::of(&out, count)?),
        ("all_hits", None) => RayQuestion::All(&mut hits),
        ("all_hits", Some(k)) => RayQuestion::FirstK(k, &mut hits),
        ("crossings", _) => RayQuestion::Crossings(&mut hits),
        ("distinct_hits", _) => RayQuestion::Distinct(&mut hits),
        _ => return Err(unknown(name)),
    };
    let how = How {
        cull: named(sides.as_deref().unwrap_or("none"))?,
        mask,
        open_ends: open,
        each: each.as_ref(),
        triangles: target.triangle_count(),
    };
    let has_wide_bounds = py.detach(|| rays.has_wide_bounds());
    let asked = match &target {
        Target::Scene(scene) => Asked::Scene(scene.get().scene.clone()),
        Target::Tree(tree) => match &tree.get().bvh {
            Precision::F64(bvh) => Asked::Wide(bvh),
            Precision::F32(_) if tree.get().has_origin() || has_wide_bounds => {
                Asked::Scene(tree.get().world(py)?)
            }
            Precision::F32(bvh) => Asked::Tree(bvh),
        },
    };
    let answers = |call: &Call| match &asked {
        Asked::Tree(bvh) => answer::<Ray, _>(*bvh, question, &rays, &how, call),
        Asked::Wide(bvh) => answer::<Ray64, _>(*bvh, question, &rays, &how, call),
        Asked::Scene(scene) if has_wide_bounds || rays.is_f64() => {
            answer::<Ray64, _>(&**scene, question, &rays, &how, call)
        }
        Asked::Scene(scene) => answer::<Ray, _>(&**scene, question, &rays, &how, call),
    };
    // A list may be long.
    let items = match out.is_none() && count.saturating_mul(target.face_count()) > LONG {
        true => usize::MAX,
        false => count,
    };
    run_for(py, (items, threads), progress.as_ref(), answers)?;
    hits.into_arrays(py)
}

/// The points and directions, the slack, the number of threads and the progress.
#[derive(FromPyObject)]
pub(crate) struct ThicknessArguments<'py>(RayArrays<'py>, f64, usize, Option<Bound<'py, PyAny>>);

/// Writes the diameter of the largest sphere at each point, straight in, to `out`; NaN for undefined ones. Points at
/// a tree are relative to its origin.
#[pyfunction]
pub(crate) fn sphere_thickness<'py>(
    py: Python<'py>,
    target: Target,
    _name: &str,
    arguments: ThicknessArguments<'py>,
    out: Bound<'py, PyAny>,
) -> PyResult<()> {
    let ThicknessArguments(points, slack, threads, progress) = arguments;
    let surface = match &target {
        Target::Tree(tree) => match &tree.get().bvh {
            Precision::F32(bvh) => Ok(bvh),
            Precision::F64(_) => Err(tree.get().world(py)?),
        },
        Target::Scene(scene) => Err(scene.get().scene.clone()),
    };
    let points = &RayInput::of(&points, 0.0, f64::INFINITY)?;
    let out = Column::<f64>::of(&out, points.len())?;
    run(py, threads, progress.as_ref(), |call| {
        let scene = match surface {
            Ok(tree) => SceneSnapshot::of_mesh(tree.clone()).map_err(refused)?,
            Err(scene) => scene,
        };
        let put = |place, diameter: &Option<f64>| out.put(place, diameter.unwrap_or(f64::NAN));
        let batch = Batch::new().cancel(&call.cancel);
        let question = SphereThickness { slack };
        values((&*scene, question), points, &batch.into(), call, put)
    })
}

/// The options of rays.
struct How<'a> {
    cull: Cull,
    mask: u32,
    open_ends: bool,
    each: Option<&'a RayOptions>,
    /// The number of triangles that there are at most.
    triangles: usize,
}

fn answer<R, E>(
    engine: &E,
    question: RayQuestion<'_>,
    rays: &RayInput,
    how: &How<'_>,
    call: &Call,
) -> Result<(), Failure>
where
    R: RayKind + OfNumbers,
    E: RayEngine<R> + Sync,
    IdOf<E>: TriangleId,
    HitOf<E>: Record,
    RayInput: Source<R>,
{
    let options = QueryOptions::default().cull(how.cull).mask(how.mask);
    let options = options.open_ends(how.open_ends);
    let read = |range, to: &mut _| match how.each {
        Some(each) => each.read(range, (options, how.triangles), to),
        None => Ok(()),
    };
    let asking = &Asking {
        batch: Batch::new().options(options).cancel(&call.cancel),
        each: how.each.map(|_| &read as _),
    };
    match question {
        RayQuestion::Closest(out) => write((engine, Closest), rays, asking, call, &out),
        RayQuestion::Any(out) => {
            let put = |place, &hit: &bool| out.put(place, hit);
            values((engine, Any), rays, asking, call, put)
        }
        RayQuestion::Count(out) => {
            let put = |place, &count: &usize| out.put(place, count as i64);
            values((engine, Count), rays, asking, call, put)
        }
        RayQuestion::CountCrossings(out) => {
            let put = |place, &count: &usize| out.put(place, count as i64);
            values((engine, CountCrossings), rays, asking, call, put)
        }
        RayQuestion::All(to) => lists((engine, All), rays, asking, call, to),
        RayQuestion::FirstK(k, to) => lists((engine, FirstK(k)), rays, asking, call, to),
        RayQuestion::Crossings(to) => lists((engine, Crossings), rays, asking, call, to),
        RayQuestion::Distinct(to) => lists((engine, Distinct), rays, asking, call, to),
    }
}
