//! Questions about what is near points, which trees and scenes answer, and about the points' side of the
//! surface of a tree or of the objects of a scene.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Asking, Source, values, write};
use crate::bvh::Bvh;
use crate::call::{Call, run_for};
use crate::column::{Column, Stored};
use crate::failure::Failure;
use crate::lists::lists;
use crate::names::{named, unknown};
use crate::point_input::PointInput;
use crate::precision::Precision;
use crate::target::Target;
use crate::whole_surface::check_room_for_solids;
use estoc::glam::{DVec3, Vec3};
use estoc::query::{
    ClosestPoint, ClosestPointWithin, Contains, ContainsBy, Distance, EstimatedWinding, SignRule,
    SignedDistance, SignedDistanceBy, Winding, WindingEstimate, WindingNumber, Within,
};
use estoc::scene::{SceneClosestPoint, SceneSnapshot};
use estoc::{Batch, RayQuery};
use estoc_batch::{OfNumbers, Record};
use estoc_core::{IdOf, Length, NearEngine, NearOf, PointEngine, PointKind, PointTest};
use numpy::{Element, PyUntypedArray};
use pyo3::prelude::*;
use std::ops::Neg;

/// The tuple that the Python sources pass: the points; the largest distance; the rule by which points are
/// inside; the number of triangles of all points, for lists; the number of threads; what is called with the
/// progress.
#[derive(FromPyObject)]
pub(crate) struct PointArguments<'py>(
    Bound<'py, PyUntypedArray>,
    f64,
    String,
    Option<usize>,
    usize,
    Option<Bound<'py, PyAny>>,
);

/// A question, with what its answers are written to; distances are of the type `D`.
enum PointQuestion<'a, D> {
    Near(NearQuestion<'a, D>),
    Contains(SignRule, Column<bool>),
    SignedDistance(SignRule, Column<D>),
    Winding(AnswerArrays),
    WindingEstimate(AnswerArrays),
}

/// A question that trees and scenes answer alike.
enum NearQuestion<'a, D> {
    Closest(D, AnswerArrays),
    Distance(Column<D>),
    Within(D, &'a mut AnswerLists),
}

/// A type of distances.
trait Distances: Length + Stored + Element {}

impl<D: Length + Stored + Element> Distances for D {}

/// What is asked, beside the points.
struct Given<'a, 'py> {
    name: &'a str,
    /// The number of points.
    count: usize,
    most: f64,
    rule: SignRule,
    out: &'a Bound<'py, PyAny>,
}

impl Given<'_, '_> {
    /// Returns the question; `closest` takes the arrays for closest points, and `found` is for lists.
    fn question<'a, D: Distances>(
        &self,
        closest: fn(&Bound<'_, PyAny>, usize) -> PyResult<AnswerArrays>,
        found: &'a mut AnswerLists,
    ) -> PyResult<PointQuestion<'a, D>> {
        let (out, count, rule, most) = (self.out, self.count, self.rule, D::of(self.most));
        Ok(match self.name {
            "closest_point" => {
                PointQuestion::Near(NearQuestion::Closest(most, closest(out, count)?))
            }
            "distance" => PointQuestion::Near(NearQuestion::Distance(Column::of(out, count)?)),
            "within" => PointQuestion::Near(NearQuestion::Within(most, found)),
            "contains" => PointQuestion::Contains(rule, Column::of(out, count)?),
            "signed_distance" => PointQuestion::SignedDistance(rule, Column::of(out, count)?),
            "winding_number" => PointQuestion::Winding(AnswerArrays::of::<Winding>(out, count)?),
            "winding_estimate" => {
                PointQuestion::WindingEstimate(AnswerArrays::of::<WindingEstimate>(out, count)?)
            }
            _ => return Err(unknown(self.name)),
        })
    }
}

/// Answers a question of this name in `out`, or returns the offsets, numbers and paths of lists. A tree in `f32` takes
/// the points so, relative to its origin; a tree in `f64` and a scene in `f64`. So does a tree whose origin is elsewhere
/// in the world, for what scenes answer.
#[pyfunction]
pub(crate) fn ask_points<'py>(
    py: Python<'py>,
    target: Target,
    name: &str,
    arguments: PointArguments<'_>,
    out: Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let PointArguments(points, most, rule, most_triangles, threads, progress) = arguments;
    let (points, rule) = (PointInput::of(&points, target.origin())?, named(&rule)?);
    let count = points.len();
    let given = Given {
        name,
        count,
        most,
        rule,
        out: &out,
    };
    let mut found = AnswerLists::new(target.list_depth(py, &out), most_triangles);
    let (to, how) = (&mut found, (count, threads, progress.as_ref()));
    match &target {
        Target::Scene(scene) => {
            let question = given.question(AnswerArrays::of::<SceneClosestPoint>, to)?;
            answer(py, question, how, |question, call| {
                of_scene(&scene.get().scene, question, &points, call)
            })?;
        }
        Target::Tree(tree) => match (tree.get(), &tree.get().bvh) {
            (tree, Precision::F64(bvh)) => {
                let question = given.question(AnswerArrays::of::<ClosestPoint<f64>>, to)?;
                answer(py, question, how, |question, call| {
                    of_mesh::<DVec3, _>((tree, bvh), question, &points, call)
                })?;
            }
            (tree, Precision::F32(bvh)) => {
                let world = tree.has_origin().then(|| tree.world(py)).transpose()?;
                let closest = match world {
                    Some(_) => AnswerArrays::of::<SceneClosestPoint>,
                    None => AnswerArrays::of::<ClosestPoint>,
                };
                let question = given.question(closest, to)?;
                answer(py, question, how, |question, call| {
                    of_tree((tree, bvh), world.as_deref(), question, &points, call)
                })?;
            }
        },
    }
    found.into_arrays(py)
}

/// Answers a question by `work`, for a number of points, with a number of threads, and tells the progress.
fn answer<'a, D: Distances>(
    py: Python<'_>,
    question: PointQuestion<'a, D>,
    (count, threads, progress): (usize, usize, Option<&Bound<'_, PyAny>>),
    work: impl FnOnce(PointQuestion<'a, D>, &Call) -> Result<(), Failure> + Send,
) -> PyResult<()> {
    let items = match &question {
        PointQuestion::Near(NearQuestion::Closest(..) | NearQuestion::Distance(_)) => count,
        // A list may be long, and what is asked about the whole surface first takes a pass over it.
        _ => usize::MAX,
    };
    run_for(py, (items, threads), progress, |call| work(question, call))
}

/// Answers a question about a tree in `f32`; with the scene of it in the world, if it has an origin.
fn of_tree(
    (tree, bvh): (&Bvh, &estoc::Bvh),
    world: Option<&SceneSnapshot>,
    question: PointQuestion<'_, f32>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure> {
    match (question, world) {
        (PointQuestion::Near(near), Some(world)) => {
            of_near::<_, DVec3, _>(world, near, points, call)
        }
        (question @ PointQuestion::Contains(SignRule::Parity, _), Some(world)) => {
            tree.check_inside(SignRule::Parity)?;
            of_scene(world, question, points, call)
        }
        (question, _) => of_mesh::<Vec3, _>((tree, bvh), question, points, call),
    }
}

/// Answers a question about the triangles of a tree.
fn of_mesh<V, E>(
    (tree, bvh): (&Bvh, &E),
    question: PointQuestion<'_, V::Coordinate>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure>
where
    V: PointKind<Coordinate: Distances + Neg<Output = V::Coordinate>> + OfNumbers,
    E: PointEngine<V> + Sync,
    NearOf<E>: PointTest<V, ClosestAnswer: Record, Id: Record, Length = V::Coordinate>,
    PointInput: Source<V>,
{
    let asking = &Asking::from(Batch::new().cancel(&call.cancel));
    match question {
        PointQuestion::Near(near) => of_near(bvh, near, points, call),
        PointQuestion::SignedDistance(rule, out) => {
            tree.check_inside(rule)?;
            let put = |place, found: &Option<SignedDistance<V::Coordinate>>| {
                out.put(place, found.map_or(Length::INFINITY, |found| found.signed));
            };
            values((bvh, SignedDistanceBy(rule)), points, asking, call, put)
        }
        PointQuestion::Contains(rule, out) => {
            tree.check_inside(rule)?;
            let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
            values((bvh, ContainsBy(rule)), points, asking, call, put)
        }
        PointQuestion::Winding(out) => {
            tree.check_inside(SignRule::WindingNumber)?;
            write((bvh, WindingNumber), points, asking, call, &out)
        }
        PointQuestion::WindingEstimate(out) => {
            tree.see_clusters()?;
            let put = |place, estimate: &WindingEstimate| out.put(place, Some(estimate));
            values((bvh, EstimatedWinding), points, asking, call, put)
        }
    }
}

fn of_scene(
    scene: &SceneSnapshot,
    question: PointQuestion<'_, f32>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure> {
    match question {
        PointQuestion::Near(near) => of_near::<_, DVec3, _>(scene, near, points, call),
        PointQuestion::Contains(_, out) => {
            check_room_for_solids(scene)?;
            // It has an answer for all points or for none.
            if scene.contains_64(DVec3::ZERO).is_none() {
                return Err(raised(
                    "no object of the scene is closed, so nothing is inside; mend a mesh",
                ));
            }
            let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
            let asking = &Asking::from(Batch::new().cancel(&call.cancel));
            values::<_, _, DVec3>((scene, Contains), points, asking, call, put)
        }
        PointQuestion::SignedDistance(..)
        | PointQuestion::Winding(_)
        | PointQuestion::WindingEstimate(_) => Err(raised("the surface of a scene has no sides")),
    }
}

fn raised(message: &str) -> Failure {
    Failure::Raised("SurfaceError", message.to_owned())
}

fn of_near<D, V, E>(
    engine: &E,
    question: NearQuestion<'_, D>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure>
where
    D: Distances,
    V: PointKind + OfNumbers,
    E: NearEngine<V> + Sync,
    NearOf<E>: PointTest<V, ClosestAnswer: Record, Id: Record, Length = D>,
    IdOf<E>: Copy,
    PointInput: Source<V>,
{
    let asking = &Asking::from(Batch::new().cancel(&call.cancel));
    match question {
        NearQuestion::Closest(most, out) => {
            let question = ClosestPointWithin(most);
            write((engine, question), points, asking, call, &out)
        }
        NearQuestion::Within(most, to) => lists((engine, Within(most)), points, asking, call, to),
        NearQuestion::Distance(out) => {
            let put = |place, distance: &Option<D>| {
                out.put(place, distance.unwrap_or(D::INFINITY));
            };
            values((engine, Distance), points, asking, call, put)
        }
    }
}
