//! The key `precision` of scene files.

use crate::scene_files::folder;
use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_core::{PointQuery, Ray64, RayQuery};
use estoc_mesh::MeshLoader;
use estoc_scene::{MeshPrecision, SceneFile, SceneFileError, SceneMesh, SceneObject};
use std::path::Path;

/// A wall at a place that no `f32` holds.
const WALL: &str = "v 0 5201234.751 0\nv 9 5201234.751 0\nv 0 5201234.751 9\nf 1 2 3\n";

/// Returns the text of a scene with an object of each of these files and precisions, which is placed.
fn scene_of(objects: &[(&str, &str)]) -> String {
    let objects = objects.iter().enumerate().map(|(i, (file, precision))| {
        let precision = match *precision {
            "" => String::new(),
            text => format!("precision = '{text}'\n"),
        };
        format!(
            "[[object]]\nname = '{i}'\nmesh = '{file}'\n{precision}[[placement]]\nobject = '{i}'\n"
        )
    });
    objects.collect()
}

fn is_wide(object: &SceneObject) -> bool {
    match object {
        SceneObject::Mesh64(_) => true,
        SceneObject::Mesh(_) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_object_keeps_its_corners_as_it_says() {
    let wanted = ["", "f32", "f64", "auto", "f64"];
    let text = scene_of(&wanted.map(|precision| ("wall.obj", precision)));
    let files = folder(&[("wall.obj", WALL), ("scene.toml", &text)]);
    let file = SceneFile::load(files.path().join("scene.toml")).unwrap();
    let loaded = file.build().unwrap();
    let wide: Vec<bool> = loaded
        .objects()
        .map(|(_, object)| is_wide(&object))
        .collect();
    assert_eq!(wide, [false, false, true, true, true]);
    let f64s = file
        .objects()
        .iter()
        .filter(|object| object.precision == Some(MeshPrecision::F64));
    assert_eq!(f64s.count(), 2);
    // The wall in f64 is hit where the file has it, and those in f32 a quarter behind.
    let world = loaded.snapshot();
    let at = DVec3::new(1.0, 5_201_234.5, 1.0);
    let hits = world.all_hits(&Ray64::new(at, DVec3::Y));
    let found: Vec<_> = hits
        .iter()
        .map(|hit| (hit.path.numbers()[0], hit.t))
        .collect();
    let t = (5_201_234.751f64 - 5_201_234.5) as f32;
    assert_eq!(found, [(2, t), (3, t), (4, t), (0, 0.5), (1, 0.5)]);
    assert_eq!(world.closest_point(at).unwrap().point.y, 5_201_234.751);
    // The same text, which says the same.
    let again = SceneFile::parse(&file.to_string(), file.path()).unwrap();
    assert!(
        again == file
            && again.build().unwrap().objects().all(|(object, is)| {
                is_wide(&is) == matches!(object.name.as_str(), "2" | "3" | "4")
            })
    );
    let narrow = file.to_string().replace("f64", "f32");
    assert!(SceneFile::parse(&narrow, file.path()).unwrap() != file);
    // Opened once for each precision.
    let mut opened = Vec::new();
    let mut open = |mesh: &SceneMesh, _: &_| {
        let SceneMesh::File { precision, .. } = mesh else {
            panic!("{mesh:?}");
        };
        opened.push(*precision);
        let mesh = MeshLoader::new()
            .load_f64(files.path().join("wall.obj"))
            .unwrap();
        Ok::<_, SceneFileError>(Bvh::build(&mesh).into())
    };
    file.build_with(&MeshLoader::new(), &mut open).unwrap();
    let expected = [
        None,
        Some(MeshPrecision::F32),
        Some(MeshPrecision::F64),
        Some(MeshPrecision::Auto),
    ];
    assert_eq!(opened, expected);
}

#[test]
fn a_tree_file_keeps_its_numbers() {
    let files = folder(&[("wall.obj", WALL)]);
    let at = |name: &str| files.path().join(name);
    let loader = MeshLoader::new();
    Bvh::build(&loader.load_f64(at("wall.obj")).unwrap())
        .save(at("wide.estoc"))
        .unwrap();
    Bvh::build(&loader.load(at("wall.obj")).unwrap())
        .save(at("narrow.estoc"))
        .unwrap();
    let build = |name, precision| {
        let file = SceneFile::parse(&scene_of(&[(name, precision)]), at("scene.toml")).unwrap();
        file.build()
    };
    for (name, precision, wide) in [
        ("wide.estoc", "", true),
        ("wide.estoc", "auto", true),
        ("wide.estoc", "f64", true),
        ("narrow.estoc", "", false),
        ("narrow.estoc", "auto", false),
        ("narrow.estoc", "f32", false),
    ] {
        let loaded = build(name, precision).unwrap();
        assert!(
            loaded.objects().all(|(_, object)| is_wide(&object) == wide),
            "{name} {precision}"
        );
        assert_eq!(loaded.snapshot().triangle_count(), 1);
    }
    for (name, precision) in [("wide.estoc", "f32"), ("narrow.estoc", "f64")] {
        let error = build(name, precision).unwrap_err();
        assert!(matches!(error, SceneFileError::Tree { .. }), "{error}");
    }
}

#[test]
fn a_precision_that_means_nothing_is_told() {
    let told = |object: &str| {
        let text = format!("[[object]]\nname = 'a'\n{object}\n");
        let parsed = SceneFile::parse(&text, Path::new("x.toml"));
        parsed.unwrap_err().to_string()
    };
    for value in ["'f16'", "64", "'F64'"] {
        let error = told(&format!("mesh = 'a.obj'\nprecision = {value}"));
        let words = "x.toml:4: precision must be \"auto\", \"f32\" or \"f64\", not ";
        assert!(error.starts_with(words), "{error}");
    }
    for object in ["mesh = 'demo:box'", "scene = 'b.toml'", "spheres = []"] {
        let error = told(&format!("{object}\nprecision = 'f64'"));
        assert_eq!(
            error,
            "x.toml:4: precision is for mesh files, and the object \"a\" is none; leave it out"
        );
    }
}
