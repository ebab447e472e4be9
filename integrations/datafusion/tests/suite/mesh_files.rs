//! Meshes by path and hash, read once.

use crate::data::{
    RAY, TestMesh, answers, assert_fails, expected, random_rays, session_of, write_tree,
};
use estoc::demo::DemoSpec;
use estoc::glam::DVec3;
use estoc::io::{BadFaces, LocalFrame, TreeWriter};
use estoc::{Bvh, Mesh};
use estoc_datafusion::{MeshCache, MeshNumbers, MeshReference, RaycastError};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[tokio::test]
async fn mesh_files_tree_files_and_uris_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let spec: DemoSpec = "terrain?n=500".parse().unwrap();
    let mesh = spec.mesh();
    // As text, which holds the same f32s.
    let obj = folder.path().join("a mesh#1.obj");
    let mut text = String::new();
    for position in mesh.positions() {
        let [x, y, z] = position.to_array();
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in mesh.indices() {
        text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
    }
    fs::write(&obj, text).unwrap();
    let (tree, bvh, hash) = write_tree(&folder.path().join("mesh.estoc"), "terrain?n=500");
    assert_eq!(Mesh::load(&obj).unwrap().content_hash(), hash);
    let rays = random_rays(&bvh, 200, 1);
    let session = session_of(&rays, 2);
    let wanted = expected(&bvh, &rays);
    let names = [
        obj.display().to_string(),
        tree.display().to_string(),
        url::Url::from_file_path(&obj).unwrap().to_string(),
        format!("{}#{hash:016x}", tree.display()),
        format!("{}#{hash:016X}", obj.display()),
    ];
    for name in names {
        let marker = format!("raycast('{name}', {RAY})");
        let found = answers(&session, &marker, "FROM rays ORDER BY ray_id").await;
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn a_tree_is_read_once_however_many_ask() {
    let mesh = TestMesh::new("terrain?n=2000");
    let cache = MeshCache::default();
    let reference = MeshReference {
        uri: mesh.path.display().to_string(),
        hash: mesh.hash,
        numbers: MeshNumbers::F32,
    };
    let trees = std::thread::scope(|scope| {
        let ask = || cache.load(&reference).unwrap();
        let threads = std::array::from_fn::<_, 8, _>(|_| scope.spawn(ask));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(trees.iter().all(|tree| Arc::ptr_eq(tree, &trees[0])));
    assert_eq!(cache.loads(), 1);
    let again = cache
        .reference(&format!("{}#{:016x}", reference.uri, mesh.hash))
        .unwrap();
    assert_eq!((again, cache.loads()), (reference.clone(), 1));
    // Neither does planning read a file that has not changed.
    assert_eq!(
        (cache.reference(&reference.uri).unwrap(), cache.loads()),
        (reference, 1)
    );
}

#[test]
fn a_tree_that_two_plan_with_is_kept() {
    let mesh = TestMesh::new("sphere?n=100");
    let uri = mesh.path.display().to_string();
    // Few of the pairs begin so close to each other that they share a load.
    for _ in 0..500 {
        let cache = MeshCache::default();
        let started = AtomicUsize::new(0);
        let plan = || {
            started.fetch_add(1, SeqCst);
            while started.load(SeqCst) < 2 {
                std::thread::yield_now();
            }
            assert_eq!(cache.reference(&uri).unwrap().hash, mesh.hash);
        };
        std::thread::scope(|scope| {
            scope.spawn(plan);
            plan();
        });
        let loads = cache.loads();
        let reference = cache.reference(&uri).unwrap();
        cache.load(&reference).unwrap();
        assert_eq!(cache.loads(), loads, "the tree was read again");
    }
}

#[test]
fn a_file_that_changes_is_another_mesh() {
    let mesh = TestMesh::new("sphere?n=100");
    let cache = MeshCache::default();
    let uri = mesh.path.display().to_string();
    let old = cache.reference(&uri).unwrap();
    let (_, _, hash) = write_tree(&mesh.path, "sphere?n=300");
    // Queries that know the old mesh still have it; new ones see the new file.
    assert_eq!(cache.load(&old).unwrap().hash, mesh.hash);
    let new = cache.reference(&uri).unwrap();
    assert_eq!(new.hash, hash);
    assert_eq!(cache.load(&new).unwrap().hash, hash);
    assert_eq!(cache.loads(), 2);
    let fresh = MeshCache::default();
    assert!(matches!(
        fresh.load(&old),
        Err(RaycastError::OtherMesh { .. })
    ));
    // The error is not kept.
    write_tree(&mesh.path, "sphere?n=100");
    assert_eq!(fresh.load(&old).unwrap().hash, mesh.hash);
}

#[test]
fn few_idle_trees_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let cache = MeshCache::default();
    let path = |number: usize| folder.path().join(format!("{number}.estoc"));
    let in_use = (0..12).map(|number| {
        let (path, ..) = write_tree(&path(number), &format!("sphere?n=100&seed={number}"));
        let reference = cache.reference(path.to_str().unwrap()).unwrap();
        (number == 0).then(|| cache.load(&reference).unwrap())
    });
    let in_use = in_use.flatten().collect::<Vec<_>>();
    assert_eq!(cache.loads(), 12);
    // The first is used, the last is recent; the second is neither.
    for (number, loads) in [(0, 12), (11, 12), (1, 13)] {
        let path = path(number).display().to_string();
        let hash = write_tree(
            &folder.path().join("again.estoc"),
            &format!("sphere?n=100&seed={number}"),
        )
        .2;
        let numbers = MeshNumbers::F32;
        cache
            .load(&MeshReference {
                uri: path,
                hash,
                numbers,
            })
            .unwrap();
        assert_eq!(cache.loads(), loads, "tree {number}");
    }
    drop(in_use);
}

#[tokio::test]
async fn files_that_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let session = session_of(&[], 1);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bad.obj"), "v 0 0 0\nf 1 2 3\n").unwrap();
    let (tree, ..) = write_tree(&path("cut.estoc"), "sphere?n=100");
    let bytes = fs::read(&tree).unwrap();
    fs::write(&tree, &bytes[..bytes.len() / 2]).unwrap();
    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(path("changed.estoc"), changed).unwrap();
    let mesh = "sphere?n=100".parse::<DemoSpec>().unwrap().mesh();
    TreeWriter::new(&Bvh::build(&mesh))
        .save(path("alone.estoc"))
        .unwrap();
    let far = [
        DVec3::new(500_000.0, 0.0, 5e6),
        DVec3::new(500_001.0, 0.0, 5e6),
        DVec3::new(500_000.0, 1.0, 5e6),
    ];
    let far = Mesh::in_local_frame(&far, &[[0, 1, 2]], LocalFrame::Auto, BadFaces::Reject).unwrap();
    TreeWriter::new(&Bvh::build(&far))
        .mesh(&far)
        .save(path("far.estoc"))
        .unwrap();
    let cases = [
        ("bad.obj", "2"),
        ("cut.estoc", "cut.estoc"),
        ("changed.estoc", "damaged"),
        ("alone.estoc", "has no hash of its mesh"),
        ("far.estoc", "is relative to the origin"),
    ];
    for (name, part) in cases {
        let path = path(name);
        let sql = format!("SELECT raycast('{}', {RAY})['t'] FROM rays", path.display());
        assert_fails(&session, &sql, &[part, name]).await;
    }
}
