//! Meshes in `f64`: what users reported about coordinates far from 0, and many items at once.

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::DVec3;
use estoc::query::{All, Any, Closest, ClosestPointWithin, Contains, Count, CountCrossings, Masks};
use estoc::scene::Ray64;
use estoc::{Bvh, Mesh, PointQuery, QueryOptions, RayQuery};

/// Returns a mesh that is scaled and then moved, in `f64`.
fn placed(spec: &str, scale: f64, offset: DVec3) -> Mesh<f64> {
    let mesh = spec.parse::<DemoSpec>().expect("a demo").mesh();
    let corners = mesh.positions().iter();
    let corners = corners.map(|p| p.as_dvec3() * scale + offset);
    Mesh::from_f64(corners, mesh.indices()).expect("finite corners")
}

fn direction(random: &mut SplitMix64) -> DVec3 {
    random.direction().into()
}

/// <https://github.com/mikedh/trimesh/issues/48>: the rate of rays that hit again the surface that they leave, by the
/// scale and the offset of a sphere.
#[test]
fn no_ray_that_leaves_a_surface_hits_it_again_at_any_scale_and_offset() {
    let mut random = SplitMix64::new(48);
    for scale in [1e4, 1.0, 1e-2, 1e-4, 1e-6] {
        for offset in [0.0, 1e2, 5e5, 5e6] {
            let centre = DVec3::new(offset, -offset, offset / 7.0);
            let tree = Bvh::build(&placed("sphere?n=500", scale, centre));
            let mut left = 0;
            for _ in 0..200 {
                let dir = direction(&mut random);
                let ray = Ray64::new(centre - dir * (4.0 * scale), dir);
                assert_eq!(tree.ask(CountCrossings, &ray), 2, "{scale} {offset}");
                let Some(hit) = tree.ask(Closest, &ray) else {
                    panic!("{scale} {offset}: {ray:?} hits nothing");
                };
                // Away from edges, where the rounded point may lie behind the neighbour.
                if hit.u.min(hit.v).min(1.0 - hit.u - hit.v) < 0.05 {
                    continue;
                }
                let point = ray.origin + hit.t * ray.dir;
                let back = Ray64::new(point, -ray.dir);
                let skip = QueryOptions::new().skip(Some(hit.prim));
                let again = tree.ask_with(Any, &back, &skip).expect("no `after`");
                assert!(!again, "{scale} {offset}: {back:?}");
                left += 1;
            }
            assert!(left > 100, "{scale} {offset}: {left}");
        }
    }
}

/// A house on a map, from <https://github.com/isl-org/Open3D/issues/6525>: in `f32` its walls are off by up to a
/// quarter of a metre.
#[test]
fn a_wall_on_a_map_is_where_it_is() {
    let (low, high) = (
        [502_345.125, 5_201_234.751, 310.25],
        [502_355.125, 5_201_244.751, 313.25],
    );
    let corner = |bits: usize| [0, 1, 2].map(|axis| [low, high][bits >> axis & 1][axis]);
    let faces = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
    ];
    let tree = Bvh::build(&Mesh::from_f64((0..8).map(corner), faces).unwrap());
    for (y, distance) in [(5_201_234.6, 0.151), (5_201_234.7, 0.051)] {
        let outside = DVec3::new(502_350.0, y, 311.0);
        let hit = tree.ask(Closest, &Ray64::new(outside, DVec3::Y)).unwrap();
        // The difference of two such numbers is one.
        assert_eq!(hit.t, low[1] - y);
        assert!((hit.t - distance).abs() < 1e-9);
        assert_eq!(tree.distance(outside), Some(hit.t));
        assert_eq!(tree.ask(Contains, &outside), Some(false));
    }
    let inside = DVec3::new(502_350.0, 5_201_234.76, 311.0);
    assert_eq!(tree.ask(Contains, &inside), Some(true));
    let on_wall = inside.with_y(low[1]);
    assert_eq!(tree.ask(Contains, &on_wall), Some(true));
    assert_eq!(
        tree.ask(Contains, &inside.with_y(low[1].next_down())),
        Some(false)
    );
}

#[cfg(feature = "batch")]
#[test]
fn many_items_have_the_answers_of_single_calls() {
    use estoc::Batch;
    let centre = DVec3::new(5e5, 5.2e6, 300.0);
    let tree = Bvh::build(&placed("hall", 1.0, centre));
    let mut random = SplitMix64::new(51);
    let [low, high] = tree.bounds();
    let mut point = || {
        let share = direction(&mut random) * 0.6 + 0.5;
        low + (high - low) * share
    };
    let rays: Vec<Ray64> = (0..3_000)
        .map(|_| {
            let from = point();
            Ray64::new(from, point() - from)
        })
        .collect();
    let points: Vec<DVec3> = (0..500).map(|_| point()).collect();
    let first: Vec<_> = rays.iter().map(|ray| tree.ask(Closest, ray)).collect();
    assert!(first.iter().flatten().count() > 1_000);
    let narrow: Vec<_> = rays.iter().map(Ray64::to_ray).collect();
    let of_narrow: Vec<_> = narrow.iter().map(|ray| tree.closest_hit(ray)).collect();
    let counts: Vec<_> = rays.iter().map(|ray| tree.ask(Count, ray)).collect();
    let near: Vec<_> = points
        .iter()
        .map(|&point| tree.closest_point(point))
        .collect();
    for threads in [1, 3] {
        let batch = Batch::new().threads(threads);
        assert_eq!(batch.ask(&tree, Closest, &rays).unwrap(), first);
        assert_eq!(batch.ask(&tree, Closest, &narrow).unwrap(), of_narrow);
        assert_eq!(batch.ask(&tree, Count, &rays).unwrap(), counts);
        let all = batch.ask(&tree, All, &rays).unwrap();
        let numbers: Vec<_> = all.rows().map(<[_]>::len).collect();
        assert_eq!(numbers, counts);
        let found = batch.ask(&tree, ClosestPointWithin::default(), &points);
        assert_eq!(found.unwrap(), near);
    }
}

#[test]
fn masks_and_refits_are_those_of_any_tree() {
    let mesh = placed("sphere?n=300", 1.0, DVec3::splat(1e6));
    let mut tree = Bvh::build(&mesh);
    let ray = Ray64::new([1e6, 1e6, 1e6 - 9.0], DVec3::Z);
    let hit = tree.ask(Closest, &ray).expect("the sphere");
    assert_eq!(tree.triangle(hit.prim), mesh.triangle(hit.prim));
    // Hides the triangle that is hit first.
    let index = hit.prim.index();
    let masks = Masks::from_runs([(index, 1), (1, 2), (mesh.triangle_count() - index - 1, 1)]);
    let masked = tree.clone().with_masks(masks);
    let seen = QueryOptions::new().mask(1);
    let next = masked.ask_with(Closest, &ray, &seen).unwrap();
    assert_ne!(next.map(|hit| hit.prim), Some(hit.prim));
    assert_eq!(masked.ask(Closest, &ray), Some(hit));

    let moved = placed("sphere?n=300", 2.0, DVec3::splat(-3e6));
    tree.refit(&moved).expect("as many triangles");
    assert_eq!(tree.validate(), Ok(()));
    let built = Bvh::build(&moved);
    let mut random = SplitMix64::new(9);
    for _ in 0..300 {
        let dir = direction(&mut random);
        let ray = Ray64::new(DVec3::splat(-3e6) - dir * 5.0, dir);
        assert_eq!(tree.ask(All, &ray), built.ask(All, &ray));
        assert_eq!(tree.ask(Closest, &ray), built.ask(Closest, &ray));
    }
    assert_eq!(tree.bounds(), moved.bounds());
}
