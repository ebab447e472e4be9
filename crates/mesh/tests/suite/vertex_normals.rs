//! Normals of vertices.

use crate::common::CUBE;
use estoc_core::glam::{DVec3, Vec3};
use estoc_demo::SplitMix64;
use estoc_mesh::Mesh;
use std::f32::consts::FRAC_1_SQRT_2;

/// A cube with a corner at 0, whose faces are divided along diagonals that the bits of `split` choose.
fn cube(split: u32, size: f32) -> Mesh {
    let corner = |i: u32| [0, 1, 2].map(|axis| size * (i >> axis & 1) as f32);
    let faces = CUBE
        .iter()
        .enumerate()
        .flat_map(|(i, &[a, b, c, d])| match split >> i & 1 {
            0 => [[a, b, c], [a, c, d]],
            _ => [[b, c, d], [b, d, a]],
        });
    Mesh::try_new((0..8).map(corner), faces).unwrap()
}

#[test]
fn normals_of_a_cube_do_not_depend_on_its_diagonals() {
    for size in [1.0, f32::MAX, f32::from_bits(1)] {
        for split in 0..64 {
            for (i, normal) in cube(split, size).vertex_normals().into_iter().enumerate() {
                let sign = |axis: usize| 2.0 * (i >> axis & 1) as f32 - 1.0;
                let diagonal = Vec3::new(sign(0), sign(1), sign(2)) / 3.0_f32.sqrt();
                assert!(
                    (normal - diagonal).length() < 3e-7,
                    "{size} {split}: {normal}"
                );
            }
        }
    }
}

#[test]
fn vertices_without_area_have_none() {
    let nan = f32::NAN;
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [nan, nan, nan],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 5.0],
    ];
    // One without area, and a triangle from both sides.
    let faces = [[0, 1, 2], [0, 1, 4], [4, 1, 0], [0, 1, 5]];
    let normals = Mesh::try_new(corners, faces).unwrap().vertex_normals();
    let down = Vec3::NEG_Y;
    assert_eq!(
        normals,
        [down, down, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO, down]
    );
    let bits = normals.iter().flat_map(Vec3::to_array).map(f32::to_bits);
    assert!(bits.into_iter().all(|bits| bits != (-0.0_f32).to_bits()));
    assert!(Mesh::default().vertex_normals().is_empty());
    // An edge of two faces.
    let ridge = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let ridge = Mesh::try_new(ridge, [[0, 1, 2], [0, 3, 1]]).unwrap();
    let expected = Vec3::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0);
    assert!((ridge.vertex_normals()[0] - expected).length() < 1e-7);
}

#[test]
fn normals_are_those_of_the_law_of_cosines() {
    let mut random = SplitMix64::new(7);
    let mut number = || random.unit() as f32;
    for exponent in [-120, -40, 0, 60, 126] {
        let scale = f32::from_bits(((exponent + 127) as u32) << 23);
        let mut corner = || [number(), number(), number()].map(|x| x * scale);
        let corners: Vec<[f32; 3]> = (0..30).map(|_| corner()).collect();
        let faces: Vec<[u32; 3]> = (0..28).map(|i| [i, i + 1, i + 2]).collect();
        let mesh = Mesh::try_new(corners.clone(), faces.clone()).unwrap();
        let at = |i: u32| DVec3::from(corners[i as usize].map(f64::from)) / f64::from(scale);
        let mut sums = vec![DVec3::ZERO; 30];
        for face in faces {
            let [a, b, c] = face.map(at);
            let normal = (b - a).cross(c - a).normalize();
            for [i, j, k] in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
                let [p, q, r] = [i, j, k].map(|i| at(face[i]));
                let (x, y, z) = (p.distance(q), p.distance(r), q.distance(r));
                let angle = ((x * x + y * y - z * z) / (2.0 * x * y)).acos();
                sums[face[i] as usize] += angle * normal;
            }
        }
        for (normal, sum) in mesh.vertex_normals().iter().zip(sums) {
            let off = normal.as_dvec3().distance(sum.normalize());
            // The sum may be short.
            assert!(off < 3e-7 * 9.0 / sum.length(), "{exponent}: {off} {sum}");
        }
    }
}
