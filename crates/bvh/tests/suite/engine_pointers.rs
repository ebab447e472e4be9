//! An engine behind a pointer, or as a trait object, gives the same answers as itself.

use estoc_bvh::Bvh;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{
    All, Any, Closest, Contains, Count, CountCrossings, Crossings, Cull, FirstK, HitBuffer,
    HitRowQuestion, Masks, MeshEngine, PointEngine, PointKind, PointQuery, PrimId, QueryOptions,
    QuerySlice, Ray, RayQuery, Technique,
};
use estoc_demo::{DemoSpec, RaySampler};
use std::sync::Arc;

/// Formats every answer about a ray.
fn single<E: MeshEngine + ?Sized>(engine: &E, ray: &Ray) -> String {
    let options = QueryOptions::new().cull(Cull::Back).mask(2);
    let mut buffer = HitBuffer::new();
    let mut is_even = |_: &Ray, hit: &estoc_core::Hit| hit.prim.get().is_multiple_of(2);
    let plain = (
        engine.closest_hit(ray),
        engine.any_hit(ray),
        engine.all_hits(ray),
        engine.first_hits(ray, 2),
        engine.count_hits(ray),
        engine.crossings(ray),
        engine.count_crossings(ray),
        engine.next_hit(ray, PrimId::new(0).unwrap()),
        engine.contains(ray.origin),
    );
    let with = (
        engine.ask_with(Closest, ray, &options),
        engine.ask_with(Any, ray, &options),
        engine.ask_with(All, ray, &options),
        engine
            .all_hits_in(ray, &options, &mut buffer)
            .map(<[_]>::to_vec),
        engine.ask_with(FirstK(2), ray, &options),
        engine.ask_with(Count, ray, &options),
        engine.ask_with(Crossings, ray, &options),
        engine.ask_with(CountCrossings, ray, &options),
    );
    let asked = (
        engine.ask(Closest, ray),
        engine.ask_with(Count, ray, &options),
        engine.ask_where(Closest, ray, &options, &mut is_even),
        engine.ask_where(All, ray, &options, &mut is_even),
    );
    let engine_itself = (
        engine.triangle_count(),
        engine.triangle(PrimId::new(7).unwrap()),
        engine.is_closed(),
        engine.masks(),
        engine.query_bytes(),
    );
    format!("{plain:?} {with:?} {asked:?} {engine_itself:?}")
}

/// Does the same for many rays.
fn many<E: MeshEngine + ?Sized>(engine: &E, rays: &[Ray], technique: Technique) -> String {
    fn rows<E: MeshEngine + ?Sized, Q: HitRowQuestion<E>>(
        engine: &E,
        question: Q,
        many: &QuerySlice<'_>,
    ) -> String {
        let mut rows = vec![Vec::new(); many.len()];
        let mut emit = |place: usize, hits: &[estoc_core::Hit]| rows[place] = hits.to_vec();
        let techniques = engine.ask_rows(question, many, &mut emit).unwrap();
        format!("{techniques:?} {rows:?}")
    }
    let mut told = String::new();
    for options in [QueryOptions::new(), QueryOptions::new().mask(2)] {
        let many = QuerySlice::new(rays).options(&options).technique(technique);
        let points: Vec<_> = rays.iter().map(|ray| ray.origin).collect();
        let mut closest = vec![None; rays.len()];
        let mut any = vec![false; rays.len()];
        let [mut count, mut crossings] = [vec![0; rays.len()], vec![0; rays.len()]];
        let mut inside = vec![None; rays.len()];
        let about_points = QuerySlice::new(&points).technique(technique);
        let techniques = [
            engine.ask_many(Closest, &many, &mut closest).unwrap(),
            engine.ask_many(Any, &many, &mut any).unwrap(),
            engine.ask_many(Count, &many, &mut count).unwrap(),
            engine
                .ask_many(CountCrossings, &many, &mut crossings)
                .unwrap(),
            engine
                .ask_many(Contains, &about_points, &mut inside)
                .unwrap(),
        ];
        told += &format!("{techniques:?} {closest:?} {any:?} {count:?} {crossings:?} {inside:?}");
        told += &rows(engine, All, &many);
        told += &rows(engine, FirstK(2), &many);
        told += &rows(engine, Crossings, &many);
    }
    told
}

#[test]
fn pointers_and_objects_answer_as_the_engine() {
    let mesh = "solids?n=400".parse::<DemoSpec>().unwrap().mesh();
    let rays = RaySampler::new(&mesh, 4).take(60);
    let plain = Bvh::build(&mesh);
    let masked = plain
        .clone()
        .with_masks(Masks::from_runs([(99, 1), (99, 3), (50, 0)]));
    for bvh in [plain, masked] {
        // A query can cache data in a tree, so each is a tree of its own.
        let object: &dyn MeshEngine = &bvh.clone();
        let boxed: Box<dyn MeshEngine> = Box::new(bvh.clone());
        let shared = Arc::new(bvh.clone());
        let shared_object: Arc<dyn MeshEngine> = Arc::new(bvh.clone());
        for ray in &rays {
            let expected = single(&bvh, ray);
            assert_eq!(single(&&bvh, ray), expected, "{ray:?}");
            assert_eq!(single(object, ray), expected, "{ray:?}");
            assert_eq!(single(&object, ray), expected, "{ray:?}");
            assert_eq!(single(&boxed, ray), expected, "{ray:?}");
            assert_eq!(single(&shared, ray), expected, "{ray:?}");
            assert_eq!(single(&shared_object, ray), expected, "{ray:?}");
        }
        for technique in Technique::ALL {
            let expected = many(&bvh, &rays, technique);
            assert!(many(&&bvh, &rays, technique) == expected, "{technique}");
            assert!(many(object, &rays, technique) == expected, "{technique}");
            assert!(many(&object, &rays, technique) == expected, "{technique}");
            assert!(many(&boxed, &rays, technique) == expected, "{technique}");
            assert!(many(&shared, &rays, technique) == expected, "{technique}");
            let found = many(&shared_object, &rays, technique);
            assert!(found == expected, "{technique}");
        }
        assert!(rays.iter().any(|ray| bvh.any_hit(ray)));
    }
}

/// What a trait object or a pointer answers about points, and about a ray.
fn about_points<V, E>(engine: &E, point: V) -> String
where
    V: PointKind,
    E: PointEngine<V> + ?Sized,
{
    let answers = (
        engine.signed_distance(point),
        engine.winding_number(point),
        engine.winding_estimate(point),
        engine.ask(Contains, &point),
        engine.ask(Closest, &point.to_the_outside()),
        engine.traces_together(),
        engine.surface(),
    );
    format!("{answers:?}")
}

#[test]
fn pointers_answer_about_points_of_both_kinds() {
    let mesh = "sphere?n=80".parse::<DemoSpec>().unwrap().mesh();
    let (narrow, wide) = (Bvh::build(&mesh), Bvh::build(&mesh.into_f64().unwrap()));
    for x in [0.0f32, 0.3, 0.99, 2.0, f32::NAN] {
        let point = Vec3::new(x, 0.1, 0.2);
        let expected = about_points(&narrow, point);
        let object: Box<dyn PointEngine> = Box::new(narrow.clone());
        assert_eq!(about_points(&object, point), expected);
        assert_eq!(about_points(&*object, point), expected);
        let point = point.as_dvec3();
        let expected = about_points(&wide, point);
        let object: Box<dyn PointEngine<DVec3>> = Box::new(wide.clone());
        assert_eq!(about_points(&object, point), expected);
        assert_eq!(about_points(&*object, point), expected);
        assert_eq!(about_points(&&wide, point), expected);
        assert_eq!(about_points(&Arc::new(wide.clone()), point), expected);
    }
}
