//! A refitted tree gives the answers of a tree built for the moved triangles.

use crate::common::{bits, mesh_of};
use estoc_bvh::{Bvh, RefitError};
use estoc_core::glam::{Mat3, Vec3};
use estoc_core::{BruteForce, Closest, Hit, QuerySlice, Ray, RayQuery, Technique, Triangle};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::generate::{Rng, rays, scenes};

fn moved(mesh: &Mesh, mut place: impl FnMut(Vec3) -> Vec3) -> Mesh {
    let corners: Vec<Vec3> = mesh.positions().iter().map(|&p| place(p)).collect();
    Mesh::try_new(corners, mesh.indices().iter().copied()).unwrap()
}

#[track_caller]
fn assert_same(bvh: &Bvh, mesh: &Mesh, rays: &[Ray], name: &str) {
    assert_eq!(bvh.validate(), Ok(()), "{name}");
    let built = Bvh::build(mesh);
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    for (i, ray) in rays.iter().enumerate() {
        let all = |engine: &dyn Fn(&Ray) -> Vec<Hit>| -> Vec<_> {
            engine(ray).iter().map(bits).collect()
        };
        let expected = all(&|ray| built.all_hits(ray));
        assert_eq!(all(&|ray| bvh.all_hits(ray)), expected, "{name}: {ray:?}");
        if i % 8 == 0 {
            assert_eq!(all(&|ray| brute.all_hits(ray)), expected, "{name}: {ray:?}");
        }
        let closest = |engine: &Bvh| engine.closest_hit(ray).as_ref().map(bits);
        assert_eq!(closest(bvh), closest(&built), "{name}: {ray:?}");
        assert_eq!(bvh.any_hit(ray), !expected.is_empty(), "{name}: {ray:?}");
        assert_eq!(bvh.count_hits(ray), expected.len(), "{name}: {ray:?}");
    }
    assert_eq!(bvh.is_closed(), built.is_closed(), "{name}");
    for technique in Technique::ALL {
        let many = QuerySlice::new(rays).technique(technique);
        let mut found = vec![None; rays.len()];
        bvh.ask_many(Closest, &many, &mut found).unwrap();
        for (ray, hit) in rays.iter().zip(found) {
            let expected = built.closest_hit(ray).as_ref().map(bits);
            assert_eq!(hit.as_ref().map(bits), expected, "{name}, {technique}");
        }
    }
}

#[test]
fn scenes_that_are_bent_answer_as_if_built_so() {
    for seed in 0..2 {
        for from in scenes(seed) {
            if !from.triangles.iter().all(Triangle::is_finite) {
                continue;
            }
            let still = mesh_of(&from.triangles);
            let mut bvh = Bvh::build(&still);
            let mut rng = Rng::named(seed, from.name);
            let turn = Mat3::from_rotation_z(rng.signed()) * Mat3::from_rotation_x(rng.signed());
            // Corners far out would not stay finite.
            let bend = |p: Vec3| match p.abs().max_element() < 1e30 {
                true => turn * p + Vec3::new(0.5, -2.0, 0.25),
                false => p,
            };
            let bent = moved(&still, bend);
            bvh.refit(&bent).unwrap();
            let mut asked = from.clone();
            asked.triangles = bent.triangles().collect();
            let rays = rays(&asked, &mut rng, 60);
            assert_same(&bvh, &bent, &rays, from.name);
            // Back to the original.
            bvh.refit(&still).unwrap();
            assert_same(&bvh, &still, &rays[..20], from.name);
        }
    }
}

#[test]
fn units_may_change_by_many_magnitudes() {
    let scene: DemoSpec = "soup?n=300".parse().unwrap();
    let still = scene.mesh();
    for unit in [1e-30, 1e-12, 1e12, 1e30] {
        let mut bvh = Bvh::build(&still);
        let other = moved(&still, |p| p * unit);
        bvh.refit(&other).unwrap();
        let mut rng = Rng::new(9);
        let rays: Vec<Ray> = (0..60)
            .map(|_| {
                let from = rng.point() * unit;
                Ray::new(from, rng.point())
            })
            .collect();
        assert_same(&bvh, &other, &rays, &format!("in units of {unit}"));
    }
}

#[test]
fn decay_tells_how_far_things_have_moved() {
    let scene: DemoSpec = "soup?n=5000".parse().unwrap();
    let still = scene.mesh();
    let mut bvh = Bvh::build(&still);
    let same = bvh.refit(&still).unwrap();
    assert!((same.decay() - 1.0).abs() < 1e-6, "{same:?}");
    let mut rng = Rng::new(4);
    let size = (still.bounds().max() - still.bounds().min()).max_element();
    let mut last = same.decay();
    for part in [0.01, 0.1, 1.0] {
        let refit = bvh.refit(&moved(&still, |p| p + rng.point() * (part * size)));
        let refit = refit.unwrap();
        assert_eq!(refit.built_cost, same.built_cost);
        assert!(refit.decay() > last, "{part}: {refit:?} after {last}");
        last = refit.decay();
    }
    assert!(last > 1.5 && bvh.refit(&still).unwrap().decay() < 1.001);
}

#[test]
fn another_number_of_triangles_is_refused_and_nothing_happens() {
    let still = "sphere?n=200".parse::<DemoSpec>().unwrap().mesh();
    let mut bvh = Bvh::build(&still);
    let before = format!("{:?}", bvh.nodes().collect::<Vec<_>>());
    let one = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let error = bvh.refit(&one).unwrap_err();
    let tree = still.triangle_count();
    assert_eq!(error, RefitError::TriangleCount { tree, mesh: 1 });
    assert!(error.to_string().contains("build a new tree"), "{error}");
    assert_eq!(format!("{:?}", bvh.nodes().collect::<Vec<_>>()), before);
    let none = Mesh::try_new([[0.0f32; 3]; 0], [[0; 3]; 0]).unwrap();
    let mut empty = Bvh::build(&none);
    assert_eq!(empty.refit(&none).unwrap().decay(), 1.0);
    assert!(empty.refit(&one).is_err());
}

#[test]
fn any_number_of_threads_gives_the_same_tree() {
    let still = "soup?n=60000".parse::<DemoSpec>().unwrap().mesh();
    let turned = moved(&still, |p| Vec3::new(p.y, p.z * 2.0 + p.x, p.x));
    let before = Bvh::build(&still);
    let trees = [1, 2, 3, 7].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let mut bvh = before.clone();
        pool.install(|| bvh.refit(&turned)).unwrap();
        bvh
    });
    assert_eq!(trees[0].validate(), Ok(()));
    let built = Bvh::build(&turned);
    let mut rng = Rng::new(3);
    let mut hits = 0;
    for _ in 0..2000 {
        let corners = turned.positions();
        let from = rng.point() * 3.0;
        let ray = Ray::new(from, corners[rng.below(corners.len())] - from);
        let expected = built.closest_hit(&ray);
        hits += usize::from(expected.is_some());
        let found = trees[0].closest_hit(&ray);
        assert_eq!(
            found.as_ref().map(bits),
            expected.as_ref().map(bits),
            "{ray:?}"
        );
    }
    assert!(hits > 100, "{hits}");
    let trees = trees.map(|bvh| format!("{bvh:?}"));
    assert!(trees.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn a_tree_that_was_built_on_a_point_should_be_rebuilt() {
    let still = "sphere?n=200".parse::<DemoSpec>().unwrap().mesh();
    let point = moved(&still, |_| Vec3::ZERO);
    let mut bvh = Bvh::build(&point);
    assert_eq!(bvh.refit(&point).unwrap().decay(), 1.0);
    let refit = bvh.refit(&still).unwrap();
    assert!(refit.should_rebuild(), "{refit:?}");
}
