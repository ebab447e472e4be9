//! A mesh in map coordinates, loaded in a local frame and placed by its origin.

use crate::common::{bvh_of, placed, scene_of, world_of};
use estoc_core::glam::{DAffine3, DQuat, DVec3, Vec3};
use estoc_core::{Ray64, RayQuery, Triangle};
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshLoader};
use estoc_scene::{Placement, PlacementMatrix, Scene};
use estoc_testkit::conformance::{Effort, Report, check_placements_of};
use estoc_testkit::generate::{CaseObject, CasePlacement, PlacementCase, Rng};
use std::fmt::Write;
use std::sync::Arc;

const CELLS: usize = 8;

/// A terrain of CELLS by CELLS quads as text with three decimals, in metres.
fn terrain(rng: &mut Rng) -> String {
    let mut text = String::new();
    for row in 0..=CELLS {
        for column in 0..=CELLS {
            let [east, north] =
                [column, row].map(|i| 12_500 * i as i64 + i64::from(rng.int(0, 3_000)));
            let (east, north) = (500_123_456 + east, 5_200_987_654 + north);
            let height = 830_000 + i64::from(rng.int(-9_000, 9_000));
            let metres = |x: i64| format!("{}.{:03}", x / 1000, x % 1000);
            writeln!(
                text,
                "v {} {} {}",
                metres(east),
                metres(north),
                metres(height)
            )
            .unwrap();
        }
    }
    for (row, column) in (0..CELLS).flat_map(|row| (0..CELLS).map(move |column| (row, column))) {
        let corner = |r: usize, c: usize| (row + r) * (CELLS + 1) + column + c + 1;
        writeln!(text, "f {} {} {}", corner(0, 0), corner(0, 1), corner(1, 1)).unwrap();
        writeln!(text, "f {} {} {}", corner(0, 0), corner(1, 1), corner(1, 0)).unwrap();
    }
    text
}

/// Points beside the faces of a block far from 0, by less than `f32` distinguishes there, are on their sides.
#[test]
fn points_in_map_coordinates_are_inside_exactly() {
    let (low, high) = (
        [502_345.125, 5_201_234.75, 310.25],
        [502_355.125, 5_201_244.75, 313.25],
    );
    let corner = |at: usize| [0, 1, 2].map(|axis| [low, high][at >> (2 - axis) & 1][axis]);
    let quads: [[u32; 4]; 6] = [
        [0, 1, 3, 2],
        [4, 6, 7, 5],
        [0, 4, 5, 1],
        [2, 3, 7, 6],
        [0, 2, 6, 4],
        [1, 5, 7, 3],
    ];
    let corners: Vec<DVec3> = (0..8).map(corner).map(DVec3::from).collect();
    let faces = quads.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let (frame, bad_faces) = (LocalFrame::Auto, BadFaces::Reject);
    let mesh = Mesh::in_local_frame(&corners, faces.as_flattened(), frame, bad_faces).unwrap();
    assert_ne!(mesh.origin(), DVec3::ZERO);
    let to_origin = DAffine3::from_translation(mesh.origin());
    let placed = placed(Arc::new(estoc_bvh::Bvh::build(&mesh)), &to_origin);
    let map = world_of([placed]);
    let middle: DVec3 = (DVec3::from(low) + DVec3::from(high)) * 0.5;
    for axis in 0..3 {
        for (face, outward) in [(low[axis], -1e-9), (high[axis], 1e-9)] {
            let beside = |apart: f64| {
                let mut point = middle;
                point[axis] = face + apart;
                map.contains_64(point)
            };
            assert_ne!(face + outward, face);
            assert_eq!(
                [outward, 0.0, -outward].map(beside),
                [false, true, true].map(Some)
            );
        }
    }
    assert_eq!(map.contains_64([f64::NAN, 0.0, 0.0]), Some(false));
    assert_eq!(
        map.contains(middle.as_vec3()),
        map.contains_64(middle.as_vec3().as_dvec3())
    );
}

/// Hits of rays in `f64` are those of the corners plus the origin, to the last bit, and no ray from above
/// slips through.
#[test]
fn terrain_in_map_coordinates_is_hit_exactly() {
    let seeds = if Effort::is_long() { 40 } else { 1 };
    let rays = if Effort::is_long() { 3_000 } else { 90 };
    let mut report = Report::default();
    for seed in 0..seeds {
        let mut rng = Rng::new(seed);
        let text = terrain(&mut rng);
        let loader = MeshLoader::new().local_frame(LocalFrame::Auto);
        let mesh = loader.read(text.as_bytes(), "terrain.obj").unwrap();
        let origin = mesh.origin();
        assert!(origin.x > 5e5 && origin.y > 5.2e6, "{origin}");
        let row = |axis: usize| {
            let mut row = [0.0, 0.0, 0.0, origin[axis]];
            row[axis] = 1.0;
            row
        };
        let case = PlacementCase {
            kind: "far",
            seed,
            meshes: vec![mesh.triangles().collect()],
            masks: vec![None],
            wide: vec![None],
            shapes: Vec::new(),
            scenes: vec![vec![CasePlacement {
                object: CaseObject::Mesh(0),
                rows: [row(0), row(1), row(2)],
                mask: u32::MAX,
                reversed: false,
            }]],
        };
        let world = scene_of(&case);
        check_placements_of(&*world, &case, rays, &mut report);

        // The same scene, as a user makes it.
        let mut scene = Scene::new();
        let bvh = Arc::new(estoc_bvh::Bvh::build(&mesh));
        let matrix = PlacementMatrix::from_rows([row(0), row(1), row(2)]).unwrap();
        scene
            .add(Placement::with_matrix(bvh.clone(), matrix))
            .unwrap();
        let map = scene.commit();
        let middle = mesh.to_world((bvh.bounds().min() + bvh.bounds().max()) * 0.5);
        for _ in 0..rays * 4 {
            let aside = DVec3::new(f64::from(rng.signed()), f64::from(rng.signed()), 0.0);
            let from = middle + aside * 40.0 + DVec3::new(0.0, 0.0, 100.0);
            let ray = Ray64::new(from, [0.0, 0.0, -1.0]);
            let hit = map.closest_hit(&ray).expect("the terrain is below");
            assert_eq!(map.count_crossings(&ray), 1);
            assert_eq!(Some(hit), world.closest_hit(&ray));
            let details = map.details(&hit).expect("a hit of this scene");
            let off = (details.world_point - ray.at(hit.t)).abs();
            assert!(off.max_element() < 1e-5 && details.normal.z > 0.0, "{off}");
            // Where the local ray is exact too, the mesh alone gives the same answer.
            let local = estoc_core::Ray::new(mesh.from_world(from), Vec3::NEG_Z);
            if mesh.to_world(local.origin) == from {
                let alone = bvh.closest_hit(&local).expect("below");
                assert_eq!(hit.hit(), alone);
            }
        }
    }
    println!("{report}");
    assert!(report.rays_that_hit * 4 > report.rays);
}

/// Bounds between two `f32`s: a segment that ends just before its target sees it, and one that begins just
/// behind it is blocked by nothing.
#[test]
fn bounds_are_not_rounded() {
    let sheet = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let sheet = Arc::new(bvh_of(&[sheet]));
    for (x, turn) in [(0.0, 0.0), (1e6, 0.0), (-3e3, 0.7)] {
        let turn = DQuat::from_rotation_y(turn);
        let map = DAffine3::from_rotation_translation(turn, DVec3::new(x, 0.0, 0.0));
        let world = world_of([placed(sheet.clone(), &map)]);
        let target = map.transform_point3(DVec3::new(0.25, 0.25, 0.0));
        let eye = map.transform_point3(DVec3::new(0.5, 0.25, 3.0));
        let whole = Ray64::between(eye, target);
        let near = 1e-9;
        for (from, to, is_blocked) in [
            (0.0, 1.0 - near, false),
            (0.0, 1.0 + near, true),
            (1.0 - near, 2.0, true),
            (1.0 + near, 2.0, false),
            (1.0 - near, 1.0 + near, true),
        ] {
            let ray = whole.with_interval(from, to);
            let hit = world.closest_hit(&ray);
            assert_eq!(world.any_hit(&ray), is_blocked, "{x} {from} {to}");
            assert_eq!(hit.map(|hit| hit.t), is_blocked.then_some(1.0));
            assert_eq!(world.count_crossings(&ray), usize::from(is_blocked));
        }
    }
}
