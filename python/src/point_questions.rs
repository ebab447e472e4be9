//! Questions about what is near points, which trees and scenes answer, and about the points' side of the
//! surface of a tree or of the objects of a scene.

use crate::answer_arrays::{AnswerArrays, AnswerLists};
use crate::ask::{Asking, Source, values, write};
use crate::bvh::Bvh;
use crate::call::{Call, run_for};
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::lists;
use crate::names::{named, unknown};
use crate::point_input::PointInput;
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
use estoc_core::{IdOf, NearEngine, NearOf, PointKind, PointTest};
use numpy::PyUntypedArray;
use pyo3::prelude::*;

/// The tuple that the Python sources pass: the points; the largest distance; the rule by which points are
/// inside; the number of triangles of all points, for lists; the number of threads; what is called with the
/// progress.
#[derive(FromPyObject)]
pub(crate) struct PointArguments<'py>(
    Bound<'py, PyUntypedArray>,
    f32,
    String,
    Option<usize>,
    usize,
    Option<Bound<'py, PyAny>>,
);

/// A question, with what its answers are written to.
enum PointQuestion<'a> {
    Near(NearQuestion<'a>),
    Contains(SignRule, Column<bool>),
    SignedDistance(SignRule, Column<f32>),
    Winding(AnswerArrays),
    WindingEstimate(AnswerArrays),
}

/// A question that trees and scenes answer alike.
enum NearQuestion<'a> {
    Closest(f32, AnswerArrays),
    Distance(Column<f32>),
    Within(f32, &'a mut AnswerLists),
}

/// Answers a question of this name in `out`, or returns the offsets, numbers and paths of lists. A tree takes
/// the points in `f32`, relative to its origin, and a scene in `f64`. So does a tree whose origin is elsewhere in
/// the world, for what scenes answer.
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
    let mut found = AnswerLists::new(target.list_depth(py, &out), most_triangles);
    let question = match name {
        "closest_point" => {
            let out = match &target {
                Target::Tree(tree) if !tree.get().has_origin() => {
                    AnswerArrays::of::<ClosestPoint>(&out, count)
                }
                _ => AnswerArrays::of::<SceneClosestPoint>(&out, count),
            };
            PointQuestion::Near(NearQuestion::Closest(most, out?))
        }
        "distance" => PointQuestion::Near(NearQuestion::Distance(Column::of(&out, count)?)),
        "within" => PointQuestion::Near(NearQuestion::Within(most, &mut found)),
        "contains" => PointQuestion::Contains(rule, Column::of(&out, count)?),
        "signed_distance" => PointQuestion::SignedDistance(rule, Column::of(&out, count)?),
        "winding_number" => PointQuestion::Winding(AnswerArrays::of::<Winding>(&out, count)?),
        "winding_estimate" => {
            PointQuestion::WindingEstimate(AnswerArrays::of::<WindingEstimate>(&out, count)?)
        }
        _ => return Err(unknown(name)),
    };
    let items = match &question {
        PointQuestion::Near(NearQuestion::Closest(..) | NearQuestion::Distance(_)) => count,
        // A list may be long, and what is asked about the whole surface first takes a pass over it.
        _ => usize::MAX,
    };
    let world = match &target {
        Target::Tree(tree) if tree.get().has_origin() => Some(tree.get().world(py)?),
        _ => None,
    };
    run_for(
        py,
        (items, threads),
        progress.as_ref(),
        |call| match &target {
            Target::Tree(tree) => {
                let tree = (tree.get(), world.as_deref());
                of_tree(tree, question, &points, call)
            }
            Target::Scene(scene) => of_scene(&scene.get().scene, question, &points, call),
        },
    )?;
    found.into_arrays(py)
}

/// Answers a question about a tree; with the scene of it in the world, if it has an origin.
fn of_tree(
    (tree, world): (&Bvh, Option<&SceneSnapshot>),
    question: PointQuestion<'_>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure> {
    let bvh = &*tree.bvh;
    let asking = &Asking::from(Batch::new().cancel(&call.cancel));
    match (question, world) {
        (PointQuestion::Near(near), Some(world)) => of_near::<DVec3, _>(world, near, points, call),
        (question @ PointQuestion::Contains(SignRule::Parity, _), Some(world)) => {
            tree.check_inside(SignRule::Parity)?;
            of_scene(world, question, points, call)
        }
        (PointQuestion::SignedDistance(rule, out), _) => {
            tree.check_inside(rule)?;
            let put = |place, found: &Option<SignedDistance>| {
                out.put(place, found.map_or(f32::INFINITY, |found| found.signed));
            };
            values((bvh, SignedDistanceBy(rule)), points, asking, call, put)
        }
        (PointQuestion::Contains(rule, out), _) => {
            tree.check_inside(rule)?;
            let put = |place, inside: &Option<bool>| out.put(place, *inside == Some(true));
            values((bvh, ContainsBy(rule)), points, asking, call, put)
        }
        (PointQuestion::Winding(out), _) => {
            tree.check_inside(SignRule::WindingNumber)?;
            write((bvh, WindingNumber), points, asking, call, &out)
        }
        (PointQuestion::WindingEstimate(out), _) => {
            tree.see_clusters()?;
            let put = |place, estimate: &WindingEstimate| out.put(place, Some(estimate));
            values((bvh, EstimatedWinding), points, asking, call, put)
        }
        (PointQuestion::Near(near), _) => of_near::<Vec3, _>(bvh, near, points, call),
    }
}

fn of_scene(
    scene: &SceneSnapshot,
    question: PointQuestion<'_>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure> {
    match question {
        PointQuestion::Near(near) => of_near::<DVec3, _>(scene, near, points, call),
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

fn of_near<V, E>(
    engine: &E,
    question: NearQuestion<'_>,
    points: &PointInput,
    call: &Call,
) -> Result<(), Failure>
where
    V: PointKind + OfNumbers,
    E: NearEngine<V> + Sync,
    NearOf<E>: PointTest<V, ClosestAnswer: Record, Id: Record, Length = f32>,
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
            let put = |place, distance: &Option<f32>| {
                out.put(place, distance.unwrap_or(f32::INFINITY));
            };
            values((engine, Distance), points, asking, call, put)
        }
    }
}
