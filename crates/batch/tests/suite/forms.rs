//! Every question in every form: single calls, batches, streams, selected at run time, columns.

use crate::common::{Joined, picture, rows_of, scene, streamed};
use estoc_batch::{
    Batch, BatchError, ColumnRows, HitColumns, HitRows, ItemsError, Points, Query, QueryAnswer,
    QueryAnswers, QueryColumns, StreamError, spawn_rays,
};
use estoc_bvh::Bvh;
use estoc_core::glam::{Vec3, Vec3Swizzles};
use estoc_core::{
    All, Any, BruteForce, Closest, Contains, Count, CountCrossings, Crossings, Cull, FirstK, Hit,
    Masks, MeshEngine, PrimId, QueryOptions, Ray, RayQuery, Triangle,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Each kind of query, with the special numbers of first hits.
const QUERIES: [Query; 9] = [
    Query::Closest,
    Query::Any,
    Query::All,
    Query::FirstK(0),
    Query::FirstK(2),
    Query::FirstK(usize::MAX),
    Query::Count,
    Query::Crossings,
    Query::CountCrossings,
];

const GO_ON: ControlFlow<Infallible> = ControlFlow::Continue(());

/// Returns the answers of the single-call methods.
fn by_name(engine: &dyn MeshEngine, query: Query, rays: &[Ray]) -> QueryAnswers {
    let rays = rays.iter();
    match query {
        Query::Closest => QueryAnswers::Closest(rays.map(|ray| engine.closest_hit(ray)).collect()),
        Query::Any => QueryAnswers::Any(rays.map(|ray| engine.any_hit(ray)).collect()),
        Query::All => QueryAnswers::Rows(rows_of(rays.map(|ray| engine.all_hits(ray)))),
        Query::FirstK(k) => QueryAnswers::Rows(rows_of(rays.map(|ray| engine.first_hits(ray, k)))),
        Query::Count => QueryAnswers::Counts(rays.map(|ray| engine.count_hits(ray)).collect()),
        Query::Crossings => QueryAnswers::Rows(rows_of(rays.map(|ray| engine.crossings(ray)))),
        Query::CountCrossings => {
            QueryAnswers::Counts(rays.map(|ray| engine.count_crossings(ray)).collect())
        }
        _ => panic!("{query:?} is new"),
    }
}

/// Returns the answers of a batch to a question given by its type.
fn by_type(
    batch: &Batch<'_>,
    engine: &(impl MeshEngine + Sync + ?Sized),
    query: Query,
    rays: &[Ray],
) -> Result<QueryAnswers, BatchError> {
    Ok(match query {
        Query::Closest => QueryAnswers::Closest(batch.ask(engine, Closest, rays)?),
        Query::Any => QueryAnswers::Any(batch.ask(engine, Any, rays)?),
        Query::All => QueryAnswers::Rows(batch.ask(engine, All, rays)?),
        Query::FirstK(k) => QueryAnswers::Rows(batch.ask(engine, FirstK(k), rays)?),
        Query::Count => QueryAnswers::Counts(batch.ask(engine, Count, rays)?),
        Query::Crossings => QueryAnswers::Rows(batch.ask(engine, Crossings, rays)?),
        Query::CountCrossings => QueryAnswers::Counts(batch.ask(engine, CountCrossings, rays)?),
        _ => panic!("{query:?} is new"),
    })
}

/// Appends the answers of the rays that follow.
fn append(to: &mut QueryAnswers, from: &QueryAnswers) {
    if *to == QueryAnswers::default() {
        *to = from.clone();
        return;
    }
    match (to, from) {
        (QueryAnswers::Closest(to), QueryAnswers::Closest(from)) => to.extend(from),
        (QueryAnswers::Any(to), QueryAnswers::Any(from)) => to.extend(from),
        (QueryAnswers::Counts(to), QueryAnswers::Counts(from)) => to.extend(from),
        (QueryAnswers::Rows(to), QueryAnswers::Rows(from)) => to.append(from),
        (to, from) => panic!("{to:?} {from:?}"),
    }
}

/// Converts columns to lists, and checks the numbers in the columns of misses.
fn from_columns(columns: QueryColumns) -> QueryAnswers {
    match columns {
        QueryAnswers::Closest(columns) => {
            let hits: Vec<Option<Hit>> = (0..columns.len()).map(|ray| columns.get(ray)).collect();
            let HitColumns { t, prim, u, v } = &columns;
            assert_eq!([t, u, v].map(Vec::len), [hits.len(); 3]);
            let validity = columns.validity();
            assert_eq!(validity.len(), hits.len().div_ceil(8));
            for (ray, hit) in hits.iter().enumerate() {
                let is_valid = validity[ray / 8] >> (ray % 8) & 1 == 1;
                assert_eq!(hit.is_some(), is_valid, "{ray}");
                assert_eq!(hit.is_some(), prim[ray] != u32::MAX, "{ray}");
                if hit.is_none() {
                    let bits = [t[ray], u[ray], v[ray]].map(f32::to_bits);
                    assert_eq!(bits, [f32::INFINITY.to_bits(), 0, 0], "{ray}");
                }
            }
            let beyond = hits.len() % 8;
            assert!(beyond == 0 || validity[hits.len() / 8] >> beyond == 0);
            QueryAnswers::Closest(hits)
        }
        QueryAnswers::Any(any) => QueryAnswers::Any(any),
        QueryAnswers::Counts(counts) => QueryAnswers::Counts(counts),
        QueryAnswers::Rows(columns) => {
            let end = columns.values.t.len() as i64;
            assert_eq!(columns.offsets.last(), Some(&end));
            assert!(columns.row(columns.len()).is_none());
            let row = |ray| columns.row(ray).unwrap().collect();
            QueryAnswers::Rows(rows_of((0..columns.len()).map(row)))
        }
    }
}

/// Returns all bits, because zeros of both signs compare equal.
fn bits(answers: &QueryAnswers) -> Vec<u64> {
    let hit = |hit: &Hit| [hit.t, hit.u, hit.v].map(|x| u64::from(x.to_bits()) << 32);
    match answers {
        QueryAnswers::Closest(hits) => hits.iter().flatten().flat_map(hit).collect(),
        QueryAnswers::Rows(rows) => rows.values.iter().flat_map(hit).collect(),
        _ => Vec::new(),
    }
}

/// Compares all forms of all queries with single calls of another engine, which may be the same.
pub(crate) fn check_every_form(
    name: &str,
    batch: &Batch<'_>,
    engine: &(impl MeshEngine + Sync),
    judge: &dyn MeshEngine,
    rays: &[Ray],
) {
    for query in QUERIES {
        let expected = by_name(judge, query, rays);
        let same = |form: &str, found: &QueryAnswers| {
            let is_same = *found == expected && bits(found) == bits(&expected);
            assert!(
                is_same,
                "{name}, {query:?}, {form}: {found:?}, not {expected:?}"
            );
        };
        let mut found = QueryAnswers::default();
        for ray in rays {
            append(&mut found, &of_one(engine.ask(query, ray)));
        }
        same("single", &found);
        same("by type", &by_type(batch, engine, query, rays).unwrap());
        same("at run time", &batch.ask(engine, query, rays).unwrap());
        let engine: &(dyn MeshEngine + Sync) = engine;
        let answers = by_type(batch, engine, query, rays).unwrap();
        same("as an object", &answers);
        let columns: QueryColumns = batch.ask_as(engine, query, rays).unwrap();
        same("columns", &from_columns(columns));

        let mut found = QueryAnswers::default();
        let stream = batch.stream(rays).ask(engine, query, |some, answers| {
            assert!(!some.is_empty());
            append(&mut found, answers);
            GO_ON
        });
        let ControlFlow::Continue(report) = stream.unwrap();
        assert_eq!(report.rays, rays.len() as u64);
        same("stream", &found);
        let mut found = QueryAnswers::default();
        let sink = |_: &[Ray], columns: &QueryColumns| {
            append(&mut found, &from_columns(columns.clone()));
            GO_ON
        };
        let _ = batch.stream(rays).ask_as(engine, query, sink).unwrap();
        same("stream of columns", &found);
    }
    check_points(name, batch, engine, judge, rays);
}

/// Does the same for the question about points, which are the origins of the rays.
fn check_points(
    name: &str,
    batch: &Batch<'_>,
    engine: &(impl MeshEngine + Sync),
    judge: &dyn MeshEngine,
    rays: &[Ray],
) {
    let points: Vec<Vec3> = rays.iter().map(|ray| ray.origin).collect();
    let expected: Vec<Option<bool>> = points.iter().map(|&p| judge.contains(p)).collect();
    assert_eq!(batch.contains(engine, &points).unwrap(), expected, "{name}");
    assert_eq!(batch.ask(engine, Contains, &points).unwrap(), expected);
    let found = streamed(batch, engine, Contains, &points);
    assert_eq!(found, expected, "{name}");
}

fn sphere() -> (Mesh, Bvh) {
    let mesh = "sphere?n=300".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    (mesh, bvh)
}

#[test]
fn every_question_has_one_answer_in_every_form() {
    let (bvh, mut rays) = scene(600);
    rays.extend(picture(12));
    let brute = BruteForce::new((0..200).map(|i| triangle(&bvh, i)).collect::<Vec<_>>());
    for (threads, chunk, reorder) in [
        (1, None, false),
        (2, Some(13), false),
        (3, Some(64), true),
        (7, Some(1), false),
        (2, Some(99_999), true),
    ] {
        let mut batch = Batch::new().threads(threads).reorder(reorder);
        if let Some(chunk) = chunk {
            batch = batch.chunk_size(chunk);
        }
        let name = format!("{threads} {chunk:?} {reorder}");
        check_every_form(&name, &batch, &bvh, &brute, &rays);
    }
}

fn triangle(bvh: &Bvh, prim: u32) -> Triangle {
    bvh.triangle(PrimId::new(prim).unwrap()).unwrap()
}

#[test]
fn containers_are_used_again_and_slices_must_fit() {
    let (bvh, rays) = scene(300);
    let batch = Batch::new().threads(2).chunk_size(50);
    let mut answers = QueryAnswers::default();
    let (mut columns, mut rows) = (HitColumns::default(), ColumnRows::default());
    for query in QUERIES.into_iter().chain(QUERIES) {
        batch.ask_into(&bvh, query, &rays, &mut answers).unwrap();
        assert_eq!(answers, by_name(&bvh, query, &rays), "{query:?}");
    }
    let expected: Vec<_> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
    for part in [300, 7, 0, 123] {
        let rays = &rays[..part];
        batch.ask_into(&bvh, Closest, rays, &mut columns).unwrap();
        let hits: Vec<_> = (0..columns.len()).map(|ray| columns.get(ray)).collect();
        assert_eq!(hits, expected[..part]);
        batch.ask_into(&bvh, FirstK(1), rays, &mut rows).unwrap();
        let first = (0..rows.len()).map(|ray| rows.row(ray).unwrap().next());
        assert!(first.eq(expected[..part].iter().copied()));
        let mut list = vec![None; 200];
        batch.ask_into(&bvh, Closest, rays, &mut list).unwrap();
        assert_eq!(list, expected[..part]);
    }
    let refused = batch.ask_into(&bvh, Closest, &rays, &mut [None; 3][..]);
    let error = BatchError::Room { rays: 300, room: 3 };
    assert_eq!(refused.unwrap_err(), error);
    let limited = batch.max_hits(10);
    let refused = limited.ask_as::<ColumnRows<HitColumns>, _, _, _>(&bvh, All, &rays);
    let expected_error = limited.all_hits(&bvh, &rays).unwrap_err();
    assert_eq!(refused.unwrap_err(), expected_error);
    let refused = limited.ask_into(&bvh, FirstK(1), &rays, &mut rows);
    let refused = refused.unwrap_err();
    let mut hit = (0..300).filter(|&ray| expected[ray].is_some());
    let ray = hit.nth(10).unwrap();
    assert_eq!(refused, BatchError::TooManyHits { limit: 10, ray });
    assert_eq!(rows, ColumnRows::default());
}

#[test]
fn named_methods_ask_the_same() {
    let (bvh, rays) = scene(200);
    let batch = Batch::new();
    let first = rows_of(rays.iter().map(|ray| bvh.first_hits(ray, 3)));
    assert_eq!(batch.ask(&bvh, FirstK(3), &rays).unwrap(), first);
    let mut rows = HitRows::default();
    batch.ask_into(&bvh, FirstK(3), &rays, &mut rows).unwrap();
    assert_eq!(rows, first);
    rows = HitRows::default();
    let ended = batch.stream(&rays).ask(&bvh, FirstK(3), |_, some| {
        rows.values.extend(&some.values);
        GO_ON
    });
    assert!(ended.is_ok());
    assert_eq!(rows.values, first.values);
    let mut inside = vec![None; 2];
    let points = [Vec3::ZERO, Vec3::ONE];
    let (tree, room) = (sphere().1, &mut inside[..]);
    batch.ask_into(&tree, Contains, &points, room).unwrap();
    assert_eq!(inside, [Some(true), Some(false)]);
}

#[test]
fn filters_and_masks_work_in_every_form() {
    let (bvh, rays) = scene(500);
    let runs = [(50, 0b001), (50, 0b010), (40, 0b110), (30, 0)];
    let masked = bvh.clone().with_masks(Masks::from_runs(runs));
    // Accepts hits on one part of a triangle, as a texture with a hole does.
    let accept = |ray: &Ray, hit: &Hit| hit.u < 0.3 || ray.origin.x < 0.5;
    for mask in [u32::MAX, 0b001, 0b100, 0b1000, 0] {
        let options = QueryOptions::new().mask(mask);
        for (threads, chunk) in [(1, 9999), (3, 17)] {
            let batch = Batch::new().threads(threads).chunk_size(chunk).mask(mask);
            for query in QUERIES {
                let mut expected = QueryAnswers::default();
                for ray in &rays {
                    let mut accept = accept;
                    let asked = masked.ask_where(query, ray, &options, &mut accept);
                    append(&mut expected, &of_one(asked.unwrap()));
                }
                let found = batch.ask_where(&masked, query, &rays, &accept).unwrap();
                assert_eq!(found, expected, "{query:?} {mask} {threads}");
                let mut columns = QueryColumns::default();
                (batch.ask_where_into(&masked, query, &rays, &accept, &mut columns)).unwrap();
                let found = from_columns(columns);
                assert_eq!(found, expected, "{query:?} {mask} {threads}");
                let mut found = QueryAnswers::default();
                let sink = |_: &[Ray], answers: &QueryAnswers| {
                    append(&mut found, answers);
                    GO_ON
                };
                let ended = batch.stream(&rays).ask_where(&masked, query, &accept, sink);
                assert!(ended.is_ok());
                assert_eq!(found, expected, "{query:?} {mask} {threads}");

                let mut expected = QueryAnswers::default();
                for ray in &rays {
                    let answer = masked.ask_with(query, ray, &options).unwrap();
                    append(&mut expected, &of_one(answer));
                }
                let found = batch.ask(&masked, query, &rays).unwrap();
                assert_eq!(found, expected, "{query:?} {mask} {threads}");
            }
        }
    }
    // A hit counts if the ray and its primitive share a bit.
    let all = Batch::new().mask(0b100).all_hits(&masked, &rays).unwrap();
    let seen =
        |hit: &Hit| !(0..100).contains(&hit.prim.get()) && !(140..170).contains(&hit.prim.get());
    let kept =
        rows_of((rays.iter()).map(|ray| bvh.all_hits(ray).into_iter().filter(seen).collect()));
    assert_eq!(all, kept);
    assert!(kept.values.len() > 100);
}

fn of_one(answer: QueryAnswer) -> QueryAnswers {
    match answer {
        QueryAnswer::Closest(hit) => QueryAnswers::Closest(vec![hit]),
        QueryAnswer::Any(any) => QueryAnswers::Any(vec![any]),
        QueryAnswer::Counts(count) => QueryAnswers::Counts(vec![count]),
        QueryAnswer::Rows(row) => QueryAnswers::Rows(rows_of([row])),
    }
}

#[test]
fn hits_are_handed_out_in_order_until_the_visitor_breaks() {
    let (bvh, rays) = scene(500);
    let active: Vec<bool> = (0..rays.len()).map(|ray| ray % 3 != 1).collect();
    for (threads, chunk, reorder) in [(1, 9999, false), (3, 17, false), (2, 64, true)] {
        let batch = Batch::new().threads(threads).chunk_size(chunk);
        let batch = batch.reorder(reorder).active(&active);
        let seen = Mutex::new(vec![Vec::new(); rays.len()]);
        let report = batch.for_each_hit(&bvh, &rays, &|ray, hit| {
            let row = &mut seen.lock().unwrap()[ray];
            row.push(*hit);
            // The ray's number determines how many hits it takes.
            match row.len() <= ray % 4 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        assert_eq!(report.unwrap().rays, 500);
        for (ray, seen) in seen.into_inner().unwrap().into_iter().enumerate() {
            let expected = match active[ray] {
                true => bvh.first_hits(&rays[ray], ray % 4 + 1),
                false => Vec::new(),
            };
            assert_eq!(seen, expected, "{ray}");
        }
    }
}

#[test]
fn points_lie_in_any_layout_and_take_no_options() {
    let (mesh, bvh) = sphere();
    // Inside, outside, on corners and edges, and not finite.
    let mut points: Vec<Vec3> = (0..400)
        .map(|i| Vec3::new(0.9 - i as f32 * 0.01, 0.01 * (i % 7) as f32, 0.3))
        .collect();
    for triangle in mesh.triangles().take(50) {
        points.extend([triangle.p0, (triangle.p0 + triangle.p1) / 2.0]);
    }
    points.push(Vec3::new(f32::NAN, 0.0, 0.0));
    let expected: Vec<_> = points.iter().map(|&point| bvh.contains(point)).collect();
    assert!(expected.contains(&Some(true)) && expected.contains(&Some(false)));
    let rows: Vec<[f32; 3]> = points.iter().map(Vec3::to_array).collect();
    let [x, y, z] = [0, 1, 2].map(|axis| rows.iter().map(|p| p[axis]).collect::<Vec<_>>());
    for (threads, chunk, reorder) in [(1, 9999, false), (2, 33, false), (3, 64, true)] {
        let batch = Batch::new().threads(threads).chunk_size(chunk);
        let batch = batch.reorder(reorder);
        for points in [
            Points::from(&points),
            Points::from(points.as_slice()),
            Points::from(&rows),
            Points::rows_of_3(rows.as_flattened()).unwrap(),
            Points::from_columns(&x, &y, &z).unwrap(),
        ] {
            assert_eq!(batch.contains(&bvh, points).unwrap(), expected, "{threads}");
            assert_eq!(points.get(7).unwrap(), Vec3::from(rows[7]));
            assert!(points.get(points.len()).is_none() && !points.is_empty());
        }
        let active: Vec<bool> = (0..points.len()).map(|point| point % 2 == 0).collect();
        let found = batch.active(&active).contains(&bvh, &points).unwrap();
        let mut asked = (0..points.len()).step_by(2);
        assert!(asked.all(|i| found[i] == expected[i]));
    }
    let open = scene(0).0;
    let found = Batch::new().contains(&open, &points[..3]).unwrap();
    assert_eq!(found, [None; 3]);

    let options = [QueryOptions::new(); 2];
    let batch = Batch::new();
    for batch in [
        batch.cull(Cull::Back),
        batch.skip(PrimId::new(0)),
        batch.mask(1),
        batch.options_each(&options),
    ] {
        let refused = batch.contains(&bvh, &points[..2]).unwrap_err();
        assert_eq!(refused, BatchError::RaysOnly);
    }
    let stream = batch.mask(1).stream(&points);
    let refused = stream.ask(&bvh, Contains, |_, _| GO_ON);
    assert_eq!(refused.unwrap_err(), BatchError::RaysOnly.into());
    let refused = BatchError::RaysOnly.to_string();
    assert!(refused.contains("apply to rays only"), "{refused}");
    let refused = batch.active(&[true]).contains(&bvh, &points).unwrap_err();
    let (what, rays, found) = ("flags", points.len(), 1);
    assert_eq!(refused, BatchError::Length { what, rays, found });
    assert_eq!(
        Points::rows_of_3(&[0.0; 4]).unwrap_err().to_string(),
        "the length 4 is not a multiple of 3 (1 left over)"
    );
    let refused = Points::from_columns(&x, &y, &z[1..]).unwrap_err();
    let expected = ItemsError::Lengths {
        array: "z",
        first: "x",
        items: x.len(),
        found: x.len() - 1,
    };
    assert_eq!(refused, expected);
}

#[test]
fn a_source_of_points_may_fail() {
    let bvh = sphere().1;
    let source = ["0", "5", "x"].map(|x| Ok(Vec3::splat(x.parse()?)));
    let mut found = Vec::new();
    let ended = Batch::new()
        .stream(source)
        .ask(&bvh, Contains, |_, inside| {
            found.extend_from_slice(inside);
            GO_ON
        });
    let error = "x".parse::<f32>().unwrap_err();
    assert_eq!(ended.unwrap_err(), StreamError::Source { ray: 2, error });
    assert_eq!(found, [Some(true), Some(false)]);
}

#[test]
fn spawned_rays_are_those_of_each_hit() {
    let (bvh, rays) = scene(3000);
    let mut hits = Batch::new().closest_hits(&bvh, &rays).unwrap();
    let dirs: Vec<Vec3> = rays.iter().map(|ray| -ray.dir.zxy()).collect();
    // A triangle that does not exist.
    let unknown = PrimId::new(200).unwrap();
    let gone = hits.iter().flatten().next().copied().unwrap();
    hits[17] = Some(Hit {
        prim: unknown,
        ..gone
    });
    for part in [3000, 100, 0] {
        let (hits, dirs) = (&hits[..part], &dirs[..part]);
        let (spawned, options) = spawn_rays(&bvh, hits, dirs).unwrap();
        assert_eq!((spawned.len(), options.len()), (part, part));
        for (i, hit) in hits.iter().enumerate() {
            match hit.filter(|hit| hit.prim != unknown) {
                None => assert!(spawned[i].check().is_err()),
                Some(hit) => {
                    let triangle = bvh.triangle(hit.prim).unwrap();
                    let (ray, with) = hit.spawn_ray(&triangle, dirs[i]);
                    assert_eq!(format!("{:?}", spawned[i]), format!("{ray:?}"));
                    assert_eq!(options[i], with);
                }
            }
        }
        let batch = Batch::new().options_each(&options);
        let mut any = vec![true; part];
        let report = batch.ask_into(&bvh, Any, &spawned, &mut any[..]).unwrap();
        let undefined = spawned.iter().filter(|ray| ray.check().is_err()).count();
        assert_eq!(report.not_asked(), undefined as u64);
    }
    let refused = spawn_rays(&bvh, &hits, &dirs[1..]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the number of directions is 2999 instead of 3000, one for each ray"
    );
}
