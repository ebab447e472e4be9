//! Tree files of trees in `f64` that are truncated, damaged or crafted. `ESTOC_LONG=1` tries more of them.

use super::tree_file_f64::{assert_same_answers, build, bytes_of, flag};
use crate::common::tree_bytes::{put, seal, section, u32_at, u64_at};
use estoc_bvh::{Bvh, Layout, TreeFile, TreeFileError, TreeLoader};
use estoc_core::Triangle64;
use estoc_core::glam::DVec3;
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{Rng, doubles};

const NODES: u32 = 1;
const POSITIONS: u32 = 3;
const INDICES: u32 = 4;
const CORNERS: u32 = 13;
const SLOTS: u32 = 14;
const FRAME: u32 = 15;
/// Offsets in the section of the frame.
const ERROR: usize = 24;
const BOUNDS: usize = 32;
const EXPONENT: usize = 80;
const HAVE_AREA: usize = 84;
/// The offset of the box in a header.
const BOX: usize = 72;

fn read(bytes: &[u8]) -> Result<TreeFile<f64>, TreeFileError> {
    TreeLoader::new().read_f64(bytes, "damaged.estoc")
}

/// Checks what every error guarantees, and returns its message.
#[track_caller]
fn told(error: &TreeFileError) -> String {
    let told = error.to_string();
    assert!(told.starts_with("damaged.estoc: "), "{told}");
    assert!(!told.contains(char::is_control), "{told:?}");
    let ways_out = ["`estoc build`", "load it as a mesh", "update estoc"];
    assert!(ways_out.iter().any(|way| told.contains(way)), "{told}");
    told
}

fn f64_at(file: &[u8], at: usize) -> f64 {
    f64::from_bits(u64_at(file, at))
}

fn f32_at(file: &[u8], at: usize) -> f32 {
    f32::from_bits(u32_at(file, at))
}

/// Asks a tree that was accepted: it must answer as one that is built of its triangles. Returns the number of hits.
fn ask(file: &TreeFile<f64>, seed: u64, name: &str) -> usize {
    let mesh = file.mesh().unwrap();
    let (positions, indices) = (mesh.positions().to_vec(), mesh.indices().to_vec());
    let fresh = Mesh::from_f64(positions, indices).expect("finite corners");
    let own = file.facts();
    assert_eq!(own.bounds, fresh.bounds(), "{name}");
    assert_eq!(
        mesh.report().degenerate.count(),
        fresh.report().degenerate.count()
    );
    let masks = file.bvh().clone();
    let fresh = Bvh::build(&fresh).with_masks(estoc_core::Engine::masks(&masks).cloned());
    assert_eq!(file.bvh().validate(), Ok(()), "{name}");
    let _ = file.bvh().stats();
    let mut moved = file.bvh().clone();
    moved.refit(&mesh).unwrap();
    assert_eq!(moved.validate(), Ok(()));
    assert_same_answers(&fresh, file.bvh(), seed, name)
}

#[test]
fn every_length_but_its_own_is_refused() {
    for layout in Layout::ALL {
        let bytes = bytes_of(&build(&flag(), layout), &flag());
        for len in 0..bytes.len() {
            let error = read(&bytes[..len]).unwrap_err();
            assert!(
                matches!(error, TreeFileError::Truncated { .. }),
                "{len}: {error}"
            );
            told(&error);
        }
        let error = read(&[&bytes[..], b"\n"].concat()).unwrap_err();
        assert!(matches!(error, TreeFileError::TooLong { .. }), "{error}");
    }
}

#[test]
fn every_changed_byte_is_found() {
    for layout in Layout::ALL {
        let sound = bytes_of(&build(&flag(), layout), &flag());
        let mut bytes = sound.clone();
        for at in 0..bytes.len() {
            for change in [4, 0xff] {
                bytes[at] ^= change;
                match read(&bytes) {
                    Ok(_) => panic!("{layout}: byte {at} changed by {change:#x}"),
                    Err(error) => drop(told(&error)),
                }
                // Without checksums, the change is found or harmless.
                let loader = TreeLoader::new().checksums(false);
                if let Ok(file) = loader.read_f64(&bytes, "damaged.estoc") {
                    ask(&file, 1, &format!("{layout} {at} {change}"));
                }
                bytes[at] = sound[at];
            }
        }
    }
}

/// Returns what is told about a file that is changed and sealed again.
fn forged(layout: Layout, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut file = bytes_of(&build(&flag(), layout), &flag());
    change(&mut file);
    seal(&mut file);
    match read(&file) {
        Ok(_) => panic!("accepted"),
        Err(error) => told(&error),
    }
}

#[test]
fn frames_that_lie_are_refused() {
    for layout in Layout::ALL {
        let number = |at: usize, change: &dyn Fn(f64) -> f64| {
            forged(layout, |file| {
                let at = section(file, FRAME).start + at;
                let number = change(f64_at(file, at));
                put(file, at, &number.to_le_bytes());
            })
        };
        let integer = |at: usize, value: i32| {
            forged(layout, |file| {
                let at = section(file, FRAME).start + at;
                put(file, at, &value.to_le_bytes());
            })
        };
        let errors: [&dyn Fn(f64) -> f64; 7] = [
            &|_| 0.0,
            &f64::next_down,
            &f64::next_up,
            &|_| 1e9,
            &|_| f64::NAN,
            &|_| f64::INFINITY,
            &|x| -x,
        ];
        for change in errors {
            let told = number(ERROR, change);
            assert!(
                told.contains("\"frame\"") && told.contains("the error is"),
                "{told}"
            );
        }
        for place in 0..6 {
            for change in [f64::next_up, f64::next_down, |_| f64::NAN, |_| -1e300] {
                let told = number(BOUNDS + 8 * place, &change);
                assert!(told.contains("the bounds are"), "{told}");
            }
        }
        for value in [f64::NAN, f64::INFINITY] {
            let told = number(8, &|_| value);
            assert!(told.contains("no frame has the origin"), "{told}");
        }
        for value in [0.0, 1e300, -5.2e6] {
            let told = number(0, &|_| value);
            assert!(told.contains("the error is"), "{told}");
        }
        for value in [i32::MIN, -1015, 1001, i32::MAX] {
            let told = integer(EXPONENT, value);
            assert!(told.contains("the exponent"), "{told}");
        }
        for value in [-1014, -1, 1, 1000] {
            integer(EXPONENT, value);
        }
        assert!(integer(HAVE_AREA, 0).contains("the flag of areas is 0"));
        assert!(integer(HAVE_AREA, 2).contains("a flag is 2 instead of 0 or 1"));
    }
}

#[test]
fn triangles_that_are_not_the_same_everywhere_are_refused() {
    for layout in Layout::ALL {
        let swapped = forged(layout, |file| {
            let start = section(file, SLOTS).start;
            (0..12).for_each(|byte| file.swap(start + byte, start + 12 + byte));
        });
        assert!(
            swapped.contains("slot 0 of the tree has another triangle"),
            "{swapped}"
        );
        for kind in [INDICES, SLOTS] {
            for index in [0_u32, 4, 5, u32::MAX] {
                forged(layout, |file| {
                    let at = section(file, kind).start + 4;
                    put(file, at, &index.to_le_bytes());
                });
            }
        }
        let coordinates = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for number in coordinates {
            let told = forged(layout, |file| {
                let at = section(file, CORNERS).start + 24 + 16;
                put(file, at, &number.to_le_bytes());
            });
            assert!(told.contains("which is not finite"), "{told}");
        }
        // Corners, and positions in the frame, that have been moved a little or far.
        for far in [1e-9, 1e-3, 1e300] {
            forged(layout, |file| {
                let at = section(file, CORNERS).start + 24;
                let number = f64_at(file, at) + far;
                put(file, at, &number.to_le_bytes());
            });
        }
        for number in [1.25, 1e30, f32::NAN] {
            forged(layout, |file| {
                let at = section(file, POSITIONS).start + 12;
                put(file, at, &number.to_le_bytes());
            });
        }
    }
}

/// Multiplies a tree by a power of two, the frame's own unit included.
fn rescaled(bytes: &[u8], exponent: i32) -> Vec<u8> {
    let mut file = bytes.to_vec();
    let up = 2_f32.powi(exponent);
    let faces = section(&file, NODES).step_by(4).enumerate();
    // Eight low and eight high faces for each axis, then what is no number.
    let faces = faces.filter(|(place, _)| place % 64 < 48).map(|(_, at)| at);
    let positions = section(&file, POSITIONS).step_by(4);
    for at in faces.chain(positions).chain((BOX..BOX + 24).step_by(4)) {
        let number = f32_at(&file, at) * up;
        put(&mut file, at, &number.to_le_bytes());
    }
    let frame = section(&file, FRAME).start;
    let error = f64_at(&file, frame + ERROR) * f64::from(up);
    put(&mut file, frame + ERROR, &error.to_le_bytes());
    let own = u32_at(&file, frame + EXPONENT) as i32;
    put(&mut file, frame + EXPONENT, &(own + exponent).to_le_bytes());
    seal(&mut file);
    file
}

/// A frame of another program is as good, if kernels can rely on it.
#[test]
fn other_frames_are_taken_where_kernels_are_certain() {
    let bvh = build(&flag(), Layout::Compact);
    let sound = bytes_of(&bvh, &flag());
    for exponent in [0, 5, -9] {
        let file = read(&rescaled(&sound, exponent)).unwrap();
        let hits = assert_same_answers(&bvh, file.bvh(), 4, "another frame");
        assert!(hits > 0);
    }
    for exponent in [40, -90] {
        let error = read(&rescaled(&sound, exponent)).unwrap_err();
        let told = told(&error);
        assert!(told.contains("does not fit") || exponent < 0, "{told}");
    }
}

fn damage(file: &mut [u8], rng: &mut Rng) {
    let kind = rng.pick(&[NODES, 2, POSITIONS, INDICES, 5, 6, CORNERS, SLOTS, FRAME, 0]);
    let range = match kind {
        0 => 0..file.len(),
        kind => section(file, kind),
    };
    for _ in 0..rng.pick(&[1, 1, 2]) {
        let at = range.start + rng.below(range.len());
        match rng.below(4) {
            0 | 1 => file[at] ^= 1 << rng.below(8),
            2 => {
                let other = range.start + rng.below(range.len());
                file.swap(at, other);
            }
            _ => {
                let at = (at / 8 * 8).min(file.len() - 8);
                let numbers = [0.0, -0.0, 1.0, f64::NAN, f64::INFINITY, 5e-324, 1e300];
                put(file, at, &rng.pick(&numbers).to_le_bytes());
            }
        }
    }
}

/// Damage with valid checksums: it is found by the structural checks, or the tree still answers correctly.
#[test]
fn damage_under_a_new_seal_is_found_or_does_no_harm() {
    let rounds = if Effort::is_long() { 5_000 } else { 100 };
    let random = |kind: &str| {
        let mut triangles = doubles(kind, &mut Rng::named(1, kind));
        triangles.retain(Triangle64::is_finite);
        let corners: Vec<DVec3> = triangles.iter().flat_map(Triangle64::corners).collect();
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        Mesh::from_f64(corners, faces).unwrap()
    };
    let [mut found, mut harmless, mut hits] = [0; 3];
    for kind in [
        "flag",
        "usual",
        "map",
        "last bits",
        "tiny or huge",
        "any bits",
    ] {
        let mesh = if kind == "flag" { flag() } else { random(kind) };
        for layout in Layout::ALL {
            let sound = bytes_of(&build(&mesh, layout), &mesh);
            let mut rng = Rng::named(8, &format!("{kind} {layout}"));
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
                        hits += ask(&file, round, &format!("{kind} {layout} {round}"));
                    }
                }
            }
        }
    }
    println!("{found} found, {harmless} harmless, with {hits} hits");
    assert!(
        found > harmless && harmless > 20 && hits > harmless,
        "{found} {harmless} {hits}"
    );
}
