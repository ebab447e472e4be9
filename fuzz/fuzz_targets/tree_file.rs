//! Reads arbitrary bytes as a tree file, once as they are and once with valid checksums: the third
//! line of defence, after the tables and the random damage of `crates/bvh/tests`. Nothing may panic
//! or hang, and every resulting tree must answer as brute force over its triangles does.

#![no_main]

use estoc_bvh::{TreeFile, TreeLoader};
use estoc_core::{All, BruteForce, Engine, PrimId, QueryOptions, RayQuery, Triangle};
use estoc_demo::RaySampler;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// Larger trees are not compared with brute force, which would be slow.
const MANY: usize = 400;

fuzz_target!(|bytes: &[u8]| {
    let strict = read(bytes);
    if let Some(file) = &strict {
        check(file);
    }
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    if let Some(file) = read(&sealed) {
        check(&file);
    }
});

fn read(bytes: &[u8]) -> Option<TreeFile> {
    match TreeLoader::new().read(bytes, "fuzz.estoc") {
        Ok(file) => Some(file),
        Err(error) => {
            let told = error.to_string();
            assert!(told.starts_with("fuzz.estoc: ") && !told.contains(char::is_control));
            None
        }
    }
}

fn check(file: &TreeFile) {
    let bvh = file.bvh();
    assert_eq!(bvh.validate(), Ok(()));
    let count = bvh.triangle_count();
    assert_eq!(bvh.stats().triangles, count);
    let mesh = file.mesh().expect("few vertices");
    for index in 0..=count {
        let prim = PrimId::from_index(index).expect("few triangles");
        assert_eq!(bvh.triangle(prim), mesh.triangle(prim));
        assert_eq!(file.object_of(prim), mesh.object_of(prim));
        assert_eq!(file.group_of(prim), mesh.group_of(prim));
        assert_eq!(file.material_of(prim), mesh.material_of(prim));
        assert_eq!(file.face_of(prim), mesh.face_of(prim));
        assert_eq!(file.line_of(prim), mesh.line_of(prim));
    }
    if count > MANY {
        return;
    }
    let mut moved = bvh.clone();
    moved.refit(&mesh).expect("as many triangles");
    assert_eq!(moved.validate(), Ok(()));
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<Triangle>>());
    let brute = match bvh.masks() {
        Some(masks) => brute.with_masks(masks.clone()),
        None => brute,
    };
    assert_eq!(moved.masks(), bvh.masks());
    let half = QueryOptions::new().mask(0x5555_5555);
    for ray in RaySampler::new(&mesh, count as u64).take(18) {
        let hits = brute.all_hits(&ray);
        assert_eq!(bvh.all_hits(&ray), hits);
        assert_eq!(bvh.closest_hit(&ray), hits.first().copied());
        assert_eq!(bvh.any_hit(&ray), !hits.is_empty());
        assert_eq!(bvh.count_hits(&ray), hits.len());
        assert_eq!(
            bvh.ask_with(All, &ray, &half),
            brute.ask_with(All, &ray, &half)
        );
        for hit in hits {
            assert_eq!(file.details(&hit).is_some(), mesh.details(&hit).is_some());
        }
    }
}

/// Writes valid checksums, as far as the bytes are a file at all: otherwise the fuzzer would have
/// to guess them.
fn seal(file: &mut [u8]) {
    const HEADER: usize = 128;
    const ENTRY: usize = 24;
    if file.len() < HEADER {
        return;
    }
    let u32_at = |file: &[u8], at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let u64_at = |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    let length = file.len() as u64;
    file[16..24].copy_from_slice(&length.to_le_bytes());
    let sections = (u32_at(file, 112) as usize).min(64);
    let table_end = (HEADER + sections * ENTRY).min(file.len());
    let mut all = Vec::new();
    for place in 0..sections {
        let at = HEADER + place * ENTRY;
        if at + ENTRY > file.len() {
            break;
        }
        let [start, len] = [8, 16].map(|field| u64_at(file, at + field) as usize);
        let Some(part) = start.checked_add(len).and_then(|end| file.get(start..end)) else {
            break;
        };
        if place + 1 < sections {
            let blocks = part.chunks(1 << 20);
            all.extend(blocks.flat_map(|block| xxh3_64(block).to_le_bytes()));
        } else {
            all.extend(xxh3_64(&all).to_le_bytes());
            let room = all.len().min(len);
            file[start..start + room].copy_from_slice(&all[..room]);
        }
    }
    file[24..32].fill(0);
    let hash = xxh3_64(&file[..table_end]);
    file[24..32].copy_from_slice(&hash.to_le_bytes());
}
