//! Shapes of the user in scenes.

use crate::common::{here, placed, placed_by, world_of};
use estoc_batch::Batch;
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::glam::{DAffine3, DQuat, DVec3, EulerRot};
use estoc_core::{
    Closest, Count, Cull, ObjectRay, PointQuery, PrimId, QueryError, QueryOptions, Ray, Ray64,
    RayQuery, SceneHit, ScenePath, ScenePrim, ShapeEnd, Side, UserHit, WorldLine,
};
use estoc_mesh::Mesh;
use estoc_scene::{
    Placement, PlacementMatrix, SceneSnapshot, UserGeometry, UserShapes, UserShapesError,
};
use estoc_testkit::generate::Rng;
use std::sync::Arc;

/// Stacks of two slabs each, a unit square wide: four hits of a line, or none.
struct Stacks {
    places: Vec<DVec3>,
    is_closed: bool,
}

const HEIGHTS: [f64; 4] = [0.0, 0.25, 0.5, 0.75];

fn id(path: &[u32], prim: usize, number: u32) -> ScenePrim {
    let path = ScenePath::try_new(path).unwrap();
    let prim = PrimId::from_index(prim).unwrap();
    ScenePrim::shape(path, prim, ShapeEnd::Nth(number))
}

impl UserGeometry for Stacks {
    fn primitive_count(&self) -> usize {
        self.places.len()
    }

    fn bounds(&self, prim: PrimId) -> [DVec3; 2] {
        let place = self.places[prim.index()];
        [place, place + DVec3::new(1.0, 1.0, HEIGHTS[3])]
    }

    fn hits(&self, prim: PrimId, ray: &ObjectRay, report: &mut dyn FnMut(UserHit)) {
        let place = self.places[prim.index()];
        let mut hits = HEIGHTS.map(|height| {
            let t = (place.z + height - ray.origin.z) / ray.dir.z;
            let at = ray.at(t) - place;
            let is_beside = !(0.0..=1.0).contains(&at.x) || !(0.0..=1.0).contains(&at.y);
            if is_beside { f64::NAN } else { t }
        });
        // A ray that leaves through a side is beside what it would meet behind.
        if hits.iter().any(|t| t.is_nan()) {
            return;
        }
        hits.sort_by(f64::total_cmp);
        let kinds = [UserHit::entry, UserHit::exit, UserHit::entry, UserHit::exit];
        for (t, kind) in hits.into_iter().zip(kinds) {
            report(kind(t));
        }
    }

    fn is_closed(&self) -> bool {
        self.is_closed
    }
}

fn stacks(rng: &mut Rng, count: usize) -> Arc<UserShapes> {
    let places = (0..count).map(|_| (rng.point() * 4.0).as_dvec3());
    let is_closed = true;
    let places = places.collect();
    Arc::new(UserShapes::try_new(Stacks { places, is_closed }).unwrap())
}

/// Returns all hits in order, with their sides, found without a tree.
fn expected(
    scene: &SceneSnapshot,
    paths: &[ScenePath],
    line: &WorldLine,
    [t_min, t_max]: [f32; 2],
) -> Vec<(f64, ScenePrim, Side)> {
    let mut all = Vec::new();
    for &path in paths {
        let shapes = scene.user_shapes(path).expect("a path to shapes");
        let ray = ObjectRay::of(line, &scene.matrix(path).unwrap()).unwrap();
        for prim in (0..shapes.len()).map(|index| PrimId::from_index(index).unwrap()) {
            let mut number = 0;
            shapes.geometry().hits(prim, &ray, &mut |hit| {
                let id = ScenePrim::shape(path, prim, ShapeEnd::Nth(number));
                number += 1;
                if hit.t >= t_min.into() && hit.t <= t_max.into() {
                    all.push((hit.t, id, hit.side));
                }
            });
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    all
}

fn parts(hits: &[SceneHit]) -> Vec<(ScenePrim, f32)> {
    hits.iter().map(|hit| (hit.id(), hit.t)).collect()
}

/// Every query against a loop over all that the shapes report, under matrices of all sorts and nested.
#[test]
fn reported_hits_are_answered_in_every_query() {
    let rng = &mut Rng::named(7, "stacks");
    let (few, many) = (stacks(rng, 3), stacks(rng, 60));
    let sheared = [
        [0.8, 0.6, 0.0, 2.0],
        [-0.6, 0.8, 0.5, 0.0],
        [0.0, 0.3, -1.5, 4.0],
    ];
    let matrices = [
        PlacementMatrix::IDENTITY,
        PlacementMatrix::from_rows(sheared).unwrap(),
        PlacementMatrix::try_new(&DAffine3::from_translation(DVec3::new(1.0, 0.25, -2.0))).unwrap(),
    ];
    let by = |shapes: &Arc<UserShapes>, matrix| Placement::with_matrix(shapes.clone(), matrix);
    let inner = world_of(matrices.map(|matrix| by(&few, matrix)));
    let inner = Placement::with_matrix(inner, matrices[1]);
    // Twice in one place: all hits are ties.
    let twice = matrices.map(|matrix| [by(&many, matrix), by(&many, matrix)]);
    let world = world_of(twice.into_iter().flatten().chain([inner]));
    assert_eq!(world.shape_count(), 6 * 60 + 9);
    let paths = (0..6).map(|number| vec![number]);
    let paths = paths.chain((0..3).map(|number| vec![6, number]));
    let paths = paths.map(|path| ScenePath::try_new(&path).unwrap());
    let paths: Vec<_> = paths.collect();

    let (mut rays, mut hits, mut resumed) = (Vec::new(), 0, 0);
    for _ in 0..400 {
        let target = rng.point() * 5.0;
        let origin = rng.point() * 8.0;
        let ray = Ray::new(origin, target - origin).with_interval(-1.0, 3.0);
        let line = WorldLine::of(&PreparedRay::new(&ray).unwrap());
        let expected = expected(&world, &paths, &line, [-1.0, 3.0]);
        let rounded = expected.iter().map(|&(t, id, _)| (id, t as f32 + 0.0));
        let rounded: Vec<_> = rounded.collect();
        hits += rounded.len();
        let all = world.all_hits(&ray);
        assert_eq!(parts(&all), rounded, "{ray:?}");
        assert_eq!(world.closest_hit(&ray), all.first().copied());
        assert_eq!(world.any_hit(&ray), !all.is_empty());
        assert_eq!(world.count_hits(&ray), all.len());
        assert_eq!(world.crossings(&ray), all);
        assert_eq!(world.first_hits(&ray, 3), all[..all.len().min(3)]);
        let wide = Ray64::from(ray);
        assert_eq!(world.all_hits(&wide), all);
        assert_eq!(world.closest_hit(&wide), all.first().copied());
        let backs = QueryOptions::default().cull(Cull::Front);
        let kept = expected.iter().filter(|hit| hit.2 == Side::Back).count();
        assert_eq!(world.ask_with(Count, &ray, &backs), Ok(kept));
        for pair in all.windows(2).take(6) {
            let after = QueryOptions::default().after(Some(pair[0].id()));
            assert_eq!(world.ask_with(Closest, &ray, &after), Ok(Some(pair[1])));
            let asked = world.ask_with(Closest, &wide, &after);
            assert_eq!(asked, Ok(Some(pair[1])));
            resumed += 1;
        }
        if let [first, ..] = all[..] {
            let skip = QueryOptions::default().skip(Some(first.id()));
            let second = all.get(1).copied();
            assert_eq!(world.ask_with(Closest, &ray, &skip), Ok(second));
        }
        rays.push(ray);
    }
    assert!(hits > 600 && resumed > 250, "{hits} {resumed}");
    let batch = Batch::new().threads(2);
    let rows = batch.all_hits(&world, &rays).unwrap();
    for (place, ray) in rays.iter().enumerate() {
        assert_eq!(rows.row(place), Some(&world.all_hits(ray)[..]));
    }
}

/// Stacks whose number and boxes are not asked, and whose hits are behind by a parameter.
struct Known(Stacks, f64);

impl UserGeometry for Known {
    fn primitive_count(&self) -> usize {
        unreachable!("the tree is that of other shapes")
    }

    fn bounds(&self, _: PrimId) -> [DVec3; 2] {
        unreachable!("the tree is that of other shapes")
    }

    fn hits(&self, prim: PrimId, ray: &ObjectRay, report: &mut dyn FnMut(UserHit)) {
        self.0.hits(prim, ray, &mut |hit| {
            report(UserHit {
                t: hit.t + self.1,
                ..hit
            });
        });
    }
}

#[test]
fn another_geometry_shares_the_tree() {
    let places: Vec<_> = (0..40u8).map(|i| DVec3::splat(f64::from(i))).collect();
    let stacks = || Stacks {
        places: places.clone(),
        is_closed: false,
    };
    let shapes = UserShapes::try_new(stacks()).unwrap();
    let other = shapes.with_geometry(Known(stacks(), 0.125));
    assert_eq!((other.len(), other.bounds()), (40, shapes.bounds()));
    let world = world_of([here(shapes), here(other)]);
    let ray = Ray::new([7.5, 7.5, 0.0], [0.0, 0.0, 1.0]);
    let found: Vec<_> = world
        .all_hits(&ray)
        .iter()
        .map(|hit| (hit.t, hit.path.numbers()[0], hit.prim.get()))
        .collect();
    let expected = HEIGHTS.map(|z| 7.0 + z as f32);
    let expected: Vec<_> = expected
        .into_iter()
        .flat_map(|t| [(t, 0, 7), (t + 0.125, 1, 7)])
        .collect();
    assert_eq!(found, expected);
}

/// A mesh, a shape of the user in the same place, and both ends of what a resumed query may name.
#[test]
fn ties_with_triangles_go_by_path_and_ids_are_checked() {
    let corners = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]];
    let sheet = Arc::new(Bvh::build(&Mesh::try_new(corners, [[0, 1, 2]]).unwrap()));
    let one = Stacks {
        places: vec![DVec3::ZERO],
        is_closed: false,
    };
    let world = world_of([
        here(sheet.clone()),
        here(UserShapes::try_new(one).unwrap()),
        here(sheet),
    ]);
    let ray = Ray::new([0.25, 0.25, -1.0], [0.0, 0.0, 1.0]);
    let hits = world.all_hits(&ray);
    let found: Vec<_> = hits
        .iter()
        .map(|hit| (hit.t, hit.path.numbers()[0]))
        .collect();
    let ties = [(1.5, 0), (1.5, 1), (1.5, 2)];
    assert_eq!(
        found,
        [&[(1.0, 1), (1.25, 1)], &ties[..], &[(1.75, 1)]].concat()
    );
    let after = |id| world.ask_with(Closest, &ray, &QueryOptions::default().after(Some(id)));
    assert_eq!(after(id(&[1], 0, 2)).unwrap().unwrap().path.numbers(), [2]);
    let prim = PrimId::new(0).unwrap();
    assert_eq!(after(id(&[1], 0, 4)), Err(QueryError::AfterMissed { prim }));
    let there = ScenePath::try_new(&[1]).unwrap();
    let entry = ScenePrim::shape(there, prim, ShapeEnd::Entry);
    let prim = PrimId::new(1).unwrap();
    let (none, no_mesh) = (after(id(&[1], 1, 0)), after(entry));
    assert!(matches!(none, Err(QueryError::NoSuchPrim { prim: wrong, .. }) if wrong == prim));
    assert!(matches!(no_mesh, Err(QueryError::NoSuchPrim { .. })));
    assert!(world.details(&world.closest_hit(&ray).unwrap()).is_none());
    // No object is closed: two sheets and a geometry that does not say it is.
    assert_eq!(world.contains([0.25, 0.25, 0.1]), None);
    assert_eq!(world.open_objects(), 3);
}

#[test]
fn closed_shapes_contain_points() {
    let one = Stacks {
        places: vec![DVec3::ZERO, DVec3::new(0.5, 0.0, 0.0)],
        is_closed: true,
    };
    // Lines along +x of the world go along +z of the object.
    let rows = [
        [0.0, 0.0, 2.0, 5.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
    ];
    let world = world_of([placed_by(UserShapes::try_new(one).unwrap(), rows)]);
    let inside = |x: f32, y: f32| world.contains([x, y, 0.5]);
    assert_eq!(world.closed_objects(), 1);
    for (x, is_inside) in [
        (5.25, true),
        (5.5, true),
        (5.75, false),
        (6.0, true),
        (6.25, true),
        (6.75, false),
    ] {
        // In one of them, in both, which are objects of their own, and beside.
        assert_eq!(inside(x, 0.25), Some(is_inside), "{x}");
        assert_eq!(inside(x, 0.75), Some(is_inside), "{x}");
        assert_eq!(inside(x, 2.0), Some(false), "{x}");
    }
}

/// Reports what it is told to.
struct Says(Vec<f64>, [DVec3; 2]);

impl UserGeometry for Says {
    fn primitive_count(&self) -> usize {
        1
    }

    fn bounds(&self, _: PrimId) -> [DVec3; 2] {
        self.1
    }

    fn hits(&self, _: PrimId, _: &ObjectRay, report: &mut dyn FnMut(UserHit)) {
        self.0.iter().for_each(|&t| report(UserHit::tangent(t)));
    }
}

#[test]
fn hostile_reports_and_boxes_have_defined_answers() {
    let everywhere = [DVec3::NEG_INFINITY, DVec3::INFINITY];
    let reported = vec![
        f64::NAN,
        2.0,
        f64::INFINITY,
        -0.0,
        f64::NEG_INFINITY,
        1e300,
        2.0,
    ];
    let of = |bounds| UserShapes::try_new(Says(reported.clone(), bounds));
    let inner = world_of([here(of(everywhere).unwrap())]);
    let shear = [
        [1.0, 9.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 3.0],
        [0.0, 0.0, -1.0, 0.0],
    ];
    let world = world_of([placed_by(inner, shear)]);
    let ray = Ray::new([4.0, 5.0, 6.0], [0.0, 1.0, 2.0]);
    let hits = world.all_hits(&ray);
    let found: Vec<_> = hits.iter().map(|hit| (hit.t.to_bits(), hit.end)).collect();
    let nth = |t: f32, number| (t.to_bits(), Some(ShapeEnd::Nth(number)));
    // Beyond `f32`, t is infinite and still a hit.
    let expected = [(0.0, 3), (2.0, 1), (2.0, 6), (f32::INFINITY, 5)];
    assert_eq!(found, expected.map(|(t, number)| nth(t, number)));
    assert_eq!(world.count_crossings(&ray), 0);
    assert_eq!(world.contains([0.0; 3]), None);
    let after = QueryOptions::default().after(Some(id(&[0, 0], 0, 0)));
    let missed = world.ask_with(Closest, &ray, &after);
    assert!(matches!(missed, Err(QueryError::AfterMissed { .. })));

    let empty = of([DVec3::ONE, DVec3::new(2.0, 0.0, 2.0)]).unwrap();
    assert_eq!((empty.bounds(), empty.len()), (None, 1));
    assert!(!world_of([here(empty)]).any_hit(&ray));

    let error = of([DVec3::ZERO, DVec3::new(1.0, f64::NAN, 1.0)]).unwrap_err();
    assert!(matches!(error, UserShapesError::NanBounds { .. }));
    assert_eq!(
        error.to_string(),
        "the bounds of primitive 0 are from [0, 0, 0] to [1, NaN, 1] but must not contain NaN; \
         infinite ones are allowed"
    );

    // A ray beyond `f64` in the object's space misses.
    let tiny = DAffine3::from_scale(DVec3::splat(1e-300));
    let world = world_of([placed(of(everywhere).unwrap(), &tiny)]);
    assert!(!world.any_hit(&Ray::new([1e20, 0.0, 0.0], [0.0, 0.0, 1.0])));
    assert!(world.any_hit(&Ray::new([1.0, 0.0, 0.0], [0.0, 0.0, 1.0])));
}

/// An infinite plane that is turned, beside a mesh that a composed and rounded matrix places: what is
/// granted for that rounding has no bound, and must not be taken for none.
#[test]
fn infinite_shapes_hide_nothing_beside_them() {
    let sheet =
        Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let sheet = Arc::new(Bvh::build(&sheet));
    let flat = [
        DVec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0),
        DVec3::new(f64::INFINITY, f64::INFINITY, 0.0),
    ];
    let plane = Arc::new(UserShapes::try_new(Says(vec![1e6], flat)).unwrap());
    let turn = DQuat::from_euler(EulerRot::XYZ, 0.3, 0.4, 0.5);
    for (inside, outside) in [(0.9, 1e16), (50.0, 1e18)] {
        let moved = |x: f64| DAffine3::from_translation(DVec3::new(x, 0.0, 0.0));
        let turned = DAffine3::from_rotation_translation(turn, DVec3::new(0.0, 0.0, -1000.0));
        let beside = placed(sheet.clone(), &moved(inside));
        let inner = world_of([beside, placed(plane.clone(), &turned)]);
        let world = world_of([placed(inner, &moved(outside))]);
        let near = DVec3::new(outside, 0.25, 0.0);
        assert!(world.any_within(near, 0.05));
        assert_eq!(world.closest_point(near).unwrap().distance, 0.0);
        for t_min in [f64::NEG_INFINITY, 0.0] {
            let ray = Ray64::new(near + DVec3::new(0.0, 0.0, 5.0), DVec3::NEG_Z);
            let ray = ray.with_interval(t_min, f64::INFINITY);
            let hit = world.closest_hit(&ray).unwrap();
            assert_eq!((hit.t, hit.path.numbers()), (5.0, &[0, 0][..]));
        }
    }
}
