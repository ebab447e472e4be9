//! The functions that ask about points.

use crate::call::{bad, call, given, room};
use crate::handles::{estoc_lists, estoc_world, give};
use crate::hits::{ESTOC_MAX_DEPTH, ESTOC_NONE, estoc_triangle};
use crate::numbers::{ESTOC_F64, ESTOC_I32, ESTOC_U32};
use crate::outputs::{estoc_output, estoc_outputs};
use crate::point_questions::{PointLists, PointValues, Points};
use crate::points::{PointInput, estoc_points};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, estoc_status};
use crate::world::World;
use estoc_core::SignRule;
use std::mem::MaybeUninit;

/// What decides whether a point is inside: one of the constants `ESTOC_RULE_PARITY` to `ESTOC_RULE_ESTIMATE`.
pub type estoc_rule = i32;
/// A ray to the outside crosses the surface an odd number of times, exactly. The mesh must be closed.
pub const ESTOC_RULE_PARITY: estoc_rule = 0;
/// The winding number is positive, exactly; shells may overlap. The mesh must be closed, and its triangles oriented alike.
pub const ESTOC_RULE_WINDING: estoc_rule = 1;
/// An estimate of the winding number is above one half. For every mesh, but not exact.
pub const ESTOC_RULE_ESTIMATE: estoc_rule = 2;

/// The point of a world that is closest to a point. Numbers of a world in `float` are the nearest `float`s.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_closest {
    /// The distance; infinite where there is none.
    pub distance: f64,
    /// The closest point.
    pub point: [f64; 3],
    /// The weight of the triangle's second corner.
    pub u: f64,
    /// The weight of the triangle's third corner.
    pub v: f64,
    /// The triangle. Its `prim` is `ESTOC_NONE` where there is none, and only that tells it.
    pub triangle: estoc_triangle,
    /// The part of the triangle: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
    pub feature: u32,
}

fn rule_of(rule: estoc_rule) -> Result<SignRule, Failure> {
    match rule {
        ESTOC_RULE_PARITY => Ok(SignRule::Parity),
        ESTOC_RULE_WINDING => Ok(SignRule::WindingNumber),
        ESTOC_RULE_ESTIMATE => Ok(SignRule::WindingEstimate),
        other => Err(bad(format!(
            "rule is {other}, which is no ESTOC_RULE constant"
        ))),
    }
}

/// Asks about one point in the calling thread.
fn one(
    world: *const estoc_world,
    question: Result<PointValues, Failure>,
    point: Option<&[f64; 3]>,
    to: impl FnOnce(&mut estoc_outputs) -> Result<(), Failure>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let mut outputs = estoc_outputs::NONE;
        to(&mut outputs)?;
        let (points, run) = (&PointInput::of_one(point)?, Run::here());
        Points { points, run }.write(world, question?, &outputs)
    })
}

/// Asks about points, with the answers in outputs.
fn write(
    world: *const estoc_world,
    question: Result<PointValues, Failure>,
    points: Option<&estoc_points>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let outputs = given(outputs, "outputs")?;
        let (points, run) = (&PointInput::of(points)?, Run::of(run, call)?);
        Points { points, run }.write(world, question?, outputs)
    })
}

/// Asks about points, with the answers in lists.
fn list(
    world: *const estoc_world,
    question: PointLists,
    points: Option<&estoc_points>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let to = room(lists, "lists")?;
        let (points, run) = (&PointInput::of(points)?, Run::of(run, call)?);
        give(Points { points, run }.lists(world, question)?, to)
    })
}

/// Tells the closest point of a world to one point, if it is at most `max_distance` away (`INFINITY` for any distance; in a world in
/// `float` it is rounded to one). Of triangles that are exactly as far, that with the lowest number.
///
/// A point that is not finite is near nothing. Any thread may call it, and any number of them at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_point(
    world: *const estoc_world,
    point: Option<&[f64; 3]>,
    max_distance: f64,
    closest: Option<&mut MaybeUninit<estoc_closest>>,
) -> estoc_status {
    call(|call| {
        let (world, to): (&World, _) = (call.get(world)?, room(closest, "closest")?);
        let mut found = estoc_closest {
            distance: f64::INFINITY,
            point: [0.0; 3],
            u: 0.0,
            v: 0.0,
            triangle: estoc_triangle {
                path: [ESTOC_NONE; ESTOC_MAX_DEPTH],
                ..estoc_triangle::of(ESTOC_NONE)
            },
            feature: u32::from(u8::MAX),
        };
        let [x, y, z] = found
            .point
            .each_mut()
            .map(|x| estoc_output::at(x, ESTOC_F64));
        let mut outputs = estoc_outputs {
            distance: estoc_output::at(&mut found.distance, ESTOC_F64),
            x,
            y,
            z,
            u: estoc_output::at(&mut found.u, ESTOC_F64),
            v: estoc_output::at(&mut found.v, ESTOC_F64),
            prim: estoc_output::at(&mut found.triangle.prim, ESTOC_U32),
            feature: estoc_output::at(&mut found.feature, ESTOC_U32),
            ..estoc_outputs::NONE
        };
        if world.depth() > 0 {
            outputs.path = estoc_output::at(&mut found.triangle.path, ESTOC_U32);
        }
        let (points, run) = (&PointInput::of_one(point)?, Run::here());
        Points { points, run }.write(world, PointValues::Closest(max_distance), &outputs)?;
        let path = &mut found.triangle.path;
        let depth = path
            .iter()
            .position(|&number| number == ESTOC_NONE)
            .unwrap_or(path.len());
        path[depth..].fill(0);
        found.triangle.depth = depth as u32;
        to.write(found);
        Ok(())
    })
}

/// Tells the distance of one point from the surface of a tree, negative inside; infinite where it is not finite. `ESTOC_NOT_F32`
/// for a tree in `float` and a point that is not.
///
/// Fails with `ESTOC_OPEN_SURFACE` if the mesh has no inside by the rule: the sentence tells where it is open. The first call for
/// a world looks at all its edges. Any thread may call it, and any number of them at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_signed_distance(
    world: *const estoc_world,
    point: Option<&[f64; 3]>,
    rule: estoc_rule,
    distance: Option<&mut MaybeUninit<f64>>,
) -> estoc_status {
    one(
        world,
        rule_of(rule).map(PointValues::SignedDistance),
        point,
        |outputs| {
            outputs.distance = estoc_output::at(room(distance, "distance")?, ESTOC_F64);
            Ok(())
        },
    )
}

/// Tells whether one point is inside a world, or exactly on its surface: 1 or 0. In scenes it is inside if it is inside at least
/// one closed object, by `ESTOC_RULE_PARITY`. As `estoc_signed_distance` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_contains(
    world: *const estoc_world,
    point: Option<&[f64; 3]>,
    rule: estoc_rule,
    inside: Option<&mut MaybeUninit<i32>>,
) -> estoc_status {
    one(
        world,
        rule_of(rule).map(PointValues::Contains),
        point,
        |outputs| {
            outputs.found = estoc_output::at(room(inside, "inside")?, ESTOC_I32);
            Ok(())
        },
    )
}

/// Tells the closest point to each point, if it is at most `max_distance` away: `distance`, `prim`, `u`, `v`, `feature`, `x`, `y` and
/// `z`, in scenes `path`, too. `run` may be null. The answers are those of `estoc_closest_point`.
///
/// Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with `ESTOC_CANCELLED`,
/// `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Any thread may call it, and any number of them at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_points(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    max_distance: f64,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(
        world,
        Ok(PointValues::Closest(max_distance)),
        points,
        run,
        outputs,
    )
}

/// Tells the distance of each point: `distance`, infinite where there is none. As `estoc_closest_points` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_distances(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(world, Ok(PointValues::Distance), points, run, outputs)
}

/// Tells the distance of each point with its sign: `distance`, negative inside, and `inside`. As `estoc_signed_distance` and
/// `estoc_closest_points` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_signed_distances(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    rule: estoc_rule,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(
        world,
        rule_of(rule).map(PointValues::SignedDistance),
        points,
        run,
        outputs,
    )
}

/// Tells whether each point is inside: `found`. As `estoc_contains` and `estoc_closest_points` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_contains_each(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    rule: estoc_rule,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(
        world,
        rule_of(rule).map(PointValues::Contains),
        points,
        run,
        outputs,
    )
}

/// Tells how often the surface of a tree winds around each point: `number` and `on_surface`. The mesh must be closed, and its
/// triangles oriented alike. As `estoc_signed_distance` and `estoc_closest_points` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_winding_numbers(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(world, Ok(PointValues::Winding), points, run, outputs)
}

/// Estimates how often the surface of a tree winds around each point, for any mesh: `value`, and `error`, the bound of its error. As
/// `estoc_signed_distance` and `estoc_closest_points` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_winding_estimates(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(
        world,
        Ok(PointValues::WindingEstimate),
        points,
        run,
        outputs,
    )
}

/// Lists the triangles that are at most `radius` away from each point, by number: "prim", in scenes "path", too. As
/// `estoc_closest_points` otherwise; fails with `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_within(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    radius: f64,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, PointLists::Within(radius), points, run, lists)
}

/// Lists the `k` triangles that are closest to each point, the closest first, with the closest point of each: what
/// `estoc_closest_points` tells. As `estoc_within` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_triangles(
    world: *const estoc_world,
    points: Option<&estoc_points>,
    k: usize,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, PointLists::Closest(k), points, run, lists)
}
