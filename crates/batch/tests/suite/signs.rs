//! Signs of many points: the answers of single calls in every form.

use crate::common::{streamed, teapot};
use estoc_batch::{
    Answers, Batch, BatchError, CacheSizes, IntoItems, Item, SignedDistanceColumns, StreamItem,
    WindingColumns,
};
use estoc_bvh::Bvh;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    BruteForce, ContainsBy, Engine, EstimatedWinding, Length, Masks, PointEngine, PointKind,
    PointQuery, QuerySlice, RayQuery, SignRule, SignedDistanceBy, SurfaceError, Technique, Winding,
    WindingNumber,
};
use estoc_demo::DemoSpec;
use estoc_testkit::generate::{Rng, near_points, scenes};
use std::convert::Infallible;

const RULES: [SignRule; 3] = [
    SignRule::Parity,
    SignRule::WindingNumber,
    SignRule::WindingEstimate,
];

/// Asks in every form, and compares with single calls. Returns the number of points inside.
fn check<'s, V, E>(name: &str, engine: &E, points: &'s [V]) -> usize
where
    V: PointKind<Coordinate: Default> + Item + 'static,
    E: PointEngine<V> + Sync,
    &'s [V]: IntoItems<'s, Item = V>,
    &'s V: StreamItem<Item = V, Error = Infallible>,
    SignedDistanceColumns<V::Coordinate>: Answers<E, SignedDistanceBy, V>,
{
    let mut inside = 0;
    for (turn, threads) in [1, 2, 5].into_iter().enumerate() {
        let batch = Batch::new().threads(threads).reorder(turn == 1);
        let batch = match turn {
            2 => batch.chunk_size(17),
            _ => batch,
        };
        for rule in RULES {
            let what = format!("{name}, {threads} threads, {rule}");
            let one = |&point: &V| engine.signed_distance_by(point, rule);
            let singles: Result<Vec<_>, SurfaceError<V::Coordinate>> =
                points.iter().map(one).collect();
            let question = SignedDistanceBy(rule);
            let checked = question.check_surface(engine);
            let asked = batch.ask(engine, question, points).unwrap();
            let columns: SignedDistanceColumns<V::Coordinate> =
                batch.ask_as(engine, question, points).unwrap();
            let in_order = batch.reorder(false);
            let streamed_each = streamed(&in_order, engine, question, points);
            let inside_one = |&point: &V| engine.contains_by(point, rule).ok();
            let inside_each: Vec<_> = points.iter().map(inside_one).collect();
            let inside_asked = batch.ask(engine, ContainsBy(rule), points);
            assert_eq!(inside_asked, Ok(inside_each.clone()), "{what}");
            let inside_streamed = streamed(&in_order, engine, ContainsBy(rule), points);
            assert_eq!(inside_streamed, inside_each, "{what}");
            assert_eq!(ContainsBy(rule).check_surface(engine), checked, "{what}");
            let Ok(singles) = singles else {
                let refused = points.first().map(|&p| engine.signed_distance_by(p, rule));
                let Some(Err(error)) = refused else {
                    panic!("{what}")
                };
                assert_eq!(checked, Err(error), "{what}");
                assert!(streamed_each.iter().all(Option::is_none), "{what}");
                assert!(asked.iter().all(Option::is_none), "{what}");
                assert!(columns.inside.iter().all(|&mark| mark == 255), "{what}");
                continue;
            };
            assert_eq!(checked, Ok(()), "{what}");
            assert_eq!(asked, singles, "{what}");
            assert_eq!(streamed_each, singles, "{what}");
            assert_eq!(columns.signed.len(), points.len());
            for (place, single) in singles.iter().enumerate() {
                let cells = (columns.signed[place], columns.inside[place]);
                let want = single.map_or((Length::INFINITY, 255), |found| {
                    (found.signed, u8::from(found.inside))
                });
                assert_eq!(cells, want, "{what}");
                inside += usize::from(single.is_some_and(|found| found.inside));
            }
        }
        check_windings(name, engine, points, &batch);
    }
    inside
}

fn check_windings<'s, V, E>(name: &str, engine: &E, points: &'s [V], batch: &Batch<'_>)
where
    V: PointKind + Item,
    E: PointEngine<V> + Sync,
    &'s [V]: IntoItems<'s, Item = V>,
{
    let estimates: Vec<_> = points.iter().map(|&p| engine.winding_estimate(p)).collect();
    assert_eq!(batch.ask(engine, EstimatedWinding, points), Ok(estimates));
    let singles: Result<Vec<_>, _> = points.iter().map(|&p| engine.winding_number(p)).collect();
    let found = batch.ask(engine, WindingNumber, points).unwrap();
    let checked = WindingNumber.check_surface(engine);
    let columns: WindingColumns = batch.ask_as(engine, WindingNumber, points).unwrap();
    match singles {
        Ok(singles) => {
            let singles: Vec<Option<Winding>> = singles.into_iter().map(Some).collect();
            assert_eq!(found, singles, "{name}");
            let rows = (0..=points.len()).map(|place| columns.get(place));
            assert!(rows.eq(singles.into_iter().chain([None])), "{name}");
        }
        Err(error) => {
            assert_eq!(checked, Err(error), "{name}");
            assert!(found.iter().all(Option::is_none), "{name}");
            assert!((0..points.len()).all(|place| columns.get(place).is_none()));
        }
    }
}

#[test]
fn signs_of_batches_are_those_of_single_calls() {
    let (bvh, _, points) = teapot(43, 1500, 0.0, 0.5);
    let inside = check("teapot", &bvh, &points);
    assert!(inside > 100, "{inside}");
    let found = Batch::new().signed_distances(&bvh, &points).unwrap();
    let asked = Batch::new().ask(&bvh, SignedDistanceBy(SignRule::Parity), &points);
    assert_eq!(asked, Ok(found));
}

#[test]
fn signs_of_meshes_in_f64_are_those_of_single_calls_whatever_masks_hide() {
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let mesh = mesh.into_f64().unwrap();
    let bvh = Bvh::build(&mesh);
    let hidden = bvh
        .clone()
        .with_masks(Masks::from_runs([(bvh.triangle_count(), 0)]));
    let mut rng = Rng::new(51);
    let mut number = || rng.below(1 << 20) as f64 / f64::from(1 << 18) - 2.0;
    let mut points: Vec<DVec3> = (0..300)
        .map(|_| DVec3::new(number(), number(), number()) * 0.7)
        .collect();
    points.extend([DVec3::NAN, mesh.positions()[7], DVec3::splat(1e300)]);
    let inside = check("sphere", &bvh, &points);
    assert!(inside > 100, "{inside}");
    assert_eq!(check("hidden sphere", &hidden, &points), inside);
    let batch = Batch::new();
    let contains = batch.contains(&bvh, &points).unwrap();
    assert_eq!(batch.contains(&hidden, &points).unwrap(), contains);
    let distances = batch.distances(&bvh, &points).unwrap();
    for ((&point, inside), distance) in points.iter().zip(contains).zip(distances) {
        assert_eq!(
            [bvh.contains_64(point), hidden.contains_64(point)],
            [inside; 2]
        );
        assert_eq!(bvh.distance(point), distance);
    }
}

#[test]
fn signs_over_generated_scenes_are_those_of_single_calls() {
    for scene in scenes(6) {
        let mut rng = Rng::named(scene.seed, "sign batches");
        let points: Vec<Vec3> = near_points(&scene, &mut rng, 12).into_iter().collect();
        let engine = BruteForce::new(scene.triangles.clone());
        check(scene.name, &engine, &points);
        let question = SignedDistanceBy(SignRule::Parity);
        let found = Batch::new().threads(2).signed_distances(&engine, &points);
        let checked = question.check_surface(&engine).map_err(BatchError::from);
        let asked = Batch::new().ask(&engine, question, &points);
        assert_eq!(found, checked.and(asked), "{}", scene.name);
    }
}

/// Points that are not active have no answer, whatever the technique.
#[test]
fn inactive_points_have_no_sign() {
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let corner = mesh.positions()[3];
    let points = [Vec3::ZERO, Vec3::splat(3.0), corner, Vec3::NAN, Vec3::ZERO];
    let active = [true, true, true, true, false];
    for technique in Technique::ALL {
        let many = QuerySlice::new(&points)
            .active(&active)
            .technique(technique);
        let mut numbers = [None; 5];
        bvh.ask_many(WindingNumber, &many, &mut numbers).unwrap();
        let number = |n| Some(Winding::Number(n));
        let one = bvh.winding_number(Vec3::ZERO).unwrap().number().unwrap();
        let on_surface = Some(Winding::OnSurface);
        let want = [number(one), number(0), on_surface, number(0), None];
        assert_eq!(numbers, want, "{technique}");
        for rule in RULES {
            let mut signed = [bvh.signed_distance([9.0; 3]).unwrap(); 5];
            bvh.ask_many(SignedDistanceBy(rule), &many, &mut signed)
                .unwrap();
            for (place, found) in signed.into_iter().enumerate() {
                let single = bvh.signed_distance_by(points[place], rule).unwrap();
                let expected = single.filter(|_| active[place]);
                assert_eq!(found, expected, "{technique} {rule}");
            }
        }
    }
    assert!(bvh.is_closed() && Engine::is_closed(&bvh));
}

#[test]
fn points_are_sorted_for_signs_where_the_tree_exceeds_the_caches() {
    let (bvh, _, points) = teapot(44, 3000, 0.0, 0.5);
    let tiny = CacheSizes {
        core: 1,
        ..CacheSizes::TYPICAL
    };
    let [batch, usual] = [tiny, CacheSizes::TYPICAL].map(|caches| Batch::new().caches(caches));
    for rule in RULES {
        let question = SignedDistanceBy(rule);
        assert!(batch.plan(&bvh, question, &points).reorder, "{rule}");
        assert!(!usual.plan(&bvh, question, &points).reorder, "{rule}");
        let sorted = batch.ask(&bvh, question, &points);
        assert_eq!(sorted, usual.ask(&bvh, question, &points), "{rule}");
    }
    assert!(batch.plan(&bvh, WindingNumber, &points).reorder);
    let sorted = batch.ask(&bvh, WindingNumber, &points);
    assert_eq!(sorted, usual.ask(&bvh, WindingNumber, &points));
}
