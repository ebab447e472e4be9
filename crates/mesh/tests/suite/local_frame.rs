//! Meshes in local frames: every corner is the decimal of the file minus the origin, rounded once.

use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::{LocalFrame, Mesh, MeshError, MeshLoader};
use estoc_testkit::oracle::{decimal, nearest, rational};
use estoc_testkit::tables::Rng;
use std::fmt::Write;

/// The coordinates of each vertex as text.
type Decimals = Vec<[String; 3]>;

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

fn obj(corners: &Decimals, faces: &[[usize; 3]]) -> String {
    let mut text = String::new();
    for [x, y, z] in corners {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for face in faces {
        let [a, b, c] = face.map(|corner| corner + 1);
        writeln!(text, "f {a} {b} {c}").unwrap();
    }
    text
}

fn load(text: &[u8], name: &str, frame: LocalFrame) -> Mesh {
    let loader = MeshLoader::new().local_frame(frame);
    loader.read(text, name).unwrap()
}

/// Checks every corner with rationals.
fn assert_exact(mesh: &Mesh, corners: &Decimals) {
    assert_eq!(mesh.positions().len(), corners.len());
    let origin = mesh.origin().to_array().map(rational);
    for (position, corner) in mesh.positions().iter().zip(corners) {
        for axis in 0..3 {
            let exact = decimal(&corner[axis]) - &origin[axis];
            let found = position[axis];
            assert_eq!(found, nearest(&exact), "{} in axis {axis}", corner[axis]);
        }
    }
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
    assert_eq!(
        mesh.positions(),
        expected(&single.map(|number| number.map(f64::from)))
    );
    let plain = MeshLoader::new().read(&stl, "a.stl").unwrap();
    assert_eq!(plain.report().rounding.largest_movement, 0.0);
}

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

/// Decimals at the middle of two numbers, and just beside it, which `f64` does not tell apart.
#[test]
fn ties_are_decided_on_the_decimal() {
    let mut rng = Rng::new(4);
    let mut corners = Vec::new();
    let origin = DVec3::new(500_000.1, 5_200_000.0, -0.3);
    for round in 0..300 {
        let mut words = [(); 3].map(|()| String::new());
        for (axis, word) in words.iter_mut().enumerate() {
            let exponent = 90 + rng.below(60) as u32;
            let x = f32::from_bits(exponent << 23 | rng.below(1 << 23) as u32);
            let middle = (f64::from(x) + f64::from(x.next_up())) / 2.0;
            // Both are multiples of 2^-150 or so, whose decimals are finite.
            let exact = rational(middle) + rational(origin[axis]);
            *word = finite_decimal(&exact);
            match (round + axis) % 3 {
                0 => {}
                1 => *word += "00000000000000000000000000000000000000001",
                _ => {
                    let last = word.pop().unwrap();
                    assert_eq!(last, '5');
                    *word += "49999999999999999999999999999999999999999";
                }
            }
        }
        corners.push(words);
    }
    let text = obj(&corners, &[[0, 1, 2]]);
    let mesh = load(text.as_bytes(), "ties.obj", LocalFrame::At(origin));
    assert_exact(&mesh, &corners);
}

/// Writes a number whose denominator is a power of two with all digits, of which the last is 5.
fn finite_decimal(x: &num_rational::BigRational) -> String {
    let places = x.denom().bits() - 1;
    let digits = (x.numer().clone() << places) / x.denom();
    let fives = (0..places).fold(digits, |digits, _| digits * 5);
    let (sign, digits) = match fives.to_string() {
        text if text.starts_with('-') => ("-", text[1..].to_owned()),
        text => ("", text),
    };
    let digits = format!("{digits:0>width$}", width = places as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places as usize);
    format!("{sign}{whole}.{fraction}")
}

#[test]
fn numbers_that_need_care_are_exact_too() {
    let zeros = "0".repeat(3000);
    let origin = DVec3::new(1e39, 5e-324, 16_777_217.0);
    let words: [&[&str]; 3] = [
        &[
            "1e39",
            "1.0000001e39",
            "999999999999999999999999999999999999999",
            "1e40",
            "-1e38",
            "0",
        ],
        &[
            "0",
            "1e-300",
            "7.0064923216240853e-46",
            "1.5",
            "-2.5e-45",
            "1e38",
        ],
        &[
            "16777217",
            "16777217.5",
            "+16777218",
            "1.6777217e7",
            "-0",
            "16777217000000e-6",
        ],
    ];
    let mut corners: Decimals = (0..6)
        .map(|i| words.map(|words| words[i].to_owned()))
        .collect();
    corners.push(
        ["1e39", "0", "16777217"].map(|word| match word.contains('e') {
            true => format!("1{}", &zeros[..39]),
            false => format!("{word}.{zeros}1"),
        }),
    );
    let text = obj(&corners, &[[0, 1, 2], [4, 5, 6]]);
    let mut loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
    loader = loader.bad_faces(estoc_mesh::BadFaces::Skip);
    let mesh = loader.read(text.as_bytes(), "care.obj").unwrap();
    for corner in &mut corners {
        corner[2] = corner[2].trim_start_matches('+').to_owned();
    }
    assert_exact(&mesh, &corners);
}

#[test]
fn hostile_numbers_end_in_errors_or_infinities() {
    let text = |x: &str| format!("v {x} 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for origin in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let loader = MeshLoader::new().local_frame(LocalFrame::At(DVec3::new(0.0, origin, 0.0)));
        for (name, text) in [("a.obj", text("0")), ("a.off", "OFF 0 0 0\n".into())] {
            let error = loader.read(text.as_bytes(), name).unwrap_err();
            assert!(
                matches!(error, MeshError::OriginNotFinite { .. }),
                "{error}"
            );
            let told = error.to_string();
            let start = format!("{name}: the origin [0, {origin}, 0] of the local frame");
            assert!(told.starts_with(&start), "{told}");
        }
    }
    let long = "9".repeat(100_000);
    for origin in [
        DVec3::splat(0.1),
        DVec3::splat(f64::MAX),
        DVec3::splat(-f64::MAX),
    ] {
        for x in [
            "1e39",
            "-1e400",
            "1e99999999999999999999",
            "inf",
            "nan",
            "1.#INF",
            &long,
        ] {
            let loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
            let error = loader.read(text(x).as_bytes(), "a.obj").unwrap_err();
            assert!(
                matches!(error, MeshError::NonFiniteVertex { .. }),
                "{x}: {error}"
            );
        }
    }
    for x in [
        "1e-99999999999999999999",
        "-1e-400",
        &format!("0.{}1", "0".repeat(100_000)),
    ] {
        let mesh = load(
            text(x).as_bytes(),
            "a.obj",
            LocalFrame::At(DVec3::splat(0.5)),
        );
        assert_eq!(mesh.positions()[0].x, -0.5, "{x}");
    }
    let error = MeshLoader::new().local_frame(LocalFrame::Auto);
    let error = error.read(text("1e39").as_bytes(), "a.obj").unwrap_err();
    assert!(
        matches!(error, MeshError::NonFiniteVertex { .. }),
        "{error}"
    );
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
    let [a, ..] = triangle.corners().map(|corner| corner.as_dvec3());
    let away = (start.as_dvec3() - a).dot(normal);
    assert!((away - 0.01).abs() < 1e-6, "{away}");
}
