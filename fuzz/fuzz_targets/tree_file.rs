//! Reads arbitrary bytes as a tree file, once as they are and once with valid checksums: the third
//! line of defence, after the tables and the random damage of `crates/bvh/tests`. Nothing may panic
//! or hang, and every resulting tree must answer as brute force over its triangles does, or one in `f64` as a
//! tree that is built of them.

#![no_main]

use estoc_bvh::{Bvh, TreeFile, TreeFileError, TreeLoader};
use estoc_core::{
    All, BruteForce, Engine, PointQuery, PrimId, QueryOptions, Ray64, RayQuery, Triangle,
};
use estoc_demo::RaySampler;
use estoc_mesh::Mesh;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// Larger trees are not compared with brute force, which would be slow.
const MANY: usize = 400;

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    read(&sealed);
});

fn read(bytes: &[u8]) {
    let loader = TreeLoader::new();
    if let Some(file) = known(loader.read(bytes, "fuzz.estoc")) {
        check(&file);
    }
    if let Some(file) = known(loader.read_f64(bytes, "fuzz.estoc")) {
        assert!(TreeFile::is_f64(bytes));
        check_f64(&file);
    }
}

fn known<F>(read: Result<F, TreeFileError>) -> Option<F> {
    match read {
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

fn check_f64(file: &TreeFile<f64>) {
    let bvh = file.bvh();
    assert_eq!(bvh.validate(), Ok(()));
    let mesh = file.mesh().expect("enough memory");
    let count = mesh.triangle_count();
    assert_eq!(
        (bvh.triangle_count(), bvh.stats().triangles),
        (count, count)
    );
    for index in 0..=count {
        let prim = PrimId::from_index(index).expect("few triangles");
        assert_eq!(bvh.triangle(prim), mesh.triangle(prim));
        assert_eq!(file.object_of(prim), mesh.object_of(prim));
        assert_eq!(file.line_of(prim), mesh.line_of(prim));
    }
    if count == 0 || count > MANY {
        return;
    }
    let positions = mesh.positions().iter().copied();
    let fresh = Mesh::from_f64(positions, mesh.indices().to_vec()).expect("finite corners");
    assert_eq!(fresh.bounds(), file.facts().bounds);
    let fresh = Bvh::build(&fresh).with_masks(bvh.masks().cloned());
    let half = QueryOptions::new().mask(0x5555_5555);
    let middle = |index: usize| {
        let triangle = mesh.triangles().nth(index % count).expect("triangles");
        let [a, b, c] = triangle.corners();
        a / 3.0 + b / 3.0 + c / 3.0
    };
    for index in 0..9 {
        let (from, to) = (middle(7 * index + 1), middle(3 * index));
        assert_eq!(bvh.closest_point(from), fresh.closest_point(from));
        let ray = Ray64::new(from + (from - to), to - from);
        assert_eq!(bvh.ask(All, &ray), fresh.ask(All, &ray));
        assert_eq!(
            bvh.ask_with(All, &ray, &half),
            fresh.ask_with(All, &ray, &half)
        );
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
