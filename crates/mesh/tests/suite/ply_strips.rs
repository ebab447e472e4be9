//! Strips of triangles, further values on lines, and point clouds in PLY.

use crate::common::{prim, read, refusal, skip, warnings};

/// A cube as two strips for bottom and top, and four for the sides.
const STRIPS: [i32; 29] = [
    0, 3, 1, 2, -1, 4, 5, 7, 6, -1, 0, 1, 4, 5, -1, 1, 2, 5, 6, -1, 2, 3, 6, 7, -1, 3, 0, 7, 4,
];
const TRIANGLES: [[u32; 3]; 12] = [
    [0, 3, 1],
    [3, 2, 1],
    [4, 5, 7],
    [5, 6, 7],
    [0, 1, 4],
    [1, 5, 4],
    [1, 2, 5],
    [2, 6, 5],
    [2, 3, 6],
    [3, 7, 6],
    [3, 0, 7],
    [0, 4, 7],
];

fn header(format: &str, elements: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\nelement vertex 8\nproperty float x\nproperty float y\n\
         property float z\n{elements}end_header\n"
    )
}

fn corners() -> [[f32; 3]; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|i: i32| {
        let x = [0.0, 1.0, 1.0, 0.0][i as usize % 4];
        let y = [0.0, 0.0, 1.0, 1.0][i as usize % 4];
        [x, y, f32::from(i > 3)]
    })
}

fn vertices() -> String {
    let lines = corners().map(|[x, y, z]| format!("{x} {y} {z}\n"));
    lines.concat()
}

fn strips(count: usize) -> String {
    format!("element tristrips {count}\nproperty list int int vertex_indices\n")
}

fn line(indices: &[i32]) -> String {
    let indices: Vec<String> = indices.iter().map(ToString::to_string).collect();
    format!("{} {}\n", indices.len(), indices.join(" "))
}

#[test]
fn strips_are_triangles_of_one_orientation() {
    let text = header("ascii", &strips(1)) + &vertices() + &line(&STRIPS);
    let mesh = read(&text, "a.ply").unwrap();
    assert_eq!(mesh.indices(), TRIANGLES);
    assert!(warnings(&mesh).is_empty(), "{:?}", warnings(&mesh));
    assert_eq!(mesh.line_of(prim(11)), Some(18));
    // The signed volume of a closed mesh whose normals point outwards.
    let volume: f32 = mesh
        .triangles()
        .map(|triangle| {
            let [a, b, c] = triangle.corners();
            a.dot(b.cross(c)) / 6.0
        })
        .sum();
    assert_eq!(volume, 1.0);
    for (format, float, int) in [
        (
            "binary_little_endian",
            f32::to_le_bytes as fn(f32) -> [u8; 4],
            i32::to_le_bytes as fn(i32) -> [u8; 4],
        ),
        ("binary_big_endian", f32::to_be_bytes, i32::to_be_bytes),
    ] {
        // -1 of an unsigned type is its largest number.
        for kind in ["int", "uint"] {
            let strips = strips(1).replace("int vertex", &format!("{kind} vertex"));
            let mut bytes = header(format, &strips).into_bytes();
            bytes.extend(corners().as_flattened().iter().copied().flat_map(float));
            bytes.extend(int(STRIPS.len() as i32));
            bytes.extend(STRIPS.into_iter().flat_map(int));
            let mesh = read(&bytes, "a.ply").unwrap();
            assert_eq!(mesh.indices(), TRIANGLES, "{format} {kind}");
        }
    }
}

#[test]
fn strips_stand_beside_faces_and_turn_by_repeated_corners() {
    let faces = "element face 1\nproperty list uchar int vertex_indices\n";
    for is_first in [true, false] {
        let (elements, body) = match is_first {
            true => (
                faces.to_owned() + &strips(2),
                ["3 0 1 2\n", "5 4 5 6 7 4\n4 -1 0 1 2\n"],
            ),
            false => (
                strips(2) + faces,
                ["5 4 5 6 7 4\n4 -1 0 1 2\n", "3 0 1 2\n"],
            ),
        };
        let text = header("ascii", &elements) + &vertices() + &body.concat();
        let mesh = read(&text, "a.ply").unwrap();
        let mut expected = vec![[4, 5, 6], [5, 7, 6], [6, 7, 4], [0, 1, 2]];
        expected.insert(if is_first { 0 } else { 4 }, [0, 1, 2]);
        assert_eq!(mesh.indices(), expected);
        assert_eq!(mesh.report().faces, 5);
    }
    // A strip that turns, and two that are too short.
    let text = header("ascii", &strips(2)) + &vertices() + "7 0 1 2 2 3 -1 4\n2 5 6\n";
    let mesh = read(&text, "a.ply").unwrap();
    assert_eq!(mesh.indices(), [[0, 1, 2]]);
    assert_eq!(
        warnings(&mesh),
        [
            "not read: triangles of strips with a corner twice (2)",
            "not read: corners that do not complete a triangle (3)"
        ]
    );
}

#[test]
fn invalid_strips_are_told() {
    let body = |line: &str| header("ascii", &strips(2)) + &vertices() + line + "3 0 1 2\n";
    for (line, problem) in [
        ("4 0 1 2 8\n", "vertex index 8 is out of range (8 vertices)"),
        (
            "4 0 1 2 -2\n",
            "vertex index -2 is out of range (8 vertices)",
        ),
        ("4 0 1 2 x\n", "\"x\" is not an index"),
        ("5 0 1 2\n", "a list of 5 indices has only 3"),
    ] {
        let told = format!("a.ply:18: {problem}; use BadFaces::Skip to skip such faces");
        assert_eq!(refusal(body(line), "a.ply"), told);
        let mesh = skip(body(line), "a.ply").unwrap();
        assert_eq!(mesh.triangle_count(), 2, "{told}");
        assert_eq!(mesh.report().skipped_faces(), 1, "{told}");
    }
    let text = header("ascii", &strips(1).replace("vertex_indices", "corners"));
    let text = text + &vertices() + "3 0 1 2\n";
    let told = "a.ply: invalid PLY: its strips have no list \"vertex_indices\"";
    assert_eq!(refusal(text, "a.ply"), told);
}

#[test]
fn further_values_on_lines_of_faces_are_counted() {
    let faces = "element face 2\nproperty list uchar int vertex_indices\n";
    let body = "3 0 3 2 9 1 1 1 1 1 1 1 1 1\n3 0 2 1 255 0 0\n";
    let text = header("ascii", faces) + &vertices() + body;
    let mesh = read(&text, "a.ply").unwrap();
    assert_eq!(mesh.indices(), [[0, 3, 2], [0, 2, 1]]);
    assert_eq!(
        warnings(&mesh),
        ["not read: values of faces that the header does not declare (13)"]
    );
}

#[test]
fn point_clouds_are_told() {
    for elements in [
        "",
        "element face 0\nproperty list uchar int vertex_indices\n",
    ] {
        let text = header("ascii", elements) + &vertices();
        let mesh = read(&text, "a.ply").unwrap();
        assert_eq!((mesh.positions().len(), mesh.triangle_count()), (8, 0));
        assert_eq!(
            warnings(&mesh),
            ["8 vertices, but no faces, as in point clouds and wireframes: nothing can be hit"]
        );
    }
}
