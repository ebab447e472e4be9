//! Tests of internals: blocks of any size give the same mesh, and limits hold.

mod any_cut;
mod texts;

use super::*;
use estoc_core::PrimId;

/// Text with many references across blocks: negative and forward indices, names and lines that last
/// over many statements, continuations, and errors.
const TANGLED: &[u8] = b"# head\r\n\
mtllib a.mtl\n\
v 0 0 0\nv 1 0 0\nv 1 1 0 1 0 0\nv 0 1 0\n\
o one\nusemtl red\n\
f -4 -3 -2\rf 1 2 \\\n 3 \\\t \r\n 4\n\
g left\nvt 0 0.25\nvn 0 0 1\n\
f 1/1/1 2/-1/-1 6//1\n\
v 2 0 0\ng\n\
f -1 -3\n\
v 3 3 3 2\nusemtl\n\
f 7 -7 1\nf 1 x 2\nv 1 nan 2\nv broken\n\
curv 1 2\nnonsense\nwhat\n\
f 8 1 2\nf 7 1 2\nf 99 1 2\nf 1 2 -40\nf 18446744073709551619 1 2\nf 1 2 3/9/-12\n\
o two\nl 1 2\np 1\n\
v 4 4 4\nv 5 5 5\nf -1 -2 1\n\
f 4/1/-1 2/-1/1 1/2 3/1 5/1\nf 6//1 5//1 4//1\n\
vt 0.5\nvt x\nvn 1 2\nf 1/-3/1 2/2/2 4/-1\nf 1/2 2/3/3 x\nf 1/2/3 2/-2/-1 4/4/3\n\
vt 8 8\nvn 2 0 0\nf -2/-1/-1 -1/-1/-1 1/1/1";

fn facts(mesh: &Mesh) -> impl PartialEq + core::fmt::Debug + use<> {
    let prims = (0..mesh.triangle_count()).map(|i| PrimId::from_index(i).unwrap());
    let of = |prim| {
        (
            mesh.object_of(prim).map(str::to_owned),
            mesh.group_of(prim).map(str::to_owned),
            mesh.material_of(prim).map(|material| material.name.clone()),
            mesh.face_of(prim),
            mesh.line_of(prim),
        )
    };
    let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let names = [mesh.objects().to_vec(), mesh.groups().to_vec()];
    (
        bits(bytemuck::cast_slice(mesh.positions())),
        mesh.indices().to_vec(),
        prims.map(of).collect::<Vec<_>>(),
        (names, mesh.materials().to_vec(), mesh.bounds()),
        (
            mesh.texcoord_indices().to_vec(),
            bits(bytemuck::cast_slice(mesh.texcoords())),
        ),
        (
            mesh.normal_indices().to_vec(),
            bits(bytemuck::cast_slice(mesh.normals())),
        ),
        mesh.report().clone(),
    )
}

fn with_block_size(size: usize) -> ObjLoader<'static> {
    ObjLoader {
        block_size: size,
        bad_faces: BadFaces::Skip,
        ..ObjLoader::new()
    }
}

#[test]
fn blocks_of_any_size_give_the_same_mesh() {
    let whole = with_block_size(1 << 20).read(TANGLED, "t").unwrap();
    let report = whole.report();
    assert_eq!(whole.triangle_count(), 13);
    assert_eq!(report.faces, 19);
    assert_eq!(report.short_faces.first()[0].id, 3);
    assert_eq!(report.bad_indices.first()[0].line, Some(23));
    assert_eq!(report.bad_indices.count(), 3);
    assert_eq!(report.out_of_range.count(), 3);
    assert_eq!(report.unreadable_vertices.first()[0].id, 7);
    assert_eq!(report.non_finite_faces.count(), 2);
    assert_eq!(report.unknown_statements.count(), 2);
    assert_eq!(report.unreadable_texture_coordinates.first()[0].id, 2);
    assert_eq!(report.unreadable_normals.first()[0].line, Some(45));
    let prims = (0..13).map(|i| PrimId::from_index(i).unwrap());
    let with_both = prims.filter(|&prim| {
        whole.corner_texcoords(prim).is_some() && whole.corner_normals(prim).is_some()
    });
    assert_eq!(with_both.count(), 1);
    for size in 1..TANGLED.len() + 2 {
        let parts = with_block_size(size).read(TANGLED, "t").unwrap();
        assert_eq!(facts(&parts), facts(&whole), "blocks of {size}");
    }
}

#[test]
fn errors_name_the_same_line_in_blocks_of_any_size() {
    for (text, start) in [
        (
            "v 0 0 0\nv 1 0 0\nv 0 1 0\n\n\nf 1 2 3\nf 1 2 4\n",
            "t:7: vertex index 4 is out of range (3 vertices)",
        ),
        (
            "v 0 0 0\n\\\n\\\nv 1 0 0\nf -1 -2 -3",
            "t:5: vertex index -3 is out of range (2 vertices)",
        ),
        ("v 0 0 0\r\rv 0 0 x", "t:3: \"x\" is not a decimal number"),
        (
            "v 0 0 0\nf 1 1 1 \\\n 1 1.5",
            "t:2: \"1.5\" is not a corner",
        ),
        (
            "v 0 inf 0\n#\nf 1 1 1",
            "t:3: vertex 1 (line 1) is not finite: (0, inf, 0)",
        ),
        ("\n\nply", "t:3: found \"ply\", but no OBJ statement"),
    ] {
        for block_size in 1..text.len() + 2 {
            let loader = ObjLoader {
                block_size,
                ..ObjLoader::new()
            };
            let error = loader.read(text.as_bytes(), "t").unwrap_err().to_string();
            assert!(error.starts_with(start), "blocks of {block_size}: {error}");
        }
    }
}

#[test]
fn what_ids_cannot_count_is_refused() {
    for block_size in [1, BLOCK_SIZE] {
        let with = |vertices, triangles| ObjLoader {
            limits: InputLimits {
                vertices,
                triangles,
                ..InputLimits::REAL
            },
            block_size,
            ..ObjLoader::new()
        };
        // After the first element beyond the limit, other errors do not count.
        let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nf 1 2 3\n";
        let worse = [&text[..], b"f 1 2 9\n"].concat();
        assert_eq!(with(4, 3).read(text, "t").unwrap().triangle_count(), 3);
        let error = with(3, 3).read(text, "t").unwrap_err();
        assert!(
            matches!(error, MeshError::TooManyVertices { limit: 3, .. }),
            "{error}"
        );
        for (text, limit, expected) in [
            (&text[..], 2, "t:6: more than 2 triangles; split the mesh"),
            (
                &worse,
                3,
                "t:7: vertex index 9 is out of range (4 vertices); use BadFaces::Skip to skip \
                 such faces",
            ),
            (&text[..], 1, "t: more than 1 triangles; split the mesh"),
        ] {
            let error = with(4, limit).read(text, "t").unwrap_err().to_string();
            assert_eq!(error, expected, "blocks of {block_size}");
        }
        let worse = [b"v nan 0 0\n".repeat(2).as_slice(), text, b"f 5 4 3\n"].concat();
        let error = with(6, 3).read(&worse, "t").unwrap_err().to_string();
        assert!(error.starts_with("t:7: vertex 1 (line 1) is"), "{error}");
        let text = b"v 0 0 0\nf 1 1 1 1\nf 1 1 1 1\nf 1 1 2\n";
        let error = with(1, 3).read(text, "t").unwrap_err().to_string();
        assert_eq!(error, "t:3: more than 3 triangles; split the mesh");
    }
}
