//! Geometry, texture coordinates and normals compared with another reader.

use crate::common::model::{Corner, corners_of, model, plain, runner};
use estoc_core::PrimId;
use estoc_mesh::{Mesh, ObjLoader};
use std::path::Path;
use std::process::Command;

/// Returns the faces that tobj reads.
fn faces_by_tobj(text: &[u8]) -> Vec<Vec<Corner>> {
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
        let attributes = (&mesh.texcoord_indices, &mesh.normal_indices);
        let corners: Vec<Corner> = (0..mesh.indices.len())
            .map(|corner| {
                let texture = attributes.0.get(corner);
                let normal = attributes.1.get(corner);
                (
                    bits(&mesh.positions, mesh.indices[corner]),
                    texture.map(|&i| bits(&mesh.texcoords, i)),
                    normal.map(|&i| bits(&mesh.normals, i)),
                )
            })
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

/// Returns the bits of an entry of a flat array.
fn bits<const N: usize>(flat: &[f32], index: u32) -> [u32; N] {
    std::array::from_fn(|axis| flat[N * index as usize + axis].to_bits())
}

/// Checks that a mesh has the triangles of these faces, in order. Returns how many faces are not
/// triangulated as a fan.
fn assert_same_faces(mesh: &Mesh, faces: &[Vec<Corner>], name: &str) -> u64 {
    let mut triangles = (0..mesh.triangle_count())
        .map(|index| corners_of(mesh, PrimId::from_index(index).unwrap()));
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
#[ignore = "needs meshes beside the repository"]
fn real_meshes_have_the_geometry_that_tobj_reads() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/meshes");
    for (name, count) in [
        ("utah-teapot", 6_320),
        ("beast-quads", 64_618),
        ("stanford-bunny", 69_451),
        ("sponza-dabrovic", 66_450),
        ("samurai-monastery", 124_789),
    ] {
        let packed = format!("{folder}/{name}.obj.zst");
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
    }
}

#[test]
fn generated_models_have_the_geometry_that_tobj_reads() {
    runner(1000, 1)
        .run(&model(), |model| {
            // Finite in f32, unless the decimal number overflows.
            let text = plain(&model);
            let mesh = ObjLoader::new().read(text.as_bytes(), "model").unwrap();
            assert_same_faces(&mesh, &faces_by_tobj(text.as_bytes()), &text);
            Ok(())
        })
        .unwrap();
}
