//! Meshes in local frames: every corner is the decimal of the file minus the origin, rounded once.

use crate::common::decimals::{Decimals, assert_exact, load, obj};
use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::{LocalFrame, Mesh, MeshLoader};
use estoc_testkit::oracle::{nearest, rational};
use estoc_testkit::tables::Rng;
use std::fmt::Write;

/// A terrain in metres on a map, with three decimals, and its triangles.
fn terrain(side: usize, seed: u64) -> (Decimals, Vec<[usize; 3]>) {
    let mut rng = Rng::new(seed);
    let mut number = |start: u64, spread: u64| {
        let thousandths = start * 1000 + rng.below(spread * 1000);
        format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
    };
    let mut corners = Vec::new();
    for row in 0..side as u64 {
        for column in 0..side as u64 {
            let (x, y) = (499_700 + 25 * column, 5_200_100 + 25 * row);
            corners.push([number(x, 20), number(y, 20), number(240, 300)]);
        }
    }
    let mut faces = Vec::new();
    for row in 1..side {
        for column in 1..side {
            let at = row * side + column;
            faces.extend([[at, at - 1, at - side], [at - side - 1, at - side, at - 1]]);
        }
    }
    (corners, faces)
}

#[test]
fn every_corner_of_a_map_is_rounded_once() {
    let (corners, faces) = terrain(24, 1);
    let text = obj(&corners, &faces);
    let at = |x, y, z| LocalFrame::At(DVec3::new(x, y, z));
    for frame in [
        LocalFrame::Auto,
        at(500_000.0, 5_200_000.0, 0.0),
        // One that no corner is a short number away from.
        at(499_999.1, 5_200_333.3, 1e-9),
        at(-1e9, 1e15, 1e30),
        at(0.0, 0.0, 0.0),
    ] {
        let mesh = load(text.as_bytes(), "map.obj", frame);
        assert_exact(&mesh, &corners);
    }
    let mesh = load(text.as_bytes(), "map.obj", LocalFrame::Auto);
    // 600 m, so multiples of 32.
    assert_eq!(mesh.origin(), DVec3::new(500_000.0, 5_200_384.0, 384.0));
    let loss = mesh.report().rounding;
    assert!(
        loss.largest_movement > 0.0 && loss.largest_movement < 4e-5,
        "{loss:?}"
    );
    let plain = MeshLoader::new().read(text.as_bytes(), "map.obj").unwrap();
    assert_eq!(plain.origin(), DVec3::ZERO);
    let lost = plain.report().rounding.largest_movement;
    assert!(lost > 0.2 && lost < 0.3, "{lost}");
}

#[test]
fn no_local_frame_and_an_origin_of_0_are_the_same() {
    let (corners, faces) = terrain(5, 2);
    let text = obj(&corners, &faces);
    let plain = MeshLoader::new().read(text.as_bytes(), "map.obj").unwrap();
    for zero in [0.0, -0.0] {
        let frame = LocalFrame::At(DVec3::splat(zero));
        let mesh = load(text.as_bytes(), "map.obj", frame);
        assert_eq!(mesh.positions(), plain.positions());
        assert_eq!(mesh.report(), plain.report());
        assert!(mesh.origin().x.is_sign_positive());
    }
}

#[test]
fn every_text_format_has_the_same_corners() {
    let (corners, faces) = terrain(4, 3);
    let frame = LocalFrame::At(DVec3::new(499_750.3, 5_200_140.7, 390.01));
    let expected = load(obj(&corners, &faces).as_bytes(), "map.obj", frame);
    let counts = [corners.len(), faces.len()];
    let [vertices, triangles] = counts;
    let mut off = format!("OFF {vertices} {triangles} 0\n");
    let mut ply = format!(
        "ply\nformat ascii 1.0\nelement vertex {vertices}\nproperty double z\nproperty float x\n\
         property double y\nelement face {triangles}\nproperty list uchar int vertex_indices\n\
         end_header\n"
    );
    for [x, y, z] in &corners {
        writeln!(off, "{x} {y} {z}").unwrap();
        writeln!(ply, "{z} {x} {y}").unwrap();
    }
    let mut stl = "solid map\n".to_owned();
    for face in &faces {
        let [a, b, c] = face;
        writeln!(off, "3 {a} {b} {c}").unwrap();
        writeln!(ply, "3 {a} {b} {c}").unwrap();
        stl += "facet normal 0 0 1\nouter loop\n";
        for &corner in face {
            writeln!(stl, "vertex {}", corners[corner].join(" ")).unwrap();
        }
        stl += "endloop\nendfacet\n";
    }
    stl += "endsolid map\n";
    for (name, text) in [("a.off", off), ("a.ply", ply), ("a.stl", stl)] {
        let mesh = load(text.as_bytes(), name, frame);
        let triangles = |mesh: &Mesh| mesh.triangles().map(|t| t.corners()).collect::<Vec<_>>();
        assert_eq!(triangles(&mesh), triangles(&expected), "{name}");
        assert_eq!(mesh.origin(), expected.origin());
    }
}

#[test]
fn binary_numbers_are_exact_before_they_are_rounded() {
    let origin = DVec3::new(5e6 + 0.1, -7.3, 1e-3);
    let numbers = [
        [5_000_000.3f64, -7.25, 0.25],
        [4_999_999.9, -7.5, 0.5],
        [5e6, 0.1, -0.125],
    ];
    let expected = |numbers: &[[f64; 3]]| -> Vec<Vec3> {
        let of = |number: &[f64; 3]| {
            [0, 1, 2].map(|axis| nearest(&(rational(number[axis]) - rational(origin[axis]))))
        };
        numbers.iter().map(|number| of(number).into()).collect()
    };
    let mut ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\n\
        property double y\nproperty double z\nelement face 1\n\
        property list uchar int vertex_index\nend_header\n"
        .to_vec();
    ply.extend(numbers.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    ply.push(3);
    ply.extend([0i32, 1, 2].iter().flat_map(|i| i.to_le_bytes()));
    let mesh = load(&ply, "a.ply", LocalFrame::At(origin));
    assert_eq!(mesh.positions(), expected(&numbers));

    let single = numbers.map(|number| number.map(|x| x as f32));
    let mut stl = vec![0; 80];
    stl.extend(1u32.to_le_bytes());
    stl.extend([0; 12]);
    stl.extend(single.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
    stl.extend([0; 2]);
    let mesh = load(&stl, "a.stl", LocalFrame::At(origin));
    let found = mesh.positions();
    assert_eq!(found, expected(&single.map(|number| number.map(f64::from))));
    let plain = MeshLoader::new().read(&stl, "a.stl").unwrap();
    assert_eq!(plain.report().rounding.largest_movement, 0.0);
}

#[cfg(feature = "gltf")]
#[test]
fn transforms_of_nodes_are_rounded_once() {
    let matrix = [0.1, 0.2, 0.0, 0.0, -0.2, 0.1, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0];
    let translation = [500_000.1, 5_200_000.7, 12.3];
    let points = [[1.5f32, 0.1, 0.0], [100.7, 0.3, 0.5], [0.25, 99.9, -0.5]];
    let bytes: Vec<u8> = points
        .as_flattened()
        .iter()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    let file = |_: &str| Ok(bytes.clone());
    let columns = matrix.map(|x: f64| x.to_string()).join(",");
    let [x, y, z] = translation;
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0,"matrix":[{columns},{x},{y},{z},1]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"uri":"a.bin","byteLength":36}}]}}"#
    );
    let origin = DVec3::new(500_000.0, 5_200_050.3, 0.0);
    let loader = MeshLoader::new().file_source(&file);
    let loader = loader.local_frame(LocalFrame::At(origin));
    let mesh = loader.read(text.as_bytes(), "a.gltf").unwrap();
    for (found, point) in mesh.positions().iter().zip(points) {
        for axis in 0..3 {
            let mut exact = rational(translation[axis]) - rational(origin[axis]);
            for (column, x) in point.into_iter().enumerate() {
                exact += rational(matrix[4 * column + axis]) * rational(x.into());
            }
            assert_eq!(found[axis], nearest(&exact));
        }
    }
    let chosen = MeshLoader::new()
        .file_source(&file)
        .local_frame(LocalFrame::Auto);
    let chosen = chosen.read(text.as_bytes(), "a.gltf").unwrap();
    assert_eq!(chosen.origin(), DVec3::new(499_995.0, 5_200_011.0, 12.0));
}

/// trimesh #48: in `f32`, a ray that starts a hundredth before this wall starts in it or behind it.
#[test]
fn a_wall_on_a_map_keeps_its_place() {
    let corners = [
        ["528980.85", "183526.1", "0"],
        ["528980.85", "183526.1", "3"],
        ["528982.3", "183523.55", "0"],
        ["528982.3", "183523.55", "3"],
    ];
    let corners: Decimals = corners.map(|corner| corner.map(str::to_owned)).to_vec();
    let text = obj(&corners, &[[1, 0, 2], [1, 2, 3]]);
    let mesh = load(text.as_bytes(), "wall.obj", LocalFrame::Auto);
    assert_exact(&mesh, &corners);
    assert!(mesh.report().rounding.largest_movement < 1e-7);
    let plain = MeshLoader::new().read(text.as_bytes(), "wall.obj").unwrap();
    assert!(plain.report().rounding.largest_movement > 0.01);
    // A hundredth away along the normal, there and back.
    let normal = mesh
        .triangles()
        .next()
        .unwrap()
        .normal()
        .unwrap()
        .as_dvec3();
    let middle = DVec3::new(528_981.575, 183_524.825, 1.5) + 0.01 * normal;
    let start = mesh.from_world(middle);
    assert!((mesh.to_world(start) - middle).length() < 1e-7);
    let triangle = mesh.triangles().next().unwrap();
    let [a, ..] = triangle.corners().map(Vec3::as_dvec3);
    let away = (start.as_dvec3() - a).dot(normal);
    assert!((away - 0.01).abs() < 1e-6, "{away}");
}
