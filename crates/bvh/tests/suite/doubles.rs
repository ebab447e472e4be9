//! Trees in `f64`, compared with an oracle in rationals. `ESTOC_LONG=1` asks about a million rays.

use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::DVec3;
use estoc_core::{Masks, MovingSphere64, Ray, Ray64, TechniqueCounts, Triangle64};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::{
    Effort, check_double_pairs, check_double_point, check_double_region, check_double_section,
    check_double_signs, check_double_sweep, check_doubles, check_many_doubles,
};
use estoc_testkit::generate::{
    DOUBLE_KINDS, Rng, double_plane, double_point, double_ray, double_region, double_sweep,
    double_tile, doubles,
};
use estoc_testkit::oracle::DoubleOracle;

/// Returns the mesh of triangles, which must be finite.
fn mesh_of(triangles: &[Triangle64]) -> Mesh<f64> {
    let corners: Vec<DVec3> = triangles.iter().flat_map(Triangle64::corners).collect();
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::from_f64(corners, faces).expect("finite corners")
}

/// Returns a tree in each layout, with the best instructions and without any.
fn trees_of(mesh: &Mesh<f64>) -> [Bvh<f64>; 3] {
    let of = |layout, level| {
        let builder = Bvh::builder().layout(layout).simd_level(level);
        builder.build(mesh).expect("enough memory")
    };
    [
        of(Layout::Fast, SimdLevel::best()),
        of(Layout::Compact, SimdLevel::best()),
        of(Layout::Fast, SimdLevel::Baseline),
    ]
}

/// Some triangles, the trees over them, and the oracle that knows their answers.
struct DoubleCase {
    /// The random numbers after those of the triangles, for the questions about them.
    rng: Rng,
    triangles: Vec<Triangle64>,
    trees: [Bvh<f64>; 3],
    oracle: DoubleOracle,
}

impl DoubleCase {
    /// Makes the triangles of a kind; with `has_inside`, the faces of a tetrahedron between corners of these.
    fn of(kind: &str, seed: u64, has_inside: bool) -> Self {
        let mut rng = Rng::named(seed, kind);
        let mut triangles = doubles(kind, &mut rng);
        triangles.retain(Triangle64::is_finite);
        if has_inside {
            triangles = tetrahedron(&triangles);
        }
        DoubleCase {
            rng,
            trees: trees_of(&mesh_of(&triangles)),
            oracle: DoubleOracle::new(triangles.clone()),
            triangles,
        }
    }

    /// Asks all trees about rays by every technique, and about the same rays in `f32`.
    fn check_many(&self, rays: &[Ray64], name: &str) -> TechniqueCounts {
        let narrow: Vec<Ray> = rays.iter().map(Ray64::to_ray).collect();
        let touches: Vec<_> = rays.iter().map(|ray| self.oracle.touches(ray)).collect();
        let of_narrow: Vec<_> = (narrow.iter())
            .map(|&ray| self.oracle.touches(&ray.into()))
            .collect();
        let masks = Masks::from_runs([(2, 0), (1, 1), (3, u32::MAX), (1, 0)]);
        let mut counts = TechniqueCounts::default();
        for (number, tree) in self.trees.iter().enumerate() {
            let masks = [None, Some(masks.clone())];
            // Masks are the same for all of them.
            for masks in masks.into_iter().take(if number == 0 { 2 } else { 1 }) {
                let name = format!("{name} tree {number} masked {}", masks.is_some());
                let tree = tree.clone().with_masks(masks);
                counts += check_many_doubles(&tree, rays, &touches, &name);
                counts += check_many_doubles(&tree, &narrow, &of_narrow, &name);
            }
        }
        counts
    }
}

#[test]
fn rationals_name_the_same_triangles_in_the_same_order_with_the_same_bits() {
    let (seeds, rays) = if Effort::is_long() {
        (200, 650)
    } else {
        (5, 80)
    };
    for kind in DOUBLE_KINDS {
        let mut hits = 0;
        for seed in 0..seeds {
            let mut case = DoubleCase::of(kind, seed, false);
            for _ in 0..rays {
                let ray = double_ray(kind, &case.triangles, &mut case.rng);
                let narrow = ray.to_ray();
                let of_ray = case.oracle.touches(&ray);
                let of_narrow = case.oracle.touches(&narrow.into());
                for (number, tree) in case.trees.iter().enumerate() {
                    let name = format!("{kind} {seed} tree {number} {ray:?}");
                    hits += check_doubles(tree, &ray, &of_ray, &name);
                    // A ray in `f32` is asked about as it is.
                    hits += check_doubles(tree, &narrow, &of_narrow, &name);
                }
            }
        }
        assert!(hits > 50, "{kind}: {hits}");
    }
}

#[test]
fn rationals_agree_with_every_technique() {
    let (seeds, rays) = if Effort::is_long() {
        (60, 200)
    } else {
        (1, 64)
    };
    let mut counts = TechniqueCounts::default();
    for kind in DOUBLE_KINDS {
        for seed in 0..seeds {
            let mut case = DoubleCase::of(kind, seed, false);
            let mut alone = || double_ray(kind, &case.triangles, &mut case.rng);
            let alone: Vec<Ray64> = (0..rays).map(|_| alone()).collect();
            counts += case.check_many(&alone, &format!("{kind} {seed}"));
            for number in 0..4 {
                let rays = double_tile(kind, &case.triangles, &mut case.rng, rays / 4);
                counts += case.check_many(&rays, &format!("{kind} {seed} tile {number}"));
            }
        }
    }
    let TechniqueCounts {
        one_by_one,
        interleaved,
        bundles,
        packets,
        ..
    } = counts;
    assert!(
        one_by_one > 10_000 && interleaved > 10_000 && bundles > 1_000 && packets > 1_000,
        "{counts:?}"
    );
}

#[test]
fn rationals_find_the_same_near_triangles_with_the_same_bits() {
    let (seeds, points) = if Effort::is_long() {
        (200, 300)
    } else {
        (4, 20)
    };
    for kind in DOUBLE_KINDS {
        let mut near = 0;
        for seed in 0..seeds {
            let mut case = DoubleCase::of(kind, seed, seed % 2 == 1);
            let points: Vec<DVec3> = (0..points)
                .map(|_| double_point(kind, &case.triangles, &mut case.rng))
                .collect();
            let name = format!("{kind} {seed}");
            let tree_of = |triangles: &[Triangle64]| Bvh::build(&mesh_of(triangles));
            check_double_signs(tree_of, &points, &case.oracle, &name);
            for &point in &points {
                for (number, tree) in case.trees.iter().enumerate() {
                    let name = format!("{kind} {seed} tree {number} {point:?}");
                    near += check_double_point(tree, point, &case.oracle, &name);
                }
            }
        }
        assert!(near > 50, "{kind}: {near}");
    }
}

#[test]
fn rationals_find_the_same_regions_sections_and_pairs() {
    let (seeds, cases) = if Effort::is_long() { (200, 60) } else { (4, 8) };
    for kind in DOUBLE_KINDS {
        let [mut overlapping, mut segments, mut pairs] = [0; 3];
        for seed in 0..seeds {
            let mut case = DoubleCase::of(kind, seed, seed % 4 == 1);
            let half = case.triangles.len() / 2;
            let halves = [&case.triangles[..half], &case.triangles[half..]].map(mesh_of);
            let halves = halves.each_ref().map(trees_of);
            let of_halves = [&case.triangles[..half], &case.triangles[half..]];
            let of_halves = of_halves.map(|part| DoubleOracle::new(part.to_vec()));
            for _ in 0..cases {
                let region = double_region(kind, &case.triangles, &mut case.rng);
                let plane = double_plane(kind, &case.triangles, &mut case.rng);
                for (number, tree) in case.trees.iter().enumerate() {
                    let name = format!("{kind} {seed} tree {number} {region:?}");
                    overlapping += check_double_region(tree, &region, &case.oracle, &name);
                    let name = format!("{kind} {seed} tree {number} {plane:?}");
                    segments += check_double_section(tree, &plane, &case.oracle, &name);
                }
            }
            for (number, tree) in case.trees.iter().enumerate() {
                let name = format!("{kind} {seed} tree {number}");
                let [a, b] = halves.each_ref().map(|trees| &trees[number]);
                pairs += check_double_pairs([a, b], of_halves.each_ref(), &name);
                pairs += check_double_pairs([tree, a], [&case.oracle, &of_halves[0]], &name);
            }
        }
        let found = [overlapping, segments, pairs];
        assert!(found.iter().all(|&count| count > 20), "{kind}: {found:?}");
    }
}

#[test]
fn rationals_find_the_same_first_contacts() {
    let (seeds, spheres) = if Effort::is_long() {
        (100, 60)
    } else {
        (4, 10)
    };
    for kind in DOUBLE_KINDS {
        let is_wide = ["limits", "any bits"].contains(&kind);
        let mut touched = 0;
        for seed in 0..seeds {
            let mut case = DoubleCase::of(kind, seed, false);
            // Numbers of thousands of bits take the oracle long.
            for _ in 0..spheres / if is_wide { 5 } else { 1 } {
                let sphere = double_sweep(kind, &case.triangles, &mut case.rng);
                for (number, tree) in case.trees.iter().enumerate() {
                    let name = format!("{kind} {seed} tree {number} {sphere:?}");
                    touched += usize::from(check_double_sweep(tree, &sphere, &case.oracle, &name));
                }
            }
        }
        assert!(touched > if is_wide { 3 } else { 30 }, "{kind}: {touched}");
    }
}

#[test]
fn first_contacts_at_the_limits_are_found() {
    let large = [
        [1e160, -1e160, 0.0],
        [-1e160, 1e160, 0.0],
        [-3e150, -3e150, 0.0],
    ];
    let small = [
        [-100.0, -100.0, -50.0],
        [100.0, -100.0, -50.0],
        [0.0, 100.0, -50.0],
    ];
    let greatest = [
        [1.4079730091638701e308, -f64::MAX, 3.690316390338215e306],
        [1.4333997459781968e308, f64::MAX, 5.2811816218650254e306],
        [1.494508887536152e308, -f64::MAX, 1.1727097400156894e306],
    ];
    let triangle = |[a, b, c]: [[f64; 3]; 3]| Triangle64::new(a, b, c);
    let wide = |power: i32| {
        let x = 2f64.powi(power);
        triangle([[0.0; 3], [x, 0.0, 0.0], [0.0, x, 0.0]])
    };
    let at = |power: i32| [2f64.powi(power); 3];
    let tiny = 2f64.powi(-500);
    for (triangles, sphere) in [
        // Products of these overflow with both signs.
        (
            vec![triangle(small), triangle(large)],
            MovingSphere64::new([10.0; 3], [-10.0; 3], 1.0),
        ),
        (
            vec![triangle(large)],
            MovingSphere64::new([10.0; 3], [-10.0; 3], 1.0).with_t_max(1.0),
        ),
        // The time is beyond f64.
        (
            vec![wide(700)],
            MovingSphere64::new(at(690), [0.0, 0.0, -tiny], 0.0),
        ),
        (
            vec![wide(600)],
            MovingSphere64::new(at(590), [tiny, 0.0, -tiny], 0.0),
        ),
        // The point, rounded, would lie beyond the greatest number.
        (
            vec![triangle(greatest)],
            MovingSphere64::new(
                [1.5031569546685033e308, 0.0, 5.496036854166532e305],
                [-9.518394550463312e306, -f64::MAX, 3.140712704921562e306],
                1.0,
            ),
        ),
    ] {
        let oracle = DoubleOracle::new(triangles.clone());
        for tree in trees_of(&mesh_of(&triangles)) {
            assert!(check_double_sweep(
                &tree,
                &sphere,
                &oracle,
                &format!("{sphere:?}")
            ));
        }
    }
}

/// Returns the faces of a tetrahedron between four corners of some triangles.
fn tetrahedron(triangles: &[Triangle64]) -> Vec<Triangle64> {
    let [a, b, c] = triangles[0].corners();
    let d = triangles[1].p2;
    let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    faces.map(|[a, b, c]| Triangle64::new(a, b, c)).to_vec()
}
