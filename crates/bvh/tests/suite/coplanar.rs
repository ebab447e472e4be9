//! Many triangles in one plane: all boxes are flat or overlap, most answers are ties, and planes and
//! spheres that touch one triangle touch all. `ESTOC_LONG=1` asks a million of them, and prints how
//! long the answers take.

use crate::common::Shape;
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{
    Aabb, Feature, HalfSpace, IntersectionKind, Plane, PointQuery, Region, RegionQuery, SignRule,
    Sphere, SweepQuery, Winding,
};
use estoc_testkit::conformance::Effort;
use std::ops::ControlFlow;
use std::time::Instant;

/// Returns a sheet of `n` by `n` squares of size 1, each of two triangles, at this height.
fn sheet(n: u32, height: impl Fn(f32, f32) -> f32) -> Shape {
    let side = n + 1;
    let corner = |i: u32| {
        let (x, y) = ((i % side) as f32, (i / side) as f32);
        [x, y, height(x, y)]
    };
    let faces = (0..n * n).flat_map(|i| {
        let a = i / n * side + i % n;
        [[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]
    });
    Shape {
        positions: (0..side * side).map(corner).collect(),
        faces: faces.collect(),
    }
}

fn sloped(x: f32, y: f32) -> f32 {
    2.0 * x + 3.0 * y
}

/// Returns the number of squares along a side: about a million triangles in the long mode.
fn side() -> u32 {
    if Effort::is_long() { 720 } else { 48 }
}

/// Returns an answer, and prints how long it took.
fn timed<A>(what: &str, ask: impl FnOnce() -> A) -> A {
    let start = Instant::now();
    let answer = ask();
    println!("{what}: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    answer
}

fn built(shape: &Shape) -> Bvh {
    let mesh = shape.mesh();
    timed(
        &format!("tree of {} triangles", mesh.triangle_count()),
        || Bvh::build(&mesh),
    )
}

#[test]
fn closest_points_of_a_plane_of_triangles_are_exact() {
    let n = side();
    let tree = built(&sheet(n, sloped));
    let middle = n / 2;
    let (x, y) = (middle as f32, (middle + 1) as f32);
    let corner = Vec3::new(x, y, sloped(x, y));
    let normal = Vec3::new(2.0, 3.0, -1.0);
    // The triangles around a corner, by id.
    let around = |row: u32, column: u32| {
        let square = |row: u32, column: u32| 2 * (row * n + column);
        let [low, right] = [square(row - 1, column - 1), square(row - 1, column)];
        let [left, high] = [square(row, column - 1), square(row, column)];
        [low, low + 1, right + 1, left, high, high + 1]
    };
    let ids = around(middle + 1, middle);
    for steps in [0.0, 0.25, 1.0, 1024.0, 65536.0, -65536.0] {
        let point = corner + steps * normal;
        let closest = timed("closest point", || tree.closest_point(point)).unwrap();
        let want = (f64::from(steps).abs() * 14f64.sqrt()) as f32;
        assert_eq!((closest.distance, closest.point), (want, corner));
        assert!(matches!(closest.feature, Feature::Vertex(_)));
        assert_eq!(closest.prim.get(), ids[0]);
        let first = timed("the seven closest", || tree.closest_points(point, 7));
        let found: Vec<u32> = first.iter().map(|found| found.prim.get()).collect();
        assert_eq!(found[..6], ids, "{steps}");
        assert!(first[6].distance >= want && !ids.contains(&found[6]));
        let within = timed("within", || tree.within(point, want.next_up()));
        assert!(
            ids.iter()
                .all(|id| within.iter().any(|prim| prim.get() == *id))
        );
        assert!(steps == 0.0 || tree.within(point, want.next_down()).is_empty());
    }
    // On an edge and in a face.
    let at = |x: f32, y: f32| tree.closest_point([x, y, sloped(x, y)]).unwrap();
    assert!(matches!(at(x + 0.5, y).feature, Feature::Edge(_)));
    assert_eq!(at(x + 0.5, y + 0.25).feature, Feature::Face);
    let far = timed("closest point, far", || tree.closest_point([f32::MAX; 3]));
    assert_eq!(far.unwrap().distance, f32::INFINITY);
    let all = timed("within, everything", || tree.within(corner, f32::INFINITY));
    assert_eq!(all.len(), tree.triangle_count());
}

#[test]
fn regions_with_a_plane_of_triangles_are_exact() {
    let n = side();
    let shape = sheet(n, sloped);
    let tree = built(&shape);
    let all = tree.triangle_count();
    let of = |region: &dyn Region| timed("overlaps", || tree.overlaps(region)).len();
    assert_eq!(of(&shape.mesh().bounds()), all);
    let plane = Plane::from_offset([2.0, 3.0, -1.0], 0.0).unwrap();
    assert_eq!((of(&plane), of(&HalfSpace(plane.flipped()))), (all, all));
    let above = Plane::from_offset([2.0, 3.0, -1.0], -f32::from_bits(1)).unwrap();
    assert_eq!((of(&above), of(&HalfSpace(above))), (0, all));
    assert_eq!(of(&Sphere::try_new([0.0; 3], 1e6).unwrap()), all);
    // The column of squares from 3 to 4 with its neighbours, whose edges touch.
    let slab = Aabb::try_new([3.0, -1.0, -1.0], [4.0, 1e6, 1e6]).unwrap();
    assert_eq!(of(&slab), 2 * n as usize * 3);
    let inner = Aabb::try_new([3.25, -1.0, -1.0], [3.75, 1e6, 1e6]).unwrap();
    assert_eq!(of(&inner), 2 * n as usize);
    // Around a corner: six triangles.
    assert_eq!(of(&Sphere::try_new([7.0, 5.0, 29.0], 0.0).unwrap()), 6);
}

/// Two meshes of the same triangles meet where these share corners: once for each pair that shares
/// one, two or three.
#[test]
fn a_plane_of_triangles_meets_itself_only_at_its_corners() {
    let n = side();
    let shape = sheet(n, sloped);
    let tree = built(&shape);
    let mut pairs = 0;
    let _ = timed("self-intersections", || {
        tree.self_intersections(&mut |_| -> ControlFlow<()> {
            pairs += 1;
            ControlFlow::Continue(())
        })
    });
    assert_eq!(pairs, 0);

    let triangles = shape.faces.len() as u64;
    let mut uses = vec![0u64; shape.positions.len()];
    for corner in shape.faces.as_flattened() {
        uses[*corner as usize] += 1;
    }
    // Every pair is counted at each corner that it shares. Of those sharing two there are two for each
    // inner edge, and every triangle shares three with itself.
    let at_corners: u64 = uses.iter().map(|uses| uses * uses).sum();
    let inner_edges = (3 * triangles - 4 * u64::from(n)) / 2;
    let want = at_corners - 2 * inner_edges - 2 * triangles;
    let (mut found, mut overlaps) = (0, 0);
    let _ = timed("intersections with the same mesh", || {
        tree.intersections(&tree, &mut |pair| -> ControlFlow<()> {
            found += 1;
            overlaps += u64::from(pair.kind == IntersectionKind::CoplanarOverlap);
            ControlFlow::Continue(())
        })
    });
    assert_eq!((found, overlaps), (want, triangles));
}

#[test]
fn sections_of_a_plane_of_triangles_are_exact() {
    let n = side();
    let tree = built(&sheet(n, sloped));
    let cut = |normal: [f32; 3], offset: f32| {
        let plane = Plane::from_offset(normal, offset).unwrap();
        timed("section", || tree.section(&plane))
    };
    // All corners on the plane count as in front of it.
    assert!(cut([2.0, 3.0, -1.0], 0.0).is_empty() && cut([-2.0, -3.0, 1.0], 0.0).is_empty());
    // Through a column of squares, and along the edges between two columns, which belong to one.
    for (x, pieces) in [(3.5, 2 * n), (3.0, n)] {
        let section = cut([1.0, 0.0, 0.0], x);
        assert_eq!(section.segments().count(), pieces as usize, "{x}");
        assert_eq!(section.polylines.len(), 1);
        assert!(!section.is_closed());
        let points = &section.polylines[0].points;
        assert!(points.iter().all(|corner| corner.point.x == x));
    }
    // Level: through the corners where 2x + 3y is a multiple of six.
    let level = cut([0.0, 0.0, 1.0], 6.0 * (n / 4) as f32);
    assert_eq!(level.polylines.len(), 1);
}

/// A pyramid on a base of many triangles, in whose plane the ray of parity runs.
#[test]
fn signs_at_a_plane_of_triangles_are_exact() {
    let n = side();
    let mut pyramid = sheet(n, |_, _| 0.0);
    let tip = pyramid.positions.len() as u32;
    let half = n as f32 / 2.0;
    pyramid.positions.push([half, half, -half]);
    let at = |x: u32, y: u32| y * (n + 1) + x;
    for i in 0..n {
        for [a, b] in [
            [at(i, 0), at(i + 1, 0)],
            [at(n, i), at(n, i + 1)],
            [at(n - i, n), at(n - i - 1, n)],
            [at(0, n - i), at(0, n - i - 1)],
        ] {
            pyramid.faces.push([b, a, tip]);
        }
    }
    let tree = built(&pyramid);
    assert!(timed("surface", || tree.surface()).is_oriented());
    let on_surface = Ok(Winding::OnSurface);
    for (point, number, signed) in [
        // In the plane of the base, beside it, and on corners, edges and faces.
        ([-1.0, 5.0, 0.0], Ok(Winding::Number(0)), 1.0),
        ([-1.0, 5.25, 0.0], Ok(Winding::Number(0)), 1.0),
        ([0.0, 5.0, 0.0], on_surface, 0.0),
        ([5.0, 5.0, 0.0], on_surface, 0.0),
        ([5.5, 5.0, 0.0], on_surface, 0.0),
        ([5.5, 5.25, 0.0], on_surface, 0.0),
        // Next to it.
        (
            [5.5, 5.25, f32::MIN_POSITIVE],
            Ok(Winding::Number(0)),
            f32::MIN_POSITIVE,
        ),
        (
            [5.5, 5.25, -f32::MIN_POSITIVE],
            Ok(Winding::Number(1)),
            -f32::MIN_POSITIVE,
        ),
        ([half, half, -1.0], Ok(Winding::Number(1)), -1.0),
        ([half, half, 9.0], Ok(Winding::Number(0)), 9.0),
    ] {
        let found = timed("winding number", || tree.winding_number(point));
        assert_eq!(found, number, "{point:?}");
        for rule in [
            SignRule::Parity,
            SignRule::WindingNumber,
            SignRule::WindingEstimate,
        ] {
            let found = timed("signed distance", || tree.signed_distance_by(point, rule));
            let found = found.unwrap().unwrap();
            assert_eq!(found.signed, signed, "{point:?} {rule}");
            assert_eq!(
                found.inside,
                number != Ok(Winding::Number(0)),
                "{point:?} {rule}"
            );
        }
        let estimate = timed("winding estimate", || tree.winding_estimate(point));
        if let Ok(Winding::Number(number)) = number {
            let off = (estimate.value - number as f64).abs();
            assert!(
                off <= estimate.error && estimate.is_certain(),
                "{estimate:?}"
            );
        }
    }
}

#[test]
fn spheres_that_move_over_a_plane_of_triangles_touch_it_exactly() {
    let n = side();
    let flat = built(&sheet(n, |_, _| 0.0));
    let (x, y) = ((n / 2) as f32, (n / 2 + 1) as f32);
    let sweep = |tree: &Bvh, center: [f32; 3], velocity: [f32; 3], radius: f32| {
        timed("sweep", || tree.sweep_sphere(center, velocity, radius))
    };
    for radius in [0.0, 0.25, 3.0, 2048.0] {
        let down = sweep(&flat, [x, y, radius + 8.0], [0.0, 0.0, -2.0], radius).unwrap();
        assert_eq!((down.t, down.is_touching_at_start), (4.0, false));
        assert_eq!(down.point, Vec3::new(x, y, 0.0));
        assert!(matches!(down.feature, Feature::Vertex(_)));
        let in_face = sweep(
            &flat,
            [x + 0.5, y + 0.25, radius + 8.0],
            [0.0, 0.0, -2.0],
            radius,
        );
        assert_eq!(in_face.unwrap().feature, Feature::Face);
        // From far outside, as high as the radius: its lowest point meets the border, which a sphere
        // that is a hair higher passes.
        let along = sweep(&flat, [-4096.0, y, radius], [1.0, 0.0, 0.0], radius).unwrap();
        assert_eq!((along.t, along.point), (4096.0, Vec3::new(0.0, y, 0.0)));
        assert_eq!(
            sweep(
                &flat,
                [-4096.0, y, radius.next_up()],
                [1.0, 0.0, 0.0],
                radius
            ),
            None
        );
        let resting = sweep(&flat, [x, y, radius], [1.0, 1.0, 0.0], radius).unwrap();
        assert!(resting.is_touching_at_start && resting.t == 0.0);
        assert_eq!(
            sweep(&flat, [x, y, radius.next_up()], [0.0, 0.0, 1.0], radius),
            None
        );
    }
    // Across a slope: the time is that of the plane through all.
    let slope = built(&sheet(n, sloped));
    let normal = Vec3::new(2.0, 3.0, -1.0);
    let start = Vec3::new(x, y, sloped(x, y)) - 16.0 * normal;
    let contact = sweep(&slope, start.into(), normal.into(), 14f32.sqrt()).unwrap();
    let want = 16.0 - f64::from(14f32.sqrt()) / 14f64.sqrt();
    assert!((f64::from(contact.t) - want).abs() < 1e-6, "{contact:?}");
}

/// Triangles with the same corners, which no tree tells apart.
#[test]
fn many_equal_triangles_are_all_found() {
    let n = if Effort::is_long() { 1_000_000 } else { 2_000 };
    let corners = [[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let tree = built(&Shape {
        positions: corners.into(),
        faces: vec![[0, 1, 2]; n],
    });
    for (point, distance) in [
        ([1.0, 1.0, 2.0], 2.0),
        ([-3.0, 1.0, 4.0], 5.0),
        ([9.0, -5.0, 0.0], 50f32.sqrt()),
    ] {
        let closest = timed("closest point", || tree.closest_point(point)).unwrap();
        assert_eq!((closest.prim.get(), closest.distance), (0, distance));
        let first = timed("the five closest", || tree.closest_points(point, 5));
        assert!(first.iter().map(|found| found.prim.get()).eq(0..5));
        let within = timed("within", || tree.within(point, distance.next_up()));
        assert_eq!(within.len(), n);
    }
    let contact = timed("sweep", || {
        tree.sweep_sphere([1.0, 1.0, 9.0], [0.0, 0.0, -1.0], 2.0)
    });
    assert_eq!(
        contact.map(|contact| (contact.prim.get(), contact.t)),
        Some((0, 7.0))
    );
    let plane = Plane::from_offset([1.0, 0.0, 0.0], 1.0).unwrap();
    let section = timed("section", || tree.section(&plane));
    assert_eq!(section.segments().count(), n);
    timed("areas", || section.area());
    // There are too many pairs to count them all; they come in order until the caller stops.
    let mut next = 1;
    let end = timed("self-intersections until a thousand", || {
        tree.self_intersections(&mut |pair| {
            assert_eq!((pair.first.get(), pair.second.get()), (0, next));
            assert_eq!(pair.kind, IntersectionKind::CoplanarOverlap);
            next += 1;
            if next > 1000 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
    });
    assert!(end.is_break());
}
