//! Geometry as another reader sees it, and text that only differs in dialect.

use estoc_bvh::{Mesh, ObjLoader, Policy};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

type Position = [u32; 3];

/// The faces that tobj reads, as bits of positions.
fn faces_by_tobj(text: &[u8]) -> Vec<Vec<Position>> {
    let options = tobj::LoadOptions {
        ignore_points: true,
        ignore_lines: true,
        ..tobj::LoadOptions::default()
    };
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut &text[..], &options, no_materials).unwrap();
    let mut faces = Vec::new();
    for model in models {
        let mesh = model.mesh;
        let corners: Vec<Position> = mesh
            .indices
            .iter()
            .map(|&i| std::array::from_fn(|axis| mesh.positions[3 * i as usize + axis].to_bits()))
            .collect();
        let mut rest = corners.as_slice();
        let triangles = vec![3; corners.len() / 3];
        let arities = if mesh.face_arities.is_empty() {
            &triangles
        } else {
            &mesh.face_arities
        };
        for &arity in arities {
            let (face, later) = rest.split_at(arity as usize);
            faces.push(face.to_vec());
            rest = later;
        }
    }
    faces
}

/// Checks that a mesh has the triangles of these faces, in order. Returns how many faces are
/// not cut as a fan.
fn assert_same_faces(mesh: &Mesh, faces: &[Vec<Position>], name: &str) -> u64 {
    let mut triangles = mesh
        .triangles()
        .map(|t| t.corners().map(|p| p.to_array().map(f32::to_bits)));
    let mut not_fans = 0;
    for (number, face) in faces.iter().enumerate() {
        let cut: Vec<_> = triangles.by_ref().take(face.len() - 2).collect();
        let fan = face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]);
        if !cut.iter().copied().eq(fan) {
            not_fans += 1;
            assert_eq!(cut.len(), face.len() - 2, "{name}: face {number}");
            let corners: Vec<_> = cut.concat();
            assert!(
                corners.iter().all(|p| face.contains(p)),
                "{name}: face {number}"
            );
            assert!(
                face.iter().all(|p| corners.contains(p)),
                "{name}: face {number}"
            );
        }
    }
    assert_eq!(triangles.count(), 0, "{name}: triangles too many");
    not_fans
}

#[test]
fn real_meshes_have_the_geometry_that_tobj_reads() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/meshes");
    let mut compared = 0;
    for (name, count) in [
        ("utah-teapot", 6_320),
        ("beast-quads", 64_618),
        ("stanford-bunny", 69_451),
        ("sponza-dabrovic", 66_450),
        ("samurai-monastery", 124_789),
    ] {
        let packed = format!("{folder}/{name}.obj.zst");
        if !Path::new(&packed).exists() {
            println!("skipped: there is no {packed}");
            continue;
        }
        // The data is there, so nothing may keep the test from looking at it.
        let unpacked = Command::new("zstd")
            .args(["-dcq", &packed])
            .output()
            .unwrap_or_else(|error| panic!("zstd, needed to unpack {packed}: {error}"));
        assert!(unpacked.status.success(), "zstd cannot unpack {packed}");
        let text = unpacked.stdout;
        let mesh = ObjLoader::new().read(&text, name).unwrap();
        assert_eq!(mesh.triangle_count(), count, "{name}");
        let not_fans = assert_same_faces(&mesh, &faces_by_tobj(&text), name);
        let report = mesh.report();
        assert!(not_fans <= report.concave_polygons + report.tangled_polygons.count());
        compared += 1;
    }
    println!("{compared} meshes compared");
}

/// A mesh to be written: positions as text, faces as indices from 0.
#[derive(Clone, Debug)]
struct Model {
    positions: Vec<[String; 3]>,
    faces: Vec<Vec<usize>>,
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

fn model() -> impl Strategy<Value = Model> {
    (3..20usize).prop_flat_map(|vertices| {
        let positions = proptest::collection::vec(proptest::array::uniform3(number()), vertices);
        let face = proptest::collection::vec(0..vertices, 3..7);
        let faces = proptest::collection::vec(face, 0..30);
        (positions, faces).prop_map(|(positions, faces)| Model { positions, faces })
    })
}

/// The plainest text of a model.
fn plain(model: &Model) -> String {
    let mut text = String::new();
    for [x, y, z] in &model.positions {
        writeln!(text, "v {x} {y} {z}").unwrap();
    }
    for face in &model.faces {
        text.push('f');
        for corner in face {
            write!(text, " {}", corner + 1).unwrap();
        }
        text.push('\n');
    }
    text
}

/// The same model in a dialect that the choices select, byte by byte.
fn in_dialect(model: &Model, choices: &[u8]) -> Vec<u8> {
    let mut choices = choices.iter().cycle();
    let mut choose = |n: usize| usize::from(*choices.next().unwrap()) % n;
    let mut text = Vec::new();
    let blanks = [" ", "\t", "  ", "\x0b", " \\\n", "\\ \t\r\n ", "\x0c"];
    let ends = [
        "\n",
        "\r\n",
        "\r",
        " \n",
        "# end\n",
        " # f 9 9\r\n",
        "\n\n",
        "\t\r",
    ];
    let others = [
        "",
        "",
        "",
        "# v 1 2 3\n",
        "g a b\n",
        "o caf\u{e9}\r",
        "usemtl m # 2\n",
        "s 1\n",
        "l 1 2\n",
        "vt 0 0\n",
        "vn 0 0 1\n",
        "p 1\n",
        "f 1 2\n",
        "# folder\\\n",
        "vp 1\n",
        "\n",
    ];
    if choose(4) == 0 {
        text.extend(b"\xef\xbb\xbf");
    }
    let line = |text: &mut Vec<u8>, choose: &mut dyn FnMut(usize) -> usize, words: &[String]| {
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                text.extend(blanks[choose(blanks.len())].bytes());
            }
            text.extend(word.bytes());
        }
        text.extend(ends[choose(ends.len())].bytes());
        text.extend(others[choose(others.len())].bytes());
    };
    // Faces may come before the vertices they name, and between them.
    let mut faces = model.faces.iter();
    let mut write_face =
        |text: &mut Vec<u8>, choose: &mut dyn FnMut(usize) -> usize, seen: usize| {
            let Some(face) = faces.next() else { return };
            let mut words = vec!["f".to_owned()];
            for &corner in face {
                let index = match choose(2) {
                    0 if corner < seen => format!("{}", corner as i64 - seen as i64),
                    _ => format!("{}", corner + 1),
                };
                let attributes = ["", "/1", "//1", "/1/1", "/", "//", "/-1/-1"][choose(7)];
                words.push(index + attributes);
            }
            line(text, choose, &words);
        };
    for (seen, position) in model.positions.iter().enumerate() {
        if choose(5) == 0 {
            write_face(&mut text, &mut choose, seen);
        }
        let mut words = vec!["v".to_owned()];
        words.extend(position.iter().cloned());
        let extra = ["", "", "1", "0.5 0.5 nan", "1 0 0 1"][choose(5)];
        words.extend(extra.split_whitespace().map(str::to_owned));
        line(&mut text, &mut choose, &words);
    }
    for _ in &model.faces {
        write_face(&mut text, &mut choose, model.positions.len());
    }
    while text.last().is_some_and(|&byte| byte == b'\n') && choose(2) == 0 {
        text.pop();
    }
    text
}

fn runner(cases: u32, seed: u8) -> TestRunner {
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

#[test]
fn generated_models_have_the_geometry_that_tobj_reads() {
    runner(1000, 1)
        .run(&model(), |model| {
            // Finite in f32, unless the decimal overflows.
            let text = plain(&model);
            let mesh = ObjLoader::new().read(text.as_bytes(), "model").unwrap();
            assert_same_faces(&mesh, &faces_by_tobj(text.as_bytes()), &text);
            Ok(())
        })
        .unwrap();
}

#[test]
fn dialects_say_the_same() {
    let choices = proptest::collection::vec(any::<u8>(), 1..400);
    runner(3000, 2)
        .run(&(model(), choices), |(model, choices)| {
            let expected = ObjLoader::new()
                .read(plain(&model).as_bytes(), "plain")
                .unwrap();
            let text = in_dialect(&model, &choices);
            let shown = || String::from_utf8_lossy(&text).into_owned();
            let mesh = match ObjLoader::new().read(&text, "dialect") {
                Ok(mesh) => mesh,
                Err(error) => return Err(TestCaseError::fail(format!("{error}: {:?}", shown()))),
            };
            prop_assert_eq!(mesh.positions(), expected.positions(), "{:?}", shown());
            prop_assert_eq!(mesh.indices(), expected.indices(), "{:?}", shown());
            Ok(())
        })
        .unwrap();
}

#[test]
fn arbitrary_bytes_never_panic() {
    let byte = prop_oneof![
        any::<u8>(),
        proptest::sample::select(b"vf 1230-./#\\\n\r\tgout".to_vec()),
    ];
    runner(20_000, 3)
        .run(&proptest::collection::vec(byte, 0..200), |text| {
            for policy in [Policy::Reject, Policy::Skip] {
                if let Ok(mesh) = ObjLoader::new().policy(policy).read(&text, "bytes") {
                    let vertices = mesh.positions().len() as u32;
                    prop_assert!(mesh.indices().iter().flatten().all(|&i| i < vertices));
                    prop_assert!(mesh.triangles().all(|triangle| triangle.is_finite()));
                }
            }
            Ok(())
        })
        .unwrap();
}
