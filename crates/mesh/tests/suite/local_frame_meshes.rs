//! What a mesh in a local frame keeps and tells, and how its origin is chosen.

use crate::common::read;
use estoc_core::glam::{DVec3, Mat4, Vec3};
use estoc_core::{BruteForce, Progress, Ray, RayQuery};
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshError, MeshLoader};
use std::fs;
use std::sync::Mutex;

/// A square of 16 units far from 0, above a vertex that nothing uses.
const SQUARE: &[u8] =
    b"o square\nv 0 0 0\nv 5200000.125 -700000.5 3.25\nv 5200016.125 -700000.5 3.25\n\
    v 5200016.125 -699984.5 3.25\nv 5200000.125 -699984.5 3.25\nf 2 3 4 5\n";

fn load(frame: LocalFrame) -> Mesh {
    let loader = MeshLoader::new().local_frame(frame);
    loader.read(SQUARE, "square.obj").unwrap()
}

fn at(x: f64, y: f64, z: f64) -> LocalFrame {
    LocalFrame::At(DVec3::new(x, y, z))
}

#[test]
fn an_origin_depends_on_the_file_alone() {
    let mesh = load(LocalFrame::Auto);
    // Of the corners that are used. A size of 16 gives multiples of 1; -699992.5 and 5200008.125 are
    // in the middle.
    assert_eq!(mesh.origin(), DVec3::new(5_200_008.0, -699_992.0, 3.0));
    assert_eq!(mesh.positions()[1], [-7.875, -8.5, 0.25].into());
    let loader = MeshLoader::new().local_frame(LocalFrame::Auto);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("square.obj");
    fs::write(&path, SQUARE).unwrap();
    let skipping = loader.clone().bad_faces(BadFaces::Skip);
    let bare = loader.clone().attributes(false);
    let others = [
        loader.load(&path).unwrap(),
        loader.read_from(SQUARE, "square.obj").unwrap(),
        skipping.load(&path).unwrap(),
        bare.read(SQUARE, "a").unwrap(),
    ];
    for other in &others {
        assert_eq!(other.origin(), mesh.origin());
        assert_eq!(other.content_hash(), mesh.content_hash());
    }
    let again = load(LocalFrame::At(mesh.origin()));
    assert_eq!(again.positions(), mesh.positions());
    let limited = loader.clone().max_input(20).read_from(SQUARE, "square.obj");
    assert!(matches!(
        limited,
        Err(MeshError::TooLarge { limit: 20, .. })
    ));
    let near = b"v 0 0 0\nv 1.1 0 0\nv 1 2.1 0\nf 1 2 3\n";
    let near = [
        loader.read(near, "near.obj"),
        MeshLoader::new().read(near, "near.obj"),
    ];
    let [framed, plain] = near.map(Result::unwrap);
    assert_eq!(framed.origin(), DVec3::ZERO);
    assert_eq!(framed.positions(), plain.positions());
    let empty = loader.read(b"v 5200000 1 1\n", "empty.obj").unwrap();
    assert_eq!(empty.origin(), DVec3::ZERO);
}

#[test]
fn progress_goes_on_while_a_file_is_read_again() {
    let seen = Mutex::new(Vec::new());
    let progress = |now: Progress| seen.lock().unwrap().push(now);
    let loader = MeshLoader::new().local_frame(LocalFrame::Auto);
    let loader = loader.progress(&progress);
    loader.read(SQUARE, "square.obj").unwrap();
    let seen = seen.into_inner().unwrap();
    let total = 2 * SQUARE.len() as u64;
    assert!(seen.is_sorted_by_key(|now| now.done));
    assert_eq!(seen.last(), Some(&Progress::new(total, total)));
}

#[test]
fn points_are_converted_and_rounded_once() {
    let mesh = load(at(5_200_000.0, -700_000.0, 0.1));
    let found = mesh.to_world([1.5, -2.5, 0.0]);
    assert_eq!(found, DVec3::new(5_200_001.5, -700_002.5, 0.1));
    let found = mesh.from_world(DVec3::new(5_200_001.5, -700_002.5, 0.1));
    assert_eq!(found, [1.5, -2.5, 0.0].into());
    // A tie of two f32s, one unit in the last place of an f64 beside it, and numbers without one.
    let tie = 5_200_000.0 + 1.0 + f64::from(f32::EPSILON) / 2.0;
    let of = |x: f64| mesh.from_world(DVec3::new(x, 0.0, 0.0)).x;
    assert_eq!(of(tie), 1.0);
    assert_eq!(of(tie.next_up()), 1.0 + f32::EPSILON);
    assert_eq!(of(1e300), f32::INFINITY);
    assert!(of(f64::NAN).is_nan());
    assert_eq!(mesh.to_world([f32::NAN, 0.0, 0.0]).y, -700_000.0);
}

#[test]
fn details_tell_the_place_in_the_file() {
    let mesh = load(at(5_200_000.0, -700_000.0, 0.0));
    let engine = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    let hit = engine
        .closest_hit(&Ray::new([4.125, 3.5, 9.0], [0.0, 0.0, -1.0]))
        .unwrap();
    let details = mesh.details(&hit).unwrap();
    assert_eq!(details.point, [4.125, 3.5, 3.25].into());
    let found = details.world_point;
    assert_eq!(found, DVec3::new(5_200_004.125, -699_996.5, 3.25));
    let plain = MeshLoader::new().read(SQUARE, "square.obj").unwrap();
    let engine = BruteForce::new(plain.triangles().collect::<Vec<_>>());
    let hit = engine.closest_hit(&Ray::new([5_200_004.0, -699_996.0, 9.0], [0.0, 0.0, -1.0]));
    let details = plain.details(&hit.unwrap()).unwrap();
    assert_eq!(details.world_point.as_vec3(), details.point);
}

#[test]
fn changed_meshes_keep_their_origin() {
    let mesh = load(at(5_200_000.0, -700_000.0, 0.0));
    assert_eq!(mesh.clone().origin(), mesh.origin());
    let moved = mesh
        .transformed(&Mat4::from_translation(Vec3::new(0.0, 0.0, 1.0)))
        .unwrap();
    assert_eq!(moved.origin(), mesh.origin());
    assert_eq!(moved.positions()[1], [0.125, -0.5, 4.25].into());
    let mut joined = mesh.clone();
    joined.append(&moved).unwrap();
    let found = (joined.origin(), joined.triangle_count());
    assert_eq!(found, (mesh.origin(), 4));
    let other = load(LocalFrame::Auto);
    let before = joined.content_hash();
    let error = joined.append(&other).unwrap_err();
    assert!(matches!(error, MeshError::OriginsDiffer { .. }) && !error.can_skip());
    assert_eq!(
        error.to_string(),
        "mesh: the meshes have the origins [5200000, -700000, 0] and [5200008, -699992, 3]; \
         load both with the same MeshLoader::local_frame(LocalFrame::At(origin))"
    );
    assert_eq!(joined.content_hash(), before);
}

#[test]
fn meshes_at_different_origins_have_different_hashes() {
    let mesh = Mesh::try_new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let text = b"v 512 0 0\nv 513 0 0\nv 512 1 0\nf 1 2 3\n";
    let load = |frame| crate::common::decimals::load(text, "a.obj", frame);
    let shifted = load(at(512.0, 0.0, 0.0));
    assert_eq!(shifted.positions(), mesh.positions());
    assert_ne!(shifted.content_hash(), mesh.content_hash());
    let other = load(at(0.0, 0.0, 512.0));
    assert_ne!(other.content_hash(), shifted.content_hash());
}

#[test]
fn a_survey_counts_corners_that_became_equal() {
    // Half a unit apart in f32: the first two become equal, as do the two of the same decimal; the
    // last one is not used.
    let text =
        b"v 5200000.1 0 0\nv 5200000.2 0 0\nv 5200000.20 0 0\nv 5200008 0 0\nv 5200000 9 0\n\
        v 5200000 9.5 0\nv 5200000.3 0 0\nf 1 4 5\nf 2 4 5\nf 3 4 6\n";
    let loader = MeshLoader::new().survey_rounding(true);
    let loss = loader.read(text, "a.obj").unwrap().report().rounding;
    assert_eq!(loss.merged_corners, Some(1));
    let bounds = [[5_200_000.0, 0.0, 0.0], [5_200_008.0, 9.5, 0.0]];
    assert_eq!(loss.bounds_in_file, Some(bounds));
    assert!((loss.largest_movement - 0.2).abs() < 1e-9);
    let local = loader.clone().local_frame(at(5_200_000.0, 0.0, 0.0));
    let local = local.read(text, "a.obj").unwrap().report().rounding;
    let found = (local.merged_corners, local.bounds_in_file);
    assert_eq!(found, (Some(0), Some(bounds)));
    let unasked = read(text, "a.obj").unwrap().report().rounding;
    let found = (unasked.merged_corners, unasked.bounds_in_file);
    assert_eq!(found, (None, None));
    assert_eq!(unasked.largest_movement, loss.largest_movement);
    let off = b"OFF 4 2 0\n0.1 0 0\n0.10000000001 0 0\n1 0 0\n0 1 0\n3 0 2 3\n3 1 2 3\n";
    let loss = loader.read(off, "a.off").unwrap().report().rounding;
    assert_eq!(loss.merged_corners, Some(1));
    let none = loader.read(b"v 1e5 0.1 0\n", "a.obj").unwrap();
    let none = none.report().rounding;
    assert_eq!((none.merged_corners, none.bounds_in_file), (Some(0), None));
}
