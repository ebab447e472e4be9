//! Scene files: what they mean.

use crate::common::{here, placed_by, world_of};
use estoc_bvh::Bvh;
use estoc_core::glam::{DQuat, DVec3};
use estoc_core::{Ray, RayQuery, ScenePath};
use estoc_demo::DemoSpec;
use estoc_mesh::{Mesh, MeshLoader};
use estoc_scene::{
    DemoScene, ObjectSource, PlacementMatrix, SceneFile, SceneFileError, SceneMesh, SceneObject,
};
use std::path::Path;
use std::sync::Arc;

const TEXT: &str = r#"
# A comment.
object = [{ name = "a", mesh = "demo:solids?n=300" }, { name = "b", mesh = "b.obj" }]

[[placement]]
object = "b"

[[placement]]
object = "a"
name = "second"
mask = 0xF0
reversed = true
matrix = [
    1, 0, -0.5, 4e6,
    0.25, 1_000, 0, 0.1,
    0, 0, 1, -7,
]
"#;

#[test]
fn everything_in_the_text_is_read() {
    let file = SceneFile::parse(TEXT, "folder/two.toml").unwrap();
    assert_eq!(file.path(), Path::new("folder/two.toml"));
    let names: Vec<&str> = file.objects().iter().map(|object| &*object.name).collect();
    assert_eq!(names, ["a", "b"]);
    let spec = "solids?n=300".parse().unwrap();
    assert_eq!(file.objects()[0].source, ObjectSource::DemoMesh(spec));
    let path = "b.obj".into();
    assert_eq!(file.objects()[1].source, ObjectSource::MeshFile(path));
    let [first, second] = file.placements() else {
        panic!("{file:?}")
    };
    assert_eq!((first.object, second.object), (1, 0));
    assert_eq!((first.line, second.line), (Some(5), Some(8)));
    assert_eq!(first.matrix, PlacementMatrix::IDENTITY);
    let options = (first.mask, first.reversed, &first.name);
    assert_eq!(options, (u32::MAX, false, &None));
    assert_eq!((second.mask, second.reversed), (0xf0, true));
    assert_eq!(second.name.as_deref(), Some("second"));
    let rows = [
        [1.0, 0.0, -0.5, 4e6],
        [0.25, 1000.0, 0.0, 0.1],
        [0.0, 0.0, 1.0, -7.0],
    ];
    assert_eq!(second.matrix.rows(), rows);
    let empty = SceneFile::parse("", "empty.toml").unwrap();
    assert!(empty.objects().is_empty() && empty.build().unwrap().scene().is_empty());
}

#[test]
fn what_is_written_is_read_as_equal() {
    let odd_names = "object = [{ name = \"\\\"\\\\ \\u0007\\n\u{fc}\\u007f\", mesh = \"a b\\\\.obj\" }, \
                     { name = \"\", scene = 'x/y.toml' }, { name = \"c\", scene = 'demo:pick' }]\n\
                     [[placement]]\nobject = \"\"\nmask = 0\nname = \"\"\n";
    let parse = |text: &str| SceneFile::parse(text, "a.toml").unwrap();
    let mut files = vec![parse(TEXT), parse(odd_names), parse("")];
    for line in ["city?n=40&seed=3", "pick?time=-2.75", "pick?time=1e300"] {
        files.push(line.parse::<DemoScene>().unwrap().file());
    }
    for file in files {
        let text = file.to_string();
        let read = SceneFile::parse(&text, "written.toml").unwrap();
        assert_eq!(read, file, "{text}");
        let bits = |file: &SceneFile| -> Vec<[[u64; 4]; 3]> {
            let placed = file.placements().iter();
            let rows = placed.map(|placed| placed.matrix.rows());
            rows.map(|rows| rows.map(|row| row.map(f64::to_bits)))
                .collect()
        };
        assert_eq!(bits(&read), bits(&file));
    }
    assert_ne!(parse(TEXT), parse(&TEXT.replace("0xF0", "0xF1")));
    assert_ne!(parse(TEXT), parse(&TEXT.replace("\"a\"", "\"aa\"")));
}

#[test]
fn placements_by_parts_have_the_matrices_of_the_library_and_of_gltf() {
    // Mirrors, a turn that is not of length 1, and numbers of all sizes.
    let parts = [
        ("[4e6, -0.1, 3]", "[0, 0.7071, 0, 0.7071]", "[2, 2, 2]"),
        (
            "[0, 0, 1e300]",
            "[0.1, 0.2, 0.3, 0.9]",
            "[-1, 1e-200, 3e150]",
        ),
        (
            "[5e-324, 1e-310, 0]",
            "[3, -4, 0.5, 1e-3]",
            "[-0.1, -0.2, -0.3]",
        ),
        ("[1, 2, 3]", "[0, 0, 0, 1]", "[1e-320, 1, 1]"),
    ];
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.trim_matches(['[', ']']).split(',');
        words.map(|word| word.trim().parse().unwrap()).collect()
    };
    let mut text = "[[object]]\nname = 'a'\nmesh = 'a.obj'\n".to_owned();
    let mut nodes = Vec::new();
    for (moved, turn, scale) in parts {
        text += &format!(
            "[[placement]]\nobject = 'a'\ntranslation = {moved}\nrotation = {turn}\nscale = {scale}\n"
        );
        nodes.push(format!(
            r#"{{"mesh":0,"translation":{moved},"rotation":{turn},"scale":{scale}}}"#
        ));
    }
    // Each part alone.
    text += "[[placement]]\nobject = 'a'\nscale = [1, 2, -3.5]\n\
             [[placement]]\nobject = 'a'\ntranslation = [1, 2.5, 3]\n\
             [[placement]]\nobject = 'a'\nrotation = [0, 0, 2, 2]\n";
    let file = SceneFile::parse(&text, "parts.toml").unwrap();
    let rows: Vec<[[f64; 4]; 3]> = { file.placements().iter() }
        .map(|placement| placement.matrix.rows())
        .collect();
    let gltf = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"componentType":5126,"count":3,"type":"VEC3"}}]}}"#,
        nodes.join(",")
    );
    let gltf = MeshLoader::new().read_nodes(gltf.as_bytes(), "parts.gltf");
    let gltf = gltf.unwrap().nodes;
    assert_eq!(gltf.len(), parts.len());
    for (i, (moved, turn, scale)) in parts.into_iter().enumerate() {
        let [moved, scale] = [moved, scale].map(|text| DVec3::from_slice(&numbers(text)));
        let turn = DQuat::from_slice(&numbers(turn));
        let made = PlacementMatrix::from_scale_rotation_translation(scale, turn, moved);
        assert_eq!(rows[i], made.unwrap().rows());
        let node = PlacementMatrix::try_new(&gltf[i].transform).unwrap();
        assert_eq!(rows[i], node.rows());
    }
    let [.., scaled, moved, turned] = rows[..] else {
        panic!("{rows:?}")
    };
    let row = |x, y, z, moved| [x, y, z, moved];
    assert_eq!(
        scaled,
        [
            row(1.0, 0.0, 0.0, 0.0),
            row(0.0, 2.0, 0.0, 0.0),
            row(0.0, 0.0, -3.5, 0.0)
        ]
    );
    assert_eq!(
        moved,
        [
            row(1.0, 0.0, 0.0, 1.0),
            row(0.0, 1.0, 0.0, 2.5),
            row(0.0, 0.0, 1.0, 3.0)
        ]
    );
    assert_eq!(
        turned,
        [
            row(0.0, -1.0, 0.0, 0.0),
            row(1.0, 0.0, 0.0, 0.0),
            row(0.0, 0.0, 1.0, 0.0)
        ]
    );
    // Written as matrices, and read again with the same bits.
    let written = file.to_string();
    assert!(!written.contains("rotation"), "{written}");
    let again = SceneFile::parse(&written, "again.toml").unwrap();
    let bits = |file: &SceneFile| -> Vec<u64> {
        let rows = file
            .placements()
            .iter()
            .flat_map(|placed| placed.matrix.rows());
        rows.flatten().map(f64::to_bits).collect()
    };
    assert_eq!(bits(&again), bits(&file));
}

fn demo(spec: &str) -> Mesh {
    spec.parse::<DemoSpec>().unwrap().mesh()
}

/// Writes files to a folder.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

const SHEET: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

#[test]
fn scenes_nest_and_share_what_they_name() {
    let files = folder(&[
        (
            "world.toml",
            "object = [{ name = 'near', mesh = 'parts/sheet.obj' }, \
             { name = 'row', scene = 'parts/row.toml' }, \
             { name = 'again', scene = 'parts/../parts/row.toml' }]\n\
             [[placement]]\nobject = 'near'\nmatrix = [1,0,0,0, 0,1,0,0, 0,0,1,9]\n\
             [[placement]]\nobject = 'again'\n\
             [[placement]]\nobject = 'row'\nmatrix = [1,0,0,50, 0,1,0,0, 0,0,1,0]\n",
        ),
        (
            "parts/row.toml",
            "object = [{ name = 'sheet', mesh = 'sheet.obj' }]\n\
             [[placement]]\nobject = 'sheet'\n\
             [[placement]]\nobject = 'sheet'\nmatrix = [1,0,0,5, 0,1,0,0, 0,0,1,0]\n",
        ),
        ("parts/sheet.obj", SHEET),
    ]);
    let file = SceneFile::load(files.path().join("world.toml")).unwrap();
    let loaded = file.build().unwrap();
    let world = loaded.snapshot();
    assert_eq!((world.placement_count(), world.triangle_count()), (3, 5));
    for (x, numbers, object) in [
        (0.25, &[0][..], "near"),
        (5.25, &[1, 1], "sheet"),
        (50.25, &[2, 0], "sheet"),
        (55.25, &[2, 1], "sheet"),
    ] {
        let ray = Ray::new([x, 0.25, 10.0], [0.0, 0.0, -1.0]);
        let hit = world.closest_hit(&ray).unwrap();
        assert_eq!(hit.path.numbers(), numbers);
        assert_eq!(loaded.object(hit.path).unwrap().name, object);
        assert_eq!(loaded.mesh_number(hit.path), Some(0));
    }
    for numbers in [&[][..], &[1], &[0, 0], &[3], &[1, 2], &[1, 0, 0]] {
        let path = ScenePath::try_new(numbers).unwrap();
        assert_eq!(loaded.mesh_number(path), None, "{numbers:?}");
        assert_eq!(loaded.object(path), None, "{numbers:?}");
    }
    // One mesh and one scene, though each is named more than once.
    let mut opened = Vec::new();
    let mut open = |mesh: &SceneMesh, _: &_| {
        opened.push(mesh.clone());
        let empty = Arc::new(Bvh::build(&Mesh::default()));
        Ok::<_, SceneFileError>(empty.into())
    };
    let loaded = file.build_with(&MeshLoader::new(), &mut open).unwrap();
    assert_eq!(opened.len(), 1, "{opened:?}");
    let scenes: Vec<_> = loaded.objects().map(|(_, object)| object).collect();
    match &scenes[..] {
        [
            SceneObject::Mesh(_),
            SceneObject::Scene(a),
            SceneObject::Scene(b),
        ] => {
            assert!(Arc::ptr_eq(a, b));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_gives_the_scene_made_by_hand() {
    let text = "object = [{ name = 'ball', mesh = 'demo:sphere?n=200' }]\n\
                [[placement]]\nobject = 'ball'\nmatrix = [0.3,-0.1,0,2, 0,0.7,0,0, 0,0.2,-1,0.25]\n\
                reversed = true\n[[placement]]\nobject = 'ball'\nmask = 1\n";
    let loaded = SceneFile::parse(text, "x.toml").unwrap().build().unwrap();
    let ball = Arc::new(Bvh::build(&demo("sphere?n=200")));
    let rows = [
        [0.3, -0.1, 0.0, 2.0],
        [0.0, 0.7, 0.0, 0.0],
        [0.0, 0.2, -1.0, 0.25],
    ];
    let first = placed_by(ball.clone(), rows).reversed(true);
    let scene = world_of([first, here(ball).mask(1)]);
    let mut hits = 0;
    for i in 0..400u16 {
        let (x, y) = (f32::from(i % 20), f32::from(i / 20));
        let ray = Ray::new([5.0, y / 5.0 - 2.0, x / 5.0 - 2.0], [-1.0, 0.01 * y, 0.0]);
        assert_eq!(loaded.snapshot().all_hits(&ray), scene.all_hits(&ray));
        hits += scene.count_hits(&ray);
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn tree_files_are_meshes_too() {
    let files = folder(&[(
        "scene.toml",
        "object = [{ name = 's', mesh = 's.estoc' }]\nplacement = [{ object = 's' }]",
    )]);
    let mesh = demo("solids?n=300");
    let tree = Bvh::build(&mesh);
    tree.save(files.path().join("s.estoc")).unwrap();
    let file = SceneFile::load(files.path().join("scene.toml")).unwrap();
    let count = file.build().unwrap().snapshot().triangle_count();
    assert_eq!(count, mesh.triangle_count());
}

/// The same bits on every machine, as a hash (FNV-1a).
#[test]
fn generated_scenes_have_the_same_bits_everywhere() {
    for (line, expected) in [
        ("city?n=100&seed=5", 0xfa60_5ce2_1683_0437),
        ("pick?time=7.3", 0xcb42_db2b_2543_1395),
    ] {
        let file = line.parse::<DemoScene>().unwrap().file();
        let numbers = file.placements().iter().flat_map(|placed| {
            let rows = placed.matrix.rows().into_iter().flatten();
            rows.map(f64::to_bits).chain([placed.object as u64])
        });
        let add = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let bytes = numbers.flat_map(u64::to_le_bytes);
        let hash: u64 = bytes.fold(0xcbf2_9ce4_8422_2325, add);
        assert_eq!(hash, expected, "{line} {hash:#018x}");
    }
}

#[test]
fn generated_scenes_can_be_looked_at() {
    let city: DemoScene = "city?n=30".parse().unwrap();
    let loaded = city.file().build().unwrap();
    let city = loaded.snapshot();
    assert_eq!((city.placement_count(), city.open_objects()), (30, 0));
    // From above, there is always something.
    let mut buildings = 0;
    for i in 0..400u16 {
        let (x, z) = (f32::from(i % 20) - 9.5, f32::from(i / 20) - 9.5);
        let ray = Ray::new([15.0 * x, 1000.0, 15.0 * z], [0.0, -1.0, 0.0]);
        let hit = city.closest_hit(&ray).unwrap();
        let is_ground = hit.path.numbers() == [0];
        assert_eq!(is_ground, loaded.object(hit.path).unwrap().name == "ground");
        buildings += usize::from(!is_ground);
    }
    assert!((50..150).contains(&buildings), "{buildings}");
    // All move, and come back after a minute.
    let at = |time: f64| DemoScene::Pick { time }.file();
    let matrices = |time| {
        let file = at(time);
        let matrices = file.placements().iter().map(|placed| placed.matrix);
        matrices.collect::<Vec<_>>()
    };
    let (now, later) = (matrices(0.25), matrices(1.5));
    let moved = now.iter().zip(&later).filter(|(a, b)| a != b);
    assert_eq!((now.len(), moved.count()), (4, 3));
    assert_eq!(matrices(0.25), matrices(60.25));
    assert_eq!(at(f64::NAN), at(0.0));
    let empty = DemoScene::City { n: 0, seed: 1 }.file();
    assert_eq!(empty.placements().len(), 1);
}
