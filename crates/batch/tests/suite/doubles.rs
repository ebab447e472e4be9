//! Batches at meshes in `f64`: the answers of single calls, as lists and as columns.

use estoc_batch::{
    Batch, ClosestPointColumns, ColumnRows, HitColumns, Query, QueryAnswers, QueryColumns,
    SphereContactColumns,
};
use estoc_bvh::Bvh;
use estoc_core::glam::DVec3;
use estoc_core::{
    All, Any, Closest, ClosestPointWithin, Contains, Count, FirstContact, Hit, MovingSphere64,
    PointQuery, PrimId, QueryOptions, Ray, Ray64, RayQuery, Technique, Triangle64,
};
use estoc_demo::{DemoSpec, SplitMix64};
use estoc_mesh::Mesh;
use estoc_testkit::generate::{DOUBLE_KINDS, Rng, double_point, double_ray, doubles};

/// Returns a closed mesh on a map, many times as large as what is traced together, whose corners are no `f32`s.
fn on_a_map() -> Bvh<f64> {
    let mesh = "sphere?n=2000".parse::<DemoSpec>().expect("a demo").mesh();
    let moved = |p: DVec3| p * 3.7 + DVec3::new(502_345.123, 5_201_234.751, 310.25);
    let corners = mesh.positions().iter().map(|p| moved(p.as_dvec3()));
    let mesh = Mesh::from_f64(corners, mesh.indices().iter().copied());
    Bvh::build(&mesh.expect("finite corners"))
}

/// Returns rays from points in a box around the mesh to others.
fn rays_at(bvh: &Bvh<f64>, count: usize) -> Vec<Ray64> {
    let mut random = SplitMix64::new(1);
    let [min, max] = bvh.bounds();
    let mut point = || {
        let weights = DVec3::from_array([(); 3].map(|()| random.unit() * 1.4 - 0.2));
        min + (max - min) * weights
    };
    (0..count)
        .map(|_| {
            let (from, to) = (point(), point());
            Ray64::new(from, to - from)
        })
        .collect()
}

/// Settings that change no answer.
fn settings() -> impl Iterator<Item = Batch<'static>> {
    let techniques = [
        None,
        Some(Technique::OneByOne),
        Some(Technique::Interleaved),
        Some(Technique::Packets),
        Some(Technique::Bundles),
    ];
    techniques.into_iter().flat_map(|technique| {
        [(1, 7), (2, 64), (2, 1000)].map(|(threads, chunk)| {
            let batch = Batch::new().threads(threads).chunk_size(chunk);
            batch.technique(technique)
        })
    })
}

#[test]
fn contacts_of_moving_spheres_have_columns() {
    let bvh = on_a_map();
    let sphere = |ray: &Ray64| MovingSphere64::new(ray.origin, ray.dir, 0.01);
    let spheres: Vec<_> = rays_at(&bvh, 1_000).iter().map(sphere).collect();
    let ask = |sphere| bvh.ask(FirstContact, sphere);
    let expected: Vec<_> = spheres.iter().map(ask).collect();
    let contacts = expected.iter().flatten().count();
    assert!(
        contacts * 4 > spheres.len() && contacts < spheres.len(),
        "{contacts}"
    );
    for batch in [Batch::new().threads(1), Batch::new().threads(2)] {
        let found: SphereContactColumns<f64> = batch
            .ask_as(&bvh, FirstContact, &spheres)
            .expect("no settings of rays");
        let rows = (0..spheres.len()).map(|place| found.get(place));
        assert!(rows.eq(expected.iter().copied()));
    }
}

#[test]
fn batches_have_the_bits_of_single_calls() {
    let bvh = on_a_map();
    let rays = rays_at(&bvh, 3_000);
    let narrow: Vec<Ray> = rays.iter().map(Ray64::to_ray).collect();
    let closest: Vec<Option<Hit<f64>>> = rays.iter().map(|ray| bvh.ask(Closest, ray)).collect();
    let of_narrow: Vec<_> = narrow.iter().map(|ray| bvh.closest_hit(ray)).collect();
    let any: Vec<bool> = rays.iter().map(|ray| bvh.ask(Any, ray)).collect();
    let all: Vec<Vec<Hit<f64>>> = rays.iter().map(|ray| bvh.ask(All, ray)).collect();
    let hits = closest.iter().flatten().count();
    assert!(hits * 4 > rays.len() && hits < rays.len(), "{hits}");
    // `f32`s are half a metre apart there.
    assert_ne!(closest, of_narrow);
    let skip = closest.iter().flatten().next().map(|hit| hit.prim);
    let options = QueryOptions::new().skip(skip);
    let others: Vec<_> = rays
        .iter()
        .map(|ray| bvh.ask_with(Closest, ray, &options).expect("no `after`"))
        .collect();
    for batch in settings() {
        assert_eq!(batch.ask(&bvh, Closest, &rays).unwrap(), closest);
        assert_eq!(batch.closest_hits(&bvh, &narrow).unwrap(), of_narrow);
        assert_eq!(batch.ask(&bvh, Any, &rays).unwrap(), any);
        let rows = batch.ask(&bvh, All, &rays).unwrap();
        assert!(rows.rows().eq(all.iter().map(|hits| &hits[..])));
        let counts = batch.ask(&bvh, Count, &rays).unwrap();
        assert!(counts.into_iter().eq(all.iter().map(Vec::len)));
        let without = batch.options(options).ask(&bvh, Closest, &rays).unwrap();
        assert_eq!(without, others);
    }
}

#[test]
fn columns_have_the_numbers_of_hits() {
    let bvh = on_a_map();
    let rays = rays_at(&bvh, 500);
    let hits = Batch::new().ask(&bvh, Closest, &rays).unwrap();
    let columns: HitColumns<f64> = Batch::new().ask_as(&bvh, Closest, &rays).unwrap();
    assert_eq!(columns.len(), rays.len());
    assert!((0..rays.len()).all(|item| columns.get(item) == hits[item]));
    assert!(
        columns
            .t
            .iter()
            .zip(&hits)
            .all(|(&t, hit)| hit.is_some() || t == f64::INFINITY)
    );
    let rows: ColumnRows<HitColumns<f64>> = Batch::new().ask_as(&bvh, All, &rays).unwrap();
    let found = rows.row(3).expect("a ray").collect::<Vec<_>>();
    assert_eq!(found, bvh.ask(All, &rays[3]));
    // A question that is chosen at run time.
    let mut chosen = QueryColumns::<f64>::default();
    let report = Batch::new().ask_into(&bvh, Query::Closest, &rays, &mut chosen);
    report.unwrap();
    let QueryAnswers::Closest(chosen) = chosen else {
        panic!("another answer");
    };
    assert_eq!(chosen, columns);
}

#[test]
fn points_have_the_answers_of_single_calls() {
    let bvh = on_a_map();
    let points: Vec<DVec3> = rays_at(&bvh, 800).iter().map(|ray| ray.origin).collect();
    let nearest: Vec<_> = points
        .iter()
        .map(|&point| bvh.closest_point(point))
        .collect();
    let inside: Vec<_> = points
        .iter()
        .map(|point| bvh.ask(Contains, point))
        .collect();
    assert!(inside.contains(&Some(true)) && inside.contains(&Some(false)));
    let question = ClosestPointWithin::default();
    for batch in settings().take(3) {
        assert_eq!(batch.ask(&bvh, question, &points).unwrap(), nearest);
        assert_eq!(batch.ask(&bvh, Contains, &points).unwrap(), inside);
    }
    let columns: ClosestPointColumns<f64> = Batch::new().ask_as(&bvh, question, &points).unwrap();
    assert!((0..points.len()).all(|item| columns.get(item) == nearest[item]));
}

#[test]
fn hostile_numbers_have_the_answers_of_single_calls() {
    for kind in DOUBLE_KINDS {
        let mut rng = Rng::named(3, kind);
        let mut triangles = doubles(kind, &mut rng);
        triangles.retain(Triangle64::is_finite);
        let corners = triangles.iter().flat_map(Triangle64::corners);
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let bvh = Bvh::build(&Mesh::from_f64(corners, faces).expect("finite corners"));
        let rays: Vec<Ray64> = (0..200)
            .map(|_| double_ray(kind, &triangles, &mut rng))
            .collect();
        let points: Vec<DVec3> = (0..100)
            .map(|_| double_point(kind, &triangles, &mut rng))
            .collect();
        let bits = |hits: &[Option<Hit<f64>>]| -> Vec<Option<([u64; 3], PrimId)>> {
            let bits = |hit: Hit<f64>| ([hit.t, hit.u, hit.v].map(f64::to_bits), hit.prim);
            hits.iter().map(|hit| hit.map(bits)).collect()
        };
        let single: Vec<_> = rays.iter().map(|ray| bvh.ask(Closest, ray)).collect();
        let nearest: Vec<_> = points
            .iter()
            .map(|&point| bvh.closest_point(point))
            .collect();
        for batch in settings() {
            let found = batch.ask(&bvh, Closest, &rays).unwrap();
            assert_eq!(bits(&found), bits(&single), "{kind}");
            let found = batch
                .ask(&bvh, ClosestPointWithin::default(), &points)
                .unwrap();
            assert_eq!(found, nearest, "{kind}");
        }
    }
}
