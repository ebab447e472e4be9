//! Tiles of rays in `f64` at meshes in `f64` give the answers of single calls, also with rays in between that are
//! undefined, or that belong to no tile.

use crate::common::has_kernels;
use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::DVec3;
use estoc_core::{Any, Closest, QuerySlice, Ray64, RayQuery, Technique, Triangle};
use estoc_mesh::Mesh;
use estoc_testkit::generate::{Rng, scene};

const RAYS: usize = 700;

/// The kinds of rays, by where they start and end.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// At one point.
    Camera,
    /// At one point, once they are in the frame of a mesh that is far away.
    Close,
    /// In parallel.
    Parallel,
    /// Towards a lamp.
    Shadow,
}

/// Returns a mesh of a thousand triangles, scaled and then moved.
fn mesh(scale: f64, moved: DVec3) -> Mesh<f64> {
    let triangles = scene("sphere", 1).expect("a scene").triangles;
    let corners = triangles.iter().flat_map(Triangle::corners);
    let corners = corners.map(|p| p.as_dvec3() * scale + moved);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::from_f64(corners, faces).expect("finite corners")
}

fn rays(kind: Kind, rng: &mut Rng, scale: f64, moved: DVec3) -> Vec<Ray64> {
    let eye = DVec3::new(0.1, -0.2, -3.0);
    let mut ray = || {
        let aside = rng.point().as_dvec3() * 0.7;
        let (from, to) = match kind {
            Kind::Camera | Kind::Close => (eye, aside),
            Kind::Parallel => (eye + aside * 0.1, aside * 0.1),
            Kind::Shadow => (aside * 0.1 - DVec3::Z * 2.0, -eye),
        };
        let mut origin = from * scale + moved;
        if matches!(kind, Kind::Close) && rng.one_in(2) {
            origin.x = origin.x.next_up();
        }
        // The parameter is in units of the mesh.
        Ray64::new(origin, to - from).with_interval(0.0, rng.pick(&[f64::INFINITY, scale]))
    };
    (0..RAYS).map(|_| ray()).collect()
}

#[test]
fn tiles_in_f64_say_what_single_calls_say() {
    let mut rng = Rng::new(64);
    let places = [
        (1.0, DVec3::ZERO),
        (1.0, DVec3::new(5e5, 5.2e6, 300.0)),
        (2f64.powi(-990), DVec3::ZERO),
        (2f64.powi(900), DVec3::ZERO),
    ];
    for (scale, moved) in places {
        let mesh = mesh(scale, moved);
        let trees = Layout::ALL.map(|layout| Bvh::builder().layout(layout).build(&mesh).unwrap());
        for kind in [Kind::Camera, Kind::Close, Kind::Parallel, Kind::Shadow] {
            for share in [RAYS + 1, 40, 3] {
                let mut rays = rays(kind, &mut rng, scale, moved);
                for ray in &mut rays {
                    if share <= RAYS && rng.one_in(share) {
                        match rng.below(8) {
                            0 => ray.origin.y = f64::NAN,
                            1 => ray.dir = DVec3::ZERO,
                            2 => ray.t_max = f64::NAN,
                            // Equal, once they are in the frame.
                            3 => (ray.t_min, ray.t_max) = (1e9, 1e8),
                            4 => (ray.t_min, ray.t_max) = (1e-323, 5e-324),
                            // Defined, but not in the tile.
                            5 => ray.dir = -ray.dir,
                            6 => ray.t_min = -5e-324,
                            _ => ray.t_min = -10.0 * scale,
                        }
                    }
                }
                for level in SimdLevel::available() {
                    for tree in trees.clone().map(|tree| tree.with_simd_level(level)) {
                        let what = format!("{kind:?}, {scale:e}, {moved}, one of {share}, {level}");
                        check(&tree, &rays, share, &what);
                    }
                }
            }
        }
    }
}

fn check(tree: &Bvh<f64>, rays: &[Ray64], share: usize, what: &str) {
    let many = QuerySlice::new(rays).technique(Technique::Packets);
    let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
    let mut closest = vec![None; rays.len()];
    let counts = tree.ask_many(Closest, &many, &mut closest).unwrap();
    assert_eq!(counts.total(), defined, "{what}: {counts:?}");
    let mut any = vec![false; rays.len()];
    let of_any = tree.ask_many(Any, &many, &mut any).unwrap();
    assert_eq!(of_any.total(), defined, "{what}: {of_any:?}");
    if has_kernels(tree.simd_level()) && share >= 40 {
        let least = counts.packets.min(of_any.packets);
        assert!(least >= rays.len() / 2, "{what}: {counts:?} {of_any:?}");
    }
    let mut hits = 0;
    for (ray, (closest, any)) in rays.iter().zip(closest.iter().zip(any)) {
        assert_eq!(*closest, tree.ask(Closest, ray), "{what}: {ray:?}");
        assert_eq!(any, closest.is_some(), "{what}: {ray:?}");
        hits += usize::from(any);
    }
    assert!(hits > rays.len() / 4, "{what}: {hits}");
}
