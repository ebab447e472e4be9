//! Hostile input to every query about points, regions, cuts and moving spheres: one table of questions
//! and of the answers that `NUMERICS.md` defines, for brute force and for trees of both layouts.

use estoc_bvh::{Bvh, Layout};
use estoc_core::{
    Aabb, BruteForce, ClosestPoint, FirstContact, Frustum, HalfSpace, MovingSphere, Obb, Plane,
    PointEngine, PointQuery, PrimId, RayQuery, Region, RegionEngine, RegionQuery, SignRule,
    SignedDistance, Sphere, SphereContact, SurfaceError, SweepEngine, SweepQuery, Triangle,
    Winding,
};
use estoc_mesh::Mesh;
use std::ops::ControlFlow;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;
const TINY: f32 = f32::from_bits(1);

/// An engine that is asked everything.
trait Queries: PointEngine + RegionEngine + SweepEngine {}
impl<E: PointEngine + RegionEngine + SweepEngine> Queries for E {}

type Corners = [[f32; 3]; 3];

/// Nothing at all.
const EMPTY: &[Corners] = &[];

/// Triangles without area: a needle and its other side, and a point. They are closed and oriented.
const NEEDLES: &[Corners] = &[
    [[0.0; 3], [1.0, 1.0, 1.0], [2.0, 2.0, 2.0]],
    [[0.0; 3], [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]],
    [[1.0; 3]; 3],
];

/// One triangle with area, and two without.
const SHEET: &[Corners] = &[
    [[0.0; 3], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]],
    [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]],
    [[0.0; 3], [4.0, 0.0, 0.0], [4.0, 0.0, 0.0]],
];

/// A tetrahedron whose triangles face outwards.
const SOLID: &[Corners] = &[
    [[0.0; 3], [0.0, 4.0, 0.0], [4.0, 0.0, 0.0]],
    [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 0.0, 4.0]],
    [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]],
    [[0.0; 3], [0.0, 0.0, 4.0], [0.0, 4.0, 0.0]],
];

fn brute(triangles: &[Corners]) -> BruteForce {
    let triangles = triangles.iter().map(|&[a, b, c]| Triangle::new(a, b, c));
    BruteForce::new(triangles.collect::<Vec<_>>())
}

fn engines(triangles: &[Corners]) -> Vec<Box<dyn Queries>> {
    let corners = triangles.as_flattened().iter().copied();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).unwrap();
    let tree = |layout| Bvh::builder().layout(layout).build(&mesh).unwrap();
    let mut engines: Vec<Box<dyn Queries>> = vec![Box::new(brute(triangles))];
    for layout in Layout::ALL {
        engines.push(Box::new(tree(layout)));
    }
    engines
}

/// A question, and its answers for [`EMPTY`], [`NEEDLES`], [`SHEET`] and [`SOLID`].
type Row = (&'static str, fn(&dyn Queries) -> String, [&'static str; 4]);

fn check(rows: &[Row]) {
    for (place, triangles) in [EMPTY, NEEDLES, SHEET, SOLID].into_iter().enumerate() {
        let names = ["brute force", "tree", "compact tree"];
        for (engine, name) in engines(triangles).iter().zip(names) {
            for (question, ask, answers) in rows {
                let mesh = ["nothing", "needles", "a sheet", "a solid"][place];
                let found = ask(&**engine);
                assert_eq!(found, answers[place], "{question} of {mesh}, {name}");
            }
        }
    }
}

fn ids(found: &[PrimId]) -> String {
    let ids: Vec<u32> = found.iter().map(|prim| prim.get()).collect();
    format!("{ids:?}")
}

/// Displays the triangle and the distance.
fn near(found: Option<ClosestPoint>) -> String {
    found.map_or("none".into(), |found| {
        format!("{} at {}", found.prim.get(), found.distance)
    })
}

fn signed(found: Result<Option<SignedDistance>, SurfaceError>) -> String {
    match found {
        Err(SurfaceError::Open { .. }) => "open".into(),
        Err(error) => error.to_string(),
        Ok(None) => "none".into(),
        Ok(Some(found)) if found.inside => format!("{:?} inside", found.signed),
        Ok(Some(found)) => format!("{:?} outside", found.signed),
    }
}

fn winding(found: Result<Winding, SurfaceError>) -> String {
    match found {
        Err(SurfaceError::Open { .. }) => "open".into(),
        Err(error) => error.to_string(),
        Ok(Winding::OnSurface) => "on".into(),
        Ok(Winding::Number(number)) => number.to_string(),
    }
}

fn contact(found: Option<SphereContact>) -> String {
    match found {
        None => "none".into(),
        Some(found) if found.is_touching_at_start => format!("{} at start", found.prim.get()),
        Some(found) => format!("{} at {}", found.prim.get(), found.t),
    }
}

/// Displays the triangles, after checking that the other query agrees.
fn overlaps(engine: &dyn Queries, region: &dyn Region) -> String {
    let found = engine.overlaps(region);
    assert_eq!(engine.any_overlap(region), !found.is_empty());
    ids(&found)
}

fn pairs(ask: impl FnOnce(&mut dyn FnMut(estoc_core::Intersection) -> ControlFlow<()>)) -> String {
    let mut found = Vec::new();
    ask(&mut |pair| {
        found.push((pair.first.get(), pair.second.get()));
        ControlFlow::Continue(())
    });
    format!("{found:?}")
}

fn section(engine: &dyn Queries, normal: [f32; 3], offset: f32) -> String {
    let section = engine.section(&Plane::from_offset(normal, offset).unwrap());
    let count = section.segments().count();
    assert_eq!(section.area().is_some(), section.is_closed());
    format!("{count} in {}", section.polylines.len())
}

#[test]
#[rustfmt::skip]
fn points_and_radii() {
    const NOTHING: [&str; 4] = ["none"; 4];
    const NO_IDS: [&str; 4] = ["[]"; 4];
    const AT: [f32; 3] = [1.0; 3];
    const ON: [f32; 3] = [1.0, 1.0, 0.0];
    let rows: &[Row] = &[
        ("closest_point", |e| near(e.closest_point(AT)), ["none", "none", "1 at 1", "2 at 0.57735026"]),
        ("closest_point on it", |e| near(e.closest_point(ON)), ["none", "none", "1 at 0", "0 at 0"]),
        ("closest_point, NaN", |e| near(e.closest_point([1.0, NAN, 1.0])), NOTHING),
        ("closest_point, infinite", |e| near(e.closest_point([INF, 1.0, 1.0])), NOTHING),
        ("closest_point, -infinite", |e| near(e.closest_point([-INF; 3])), NOTHING),
        ("closest_point, overflow", |e| near(e.closest_point([f32::MAX, f32::MAX, 0.0])), ["none", "none", "1 at inf", "0 at inf"]),
        ("closest_point_within", |e| near(e.closest_point_within(AT, 1.0)), ["none", "none", "1 at 1", "2 at 0.57735026"]),
        ("closest_point_within, NaN", |e| near(e.closest_point_within(AT, NAN)), NOTHING),
        ("closest_point_within, -1", |e| near(e.closest_point_within(ON, -1.0)), NOTHING),
        ("closest_point_within, -tiny", |e| near(e.closest_point_within(ON, -TINY)), NOTHING),
        ("closest_point_within, -inf", |e| near(e.closest_point_within(ON, -INF)), NOTHING),
        ("closest_point_within, -0", |e| near(e.closest_point_within(ON, -0.0)), ["none", "none", "1 at 0", "0 at 0"]),
        ("closest_point_within, 0 beside", |e| near(e.closest_point_within([1.0, 1.0, -TINY], 0.0)), NOTHING),
        ("closest_point_within, overflow", |e| near(e.closest_point_within([f32::MAX, f32::MAX, 0.0], f32::MAX)), NOTHING),
        ("distance, NaN", |e| format!("{:?}", e.distance([NAN; 3])), ["None"; 4]),
        ("distance, infinite", |e| format!("{:?}", e.distance([0.0, 0.0, -INF])), ["None"; 4]),
        ("distance", |e| format!("{:?}", e.distance([-3.0, -4.0, 0.0])), ["None", "None", "Some(5.0)", "Some(5.0)"]),
        ("closest_points, k = 0", |e| e.closest_points(AT, 0).len().to_string(), ["0"; 4]),
        ("closest_points, k = 1", |e| e.closest_points(AT, 1).len().to_string(), ["0", "0", "1", "1"]),
        ("closest_points, all", |e| e.closest_points(AT, usize::MAX).len().to_string(), ["0", "0", "1", "4"]),
        ("closest_points, NaN", |e| e.closest_points([NAN; 3], 3).len().to_string(), ["0"; 4]),
        ("within", |e| ids(&e.within(AT, 1.0)), ["[]", "[]", "[1]", "[0, 1, 2, 3]"]),
        ("within, 0", |e| ids(&e.within(ON, 0.0)), ["[]", "[]", "[1]", "[0]"]),
        ("within, -0 at a corner", |e| ids(&e.within([0.0; 3], -0.0)), ["[]", "[]", "[1]", "[0, 1, 3]"]),
        ("within, negative", |e| ids(&e.within(ON, -1.0)), NO_IDS),
        ("within, NaN", |e| ids(&e.within(ON, NAN)), NO_IDS),
        ("within, -infinite", |e| ids(&e.within(ON, -INF)), NO_IDS),
        ("within, infinite", |e| ids(&e.within(AT, INF)), ["[]", "[]", "[1]", "[0, 1, 2, 3]"]),
        ("within, infinite and far", |e| ids(&e.within([f32::MAX; 3], INF)), ["[]", "[]", "[1]", "[0, 1, 2, 3]"]),
        ("within, largest and far", |e| ids(&e.within([f32::MAX; 3], f32::MAX)), NO_IDS),
        ("within, at NaN", |e| ids(&e.within([0.0, NAN, 0.0], INF)), NO_IDS),
        ("within, at infinity", |e| ids(&e.within([INF; 3], INF)), NO_IDS),
        ("any_within, infinite", |e| e.any_within(AT, INF).to_string(), ["false", "false", "true", "true"]),
        ("any_within, 0", |e| e.any_within(ON, 0.0).to_string(), ["false", "false", "true", "true"]),
        ("any_within, negative", |e| e.any_within(ON, -TINY).to_string(), ["false"; 4]),
        ("any_within, NaN", |e| e.any_within(ON, NAN).to_string(), ["false"; 4]),
        ("any_within, at NaN", |e| e.any_within([NAN; 3], INF).to_string(), ["false"; 4]),
    ];
    check(rows);
}

#[test]
#[rustfmt::skip]
fn signs() {
    use SignRule::{Parity, WindingEstimate, WindingNumber};
    const IN: [f32; 3] = [1.0, 1.0, 0.5];
    const ON: [f32; 3] = [1.0, 1.0, 0.0];
    // An error comes before what the point is.
    const NONE: [&str; 4] = ["none", "none", "open", "none"];
    let rows: &[Row] = &[
        ("signed_distance", |e| signed(e.signed_distance(IN)), ["none", "none", "open", "-0.5 inside"]),
        ("signed_distance outside", |e| signed(e.signed_distance([1.0, 1.0, -TINY])), ["none", "none", "open", "1e-45 outside"]),
        ("signed_distance on it", |e| signed(e.signed_distance(ON)), ["none", "none", "open", "0.0 inside"]),
        ("signed_distance, NaN", |e| signed(e.signed_distance([NAN, 1.0, 1.0])), NONE),
        ("signed_distance, infinite", |e| signed(e.signed_distance([1.0, INF, 1.0])), NONE),
        ("signed_distance, overflow", |e| signed(e.signed_distance([f32::MAX; 3])), ["none", "none", "open", "inf outside"]),
        ("by parity, -infinite", |e| signed(e.signed_distance_by([-INF; 3], Parity)), NONE),
        ("by winding number", |e| signed(e.signed_distance_by(IN, WindingNumber)), ["none", "none", "open", "-0.5 inside"]),
        ("by winding number, NaN", |e| signed(e.signed_distance_by([NAN; 3], WindingNumber)), NONE),
        ("by estimate", |e| signed(e.signed_distance_by(IN, WindingEstimate)), ["none", "none", "0.5 outside", "-0.5 inside"]),
        ("by estimate, on it", |e| signed(e.signed_distance_by(ON, WindingEstimate)), ["none", "none", "0.0 inside", "0.0 inside"]),
        ("by estimate, NaN", |e| signed(e.signed_distance_by([NAN; 3], WindingEstimate)), ["none"; 4]),
        ("by estimate, infinite", |e| signed(e.signed_distance_by([INF; 3], WindingEstimate)), ["none"; 4]),
        ("winding_number", |e| winding(e.winding_number(IN)), ["0", "0", "open", "1"]),
        ("winding_number on it", |e| winding(e.winding_number(ON)), ["0", "0", "open", "on"]),
        ("winding_number on a needle", |e| winding(e.winding_number([1.0; 3])), ["0", "0", "open", "1"]),
        ("winding_number, NaN", |e| winding(e.winding_number([NAN; 3])), ["0", "0", "open", "0"]),
        ("winding_number, infinite", |e| winding(e.winding_number([0.0, INF, 0.0])), ["0", "0", "open", "0"]),
        ("winding_number, far", |e| winding(e.winding_number([-f32::MAX; 3])), ["0", "0", "open", "0"]),
        ("winding_estimate", |e| format!("{:.6}", e.winding_estimate(IN).value), ["0.000000", "0.000000", "-0.330875", "1.000000"]),
        ("winding_estimate, NaN", |e| format!("{:?}", bits(e.winding_estimate([NAN; 3]))), ["(0.0, 0.0)"; 4]),
        ("winding_estimate, infinite", |e| format!("{:?}", bits(e.winding_estimate([0.0, 0.0, -INF]))), ["(0.0, 0.0)"; 4]),
        ("winding_estimate in the plane", |e| format!("{:.6}", e.winding_estimate([9.0, 9.0, 0.0]).value.abs()), ["0.000000"; 4]),
    ];
    check(rows);
}

fn bits(estimate: estoc_core::WindingEstimate) -> (f64, f64) {
    (estimate.value, estimate.error)
}

/// Returns what has a height of at least `offset` above the plane z = 0 on both sides.
fn between(offset: f32) -> Frustum {
    let planes = [1.0, -1.0].map(|side| Plane::from_offset([0.0, 0.0, side], offset).unwrap());
    Frustum::try_new(&planes).unwrap()
}

#[test]
#[rustfmt::skip]
fn regions_and_pairs() {
    const NO_IDS: [&str; 4] = ["[]"; 4];
    const ALL: [&str; 4] = ["[]", "[]", "[1]", "[0, 1, 2, 3]"];
    let rows: &[Row] = &[
        ("the empty box", |e| overlaps(e, &Aabb::EMPTY), NO_IDS),
        ("the largest box", |e| overlaps(e, &Aabb::try_new([f32::MIN; 3], [f32::MAX; 3]).unwrap()), ALL),
        ("a point as a box", |e| overlaps(e, &Aabb::try_new([1.0, 1.0, 0.0], [1.0, 1.0, 0.0]).unwrap()), ["[]", "[]", "[1]", "[0]"]),
        ("a box on a needle", |e| overlaps(e, &Aabb::try_new([0.5; 3], [1.0; 3]).unwrap()), NO_IDS),
        ("the largest sphere", |e| overlaps(e, &Sphere::try_new([0.0; 3], f32::MAX).unwrap()), ALL),
        ("a sphere of radius 0", |e| overlaps(e, &Sphere::try_new([1.0, 1.0, 0.0], 0.0).unwrap()), ["[]", "[]", "[1]", "[0]"]),
        ("a frustum without planes", |e| overlaps(e, &Frustum::try_new(&[]).unwrap()), ALL),
        ("planes that exclude each other", |e| overlaps(e, &between(TINY)), NO_IDS),
        ("planes that meet in a plane", |e| overlaps(e, &between(0.0)), ["[]", "[]", "[1]", "[0, 1, 2, 3]"]),
        ("a plane through vertices", |e| overlaps(e, &Plane::from_offset([1.0, 1.0, 1.0], 4.0).unwrap()), ["[]", "[]", "[1]", "[0, 1, 2, 3]"]),
        ("a plane through one vertex", |e| overlaps(e, &Plane::from_offset([-1.0, -1.0, -1.0], 0.0).unwrap()), ["[]", "[]", "[1]", "[0, 1, 3]"]),
        ("a plane beside it", |e| overlaps(e, &Plane::from_offset([-1.0, -1.0, -1.0], TINY).unwrap()), NO_IDS),
        ("a half space that touches", |e| overlaps(e, &HalfSpace(Plane::from_offset([1.0, 0.0, 0.0], 4.0).unwrap())), ["[]", "[]", "[1]", "[0, 1, 2]"]),
        ("a half space of all", |e| overlaps(e, &HalfSpace(Plane::from_offset([TINY, 0.0, 0.0], -f32::MAX).unwrap())), ALL),
        ("a needle", |e| overlaps(e, &Triangle::new([0.0; 3], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0])), NO_IDS),
        ("a point as a triangle", |e| overlaps(e, &Triangle::new([0.0; 3], [0.0; 3], [0.0; 3])), NO_IDS),
        ("a triangle of NaN", |e| overlaps(e, &Triangle::new([0.0; 3], [NAN; 3], [0.0, 4.0, 0.0])), NO_IDS),
        ("an infinite triangle", |e| overlaps(e, &Triangle::new([0.0; 3], [INF, 0.0, 0.0], [0.0, 4.0, 0.0])), NO_IDS),
        ("a triangle of the mesh", |e| overlaps(e, &Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])), ALL),
        ("self_intersections", |e| pairs(|visit| { let _ = e.self_intersections(visit); }), NO_IDS),
        ("intersections with nothing", |e| pairs(|visit| { let _ = e.intersections(&brute(EMPTY), visit); }), NO_IDS),
        ("intersections with needles", |e| pairs(|visit| { let _ = e.intersections(&brute(NEEDLES), visit); }), NO_IDS),
        ("intersections of needles", |e| pairs(|visit| { let _ = brute(NEEDLES).intersections(e, visit); }), NO_IDS),
        ("intersections with a sheet", |e| pairs(|visit| { let _ = e.intersections(&brute(SHEET), visit); }), ["[]", "[]", "[(1, 1)]", "[(0, 1), (1, 1), (2, 1), (3, 1)]"]),
    ];
    check(rows);
}

/// Regions that `NUMERICS.md` says cannot be made.
#[test]
fn regions_that_are_refused() {
    for bad in [NAN, INF, -INF] {
        assert!(Aabb::try_new([0.0; 3], [1.0, bad, 1.0]).is_err(), "{bad}");
        assert!(Sphere::try_new([0.0, bad, 0.0], 1.0).is_err(), "{bad}");
        assert!(Sphere::try_new([0.0; 3], bad).is_err(), "{bad}");
        assert!(Plane::from_offset([bad, 0.0, 1.0], 0.0).is_err(), "{bad}");
        assert!(Plane::from_offset([0.0, 0.0, 1.0], bad).is_err(), "{bad}");
        assert!(Plane::through([bad; 3], [0.0, 0.0, 1.0]).is_err(), "{bad}");
        let model = estoc_core::glam::Mat4::from_translation([bad, 0.0, 0.0].into());
        let unit = Aabb::try_new([0.0; 3], [1.0; 3]).unwrap();
        assert!(Obb::from_model(&unit, &model).is_err(), "{bad}");
    }
    assert!(Sphere::try_new([0.0; 3], -TINY).is_err());
    assert!(Plane::from_offset([0.0, -0.0, 0.0], 1.0).is_err());
    assert!(Aabb::try_new([0.0; 3], [1.0, -TINY, 1.0]).is_err());
}

#[test]
#[rustfmt::skip]
fn planes_through_vertices_and_faces() {
    const X: [f32; 3] = [1.0, 0.0, 0.0];
    const Z: [f32; 3] = [0.0, 0.0, 1.0];
    const DOWN: [f32; 3] = [0.0, 0.0, -1.0];
    const NO_CUT: [&str; 4] = ["0 in 0"; 4];
    let rows: &[Row] = &[
        ("section", |e| section(e, Z, 1.0), ["0 in 0", "0 in 0", "0 in 0", "3 in 1"]),
        ("section across", |e| section(e, X, 1.0), ["0 in 0", "0 in 0", "1 in 1", "3 in 1"]),
        ("section in a face, the mesh in front", |e| section(e, Z, 0.0), NO_CUT),
        ("section in a face, the mesh behind", |e| section(e, DOWN, 0.0), ["0 in 0", "0 in 0", "0 in 0", "3 in 1"]),
        ("section at a vertex", |e| section(e, Z, 4.0), NO_CUT),
        ("section at a vertex from behind", |e| section(e, DOWN, -4.0), NO_CUT),
        ("section through an edge", |e| section(e, [1.0, -1.0, 0.0], 0.0), ["0 in 0", "0 in 0", "1 in 1", "3 in 1"]),
        ("section beside it", |e| section(e, X, 4f32.next_up()), NO_CUT),
        ("section far away", |e| section(e, X, f32::MAX), NO_CUT),
        ("section by the least normal", |e| section(e, [0.0, 0.0, TINY], 0.0), NO_CUT),
        ("section by the largest normal", |e| section(e, [f32::MAX; 3], f32::MAX), ["0 in 0", "0 in 0", "1 in 1", "3 in 1"]),
    ];
    check(rows);
}

#[test]
#[rustfmt::skip]
fn moving_spheres() {
    const NOTHING: [&str; 4] = ["none"; 4];
    const AT: [f32; 3] = [1.0, 1.0, -3.0];
    const UP: [f32; 3] = [0.0, 0.0, 1.0];
    let rows: &[Row] = &[
        ("sweep_sphere", |e| contact(e.sweep_sphere(AT, UP, 1.0)), ["none", "none", "1 at 2", "0 at 2"]),
        ("radius 0", |e| contact(e.sweep_sphere(AT, UP, 0.0)), ["none", "none", "1 at 3", "0 at 3"]),
        ("radius -0", |e| contact(e.sweep_sphere(AT, UP, -0.0)), ["none", "none", "1 at 3", "0 at 3"]),
        ("radius 0 in the plane", |e| contact(e.sweep_sphere([-3.0, 1.0, 0.0], [1.0, 0.0, 0.0], 0.0)), ["none", "none", "1 at 3", "0 at 3"]),
        ("radius infinite", |e| contact(e.sweep_sphere(AT, UP, INF)), ["none", "none", "1 at start", "0 at start"]),
        ("radius negative", |e| contact(e.sweep_sphere(AT, UP, -TINY)), NOTHING),
        ("radius NaN", |e| contact(e.sweep_sphere(AT, UP, NAN)), NOTHING),
        ("centre NaN", |e| contact(e.sweep_sphere([1.0, NAN, 1.0], UP, INF)), NOTHING),
        ("centre infinite", |e| contact(e.sweep_sphere([1.0, 1.0, -INF], UP, 1.0)), NOTHING),
        ("velocity NaN", |e| contact(e.sweep_sphere(AT, [0.0, 0.0, NAN], 4.0)), NOTHING),
        ("velocity infinite", |e| contact(e.sweep_sphere(AT, [0.0, 0.0, INF], 4.0)), NOTHING),
        ("velocity 0, touching", |e| contact(e.sweep_sphere(AT, [0.0; 3], 3.0)), ["none", "none", "1 at start", "0 at start"]),
        ("velocity -0, apart", |e| contact(e.sweep_sphere(AT, [-0.0; 3], 3f32.next_down())), NOTHING),
        ("velocity away, touching", |e| contact(e.sweep_sphere(AT, [0.0, 0.0, -1.0], 3.0)), ["none", "none", "1 at start", "0 at start"]),
        ("velocity away, apart", |e| contact(e.sweep_sphere(AT, [0.0, 0.0, -1.0], 1.0)), NOTHING),
        ("time that overflows", |e| contact(e.sweep_sphere(AT, [0.0, 0.0, TINY], 1.0)), ["none", "none", "1 at inf", "0 at inf"]),
        ("until exactly then", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 1.0).with_t_max(2.0))), ["none", "none", "1 at 2", "0 at 2"]),
        ("until just before", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 1.0).with_t_max(2f32.next_down()))), NOTHING),
        ("until 0", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 3.0).with_t_max(0.0))), ["none", "none", "1 at start", "0 at start"]),
        ("until -0", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 3.0).with_t_max(-0.0))), ["none", "none", "1 at start", "0 at start"]),
        ("until a negative time", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 3.0).with_t_max(-TINY))), NOTHING),
        ("until NaN", |e| contact(e.ask(FirstContact, &MovingSphere::new(AT, UP, 3.0).with_t_max(NAN))), NOTHING),
        ("over a needle", |e| contact(e.sweep_sphere([1.0, 1.0, 9.0], [0.0, 0.0, -1.0], 0.25)), ["none", "none", "1 at 8.75", "2 at 6.5669875"]),
    ];
    check(rows);
}
