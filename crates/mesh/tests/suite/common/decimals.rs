//! Vertices as decimals, and meshes of them in local frames.

use estoc_mesh::{LocalFrame, Mesh, MeshLoader};
use estoc_testkit::oracle::{decimal, nearest, rational};
use std::fmt::Write;

/// The coordinates of each vertex as text.
pub(crate) type Decimals = Vec<[String; 3]>;

pub(crate) fn obj(corners: &Decimals, faces: &[[usize; 3]]) -> String {
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

pub(crate) fn load(text: &[u8], name: &str, frame: LocalFrame) -> Mesh {
    let loader = MeshLoader::new().local_frame(frame);
    loader.read(text, name).unwrap()
}

/// Checks every corner with rationals.
pub(crate) fn assert_exact(mesh: &Mesh, corners: &Decimals) {
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
