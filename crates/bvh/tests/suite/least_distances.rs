//! Least distances of larger meshes than the oracle compares.

use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, CancelToken, Feature, LeastDistance, NearestPair, PairEngine, PairQuery, PrimId,
    Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;

fn demo(spec: &str) -> Mesh {
    spec.parse::<DemoSpec>().expect("a mesh").mesh()
}

/// Returns a mesh scaled and moved.
fn moved(mesh: &Mesh, scale: f32, by: Vec3) -> Mesh {
    let corners = mesh.positions().iter().map(|&p| p * scale + by);
    Mesh::try_new(corners, mesh.indices().iter().copied()).expect("finite corners")
}

fn triangles(mesh: &Mesh) -> Vec<Triangle> {
    mesh.triangles().collect()
}

/// Returns the least distance by trees of every kind and with several numbers of threads, after checking
/// that all are the same.
fn by_all(a: &Mesh, b: &Mesh) -> Option<LeastDistance> {
    let build = |mesh: &Mesh, level, layout| {
        let builder = Bvh::builder().simd_level(level).layout(layout);
        builder.build(mesh).expect("a tree")
    };
    let best = SimdLevel::best();
    let trees = [a, b].map(|mesh| build(mesh, best, Layout::Fast));
    let answer = trees[0].least_distance(&trees[1]);
    for level in SimdLevel::available() {
        for layout in Layout::ALL {
            let [a, b] = [a, b].map(|mesh| build(mesh, level, layout));
            assert_eq!(a.least_distance(&b), answer, "{level} {layout}");
        }
    }
    for threads in [1, 2, 7] {
        let found =
            estoc_system::parallel::in_new_pool(threads, || trees[0].least_distance(&trees[1]));
        assert_eq!(found, Ok(answer), "{threads} threads");
    }
    answer
}

#[test]
fn they_equal_those_of_all_pairs_of_triangles() {
    let small = [
        demo("sphere?n=500"),
        demo("terrain?n=500"),
        demo("solids?n=500"),
    ];
    let mut contacts = 0;
    for (i, a) in small.iter().enumerate() {
        for (j, b) in small.iter().enumerate() {
            for scale in [0.3, 1.0] {
                let by = Vec3::new(i as f32, 2.0 * scale, -(j as f32));
                let b = moved(b, scale, by);
                let all = [a, &b].map(|mesh| BruteForce::new(triangles(mesh)));
                let expected = all[0].least_distance(&all[1]);
                contacts += usize::from(expected.is_some_and(|found| found.distance == 0.0));
                assert_eq!(by_all(a, &b), expected, "{i} {j} {scale}");
            }
        }
    }
    assert!((1..17).contains(&contacts), "{contacts}");
}

/// A surface just inside another one: nearly all triangles are nearly as near as the nearest.
#[test]
fn shells_inside_each_other_are_compared() {
    let outer = demo("sphere?n=20000");
    let found = by_all(&outer, &moved(&outer, 0.999, Vec3::ZERO)).expect("they have area");
    assert!(found.distance > 0.0 && found.distance < 0.0011, "{found:?}");
    let same = by_all(&outer, &outer).expect("they have area");
    assert_eq!(same.distance, 0.0);
    assert_eq!(same.prims.map(PrimId::get), [0, 0]);
    assert_eq!(same.features, [Feature::Vertex(0); 2]);
}

/// In units where products of coordinates leave the range of `f32`.
#[test]
fn units_do_not_matter() {
    let (a, b) = (demo("solids?n=500"), demo("sphere?n=500"));
    let beside = Vec3::new(6.0, 5.0, 4.0);
    let usual = by_all(&a, &moved(&b, 1.0, beside)).expect("they have area");
    for power in [-90, 90] {
        let unit = 2f32.powi(power);
        let [a, b] = [moved(&a, unit, Vec3::ZERO), {
            let b = moved(&b, 1.0, beside);
            moved(&b, unit, Vec3::ZERO)
        }];
        let found = by_all(&a, &b).expect("they have area");
        assert_eq!(found.distance, usual.distance * unit);
        assert_eq!((found.prims, found.features), (usual.prims, usual.features));
        assert_eq!(found.points, usual.points.map(|point| point * unit));
    }
}

#[test]
fn without_area_there_is_none_and_cancelled_there_is_no_answer() {
    let sphere = Bvh::build(&demo("sphere?n=5000"));
    let empty = Bvh::build(&Mesh::try_new([[0.0; 3]; 0], [[0; 3]; 0]).expect("no triangles"));
    let flat = Mesh::try_new([[0.0; 3], [1.0; 3], [2.0; 3]], [[0, 1, 2]]).expect("finite");
    for none in [empty, Bvh::build(&flat)] {
        assert_eq!(sphere.least_distance(&none), None);
        assert_eq!(none.least_distance(&sphere), None);
        assert_eq!(none.least_distance(&none), None);
    }
    assert_eq!(sphere.least_distance_within(&sphere, f32::NAN), None);
    assert_eq!(sphere.least_distance_within(&sphere, -1.0), None);
    let cancel = CancelToken::new();
    cancel.cancel();
    let nearest = NearestPair::within(1.0).expect("a distance");
    assert!(sphere.nearest_pair(&sphere, nearest, &cancel).is_none());
}
