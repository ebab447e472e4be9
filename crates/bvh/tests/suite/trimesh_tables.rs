//! Closest points, signed distances and sections that trimesh's tests document, asked of brute force
//! and of trees. The names are those of its tests; where its convention differs, the test says how.

use crate::common::{Both, Rng, Shape};
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Feature, Plane, PointQuery, RegionQuery, Section, SignRule};

/// A box of size 1 around the origin, cut as `creation.box` is at its corner (0.5, 0.5, 0.5).
fn unit_box() -> Shape {
    Shape::cuboid_with_turned([-0.5; 3], [0.5; 3], &[5])
}

/// test_coplanar_signed_distance, test_noncoplanar_signed_distance, and what trimesh 5.2 answers at
/// other points of the same box. **It is positive inside, so the signs are turned around here.**
#[test]
fn signed_distances_of_a_box_are_those_of_trimesh_with_the_other_sign() {
    let both = Both::new(&unit_box());
    for (point, trimesh) in [
        ([99.5, -0.5, -0.5], -99.0),
        ([99.5, 99.5, 99.5], -171.473_03),
        ([0.0; 3], 0.5),
        ([0.25, 0.0, 0.0], 0.25),
        ([1.0, 1.0, 0.0], -(0.5f32.sqrt())),
        // On the surface, with +0 in either convention.
        ([0.5, 0.1, 0.2], 0.0),
        ([-0.5, -0.5, -0.5], 0.0),
    ] {
        for rule in [
            SignRule::Parity,
            SignRule::WindingNumber,
            SignRule::WindingEstimate,
        ] {
            let found = both.near(|engine| engine.signed_distance_by(point, rule));
            let found = found.unwrap().unwrap();
            let want = 0.0f32 - trimesh;
            assert_eq!(found.signed.to_bits(), want.to_bits(), "{point:?} {rule}");
            assert_eq!(found.inside, trimesh >= 0.0, "{point:?} {rule}");
        }
    }
}

/// M22 (test_contains, test_contains_cavity, trimesh#2534): the surface divided and multiplied by 1.5,
/// and the middle of a cavity.
#[test]
fn signs_in_a_cube_and_in_a_cavity_are_those_of_trimesh() {
    let cube = Both::new(&Shape::cuboid([-1.0; 3], [1.0; 3]));
    let inner = Shape::cuboid([-0.1; 3], [0.1; 3]);
    let turned = Shape {
        faces: inner.faces.iter().map(|&[a, b, c]| [a, c, b]).collect(),
        ..inner.clone()
    };
    let cavity = Both::new(&Shape::cuboid([-1.0; 3], [1.0; 3]).with(&turned));
    let signed = |both: &Both, point: [f32; 3], rule: SignRule| {
        let found = both.near(|engine| engine.signed_distance_by(point, rule));
        found.unwrap().unwrap().signed
    };
    let mut rng = Rng::new(22);
    for rule in [
        SignRule::Parity,
        SignRule::WindingNumber,
        SignRule::WindingEstimate,
    ] {
        for _ in 0..40 {
            let mut point = rng.vec(-1.0, 1.0);
            point[rng.below(3) as usize] = rng.pick(&[-1.0, 1.0]);
            assert_eq!(signed(&cube, point, rule), 0.0, "{point:?} {rule}");
            let inside = signed(&cube, point.map(|x| x / 1.5), rule);
            assert_eq!(inside, 1.0 / 1.5 - 1.0, "{point:?} {rule}");
            let outside = signed(&cube, point.map(|x| x * 1.5), rule);
            assert!(outside >= 0.5, "{point:?} {rule}");
        }
        assert_eq!(signed(&cavity, [0.0; 3], rule), 0.1, "{rule}");
        assert_eq!(signed(&cavity, [0.55, 0.0, 0.0], rule), 0.55f32 - 1.0);
    }
}

/// test_naive: points at twice the radius of a sphere are about as far from it as the radius.
#[test]
fn points_at_twice_the_radius_are_one_radius_away() {
    let both = Both::new(&Shape::sphere(1.0, 64, 32, false));
    let mut rng = Rng::new(1);
    for _ in 0..60 {
        let dir = Vec3::from(rng.vec(-1.0, 1.0)).normalize();
        let closest = both.near(|engine| engine.closest_point(dir * 2.0)).unwrap();
        assert!((closest.distance - 1.0).abs() < 0.01, "{closest:?}");
        assert!((closest.point.dot(dir) - 1.0).abs() < 0.01, "{closest:?}");
    }
}

/// test_closest_obtuse: a triangle with an obtuse corner, and points on a circle around it compared
/// with the distances of its three edges.
#[test]
fn an_obtuse_triangle_has_the_closest_points_of_trimesh() {
    let corners = [[0.0; 3], [2.0, 0.0, 0.0], [-2.0, 1.0, 0.0]];
    let both = Both::new(&Shape::soup([corners]));
    let closest = both
        .near(|engine| engine.closest_point([1.0, -1.0, 0.0]))
        .unwrap();
    assert_eq!(closest.point.to_array(), [1.0, 0.0, 0.0]);
    assert_eq!((closest.distance, closest.feature), (1.0, Feature::Edge(0)));
    let corners = corners.map(|p| Vec3::from(p).as_dvec3());
    for i in 0..100 {
        let turn = std::f64::consts::PI * (0.01 + 1.98 * f64::from(i) / 99.0);
        let point = Vec3::new(3.0 * turn.cos() as f32, 3.0 * turn.sin() as f32, 0.0);
        let to_edge = |a: DVec3, b: DVec3| {
            let along = (point.as_dvec3() - a).dot(b - a) / (b - a).length_squared();
            point.as_dvec3().distance(a.lerp(b, along.clamp(0.0, 1.0)))
        };
        let edges = [0, 1, 2].map(|i| to_edge(corners[i], corners[(i + 1) % 3]));
        let want = edges.into_iter().fold(f64::INFINITY, f64::min);
        let found = both.near(|engine| engine.distance(point)).unwrap();
        assert!((f64::from(found) - want).abs() < 1e-6, "{point}");
    }
}

/// test_returns_correct_point_in_ambiguous_cases (M23): trimesh takes distances that differ by 1e-9 to
/// be equal, and answers with face 1, by normals. In `f32` its point is exactly as far from face 0, of
/// the lower id; from the next number on, face 0 is closer, and from the one before it, face 1.
#[test]
fn faces_that_trimesh_takes_to_be_equally_far_are_told_apart() {
    let corners = [
        [0.0; 3],
        [0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0],
        [0.0, 0.0, -1.0],
    ];
    let faces = [[0, 1, 2], [0, 1, 3]].map(|face: [usize; 3]| face.map(|i| corners[i]));
    let both = Both::new(&Shape::soup(faces));
    let ambiguous = (-0.25f64 - 1e-9) as f32;
    assert_eq!(ambiguous, -0.25);
    for (x, prim, point) in [
        (ambiguous, 0, [-0.25, 0.0, 0.0]),
        (ambiguous.next_down(), 0, [ambiguous.next_down(), 0.0, 0.0]),
        (ambiguous.next_up(), 1, [0.0, 0.0, -0.25]),
    ] {
        let closest = both
            .near(|engine| engine.closest_point([x, 0.0, -0.25]))
            .unwrap();
        let found = (closest.prim.get(), closest.point.to_array());
        assert_eq!(found, (prim, point), "{x}");
    }
}

/// test_unreferenced_vertex, test_candidates_rtree_versions, test_closest_degenerate: a vertex without
/// a triangle is no point of the mesh; equal triangles are both near; and triangles without area, which
/// trimesh takes as segments and points, have no points here.
#[test]
fn what_is_a_point_of_a_mesh_is_told_apart() {
    let unreferenced = Shape {
        positions: vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-0.5; 3]],
        faces: vec![[0, 1, 2]],
    };
    let closest = Both::new(&unreferenced).near(|engine| engine.closest_point([-1.0; 3]));
    let closest = closest.unwrap();
    assert_eq!(closest.distance, (16.0f64 / 3.0).sqrt() as f32);
    assert_eq!(closest.point, Vec3::splat(1.0 / 3.0));

    let sheet = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let twice = Both::new(&Shape::soup([sheet, sheet]));
    let at = [0.2, 0.2, 0.5];
    assert_eq!(twice.near(|engine| engine.within(at, 0.5)).len(), 2);
    assert_eq!(twice.near(|engine| engine.closest_points(at, 3)).len(), 2);

    let (o, x, y) = ([0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]);
    let point = [1.0, 2.0, 3.0];
    let flat = [
        [o, o, x],
        [point; 3],
        [o, o, y],
        [o, x, x],
        [o, x, o],
        [o, [1.0, 0.0, 0.0], x],
    ];
    let degenerate = Both::new(&Shape::soup(flat.into_iter().chain([[o, x, y]])));
    let found = degenerate.near(|engine| engine.closest_points([0.5, 0.5, 1.0], 9));
    assert_eq!(
        found
            .iter()
            .map(|found| found.prim.get())
            .collect::<Vec<_>>(),
        [6]
    );
    assert_eq!(
        Both::new(&Shape::soup(flat)).near(|engine| engine.distance(o)),
        None
    );
}

fn cut(both: &Both, point: [f32; 3], normal: [f32; 3]) -> Section {
    let plane = Plane::through(point, normal).unwrap();
    both.regions(|engine| engine.section(&plane))
}

fn faces(section: &Section) -> Vec<u32> {
    let mut faces: Vec<u32> = section.segments().map(|(prim, _)| prim.get()).collect();
    faces.sort_unstable();
    faces
}

/// test_section_entity_count, test_multi_index: cuts of convex solids are one closed polyline, of a box
/// through all eight triangles of its sides.
#[test]
fn sections_of_convex_solids_are_those_of_trimesh() {
    let both = Both::new(&unit_box());
    for z in [0.0, 0.1] {
        let section = cut(&both, [0.0, 0.0, z], [0.0, 0.0, 1.0]);
        assert!(section.is_closed() && section.polylines.len() == 1);
        assert_eq!(faces(&section), [0, 1, 2, 3, 4, 5, 6, 7]);
        let points = &section.polylines[0].points;
        assert!(points.iter().all(|corner| corner.point.z == z));
        let length = section
            .segments()
            .map(|(_, [a, b])| a.distance(b))
            .sum::<f32>();
        assert!((length - 4.0).abs() < 1e-6);
    }
    // A cylinder of 32 columns: 64 triangles around.
    let side = |z: f32| {
        (0..32).map(move |i| {
            let turn = std::f32::consts::TAU * i as f32 / 32.0;
            [turn.cos(), turn.sin(), z]
        })
    };
    let mut cylinder = Shape {
        positions: side(-1.0)
            .chain(side(1.0))
            .chain([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]])
            .collect(),
        faces: Vec::new(),
    };
    for i in 0..32 {
        let (a, b) = (i, (i + 1) % 32);
        cylinder.faces.extend([
            [a, b, b + 32],
            [a, b + 32, a + 32],
            [b, a, 64],
            [a + 32, b + 32, 65],
        ]);
    }
    let section = cut(&Both::new(&cylinder), [0.0; 3], [0.0, 0.0, 1.0]);
    assert!(section.is_closed() && section.polylines.len() == 1);
    assert_eq!(section.polylines[0].points.len(), 64);
}

/// test_slice, test_slice_exit: a corner and the top cut off a box. What is left has five and fourteen
/// triangles.
#[test]
fn cuts_through_a_corner_and_below_the_top_are_those_of_trimesh() {
    let both = Both::new(&unit_box());
    let corner = cut(&both, [0.45; 3], [0.5; 3]);
    assert!(corner.is_closed());
    assert_eq!(corner.segments().count(), 5);
    let points = || corner.polylines[0].points.iter().map(|corner| corner.point);
    let low = points().fold(Vec3::INFINITY, Vec3::min);
    assert!(
        (low - Vec3::splat(0.35)).abs().max_element() < 1e-6,
        "{low}"
    );
    assert!(points().all(|point| point.max_element() == 0.5));
    // Every corner, 0.1 along the diagonal: a tip with three faces of equal legs, of area 0.045.
    for i in 0..8 {
        let corner = [0, 1, 2].map(|axis| if i >> axis & 1 == 1 { 0.5 } else { -0.5f32 });
        let inward = 0.1 / 3f32.sqrt();
        let section = cut(&both, corner.map(|x| x - inward * 2.0 * x), corner);
        let tip: f32 = section
            .segments()
            .map(|(_, [a, b])| {
                let [a, b] = [a, b].map(|p| p - Vec3::from(corner));
                a.cross(b).length() / 2.0
            })
            .sum();
        assert!((tip - 0.045).abs() < 1e-6, "{i}: {tip}");
    }
    let top = cut(&both, [0.0, 0.0, 0.45], [0.0, 0.0, 1.0]);
    assert_eq!(top.segments().count(), 8);
    assert!(
        top.segments()
            .all(|(_, ends)| ends.iter().all(|end| end.z == 0.45))
    );
}

/// What trimesh 5.2 answers for planes in a face and through opposite edges. It takes a corner on the
/// plane to be behind it where we take it to be in front, so its normals are turned around here.
#[test]
fn sections_in_a_face_are_those_of_trimesh_with_the_other_normal() {
    let both = Both::new(&unit_box());
    for (z, normal, trimesh_lines) in [
        (0.5, 1.0, 0),
        (-0.5, 1.0, 4),
        (0.5, -1.0, 4),
        (-0.5, -1.0, 0),
    ] {
        let section = cut(&both, [0.0, 0.0, z], [0.0, 0.0, -normal]);
        assert_eq!(section.segments().count(), trimesh_lines, "{z} {normal}");
        assert!(section.is_closed());
    }
    // Along the diagonal of two faces, a triangle's side: trimesh has three of the four faces' lines
    // once and one in two pieces.
    for normal in [[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0]] {
        let section = cut(&both, [0.0; 3], normal);
        assert!(section.is_closed() && section.polylines.len() == 1);
        let length = section
            .segments()
            .map(|(_, [a, b])| a.distance(b))
            .sum::<f32>();
        assert!((length - 2.0 - 8f32.sqrt()).abs() < 1e-6, "{length}");
    }
}
