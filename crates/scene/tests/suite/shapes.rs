//! Spheres and boxes in scenes. `ESTOC_LONG=1` compares a hundred thousand rays and more with the oracle.

use crate::common::{bits, effort, here, placed, scene_of, world_of};
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DAffine3, DMat3, DVec3, Mat4, Quat, Vec3};
use estoc_core::{
    Aabb, Closest, Collector, Engine, Obb, PlacedPrimitive, QueryError, QueryOptions, Ray, Ray64,
    RayQuery, SceneHit, ScenePrim, Shape, ShapeEnd, Sphere,
};
use estoc_scene::{Placement, PlacementMatrix, SceneSnapshot, ShapeList};
use estoc_testkit::conformance::{Effort, check_placed_shapes};
use estoc_testkit::generate::Rng;
use std::sync::Arc;

#[test]
fn shapes_equal_the_oracle() {
    let (effort, least) = effort([120, 100, 100_000], [2, 10, 300]);
    let report = check_placed_shapes(scene_of, &effort);
    eprintln!("shapes: {report}");
    assert!(report.rays >= least, "{report}");
    assert!(report.rays_that_hit * 3 > report.rays, "{report}");
    assert!(report.rays_with_ties * 20 > report.rays, "{report}");
}

/// An engine that offers both ends of every shape.
struct EachShape(Vec<(ScenePrim, PlacedPrimitive)>);

impl EachShape {
    fn of(scene: &SceneSnapshot, ids: impl Iterator<Item = ScenePrim>) -> Self {
        let placed = ids.map(|id| (id, scene.primitive(id).expect("an id of the scene")));
        EachShape(placed.collect())
    }
}

impl Engine for EachShape {
    type Primitive = PlacedPrimitive;

    fn primitive_count(&self) -> usize {
        self.0.len()
    }

    fn primitive(&self, id: ScenePrim) -> Option<PlacedPrimitive> {
        let place = self.0.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(self.0[place].1)
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_, PlacedPrimitive>) {
        for (id, placed) in &self.0 {
            if collector.offer(*id, placed).is_break() {
                return;
            }
        }
    }
}

/// No ray loses a shape of a long list in its tree.
#[test]
fn long_lists_are_searched_by_a_tree() {
    let (count, rays) = match Effort::is_long() {
        true => (100_000, 300),
        false => (400, 150),
    };
    let mut rng = Rng::named(1, "long lists");
    #[rustfmt::skip]
    let matrices = [
        PlacementMatrix::IDENTITY.rows(),
        // Sheared and mirrored; far away; nearly flat.
        [[1.0, 0.7, 0.0, 3.0], [0.0, -0.3, 0.2, 0.0], [0.1, 0.0, 2.0, -1.0]],
        [[1.0, 0.0, 0.0, 4e6], [0.0, 1.0, 0.0, 1e5], [0.0, 0.0, 1.0, 0.0]],
        [[1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 2.0, 1e-17, 0.0]],
    ];
    for matrix in matrices.map(|rows| PlacementMatrix::from_rows(rows).unwrap()) {
        let shapes = (0..count).map(|place| -> Shape {
            let center = rng.point() * 100.0;
            let size = rng.signed().abs() * 2.0;
            match place % 3 {
                0 => Aabb::of_points([center, center + rng.point() * 3.0]).into(),
                _ => Sphere::try_new(center, size).unwrap().into(),
            }
        });
        let list = ShapeList::try_new(shapes.collect::<Vec<_>>()).unwrap();
        let bounds: Vec<_> = list.shapes().iter().filter_map(Shape::bounds).collect();
        let scene = world_of([Placement::with_matrix(list, matrix)]);
        let counts = [scene.shape_count(), scene.primitive_count()];
        assert_eq!(counts, [count; 2]);
        let path = estoc_core::ScenePath::try_new(&[0]).unwrap();
        let prims = (0..count).filter_map(estoc_core::PrimId::from_index);
        let ids = prims.flat_map(|prim| {
            [ShapeEnd::Entry, ShapeEnd::Exit].map(|end| ScenePrim::shape(path, prim, end))
        });
        let each = EachShape::of(&scene, ids);
        let affine = matrix.to_affine();
        let mut hits = 0;
        for _ in 0..rays {
            // Near a shape.
            let [low, high] = bounds[rng.below(count)];
            let share = rng.point().as_dvec3() * 0.7 + 0.5;
            let to = DVec3::from(low) + (DVec3::from(high) - DVec3::from(low)) * share;
            let from = (rng.point() * 150.0).as_dvec3();
            let [from, to] = [from, to].map(|p| affine.transform_point3(p).as_vec3());
            let ray = Ray::new(from, (to - from) * 0.5);
            let expected = each.all_hits(&ray);
            let list = |hits: &[SceneHit]| hits.iter().map(bits).collect::<Vec<_>>();
            assert_eq!(list(&scene.all_hits(&ray)), list(&expected), "{ray:?}");
            let first = scene.closest_hit(&ray).as_ref().map(bits);
            assert_eq!(first, expected.first().map(bits), "{ray:?}");
            assert_eq!(scene.any_hit(&ray), !expected.is_empty());
            hits += expected.len();
        }
        // Few rays of `f32`s meet what is as thin as 1e-17.
        let is_flat = matrix.rows()[2][2] == 1e-17;
        let least = if is_flat { 1 } else { rays / 4 };
        assert!(hits >= least, "{hits} for {matrix}");
    }
}

/// Each end is a hit of its own, for options too.
#[test]
fn ends_are_named_by_ids() {
    let ball = Sphere::try_new([0.0; 3], 1.0).unwrap();
    let list = Arc::new(ShapeList::try_new([ball, ball]).unwrap());
    let turned = DAffine3::from_scale(DVec3::new(-2.0, 1.0, 1.0));
    let scene = world_of([placed(list, &turned).reversed(true)]);
    let ray = Ray::new([-4.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let hits = scene.all_hits(&ray);
    let told = |hit: &SceneHit| (hit.t, hit.prim.get(), hit.end.unwrap());
    let (entry, exit) = (ShapeEnd::Entry, ShapeEnd::Exit);
    let (entries, exits) = (
        [(2.0, 0, entry), (2.0, 1, entry)],
        [(6.0, 0, exit), (6.0, 1, exit)],
    );
    let expected = [entries, exits].concat();
    assert_eq!(hits.iter().map(told).collect::<Vec<_>>(), expected);
    let plain = QueryOptions::default();
    let first = |options: &QueryOptions<ScenePrim>| {
        let hit = scene.ask_with(Closest, &ray, options).unwrap();
        told(&hit.unwrap())
    };
    assert_eq!(first(&plain.skip(Some(hits[0].id()))), expected[1]);
    assert_eq!(first(&plain.after(Some(hits[1].id()))), expected[2]);
    // Neither a mirror nor a reversed placement turns a shape inside out.
    assert_eq!(first(&plain.cull(estoc_core::Cull::Front)), expected[2]);
    // From inside there is only the exit.
    let inside = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    let hit = scene.closest_hit(&inside).unwrap();
    assert_eq!((hit.t, hit.end), (2.0, Some(exit)));
    assert_eq!(scene.count_hits(&inside), 2);
    let after = plain.after(Some(hits[0].id()));
    let error = scene.ask_with(Closest, &inside, &after).unwrap_err();
    assert!(matches!(error, QueryError::AfterMissed { .. }), "{error}");
    let mut no_end = hits[0].id();
    no_end.end = None;
    assert!(scene.primitive(no_end).is_none());
    assert_eq!(scene.count_crossings(&ray), 4);
    let beside = Ray::new([-4.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(scene.count_crossings(&beside), 0);
}

/// A point is inside what is in any shape, and tangents behind it do not count.
#[test]
fn points_are_inside_shapes() {
    let sheet = Aabb::try_new([20.0, 0.0, 0.0], [21.0, 0.0, 1.0]).unwrap();
    let cube = Obb::try_new([30.0, 0.0, 0.0], [Vec3::Y, Vec3::NEG_X, Vec3::Z], [1.0; 3]).unwrap();
    let shapes = [
        Shape::from(Sphere::try_new([0.0; 3], 2.0).unwrap()),
        Sphere::try_new([1.0, 0.0, 0.0], 2.0).unwrap().into(),
        Sphere::try_new([9.0, 2.0, 0.0], 2.0).unwrap().into(),
        sheet.into(),
        cube.into(),
    ];
    assert_eq!(world_of([]).contains([0.0; 3]), Some(false));
    let scene = world_of([here(ShapeList::try_new(shapes).unwrap())]);
    assert_eq!((scene.closed_objects(), scene.open_objects()), (1, 0));
    let inside = [
        [0.5, 0.0, 0.0],
        [-2.0, 0.0, 0.0],
        [3.0, 0.0, 0.0],
        [9.0, 0.0, 0.0],
        [20.5, 0.0, 0.5],
        [31.0, 1.0, 1.0],
    ];
    for point in inside {
        assert_eq!(scene.contains(point), Some(true), "{point:?}");
    }
    let outside = [
        [2f32.next_down(), 1.0, 2.0],
        [-2f32.next_up(), 0.0, 0.0],
        [5.0, 0.0, 0.0],
        [20.5, f32::from_bits(1), 0.5],
        [31.0, 1f32.next_up(), 0.0],
        [f32::NAN, 0.0, 0.0],
    ];
    for point in outside {
        assert_eq!(scene.contains(point), Some(false), "{point:?}");
    }
}

/// Numbers at the ends of what is possible.
#[test]
fn extreme_shapes_are_answered() {
    let tiny = f64::from_bits(1);
    let largest = Sphere::try_new([f32::MAX; 3], f32::MAX).unwrap();
    let shapes = [
        Shape::from(Sphere::try_new([0.0; 3], 1.0).unwrap()),
        largest.into(),
        Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap().into(),
        Aabb::EMPTY.into(),
    ];
    let list = Arc::new(ShapeList::try_new(shapes).unwrap());
    for scale in [tiny, 1e-300, 1e-100, 1.0, 1e100, 1e300] {
        let map = DAffine3::from_scale(DVec3::splat(scale));
        let scene = world_of([placed(list.clone(), &map)]);
        let through = Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(-1.0, 1.0);
        let hits = if scale <= 1.0 { 4 } else { 0 };
        assert_eq!(scene.count_hits(&through), hits, "{scale}");
        assert_eq!(scene.contains([0.0; 3]), Some(true));
    }
    assert!(ShapeList::try_new(Vec::<Shape>::new()).unwrap().is_empty());
}

/// Points and normals, against those of the shapes alone and of an ellipsoid's equation.
#[test]
fn details_tell_where_a_shape_is_hit() {
    let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let model = Mat4::from_scale_rotation_translation(
        Vec3::new(3.0, 1.0, 1.0),
        Quat::from_rotation_z(0.5),
        Vec3::new(0.0, 0.5, 1.0),
    );
    let cube = Aabb::try_new([-1.0; 3], [1.0, 2.0, 1.0]).unwrap();
    let ball = Sphere::try_new([0.5, 0.0, 0.0], 2.0).unwrap();
    let units = [Vec3::X, Vec3::Y, Vec3::Z];
    let upright = Obb::try_new([0.0, 0.5, 0.0], units, [1.0, 1.5, 1.0]).unwrap();
    let tilted = Obb::try_new([0.0; 3], axes, [3.0, 2.0, 1.0]).unwrap();
    let sheared = Obb::from_model(&cube, &model).unwrap();
    let shapes: [Shape; 4] = [ball.into(), cube.into(), tilted.into(), sheared.into()];
    let mut rng = Rng::named(5, "normals of shapes");
    let mut number = |size: f32| rng.int(-1000, 1000) as f32 * size / 1000.0;
    let axes = [[-2.0, 0.5, 0.0], [0.0, 1.0, 0.25], [0.0, 0.0, 0.5]];
    let linear = DMat3::from_cols_array_2d(&axes);
    let map = DAffine3::from_mat3_translation(linear, DVec3::new(1e6, 5.0, -3.0));
    for (place, shape) in (0..).zip(shapes) {
        let list = Arc::new(ShapeList::try_new([shape]).unwrap());
        let world = world_of([crate::common::here(list.clone()), placed(list, &map)]);
        let mut seen = [0; 2];
        for _ in 0..80 {
            let origin = Vec3::new(number(9.0), number(9.0), 9.0);
            let target = Vec3::new(number(2.0), number(2.0), number(1.0));
            let here = Ray::new(origin, target - origin);
            let alone = match place {
                0 => ball.chord(&here).map(|span| {
                    let near = ball.normal_at(here.at(span.entry)).unwrap();
                    (span.entry, near)
                }),
                1 => upright.hit(&here).map(|hit| (hit.t, hit.normal)),
                2 => tilted.hit(&here).map(|hit| (hit.t, hit.normal)),
                _ => sheared.hit(&here).map(|hit| (hit.t, hit.normal)),
            };
            let Some((t, normal)) = alone else { continue };
            let hit = world.closest_hit(&here).unwrap();
            let details = world.shape_details(&here.into(), &hit).unwrap();
            assert_eq!((hit.t, hit.end), (t, Some(ShapeEnd::Entry)));
            assert!(details.surface.normal.distance(normal) < 1e-5, "{here:?}");
            assert!(details.surface.point.distance(here.at(t).as_dvec3()) < 1e-5);
            seen[0] += 1;
            // The image of the point, where the plane of the surface has the image of its directions.
            let dir = map.transform_vector3((target - origin).as_dvec3());
            let there = Ray64::new(map.transform_point3(origin.as_dvec3()), dir);
            let mut both = world.all_hits(&there);
            both.retain(|hit| hit.path.numbers() == [1]);
            let out = both.pop().unwrap();
            assert_eq!(out.end, Some(ShapeEnd::Exit));
            let inside = world.all_hits(&here)[1];
            let inside = world.shape_details(&here.into(), &inside).unwrap().surface;
            let out = world.shape_details(&there, &out).unwrap().surface;
            let image = map.transform_point3(inside.point);
            let off = out.point.distance(image);
            assert!(off < 1e-5, "{there:?} {image} {out:?}");
            let along = inside.normal.as_dvec3().any_orthonormal_pair();
            for along in <[DVec3; 2]>::from(along) {
                let slope = map.transform_vector3(along).dot(out.normal.as_dvec3());
                assert!(slope.abs() < 1e-5, "{there:?} {slope}");
            }
            assert!(out.normal.as_dvec3().dot(there.dir) > 0.0);
            assert!((out.normal.length() - 1.0).abs() < 1e-6);
            seen[1] += 1;
        }
        assert!(seen[0] > 25 && seen[1] > 25, "{place}: {seen:?}");
    }
    // What has no normal, and what is no hit of the scene.
    let point = ShapeList::try_new([Sphere::try_new([0.0; 3], 0.0).unwrap()]).unwrap();
    let world = world_of([here(point)]);
    let ray = Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    let hit = world.closest_hit(&ray).unwrap();
    assert!(world.shape_details(&ray.into(), &hit).is_none());
    assert!(world.details(&hit).is_none());
}

/// Rays along a face of a turned box, which f64 takes for parallel to it or not.
#[test]
fn details_of_rays_along_faces_are_where_they_are_hit() {
    let cube = Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap();
    let list = Arc::new(ShapeList::try_new([cube]).unwrap());
    let mut hits = 0;
    for step in 0..600 {
        let map = DAffine3::from_rotation_z(f64::from(step) * 0.013_455_749);
        let world = world_of([placed(list.clone(), &map)]);
        let from = map.transform_point3(DVec3::new(-5.0, 1.0, 0.3));
        let ray = Ray64::new(from, map.transform_vector3(DVec3::X));
        for hit in world.all_hits(&ray) {
            let point = world.shape_details(&ray, &hit).unwrap().surface.point;
            let off = point.distance(ray.at(hit.t));
            assert!(off < 1e-5, "{step} {hit:?} {point}");
            hits += 1;
        }
    }
    assert!(hits > 300, "{hits}");
}
