//! What is near many points: the answers of single calls in every form.

use crate::common::{rows_of, streamed, teapot};
use estoc_batch::{
    Batch, BatchError, ClosestPointColumns, ColumnRows, Points, PrimColumns, Query, Rows,
    StreamError,
};
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{
    AnyWithin, BruteForce, ClosestK, ClosestPoint, ClosestPointWithin, Cull, Distance, Feature,
    PointEngine, PointQuery, PrimId, Technique, Triangle, Within,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::generate::{Rng, near_points, scenes};
use std::convert::Infallible;
use std::ops::ControlFlow;

const GO_ON: ControlFlow<Infallible> = ControlFlow::Continue(());
/// The number of closest triangles asked for.
const K: usize = 3;

/// The answers about points.
#[derive(Debug, Default, PartialEq)]
struct Answers {
    closest: Vec<Option<ClosestPoint>>,
    within: Vec<Option<ClosestPoint>>,
    distances: Vec<Option<f32>>,
    any: Vec<bool>,
    k_closest: Rows<ClosestPoint>,
    all_within: Rows<PrimId>,
}

impl Answers {
    /// Returns the answers of single calls.
    fn single(engine: &impl PointEngine, points: &[Vec3], radius: f32) -> Self {
        let points = || points.iter().copied();
        Answers {
            closest: points().map(|p| engine.closest_point(p)).collect(),
            within: (points().map(|p| engine.closest_point_within(p, radius))).collect(),
            distances: points().map(|p| engine.distance(p)).collect(),
            any: points().map(|p| engine.any_within(p, radius)).collect(),
            k_closest: rows_of(points().map(|p| engine.closest_points(p, K))),
            all_within: rows_of(points().map(|p| engine.within(p, radius))),
        }
    }

    fn of<'r>(
        batch: &Batch<'_>,
        engine: &(dyn PointEngine + Sync),
        points: impl Into<Points<'r>>,
        radius: f32,
    ) -> Self {
        let points = points.into();
        Answers {
            closest: batch.closest_points(engine, points).unwrap(),
            within: (batch.ask(engine, ClosestPointWithin(radius), points)).unwrap(),
            distances: batch.distances(engine, points).unwrap(),
            any: batch.ask(engine, AnyWithin(radius), points).unwrap(),
            k_closest: batch.ask(engine, ClosestK(K), points).unwrap(),
            all_within: batch.ask(engine, Within(radius), points).unwrap(),
        }
    }

    /// Returns the answers of streams.
    fn streamed(
        batch: &Batch<'_>,
        engine: &(dyn PointEngine + Sync),
        points: &[Vec3],
        radius: f32,
    ) -> Self {
        Answers {
            closest: streamed(batch, engine, ClosestPointWithin::default(), points),
            within: streamed(batch, engine, ClosestPointWithin(radius), points),
            distances: streamed(batch, engine, Distance, points),
            any: streamed(batch, engine, AnyWithin(radius), points),
            k_closest: streamed(batch, engine, ClosestK(K), points),
            all_within: streamed(batch, engine, Within(radius), points),
        }
    }
}

/// Asks for rows in columns, and compares them with rows of single calls.
fn check_row_columns(
    batch: &Batch<'_>,
    engine: &(impl PointEngine + Sync),
    points: &[Vec3],
    radius: f32,
    expected: &Answers,
) {
    let offsets = |offsets: &[usize]| offsets.iter().map(|&end| end as i64).collect::<Vec<_>>();
    let rows: ColumnRows<ClosestPointColumns> = batch.ask_as(engine, ClosestK(K), points).unwrap();
    assert_eq!(rows.offsets, offsets(&expected.k_closest.offsets));
    let closest = expected.k_closest.values.iter().copied().map(Some);
    assert_eq!(rows.values, in_columns(&closest.collect::<Vec<_>>()));
    let mut rows = ColumnRows {
        offsets: vec![7; 9],
        values: PrimColumns { prim: vec![5; 3] },
    };
    let filled = batch.ask_into(engine, Within(radius), points, &mut rows);
    assert_eq!(filled.map(|report| report.rays), Ok(points.len() as u64));
    assert_eq!(rows.offsets, offsets(&expected.all_within.offsets));
    let prims = expected.all_within.values.iter().map(|prim| prim.get());
    assert!(prims.eq(rows.values.prim.iter().copied()));
}

/// Returns the same answers in columns, as they are documented.
fn in_columns(closest: &[Option<ClosestPoint>]) -> ClosestPointColumns {
    let number = |none: f32, of: &dyn Fn(&ClosestPoint) -> f32| {
        let numbers = closest.iter().map(|found| found.as_ref().map_or(none, of));
        numbers.collect::<Vec<f32>>()
    };
    let found = || closest.iter().copied();
    let prims = found().map(|found| found.map(|found| found.prim.get()));
    let features = found().map(|found| match found.map(|found| found.feature) {
        None => 255,
        Some(Feature::Vertex(vertex)) => vertex,
        Some(Feature::Edge(edge)) => 3 + edge,
        Some(Feature::Face) => 6,
    });
    ClosestPointColumns {
        distance: number(f32::INFINITY, &|found| found.distance),
        prim: prims.map(|prim| prim.unwrap_or(u32::MAX)).collect(),
        u: number(0.0, &|found| found.u),
        v: number(0.0, &|found| found.v),
        feature: features.collect(),
        x: number(0.0, &|found| found.point.x),
        y: number(0.0, &|found| found.point.y),
        z: number(0.0, &|found| found.point.z),
    }
}

/// Asks in every form, with settings that change from call to call, and compares with single calls.
fn check(
    name: &str,
    engine: &(impl PointEngine + Sync),
    points: &[Vec3],
    radius: f32,
    turn: &mut usize,
) {
    let expected = Answers::single(engine, points, radius);
    let columns = in_columns(&expected.closest);
    let xyz = [0, 1, 2].map(|axis| points.iter().map(|p| p[axis]).collect::<Vec<f32>>());
    let flat: Vec<f32> = points.iter().flat_map(Vec3::to_array).collect();
    for threads in [1, 2, 3, 7] {
        *turn += 1;
        let chunk = [None, Some(1), Some(13), Some(64), Some(1000)][*turn % 5];
        let reorder = (*turn).is_multiple_of(3);
        let batch = Batch::new().threads(threads).reorder(reorder);
        let batch = chunk.map_or(batch, |size| batch.chunk_size(size));
        let count = points.len();
        let what = format!("{name}, {count} points, {threads} threads, {chunk:?}");
        let layouts = [
            Points::from(points),
            Points::rows_of_3(&flat).unwrap(),
            Points::from_columns(&xyz[0], &xyz[1], &xyz[2]).unwrap(),
        ];
        let found = Answers::of(&batch, engine, layouts[*turn % 3], radius);
        assert_eq!(found, expected, "{what}");
        let streamed = Answers::streamed(&batch.reorder(false), engine, points, radius);
        assert_eq!(streamed, expected, "{what}: stream");

        if (*turn).is_multiple_of(2) {
            check_row_columns(&batch, engine, points, radius, &expected);
        }
        let any = ClosestPointWithin::default();
        let found: ClosestPointColumns = batch.ask_as(engine, any, points).unwrap();
        assert_eq!(found, columns, "{what}");
        let rows = (0..=points.len()).map(|place| found.get(place));
        let expected_rows = expected.closest.iter().copied().chain([None]);
        assert!(rows.eq(expected_rows), "{what}");
        let mut streamed = Vec::new();
        let sink = |some: &[Vec3], found: &ClosestPointColumns| {
            assert_eq!(some.len(), found.len());
            streamed.extend((0..found.len()).map(|place| found.get(place)));
            GO_ON
        };
        let ended = batch.stream(points).ask_as(engine, any, sink);
        assert!(ended.is_ok(), "{what}");
        assert_eq!(streamed, expected.closest, "{what}: stream of columns");
    }
}

#[test]
fn closest_points_of_batches_are_those_of_single_calls() {
    let (bvh, mesh, mut points) = teapot(41, 2500, -0.2, 0.7);
    let size = mesh.bounds().max() - mesh.bounds().min();
    for (i, point) in points.iter_mut().enumerate().take(100) {
        match i % 53 {
            // Few: nearly all triangles are equally far in f64, so exact arithmetic compares them.
            30 => *point *= 1e30,
            40 => point.y = f32::MAX,
            _ => {}
        }
    }
    let mut turn = 0;
    for count in [0, 1, 2, 3, 7, 63, 64, 65, 1023, 1024, 1025, 2500] {
        check("teapot", &bvh, &points[..count], size.x * 0.1, &mut turn);
    }
    let expected = Answers::single(&bvh, &points, size.x * 0.1);
    let counts = [
        expected.closest.iter().flatten().count(),
        expected.within.iter().flatten().count(),
        expected.any.iter().filter(|any| **any).count(),
    ];
    assert!(counts[0] > 2300 && counts[1] > 500, "{counts:?}");
    assert!(counts[1] < 2000 && counts[1] == counts[2], "{counts:?}");
}

#[test]
fn closest_points_over_generated_scenes_are_those_of_single_calls() {
    let mut turn = 0;
    for scene in scenes(5) {
        let mut rng = Rng::named(scene.seed, "near batches");
        let points = near_points(&scene, &mut rng, 15);
        let radius = points.first().map_or(1.0, |point| point.x.abs());
        let brute = BruteForce::new(scene.triangles.clone());
        check(scene.name, &brute, &points, radius, &mut turn);
    }
}

#[test]
fn near_a_mesh_without_triangles_is_nothing() {
    let points = [Vec3::ZERO, Vec3::NAN, Vec3::INFINITY];
    let mut turn = 0;
    for bvh in [
        Bvh::build(&Mesh::default()),
        // A triangle without area.
        Bvh::build(&Mesh::try_new([[0.0; 3], [1.0; 3], [2.0; 3]], [[0, 1, 2]]).unwrap()),
    ] {
        check("nothing", &bvh, &points, f32::INFINITY, &mut turn);
        let closest = Batch::new().closest_points(&bvh, &points).unwrap();
        assert_eq!(closest, [None; 3]);
        let columns = Batch::new().ask_as(&bvh, ClosestPointWithin::default(), &points);
        let columns: ClosestPointColumns = columns.unwrap();
        assert_eq!(columns.distance, [f32::INFINITY; 3]);
        assert_eq!(columns.prim, [u32::MAX; 3]);
        assert_eq!(columns.feature, [255; 3]);
        assert_eq!((columns.validity(), columns.len()), (vec![0], 3));
    }
}

#[test]
fn a_distance_that_overflows_is_told_from_none_by_its_triangle() {
    let far = Triangle::new([3e38, 3e38, 3e38], [3e38, 3e38, 2e38], [3e38, 2e38, 3e38]);
    let engine = BruteForce::new([far]);
    let points = [Vec3::splat(-3e38), Vec3::NAN];
    let columns = Batch::new().ask_as(&engine, ClosestPointWithin::default(), &points);
    let columns: ClosestPointColumns = columns.unwrap();
    assert_eq!(columns.distance, [f32::INFINITY; 2]);
    assert_eq!(columns.prim, [0, u32::MAX]);
    assert_eq!(columns.validity(), [1]);
    assert_eq!(columns.get(0), engine.closest_point(points[0]));
    assert_eq!(columns.get(0).unwrap().distance, f32::INFINITY);
}

#[test]
fn radii_that_find_nothing_and_everything_do_so_for_many() {
    let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
    let engine = BruteForce::new([1.0, 5.0].map(sheet));
    let points = [[1.0, 1.0, 1.0], [1.0, 1.0, 2.0], [1.0, 1.0, f32::NAN]];
    let batch = Batch::new();
    for (radius, expected) in [
        (-1.0, [false; 3]),
        (f32::NAN, [false; 3]),
        (-0.0, [true, false, false]),
        (1.0f32.next_down(), [true, false, false]),
        (1.0, [true, true, false]),
        (f32::INFINITY, [true, true, false]),
    ] {
        let any = batch.ask(&engine, AnyWithin(radius), &points).unwrap();
        assert_eq!(any, expected, "{radius}");
        let rows = batch.ask(&engine, Within(radius), &points).unwrap();
        assert!(rows.rows().map(|row| !row.is_empty()).eq(expected));
        let within = batch.ask(&engine, ClosestPointWithin(radius), &points);
        let found: Vec<bool> = within.unwrap().iter().map(Option::is_some).collect();
        assert_eq!(found, expected, "{radius}");
    }
}

#[test]
fn slices_flags_and_reports_of_points() {
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let mut points: Vec<Vec3> = (0..3000).map(|i| Vec3::splat(i as f32 * 0.001)).collect();
    points[77].y = f32::NAN;
    let active: Vec<bool> = (0..3000).map(|i| i % 3 != 1).collect();
    let expected = Answers::single(&bvh, &points, 0.5);
    let batch = Batch::new().threads(2).chunk_size(100);
    let (mut closest, mut distances) = (vec![None; 3000], vec![Some(-1.0); 3000]);
    let (mut within, mut any) = (closest.clone(), vec![true; 3000]);
    for batch in [batch, batch.reorder(true)] {
        for (flags, is_active) in [(None, vec![true; 3000]), (Some(&active), active.clone())] {
            let batch = flags.map_or(batch, |flags| batch.active(flags));
            let asked = (is_active.iter().zip(&points)).filter(|(a, p)| **a && p.is_finite());
            let asked = asked.count();
            let all = ClosestPointWithin::default();
            let near = ClosestPointWithin(0.5);
            let reports = [
                batch.ask_into(&bvh, all, &points, &mut closest[..]),
                batch.ask_into(&bvh, near, &points, &mut within[..]),
                batch.ask_into(&bvh, Distance, &points, &mut distances[..]),
                batch.ask_into(&bvh, AnyWithin(0.5), &points, &mut any[..]),
            ];
            for report in reports.map(Result::unwrap) {
                assert_eq!((report.rays, report.techniques.one_by_one), (3000, asked));
                assert_eq!(report.techniques.total(), asked);
            }
            let active = |place: usize| is_active[place];
            for i in 0..3000 {
                assert_eq!(closest[i], expected.closest[i].filter(|_| active(i)));
                assert_eq!(within[i], expected.within[i].filter(|_| active(i)));
                let distance = expected.distances[i].filter(|_| active(i));
                assert_eq!(distances[i], distance);
                assert_eq!(any[i], expected.any[i] && active(i));
            }
        }
    }
    let short = batch.ask_into(&bvh, Distance, &points, &mut distances[..7]);
    let (rays, room) = (3000, 7);
    assert_eq!(short, Err(BatchError::Room { rays, room }));
    let short = batch.active(&active[..7]).distances(&bvh, &points);
    let is_length = |error| {
        matches!(
            error,
            BatchError::Length {
                rays: 3000,
                found: 7,
                ..
            }
        )
    };
    assert!(is_length(short.unwrap_err()));
    let refused = batch.cull(Cull::Back).closest_points(&bvh, &points);
    assert_eq!(refused, Err(BatchError::RaysOnly));
    let stream = batch.cull(Cull::Back).stream(&points);
    let refused = stream.ask(&bvh, Distance, |_, _| GO_ON).unwrap_err();
    assert_eq!(refused, StreamError::Batch(BatchError::RaysOnly));
}

#[test]
fn plans_tell_that_points_are_asked_one_by_one() {
    let mesh = "sphere?n=500".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let points = vec![Vec3::ONE; 5000];
    for technique in Technique::ALL.map(Some).into_iter().chain([None]) {
        let batch = Batch::new().technique(technique).threads(2);
        for plan in [
            batch.plan(&bvh, ClosestPointWithin(1.0), &points),
            batch.plan(&bvh, Distance, &points),
            batch.plan(&bvh, AnyWithin(1.0), &points),
        ] {
            assert_eq!((plan.technique, plan.threads), (Technique::OneByOne, 2));
            assert!(plan.facts.is_one_by_one);
            let told = plan.to_string();
            let expected = "one by one: the only technique for this question\n";
            assert!(told.starts_with(expected), "{told}");
        }
    }
    let rays = [estoc_core::Ray::new([0.0; 3], [1.0; 3])];
    let plan = Batch::new().plan(&bvh, Query::Closest, &rays);
    assert!(!plan.facts.is_one_by_one);
}
