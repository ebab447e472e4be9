//! Questions about what is near points, which trees and scenes answer, and about the points' side of the
//! surface of a tree or of the objects of a scene.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Source, values, write};
use crate::bvh::Bvh;
use crate::call::{Call, run};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::point_input::PointInput;
use crate::scene_snapshot::SceneSnapshot;
use crate::target::Target;
use crate::whole_surface::check_room_for_solids;
use estoc::glam::{DVec3, Vec3};
use estoc::query::{
    ClosestPoint, ClosestPointWithin, Contains, ContainsBy, Distance, EstimatedWinding, SignRule,
    SignedDistance, SignedDistanceBy, Winding, WindingEstimate, WindingNumber, Within,
};
use estoc::scene::SceneClosestPoint;
use estoc::{Batch, PrimId, RayQuery};
use estoc_batch::{Item, Record};
use estoc_core::{IdOf, NearEngine, PointKind};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The tuple that the Python sources pass: the points, the number of threads, what is called with the
/// progress.
#[derive(FromPyObject)]
pub(crate) struct PointArguments<'py>(Bound<'py, PyUntypedArray>, usize, Option<Bound<'py, PyAny>>);

impl PointArguments<'_> {
    /// Returns the points.
    fn points(&self) -> PyResult<PointInput> {
        PointInput::of(&self.0)
    }

    /// Does the work of a call, without the interpreter's lock.
    fn run<T: Send, I: Copy>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Call, Batch<'_, I>) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let PointArguments(_, threads, progress) = self;
        run(py, *threads, progress.as_ref(), |call| {
            work(call, Batch::new().cancel(&call.cancel))
        })
    }

    /// Asks about what is near the points. A tree takes them in `f32`, and a scene in `f64`.
    fn ask(
        &self,
        py: Python<'_>,
        target: &Target,
        points: &PointInput,
        question: PointQuestion<'_>,
    ) -> PyResult<()> {
        match target {
            Target::Tree(bvh) => self.run(py, |call, batch| {
                answer::<Vec3, _>(&**bvh, question, points, batch, call)
            }),
            Target::Scene(scene) => self.run(py, |call, batch| {
                answer::<DVec3, _>(&**scene, question, points, batch, call)
            }),
        }
    }
}

/// A question about what is near points, with what its answers are written to.
enum PointQuestion<'a> {
    Closest(f32, AnswerArrays),
    Distance(Column<f32>),
    Within(f32, &'a mut AnswerLists),
}

fn answer<V, E>(
    engine: &E,
    question: PointQuestion<'_>,
    points: &PointInput,
    batch: Batch<'_, IdOf<E>>,
    call: &Call,
) -> Result<(), Failure>
where
    V: PointKind<Closest: Record, Id: Record> + Item,
    E: NearEngine<V> + Sync,
    IdOf<E>: Copy,
    PointInput: Source<V>,
{
    match question {
        PointQuestion::Closest(most, out) => write(
            (engine, ClosestPointWithin(most)),
            points,
            batch,
            call,
            &out,
        ),
        PointQuestion::Distance(out) => {
            let put = |place, distance: &Option<f32>| {
                out.put(place, distance.unwrap_or(f32::INFINITY));
            };
            values((engine, Distance), points, batch, call, put)
        }
        PointQuestion::Within(most, to) => lists((engine, Within(most)), points, batch, call, to),
    }
}

/// Writes the closest point of each point, if it is near enough.
#[pyfunction]
pub(crate) fn closest_point(
    py: Python<'_>,
    target: Target,
    arguments: PointArguments<'_>,
    most: f32,
    out: Bound<'_, PyDict>,
) -> PyResult<()> {
    let points = arguments.points()?;
    let out = match target {
        Target::Tree(_) => AnswerArrays::of::<ClosestPoint>(&out, points.len()),
        Target::Scene(_) => AnswerArrays::of::<SceneClosestPoint>(&out, points.len()),
    };
    arguments.ask(py, &target, &points, PointQuestion::Closest(most, out?))
}

/// Writes the distance of each point.
#[pyfunction]
pub(crate) fn distance(
    py: Python<'_>,
    target: Target,
    arguments: PointArguments<'_>,
    out: Bound<'_, PyAny>,
) -> PyResult<()> {
    let points = arguments.points()?;
    let out = Column::of(&out, points.len())?;
    arguments.ask(py, &target, &points, PointQuestion::Distance(out))
}

/// Returns the offsets, numbers and paths of the triangles within a distance of each point.
#[pyfunction]
pub(crate) fn within<'py>(
    py: Python<'py>,
    target: Target,
    arguments: PointArguments<'_>,
    most: f32,
    max_hits: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let points = arguments.points()?;
    // Those of a scene have the same column, and a path.
    let mut found = AnswerLists::of::<PrimId>(target.path_len(py), max_hits);
    let question = PointQuestion::Within(most, &mut found);
    arguments.ask(py, &target, &points, question)?;
    found.into_arrays(py)
}

fn sign_rule(name: &str) -> PyResult<SignRule> {
    match name {
        "parity" => Ok(SignRule::Parity),
        "winding_number" => Ok(SignRule::WindingNumber),
        "winding_estimate" => Ok(SignRule::WindingEstimate),
        _ => Err(PyValueError::new_err(format!(
            "rule is {name:?}; it must be \"parity\", \"winding_number\" or \"winding_estimate\""
        ))),
    }
}

#[pymethods]
impl Bvh {
    /// Writes the distance of each point, negative inside.
    fn signed_distance(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        rule: &str,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let question = SignedDistanceBy(sign_rule(rule)?);
        let out = Column::<f32>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(question.0)?;
            let put = |place, found: &Option<SignedDistance>| {
                out.put(place, found.map_or(f32::INFINITY, |found| found.signed));
            };
            values((&*self.bvh, question), &points, batch, call, put)
        })
    }

    /// Writes whether each point is inside by a rule.
    fn contains(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        rule: &str,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let question = ContainsBy(sign_rule(rule)?);
        let out = Column::<bool>::of(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(question.0)?;
            let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
            values((&*self.bvh, question), &points, batch, call, put)
        })
    }

    /// Writes how often the surface winds around each point, and whether the point is on it.
    fn winding_number(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::of::<Winding>(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.check_inside(SignRule::WindingNumber)?;
            write((&*self.bvh, WindingNumber), &points, batch, call, &out)
        })
    }

    /// Writes an estimate of the winding number of each point, and a bound of its error.
    fn winding_estimate(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = AnswerArrays::of::<WindingEstimate>(&out, points.len())?;
        arguments.run(py, |call, batch| {
            self.see_clusters()?;
            let put = |place, estimate: &WindingEstimate| out.put(place, Some(estimate));
            values((&*self.bvh, EstimatedWinding), &points, batch, call, put)
        })
    }
}

#[pymethods]
impl SceneSnapshot {
    /// Writes whether each point is inside an object.
    fn contains(
        &self,
        py: Python<'_>,
        arguments: PointArguments<'_>,
        out: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let points = arguments.points()?;
        let out = Column::<bool>::of(&out, points.len())?;
        let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
        arguments.run(py, |call, batch| {
            check_room_for_solids(&self.scene)?;
            // It has an answer for all points or for none.
            if self.scene.contains_64(DVec3::ZERO).is_none() {
                let message = "no object of the scene is closed, so nothing is inside; mend a mesh";
                return Err(Failure::Raised("SurfaceError", message.into()));
            }
            values::<_, _, DVec3>((&*self.scene, Contains), &points, batch, call, put)
        })
    }
}
