//! Tree files of versions 1 to 3, kept as they were written before there were trees in `f64`. They load with the
//! answers that they had, and are written again with the same bytes.

use crate::common::tree_bytes::{CHECKSUMS, parts};
use estoc_bvh::{Bvh, Layout, Quality, TreeFile, TreeFileError, TreeLoader, TreeWriter};
use estoc_core::glam::DVec3;
use estoc_core::{Count, Engine, Masks, PrimId, QueryOptions, Ray, RayQuery};
use estoc_mesh::{LocalFrame, Mesh, MeshLoader};
use std::fs;
use std::path::PathBuf;

/// The mesh of all files: a box of 12 triangles, and a roof of 6.
const HOUSE: &str = "o box\ng walls\nusemtl stone\nv 0 0 0\nv 4 0 0\nv 4 3 0\nv 0 3 0\nv 0 0 2\nv 4 0 2\n\
    v 4 3 2\nv 0 3 2\nf 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\no roof\nusemtl tile\n\
    v 0.1 1.5 3.3\nv 3.9 1.5 3.3\nf 5 6 10 9\nf 7 8 9 10\nf 8 5 9\nf 6 7 10\n";

/// Where the mesh of version 3 is: all coordinates of the file are relative to it.
const PLACE: DVec3 = DVec3::new(500_000.0, 5_200_000.0, 0.0);

/// The triangle that each [ray](ray) hits first, and the bits of t, u and v, when the files were written.
const HITS: [(u32, [u32; 3]); 12] = [
    (13, [0x40d4_d5f6, 0x3e76_72a8, 0x3ce2_e8b3]),
    (13, [0x40cf_40f1, 0x3e84_b83c, 0x3e12_c726]),
    (13, [0x40c9_abec, 0x3e8f_a027, 0x3e83_2f97]),
    (13, [0x40c4_16e7, 0x3e9b_f117, 0x3ebb_9298]),
    (13, [0x40be_81e2, 0x3ea9_ab0a, 0x3ef2_8c93]),
    (13, [0x40b8_ecdd, 0x3eb8_ce02, 0x3f14_0ec6]),
    (15, [0x40b9_bbda, 0x3f1c_1beb, 0x3e9e_c021]),
    (15, [0x40bf_d255, 0x3f15_b451, 0x3e41_4425]),
    (15, [0x40c5_e8cf, 0x3f10_1194, 0x3d83_e921]),
    (14, [0x40cb_ff49, 0x3d74_d6ec, 0x3ef6_302a]),
    (14, [0x40d2_15c3, 0x3e3b_ffd4, 0x3eab_42ea]),
    (14, [0x40d8_2c3e, 0x3e9e_db03, 0x3e40_ab48]),
];

fn ray(number: u8) -> Ray {
    let i = f32::from(number);
    let origin = [0.3 * i + 0.11, 0.21 * i + 0.07, 9.0];
    Ray::new(origin, [0.125 - 0.03 * i, 0.05, -1.0])
}

/// A file as it was written: its name and what is known of it.
struct Known {
    name: &'static str,
    version: u32,
    layout: Layout,
    quality: Quality,
    has_masks: bool,
    origin: DVec3,
    mesh_hash: u64,
}

const FILES: [Known; 4] = [
    Known {
        name: "version-1-fast.estoc",
        version: 1,
        layout: Layout::Fast,
        quality: Quality::Best,
        has_masks: false,
        origin: DVec3::ZERO,
        mesh_hash: 0x083f_f789_148a_8d41,
    },
    Known {
        name: "version-1-compact.estoc",
        version: 1,
        layout: Layout::Compact,
        quality: Quality::Balanced,
        has_masks: false,
        origin: DVec3::ZERO,
        mesh_hash: 0x083f_f789_148a_8d41,
    },
    Known {
        name: "version-2.estoc",
        version: 2,
        layout: Layout::Fast,
        quality: Quality::Balanced,
        has_masks: true,
        origin: DVec3::ZERO,
        mesh_hash: 0x083f_f789_148a_8d41,
    },
    Known {
        name: "version-3.estoc",
        version: 3,
        layout: Layout::Compact,
        quality: Quality::Fast,
        has_masks: true,
        origin: PLACE,
        mesh_hash: 0x13f0_e6c5_b6fc_3cef,
    },
];

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// Returns the mesh that was saved.
fn house(origin: DVec3) -> Mesh {
    let place = |line: &str| {
        let Some(corner) = line.strip_prefix("v ") else {
            return format!("{line}\n");
        };
        let numbers: Vec<f64> = { corner.split(' ') }.map(|x| x.parse().unwrap()).collect();
        let placed = DVec3::from_slice(&numbers) + origin;
        format!("v {} {} {}\n", placed.x, placed.y, placed.z)
    };
    let text: String = HOUSE.lines().map(place).collect();
    let loader = MeshLoader::new().local_frame(LocalFrame::At(origin));
    loader.read(text.as_bytes(), "house.obj").unwrap()
}

#[allow(unsafe_code, reason = "mapping is what is tested")]
fn map(name: &str) -> TreeFile {
    // SAFETY: no test writes to this folder.
    unsafe { TreeFile::map(path(name)) }.unwrap()
}

fn assert_is_known(file: &TreeFile, known: &Known) {
    let name = known.name;
    let facts = file.facts();
    assert_eq!(facts.version, known.version, "{name}");
    assert_eq!(facts.layout, known.layout, "{name}");
    assert_eq!(facts.quality, Some(known.quality), "{name}");
    assert_eq!(
        (facts.triangles, facts.origin),
        (18, known.origin),
        "{name}"
    );
    assert_eq!(
        (facts.vertices, facts.faces),
        (Some(10), Some(10)),
        "{name}"
    );
    assert_eq!(facts.mesh_hash, Some(known.mesh_hash), "{name}");
    assert_eq!(facts.source.as_deref(), Some("house.obj"), "{name}");
    assert!(facts.writer.starts_with("estoc "), "{name}");
    let bvh = file.bvh();
    assert_eq!(bvh.validate(), Ok(()), "{name}");
    for (number, (prim, bits)) in (0..).zip(HITS) {
        let ray = ray(number);
        let hit = bvh.closest_hit(&ray).unwrap();
        let found = [hit.t, hit.u, hit.v].map(f32::to_bits);
        assert_eq!((hit.prim.get(), found), (prim, bits), "{name} {number}");
        assert_eq!(bvh.count_hits(&ray), 3, "{name} {number}");
        // The roof alone, or the box alone, where there are masks.
        let seen = |mask| {
            let options = QueryOptions::new().mask(mask);
            bvh.ask_with(Count, &ray, &options).unwrap()
        };
        let expected = if known.has_masks {
            [2, 1, 3, 0]
        } else {
            [3; 4]
        };
        assert_eq!(
            [seen(1), seen(2), seen(3), seen(4)],
            expected,
            "{name} {number}"
        );
    }
    for (prim, object, material) in [(11, "box", "stone"), (12, "roof", "tile")] {
        let prim = PrimId::new(prim).unwrap();
        assert_eq!(file.object_of(prim), Some(object), "{name}");
        assert_eq!(file.group_of(prim), Some("walls"), "{name}");
        let own = file.material_of(prim).map(|material| &*material.name);
        assert_eq!(own, Some(material), "{name}");
    }
    assert_eq!(file.line_of(PrimId::new(0).unwrap()), Some(12), "{name}");
}

#[test]
fn files_of_earlier_versions_load_with_their_answers() {
    for known in FILES {
        let read = TreeFile::load(path(known.name)).unwrap();
        for file in [read, map(known.name)] {
            assert_is_known(&file, &known);
        }
        let bytes = fs::read(path(known.name)).unwrap();
        assert!(TreeFile::is_tree_file(&bytes) && !TreeFile::is_f64(&bytes));
        let error = Bvh::load_f64(path(known.name)).unwrap_err();
        assert!(matches!(error, TreeFileError::Precision { .. }), "{error}");
    }
}

#[test]
fn they_are_written_again_with_the_same_bytes() {
    const TEXT: u32 = 5;
    for known in FILES {
        let name = known.name;
        let before = fs::read(path(name)).unwrap();
        let file = TreeFile::load(path(name)).unwrap();
        let mesh = house(known.origin);
        let builder = Bvh::builder().layout(known.layout).quality(known.quality);
        let masks = known.has_masks.then(|| Masks::from_runs([(12, 1), (6, 2)]));
        let built = builder.build(&mesh).unwrap().with_masks(masks);
        assert_eq!(built.masks(), file.bvh().masks(), "{name}");
        for bvh in [file.bvh(), &built] {
            let mut after = Vec::new();
            let writer = TreeWriter::new(bvh).mesh(&mesh).source("house.obj");
            writer.write_to(&mut after, name).unwrap();
            // All sections but the one that names the writer and its version.
            let sections = |bytes: &[u8]| -> Vec<(u32, Vec<u8>)> {
                let own = parts(bytes).into_iter();
                own.filter(|part| ![TEXT, CHECKSUMS].contains(&part.kind))
                    .map(|part| (part.kind, bytes[part.bytes].to_vec()))
                    .collect()
            };
            assert!(sections(&after) == sections(&before), "{name}");
            // The version, and all numbers behind the checksum.
            assert_eq!(after[..16], before[..16], "{name}");
            assert_eq!(after[32..128], before[32..128], "{name}");
        }
    }
}

#[test]
fn damaged_ones_are_refused_with_the_way_out() {
    for known in FILES {
        let sound = fs::read(path(known.name)).unwrap();
        for at in (0..sound.len()).step_by(7) {
            let mut bytes = sound.clone();
            bytes[at] ^= 0x10;
            let error = TreeLoader::new().read(&bytes, known.name).unwrap_err();
            let told = error.to_string();
            let way_out = ["`estoc build`", "load it as a mesh", "update estoc"];
            assert!(way_out.iter().any(|way| told.contains(way)), "{told}");
        }
    }
}
