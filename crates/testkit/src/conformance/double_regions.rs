//! Checks what engines of triangles in `f64` have in common with regions, planes and each other.

use super::answer::Check;
use super::regions::{intersections, self_intersections};
use super::sections::check_loops;
use crate::generate::{PlaneCase, RegionCase};
use crate::oracle::{DoubleOracle, OracleLeastDistance};
use estoc_core::{
    Feature, FirstContact, Intersection, MovingSphere64, PairEngine, PairQuery, RayQuery,
    RegionEngine, RegionQuery, SphereContact, SweepEngine, Triangle64,
};
use std::cmp::Ordering;

/// Asks an engine about a region, and compares with the oracle. Returns the number of triangles.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_region<E>(
    engine: &E,
    case: &RegionCase,
    oracle: &DoubleOracle,
    name: &str,
) -> usize
where
    E: RegionEngine<Primitive = Triangle64>,
{
    let check = Check::about(&name);
    let region = case.region().expect("generated regions have a shape");
    let truth = oracle.overlaps(case);
    check.same("overlaps", &engine.overlaps(&*region), &truth);
    check.same(
        "any_overlap",
        &engine.any_overlap(&*region),
        &!truth.is_empty(),
    );
    truth.len()
}

/// Asks an engine for its section with a plane, and compares with the oracle. Returns the number of segments.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_section<E>(
    engine: &E,
    case: &PlaneCase<f64>,
    oracle: &DoubleOracle,
    name: &str,
) -> usize
where
    E: RegionEngine<Primitive = Triangle64>,
{
    let check = Check::about(&name);
    let plane = case.plane().expect("generated planes are some");
    let truth = oracle.section(case, plane);
    let found = engine.section(&plane);
    check.same("section", &found, &truth);
    check_loops(&found, || oracle.section_loops(case, &found), &check);
    found.segments().count()
}

/// Asks two engines which of their triangles intersect and which are the nearest, and compares with their oracles.
/// Returns the number of pairs.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_pairs<E>([a, b]: [&E; 2], oracles: [&DoubleOracle; 2], name: &str) -> usize
where
    E: RegionEngine<Primitive = Triangle64> + PairEngine<Measured = Triangle64>,
{
    let check = Check::about(&name);
    let [own, other] = oracles;
    let within = own.self_intersections();
    check.same("with itself", &self_intersections(a), &within);
    let between: Vec<Intersection> = own.intersections(other);
    check.same("with another", &intersections(a, b), &between);
    let truth = own.least_distance(other);
    let rounded = truth.as_ref().map(OracleLeastDistance::doubles);
    check.same("least distance", &a.least_distance(b), &rounded);
    if let (Some(truth), Some(rounded)) = (truth, rounded) {
        let near = rounded.distance as f32;
        for limit in [near, near.next_up(), near.next_down()] {
            let expected = truth.is_within(limit).then_some(rounded);
            check.same(
                "within a distance",
                &a.least_distance_within(b, limit),
                &expected,
            );
        }
        // Equal distances with others than the oracle's are no answer.
        let is_0 = rounded.distance.partial_cmp(&0.0) == Some(Ordering::Equal);
        check.holds(between.is_empty() || is_0, "what intersects is apart");
    }
    within.len() + between.len()
}

/// Asks an engine for the first contact of a sphere, and compares with the oracle. Returns whether there is one.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_sweep<E>(
    engine: &E,
    sphere: &MovingSphere64,
    oracle: &DoubleOracle,
    name: &str,
) -> bool
where
    E: SweepEngine<Primitive = Triangle64>,
{
    let check = Check::about(&name);
    let (found, truth) = (engine.ask(FirstContact, sphere), oracle.sweep(sphere));
    let exact =
        |of: &SphereContact<f64>| (of.t.to_bits(), of.prim, of.feature, of.is_touching_at_start);
    let want = truth.as_ref().map(|truth| truth.contact);
    check.holds(
        found.as_ref().map(exact) == want.as_ref().map(exact),
        format_args!("{found:?} is not {want:?}"),
    );
    let (Some(found), Some(truth)) = (found, truth) else {
        return false;
    };
    let triangle = engine.primitive(found.prim);
    if found.is_touching_at_start {
        check.holds(
            found.point == truth.contact.point,
            "the point is not the nearest",
        );
    } else if let Feature::Vertex(corner) = found.feature {
        // The point of the oracle is off by what its time is.
        let corner = triangle.map(|triangle| triangle.corners()[usize::from(corner)]);
        check.holds(Some(found.point) == corner, "the point is not the corner");
    } else if let Some(triangle) = triangle {
        // The movement is no longer than the way to the farthest of these, and the radius.
        let points = triangle.corners().into_iter().chain([sphere.center]);
        let size = points
            .map(|p| p.abs().max_element())
            .fold(sphere.radius, f64::max);
        let is_finite = found.point.is_finite();
        check.holds(is_finite, format_args!("{found:?} is not {want:?}"));
        for (axis, error) in truth.errors_of(found.point).into_iter().enumerate() {
            let step = found.point[axis].next_up() - found.point[axis];
            let is_near = error <= size * 2f64.powi(-40) + step;
            check.holds(is_near, format_args!("{found:?} is off by {error:e}"));
        }
    }
    for t_max in [found.t, found.t.next_up(), found.t.next_down()] {
        let sphere = sphere.with_t_max(t_max);
        let want = oracle.sweep(&sphere).map(|truth| exact(&truth.contact));
        let again = engine.ask(FirstContact, &sphere).map(|found| exact(&found));
        check.holds(
            again == want,
            format_args!("until {t_max:e}: {again:?} is not {want:?}"),
        );
    }
    true
}
