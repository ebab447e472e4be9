//! Cases that other libraries test, as scenes.

use crate::common::{bvh_of, here, placed, world_of};
use estoc_bvh::Bvh;
use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use estoc_core::{
    Aabb, Any, Closest, PrimId, QueryOptions, Ray, Ray64, RayQuery, SceneHit, Shape, Sphere,
    Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_scene::{Placement, PlacementMatrix, Scene, ShapeList};
use estoc_testkit::generate::Rng;
use std::f32::consts::TAU;
use std::sync::Arc;

fn demo(spec: &str) -> Arc<Bvh> {
    let spec: DemoSpec = spec.parse().expect("a scene");
    Arc::new(Bvh::build(&spec.mesh()))
}

/// A torus of 40 by 10 quads around z.
fn torus() -> Arc<Bvh> {
    let point = |i: u32, k: u32| {
        let (a, b) = ((i % 40) as f32 * TAU / 40.0, (k % 10) as f32 * TAU / 10.0);
        let from_axis = 1.0 + 0.4 * b.cos();
        Vec3::new(from_axis * a.cos(), from_axis * a.sin(), 0.4 * b.sin())
    };
    let quads = (0..40).flat_map(|i| (0..10).map(move |k| (i, k)));
    let triangles = quads.flat_map(|(i, k)| {
        let [a, b] = [i, i + 1].map(|i| point(i, k));
        let [d, c] = [i, i + 1].map(|i| point(i, k + 1));
        [Triangle::new(a, b, c), Triangle::new(a, c, d)]
    });
    Arc::new(bvh_of(&triangles.collect::<Vec<_>>()))
}

fn at(x: f64, y: f64, z: f64) -> DAffine3 {
    DAffine3::from_translation(DVec3::new(x, y, z))
}

fn sheet() -> Arc<Bvh> {
    let sheet = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    Arc::new(bvh_of(&[sheet]))
}

/// trimesh, `test_on_vertex`: rays from the centre of a box to its eight corners hit once.
#[test]
fn corners_of_a_placed_box_are_crossed_once() {
    let cube = demo("box");
    let turned = DQuat::from_rotation_y(0.3) * DQuat::from_rotation_x(1.1);
    let turned = DAffine3::from_quat(turned);
    for map in [at(0.0, 0.0, 0.0), at(1e6, -3e6, 5.0), turned] {
        let bounds = cube.bounds();
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let world = world_of([placed(cube.clone(), &map)]);
        let center = map.transform_point3((min + max) / 2.0);
        for corner in 0..8 {
            let pick = |axis: usize| [min, max][corner >> axis & 1][axis];
            let to = map.transform_point3(DVec3::new(pick(0), pick(1), pick(2)));
            let ray = Ray64::new(center, to - center);
            assert!(world.any_hit(&ray));
            assert_eq!(world.count_crossings(&ray), 1, "{map:?} {corner}");
        }
    }
}

/// trimesh #48: a ray that starts a hundredth beside a quad in map coordinates, and leads away.
#[test]
fn a_ray_that_leads_away_from_a_quad_on_a_map_misses() {
    let origin = DVec3::new(528_980.0, 183_520.0, 0.0);
    let corners = [
        DVec3::new(528_980.85, 183_526.1, 0.0),
        DVec3::new(528_980.85, 183_526.1, 3.0),
        DVec3::new(528_982.3, 183_523.55, 0.0),
        DVec3::new(528_982.3, 183_523.55, 3.0),
    ];
    let local = corners.map(|p| (p - origin).as_vec3());
    let mesh = Mesh::try_new(local, [[1, 0, 2], [1, 2, 3]]).unwrap();
    let map = DAffine3::from_translation(origin);
    let world = world_of([placed(Bvh::build(&mesh), &map)]);
    let normal = (corners[0] - corners[1]).cross(corners[2] - corners[1]);
    let normal = normal.normalize();
    let center = corners.iter().sum::<DVec3>() / 4.0;
    for side in [1.0, -1.0] {
        let away = Ray64::new(center + side * 0.01 * normal, side * normal);
        let back = Ray64::new(away.origin, -away.dir);
        assert!(!world.any_hit(&away));
        let hits = world.all_hits(&back);
        assert!(!hits.is_empty() && (hits[0].t - 0.01).abs() < 1e-4);
    }
}

/// Embree, `OverlappingGeometryTest`: a thousand objects in one place.
#[test]
fn objects_in_one_place_are_all_hit() {
    let (sheet, above) = (sheet(), at(0.0, 0.0, 1.0));
    let ball = ShapeList::try_new([Sphere::try_new([0.2, 0.2, 0.0], 0.1).unwrap()]);
    let ball = Arc::new(ball.unwrap());
    let sheets = (0..1000).map(|_| placed(sheet.clone(), &above));
    let balls = (0..1000).map(|_| placed(ball.clone(), &above));
    let world = world_of(sheets.chain(balls));
    let hits = world.all_hits(&Ray::new([0.2, 0.2, 0.0], [0.0, 0.0, 1.0]));
    let ends = hits.iter().map(|hit| (hit.t, hit.path.numbers()[0]));
    let all = |t: f32, numbers: std::ops::Range<u32>| numbers.map(move |number| (t, number));
    let expected = all(0.9, 1000..2000).chain(all(1.0, 0..1000));
    assert!(ends.eq(expected.chain(all(1.1, 1000..2000))));
}

/// Embree, `GarbageGeometryTest` and `InfTest`: random bits as matrices and as rays.
#[test]
fn random_bits_are_refused_or_answered() {
    let rng = &mut Rng::named(3, "garbage");
    let cube = demo("box");
    let mut scene = Scene::new();
    let (mut placed, mut refused) = (0, 0);
    let bits = |rng: &mut Rng| f64::from_bits(rng.next_u64());
    for _ in 0..40 {
        let rows = [0; 3].map(|_| [0; 4].map(|_| bits(rng)));
        match PlacementMatrix::from_rows(rows) {
            Ok(matrix) => {
                let placement = Placement::with_matrix(cube.clone(), matrix);
                scene.add(placement).unwrap();
                placed += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(placed > 20, "{placed} {refused}");
    let world = scene.commit();
    for _ in 0..40 {
        let mut narrow = || Vec3::from([0; 3].map(|_| f32::from_bits(rng.next_u64() as u32)));
        let (o, d) = (narrow(), narrow());
        let ray = Ray::new(o, d).with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let hits = world.all_hits(&ray);
        assert!(ray.check().is_ok() || hits.is_empty());
        assert_eq!(world.closest_hit(&ray), hits.first().copied());
        let wide = Ray64::new([0; 3].map(|_| bits(rng)), [0; 3].map(|_| bits(rng)));
        assert_eq!(world.any_hit(&wide), world.closest_hit(&wide).is_some());
    }
}

/// Embree, `RayMasksTest` and `EnableDisableGeometryTest`: four spheres, and rays that see some.
#[test]
fn masks_show_and_hide_objects() {
    let ball = demo("sphere?n=500");
    let places = [(-10.0, -10.0), (-10.0, 10.0), (10.0, -10.0), (10.0, 10.0)];
    let mut scene = Scene::new();
    let ids: Vec<_> = (0..4)
        .map(|place| {
            let (x, z) = places[place];
            let placement = placed(ball.clone(), &at(x, 0.0, z));
            scene.add(placement.mask(1 << place)).unwrap()
        })
        .collect();
    let world = scene.commit();
    let ray = |place: usize| {
        let (x, z) = places[place];
        Ray::new([x as f32, 20.0, z as f32], [0.01, -1.0, 0.02])
    };
    for mask in 0..16u32 {
        let options = QueryOptions::default().mask(mask);
        for place in 0..4 {
            let is_seen = mask >> place & 1 == 1;
            assert_eq!(world.ask_with(Any, &ray(place), &options), Ok(is_seen));
        }
    }
    // Removed and added again, in every combination.
    for removed in 0..16u32 {
        let mut some = scene.clone();
        for place in (0..4).filter(|place| removed >> place & 1 == 1) {
            some.remove(ids[place]).unwrap();
        }
        let world = some.commit();
        for place in 0..4 {
            let hit = world.closest_hit(&ray(place));
            let expected = (removed >> place & 1 == 0).then_some(place as u32);
            assert_eq!(hit.map(|hit| hit.path.numbers()[0]), expected);
        }
    }
}

/// Embree, `IntersectionFilterTest`: hits are kept or not by their numbers.
#[test]
fn filters_are_given_the_object() {
    let sheet = sheet();
    let rows = (0..16).map(|i| at(f64::from(i % 4), f64::from(i / 4), -10.0));
    let world = world_of(rows.map(|map| placed(sheet.clone(), &map)));
    for i in 0..16u32 {
        let [x, y] = [i % 4, i / 4].map(|at| at as f32 + 0.25);
        let ray = Ray::new([x, y, 0.0], [0.0, 0.0, -1.0]);
        let mut keeps = |_: &_, hit: &SceneHit| hit.path.numbers()[0] & 2 == 0;
        let hit = world.ask_where(Closest, &ray, &QueryOptions::default(), &mut keeps);
        assert_eq!(hit.unwrap().is_some(), i & 2 == 0);
    }
}

/// three-mesh-bvh, `RandomRaycasts` and `Raycaster`: tori in random poses, and eleven in one.
#[test]
fn tori_in_random_poses_equal_each_triangle() {
    let torus = torus();
    let rng = &mut Rng::named(4, "tori");
    let poses: Vec<DAffine3> = (0..10)
        .map(|_| {
            let turn = DQuat::from_scaled_axis(rng.point().as_dvec3() * 3.0);
            let scale = rng.point().as_dvec3() + DVec3::splat(1.5);
            let linear = DMat3::from_quat(turn) * DMat3::from_diagonal(scale);
            DAffine3::from_mat3_translation(linear, rng.point().as_dvec3() * 2.0)
        })
        .collect();
    let world = world_of(poses.iter().map(|pose| placed(torus.clone(), pose)));
    let each = poses
        .iter()
        .map(|pose| world_of([placed(torus.clone(), pose)]));
    let each: Vec<_> = each.collect();
    let mut met = 0;
    for _ in 0..100 {
        let origin = rng.point() * 10.0;
        let ray = Ray::new(origin, rng.point() * 3.0 - origin).with_interval(0.6, 1.4);
        let hits = each.iter().flat_map(|one| one.all_hits(&ray));
        let mut expected: Vec<f32> = hits.map(|hit| hit.t).collect();
        expected.sort_by(f32::total_cmp);
        let found: Vec<f32> = world.all_hits(&ray).iter().map(|hit| hit.t).collect();
        assert_eq!(found, expected);
        met += found.len();
    }
    assert!(met > 100, "{met}");
    // Eleven in one place have eleven times the hits of one.
    let eleven = world_of((0..11).map(|_| placed(torus.clone(), &poses[0])));
    let from = poses[0].translation + DVec3::new(9.0, 0.1, 0.2);
    let ray = Ray64::new(from, DVec3::NEG_X);
    assert_eq!(eleven.count_hits(&ray), 11 * each[0].count_hits(&ray));
}

/// The `bvh` crate's test base: 21 unit boxes in a row. obvhs: empty and huge boxes.
#[test]
fn boxes_in_a_row_are_found() {
    let unit = |x: f32| Aabb::try_new([x - 0.5, -0.5, -0.5], [x + 0.5, 0.5, 0.5]).unwrap();
    let row = ShapeList::try_new((-10..=10).map(|x| Shape::from(unit(x as f32)))).unwrap();
    let world = world_of([here(row)]);
    let numbers = |origin: [f32; 3], dir: [f32; 3]| {
        let hits = world.all_hits(&Ray::new(origin, dir));
        let mut numbers: Vec<u32> = hits.iter().map(|hit| hit.prim.get()).collect();
        numbers.dedup();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    let along = numbers([-1000.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(along, (0..21).collect::<Vec<_>>());
    let across = numbers([0.0, -1000.0, 0.0], [0.0, 1.0, 0.0]);
    assert_eq!(across, [10]);
    let aslant = numbers([6.0, 0.5, 0.0], [-2.0, -1.0, 0.0]);
    assert_eq!(aslant, [14, 15, 16]);
    assert_eq!(world.contains([0.1, 0.2, 0.3]), Some(true));

    let most = Aabb::try_new([-f32::MAX; 3], [f32::MAX; 3]).unwrap();
    let list = ShapeList::try_new((0..20).map(|i| [Aabb::EMPTY, most][i % 2])).unwrap();
    let world = world_of([placed(list, &at(1.0, 2.0, 3.0))]);
    let hits = world.all_hits(&Ray::new([0.0; 3], [1e38, 0.0, 0.0]));
    assert_eq!(hits.len(), 10);
    assert_eq!(hits[0].prim, PrimId::new(1).unwrap());
}

/// parry, issue 17 and `bvh_build_and_removal`: a cube scaled by 1e-10, and objects taken away one by one.
#[test]
fn small_objects_and_shrinking_scenes() {
    let cube = demo("box");
    let tiny = DAffine3::from_scale(DVec3::splat(1e-10));
    let bounds = cube.bounds();
    let center = ((bounds.min() + bounds.max()) / 2.0).as_dvec3() * 1e-10;
    let world = world_of([placed(cube.clone(), &tiny)]);
    let ray = Ray64::new(center - DVec3::new(0.0, 0.0, 1.0), DVec3::Z);
    assert_eq!(world.count_crossings(&ray), 2);

    let mut shrinking = Scene::new();
    let place = |i| placed(cube.clone(), &at(f64::from(i) * 3.0, 0.0, 0.0));
    let ids = (0..60).map(|i| shrinking.add(place(i)).unwrap());
    let mut ids: Vec<_> = ids.collect();
    let middle = (bounds.min() + bounds.max()) / 2.0;
    let ray = Ray::new(middle - Vec3::new(10.0, 0.0, 0.0), Vec3::X);
    let rng = &mut Rng::named(5, "removal");
    while !ids.is_empty() {
        let world = shrinking.commit();
        assert_eq!(world.count_crossings(&ray), 2 * ids.len());
        let id = ids.swap_remove(rng.next_u64() as usize % ids.len());
        shrinking.remove(id).unwrap();
    }
    assert!(!shrinking.commit().any_hit(&ray));
}
