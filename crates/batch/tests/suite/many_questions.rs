//! M3: the many random rays and points of Open3D's tests of its batches (test_cast_lots_of_rays,
//! test_test_lots_of_occlusions, test_count_lots_of_intersections, test_list_lots_of_intersections,
//! test_compute_lots_of_closest_points). `ESTOC_LONG=1` asks as many as there; otherwise a hundredth.

use estoc_batch::Batch;
use estoc_bvh::Bvh;
use estoc_core::{Crossings, Ray};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use estoc_testkit::tables::Rng;

fn count(long: usize) -> usize {
    if Effort::is_long() { long } else { long / 100 }
}

fn sheet() -> Bvh {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
    Bvh::build(&Mesh::try_new(corners, [[0, 1, 2]]).unwrap())
}

fn unit_box() -> Bvh {
    let corner = |i: usize| [0, 1, 2].map(|axis| (i >> axis & 1) as f32);
    let quads = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let faces = quads.map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Bvh::build(&Mesh::try_new((0..8).map(corner), faces.as_flattened().to_vec()).unwrap())
}

/// Returns rays whose six numbers are between 0 and 1.
fn rays(n: usize) -> Vec<Ray> {
    let mut rng = Rng::new(123);
    let ray = |_| Ray::new(rng.vec(0.0, 1.0), rng.vec(0.0, 1.0));
    (0..n).map(ray).collect()
}

#[test]
fn many_rays_are_cast() {
    let (tree, mut rays) = (sheet(), rays(count(7_654_321)));
    for ray in rays.iter_mut().skip(1).step_by(2) {
        ray.dir.z = -ray.dir.z;
    }
    let batch = Batch::new();
    let hits = batch.closest_hits(&tree, &rays).unwrap();
    let any = batch.any_hits(&tree, &rays).unwrap();
    assert_eq!((hits.len(), any.len()), (rays.len(), rays.len()));
    // Half go up from the sheet or from above it, half go down.
    for ((hit, any), ray) in hits.iter().zip(any).zip(&rays) {
        assert_eq!(hit.is_some(), any);
        if ray.dir.z > 0.0 {
            assert!(!any || ray.origin.z == 0.0, "{ray:?}");
            continue;
        }
        // Where it meets the plane, far enough from the edges for rounded numbers.
        let at = ray.origin - ray.dir * (ray.origin.z / ray.dir.z);
        let inner = at.y.min(at.x - at.y).min(1.0 - at.x);
        assert!(any == (inner > 0.0) || inner.abs() < 1e-4, "{ray:?}");
    }
    let found = hits.iter().flatten().count();
    assert!(found * 20 > rays.len(), "{found}");
}

/// Every ray starts in the box and leaves it once.
#[test]
fn many_counts_are_the_lengths_of_lists() {
    let (tree, rays) = (unit_box(), rays(count(1_234_567)));
    let batch = Batch::new();
    let counts = batch.count_crossings(&tree, &rays).unwrap();
    let lists = batch.ask(&tree, Crossings, &rays).unwrap();
    assert_eq!((counts.len(), lists.len()), (rays.len(), rays.len()));
    assert_eq!(counts.iter().sum::<usize>(), lists.values.len());
    for ((count, list), ray) in counts.into_iter().zip(lists.rows()).zip(&rays) {
        assert_eq!(count, list.len(), "{ray:?}");
        let is_inside = ray.origin.min_element() > 0.0;
        assert!(count == 1 || !is_inside, "{ray:?}");
    }
}

/// The nearest point of a right triangle, in closed form.
#[test]
fn many_closest_points_are_found() {
    let tree = sheet();
    let mut rng = Rng::new(123);
    let points: Vec<[f32; 3]> = (0..count(1_234_567)).map(|_| rng.vec(0.0, 1.0)).collect();
    let found = Batch::new().closest_points(&tree, &points).unwrap();
    assert_eq!(found.len(), points.len());
    for (&[x, y, z], found) in points.iter().zip(found) {
        let found = found.expect("a triangle with area");
        // On it or over it where y <= x, else nearest to its slanted edge.
        let aside = (f64::from(y) - f64::from(x)).max(0.0) / 2f64.sqrt();
        let want = aside.hypot(f64::from(z)) as f32;
        assert!((found.distance - want).abs() <= 1e-7, "{x} {y} {z}");
        assert_eq!(found.prim.get(), 0);
        assert!(found.point.z == 0.0 && found.point.y <= found.point.x);
    }
}
