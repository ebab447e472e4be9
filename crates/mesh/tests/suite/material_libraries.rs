//! Which material libraries are read, from where, and their limits.

use crate::common::warnings;
use estoc_core::CancelToken;
use estoc_mesh::{Mesh, MeshError, MeshReport, ObjLoader};
use std::fs;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// Returns the libraries that the loader requests, and the mesh that results from the answers.
fn asked(text: &str, answer: impl Fn(&str) -> io::Result<Vec<u8>> + Sync) -> (Vec<String>, Mesh) {
    let names = Mutex::new(Vec::new());
    let source = |name: &str| {
        names.lock().unwrap().push(name.to_owned());
        answer(name)
    };
    let mesh = ObjLoader::new()
        .material_source(&source)
        .read(text.as_bytes(), "t.obj")
        .unwrap();
    (names.into_inner().unwrap(), mesh)
}

#[test]
fn a_library_is_read_once_under_all_its_names() {
    let text = "mtllib a.mtl\nmtllib ./a.mtl\nmtllib ././a.mtl b.mtl\nmtllib .\\a.mtl\n\
                mtllib b.mtl .//a.mtl\nmtllib b.mtl\n";
    let (names, mesh) = asked(text, |name| match name.contains(' ') {
        true => Err(io::ErrorKind::NotFound.into()),
        false => Ok(Vec::new()),
    });
    assert_eq!(names, ["a.mtl", "a.mtl b.mtl", "b.mtl", "b.mtl ./a.mtl"]);
    assert_eq!(warnings(&mesh), [""; 0]);
}

#[test]
fn the_number_of_libraries_is_limited() {
    let missing = |_: &str| Err(io::ErrorKind::NotFound.into());
    let statements: String = (0..1000).map(|i| format!("mtllib {i}.mtl\n")).collect();
    let (names, mesh) = asked(&statements, missing);
    assert_eq!(names.len(), MeshReport::READ_LIBRARIES);
    assert_eq!(mesh.report().skipped_libraries, 936);
    assert_eq!(mesh.report().material_problems.len(), 64);
    let told = "936 more material libraries were skipped; the limit is 64, and 64 MiB in total";
    assert_eq!(warnings(&mesh)[0], told);
    // In one statement, too, where the whole text is tried as a name first.
    let words: String = (0..1000).map(|i| format!(" {i}.mtl")).collect();
    let (names, mesh) = asked(&format!("mtllib{words}\n"), missing);
    assert_eq!(names.len(), MeshReport::READ_LIBRARIES + 1);
    assert_eq!(mesh.report().skipped_libraries, 936);
    // Statements of many names that differ only in their order.
    let statements: String = (0..1000)
        .map(|i| format!("mtllib{}b a\n", " a".repeat(i)))
        .collect();
    let (names, _) = asked(&statements, missing);
    assert!(names.len() <= 2 * MeshReport::READ_LIBRARIES);
}

#[test]
fn the_bytes_of_libraries_are_limited() {
    let library = |name: &str| {
        let mut text = format!("newmtl {name}\nKd 1 1 1\n#").into_bytes();
        text.resize(1 << 24, b'x');
        Ok(text)
    };
    let text: String = (0..6)
        .map(|i| format!("mtllib {i}\nusemtl {i}\n"))
        .collect();
    let (names, mesh) = asked(&text, library);
    assert_eq!(names, ["0", "1", "2", "3"]);
    let defined: Vec<bool> = mesh.materials().iter().map(|m| m.defined).collect();
    assert_eq!(defined, [true, true, true, true, false, false]);
    assert_eq!(
        warnings(&mesh),
        [
            "2 more material libraries were skipped; the limit is 64, and 64 MiB in total",
            "3: does not define material \"4\"",
            "3: does not define material \"5\"",
        ]
    );
    let too_large = |_: &str| Ok(vec![b'\n'; (1 << 26) + 1]);
    let (names, mesh) = asked("mtllib a\nmtllib b\n", too_large);
    assert_eq!(names, ["a"]);
    assert_eq!(mesh.report().skipped_libraries, 2);
}

#[test]
fn several_names_may_together_be_longer_than_a_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.mtl"), "newmtl m\nKd 1 1 1\n").unwrap();
    let missing: String = (0..60).map(|i| format!("missing{i}.mtl ")).collect();
    let path = folder.path().join("t.obj");
    fs::write(&path, format!("mtllib {missing} m.mtl\nusemtl m\n")).unwrap();
    let mesh = Mesh::load_obj(path).unwrap();
    assert!(mesh.materials()[0].defined);
    assert_eq!(mesh.report().material_problems.len(), 60);
}

#[test]
fn a_raised_token_ends_the_search_for_libraries() {
    let cancel = CancelToken::new();
    let opened = AtomicUsize::new(0);
    let source = |_: &str| {
        if opened.fetch_add(1, Ordering::Relaxed) == 2 {
            cancel.cancel();
        }
        Ok(Vec::new())
    };
    let error = ObjLoader::new()
        .material_source(&source)
        .cancel(&cancel)
        .read(b"mtllib a\nmtllib b\nmtllib c\nmtllib d\nmtllib e\n", "t")
        .unwrap_err();
    assert!(matches!(error, MeshError::Cancelled { .. }), "{error}");
    assert_eq!(opened.into_inner(), 3);
}

#[test]
fn libraries_are_found_beside_the_file_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir_all(inside.join("deep")).unwrap();
    for (file, grey) in [
        ("a.mtl", "0.1"),
        ("my library.mtl", "0.2"),
        ("deep/b.mtl", "0.3"),
        ("../outside.mtl", "0.4"),
    ] {
        fs::write(inside.join(file), format!("newmtl m\nKd {grey}\n")).unwrap();
    }
    let load = |statement: &str| {
        let path = inside.join("t.obj");
        fs::write(&path, format!("{statement}\nusemtl m\n{TRIANGLE}")).unwrap();
        let mesh = Mesh::load_obj(&path).unwrap();
        (
            mesh.materials()[0].diffuse.map(|[r, ..]| r),
            warnings(&mesh),
        )
    };
    let absolute = inside.join("a.mtl").display().to_string();
    for (statement, grey, warned) in [
        ("", None, 0),
        ("mtllib a.mtl", Some(0.1), 0),
        ("mtllib ./a.mtl # local", Some(0.1), 0),
        ("mtllib my library.mtl", Some(0.2), 0),
        ("mtllib my\\ library.mtl", Some(0.2), 0),
        ("mtllib deep\\b.mtl", Some(0.3), 0),
        ("mtllib deep/b.mtl a.mtl", Some(0.3), 0),
        ("mtllib none.mtl a.mtl", Some(0.1), 1),
        (
            "mtllib none.mtl\nmtllib a.mtl\nmtllib none.mtl",
            Some(0.1),
            1,
        ),
        ("mtllib a.mtl\nmtllib deep/b.mtl", Some(0.1), 0),
        ("mtllib none.mtl", None, 1),
        ("mtllib deep", None, 1),
        ("mtllib ../outside.mtl", None, 1),
        ("mtllib ..\\outside.mtl", None, 1),
        ("mtllib deep/../a.mtl", Some(0.1), 0),
        ("mtllib deep/../../outside.mtl", None, 1),
        ("mtllib c:a.mtl", None, 1),
        (&format!("mtllib {absolute}"), None, 1),
    ] {
        let (found, warnings) = load(statement);
        assert_eq!(found, grey, "{statement}");
        assert_eq!(warnings.len(), warned, "{statement}: {warnings:?}");
    }
    let (_, warnings) = load("mtllib ../outside.mtl");
    assert_eq!(
        warnings,
        ["../outside.mtl: cannot be read: the file is outside of the folder of the mesh"]
    );
}

#[test]
fn reading_from_memory_opens_no_files() {
    let text = format!("mtllib Cargo.toml\nusemtl m\n{TRIANGLE}");
    let mesh = ObjLoader::new().read(text.as_bytes(), "t.obj").unwrap();
    assert!(!mesh.materials()[0].defined);
    assert!(mesh.report().warnings().is_empty());
}

#[test]
fn a_source_that_fails_is_a_warning() {
    let source = |_: &str| Err(io::Error::other("offline"));
    let text = format!("mtllib a.mtl b.mtl\nusemtl m\n{TRIANGLE}");
    let mesh = ObjLoader::new()
        .material_source(&source)
        .read(text.as_bytes(), "t.obj")
        .unwrap();
    assert_eq!(warnings(&mesh), ["a.mtl b.mtl: cannot be read: offline"]);
}

#[test]
fn names_of_libraries_stay_on_one_line() {
    let missing = |_: &str| Err(io::Error::other("gone"));
    let (_, mesh) = asked("mtllib \x1b[2Jcaf\u{e9}\u{85}\n", missing);
    let told = warnings(&mesh);
    assert_eq!(told, ["\\u{1b}[2Jcaf\u{e9}: cannot be read: gone"]);
    let (_, mesh) = asked("mtllib a\x00b\u{85}c\n", missing);
    assert_eq!(warnings(&mesh), ["a\\u{0}b\\u{85}c: cannot be read: gone"]);
    let (_, mesh) = asked(&format!("mtllib {}", "x".repeat(1 << 20)), missing);
    let expected = [format!("{}...: cannot be read: gone", "x".repeat(200))];
    assert_eq!(warnings(&mesh), expected);
}

#[test]
fn names_that_no_library_defines_are_counted_and_the_first_told() {
    let text: String = (0..100_000).map(|i| format!("usemtl {i}\n")).collect();
    let (_, mesh) = asked(&format!("mtllib a\n{text}"), |_| Ok(Vec::new()));
    assert_eq!(mesh.materials().len(), 100_000);
    assert_eq!(mesh.materials()[99_999].name, "99999");
    let report = mesh.report();
    assert_eq!(report.material_problems.len(), 64);
    assert_eq!(report.more_material_problems, 99_936);
    let long = "x".repeat(100_000);
    let (_, mesh) = asked(&format!("mtllib a\nusemtl {long}"), |_| Ok(Vec::new()));
    assert_eq!(
        warnings(&mesh),
        [format!(
            "a: does not define material \"{}...\"",
            &long[..40]
        )]
    );
}

#[test]
fn of_several_libraries_the_first_definition_counts() {
    let text = "mtllib a\nmtllib b\nusemtl m\nusemtl n\n";
    let (_, mesh) = asked(text, |name| match name {
        "a" => Ok(b"newmtl m\nKd 1 1 1\n".to_vec()),
        _ => Ok(b"newmtl n\nKd 1 0 0\nnewmtl m\nKd 0 0 0\n".to_vec()),
    });
    let reds: Vec<_> = mesh.materials().iter().map(|m| m.diffuse).collect();
    assert_eq!(reds, [Some([1.0; 3]), Some([1.0, 0.0, 0.0])]);
}
