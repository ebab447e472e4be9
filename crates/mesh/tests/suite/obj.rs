//! Reading OBJ text: a table for each documented property.

use crate::common::obj_text::{read, refusal, skip};
use crate::common::{prim, warnings};
use estoc_core::{CancelToken, Progress};
use estoc_mesh::{BadFaces, Finding, Material, Mesh, MeshError, ObjLoader};
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns three vertices followed by `rest`.
fn corners(rest: &str) -> String {
    format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{rest}")
}

#[test]
fn one_triangle_in_every_dialect() {
    let plain = read(corners("f 1 2 3\n"));
    assert_eq!(plain.triangle_count(), 1);
    let dialects: [&[u8]; 24] = [
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        b"v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        b"v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
        b"\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        b"\tv\t0 0\x0b0\n  v 1 0 0 \nv 0 1 0\x0c\n f  1\t2 3 \n",
        b"v 0 0 0#a\nv 1 0 0 # b\n#c\nv 0 1 0\nf 1 2 3#4\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf +1 -2 3\n",
        b"f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n",
        b"v 0 0 0\nv 1 0 0\nf -2 -1 3\nv 0 1 0\n",
        b"v \\\n0 0 0\nv 1 0\\\r\n0\nv 0 1 0\nf 1 \\\r2\\\n 3\n",
        b"# caf\xe9 \xff\xfe\nv 0 0 0\nv 1 0 0\nv 0 1 0\ng gr\xfcn\nf 1 2 3\n",
        b"v 0 0 0 1\nv 1 0 0 1.0\nv 0 1 0 1\nf 1 2 3\n",
        b"v 0 0 0 1 0 0\nv 1 0 0 nan 9 -1\nv 0 1 0\nf 1 2 3\n",
        b"v 0 0 0 1 1 0 0\nv 1 0 0 1 0 0 1 1\nv 0 1 0\nf 1 2 3\n",
        b"vt 0 0\nvn 0 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2//1 3/1/1\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/ 2// 3/1/\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nfo 1 2 3\n",
        b"v +0 -.0 0.\nv 1E0 0e9 0\nv 0 10e-1 0\nf 001 2 3\n",
        b"\n\n\nv 0 0 0\n\n\\\nv 1 0 0\nv 0 1 0\n\n\nf 1 2 3\n\n",
        b"s off\nlod 1\nshadow_obj x\nv 0 0 0\nv 1 0 0\nv 0 1 0\ns 1\nf 1 2 3\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\n# folder c:\\\nf 1 2 3\n",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\np 1 2\nf 1 2 3\nl 1 2\n",
        b"o\ng\nusemtl\nmtllib\ns\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nvt\nvn\n",
    ];
    for text in dialects {
        let mesh = read(text);
        let shown = String::from_utf8_lossy(text);
        assert_eq!(mesh.positions(), plain.positions(), "{shown:?}");
        assert_eq!(mesh.indices(), plain.indices(), "{shown:?}");
    }
}

#[test]
fn huge_lines_and_many_statements_are_read() {
    let comment = "#".repeat(3 << 20);
    let blanks = " ".repeat(3 << 20);
    let found = read(corners(&format!("{comment}\nf 1 2 {blanks} 3"))).triangle_count();
    assert_eq!(found, 1);
    let many = "f 1 2 3\n".repeat(300_000);
    let mesh = read(corners(&many));
    assert_eq!(mesh.triangle_count(), 300_000);
    assert_eq!(mesh.line_of(prim(299_999)), Some(300_003));
    let fan: String = (0..200_000)
        .map(|i| format!(" \\\n{}", i % 3 + 1))
        .collect();
    let mesh = read(corners(&format!("f{fan}\nf 3 2 1")));
    assert_eq!(mesh.triangle_count(), 199_999);
    assert_eq!(mesh.line_of(prim(199_998)), Some(200_005));
}

#[test]
fn numbers_become_the_nearest_f32_and_weights_do_not_divide() {
    let mesh = read("v 0.1 16777217 1.00000005960464477540000000001 2\nf 1 1 1");
    let found = mesh.positions()[0].to_array();
    assert_eq!(found, [0.1, 16_777_216.0, 1.0f32.next_up()]);
    assert_eq!(mesh.report().weighted_vertices.count(), 1);
}

#[test]
fn lines_continue_behind_a_backslash_and_blanks() {
    for between in ["\\\n", "\\ \n", "\\\t \r\n", "\\\x0c\r", " \\ \n \\ \n"] {
        let mesh = read(corners(&format!("f 1 2{between} 3\nf 3 2 1")));
        assert_eq!(mesh.indices(), [[0, 1, 2], [2, 1, 0]], "{between:?}");
    }
    let error = refusal(corners("f 1 2 \\ 3"));
    assert!(error.starts_with("test.obj:4: \"\\\\\" is not a corner"));
}

#[test]
fn a_statement_without_an_end_is_refused_by_its_line() {
    for policy in [BadFaces::Reject, BadFaces::Skip] {
        let endless = b"v 0 0 0\r\n#\\\n\n".chain(io::repeat(0));
        let loader = ObjLoader::new().bad_faces(policy);
        let error = loader.read_from(endless, "zero").unwrap_err();
        assert!(matches!(
            error,
            MeshError::LineTooLong { limit, .. } if limit == 1 << 28
        ));
        assert!(!error.can_skip());
        let told = "zero:4: a statement has more than 256 MiB; is this an OBJ file?";
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn the_first_line_that_cannot_be_read_ends_reading_and_indices_are_checked_last() {
    assert!(refusal(corners("f 1 2 9\nf x\nf y")).starts_with("test.obj:5: \"x\""));
    assert!(refusal(corners("f 1 2 9\nf 1 2 8")).starts_with("test.obj:4: vertex index 9"));
}

#[test]
fn what_cannot_be_used_is_skipped_and_counted() {
    let mesh = skip(
        "v 0 0 0\nv 1 0 0\nv oops\nv 0 1 0\nv 0 inf 0\nv nan 0 0\n\
                     f 1 2 4\nf 1 2 3\nf 1 2 7\nf 1 2 0\nf 1 2\nf 4 2 1 5\nf\nf 1 4 2\n",
    );
    assert_eq!(mesh.indices(), [[0, 1, 3], [0, 3, 1]]);
    let report = mesh.report();
    let place = |id, line| Finding {
        id,
        line: Some(line),
    };
    assert_eq!((report.faces, report.skipped_faces()), (8, 4));
    assert_eq!(report.unreadable_vertices.first(), [place(2, 3)]);
    assert_eq!(report.non_finite_faces.first(), [place(1, 8), place(5, 12)]);
    assert_eq!(report.out_of_range.first(), [place(2, 9)]);
    assert_eq!(report.bad_indices.first(), [place(3, 10)]);
    assert_eq!(report.short_faces.first(), [place(4, 11), place(6, 13)]);
    assert_eq!(report.non_finite_used.first(), [place(2, 3), place(4, 5)]);
    assert_eq!(report.non_finite_unused.first(), [place(5, 6)]);
    assert_eq!(mesh.face_of(prim(1)), Some(7));
    assert_eq!(mesh.line_of(prim(1)), Some(14));
    assert_eq!(mesh.face_of(prim(2)), None);
    assert_eq!(mesh.line_of(prim(2)), None);
    assert_eq!(report.warnings().len(), 7);
}

#[test]
fn short_faces_are_never_fatal() {
    let mesh = read(corners("f 1 2\nf\nf 9\nf 1 2 3"));
    assert_eq!(mesh.triangle_count(), 1);
    assert_eq!(mesh.report().short_faces.count(), 3);
    assert_eq!(mesh.face_of(prim(0)), Some(3));
    let warnings = mesh.report().warnings();
    assert_eq!(
        warnings[0].to_string(),
        "3 faces with fewer than three corners were skipped \
         (face 1 on line 4, face 2 on line 5, face 3 on line 6)"
    );
}

#[test]
fn attribute_indices_out_of_range_only_warn() {
    for (faces, what) in [
        (
            "vt 0 0\nf 1/1 2/2 3/3",
            "texture coordinate index 3 is out of range (1 defined, line 5)",
        ),
        (
            "f 1/-1 2 3\nvt 0 0",
            "texture coordinate index -1 is out of range (0 defined, line 4)",
        ),
        (
            "vn 0 0 1\nf 1//1 2//0 3//1",
            "normal index 0 is out of range (1 defined, line 5)",
        ),
    ] {
        let warning = format!("{what}; the geometry is not affected");
        let mesh = read(corners(faces));
        assert_eq!(warnings(&mesh), [warning], "{faces}");
    }
    let fine = "vt 0 0\nvn 0 0 1\nf 1/1/2 2/-1/-1 3/2/1\nvt 0 0\nvn 1 0 0\n";
    assert!(read(corners(fine)).report().warnings().is_empty());
}

#[test]
fn everything_is_counted() {
    let mesh = read(corners(
        "v 1 1 0 1 0 0\nvt 0 0\nvt 0 0\nvn 0 0 1\np 1\nl 1 2\nl 2 3 4\ns 1\n\
         cstype bezier\ncurv 0 1 1 2\ncall other.obj\nfoo bar\nend\nf 1 2 4 3\n",
    ));
    let report = mesh.report();
    assert_eq!((report.vertices, report.faces, report.polygons), (4, 1, 1));
    assert_eq!((report.lines, report.points), (2, 1));
    assert_eq!((report.texture_coordinates, report.normals), (2, 1));
    assert_eq!(report.coloured_vertices, 1);
    assert_eq!(report.free_form_statements.count(), 4);
    let line = |id, line| Finding {
        id,
        line: Some(line),
    };
    assert_eq!(report.unknown_statements.first(), [line(0, 15)]);
    assert_eq!(mesh.triangle_count(), 2);
}

#[test]
fn names_hold_from_face_to_face() {
    let mesh = read(corners(
        "f 1 2 3\no body\ng left arm\nusemtl red\nf 1 2 3 1\ng\nf 1 2 3\n\
         usemtl blue # not red\no\ng left arm\nf 1 2 3\nusemtl red\nusemtl blue\no unused\no body\ng left arm\nf 3 2 1\n\
         usemtl\nf 1 2 3\n",
    ));
    let of = |i| {
        let material: Option<&Material> = mesh.material_of(prim(i));
        (
            mesh.object_of(prim(i)),
            mesh.group_of(prim(i)),
            material.map(|material| material.name.as_str()),
        )
    };
    assert_eq!(of(0), (None, None, None));
    assert_eq!(of(1), (Some("body"), Some("left arm"), Some("red")));
    assert_eq!(of(2), of(1));
    assert_eq!(of(3), (Some("body"), None, Some("red")));
    assert_eq!(of(4), (None, Some("left arm"), Some("blue")));
    assert_eq!(of(5), (Some("body"), Some("left arm"), Some("blue")));
    assert_eq!(of(6), (Some("body"), Some("left arm"), None));
    assert_eq!(of(7), (None, None, None));
    assert_eq!(mesh.objects(), ["body", "unused"]);
    assert_eq!(mesh.groups(), ["left arm"]);
    let names: Vec<_> = mesh.materials().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["red", "blue"]);
    assert!(mesh.materials().iter().all(|material| !material.defined));
}

#[test]
fn names_in_any_encoding() {
    let mesh = read(
        [
            b"o gr\xf6\xdfe\n".as_slice(),
            "g größe\nusemtl 猫\n".as_bytes(),
            corners("f 1 2 3").as_bytes(),
        ]
        .concat(),
    );
    assert_eq!(mesh.object_of(prim(0)), Some("größe"));
    assert_eq!(mesh.group_of(prim(0)), Some("größe"));
    assert_eq!(mesh.materials()[0].name, "猫");
}

#[test]
fn a_stream_reads_like_a_slice_and_its_errors_come_through() {
    let text = corners("f 1 2 3\nf 3 2 1\n").repeat(50_000);
    let loader = ObjLoader::new();
    let whole = loader.read(text.as_bytes(), "a").unwrap();
    let streamed = loader.read_from(text.as_bytes(), "a").unwrap();
    assert_eq!(whole.indices(), streamed.indices());
    assert_eq!(whole.positions(), streamed.positions());
    assert_eq!(whole.report(), streamed.report());

    struct Torn;
    impl Read for Torn {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("torn"))
        }
    }
    let error = loader
        .read_from(b"v 0 0 0\n".chain(Torn), "tape")
        .unwrap_err();
    assert_eq!(error.to_string(), "tape: torn");
}

#[test]
fn missing_files_and_folders_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.obj");
    for path in [missing.as_path(), folder.path()] {
        let error = Mesh::load_obj(path).unwrap_err();
        assert!(matches!(error, MeshError::Io { .. }));
        let start = format!("{}: ", path.display());
        assert!(error.to_string().starts_with(&start), "{error}");
    }
}

#[test]
fn progress_ends_at_the_total_and_cancelling_ends_loading() {
    let text = corners(&"f 1 2 3\n".repeat(500_000));
    let (done, calls) = (AtomicU64::new(0), AtomicU64::new(0));
    let cancel = CancelToken::new();
    let watch = |Progress {
                     done: now, total, ..
                 }: Progress| {
        assert!(now > done.swap(now, Ordering::Relaxed));
        assert_eq!(total, Some(text.len() as u64));
        calls.fetch_add(1, Ordering::Relaxed);
    };
    let mesh = ObjLoader::new()
        .progress(&watch)
        .read(text.as_bytes(), "a")
        .unwrap();
    assert_eq!(mesh.triangle_count(), 500_000);
    assert_eq!(done.load(Ordering::Relaxed), text.len() as u64);
    assert!(calls.load(Ordering::Relaxed) >= 3);

    let stop = |_: Progress| cancel.cancel();
    let loader = ObjLoader::new().progress(&stop).cancel(&cancel);
    let error = loader.read(text.as_bytes(), "a").unwrap_err();
    assert!(matches!(error, MeshError::Cancelled { .. }));
    assert_eq!(error.to_string(), "a: loading was cancelled");
    // Cancelled after the last block, loading still ends.
    let cancel = CancelToken::new();
    let stop = |_: Progress| cancel.cancel();
    let loader = ObjLoader::new().progress(&stop).cancel(&cancel);
    assert!(loader.read(corners("f 1 2 3").as_bytes(), "a").is_err());
}
