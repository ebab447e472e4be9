//! Regions, sections, and triangles that intersect or are nearest, which the trees of meshes answer.

use crate::call::{Call, call};
use crate::hits::ESTOC_NONE;
use crate::numbers::is_f32;
use crate::run::{Run, estoc_run};
use crate::status::{Failure, bad, estoc_status, given, null, room};
use crate::world::{World, estoc_world, unsupported};
use estoc_batch::Batch;
use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_core::{
    Coordinate, Intersection, IntersectionKind, LeastDistance, Plane, PrimId, Region, RegionQuery,
    Section, Sphere, Triangle64, sort_compactly,
};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// The kind of a region: one of the constants `ESTOC_BOX` to `ESTOC_TRIANGLE`.
pub type estoc_region_kind = i32;
/// The box with the lowest corner `points[0]` and the highest corner `points[1]`.
pub const ESTOC_BOX: estoc_region_kind = 1;
/// The ball around `points[0]` with this `radius`. Its numbers are `float`s (else `ESTOC_NOT_F32`).
pub const ESTOC_BALL: estoc_region_kind = 2;
/// The plane through `points[0]` with the normal `points[1]`, of any length.
pub const ESTOC_PLANE: estoc_region_kind = 3;
/// The triangle of the three points.
pub const ESTOC_TRIANGLE: estoc_region_kind = 4;

/// A closed set of points.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_region {
    /// Which kind of region it is.
    pub kind: estoc_region_kind,
    /// Its points; how many there are depends on the kind.
    pub points: [[f64; 3]; 3],
    /// The radius of a ball.
    pub radius: f64,
}

/// Called with a triangle in a region; returns 1 for the next one, and 0 for no more. Called in the thread of the
/// caller. It must not throw or jump out.
pub type estoc_visit_triangle = Option<unsafe extern "C" fn(user: *mut c_void, prim: u32) -> i32>;

/// One line of a section.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_polyline {
    /// Three coordinates of each point, the nearest to the exact ones.
    pub points: *const f64,
    /// The triangle that is cut from each point to the next.
    pub prims: *const u32,
    /// The number of points.
    pub count: usize,
    /// 1 if the last point is connected to the first, else 0.
    pub is_closed: i32,
    /// 1 if the line is the edge of a hole, else 0.
    pub is_hole: i32,
    /// The area that a closed line encloses: positive if it runs counterclockwise as seen from where the normal
    /// points. NaN for an open line.
    pub area: f64,
}

/// Called with a line of a section, whose pointers end with the call; returns 1 for the next one, and 0 for no more.
/// Called in the thread of the caller. It must not throw or jump out.
pub type estoc_visit_polyline =
    Option<unsafe extern "C" fn(user: *mut c_void, line: *const estoc_polyline) -> i32>;

/// What two triangles have in common: one of the constants `ESTOC_CROSSING` to `ESTOC_TOUCHING`.
pub type estoc_common = i32;
/// A point inside both, and they have different planes.
pub const ESTOC_CROSSING: estoc_common = 1;
/// An area of one plane.
pub const ESTOC_OVERLAP: estoc_common = 2;
/// Points, but none inside both.
pub const ESTOC_TOUCHING: estoc_common = 3;

/// Called with two triangles that intersect; returns 1 for the next pair, and 0 for no more. Called in the thread of
/// the caller, in order. It must not throw or jump out.
pub type estoc_visit_pair = Option<
    unsafe extern "C" fn(user: *mut c_void, first: u32, second: u32, common: estoc_common) -> i32,
>;

/// The least distance between the triangles of two trees, and where they are that near.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_least_distance {
    /// The nearest number of the precision of the meshes to the exact distance; 0 only where triangles have a common
    /// point, or where it rounds to 0. Infinite where there is none.
    pub distance: f64,
    /// The point of each triangle, each coordinate the nearest to the exact one.
    pub points: [[f64; 3]; 2],
    /// The triangle of each mesh; `ESTOC_NONE` if one of them has no triangle with area.
    pub prims: [u32; 2],
    /// The part of each triangle that its point lies on, as in "feature" of `ESTOC_CLOSEST_POINT`.
    pub features: [u32; 2],
}

/// The tree of a mesh, in either precision.
pub(crate) enum Tree<'a> {
    F32(&'a Bvh),
    F64(&'a Bvh<f64>),
}

/// Returns the value of an expression about a tree in either precision.
macro_rules! either {
    ($tree:expr, $found:ident => $value:expr) => {
        match $tree {
            Tree::F32($found) => $value,
            Tree::F64($found) => $value,
        }
    };
}

pub(crate) fn tree_of<'a>(call: &'a Call, world: *const estoc_world) -> Result<Tree<'a>, Failure> {
    match call.get(world)? {
        World::Tree(tree) if tree.is_at_origin() => Ok(Tree::F32(&tree.bvh)),
        World::Wide(bvh, _) => Ok(Tree::F64(bvh)),
        World::Tree(_) => Err(unsupported(
            "a mesh in a local frame does not answer this question; make it in ESTOC_F64",
        )),
        World::Scene(..) => Err(unsupported(
            "scenes do not answer this question; ask the worlds of their meshes",
        )),
    }
}

#[cold]
fn not_f32(what: &str) -> Failure {
    let sentence = format!("{what} has numbers that are no floats; round them");
    Failure::new(estoc_status::ESTOC_NOT_F32, sentence)
}

/// Returns the region for the time of a call.
fn region_of(region: &estoc_region) -> Result<Box<dyn Region>, Failure> {
    let [a, b, c] = region.points.map(DVec3::from_array);
    Ok(match region.kind {
        ESTOC_BOX => Box::new([a, b]),
        ESTOC_BALL
            if !region.points[0]
                .into_iter()
                .chain([region.radius])
                .all(is_f32) =>
        {
            return Err(not_f32("the ball"));
        }
        ESTOC_BALL => Box::new(Sphere::try_new(a.as_vec3(), region.radius as f32)?),
        ESTOC_PLANE => Box::new(Plane::through_f64(a, b)?),
        ESTOC_TRIANGLE => Box::new(Triangle64::new(a, b, c)),
        other => {
            return Err(bad(format!(
                "the kind of the region is {other}, which is none of the constants"
            )));
        }
    })
}

fn flow(goes_on: i32) -> ControlFlow<()> {
    match goes_on {
        0 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    }
}

/// Visits the triangles of a tree that have a point in a region, by number, decided exactly.
///
/// Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame, and with `ESTOC_BAD_ARGUMENT` and
/// `ESTOC_NOT_F32` for a region that cannot be. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_overlaps(
    world: *const estoc_world,
    region: Option<&estoc_region>,
    visit: estoc_visit_triangle,
    user: *mut c_void,
) -> estoc_status {
    call(|call| {
        let (tree, region) = (tree_of(call, world)?, region_of(given(region, "region")?)?);
        let visit = visit.ok_or_else(|| null("visit"))?;
        for prim in either!(tree, tree => tree.overlaps(&*region)) {
            // SAFETY: the host passed the function with this argument for it.
            if call.back(|| unsafe { visit(user, prim.get()) }) == 0 {
                break;
            }
        }
        Ok(())
    })
}

/// Visits the lines in which a plane, a region of the kind `ESTOC_PLANE`, cuts the mesh of a tree.
///
/// Fails as `estoc_overlaps`, with `ESTOC_NOT_F32` for a tree in `float` and a plane that is not. Threads: any, at
/// the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_section(
    world: *const estoc_world,
    plane: Option<&estoc_region>,
    visit: estoc_visit_polyline,
    user: *mut c_void,
) -> estoc_status {
    call(|call| {
        let plane = given(plane, "plane")?;
        let visit = visit.ok_or_else(|| null("visit"))?;
        // SAFETY: the host passed the function with this argument for it.
        let visit = |line: &estoc_polyline| flow(call.back(|| unsafe { visit(user, line) }));
        let [point, normal, _] = plane.points.map(DVec3::from_array);
        let are_f32 = || plane.points[..2].as_flattened().iter().copied().all(is_f32);
        match tree_of(call, world)? {
            _ if plane.kind != ESTOC_PLANE => {
                return Err(bad("a section is by a plane".to_owned()));
            }
            Tree::F64(tree) => lines(&tree.section(&Plane::through_f64(point, normal)?), visit),
            Tree::F32(_) if !are_f32() => return Err(not_f32("the plane")),
            Tree::F32(tree) => {
                let plane = Plane::through(point.as_vec3(), normal.as_vec3())?;
                lines(&tree.section(&plane), visit);
            }
        }
        Ok(())
    })
}

/// Visits the lines of a section.
fn lines<C: Coordinate>(section: &Section<C>, visit: impl Fn(&estoc_polyline) -> ControlFlow<()>) {
    let mut loops = section.loops();
    sort_compactly(&mut loops, |a, b| a.polyline.cmp(&b.polyline));
    for (place, line) in section.polylines.iter().enumerate() {
        let around = loops.binary_search_by_key(&place, |found| found.polyline);
        let around = around.ok().map(|found| &loops[found]);
        let points: Vec<f64> = line
            .points
            .iter()
            .flat_map(|found| C::wide(found.point).to_array())
            .collect();
        let prims: Vec<u32> = line.points.iter().map(|found| found.prim.get()).collect();
        let flow = visit(&estoc_polyline {
            points: points.as_ptr(),
            prims: prims.as_ptr(),
            count: prims.len(),
            is_closed: line.is_closed.into(),
            is_hole: around.is_some_and(estoc_core::SectionLoop::is_hole).into(),
            area: around.map_or(f64::NAN, |found| found.area),
        });
        if flow.is_break() {
            break;
        }
    }
}

/// Visits the pairs of triangles that intersect: of one tree, beyond the corners and edges that they share, if
/// `other` is null; else of the tree and the other one. `run` may be null.
///
/// Fails as `estoc_overlaps`, and with `ESTOC_CANCELLED` and `ESTOC_NO_THREADS`. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_intersections(
    world: *const estoc_world,
    other: *const estoc_world,
    run: Option<&estoc_run>,
    visit: estoc_visit_pair,
    user: *mut c_void,
) -> estoc_status {
    call(|call| {
        let visit = visit.ok_or_else(|| null("visit"))?;
        let (tree, run) = (tree_of(call, world)?, Run::of(run, call)?);
        let report = run.reporter();
        let batch = run.batch::<PrimId>(&report);
        let visit = |pair: Intersection| {
            let common = match pair.kind {
                IntersectionKind::Crossing => ESTOC_CROSSING,
                IntersectionKind::CoplanarOverlap => ESTOC_OVERLAP,
                IntersectionKind::Touching => ESTOC_TOUCHING,
            };
            let (first, second) = (pair.first.get(), pair.second.get());
            // SAFETY: the host passed the function with this argument for it.
            flow(call.back(|| unsafe { visit(user, first, second, common) }))
        };
        let _ended = match other.is_null() {
            true => either!(tree, tree => batch.self_intersections(tree, visit)?),
            false => either!(tree, tree => either!(tree_of(call, other)?, other => {
                batch.intersections(tree, other, visit)?
            })),
        };
        run.check()
    })
}

/// Finds the least distance between the triangles of two trees, which are no solids: of a mesh inside another one it is
/// that of the surfaces. Of pairs that are equally near it is the one with the lowest triangle of `world`, then of
/// `other`. `run`, which may be null, has no effect but its threads.
///
/// Fails as `estoc_overlaps`, with `ESTOC_BAD_ARGUMENT` for trees in different precisions, and with `ESTOC_NO_THREADS`.
/// Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_find_least_distance(
    world: *const estoc_world,
    other: *const estoc_world,
    run: Option<&estoc_run>,
    least: Option<&mut MaybeUninit<estoc_least_distance>>,
) -> estoc_status {
    call(|call| {
        let (to, run) = (room(least, "least")?, Run::of(run, call)?);
        let batch = Batch::new().threads(run.threads);
        to.write(match (tree_of(call, world)?, tree_of(call, other)?) {
            (Tree::F32(tree), Tree::F32(other)) => {
                least_of(batch.least_distance(tree, other, f32::INFINITY)?)
            }
            (Tree::F64(tree), Tree::F64(other)) => {
                least_of(batch.least_distance(tree, other, f32::INFINITY)?)
            }
            _ => return Err(bad("the trees are in different precisions".to_owned())),
        });
        Ok(())
    })
}

fn least_of<P: Into<[L; 3]>, L: Into<f64> + Copy>(
    found: Option<LeastDistance<P, L>>,
) -> estoc_least_distance {
    match found {
        None => estoc_least_distance {
            distance: f64::INFINITY,
            points: [[0.0; 3]; 2],
            prims: [ESTOC_NONE; 2],
            features: [u8::MAX.into(); 2],
        },
        Some(found) => estoc_least_distance {
            distance: found.distance.into(),
            points: found.points.map(|point| point.into().map(Into::into)),
            prims: found.prims.map(PrimId::get),
            features: found.features.map(|feature| feature.number().into()),
        },
    }
}
