//! Many moving spheres: the answers of single calls in every form.

use super::common::streamed;
use estoc_batch::{
    Batch, BatchError, ItemsError, MovingSpheres, SphereContactColumns, StreamError,
};
use estoc_bvh::Bvh;
use estoc_core::{
    BruteForce, CancelToken, Cull, Feature, FirstContact, MovingSphere, QuerySlice,
    QuerySliceError, RayQuery, SphereContact, SweepEngine, Technique, Triangle,
};
use estoc_demo::DemoSpec;
use estoc_testkit::generate::{Rng, scenes, sweeps};
use std::convert::Infallible;
use std::ops::ControlFlow;

const GO_ON: ControlFlow<Infallible> = ControlFlow::Continue(());

fn single(
    engine: &impl SweepEngine<Primitive = Triangle>,
    of: &MovingSphere,
) -> Option<SphereContact> {
    engine.ask(FirstContact, of)
}

/// Returns the same answers in columns, as they are documented.
fn in_columns(contacts: &[Option<SphereContact>]) -> SphereContactColumns {
    let number = |none: f32, of: &dyn Fn(&SphereContact) -> f32| {
        let numbers = contacts.iter().map(|found| found.as_ref().map_or(none, of));
        numbers.collect::<Vec<f32>>()
    };
    let byte = |none: u8, of: &dyn Fn(&SphereContact) -> u8| {
        let bytes = contacts.iter().map(|found| found.as_ref().map_or(none, of));
        bytes.collect::<Vec<u8>>()
    };
    let prims = contacts
        .iter()
        .map(|c| c.map_or(u32::MAX, |c| c.prim.get()));
    SphereContactColumns {
        t: number(f32::INFINITY, &|found| found.t),
        prim: prims.collect(),
        feature: byte(255, &|found| match found.feature {
            Feature::Vertex(vertex) => vertex,
            Feature::Edge(edge) => 3 + edge,
            Feature::Face => 6,
        }),
        is_touching_at_start: byte(0, &|found| found.is_touching_at_start.into()),
        x: number(0.0, &|found| found.point.x),
        y: number(0.0, &|found| found.point.y),
        z: number(0.0, &|found| found.point.z),
    }
}

/// Asks in every form, with settings that change from call to call, and compares with single calls.
/// Returns the number of contacts.
fn check(
    name: &str,
    engine: &(impl SweepEngine<Primitive = Triangle> + Sync),
    spheres: &[MovingSphere],
) -> usize {
    let expected: Vec<_> = spheres.iter().map(|s| single(engine, s)).collect();
    let defined = spheres.iter().filter(|s| s.is_defined()).count();
    let columns = in_columns(&expected);
    let numbers: Vec<[f32; 8]> = spheres.iter().map(|s| bytemuck::cast(*s)).collect();
    let list = |i: usize| numbers.iter().map(|row| row[i]).collect::<Vec<f32>>();
    let lists: [Vec<f32>; 8] = std::array::from_fn(list);
    let [cx, cy, cz, vx, vy, vz, radius, t_max] = lists.each_ref().map(Vec::as_slice);
    let apart = MovingSpheres::from_columns([cx, cy, cz], [vx, vy, vz], radius, Some(t_max));
    let layouts = [
        MovingSpheres::from(spheres),
        MovingSpheres::rows_of_8(numbers.as_flattened()).unwrap(),
        apart.unwrap(),
    ];
    let mut turn = spheres.len();
    for threads in [1, 2, 3, 7] {
        for chunk in [None, Some(1), Some(13), Some(64)] {
            turn += 1;
            let batch = Batch::new()
                .threads(threads)
                .reorder(turn.is_multiple_of(2));
            let batch = chunk.map_or(batch, |size| batch.chunk_size(size));
            let what = format!("{name}, {threads} threads, {chunk:?}");
            let list = layouts[turn % 3];
            let found = batch.ask(engine, FirstContact, list).unwrap();
            assert_eq!(found, expected, "{what}");
            let mut found = vec![expected.first().copied().flatten(); spheres.len()];
            let report = batch
                .ask_into(engine, FirstContact, list, &mut found[..])
                .unwrap();
            assert_eq!(found, expected, "{what}");
            assert_eq!(report.rays, spheres.len() as u64);
            assert_eq!(report.techniques.one_by_one, defined);
            assert_eq!(report.techniques.total(), defined);
            let found: SphereContactColumns = batch.ask_as(engine, FirstContact, list).unwrap();
            assert_eq!(found, columns, "{what}");

            let found = streamed(&batch.reorder(false), engine, FirstContact, spheres);
            assert_eq!(found, expected, "{what}: stream");
        }
    }
    let rows = (0..=spheres.len()).map(|place| columns.get(place));
    assert!(rows.eq(expected.iter().copied().chain([None])), "{name}");
    expected.iter().flatten().count()
}

#[test]
fn sweeps_of_batches_are_those_of_single_calls() {
    let mesh = "teapot?n=2000".parse::<DemoSpec>().unwrap().mesh();
    let (bvh, bounds) = (Bvh::build(&mesh), mesh.bounds());
    let mut rng = Rng::new(47);
    let size = bounds.max() - bounds.min();
    let mut spheres: Vec<MovingSphere> = (0..400)
        .map(|_| {
            let center = bounds.min() - size * 0.2 + size * 0.7 * (rng.point() + 1.0);
            let radius = size.x * 0.05 * (rng.point().x + 1.0);
            MovingSphere::new(center, rng.point(), radius)
        })
        .collect();
    for (i, sphere) in spheres.iter_mut().enumerate() {
        match i % 29 {
            1 => sphere.center.x = f32::NAN,
            2 => sphere.velocity.z = f32::INFINITY,
            3 => sphere.radius = -1.0,
            4 => sphere.radius = f32::NAN,
            5 => sphere.t_max = f32::NAN,
            6 => sphere.t_max = -1.0,
            7 => sphere.t_max = 0.25,
            8 => sphere.radius = f32::INFINITY,
            9 => sphere.radius = 0.0,
            10 => sphere.velocity = [0.0; 3].into(),
            _ => {}
        }
    }
    for count in [0, 1, 2, 65] {
        check("teapot", &bvh, &spheres[..count]);
    }
    let found = check("teapot", &bvh, &spheres);
    assert!((80..300).contains(&found), "{found}");
}

#[test]
fn sweeps_over_generated_scenes_are_those_of_single_calls() {
    let mut found = 0;
    for scene in scenes(7) {
        let mut rng = Rng::named(scene.seed, "sweep batches");
        let spheres: Vec<MovingSphere> = sweeps(&scene, &mut rng, 5)
            .into_iter()
            .map(|s| MovingSphere::new(s.center, s.velocity, s.radius).with_t_max(s.t_max))
            .collect();
        found += check(scene.name, &BruteForce::new(scene.triangles), &spheres);
    }
    assert!(found > 20, "{found}");
    let nothing = BruteForce::new([]);
    let sphere = MovingSphere::new([0.0; 3], [1.0; 3], f32::INFINITY);
    assert_eq!(check("nothing", &nothing, &[sphere; 3]), 0);
}

fn falling(count: usize) -> (BruteForce, Vec<MovingSphere>) {
    let floor = Triangle::new([-9.0, 0.0, -9.0], [9.0, 0.0, -9.0], [0.0, 0.0, 9.0]);
    let fall = |i: usize| MovingSphere::new([0.0, 2.0 + i as f32, 0.0], [0.0, -1.0, 0.0], 1.0);
    (BruteForce::new([floor]), (0..count).map(fall).collect())
}

#[test]
fn flags_and_errors_of_sweeps() {
    let (engine, spheres) = falling(100);
    let flags: Vec<bool> = (0..100).map(|i| i % 3 != 1).collect();
    for reorder in [false, true] {
        let batch = Batch::new().threads(2).chunk_size(7).reorder(reorder);
        let found = batch.active(&flags).ask(&engine, FirstContact, &spheres);
        for (place, found) in found.unwrap().into_iter().enumerate() {
            let time = flags[place].then_some(1.0 + place as f32);
            assert_eq!(found.map(|found| found.t), time);
        }
    }
    let short = Batch::new()
        .active(&flags[1..])
        .ask(&engine, FirstContact, &spheres);
    assert!(matches!(short, Err(BatchError::Length { found: 99, .. })));
    let short = Batch::new().ask_into(&engine, FirstContact, &spheres, &mut [None; 7][..]);
    let (rays, room) = (100, 7);
    assert_eq!(short, Err(BatchError::Room { rays, room }));
    let culled = Batch::new().cull(Cull::Back);
    let refused = culled.ask(&engine, FirstContact, &spheres);
    assert_eq!(refused, Err(BatchError::RaysOnly));
    let refused = culled
        .stream(&spheres)
        .ask(&engine, FirstContact, |_, _| GO_ON);
    assert_eq!(refused, Err(StreamError::Batch(BatchError::RaysOnly)));

    let many = QuerySlice::new(&spheres).active(&flags[1..]);
    let mut found = vec![None; 100];
    let refused = engine.ask_many(FirstContact, &many, &mut found);
    assert!(matches!(
        refused,
        Err(QuerySliceError::Length { found: 99, .. })
    ));
    for technique in Technique::ALL {
        let plan = Batch::new()
            .technique(technique)
            .plan(&engine, FirstContact, &spheres);
        assert_eq!(plan.technique, Technique::OneByOne);
    }
}

#[test]
fn sweeps_tell_their_progress_and_can_be_cancelled() {
    let (engine, spheres) = falling(100);
    let cancel = CancelToken::new();
    let raise = |progress: estoc_core::Progress| {
        assert!(progress.done <= 21);
        if progress.done == 21 {
            cancel.cancel();
        }
    };
    let batch = Batch::new()
        .threads(1)
        .chunk_size(7)
        .progress(&raise)
        .cancel(&cancel);
    let cancelled = batch.ask(&engine, FirstContact, &spheres);
    assert_eq!(cancelled, Err(BatchError::Cancelled));
    let cancelled = batch
        .stream(&spheres)
        .ask(&engine, FirstContact, |_, _| GO_ON);
    assert_eq!(cancelled, Err(StreamError::Batch(BatchError::Cancelled)));
}

#[test]
fn numbers_that_are_no_moving_spheres_are_errors() {
    let numbers = [0.0; 17];
    let refused = MovingSpheres::rows_of_8(&numbers).map(|list| list.len());
    let error = ItemsError::Rows {
        numbers: 17,
        row: 8,
    };
    assert_eq!(refused, Err(error));
    assert_eq!(
        error.to_string(),
        "the length 17 is not a multiple of 8 (1 left over)"
    );
    let (two, one) = (&numbers[..2], &numbers[..1]);
    for (short, array) in [(3, "vx"), (6, "radius"), (7, "t_max")] {
        let list = |place| if place == short { one } else { two };
        let refused = MovingSpheres::from_columns(
            [0, 1, 2].map(list),
            [3, 4, 5].map(list),
            list(6),
            Some(list(7)),
        );
        let error = ItemsError::Lengths {
            array,
            first: "cx",
            items: 2,
            found: 1,
        };
        assert_eq!(refused.map(|list| list.len()), Err(error));
    }
    let list = MovingSpheres::from_columns([two; 3], [two; 3], two, None).unwrap();
    assert_eq!((list.len(), list.is_empty()), (2, false));
    assert_eq!(
        list.get(1),
        Some(MovingSphere::new([0.0; 3], [0.0; 3], 0.0))
    );
    assert_eq!(list.get(2), None);
}
