//! Masks in tree files.

use crate::common::tree_bytes::{parts, put, seal, section, u32_at};
use estoc_bvh::{Bvh, Layout, TreeFile, TreeFileError, TreeLoader, TreeSection, TreeWriter};
use estoc_core::{All, Engine, Masks, QueryOptions, RayQuery};
use estoc_demo::{DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use std::fs;
use std::path::Path;

const TRIANGLES: usize = 300;
const MASKS: u32 = 11;
/// The offset of the version in a header.
const VERSION: usize = 12;

fn soup() -> Mesh {
    let spec = format!("soup?n={TRIANGLES}").parse::<DemoSpec>();
    spec.unwrap().mesh()
}

fn tree(runs: &[(usize, u32)]) -> Bvh {
    Bvh::build(&soup()).with_masks(Masks::from_runs(runs.iter().copied()))
}

fn bytes_of(bvh: &Bvh) -> Vec<u8> {
    let mut bytes = Vec::new();
    TreeWriter::new(bvh).write_to(&mut bytes, "memory").unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<TreeFile, TreeFileError> {
    TreeLoader::new().read(bytes, "masked.estoc")
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map(path: &Path) -> Bvh {
    // SAFETY: tests have folders of their own, and change no file that they have mapped.
    unsafe { Bvh::map(path) }.unwrap()
}

#[allow(unsafe_code, reason = "loading without checks is what is tested")]
fn load_trusted(path: &Path) -> Bvh {
    // SAFETY: the file was written by the test, and not changed.
    let loader = unsafe { TreeLoader::new().trusted() };
    loader.load(path).unwrap().into_bvh()
}

/// Returns the masks of a tree after it was saved and loaded.
fn saved(runs: &[(usize, u32)]) -> Option<Vec<(usize, u32)>> {
    let file = read(&bytes_of(&tree(runs))).unwrap();
    let masks = file.bvh().masks().map(|masks| masks.runs().collect());
    assert_eq!(file.facts().version == 2, masks.is_some());
    masks
}

#[test]
fn masks_come_back_saved_read_and_mapped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masked.estoc");
    let mesh = soup();
    let masks = Masks::from_runs([(100, 1), (50, 0), (150, 6)]);
    let rays = RaySampler::new(&mesh, 5).take(60);
    for layout in Layout::ALL {
        let bvh = Bvh::builder().layout(layout).build(&mesh).unwrap();
        let bvh = bvh.with_masks(masks.clone());
        bvh.save(&path).unwrap();
        let loaded = TreeFile::load(&path).unwrap();
        assert_eq!(loaded.facts().version, 2);
        let mut trees = vec![
            loaded.clone().into_bvh(),
            Bvh::load(&path).unwrap(),
            map(&path),
        ];
        trees.push(load_trusted(&path));
        for mut again in trees {
            assert_eq!(again.masks(), Some(&masks), "{layout}");
            assert_eq!(again.stats(), bvh.stats(), "{layout}");
            for _ in 0..2 {
                for (ray, mask) in rays.iter().zip([1, 2, 3, 8, u32::MAX].into_iter().cycle()) {
                    let options = QueryOptions::new().mask(mask);
                    let [a, b] = [&bvh, &again].map(|bvh| bvh.ask_with(All, ray, &options));
                    assert_eq!(a, b, "{layout}, {mask}: {ray:?}");
                    assert_eq!(bvh.closest_hit(ray), again.closest_hit(ray), "{layout}");
                }
                // A refit to the same positions changes nothing.
                again.refit(&mesh).unwrap();
                assert_eq!(again.clone().masks(), Some(&masks), "{layout}");
            }
            // Saved again, it is the same file except for what a refit records.
            assert_eq!(section(&bytes_of(&again), MASKS).len(), 3 * 8);
        }
        assert!(
            bytes_of(loaded.bvh()) == fs::read(&path).unwrap(),
            "{layout}"
        );
    }
}

#[test]
fn masks_of_more_or_fewer_triangles_are_saved_of_all_that_there_are() {
    const ALL: u32 = u32::MAX;
    let cases = [
        (vec![(300, 5)], Some(vec![(300, 5)])),
        (vec![(9, 5)], Some(vec![(9, 5), (291, ALL)])),
        (vec![(9, 5), (999, 1)], Some(vec![(9, 5), (291, 1)])),
        (vec![(300, 0), (1, 1)], Some(vec![(300, 0)])),
        // They hide nothing from any ray.
        (vec![], None),
        (vec![(300, ALL), (7, 1)], None),
    ];
    for (runs, expected) in cases {
        assert_eq!(saved(&runs), expected, "{runs:?}");
    }
    let nothing = Bvh::build(&Mesh::default()).with_masks(Masks::from_runs([(3, 1)]));
    let file = read(&bytes_of(&nothing)).unwrap();
    assert_eq!((file.bvh().masks(), file.facts().version), (None, 1));
}

/// Files that need only version 1 stay readable for readers of version 1.
#[test]
fn a_file_without_masks_is_as_it_was() {
    let bvh = Bvh::build(&soup());
    let without = bytes_of(&bvh);
    assert_eq!(u32_at(&without, VERSION), 1);
    assert!(parts(&without).iter().all(|part| part.kind != MASKS));
    let hide_nothing = bvh.clone().with_masks(Masks::default());
    assert!(bytes_of(&hide_nothing) == without);
    let masked = bytes_of(&bvh.with_masks(Masks::from_runs([(1, 1)])));
    assert_eq!(u32_at(&masked, VERSION), 2);
}

/// Readers of version 1 would skip the masks and show all primitives.
#[test]
fn version_and_masks_go_together() {
    let mut masked = bytes_of(&tree(&[(9, 5)]));
    put(&mut masked, VERSION, &1_u32.to_le_bytes());
    seal(&mut masked);
    let error = read(&masked).unwrap_err();
    let told = error.to_string();
    let is_header = matches!(
        error,
        TreeFileError::Header {
            field: "version",
            ..
        }
    );
    assert!(
        is_header
            && told.contains("invalid version 1 at byte 12: files with masks must have version 2"),
        "{told}"
    );

    let mut without = bytes_of(&Bvh::build(&soup()));
    put(&mut without, VERSION, &2_u32.to_le_bytes());
    seal(&mut without);
    let error = read(&without).unwrap_err();
    let section = TreeSection::Masks;
    let is_missing =
        matches!(&error, TreeFileError::Missing { section: found, .. } if *found == section);
    assert!(is_missing, "{error}");
}

/// Whatever checks the loader skips, masks must be valid.
#[test]
fn runs_that_are_not_of_all_triangles_are_refused() {
    let sound = bytes_of(&tree(&[(100, 1), (150, 2), (50, 4)]));
    let masks = section(&sound, MASKS);
    assert_eq!(masks.len(), 3 * 8);
    assert_eq!(u32_at(&sound, masks.start), 100);
    let loaders = [TreeLoader::new(), TreeLoader::new().checksums(false)];
    // A run, its claimed count, and where the error is found.
    for (run, count, at) in [
        (0, 0, 0),
        (2, 0, 2),
        (0, 99, 0),
        (0, 101, 2),
        (1, 201, 1),
        (2, 51, 2),
        (2, 49, 0),
        (1, u32::MAX, 1),
    ] {
        let mut file = sound.clone();
        put(&mut file, masks.start + 8 * run, &u32::to_le_bytes(count));
        seal(&mut file);
        for loader in &loaders {
            match loader.read(&file, "masked.estoc").unwrap_err() {
                TreeFileError::Section {
                    section, offset, ..
                } => {
                    assert_eq!(section, TreeSection::Masks, "{run} {count}");
                    assert_eq!(offset as usize, masks.start + 8 * at, "{run} {count}");
                }
                other => panic!("{other}"),
            }
        }
    }
    // A change of any of their bytes is found by its checksum.
    for byte in masks {
        let mut file = sound.clone();
        file[byte] ^= 4;
        let error = read(&file).unwrap_err();
        let told = error.to_string();
        assert!(told.contains("(section \"masks\") are damaged"), "{told}");
    }
}

/// However runs are written, a tree and its file have one hash.
#[test]
fn the_hash_with_masks_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("masked.estoc");
    let mesh = soup();
    let (count, all) = (mesh.triangle_count(), u32::MAX);
    let of = |runs: &[(usize, u32)]| {
        let bvh = Bvh::build(&mesh).with_masks(Masks::from_runs(runs.iter().copied()));
        bvh.save(&path).unwrap();
        let saved = Bvh::load(&path).unwrap().hash_with_masks(7);
        assert_eq!(saved, bvh.hash_with_masks(7), "{runs:?}");
        saved
    };
    assert_eq!(of(&[]), 7);
    assert_eq!(of(&[(count, all)]), 7);
    assert_eq!(of(&[(1, all)]), 7);
    let one = of(&[(1, 1)]);
    assert_ne!(one, 7);
    assert_eq!(of(&[(1, 1), (count + 9, all)]), one);
    assert_eq!(of(&[(1, 1), (count - 1, all), (9, 5)]), one);
    assert_ne!(of(&[(2, 1)]), one);
    assert_ne!(of(&[(1, 2)]), one);
}
