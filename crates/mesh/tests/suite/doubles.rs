//! Meshes of `f64`s.

use estoc_core::glam::DVec3;
use estoc_core::{PrimId, Triangle64};
use estoc_mesh::parts::wide_positions;
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshError, MeshLoader};

fn corners(at: DVec3, size: f64) -> [DVec3; 4] {
    [
        [0.1, 0.2, 0.0],
        [1.0, 0.1, 0.3],
        [0.7, 1.1, -0.2],
        [1.7, 0.9, 0.4],
    ]
    .map(|p| at + DVec3::from_array(p) * size)
}

#[test]
fn corners_are_kept_and_those_in_the_frame_are_off_by_less_than_its_error() {
    for at in [0.0, 1.0, 5.2e6, -1e15, 1e300] {
        for size in [1e-320, 1e-200, 1e-30, 1e-3, 1.0, 1e9, 1e30, 1e200, 1e307] {
            let corners = corners(DVec3::new(at, -at, at / 3.0), size);
            let mesh = Mesh::from_f64(corners, [[0, 1, 2], [1, 3, 2]]).unwrap();
            assert_eq!(mesh.positions(), corners);
            let triangle = Triangle64::new(corners[1], corners[3], corners[2]);
            assert_eq!(
                mesh.triangle(PrimId::from_index(1).unwrap()),
                Some(triangle)
            );
            assert_eq!(mesh.triangles().count(), 2);
            let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
            assert_eq!(mesh.bounds()[0], low);
            let frame = wide_positions(&mesh).frame();
            let extent = (mesh.bounds()[1] - mesh.bounds()[0]).max_element() * frame.up();
            // Not too large for kernels, and no more off than half a step there.
            assert!(extent <= 2e6 || frame.up() == 1.0, "{at} {size} {frame:?}");
            assert!(
                frame.error <= 1e-6 * extent + 1e-37,
                "{at} {size} {frame:?}"
            );
        }
    }
}

#[test]
fn what_f32_has_in_the_frame_is_not_off() {
    for at in [0.0, 524_288.0, -5_242_880.0] {
        let corners = [[0.0; 3], [1.5, 0.25, 0.0], [0.0, 0.125, 2.0]].map(|p| p.map(|x| at + x));
        let mesh = Mesh::from_f64(corners, [[0, 1, 2]]).unwrap();
        assert_eq!(wide_positions(&mesh).frame().error, 0.0, "{at}");
    }
}

#[test]
fn positions_that_no_triangle_uses_may_be_anything() {
    let corners = corners(DVec3::splat(5.2e6), 1.0);
    let others = [
        DVec3::NAN,
        DVec3::splat(f64::MAX),
        DVec3::new(0.0, f64::NEG_INFINITY, 0.0),
    ];
    let positions = corners.into_iter().chain(others);
    let mesh = Mesh::from_f64(positions, [[0, 1, 2]]).unwrap();
    assert_eq!(mesh.report().non_finite_unused.count(), 2);
    assert!(wide_positions(&mesh).frame().error < 1e-6);
    let empty = Mesh::from_f64([[0.0f64; 3]; 0], [[0u32; 3]; 0]).unwrap();
    assert_eq!(empty.triangle_count(), 0);
}

#[test]
fn invalid_triangles_are_errors_that_show_the_numbers_given_or_are_left_out() {
    let corners = [[5.2e6, 0.0, 0.0], [5.2e6, 1.0, f64::NAN], [5.2e6, 1.0, 0.0]];
    let error = Mesh::from_f64(corners, [[0, 1, 2]]).unwrap_err();
    assert!(matches!(
        error,
        MeshError::NonFiniteVertex { vertex: 1, .. }
    ));
    assert!(error.to_string().contains("(5200000, 1, NaN)"), "{error}");
    let error = Mesh::from_f64(corners, [[0, 1, 3]]).unwrap_err();
    assert!(matches!(error, MeshError::IndexOutOfRange { .. }));
    let faces = [[0, 1, 2], [0, 0, 2], [0, 2, 3]];
    let mesh = Mesh::from_f64_with_bad_faces(corners, faces, BadFaces::Skip).unwrap();
    assert_eq!(mesh.indices(), [[0, 0, 2]]);
    assert_eq!(mesh.report().non_finite_faces.count(), 1);
}

#[test]
fn findings_are_about_the_numbers_given() {
    // A sliver, and a triangle with its corners on one line, which are the same in `f32`; two triangles that
    // differ in the last bit, and two that do not.
    let last = |x: f64| x.next_up();
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [3.0, 3.0, 0.0],
        [3.0, last(3.0), 0.0],
        [-0.0, 0.0, 0.0],
    ];
    let faces = [[0, 1, 2], [0, 1, 3], [1, 3, 4], [2, 0, 1]];
    let mesh = Mesh::from_f64(positions, faces).unwrap();
    let numbers = |findings: &estoc_mesh::Findings| -> Vec<u64> {
        let first = findings.first().iter();
        first.map(|finding| finding.id).collect()
    };
    assert_eq!(numbers(&mesh.report().degenerate), [0, 3]);
    assert_eq!(numbers(&mesh.report().duplicate), [2, 3]);
}

/// Numbers that `f32` cannot hold, and that a reader which rounds twice would get wrong.
const HARD: [&str; 9] = [
    "5200000.1",
    "0.1234567890123456789",
    "9007199254740993",
    "-1e-310",
    "1.7976931348623157e308",
    "16777216.999999999",
    "2.2250738585072011e-308",
    "1.00000005960464477540",
    "123456.7890123456789e-5",
];

#[test]
fn decimals_of_every_text_format_become_the_nearest_f64() {
    let rows: Vec<String> = HARD.chunks(3).map(|row| row.join(" ")).collect();
    let [a, b, c] = &rows[..] else { unreachable!() };
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n\
        property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
    let texts = [
        ("a.obj", format!("v {a}\nv {b}\nv {c}\nf 1 2 3\n")),
        ("a.off", format!("OFF\n3 1 0\n{a}\n{b}\n{c}\n3 0 1 2\n")),
        ("a.ply", format!("{ply}{a}\n{b}\n{c}\n3 0 1 2\n")),
        (
            "a.stl",
            format!(
                "solid a\nfacet normal 0 0 0\nouter loop\nvertex {a}\nvertex {b}\nvertex {c}\n\
                 endloop\nendfacet\nendsolid a\n"
            ),
        ),
    ];
    let expected: Vec<f64> = HARD.iter().map(|word| word.parse().unwrap()).collect();
    for (name, text) in texts {
        let mesh = MeshLoader::new().read_f64(text.as_bytes(), name).unwrap();
        let found: Vec<f64> = mesh.positions().iter().flat_map(DVec3::to_array).collect();
        assert_eq!(found, expected, "{name}");
        assert_eq!(mesh.indices(), [[0, 1, 2]]);
        let streamed = MeshLoader::new()
            .read_from_f64(text.as_bytes(), name)
            .unwrap();
        assert_eq!(streamed.positions(), mesh.positions(), "{name}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, &text).unwrap();
        let loaded = MeshLoader::new().load_f64(&path).unwrap();
        assert_eq!(loaded.positions(), mesh.positions(), "{name}");
        // A local frame has no effect.
        let framed = MeshLoader::new().local_frame(LocalFrame::Auto);
        assert_eq!(
            framed.read_f64(text.as_bytes(), name).unwrap().positions(),
            mesh.positions()
        );
    }
}

#[test]
fn faces_are_triangulated_by_the_corners_as_they_are() {
    // The last corner lies left of the diagonal, or right of it, by one bit.
    let at = 5.2e6f64;
    let far = 2.0 * at;
    for (bend, concave) in [(at.next_up(), 0), (at.next_down(), 1)] {
        let text = format!("v 0 0 0\nv {far} 0 0\nv {far} {far} 0\nv {at} {bend} 0\nf 1 2 3 4\n");
        let mesh = MeshLoader::new()
            .read_f64(text.as_bytes(), "a.obj")
            .unwrap();
        assert_eq!(mesh.report().concave_polygons, concave, "{bend}");
        let narrow = MeshLoader::new().read(text.as_bytes(), "a.obj").unwrap();
        assert_eq!(narrow.report().concave_polygons, 0);
    }
}

#[test]
fn names_and_lines_are_kept_and_vertices_far_away_do_not_matter() {
    let text = b"v 0 0 0\nv 1e30 0 0\no wall\nv 502345.1 5201234.7 3\nv 502346.1 5201234.7 3\n\
        v 502345.1 5201235.7 3\nusemtl brick\nf 3 4 5\n";
    let mesh = MeshLoader::new().read_f64(text, "a.obj").unwrap();
    let prim = PrimId::from_index(0).unwrap();
    assert_eq!(
        (mesh.object_of(prim), mesh.line_of(prim)),
        (Some("wall"), Some(8))
    );
    assert_eq!(mesh.report().vertices, 5);
    let frame = wide_positions(&mesh).frame();
    assert!(frame.error < 1e-7, "{frame:?}");
    assert_eq!(mesh.report().rounding.largest_movement, 0.0);
}

#[test]
fn what_cannot_be_in_f64_is_an_error() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 inf\nf 1 2 3\n";
    let error = MeshLoader::new().read_f64(text, "a.obj").unwrap_err();
    assert!(error.to_string().contains("(0, 1, inf)"), "{error}");
    let error = MeshLoader::new()
        .weld(0.1)
        .read_f64(text, "a.obj")
        .unwrap_err();
    assert!(matches!(error, MeshError::NotWeldedInF64 { .. }));
    assert!(error.to_string().starts_with("a.obj: "), "{error}");
    let beyond = b"v 0 0 0\nv 1e400 0 0\nv 0 1 0\nf 1 2 3\n";
    let error = MeshLoader::new().read_f64(beyond, "a.obj").unwrap_err();
    assert!(
        matches!(error, MeshError::NonFiniteVertex { .. }),
        "{error}"
    );
}

#[cfg(feature = "gltf")]
#[test]
fn transforms_of_gltf_are_rounded_once() {
    // 0.1 is an `f32` here; the translation is not one.
    let numbers = [0.1f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    let text = r#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"scene":0,
        "nodes":[{"mesh":0,"matrix":[0.3,0,0,0, 0,1,0,0, 0,0,1,0, 5200000.1,0,0,1]}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],
        "buffers":[{"byteLength":36,"uri":"a.bin"}]}"#;
    let source = |_: &str| Ok(bytes.clone());
    let loader = MeshLoader::new().file_source(&source);
    let mesh = loader.read_f64(text.as_bytes(), "a.gltf").unwrap();
    let (a, b) = (0.3f64, f64::from(0.1f32));
    let (product, rest) = (a * b, a.mul_add(b, -(a * b)));
    // Exact but for a part that is far less than half a unit of the sum.
    let expected = 5_200_000.1 + (product + rest);
    assert_eq!(mesh.positions()[0].x, expected);
    assert_eq!(mesh.positions()[2].to_array(), [5_200_000.1, 1.0, 0.0]);
}
