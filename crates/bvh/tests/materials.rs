//! Materials: found beside the file, checked before they are read, never fatal.

use estoc_bvh::{Material, Mesh, MeshError, MeshReport, ObjLoader};
use estoc_core::{CancelToken, PrimId};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fs;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// The mesh of a triangle of material `m`, with this library, and its warnings.
fn with_library(library: &[u8]) -> (Material, Vec<String>) {
    let source = |_: &str| Ok(library.to_vec());
    let text = format!("mtllib a.mtl\nusemtl m\n{TRIANGLE}");
    let mesh = ObjLoader::new()
        .material_source(&source)
        .read(text.as_bytes(), "t.obj")
        .unwrap();
    let material = mesh.material_of(PrimId::new(0).unwrap()).unwrap().clone();
    (material, warnings(&mesh))
}

fn warnings(mesh: &Mesh) -> Vec<String> {
    mesh.report()
        .warnings()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn every_entry_is_kept() {
    let (material, warnings) = with_library(
        b"newmtl other\nKd 1 1 1\nnewmtl m\nKa 0.1 0.2 0.3\nKd .4 .5 .6\nKs 0 0 1\nKe 2 0 0\n\
          Ns 10\nNi 1.5\nd 0.25\nillum 2\nmap_Ka a.png\nmap_Kd -o 1 1 1 d d.png\nmap_Ks s.png\n\
          map_Ns n.png\nmap_d o.png\nmap_Bump -bm 0.5 b.png\nPr 0.5\n",
    );
    assert_eq!(warnings, [""; 0]);
    assert!(material.defined);
    assert_eq!(material.name, "m");
    assert_eq!(material.ambient, Some([0.1, 0.2, 0.3]));
    assert_eq!(material.diffuse, Some([0.4, 0.5, 0.6]));
    assert_eq!(material.specular, Some([0.0, 0.0, 1.0]));
    assert_eq!(material.emissive, Some([2.0, 0.0, 0.0]));
    assert_eq!(material.shininess, Some(10.0));
    assert_eq!(material.optical_density, Some(1.5));
    assert_eq!(material.dissolve, Some(0.25));
    assert_eq!(material.illumination_model, Some(2));
    assert_eq!(material.ambient_texture.as_deref(), Some("a.png"));
    assert_eq!(
        material.diffuse_texture.as_deref(),
        Some("-o 1 1 1 d d.png")
    );
    assert_eq!(material.specular_texture.as_deref(), Some("s.png"));
    assert_eq!(material.shininess_texture.as_deref(), Some("n.png"));
    assert_eq!(material.dissolve_texture.as_deref(), Some("o.png"));
    assert_eq!(material.normal_texture.as_deref(), Some("-bm 0.5 b.png"));
}

#[test]
fn libraries_in_every_dialect() {
    for library in [
        b"newmtl m\nKd 0.5\n".as_slice(),
        b"newmtl m\r\nKd 0.5 0.5 0.5\r\n",
        b"newmtl m\rKd 0.5\r",
        b"\xef\xbb\xbfnewmtl m\nKd 0.5",
        b"# caf\xe9\n  newmtl\tm # red\n\tKd  0.5 \\\n 0.5 0.5 # x\n",
        b"newmtl m\nKd 5e-1 0.5 0.5 7\nnewmtl m\nKd 1 1 1\n",
    ] {
        let (material, warnings) = with_library(library);
        let shown = String::from_utf8_lossy(library);
        assert_eq!(material.diffuse, Some([0.5; 3]), "{shown}");
        assert_eq!(warnings, [""; 0], "{shown}");
    }
    let (material, _) = with_library(b"newmtl m\nd -halo 0.5\nKd 1 1 1");
    assert_eq!(material.dissolve, Some(0.5));
}

#[test]
fn mistakes_cost_one_statement_and_are_told_with_their_line() {
    for (line, warning) in [
        ("Kd", "a.mtl:2: Kd of 0 numbers"),
        ("Kd 1 2", "a.mtl:2: Kd of 2 numbers"),
        ("Kd red", "a.mtl:2: Kd \"red\" is not kept"),
        ("Kd spectral a.rfl", "a.mtl:2: Kd \"spectral\" is not kept"),
        ("Ka 1 1 nan", "a.mtl:2: Ka \"nan\" is not kept"),
        ("Ks 1e39 0 0", "a.mtl:2: Ks \"1e39\" is not kept"),
        ("Ns", "a.mtl:2: Ns \"\" is no number"),
        ("d 0,5", "a.mtl:2: d \"0,5\" is no number"),
        ("Ni inf", "a.mtl:2: Ni \"inf\" is no number"),
        ("illum 256", "a.mtl:2: illum \"256\" is no model"),
        ("illum", "a.mtl:2: illum \"\" is no model"),
        ("map_Kd", "a.mtl:2: map_Kd without a name"),
        ("bump  # none", "a.mtl:2: bump without a name"),
        ("newmtl", "a.mtl:2: newmtl without a name"),
    ] {
        let library = format!("newmtl m\n{line}\nnewmtl n\nKd 1 1 1\n");
        let (material, warnings) = with_library(library.as_bytes());
        assert_eq!(warnings, [warning], "{line}");
        assert!(material.defined, "{line}");
        assert_eq!(material.diffuse, None, "{line}");
    }
    let (material, warnings) = with_library(b"Kd 1 1 1\nnewmtl m\nnewmtl\nKd 0 0 0\n");
    assert_eq!(material.diffuse, None);
    assert_eq!(
        warnings,
        [
            "a.mtl:1: a statement before the first newmtl",
            "a.mtl:3: newmtl without a name",
            "a.mtl:4: a statement before the first newmtl"
        ]
    );
    let (material, warnings) = with_library(b"");
    assert!(!material.defined);
    assert_eq!(warnings, ["a.mtl: does not define material \"m\""]);
}

#[test]
fn endless_mistakes_are_cut_short() {
    let (material, warnings) = with_library(&b"newmtl m\n".repeat(1000));
    assert!(material.defined && warnings.is_empty());
    let (_, warnings) = with_library(&b"Kd\n".repeat(1000));
    assert_eq!(warnings.len(), MeshReport::KEPT_MATERIAL_PROBLEMS + 1);
    assert_eq!(
        warnings.last().unwrap(),
        // One for every line, and one for the material that is not defined.
        "937 more problems of material libraries"
    );
}

/// Which libraries the loader asks for, with what it makes of the answers.
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
    assert_eq!(
        warnings(&mesh)[0],
        "936 more material libraries were not read: the most are 64, with 64 MiB together"
    );
    // In one statement, too; there the whole was looked for first.
    let words: String = (0..1000).map(|i| format!(" {i}.mtl")).collect();
    let (names, mesh) = asked(&format!("mtllib{words}\n"), missing);
    assert_eq!(names.len(), MeshReport::READ_LIBRARIES + 1);
    assert_eq!(mesh.report().skipped_libraries, 936);
    // Statements of many names that only differ in their order.
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
            "2 more material libraries were not read: the most are 64, with 64 MiB together",
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
fn of_several_definitions_the_first_counts() {
    let (material, _) = with_library(b"newmtl m\nKd 1 1 1\nnewmtl m\nKd 0 0 0\nNs 5\n");
    assert_eq!(material.diffuse, Some([1.0; 3]));
    assert_eq!(material.shininess, None);
    let text = "mtllib a\nmtllib b\nusemtl m\nusemtl n\n";
    let (_, mesh) = asked(text, |name| match name {
        "a" => Ok(b"newmtl m\nKd 1 1 1\n".to_vec()),
        _ => Ok(b"newmtl n\nKd 1 0 0\nnewmtl m\nKd 0 0 0\n".to_vec()),
    });
    let reds: Vec<_> = mesh.materials().iter().map(|m| m.diffuse).collect();
    assert_eq!(reds, [Some([1.0; 3]), Some([1.0, 0.0, 0.0])]);
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
        ("mtllib deep/../a.mtl", None, 1),
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
        ["../outside.mtl: not read: it leads out of the folder of the OBJ file"]
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
    assert_eq!(warnings(&mesh), ["a.mtl b.mtl: not read: offline"]);
}

#[test]
fn names_of_libraries_stay_on_one_line() {
    let missing = |_: &str| Err(io::Error::other("gone"));
    let (_, mesh) = asked("mtllib \x1b[2Jcaf\u{e9}\u{85}\n", missing);
    let told = warnings(&mesh);
    assert_eq!(told, ["\\u{1b}[2Jcaf\u{e9}: not read: gone"]);
    let (_, mesh) = asked("mtllib a\x00b\u{85}c\n", missing);
    assert_eq!(warnings(&mesh), ["a\\u{0}b\\u{85}c: not read: gone"]);
    let (_, mesh) = asked(&format!("mtllib {}", "x".repeat(1 << 20)), missing);
    assert_eq!(
        warnings(&mesh),
        [format!("{}...: not read: gone", "x".repeat(200))]
    );
}

#[test]
fn no_library_panics_or_makes_the_mesh_fail() {
    let config = Config {
        cases: 3000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
    let keywords = [
        "newmtl", "Ka", "Kd", "Ks", "Ke", "Ns", "Ni", "d", "illum", "map_Ka", "map_Kd", "map_Ks",
        "map_Ns", "map_d", "map_Bump", "bump", "Pr", "#", "\u{e9}", "",
    ];
    let arguments = [
        "",
        " ",
        " m",
        " 1",
        " -1 2",
        " 1 2 3",
        " nan",
        " 1e400",
        " x",
        "\t\u{a0}",
        " \\\n",
        "\r",
        " 0.5 # c",
        "\u{2028}m",
        " \u{0}",
        " -halo 1",
    ];
    let line = (
        proptest::sample::select(keywords.to_vec()),
        proptest::sample::select(arguments.to_vec()),
        any::<bool>(),
    );
    TestRunner::new_with_rng(config, rng)
        .run(&proptest::collection::vec(line, 0..12), |lines| {
            let mut library = Vec::new();
            for (keyword, argument, latin) in lines {
                library.extend(keyword.bytes());
                library.extend(argument.bytes());
                if latin {
                    library.push(0xe9);
                }
                library.push(b'\n');
            }
            with_library(&library);
            Ok(())
        })
        .unwrap();
}
