//! Closed surfaces do not leak: nearby, far away, through vertices and along seams.

use crate::common::{Both, Name, Rng, Shape};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{Ray, RayQuery};
use estoc_testkit::conformance::Effort;

/// The far position of Embree's test.
const FAR: [f32; 3] = [148_376.0, 1_234.0, -223_423.0];

/// T8 (pbrt Triangle.Watertight): spheres of random radii, with poles and seam made of many
/// vertices with the same bits, and rays from inside in random directions and exactly at vertices.
/// The zero-area triangles at the poles hide nothing.
#[test]
fn a_sphere_of_sixteen_by_sixteen_holds_every_ray() {
    const SEED: u64 = 8;
    let mut rng = Rng::new(SEED);
    let radii: Vec<f64> = (0..10).map(|_| 1.0 + 5.0 * f64::from(rng.unit())).collect();
    let rays = if Effort::is_long() { 10_000 } else { 600 };
    for split in [false, true] {
        for &radius in &radii {
            let shape = Shape::sphere(radius, 16, 16, split).map(|p| {
                // pbrt moves each grid vertex along its ray; vertices at the same place are moved
                // by the same factor, else the seam would open.
                let mut own = Rng::new(
                    p.map(f32::to_bits)
                        .iter()
                        .fold(SEED, |h, b| h * 31 + u64::from(*b)),
                );
                let factor = own.between(1.0, 1.5);
                p.map(|x| x * factor)
            });
            let both = Both::new(&shape);
            for case in 0..rays {
                let origin = Vec3::from(rng.vec(-0.28, 0.28)); // within 0.5 of the centre
                let target = match case % 3 {
                    0 => rng.vec(-1.0, 1.0).into(),
                    1 => Vec3::from(rng.pick(&shape.positions)) - origin,
                    // The midpoint of an edge or a diagonal.
                    _ => {
                        let [a, b, _] = rng
                            .pick(&shape.faces)
                            .map(|i| Vec3::from(shape.positions[i as usize]));
                        (a + b) / 2.0 - origin
                    }
                };
                let ray = Ray::new(origin, target);
                let answers = both.ask(&ray);
                let context =
                    format!("seed {SEED}, radius {radius}, split {split}, case {case}: {ray:?}");
                assert!(!answers.hits.is_empty(), "{context}");
                assert_eq!(answers.crossings.len() % 2, 1, "{context}");
            }
        }
    }
}

/// On a sphere with integer coordinates, rays from the centre to each vertex and edge are exact, so
/// every one must hit.
#[test]
fn vertices_and_edges_of_integers_are_met_exactly() {
    let shape = Shape::sphere(1000.0, 24, 12, false).map(|p| p.map(f32::round));
    let both = Both::new(&shape);
    for vertex in &shape.positions {
        let answers = both.ask(&Ray::new([0.0; 3], *vertex));
        assert_eq!(answers.crossed_at(), [1.0], "{vertex:?}");
        let all_at_once = answers.hits.iter().all(|hit| hit.t == 1.0);
        assert!(
            all_at_once && answers.hits.len() >= 3,
            "{vertex:?} {answers:?}"
        );
        let lowest = answers.hits.iter().map(Name::number).min();
        assert_eq!(
            answers.closest().map(|hit| hit.number()),
            lowest,
            "ties go to the lowest id"
        );
    }
    for [a, b, _] in &shape.faces {
        let [a, b] = [a, b].map(|i| shape.positions[*i as usize]);
        let middle = [0, 1, 2].map(|i| a[i] + b[i]);
        let answers = both.ask(&Ray::new([0.0; 3], middle));
        assert_eq!(answers.crossed_at(), [0.5], "{a:?} {b:?}");
    }
}

/// M24 (Embree WatertightTest): Embree allows one failure in 50,000 here; we allow none.
#[test]
fn far_from_the_origin_a_sphere_does_not_leak() {
    const SEED: u64 = 24;
    let mut rng = Rng::new(SEED);
    let rays = if Effort::is_long() { 100_000 } else { 10_000 };
    for divisions in [50, 200] {
        let sphere = Shape::sphere(2.0, 2 * divisions, divisions, false).moved(FAR);
        let tree = Bvh::build(&sphere.mesh());
        assert!(tree.is_closed());
        for case in 0..rays {
            let origin = Vec3::from(FAR) + Vec3::from(rng.vec(-1.0, 1.0));
            let target = match case % 4 {
                0 => Vec3::from(rng.pick(&sphere.positions)) - origin,
                _ => rng.vec(-1.0, 1.0).into(),
            };
            let ray = Ray::new(origin, target);
            let context = format!("seed {SEED}, {divisions} divisions, case {case}: {ray:?}");
            assert!(tree.any_hit(&ray), "{context}");
            assert!(tree.closest_hit(&ray).is_some(), "{context}");
            assert_eq!(tree.count_crossings(&ray) % 2, 1, "{context}");
        }
    }
    // Compared with brute force.
    let both = Both::new(&Shape::sphere(2.0, 100, 50, false).moved(FAR));
    for _ in 0..100 {
        let origin = Vec3::from(FAR) + Vec3::from(rng.vec(-1.0, 1.0));
        assert!(
            !both
                .ask(&Ray::new(origin, rng.vec(-1.0, 1.0)))
                .hits
                .is_empty()
        );
    }
}

/// M24, the plane: a sheet of 12 by 12 squares, crossed once by every ray towards it.
#[test]
fn far_from_the_origin_a_plane_has_no_gaps() {
    const SEED: u64 = 25;
    let mut rng = Rng::new(SEED);
    for height in [[0.0, 0.0], [FAR[1], FAR[2]]] {
        let corner = [FAR[0], height[0] - 6.0, height[1] - 6.0];
        let sheet = Shape::plane(corner, [0.0, 12.0, 0.0], [0.0, 0.0, 12.0], [12, 12]);
        let both = Both::new(&sheet);
        for case in 0..2_000 {
            let mut slope = || match case % 3 {
                0 => rng.integer(-1, 1), // at vertices
                1 => rng.integer(-2, 2) / 2.0,
                _ => rng.between(-1.0, 1.0),
            };
            let ray = Ray::new(
                [FAR[0] - 3.0, height[0], height[1]],
                [1.0, slope(), slope()],
            );
            let answers = both.ask(&ray);
            let context = format!("seed {SEED}, case {case}: {ray:?}");
            assert_eq!(answers.crossed_at(), [3.0], "{context}");
            assert_eq!(answers.closest().map(|hit| hit.t), Some(3.0), "{context}");
        }
    }
}

/// M25 (Embree SmallTriangleHitTest, commented out there): 20,000 triangles of half a unit, hit
/// from up to a million away. A direction rounded to `f32` moves the aim by 0.06, so a ray may
/// correctly miss its target: brute force is the reference.
#[test]
fn small_triangles_are_found_from_far_away() {
    const SEED: u64 = 3692;
    // The rotation of Embree's test: by 4.34 about the axis (4, 7, -1).
    let turn = {
        let axis = Vec3::new(4.0, 7.0, -1.0).normalize();
        move |p: Vec3| {
            let (sin, cos) = 4.34f32.sin_cos();
            p * cos + axis.cross(p) * sin + axis * axis.dot(p) * (1.0 - cos)
        }
    };
    let along = turn(Vec3::X * 100.0);
    let up = turn(Vec3::Y * 100.0);
    let shape = Shape::plane([0.0; 3], along.into(), up.into(), [100, 100]);
    let both = Both::new(&shape);
    assert_eq!(both.triangle_count(), 20_000);
    let normal = along.cross(up).normalize();

    let mut rng = Rng::new(SEED);
    let (rays, mut right) = (if Effort::is_long() { 20_000 } else { 400 }, 0);
    let mut asked = 0;
    while asked < rays {
        let origin = Vec3::from(rng.vec(-1e6, 1e6));
        let index = rng.below(20_000) as u32;
        let [a, b, c] =
            shape.faces[index as usize].map(|i| Vec3::from(shape.positions[i as usize]));
        let dir = (a + b + c) / 3.0 - origin;
        // Rays that graze the sheet are displaced along it by more than a triangle.
        if normal.dot(dir).abs() < 0.5 * dir.length() {
            continue;
        }
        asked += 1;
        let hit = both.closest(&Ray::new(origin, dir));
        right += u32::from(hit.is_some_and(|hit| hit.number() == index));
    }
    // The circle inside a triangle has a radius of 0.29; 0.06 in each coordinate, twice as
    // much along the sheet, and 0.06 more for the origin's own rounding stay within it.
    assert_eq!(right, rays, "seed {SEED}");
}
