//! Tree files of trees in `f64`.

use crate::common::tree_bytes::{CHECKSUMS, parts, put, seal, section, u32_at};
use estoc_bvh::{Bvh, Layout, Quality, TreeFile, TreeFileError, TreeLoader, TreeWriter};
use estoc_core::glam::DVec3;
use estoc_core::{
    All, Contains, Engine, Masks, PointQuery, PrimId, QueryOptions, Ray, Ray64, RayQuery,
    Triangle64,
};
use estoc_mesh::{Mesh, MeshLoader};
use estoc_testkit::generate::{DOUBLE_KINDS, Rng, double_point, double_ray, doubles};
use std::fmt::Debug;
use std::fs;
use std::path::Path;

/// The offset of the version in a header.
const VERSION: usize = 12;

/// Returns triangles, of which some share a corner.
fn mesh_of(triangles: &[Triangle64]) -> Mesh<f64> {
    let corners: Vec<DVec3> = triangles.iter().flat_map(Triangle64::corners).collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::from_f64(corners, faces).unwrap()
}

fn random(kind: &str, seed: u64) -> Mesh<f64> {
    let mut triangles = doubles(kind, &mut Rng::named(seed, kind));
    triangles.retain(Triangle64::is_finite);
    mesh_of(&triangles)
}

/// Returns two triangles in the coordinates of a map, with names.
pub(crate) fn flag() -> Mesh<f64> {
    let text =
        b"o flag\nv 5200000.1 0 0\nv 5200002.3 0 0.1\nv 5200000.1 2.7 0\nv 5200002.3 2.7 1\n\
        v nan 0 0\nusemtl red\ng cloth\nf 1 2 3\nf 2 4 3\n";
    MeshLoader::new().read_f64(text, "flag.obj").unwrap()
}

pub(crate) fn bytes_of(bvh: &Bvh<f64>, mesh: &Mesh<f64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let writer = TreeWriter::new(bvh).mesh(mesh).source("a.obj");
    writer.write_to(&mut bytes, "memory").unwrap();
    bytes
}

pub(crate) fn build(mesh: &Mesh<f64>, layout: Layout) -> Bvh<f64> {
    Bvh::builder().layout(layout).build(mesh).unwrap()
}

fn read(bytes: &[u8]) -> Result<TreeFile<f64>, TreeFileError> {
    TreeLoader::new().read_f64(bytes, "double.estoc")
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map(path: &Path) -> TreeFile<f64> {
    // SAFETY: tests have folders of their own, and change no file that they have mapped.
    unsafe { TreeFile::map_f64(path) }.unwrap()
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map_trusted(path: &Path) -> TreeFile<f64> {
    // SAFETY: as above, and the file was written by the test and not changed.
    unsafe { TreeLoader::new().trusted().map_f64(path) }.unwrap()
}

/// Asserts that both trees give the same answers, all bits. Returns the number of hits.
#[track_caller]
pub(crate) fn assert_same_answers(a: &Bvh<f64>, b: &Bvh<f64>, seed: u64, name: &str) -> usize {
    let mut rng = Rng::named(seed, name);
    let triangles: Vec<_> = (0..a.triangle_count())
        .map(|i| a.triangle(PrimId::from_index(i).unwrap()).unwrap())
        .collect();
    if triangles.is_empty() {
        assert_eq!(b.triangle_count(), 0, "{name}");
        return 0;
    }
    // Debug prints every number so that it reads back as the same.
    let same = |a: &dyn Debug, b: &dyn Debug, what: &dyn Debug| {
        assert_eq!(format!("{a:?}"), format!("{b:?}"), "{name}: {what:?}");
    };
    let mut hits = 0;
    for _ in 0..12 {
        let ray: Ray64 = double_ray("usual", &triangles, &mut rng);
        let narrow: Ray = ray.to_ray();
        hits += a.ask(All, &ray).len() + a.ask(All, &narrow).len();
        same(&a.ask(All, &ray), &b.ask(All, &ray), &ray);
        same(&a.ask(All, &narrow), &b.ask(All, &narrow), &narrow);
        same(&a.closest_hit(&narrow), &b.closest_hit(&narrow), &narrow);
        let half = QueryOptions::new().mask(2);
        let [half_a, half_b] = [a, b].map(|tree| tree.ask_with(All, &ray, &half));
        same(&half_a, &half_b, &ray);

        let point = double_point("usual", &triangles, &mut rng);
        same(
            &a.closest_points(point, 3),
            &b.closest_points(point, 3),
            &point,
        );
        same(&a.ask(Contains, &point), &b.ask(Contains, &point), &point);
    }
    hits
}

#[track_caller]
fn assert_same_mesh(file: &TreeFile<f64>, mesh: &Mesh<f64>, name: &str) {
    let again = file.mesh().unwrap();
    let bits = |mesh: &Mesh<f64>| -> Vec<[u64; 3]> {
        let positions = mesh.positions().iter();
        positions.map(|p| p.to_array().map(f64::to_bits)).collect()
    };
    assert_eq!(bits(&again), bits(mesh), "{name}");
    assert_eq!(again.indices(), mesh.indices(), "{name}");
    assert_eq!(again.bounds(), mesh.bounds(), "{name}");
    assert_eq!(again.content_hash(), mesh.content_hash(), "{name}");
    let [own, others] = [&again, mesh].map(Mesh::report);
    assert_eq!(own.degenerate, others.degenerate, "{name}");
    assert_eq!((own.faces, own.vertices), (others.faces, others.vertices));
    for prim in 0..=mesh.triangle_count() {
        let prim = PrimId::from_index(prim).unwrap();
        let names = |mesh: &Mesh<f64>| {
            let names = (
                mesh.object_of(prim),
                mesh.group_of(prim),
                mesh.material_of(prim),
            );
            format!(
                "{names:?} {:?} {:?}",
                mesh.face_of(prim),
                mesh.line_of(prim)
            )
        };
        assert_eq!(names(&again), names(mesh), "{name}");
        assert_eq!(file.object_of(prim), mesh.object_of(prim), "{name}");
        assert_eq!(file.line_of(prim), mesh.line_of(prim), "{name}");
    }
}

#[test]
fn trees_of_all_kinds_come_back_read_and_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("double.estoc");
    let meshes = DOUBLE_KINDS.map(|kind| (kind, random(kind, 3)));
    let mut hits = 0;
    for (kind, mesh) in meshes.into_iter().chain([("flag", flag())]) {
        let count = mesh.triangle_count();
        let masks = Masks::from_runs([(count / 2, 1), (count - count / 2, 2)]);
        for layout in Layout::ALL {
            for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
                let name = format!("{kind} {layout} {quality:?}");
                let builder = Bvh::builder().layout(layout).quality(quality);
                let bvh = builder.build(&mesh).unwrap();
                let bvh = match quality {
                    Quality::Best => bvh.with_masks(masks.clone()),
                    _ => bvh,
                };
                let writer = TreeWriter::new(&bvh).mesh(&mesh).source("a.obj");
                writer.save(&path).unwrap();
                let bytes = fs::read(&path).unwrap();
                assert!(bytes == bytes_of(&bvh, &mesh), "{name}");
                assert!(TreeFile::is_f64(&bytes[..16]), "{name}");
                let files = [
                    TreeFile::load_f64(&path).unwrap(),
                    read(&bytes).unwrap(),
                    map(&path),
                    map_trusted(&path),
                ];
                for file in files {
                    assert_eq!(file.bvh().validate(), Ok(()), "{name}");
                    assert_eq!(file.bvh().stats(), bvh.stats(), "{name}");
                    assert_eq!(file.bvh().masks(), bvh.masks(), "{name}");
                    let facts = file.facts();
                    assert_eq!((facts.version, facts.layout), (4, layout), "{name}");
                    assert_eq!(facts.quality, Some(quality), "{name}");
                    assert_eq!(facts.bounds, mesh.bounds(), "{name}");
                    assert_eq!(facts.mesh_hash, Some(mesh.content_hash()), "{name}");
                    assert_eq!(facts.vertices, Some(mesh.positions().len() as u64));
                    hits += assert_same_answers(&bvh, file.bvh(), 5, &name);
                    assert_same_mesh(&file, &mesh, &name);
                    // Written again, it is the same file.
                    let again = bytes_of(file.bvh(), &file.mesh().unwrap());
                    assert!(again == bytes, "{name}");
                }
            }
        }
    }
    assert!(hits > 2000, "{hits}");
}

#[test]
fn what_a_tree_of_a_loaded_mesh_answers_is_the_same() {
    for kind in DOUBLE_KINDS {
        let mesh = random(kind, 7);
        let bvh = Bvh::build(&mesh);
        let again = read(&bytes_of(&bvh, &mesh)).unwrap().mesh().unwrap();
        assert_same_answers(&bvh, &Bvh::build(&again), 1, kind);
        let mut moved = bvh.clone();
        moved.refit(&again).unwrap();
        assert_same_answers(&bvh, &moved, 2, kind);
    }
}

#[test]
fn nothing_and_next_to_nothing_come_back() {
    let nothing = Mesh::from_f64([[0.0f64; 3]; 0], [[0u32; 3]; 0]).unwrap();
    let unused = Mesh::from_f64([[f64::NAN; 3], [1e300; 3]], [[0u32; 3]; 0]).unwrap();
    let corners = [
        [0.1, 0.2, 0.3],
        [f64::MAX, 0.0, 0.0],
        [0.0, -f64::MAX, 5e-324],
    ];
    let wide = Mesh::from_f64(corners, [[0, 1, 2]]).unwrap();
    let point = Mesh::from_f64([[0.1; 3]], [[0, 0, 0], [0, 0, 0]]).unwrap();
    let tiny = [[0.0; 3], [5e-324, 0.0, 0.0], [0.0, -0.0, 5e-324]];
    let tiny = Mesh::from_f64(tiny, [[0, 1, 2]]).unwrap();
    for (name, mesh) in [
        ("nothing", nothing),
        ("unused", unused),
        ("wide", wide),
        ("point", point),
        ("tiny", tiny),
    ] {
        for layout in Layout::ALL {
            let bvh = build(&mesh, layout);
            let bytes = bytes_of(&bvh, &mesh);
            let file = read(&bytes).unwrap();
            assert_eq!(file.bvh().stats(), bvh.stats(), "{name}");
            assert_eq!(file.facts().bounds, mesh.bounds(), "{name}");
            assert_same_answers(&bvh, file.bvh(), 1, name);
            assert_same_mesh(&file, &mesh, name);
            let near = |tree: &Bvh<f64>| tree.closest_point(DVec3::splat(0.5));
            assert_eq!(near(&bvh), near(file.bvh()), "{name}");
        }
    }
    // Without a mesh, the tree alone.
    let bvh = Bvh::build(&flag());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alone.estoc");
    bvh.save(&path).unwrap();
    assert_same_answers(&bvh, &Bvh::load_f64(&path).unwrap(), 1, "alone");
    let facts = TreeFile::load_f64(&path).unwrap().facts().clone();
    assert_eq!((facts.mesh_hash, facts.origin), (None, DVec3::ZERO));
}

#[test]
fn the_other_precision_is_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let [wide, narrow] = ["wide.estoc", "narrow.estoc"].map(|name| folder.path().join(name));
    Bvh::build(&flag()).save(&wide).unwrap();
    let flag = MeshLoader::new().read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "flag.obj");
    Bvh::build(&flag.unwrap()).save(&narrow).unwrap();
    let told = |error: TreeFileError, path: &Path| {
        assert!(matches!(error, TreeFileError::Precision { .. }), "{error}");
        let told = error.to_string();
        let rest = told.strip_prefix(&*path.display().to_string());
        rest.map(str::to_owned).expect("the name of the file")
    };
    assert_eq!(
        told(TreeFile::load(&wide).unwrap_err(), &wide),
        ": holds triangles in f64; load it with `load_f64`, or build another in f32 with `estoc \
         build --precision f32 MESH`"
    );
    assert_eq!(
        told(TreeFile::load_f64(&narrow).unwrap_err(), &narrow),
        ": holds triangles in f32; load it with `load`, or build another in f64 with `estoc build \
         --precision f64 MESH`"
    );
    told(Bvh::load(&wide).unwrap_err(), &wide);
    told(Bvh::load_f64(&narrow).unwrap_err(), &narrow);
    for (path, is_f64) in [(&wide, true), (&narrow, false)] {
        let bytes = fs::read(path).unwrap();
        assert!(TreeFile::is_tree_file(&bytes));
        assert_eq!(TreeFile::is_f64(&bytes), is_f64);
        assert!(!TreeFile::is_f64(&bytes[..15]));
        // A file that is damaged is damaged, whatever it should hold.
        let error = TreeLoader::new().read(&bytes[..200], "short").unwrap_err();
        assert!(matches!(error, TreeFileError::Truncated { .. }), "{error}");
    }
}

#[test]
fn the_mesh_must_be_the_one_that_the_tree_was_built_for() {
    let mesh = flag();
    let bvh = Bvh::build(&mesh);
    let mut positions = mesh.positions().to_vec();
    positions[1].x = positions[1].x.next_up();
    let moved = Mesh::from_f64(positions, mesh.indices().to_vec()).unwrap();
    let turned = mesh.indices().iter().map(|&[a, b, c]| [b, c, a]);
    let turned = Mesh::from_f64(mesh.positions().to_vec(), turned).unwrap();
    for other in [&moved, &turned] {
        let writer = TreeWriter::new(&bvh).mesh(other);
        let error = writer.write_to(&mut Vec::new(), "flag.estoc").unwrap_err();
        assert!(matches!(error, TreeFileError::OtherMesh { .. }), "{error}");
    }
    // The same numbers in arrays of their own.
    let same = Mesh::from_f64(mesh.positions().to_vec(), mesh.indices().to_vec()).unwrap();
    let written = TreeWriter::new(&bvh)
        .mesh(&same)
        .write_to(&mut Vec::new(), "a");
    assert!(written.is_ok());
}

/// Readers of earlier versions must refuse the file, and no reader may take an origin for the frame.
#[test]
fn version_and_sections_go_together() {
    let [origin, frame] = [12, 15];
    let mesh = flag();
    let sound = bytes_of(&Bvh::build(&mesh), &mesh);
    assert_eq!(u32_at(&sound, VERSION), 4);
    let kinds: Vec<u32> = parts(&sound).iter().map(|part| part.kind).collect();
    assert_eq!(
        kinds,
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, CHECKSUMS]
    );
    let told = |bytes: &mut Vec<u8>| {
        seal(bytes);
        let error = TreeLoader::new().read(bytes, "a").unwrap_err();
        let wide = TreeLoader::new().read_f64(bytes, "a").unwrap_err();
        assert_eq!(error.to_string(), wide.to_string());
        error.to_string()
    };
    for version in [1u32, 2, 3] {
        let mut bytes = sound.clone();
        put(&mut bytes, VERSION, &version.to_le_bytes());
        let told = told(&mut bytes);
        let expected =
            format!("a: invalid version {version} at byte 12: files with frame must have");
        assert!(told.starts_with(&expected), "{told}");
    }
    let renamed = |from: u32, to: u32| {
        let mut bytes = sound.clone();
        let entries = (0..16).map(|place| 128 + 24 * place);
        let entry = { entries }.find(|at| u32_at(&bytes, *at) == from);
        put(&mut bytes, entry.unwrap(), &to.to_le_bytes());
        bytes
    };
    let missing = told(&mut renamed(frame, 999));
    assert!(missing.contains("\"frame\" is missing"), "{missing}");
    let told = told(&mut renamed(7, origin));
    assert!(told.contains("files in f64 have no origin"), "{told}");
    for kind in [2, 4, 5, 13, 14] {
        let mut bytes = renamed(kind, 999);
        seal(&mut bytes);
        let error = read(&bytes).unwrap_err();
        assert!(matches!(error, TreeFileError::Missing { .. }), "{error}");
    }
    assert_eq!(section(&sound, frame).len(), 88);
}
