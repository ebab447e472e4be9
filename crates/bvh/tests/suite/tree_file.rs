//! Trees saved to files, loaded and memory-mapped.

use crate::common::tree_bytes::section;
use estoc_bvh::{Bvh, Layout, Quality, TreeFile, TreeFileError, TreeLoader, TreeWriter};
use estoc_core::{CancelToken, PrimId, Progress, Ray, RayQuery};
use estoc_demo::{Demo, DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

fn scene(text: &str) -> Mesh {
    text.parse::<DemoSpec>().unwrap().mesh()
}

/// Returns a mesh of one triangle.
fn one(corners: [[f32; 3]; 3]) -> Mesh {
    Mesh::try_new(corners, [[0, 1, 2]]).unwrap()
}

fn build(mesh: &Mesh, layout: Layout, quality: Quality) -> Bvh {
    let builder = Bvh::builder().layout(layout).quality(quality);
    builder.build(mesh).unwrap()
}

fn bytes_of(writer: &TreeWriter<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    writer.write_to(&mut bytes, "memory").unwrap();
    bytes
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map(path: &Path) -> TreeFile {
    // SAFETY: tests have folders of their own, and change no file that they have mapped.
    unsafe { TreeFile::map(path) }.unwrap()
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map_unchecked(path: &Path) -> TreeFile {
    // SAFETY: as above, and the file was written by the test and not changed.
    unsafe { TreeLoader::new().trusted().map(path) }.unwrap()
}

/// Returns the names of the files in the folder.
fn files_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn rays_at(mesh: &Mesh, count: usize) -> Vec<Ray> {
    RaySampler::new(mesh, 5).take(count)
}

#[track_caller]
fn assert_same_answers(bvh: &Bvh, other: &Bvh, rays: &[Ray], name: &str) {
    for ray in rays {
        // All bits, because Debug prints every f32 so that it reads back as the same.
        let hits = |bvh: &Bvh| format!("{:?}", (bvh.all_hits(ray), bvh.closest_hit(ray)));
        assert_eq!(hits(bvh), hits(other), "{name}: {ray:?}");
        assert_eq!(bvh.any_hit(ray), other.any_hit(ray), "{name}: {ray:?}");
        let [a, b] = [bvh, other].map(|bvh| bvh.count_crossings(ray));
        assert_eq!(a, b, "{name}: {ray:?}");
    }
}

#[track_caller]
fn assert_same_names(file: &TreeFile, mesh: &Mesh, name: &str) {
    assert_eq!(file.objects(), mesh.objects(), "{name}");
    assert_eq!(file.groups(), mesh.groups(), "{name}");
    assert_eq!(file.materials(), mesh.materials(), "{name}");
    // One beyond the last, too.
    for prim in 0..=mesh.triangle_count() {
        let prim = PrimId::from_index(prim).unwrap();
        assert_eq!(file.object_of(prim), mesh.object_of(prim), "{name}: {prim}");
        assert_eq!(file.group_of(prim), mesh.group_of(prim), "{name}: {prim}");
        let materials = [file.material_of(prim), mesh.material_of(prim)];
        assert_eq!(materials[0], materials[1], "{name}: {prim}");
        assert_eq!(file.face_of(prim), mesh.face_of(prim), "{name}: {prim}");
        assert_eq!(file.line_of(prim), mesh.line_of(prim), "{name}: {prim}");
    }
}

/// Checks that the file's mesh has the triangles and the names of the saved one.
#[track_caller]
fn assert_same_mesh(file: &TreeFile, mesh: &Mesh, name: &str) {
    let again = file.mesh().unwrap();
    assert!(again.triangles().eq(mesh.triangles()), "{name}");
    assert_eq!(again.bounds(), mesh.bounds(), "{name}");
    assert_eq!(again.report().faces, mesh.report().faces, "{name}");
    assert_same_names(file, &again, name);
    if file.facts().layout == Layout::Compact {
        assert_eq!(again.positions(), mesh.positions(), "{name}");
        assert_eq!(again.indices(), mesh.indices(), "{name}");
        assert_eq!(again.content_hash(), mesh.content_hash(), "{name}");
    }
}

#[test]
fn every_scene_layout_and_quality_comes_back_read_and_mapped() {
    let folder = tempfile::tempdir().unwrap();
    for demo in Demo::ALL {
        let mesh = DemoSpec::new(demo).n(700).mesh();
        let rays = rays_at(&mesh, 60);
        for (layout, quality) in Layout::ALL.iter().flat_map(|l| QUALITIES.map(|q| (*l, q))) {
            let name = format!("{} {layout} {quality:?}", demo.name());
            let bvh = build(&mesh, layout, quality);
            let path = folder.path().join(format!("{name}.estoc"));
            let writer = TreeWriter::new(&bvh).mesh(&mesh).source("scene.obj");
            writer.save(&path).unwrap();
            let bytes = fs::read(&path).unwrap();
            assert!(TreeFile::is_tree_file(&bytes));
            assert!(bytes == bytes_of(&writer), "{name}: written in two ways");

            let read = TreeFile::load(&path).unwrap();
            let from_memory = TreeLoader::new().read(&bytes, &name).unwrap();
            for file in [read, map(&path), map_unchecked(&path), from_memory] {
                assert_eq!(file.bvh().validate(), Ok(()), "{name}");
                assert_eq!(file.bvh().stats(), bvh.stats(), "{name}");
                assert_eq!(file.bvh().quality(), Some(quality), "{name}");
                assert_same_answers(file.bvh(), &bvh, &rays, &name);
                let facts = file.facts();
                assert_eq!(facts.source.as_deref(), Some("scene.obj"), "{name}");
                assert_eq!(facts.mesh_hash, Some(mesh.content_hash()), "{name}");
                let vertices = mesh.positions().len() as u64;
                assert_eq!(facts.vertices, Some(vertices), "{name}");
                assert_eq!(facts.bytes, bytes.len() as u64, "{name}");
                assert_eq!(facts.triangles, mesh.triangle_count(), "{name}");
                assert_eq!(facts.bounds, mesh.bounds(), "{name}");
                assert_eq!((facts.layout, facts.quality), (layout, Some(quality)));
                assert_same_names(&file, &mesh, &name);
                assert_same_mesh(&file, &mesh, &name);
            }
        }
    }
}

#[test]
fn hits_have_the_same_details_but_for_what_is_not_kept() {
    let mesh = scene("hall?n=900");
    let bvh = Bvh::build(&mesh);
    let bytes = bytes_of(&TreeWriter::new(&bvh).mesh(&mesh));
    let file = TreeLoader::new().read(&bytes, "hall").unwrap();
    let mut found = 0;
    for ray in rays_at(&mesh, 200) {
        for hit in bvh.all_hits(&ray) {
            let (ours, theirs) = (file.details(&hit), mesh.details(&hit));
            let told = |details: Option<estoc_mesh::HitDetails<'_>>| {
                details.map(|d| {
                    let names = (d.object, d.group, d.material.cloned());
                    let numbers = (d.triangle, d.point, d.normal, d.face, d.line);
                    format!("{names:?} {numbers:?}")
                })
            };
            assert_eq!(told(ours), told(theirs), "{hit:?}");
            found += 1;
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let mesh = scene("soup?n=30000");
    let bytes = |threads: usize| {
        let pool = rayon_pool(threads);
        pool(&|| {
            let bvh = Bvh::builder().threads(threads).build(&mesh).unwrap();
            bytes_of(&TreeWriter::new(&bvh).mesh(&mesh))
        })
    };
    let one = bytes(1);
    // More than one block of checksums.
    assert!(one.len() > 1 << 20);
    for threads in [2, 3] {
        assert!(bytes(threads) == one, "{threads} threads");
    }
    let file = TreeLoader::new().read(&one, "soup").unwrap();
    // Saved again, with the same additional data, it is the same file.
    let again = bytes_of(&TreeWriter::new(file.bvh()));
    assert!(again == bytes_of(&TreeWriter::new(&Bvh::build(&mesh))));
}

/// Returns a function that runs in a pool of `threads` threads.
fn rayon_pool<T: Send>(threads: usize) -> impl Fn(&(dyn Fn() -> T + Sync)) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.unwrap();
    move |work| pool.install(work)
}

#[test]
fn nothing_and_next_to_nothing_come_back() {
    let one = one([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let tiny = self::one([[0.0; 3], [1e-38, 0.0, 0.0], [0.0, -0.0, 1e-38]]);
    let folder = tempfile::tempdir().unwrap();
    for (name, mesh) in [("none", Mesh::default()), ("one", one), ("tiny", tiny)] {
        for layout in Layout::ALL {
            let bvh = build(&mesh, layout, Quality::Balanced);
            let path = folder.path().join(name);
            for with_mesh in [false, true] {
                let writer = TreeWriter::new(&bvh);
                match with_mesh {
                    true => writer.mesh(&mesh).save(&path).unwrap(),
                    false => writer.save(&path).unwrap(),
                };
                let read = TreeFile::load(&path).unwrap();
                for file in [read, map(&path), map_unchecked(&path)] {
                    assert_eq!(file.bvh().validate(), Ok(()), "{name}");
                    assert_eq!(file.bvh().stats(), bvh.stats(), "{name}");
                    assert_same_answers(file.bvh(), &bvh, &rays_at(&mesh, 90), name);
                    assert_eq!(file.facts().mesh_hash.is_some(), with_mesh);
                    let again = file.mesh().unwrap();
                    assert!(again.triangles().eq(mesh.triangles()), "{name}");
                    let prim = PrimId::new(0).unwrap();
                    assert_eq!(file.line_of(prim), None);
                    let face = (with_mesh && mesh.triangle_count() > 0).then_some(0);
                    assert_eq!(file.face_of(prim), face);
                }
            }
        }
    }
}

#[test]
fn a_mapped_tree_is_refitted_in_memory_and_the_file_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("soup.estoc");
    let (mesh, other) = (scene("soup?n=3000"), scene("soup?n=3000&seed=2"));
    for layout in Layout::ALL {
        build(&mesh, layout, Quality::Balanced).save(&path).unwrap();
        let before = fs::read(&path).unwrap();
        let mapped = map(&path).into_bvh();
        let mut moved = mapped.clone();
        moved.refit(&other).unwrap();
        assert_eq!(moved.validate(), Ok(()));
        assert_same_answers(&moved, &Bvh::build(&other), &rays_at(&other, 60), "moved");
        // Clones that share the file still see its content.
        assert_same_answers(&mapped, &Bvh::build(&mesh), &rays_at(&mesh, 60), "mapped");
        assert!(fs::read(&path).unwrap() == before);

        // The record of how far the tree had degraded is kept.
        let built = moved.refit(&other).unwrap().built_cost;
        let bytes = bytes_of(&TreeWriter::new(&moved).mesh(&other));
        let mut again = TreeLoader::new().read(&bytes, "moved").unwrap().into_bvh();
        assert_eq!(again.refit(&other).unwrap().built_cost, built);
    }
}

#[cfg_attr(windows, ignore = "Windows replaces no file that is mapped")]
#[test]
fn a_file_that_is_replaced_stays_for_who_has_it_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.estoc");
    let (first, second) = (scene("sphere?n=900"), scene("soup?n=900"));
    Bvh::build(&first).save(&path).unwrap();
    let mapped = map(&path);
    Bvh::build(&second).save(&path).unwrap();
    for (file, mesh, name) in [(mapped, first, "old"), (map(&path), second, "new")] {
        assert_same_answers(file.bvh(), &Bvh::build(&mesh), &rays_at(&mesh, 60), name);
    }
    assert_eq!(files_in(folder.path()), ["a.estoc"]);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (link, path) = (folder.path().join("link"), folder.path().join("a.estoc"));
    fs::write(&path, "old").unwrap();
    std::os::unix::fs::symlink("a.estoc", &link).unwrap();
    let bvh = Bvh::build(&scene("sphere?n=100"));
    bvh.save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(Bvh::load(&path).unwrap().stats(), bvh.stats());
    // A dangling link is kept, too, even to the longest allowed name.
    let long = "n".repeat(255);
    std::fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink(&long, &link).unwrap();
    bvh.save(&link).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(Bvh::load(folder.path().join(long)).is_ok());
}

#[test]
fn the_mesh_must_be_the_one_that_the_tree_was_built_for() {
    let (mesh, other) = (scene("soup?n=300"), scene("soup?n=300&seed=1"));
    let bvh = Bvh::build(&mesh);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.estoc");
    for wrong in [&other, &scene("soup?n=301")] {
        let error = TreeWriter::new(&bvh).mesh(wrong).save(&path).unwrap_err();
        assert!(matches!(error, TreeFileError::OtherMesh { .. }), "{error}");
    }
    assert_eq!(files_in(folder.path()), [""; 0]);
}

#[test]
fn nothing_is_left_behind_by_what_fails() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.estoc");
    let bvh = Bvh::build(&scene("soup?n=60000"));
    fs::write(&path, "old").unwrap();

    let token = CancelToken::new();
    let told = AtomicU64::new(0);
    let cancel = |now: Progress| {
        assert!(now.total.is_some_and(|total| now.done < total));
        told.fetch_add(1, Ordering::Relaxed);
        token.cancel();
    };
    let writer = TreeWriter::new(&bvh).cancel(&token).progress(&cancel);
    let error = writer.save(&path).unwrap_err();
    assert!(matches!(error, TreeFileError::Cancelled { .. }), "{error}");
    assert_eq!(told.into_inner(), 1);
    assert_eq!(files_in(folder.path()), ["a.estoc"]);
    assert_eq!(fs::read(&path).unwrap(), b"old");

    let error = bvh.save(folder.path()).unwrap_err();
    assert!(matches!(error, TreeFileError::Io { .. }), "{error}");
    let missing = folder.path().join("missing/a.estoc");
    let error = bvh.save(&missing).unwrap_err();
    let told = error.to_string();
    let is_told = told.contains("missing") && told.contains("written");
    assert!(is_told, "{told}");
    assert_eq!(files_in(folder.path()), ["a.estoc"]);
}

/// A device that is always full.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let bvh = Bvh::build(&scene("soup?n=100"));
    let error = bvh.save("/dev/full").unwrap_err();
    let full = |error: &TreeFileError| match error {
        TreeFileError::Io { source, .. } => source.kind() == std::io::ErrorKind::StorageFull,
        _ => false,
    };
    assert!(full(&error), "{error:?}");
    let told = error.to_string();
    assert!(told.starts_with("/dev/full: cannot be written: "), "{told}");
}

#[test]
fn progress_comes_to_its_end_and_cancelling_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.estoc");
    let mesh = scene("soup?n=60000");
    let bvh = Bvh::build(&mesh);
    let last = AtomicU64::new(0);
    let steps = AtomicU64::new(0);
    let progress = |Progress { done, total, .. }: Progress| {
        let total = total.unwrap();
        let before = last.swap(done, Ordering::Relaxed);
        assert!(before < done && done <= total, "{before} {done} {total}");
        steps.fetch_add(1, Ordering::Relaxed);
    };
    let writer = TreeWriter::new(&bvh).progress(&progress);
    writer.save(&path).unwrap();
    let length = fs::metadata(&path).unwrap().len();
    assert_eq!(last.swap(0, Ordering::Relaxed), length);
    TreeLoader::new().progress(&progress).load(&path).unwrap();
    // All but header and checksums.
    assert!(last.into_inner() + 2000 > length && steps.into_inner() > 4);

    let token = CancelToken::new();
    let raise = |_: Progress| token.cancel();
    let loader = TreeLoader::new().cancel(&token).progress(&raise);
    let error = loader.load(&path).unwrap_err();
    assert!(matches!(error, TreeFileError::Cancelled { .. }), "{error}");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let error = Bvh::load(folder.path()).unwrap_err();
    assert!(matches!(error, TreeFileError::NotAFile { .. }), "{error}");
    let missing = Bvh::load(folder.path().join("missing")).unwrap_err();
    assert!(missing.to_string().contains("cannot be read"), "{missing}");
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        // Not every system has the command.
        if made.is_ok_and(|status| status.success()) {
            let error = Bvh::load(&pipe).unwrap_err();
            assert!(matches!(error, TreeFileError::NotAFile { .. }), "{error}");
        }
    }
}

/// A progress callback may run other work of the pool, such as a block of this very file.
#[test]
fn whoever_is_told_the_progress_may_use_the_pool() {
    let mesh = scene("soup?n=60000");
    let bytes = bytes_of(&TreeWriter::new(&Bvh::build(&mesh)));
    let last = AtomicU64::new(0);
    let progress = |now: Progress| {
        last.fetch_max(now.done, Ordering::Relaxed);
        let _ = rayon::yield_now();
    };
    rayon_pool(1)(&|| {
        let file = TreeLoader::new().progress(&progress).read(&bytes, "soup");
        assert_eq!(file.unwrap().bvh().triangle_count(), 60000);
    });
    assert_eq!(last.into_inner(), bytes.len() as u64);
}

#[test]
fn a_tree_file_is_not_taken_for_a_mesh() {
    let bytes = bytes_of(&TreeWriter::new(&Bvh::build(&scene("sphere?n=100"))));
    let loader = estoc_mesh::MeshLoader::new();
    for error in [
        loader.read(&bytes, "ball.obj").unwrap_err(),
        loader.read_from(&bytes[..], "ball.obj").unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "ball.obj: is a tree file, not a mesh; load it with TreeFile::load, from a file on disk"
        );
        assert!(!error.can_skip());
    }
}

/// A later version may add sections; this one skips sections that it does not know.
#[test]
fn sections_of_kinds_that_are_not_known_are_passed_over() {
    use crate::common::tree_bytes::{put, seal};
    let mesh = scene("hall?n=300");
    let bvh = Bvh::build(&mesh);
    let mut bytes = bytes_of(&TreeWriter::new(&bvh).mesh(&mesh));
    let groups = 9;
    section(&bytes, groups);
    let entries = (0..64).map(|place| 128 + 24 * place);
    let entry = { entries }.find(|at| bytes[*at..at + 4] == [groups as u8, 0, 0, 0]);
    put(&mut bytes, entry.unwrap(), &7777_u32.to_le_bytes());
    seal(&mut bytes);
    let file = TreeLoader::new().read(&bytes, "later").unwrap();
    assert_eq!(file.bvh().stats(), bvh.stats());
    let prim = PrimId::new(0).unwrap();
    assert_eq!(file.group_of(prim), None);
    assert_eq!(file.object_of(prim), mesh.object_of(prim));
}

#[test]
fn meshes_are_told_apart() {
    let hash = |text: &str| scene(text).content_hash();
    assert_eq!(hash("soup?n=40000"), hash("soup?n=40000"));
    assert_ne!(hash("soup?n=40000"), hash("soup?n=40000&seed=1"));
    assert_ne!(hash("soup?n=40000"), hash("soup?n=39999"));
    // The same numbers in another grouping.
    let point = Mesh::try_new([[0.0f32; 3]], [[0; 3]; 0]).unwrap();
    assert_ne!(Mesh::default().content_hash(), point.content_hash());
    // This number is part of the file format.
    let one = one([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(one.content_hash(), KNOWN, "{:#x}", one.content_hash());
}

const KNOWN: u64 = 0x8bef_728e_2068_59cc;
