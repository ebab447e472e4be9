//! Materials: found beside the file, checked, never fatal.

use crate::common::model::runner;
use crate::common::{prim, warnings};
use estoc_mesh::{Material, MeshReport, ObjLoader};
use proptest::prelude::*;

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// Returns the material of a triangle that uses `m`, with this library, and the warnings.
fn with_library(library: &[u8]) -> (Material, Vec<String>) {
    let source = |_: &str| Ok(library.to_vec());
    let text = format!("mtllib a.mtl\nusemtl m\n{TRIANGLE}");
    let mesh = ObjLoader::new()
        .material_source(&source)
        .read(text.as_bytes(), "t.obj")
        .unwrap();
    let material = mesh.material_of(prim(0)).unwrap().clone();
    (material, warnings(&mesh))
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
    let found = material.diffuse_texture.as_deref();
    assert_eq!(found, Some("-o 1 1 1 d d.png"));
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
        ("Kd", "a.mtl:2: Kd has 0 numbers instead of 1 or 3"),
        ("Kd 1 2", "a.mtl:2: Kd has 2 numbers instead of 1 or 3"),
        ("Kd red", "a.mtl:2: Kd \"red\" is not a finite number"),
        (
            "Kd spectral a.rfl",
            "a.mtl:2: Kd \"spectral\" is not supported",
        ),
        ("Ka 1 1 nan", "a.mtl:2: Ka \"nan\" is not a finite number"),
        ("Ks 1e39 0 0", "a.mtl:2: Ks \"1e39\" is not a finite number"),
        ("Ns", "a.mtl:2: Ns without a number"),
        ("d 0,5", "a.mtl:2: d \"0,5\" is not a finite number"),
        ("Ni inf", "a.mtl:2: Ni \"inf\" is not a finite number"),
        (
            "illum 256",
            "a.mtl:2: illum \"256\" is not an illumination model",
        ),
        ("illum", "a.mtl:2: illum without a model"),
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
        // One for every line, and one for the undefined material.
        "937 more problems in material libraries"
    );
}

#[test]
fn no_library_panics_or_makes_the_mesh_fail() {
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
    runner(3000, 9)
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

#[test]
fn of_several_definitions_the_first_counts() {
    let (material, _) = with_library(b"newmtl m\nKd 1 1 1\nnewmtl m\nKd 0 0 0\nNs 5\n");
    assert_eq!(material.diffuse, Some([1.0; 3]));
    assert_eq!(material.shininess, None);
}
