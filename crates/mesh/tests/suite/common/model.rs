//! Random models to be written as OBJ text, and the data read back.

use estoc_core::PrimId;
use estoc_mesh::Mesh;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write;

/// A mesh to be written: numbers as text, faces as indices from 0. If it has texture coordinates or
/// normals, every corner has one.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) positions: Vec<[String; 3]>,
    pub(crate) texcoords: Vec<[String; 2]>,
    pub(crate) normals: Vec<[String; 3]>,
    pub(crate) faces: Vec<Vec<usize>>,
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        (-40..40i32).prop_map(|n| format!("{}", f64::from(n) / 4.0)),
        any::<f32>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(|x| format!("{x:e}")),
        any::<f32>()
            .prop_filter("finite", |x| x.is_finite())
            .prop_map(|x| format!("{x:.9}")),
    ]
}

pub(crate) fn model() -> impl Strategy<Value = Model> {
    (3..20usize).prop_flat_map(|vertices| {
        let positions = proptest::collection::vec(proptest::array::uniform3(number()), vertices);
        let texcoords = proptest::collection::vec(proptest::array::uniform2(number()), 0..4);
        let normals = proptest::collection::vec(proptest::array::uniform3(number()), 0..4);
        let face = proptest::collection::vec(0..vertices, 3..7);
        let faces = proptest::collection::vec(face, 0..30);
        (positions, texcoords, normals, faces).prop_map(|(positions, texcoords, normals, faces)| {
            Model {
                positions,
                texcoords,
                normals,
                faces,
            }
        })
    })
}

impl Model {
    /// Returns the text after the vertex index of this corner of this face.
    pub(crate) fn attributes(&self, face: usize, corner: usize) -> String {
        let pick = |count: usize| (31 * face + 7 * corner).checked_rem(count).map(|i| i + 1);
        match (pick(self.texcoords.len()), pick(self.normals.len())) {
            (None, None) => String::new(),
            (Some(vt), None) => format!("/{vt}"),
            (None, Some(vn)) => format!("//{vn}"),
            (Some(vt), Some(vn)) => format!("/{vt}/{vn}"),
        }
    }

    pub(crate) fn definitions(&self) -> String {
        let mut text = String::new();
        for [u, v] in &self.texcoords {
            writeln!(text, "vt {u} {v}").unwrap();
        }
        for [x, y, z] in &self.normals {
            writeln!(text, "vn {x} {y} {z}").unwrap();
        }
        text
    }
}

/// Returns the simplest text of a model.
pub(crate) fn plain(model: &Model) -> String {
    let mut text = model.definitions();
    for [x, y, z] in &model.positions {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for (number, face) in model.faces.iter().enumerate() {
        text.push('f');
        for (place, corner) in face.iter().enumerate() {
            write!(text, " {}{}", corner + 1, model.attributes(number, place)).unwrap();
        }
        text.push('\n');
    }
    text
}

/// The data of a corner, as bits: position, texture coordinate, normal.
pub(crate) type Corner = ([u32; 3], Option<[u32; 2]>, Option<[u32; 3]>);

/// Returns the corners of a triangle as we read them.
pub(crate) fn corners_of(mesh: &Mesh, prim: PrimId) -> [Corner; 3] {
    let positions = mesh.triangle(prim).unwrap().corners();
    let texcoords = mesh.corner_texcoords(prim);
    let normals = mesh.corner_normals(prim);
    std::array::from_fn(|i| {
        (
            positions[i].to_array().map(f32::to_bits),
            texcoords.map(|corners| corners[i].to_array().map(f32::to_bits)),
            normals.map(|corners| corners[i].to_array().map(f32::to_bits)),
        )
    })
}

pub(crate) fn runner(cases: u32, seed: u8) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(
        config,
        TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]),
    )
}
