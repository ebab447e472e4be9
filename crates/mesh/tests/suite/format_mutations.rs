//! Valid files with bytes changed, removed, doubled or cut off: nothing may panic, and meshes that
//! load satisfy their invariants. `ESTOC_LONG=1` runs a hundred times as many.

use crate::common::Rng;
use crate::common::written::Way;
use estoc_mesh::{BadFaces, FilePart, Mesh, MeshError, MeshLoader};
use estoc_testkit::conformance::Effort;

/// Returns a mesh with every kind of number, small enough that most changes matter.
fn seed() -> Mesh {
    let corners = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.5],
        [1.5, 2.25, -1.0e-3],
        [-3.0e7, 1.0, 0.125],
        [0.1, -0.2, 0.3],
    ];
    Mesh::try_new(corners, [[0, 1, 2], [0, 2, 3], [3, 4, 0], [4, 1, 0]]).unwrap()
}

fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    let mut below = |count: usize| rng.below(count as u64) as usize;
    for _ in 0..1 + below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = below(bytes.len());
        match below(7) {
            0 => bytes[at] ^= 1 << below(8),
            1 => bytes[at] = [0, 0xff, b'-', b'9', b'\n', b' ', b'"', b'{'][below(8)],
            2 => bytes.truncate(at),
            3 => bytes.insert(at, b"0919-.e \n\r\""[below(11)]),
            4 => drop(bytes.remove(at)),
            5 => {
                let end = (at + 1 + below(16)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(0xff);
            }
        }
    }
}

fn check(mesh: &Mesh) {
    let vertices = mesh.positions().len();
    for (corners, triangle) in mesh.indices().iter().zip(mesh.triangles()) {
        assert!(corners.iter().all(|&corner| (corner as usize) < vertices));
        assert!(triangle.is_finite());
    }
    for warning in mesh.report().warnings() {
        assert!(!warning.to_string().contains(char::is_control));
    }
}

#[test]
fn no_mutant_panics() {
    let rounds = if Effort::is_long() { 300_000 } else { 3_000 };
    let seed = seed();
    for way in Way::readable().filter(|&way| way != Way::Obj) {
        let sound = way.write(&seed);
        let mut rng = Rng::new(0x5eed + way as u64);
        let (mut loaded, mut refused) = (0, 0);
        for round in 0..rounds {
            let mut bytes = sound.clone();
            mutate(&mut bytes, &mut rng);
            let name = if round % 4 == 0 { "a" } else { way.name() };
            let outcome = |policy| {
                let bytes = &bytes;
                let result = std::panic::catch_unwind(move || {
                    let read = MeshLoader::new().bad_faces(policy).read(bytes, name);
                    read.inspect(check)
                });
                result.unwrap_or_else(|_| panic!("{way:?} round {round} {policy:?}: {bytes:?}"))
            };
            match (outcome(BadFaces::Reject), outcome(BadFaces::Skip)) {
                (Ok(strict), Ok(lenient)) => {
                    assert_eq!(strict.indices(), lenient.indices());
                    assert_eq!(strict.report().skipped_faces(), 0);
                    loaded += 1;
                }
                (Err(error), lenient) => {
                    let told = error.to_string();
                    assert!(!told.contains(char::is_control), "{told:?}");
                    // Later errors may hide behind one that can be skipped.
                    assert!(error.can_skip() || lenient.is_err(), "{told}");
                    if let (Ok(mesh), true) = (&lenient, error.can_skip()) {
                        assert!(!mesh.report().warnings().is_empty(), "{told}");
                    }
                    refused += 1;
                }
                (Ok(_), Err(error)) => panic!("{way:?} round {round}: {error} when skipping"),
            }
        }
        assert!(
            loaded > rounds / 50 && refused > rounds / 20,
            "{way:?}: {loaded}, {refused}"
        );
    }
}

/// Programs can match on the types of errors.
#[test]
fn errors_have_places() {
    let bytes = Way::PlyBig.write(&seed());
    let error = MeshLoader::new()
        .read(&bytes[..bytes.len() - 1], "a.ply")
        .unwrap_err();
    assert!(matches!(error, MeshError::Malformed { .. }));
    let at = error.location();
    assert_eq!((at.line, at.file.as_deref()), (None, Some("a.ply")));
    let place = FilePart::Byte(bytes.len() as u64 - 4);
    assert_eq!(at.part.as_deref(), Some(&place));
}
