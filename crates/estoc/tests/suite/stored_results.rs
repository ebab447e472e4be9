//! Meshes, trees and answers have stored hashes, which hold with the feature `rayon` and without:
//! `cargo test -p estoc --no-default-features --test suite` tests the latter.

use estoc::demo::{DemoSpec, RaySampler};
use estoc::io::TreeWriter;
use estoc::{Bvh, Hit, Mesh, Quality, RayQuery};

const QUALITIES: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// What is stored for a scene.
#[derive(Debug, PartialEq)]
struct Stored {
    scene: &'static str,
    /// The mesh, read from OBJ text.
    mesh: u64,
    /// The tree files of the qualities, without the version of the program that wrote them.
    trees: [u64; 3],
    /// The tree file of the first tree, refitted to the mesh with its axes rotated.
    refitted: u64,
    /// The answers, which no quality changes.
    answers: u64,
}

const STORED: [Stored; 10] = [
    Stored {
        scene: "sphere?n=20000",
        mesh: 0x09f6_ccc4_7734_71cf,
        trees: [
            0xb558_fd05_08f2_eb50,
            0xbe75_aaf7_f2cb_e8a4,
            0x62b1_52dc_a2e4_f714,
        ],
        refitted: 0x5a47_90f6_e759_62fe,
        answers: 0xa154_9b9a_2f97_6de7,
    },
    Stored {
        scene: "terrain?n=30000",
        mesh: 0xf379_faa7_39dc_4cd0,
        trees: [
            0xd304_b373_63dc_ecc5,
            0x25bd_ce44_409c_56d4,
            0xd20f_e2d3_d380_bbbf,
        ],
        refitted: 0xfc41_2535_3586_cb9c,
        answers: 0x8578_aad8_4047_fd43,
    },
    Stored {
        scene: "hall?n=20000",
        mesh: 0xf205_ba34_e7ba_77a2,
        trees: [
            0x2360_45f2_9c3d_f704,
            0xeed2_61c6_69ef_144b,
            0xe322_e38e_f5db_b7a6,
        ],
        refitted: 0x63ad_4139_11ef_d347,
        answers: 0xbb5f_c0c0_98b8_4d11,
    },
    Stored {
        scene: "solids?n=5000",
        mesh: 0xaa70_5df4_c262_c40e,
        trees: [
            0x158b_aaa5_e8a5_15c3,
            0x3d5b_bad9_6d0e_1643,
            0xccd8_334d_ccce_476f,
        ],
        refitted: 0x13f8_d6db_b630_f2e7,
        answers: 0x8b9d_68c9_ed76_8c69,
    },
    Stored {
        scene: "soup?n=70000",
        mesh: 0xabd9_253a_418b_64b2,
        trees: [
            0xad18_8b35_35e3_13b5,
            0xe4df_ed22_2cfc_eb0e,
            0x535d_a6ce_8e68_282f,
        ],
        refitted: 0x71fe_49ac_179b_0c7b,
        answers: 0x4197_6cb6_1b53_6a9b,
    },
    Stored {
        scene: "teapot?n=20000",
        mesh: 0x62bc_d4c2_150b_7160,
        trees: [
            0x7036_007b_dfa1_9237,
            0x68d1_efb2_f01c_d1b4,
            0xfa3a_2b4f_b4c5_7e85,
        ],
        refitted: 0x8734_eef2_e25c_aefa,
        answers: 0x5de5_6bb2_ef6f_7ebc,
    },
    Stored {
        scene: "gallery?n=20000",
        mesh: 0x4b43_34ee_97e1_dffe,
        trees: [
            0xc626_f7b9_e7f0_5325,
            0x1819_f00f_99d8_24c0,
            0xba1e_0de4_02b9_c88d,
        ],
        refitted: 0x27cb_e3ac_cac3_8859,
        answers: 0x9b09_a5b9_eabc_e381,
    },
    Stored {
        scene: "mountains?n=10000",
        mesh: 0x3f5b_39cb_d44e_0c19,
        trees: [
            0xacb1_b835_0757_a95d,
            0xa467_87e4_c1ac_e0be,
            0xb99d_23c8_78f5_30cf,
        ],
        refitted: 0xa82b_ff4d_e29a_4885,
        answers: 0x6344_bae2_393f_a412,
    },
    Stored {
        scene: "specks?n=10000",
        mesh: 0x65fa_d76d_4bc5_5e4e,
        trees: [
            0xe0e2_977b_4e7c_8441,
            0x5fb9_16ee_581d_7182,
            0x30f9_3b89_7c6e_6323,
        ],
        refitted: 0x1738_9f6f_cf16_fcdd,
        answers: 0x8892_4849_5b4f_2f2a,
    },
    Stored {
        scene: "hairball?n=20000",
        mesh: 0x3d14_ca52_dd82_6371,
        trees: [
            0xae81_fcd5_ebc6_cb4b,
            0x7d6c_dba6_7498_dd9e,
            0x0c10_100a_7272_356d,
        ],
        refitted: 0x9ec9_0318_3a65_8cef,
        answers: 0x2859_e64a_fb63_1ade,
    },
];

/// An FNV-1a hash.
struct Hash(u64);

impl Hash {
    fn new() -> Self {
        Hash(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn add_hit(&mut self, hit: &Hit) {
        self.add(&hit.prim.get().to_le_bytes());
        for number in [hit.t, hit.u, hit.v] {
            self.add(&number.to_bits().to_le_bytes());
        }
    }
}

/// Returns the hash of all sections of a tree file except those that depend on the version of
/// estoc: text and checksums.
fn hash_of_tree(bvh: &Bvh, mesh: &Mesh) -> u64 {
    const TEXT: u32 = 5;
    const CHECKSUMS: u32 = 0xffff;
    let mut file = Vec::new();
    TreeWriter::new(bvh)
        .mesh(mesh)
        .write_to(&mut file, "memory")
        .unwrap();
    let number = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let count = number(112) as u32;
    let mut hash = Hash::new();
    for entry in (0..count as usize).map(|i| 128 + 24 * i) {
        let (kind, start, length) = (number(entry) as u32, number(entry + 8), number(entry + 16));
        if kind != TEXT && kind != CHECKSUMS {
            hash.add(&kind.to_le_bytes());
            hash.add(&file[start..start + length]);
        }
    }
    hash.0
}

/// Returns the hash of answers to the rays that are hardest for trees, and of the details of hits.
fn hash_of_answers(bvh: &Bvh, mesh: &Mesh) -> u64 {
    let mut hash = Hash::new();
    // More than one thread looks up at a time.
    let rays = RaySampler::new(mesh, 16).take(4500);
    let closest: Vec<Option<Hit>> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    let details = mesh.details_of_many(&closest);
    assert!(closest.iter().flatten().count() > 1000);
    for (i, hit) in closest.iter().enumerate() {
        hash.add(&[u8::from(hit.is_some())]);
        if let Some(hit) = hit {
            hash.add_hit(hit);
        }
        hash.add(&details.face[i].to_le_bytes());
        for number in details.point[i] {
            hash.add(&number.to_bits().to_le_bytes());
        }
    }
    for ray in &rays[..450] {
        for hit in bvh.all_hits(ray) {
            hash.add_hit(&hit);
        }
        hash.add(&(bvh.count_crossings(ray) as u64).to_le_bytes());
        hash.add(&[bvh.contains(ray.origin).map_or(2, u8::from)]);
    }
    hash.0
}

fn results(scene: &'static str) -> Stored {
    let mesh = scene.parse::<DemoSpec>().unwrap().mesh();
    let bvhs = QUALITIES.map(|quality| Bvh::builder().quality(quality).build(&mesh).unwrap());
    let answers = bvhs.each_ref().map(|bvh| hash_of_answers(bvh, &mesh));
    assert_eq!(answers, [answers[0]; 3], "{scene}");
    assert_eq!(bvhs[0].validate(), Ok(()), "{scene}");
    let rotated = mesh.positions().iter().map(|p| [p.y, p.z, p.x]);
    let rotated = Mesh::try_new(rotated, mesh.indices().iter().copied()).unwrap();
    let trees = bvhs.each_ref().map(|bvh| hash_of_tree(bvh, &mesh));
    let [mut refitted, ..] = bvhs;
    refitted.refit(&rotated).unwrap();
    Stored {
        scene,
        mesh: mesh.content_hash(),
        trees,
        refitted: hash_of_tree(&refitted, &rotated),
        answers: answers[0],
    }
}

/// Without rayon it is every third scene: that test program is not optimised.
const STEP: usize = if cfg!(feature = "rayon") { 1 } else { 3 };

#[test]
fn meshes_trees_and_answers_are_those_stored() {
    // At the same time: without optimisation and without rayon each takes seconds.
    let found = std::thread::scope(|scope| {
        let scenes = STORED.iter().step_by(STEP).map(|stored| stored.scene);
        // WebAssembly has no threads.
        if cfg!(target_family = "wasm") {
            return scenes.map(results).collect();
        }
        let all: Vec<_> = scenes
            .map(|scene| scope.spawn(move || results(scene)))
            .collect();
        all.into_iter()
            .map(|one| one.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(found.iter().eq(STORED.iter().step_by(STEP)), "{found:#x?}");
}

/// Threads would call from their own pool.
#[cfg(not(feature = "rayon"))]
#[test]
fn without_rayon_the_calling_thread_builds() {
    let mesh = "soup?n=30000".parse::<DemoSpec>().unwrap().mesh();
    let caller = std::thread::current().id();
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let progress = |_| {
        assert_eq!(std::thread::current().id(), caller);
        calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    let builder = Bvh::builder().threads(3).progress(&progress);
    builder.build(&mesh).unwrap();
    assert!(calls.into_inner() > 1);
}
