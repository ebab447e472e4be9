//! Signed distances and winding numbers of trees: those of brute force, at every level.

use crate::common::{Rng, Shape, brute};
use estoc_bvh::{Bvh, Layout, Quality, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{Masks, PointQuery, RayQuery, SignRule, SurfaceError, Winding, WindingEstimate};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;

/// Returns points all around, at corners, near them and far away.
fn points(mesh: &Mesh, rng: &mut Rng, n: usize) -> Vec<Vec3> {
    let (min, max) = (mesh.bounds().min(), mesh.bounds().max());
    let (center, size) = ((min + max) * 0.5, (max - min).max_element());
    let mut points = vec![Vec3::NAN, Vec3::splat(f32::MAX), center];
    for _ in 0..n {
        points.push(center + size * Vec3::from(rng.vec(-0.6, 0.6)));
        let [corner, ..] = rng.pick(mesh.indices());
        let corner = mesh.positions()[corner as usize];
        points.push(corner);
        points.push(corner + 0.01 * size * Vec3::from(rng.vec(-1.0, 1.0)));
        points.push(center + 1e4 * size * Vec3::from(rng.vec(-1.0, 1.0)));
    }
    points
}

fn assert_close(a: WindingEstimate, b: WindingEstimate) {
    let off = (a.value - b.value).abs();
    assert!(off <= a.error + b.error, "{a:?} {b:?}");
}

const RULES: [SignRule; 3] = [
    SignRule::Parity,
    SignRule::WindingNumber,
    SignRule::WindingEstimate,
];

#[test]
fn trees_tell_signs_as_brute_force_does() {
    let mut rng = Rng::new(21);
    let [mut inside, mut refused] = [0; 2];
    let specs = "sphere?n=3000 teapot?n=2000 terrain?n=2000 soup?n=1000";
    for (place, spec) in specs.split(' ').enumerate() {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let truth = brute(&mesh);
        let points = points(&mesh, &mut rng, 10);
        let qualities = [Quality::Fast, Quality::Best, Quality::Balanced];
        let levels = SimdLevel::available().into_iter();
        for (level, quality) in levels.zip(qualities.into_iter().cycle()) {
            let builder = Bvh::builder().quality(quality).simd_level(level);
            let layout = Layout::ALL[place % 2];
            let tree = builder.layout(layout).build(&mesh).unwrap();
            assert_eq!(tree.surface(), truth.surface(), "{spec}");
            for &point in &points {
                let estimate = tree.winding_estimate(point);
                assert_close(estimate, truth.winding_estimate(point));
                for rule in RULES {
                    let found = tree.signed_distance_by(point, rule);
                    let want = truth.signed_distance_by(point, rule);
                    if rule == SignRule::WindingEstimate && !estimate.is_certain() {
                        continue;
                    }
                    assert_eq!(found, want, "{spec}, {point}, {rule}");
                    refused += usize::from(found.is_err());
                    inside += usize::from(found.is_ok_and(|found| found.is_some_and(|f| f.inside)));
                }
                let number = tree.winding_number(point);
                assert_eq!(number, truth.winding_number(point), "{spec}, {point}");
                if let Ok(Winding::Number(number)) = number {
                    let off = (estimate.value - number as f64).abs();
                    let is_close = off <= estimate.error && estimate.error < 0.1;
                    assert!(is_close, "{estimate:?}");
                    assert_eq!(tree.contains(point), Some(number % 2 != 0));
                }
            }
        }
    }
    assert!(inside > 100 && refused > 100, "{inside} {refused}");
}

#[test]
fn estimates_have_the_same_bits_at_every_level_and_in_every_thread() {
    let mut rng = Rng::new(22);
    let mesh = "teapot?n=3000".parse::<DemoSpec>().unwrap().mesh();
    let points = points(&mesh, &mut rng, 30);
    let bits = |tree: &Bvh| -> Vec<[u64; 2]> {
        let estimates = points.iter().map(|&point| tree.winding_estimate(point));
        let bits = estimates.map(|e| [e.value.to_bits(), e.error.to_bits()]);
        bits.collect()
    };
    let tree = Bvh::build(&mesh);
    let want = bits(&tree);
    for level in SimdLevel::available() {
        for threads in [1, 3] {
            let builder = Bvh::builder().simd_level(level).threads(threads);
            let other = builder.build(&mesh).unwrap();
            assert_eq!(bits(&other), want, "{level}, {threads} threads");
        }
    }
    // Two threads that need the table at once.
    let fresh = Bvh::build(&mesh);
    std::thread::scope(|scope| {
        let threads = [(); 2].map(|()| scope.spawn(|| bits(&fresh)));
        for thread in threads {
            assert_eq!(thread.join().unwrap(), want);
        }
    });
}

/// Both tables are made anew after a refit, the clusters are counted, and masks hide nothing.
#[test]
fn tables_for_signs_follow_the_tree() {
    let mesh = Shape::sphere(1.0, 30, 20, false).mesh();
    let mut tree = Bvh::build(&mesh);
    assert!(tree.surface().is_oriented());
    assert_eq!(tree.stats().bytes_by_part.tables, 0);
    let number = tree.winding_number([0.0; 3]).unwrap().number().unwrap();
    assert_eq!(number.abs(), 1);
    let near = |tree: &Bvh, point: [f32; 3], number: i64| {
        let estimate = tree.winding_estimate(point);
        (estimate.value - number as f64).abs() <= estimate.error && estimate.error < 0.1
    };
    assert!(near(&tree, [0.0; 3], number));
    assert!(tree.stats().bytes_by_part.tables > 100 * tree.stats().nodes);

    let mut positions: Vec<Vec3> = mesh.positions().iter().map(|p| *p + 5.0).collect();
    let moved = Mesh::try_new(positions.clone(), mesh.indices().to_vec()).unwrap();
    tree.refit(&moved).unwrap();
    assert!(near(&tree, [0.0; 3], 0) && near(&tree, [5.0; 3], number));
    let hidden = tree
        .clone()
        .with_masks(Masks::from_runs([(moved.triangle_count(), 0)]));
    for point in [[0.0; 3], [5.0; 3]] {
        assert_eq!(hidden.winding_number(point), tree.winding_number(point));
        for rule in RULES {
            let signed = hidden.signed_distance_by(point, rule);
            assert_eq!(signed, tree.signed_distance_by(point, rule));
        }
    }
    // One triangle is moved away from its neighbours.
    let corners = positions.len() as u32;
    let mut faces = mesh.indices().to_vec();
    let torn = faces.len() / 2;
    let apart = faces[torn].map(|corner| positions[corner as usize] + 1.0);
    positions.extend(apart);
    faces[torn] = [corners, corners + 1, corners + 2];
    let torn = Bvh::build(&Mesh::try_new(positions, faces).unwrap());
    assert!(matches!(
        torn.winding_number([5.0; 3]),
        Err(SurfaceError::Open { .. })
    ));
    assert_eq!(torn.surface().open_edges, 6);
    assert!((torn.winding_estimate([5.0; 3]).value.abs() - 1.0).abs() < 0.1);
}
