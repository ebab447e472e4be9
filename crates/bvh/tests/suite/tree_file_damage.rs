//! Tree files that are truncated, damaged, of another format, or crafted. `ESTOC_LONG=1` flips a
//! million bits.

use crate::common::tree_bytes::{Part, parts, put, seal, section, u64_at};
use estoc_bvh::{Bvh, Layout, TreeFile, TreeFileError, TreeLoader, TreeSection, TreeWriter};
use estoc_core::{All, BruteForce, Engine, Masks, PrimId, QueryOptions, RayQuery, Triangle};
use estoc_demo::{DemoSpec, RaySampler};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;

fn scene(text: &str) -> Mesh {
    text.parse::<DemoSpec>().unwrap().mesh()
}

fn bytes_of(mesh: &Mesh, layout: Layout) -> Vec<u8> {
    bytes_with_masks(mesh, layout, None)
}

fn bytes_with_masks(mesh: &Mesh, layout: Layout, masks: Option<Masks>) -> Vec<u8> {
    let bvh = Bvh::builder().layout(layout).build(mesh).unwrap();
    let bvh = bvh.with_masks(masks);
    let mut bytes = Vec::new();
    let writer = TreeWriter::new(&bvh).mesh(mesh).source("a.obj");
    writer.write_to(&mut bytes, "memory").unwrap();
    bytes
}

/// Returns two triangles, with an object and lines.
fn flag() -> Mesh {
    let text = b"o flag\nv 0 0 0\nv 2 0 0\nv 0 2 0\nv 2 2 1\nusemtl red\nf 1 2 3\nf 2 4 3\n";
    estoc_mesh::ObjLoader::new().read(text, "flag.obj").unwrap()
}

fn small(layout: Layout) -> Vec<u8> {
    bytes_of(&flag(), layout)
}

/// Returns files of each layout, with and without masks.
fn samples() -> Vec<Vec<u8>> {
    let masks = Masks::from_runs([(1, 1), (1, 6)]);
    let masked = bytes_with_masks(&flag(), Layout::Fast, Some(masks));
    let plain = Layout::ALL.map(small).into_iter();
    plain.chain([masked]).collect()
}

fn read(bytes: &[u8]) -> Result<TreeFile, TreeFileError> {
    TreeLoader::new().read(bytes, "damaged.estoc")
}

/// Checks what every error guarantees, and returns its message.
#[track_caller]
fn told(error: &TreeFileError) -> String {
    let told = error.to_string();
    assert!(told.starts_with("damaged.estoc: "), "{told}");
    assert!(!told.contains(char::is_control), "{told:?}");
    told
}

/// Asks all questions of a tree that was accepted: it must answer as brute force over its own
/// triangles does, and every lookup must succeed or return nothing. Returns the number of hits.
fn ask(file: &TreeFile, seed: u64, rays: usize) -> usize {
    let bvh = file.bvh();
    let count = bvh.triangle_count();
    let triangle = |i| bvh.triangle(PrimId::from_index(i).unwrap()).unwrap();
    let held: Vec<Triangle> = (0..count).map(triangle).collect();
    let mesh = file.mesh().unwrap();
    assert!(mesh.triangles().eq(held.iter().copied()));
    let brute = BruteForce::new(held);
    let brute = match bvh.masks() {
        Some(masks) => brute.with_masks(masks.clone()),
        None => brute,
    };
    let half = QueryOptions::new().mask(2);
    let mut hits = 0;
    for ray in RaySampler::new(&mesh, seed).take(rays) {
        let expected = brute.all_hits(&ray);
        assert_eq!(bvh.all_hits(&ray), expected, "{ray:?}");
        assert_eq!(bvh.closest_hit(&ray), expected.first().copied(), "{ray:?}");
        assert_eq!(bvh.any_hit(&ray), !expected.is_empty(), "{ray:?}");
        assert_eq!(bvh.count_hits(&ray), expected.len(), "{ray:?}");
        let seen = bvh.ask_with(All, &ray, &half);
        assert_eq!(seen, brute.ask_with(All, &ray, &half), "{ray:?}");
        hits += expected.len();
        for hit in expected {
            let (ours, theirs) = (file.details(&hit), mesh.details(&hit));
            assert_eq!(ours.is_some(), theirs.is_some(), "{hit:?}");
        }
    }
    for prim in (0..=count).map(|prim| PrimId::from_index(prim).unwrap()) {
        let material = file.material_of(prim);
        let names = (file.object_of(prim), file.group_of(prim), material);
        assert!(prim.index() < count || names == (None, None, None));
        // Without a saved mesh the file knows no faces, and each triangle of the mesh is one.
        let face = mesh.face_of(prim).filter(|_| file.facts().faces.is_some());
        assert_eq!(file.face_of(prim), face, "{prim}");
        assert_eq!(file.line_of(prim), mesh.line_of(prim), "{prim}");
    }
    let _ = bvh.stats();
    // Refits rely on the order of nodes, too.
    let mut moved = bvh.clone();
    moved.refit(&mesh).unwrap();
    assert_eq!(moved.validate(), Ok(()));
    hits
}

#[test]
fn every_length_but_its_own_is_refused() {
    for bytes in samples() {
        for len in 0..bytes.len() {
            let error = read(&bytes[..len]).unwrap_err();
            let cut_off = matches!(error, TreeFileError::Truncated { .. });
            assert!(cut_off || len == 0, "{len}: {error}");
            told(&error);
        }
        let longer = [&bytes[..], b"\n"].concat();
        let error = read(&longer).unwrap_err();
        assert!(matches!(error, TreeFileError::TooLong { .. }), "{error}");
        assert!(read(&bytes).is_ok());
    }
}

/// Any byte changed in any way: checksums cover all bytes, gaps too.
#[test]
fn every_changed_byte_is_found() {
    for (sample, sound) in samples().into_iter().enumerate() {
        let mut bytes = sound.clone();
        for at in 0..bytes.len() {
            for change in [1, 2, 4, 8, 16, 32, 64, 128, 0xff] {
                bytes[at] ^= change;
                match read(&bytes) {
                    Ok(_) => panic!("{sample}: byte {at} changed by {change:#x}"),
                    Err(error) => drop(told(&error)),
                }
                // Without checksums, the change is found or harmless.
                let loader = TreeLoader::new().checksums(false);
                if let Ok(file) = loader.read(&bytes, "damaged.estoc") {
                    ask(&file, 1, 9);
                }
                bytes[at] = sound[at];
            }
        }
    }
}

#[test]
fn swapped_blocks_are_found() {
    let mut bytes = bytes_of(&scene("soup?n=60000"), Layout::Fast);
    let leaves = section(&bytes, 2);
    let (first, second) = (leaves.start, leaves.start + (1 << 20));
    let block = bytes[first..second].to_vec();
    bytes.copy_within(second..second + (1 << 20), first);
    put(&mut bytes, second, &block);
    let error = read(&bytes).unwrap_err();
    match error {
        TreeFileError::Damaged {
            section: TreeSection::Leaves,
            from,
            to,
            ..
        } => assert_eq!([from, to], [first as u64, second as u64]),
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_no_tree_file_is_told_apart() {
    let is_other = |bytes: &[u8]| {
        let error = read(bytes).unwrap_err();
        let is_other = matches!(error, TreeFileError::NotATreeFile { .. });
        assert!(is_other, "{error}");
        error
    };
    let mesh = "v 0 0 0\nf 1 1 1\n";
    for text in [mesh, "ply\nformat", "PK\x03\x04", "\u{0089}ESTOC", "E"] {
        let error = is_other(text.as_bytes());
        assert!(told(&error).contains("load it as a mesh"));
        assert!(!TreeFile::is_tree_file(text.as_bytes()));
    }
    // An empty file could have any format.
    let error = read(b"").unwrap_err();
    let is_empty = matches!(error, TreeFileError::Truncated { length: 0, .. });
    assert!(is_empty, "{error}");
    // A transfer in text mode.
    let text = small(Layout::Fast);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    is_other(&lines.join(&b"\r\n"[..]));
}

#[test]
fn other_versions_and_byte_orders_are_refused_first() {
    let mut newer = small(Layout::Fast);
    put(&mut newer, 12, &5_u32.to_le_bytes());
    // Whatever else a later version changes.
    newer[200..].fill(0xee);
    let error = read(&newer).unwrap_err();
    let TreeFileError::Version { version, known, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((version, known), (5, 4));
    assert!(told(&error).contains("update estoc"));

    let mut other = small(Layout::Fast);
    for at in (8..128).step_by(4) {
        other[at..at + 4].reverse();
    }
    let error = read(&other).unwrap_err();
    assert!(matches!(error, TreeFileError::ByteOrder { .. }), "{error}");
    told(&error);
}

/// Headers with impossible values and a valid checksum.
#[test]
fn headers_that_lie_are_refused() {
    let lie = |at: usize, bytes: &[u8]| {
        let mut file = small(Layout::Compact);
        put(&mut file, at, bytes);
        seal(&mut file);
        let error = read(&file).expect_err(&format!("{bytes:?} at {at}"));
        told(&error);
        error
    };
    for at in (128..128 + 24 * 9).step_by(24) {
        for value in [1_u64, 64, 1 << 40, u64::MAX, u64::MAX - 63] {
            for field in [8, 16] {
                lie(at + field, &value.to_le_bytes());
            }
        }
    }
    for triangles in [0_u64, 1, 3, u64::MAX, u64::from(u32::MAX), 1 << 60] {
        lie(32, &triangles.to_le_bytes());
    }
    for faces in [0_u64, 1, 1 << 62, u64::MAX] {
        lie(48, &faces.to_le_bytes());
    }
    for value in [127, -127] {
        lie(96, &i32::to_le_bytes(value));
    }
    let counts: [(usize, &[u32]); 7] = [
        (100, &[0, 1, 3]),
        (104, &[4]),
        (108, &[4]),
        (112, &[0, 65, u32::MAX]),
        (116, &[4]),
        (120, &[0]),
        (124, &[1]),
    ];
    for (at, values) in counts {
        values
            .iter()
            .for_each(|value| drop(lie(at, &value.to_le_bytes())));
    }
    for bound in [f32::NAN, f32::INFINITY, 7.0, -0.5] {
        lie(72, &bound.to_le_bytes());
    }
    // An invalid cost, with the flag that says that there is one.
    let mut file = small(Layout::Fast);
    put(&mut file, 116, &3_u32.to_le_bytes());
    put(&mut file, 64, &f64::NAN.to_le_bytes());
    seal(&mut file);
    assert!(told(&read(&file).unwrap_err()).contains("cost"));
}

/// A scale at which the mesh vanishes, with valid boxes and checksums.
#[test]
fn units_that_lose_what_the_mesh_has_are_refused() {
    let corners = (1..7).flat_map(|z| {
        let z = z as f32;
        [[0.0, 0.0, z], [1e-8, 0.0, z], [0.0, 1e-8, z]]
    });
    let faces = (0..6).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners.collect::<Vec<_>>(), faces).unwrap();
    let mut file = bytes_of(&mesh, Layout::Compact);
    let [up, down] = [2_f32.powi(-126), 2_f32.powi(126)];
    put(&mut file, 96, &(-126_i32).to_le_bytes());
    let float =
        |file: &[u8], at: usize| f32::from_le_bytes(std::array::from_fn(|byte| file[at + byte]));
    for at in (72..96).step_by(4) {
        let x = float(&file, at) * up * down;
        put(&mut file, at, &x.to_le_bytes());
    }
    // Eight low and eight high faces for each axis.
    let nodes = section(&file, 1);
    for (place, at) in nodes.step_by(4).enumerate() {
        let x = float(&file, at);
        if place % 64 < 48 && x.is_finite() {
            let mut x = x * up;
            let wider = [f32::next_down, f32::next_up][place / 8 % 2];
            for _ in 0..4 {
                x = wider(x);
            }
            put(&mut file, at, &x.to_le_bytes());
        }
    }
    seal(&mut file);
    assert!(told(&read(&file).unwrap_err()).contains("has an invalid corner"));
}

/// Removes each section, and clears each.
#[test]
fn sections_that_are_not_there_are_missed() {
    for (layout, kinds) in [
        (Layout::Fast, &[1, 2, 5][..]),
        (Layout::Compact, &[1, 2, 3, 4, 5]),
    ] {
        for &kind in kinds {
            let mut file = small(layout);
            let entries = (0..16).map(|place| 128 + 24 * place);
            let entry = { entries }.find(|at| file[*at..at + 4] == [kind, 0, 0, 0]);
            put(&mut file, entry.unwrap(), &1234_u32.to_le_bytes());
            seal(&mut file);
            let error = read(&file).unwrap_err();
            told(&error);
            // No nodes counts as too few nodes.
            let missing = matches!(error, TreeFileError::Missing { .. });
            assert!(missing || [1, 3].contains(&kind), "{kind}: {error}");
        }
    }
}

/// Returns a place that is likely to break something, or else any place.
fn place_in(file: &[u8], parts: &[Part], rng: &mut Rng) -> usize {
    match rng.below(6) {
        0 => rng.below(128 + 24 * parts.len()),
        1 => rng.below(file.len()),
        _ => {
            let part = &parts[rng.below(parts.len() - 1)].bytes;
            match part.is_empty() {
                true => rng.below(file.len()),
                false => part.start + rng.below(part.len()),
            }
        }
    }
}

fn damage(file: &mut Vec<u8>, rng: &mut Rng) {
    let parts = parts(file);
    for _ in 0..rng.pick(&[1, 1, 1, 2, 3]) {
        let at = place_in(file, &parts, rng);
        match rng.below(8) {
            0..4 => file[at] ^= 1 << rng.below(8),
            4 => file[at] = rng.below(256) as u8,
            5 => {
                let other = place_in(file, &parts, rng);
                file.swap(at, other);
            }
            // A whole number.
            6 if at / 4 * 4 + 4 <= file.len() => {
                const INFINITY: u32 = 0x7f80_0000;
                const NAN: u32 = 0x7fc0_0000;
                let numbers = [0, 1, 2, 8, 0xff, 1 << 30, 1 << 31, INFINITY, NAN];
                put(file, at / 4 * 4, &rng.pick(&numbers).to_le_bytes());
            }
            _ if at / 8 * 8 + 8 <= file.len() => {
                let from = rng.below(file.len() / 8) * 8;
                let number = u64_at(file, from).wrapping_add(rng.below(3) as u64);
                put(file, at / 8 * 8, &number.wrapping_sub(1).to_le_bytes());
            }
            _ => {}
        }
    }
    if rng.one_in(20) {
        let len = rng.below(file.len());
        file.truncate(len.max(128 + 24 * 16));
    }
}

/// Damage with valid checksums: it is found by the structural checks, or the tree still answers
/// correctly.
#[test]
fn damage_under_a_new_seal_is_found_or_does_no_harm() {
    const SEED: u64 = 3;
    let rounds = if Effort::is_long() { 100_000 } else { 400 };
    let scaled = Mesh::try_new(
        scene("soup?n=40").positions().iter().map(|p| *p * 1e-30),
        scene("soup?n=40").indices().iter().copied(),
    );
    let masks = Masks::from_runs([(90, 1), (90, 7), (90, 2)]);
    let meshes = [
        ("flag", flag(), None),
        ("solids", scene("solids?n=60"), None),
        ("soup", scene("soup?n=300"), None),
        ("one", scene("soup?n=1"), None),
        ("small", scaled.unwrap(), None),
        ("masked", scene("soup?n=300"), Some(masks)),
    ];
    let [mut found, mut harmless, mut hits] = [0; 3];
    for (name, mesh, masks) in &meshes {
        for layout in Layout::ALL {
            let sound = bytes_with_masks(mesh, layout, masks.clone());
            let mut rng = Rng::named(SEED, &format!("{name} {layout}"));
            for round in 0..rounds {
                let mut file = sound.clone();
                damage(&mut file, &mut rng);
                seal(&mut file);
                match read(&file) {
                    Err(error) => {
                        told(&error);
                        found += 1;
                    }
                    Ok(file) => {
                        harmless += 1;
                        hits += ask(&file, round, 9);
                    }
                }
            }
        }
    }
    println!("{found} found, {harmless} harmless, with {hits} hits");
    let all = found + harmless;
    assert!(found > all / 4, "{found} {harmless}");
    assert!(harmless > all / 20 && hits > harmless, "{harmless} {hits}");
}
