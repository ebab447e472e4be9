//! Checks engines of triangles in `f64`.

use crate::oracle::{DoubleOracle, DoubleTouch};
use estoc_core::glam::DVec3;
use estoc_core::{
    All, Any, Closest, ClosestK, ClosestPoint, Contains, Count, CountCrossings, Crossings, Cull,
    Distance, Engine, FirstK, Hit, PointEngine, PointQuery, PrimId, QueryOptions, QuerySlice,
    RayEngine, RayKind, RayQuery, RayTest, RowQuestion, Side, Technique, TechniqueCounts,
    Triangle64, ValueQuestion, Within,
};

fn bits(hit: &Hit<f64>) -> [u64; 4] {
    let Hit { t, u, v, prim } = hit;
    [t.to_bits(), u.to_bits(), v.to_bits(), prim.get().into()]
}

/// Asks an engine of triangles in `f64` about a ray, and compares with the oracle. Returns the number of hits.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_doubles<R: RayKind, E>(
    engine: &E,
    ray: &R,
    expected: &[DoubleTouch],
    name: &str,
) -> usize
where
    E: RayEngine<R> + Engine<Primitive = Triangle64>,
    Triangle64: RayTest<R>,
{
    let list = |hits: Vec<Hit<f64>>| hits.iter().map(bits).collect::<Vec<_>>();
    let chosen = |chosen: &dyn Fn(&DoubleTouch) -> bool| -> Vec<_> {
        let touches = expected.iter().filter(|touch| chosen(touch));
        touches.map(|touch| bits(&touch.hit)).collect()
    };
    let all = chosen(&|_| true);
    let crossings = chosen(&|touch| touch.crosses);
    assert_eq!(list(engine.ask(All, ray)), all, "{name}");
    let first = engine.ask(Closest, ray);
    assert_eq!(first.as_ref().map(bits), all.first().copied(), "{name}");
    assert_eq!(engine.ask(Any, ray), !all.is_empty(), "{name}");
    assert_eq!(engine.ask(Count, ray), all.len(), "{name}");
    assert_eq!(list(engine.ask(Crossings, ray)), crossings, "{name}");
    assert_eq!(engine.ask(CountCrossings, ray), crossings.len(), "{name}");
    let with = |options: QueryOptions| engine.ask_with(All, ray, &options);
    let open = with(QueryOptions::new().open_ends(true)).expect("no `after`");
    assert_eq!(list(open), chosen(&|touch| !touch.is_at_end), "{name}");
    assert_eq!(
        list(engine.ask(FirstK(2), ray)),
        all[..all.len().min(2)],
        "{name}"
    );
    if let Some(second) = expected.get(1) {
        let rest = with(QueryOptions::new().after(Some(second.hit.prim)));
        assert_eq!(list(rest.expect("a hit")), all[2..], "{name}");
        let others = with(QueryOptions::new().skip(Some(second.hit.prim)));
        let others = list(others.expect("no `after`"));
        let expected = chosen(&|touch| touch.hit.prim != second.hit.prim);
        assert_eq!(others, expected, "{name}");
        let skip = QueryOptions::new().skip(Some(second.hit.prim));
        let first = engine.ask_with(Closest, ray, &skip).expect("no `after`");
        assert_eq!(
            first.as_ref().map(bits),
            expected.first().copied(),
            "{name}"
        );
        let any = engine.ask_with(Any, ray, &skip).expect("no `after`");
        assert_eq!(any, !expected.is_empty(), "{name}");
    }
    for (cull, side) in [(Cull::Front, Side::Back), (Cull::Back, Side::Front)] {
        let found = with(QueryOptions::new().cull(cull)).expect("no `after`");
        assert_eq!(list(found), chosen(&|touch| touch.side == side), "{name}");
    }
    all.len()
}

/// Asks an engine of triangles in `f64` about many rays by each technique, whole and in parts, with a triangle of each
/// ray skipped and without, and compares with the oracle's touches of each ray on the triangles that masks show.
/// Returns how many rays were traced by each technique.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_many_doubles<R: RayKind, E>(
    engine: &E,
    rays: &[R],
    expected: &[Vec<DoubleTouch>],
    name: &str,
) -> TechniqueCounts
where
    E: RayEngine<R> + Engine<Primitive = Triangle64>,
    Triangle64: RayTest<R>,
{
    let mut counts = TechniqueCounts::default();
    let first = |touches: &Vec<DoubleTouch>| touches.first().map(|touch| touch.hit.prim);
    let skipping = expected.iter().map(first);
    let skipping: Vec<_> = skipping.map(|p| QueryOptions::new().skip(p)).collect();
    let plain = vec![QueryOptions::new(); rays.len()];
    for technique in Technique::ALL {
        for (size, is_adaptive) in [(rays.len(), false), (29, true)] {
            for (options, skips) in [(&plain, false), (&skipping, true)] {
                let name = format!("{name} {technique} in parts of {size}");
                let parts = rays.chunks(size).zip(options.chunks(size));
                for ((rays, options), expected) in parts.zip(expected.chunks(size)) {
                    let many = QuerySlice::new(rays).technique(technique);
                    let many = many.adaptive(is_adaptive);
                    let many = match skips {
                        true => many.options_each(options),
                        false => many,
                    };
                    let seen: Vec<Vec<_>> = (expected.iter().zip(options))
                        .map(|(touches, options)| seen(engine, touches, options))
                        .collect();
                    counts += check_part(engine, &many, &seen, &name);
                }
            }
        }
    }
    counts
}

/// Returns the touches that count.
fn seen<'a>(
    engine: &impl Engine,
    touches: &'a [DoubleTouch],
    options: &QueryOptions,
) -> Vec<&'a DoubleTouch> {
    let is_seen = |touch: &&DoubleTouch| {
        let masks = engine.masks();
        let is_shown = masks.is_none_or(|masks| masks.shows(touch.hit.prim, options.mask));
        is_shown && options.skip != Some(touch.hit.prim)
    };
    touches.iter().filter(is_seen).collect()
}

fn check_part<R: RayKind, E>(
    engine: &E,
    many: &QuerySlice<'_, R>,
    expected: &[Vec<&DoubleTouch>],
    name: &str,
) -> TechniqueCounts
where
    E: RayEngine<R> + Engine<Primitive = Triangle64>,
    Triangle64: RayTest<R>,
{
    let defined = many.items().iter().filter(|ray| ray.is_defined()).count();
    let check_counts = |counts: TechniqueCounts| {
        assert_eq!(counts.total(), defined, "{name}");
        counts
    };
    let mut found = vec![None; many.len()];
    let mut counts = check_counts(Closest.ask_many(engine, many, None, &mut found).unwrap());
    let firsts = found.iter().map(|hit| hit.as_ref().map(bits));
    for (ray, (found, expected)) in firsts.zip(expected).enumerate() {
        let expected = expected.first().map(|touch| bits(&touch.hit));
        assert_eq!(found, expected, "{name}, ray {ray}");
    }
    let mut found = vec![true; many.len()];
    counts += check_counts(Any.ask_many(engine, many, None, &mut found).unwrap());
    let any = expected.iter().map(|touches| !touches.is_empty());
    assert!(found.into_iter().eq(any), "{name}");
    // A filter sees the ray as it was given.
    let accept = &|ray: &R, hit: &Hit<f64>| is_kept(ray, hit.prim);
    let kept = |place: usize| {
        let touches = expected[place].iter().map(|touch| &touch.hit);
        touches.filter(move |hit| is_kept(&many.items()[place], hit.prim))
    };
    let mut found = vec![true; many.len()];
    Any.ask_many(engine, many, Some(accept), &mut found)
        .unwrap();
    for (ray, found) in found.into_iter().enumerate() {
        assert_eq!(found, kept(ray).next().is_some(), "{name}, ray {ray}");
    }
    let mut found = vec![None; many.len()];
    Closest
        .ask_many(engine, many, Some(accept), &mut found)
        .unwrap();
    for (ray, found) in found.iter().enumerate() {
        let expected = kept(ray).next().map(bits);
        assert_eq!(found.as_ref().map(bits), expected, "{name}, ray {ray}");
    }
    let mut found = vec![0; many.len()];
    counts += check_counts(Count.ask_many(engine, many, None, &mut found).unwrap());
    assert!(
        found.into_iter().eq(expected.iter().map(Vec::len)),
        "{name}"
    );
    let mut found = vec![0; many.len()];
    CountCrossings
        .ask_many(engine, many, None, &mut found)
        .unwrap();
    let crossings = |touches: &Vec<&DoubleTouch>| touches.iter().filter(|t| t.crosses).count();
    assert!(
        found.into_iter().eq(expected.iter().map(crossings)),
        "{name}"
    );
    let mut rows = vec![Vec::new(); many.len()];
    let emit = &mut |place: usize, hits: &[Hit<f64>]| rows[place] = hits.iter().map(bits).collect();
    FirstK(2).ask_rows(engine, many, None, emit).unwrap();
    for (found, expected) in rows.iter().zip(expected) {
        let expected = expected.iter().take(2).map(|touch| bits(&touch.hit));
        assert!(found.iter().copied().eq(expected), "{name}");
    }
    counts
}

/// A filter that depends on every number of the ray and on the triangle.
fn is_kept<R: RayKind>(ray: &R, prim: PrimId) -> bool {
    let numbers = [ray.wide_origin(), ray.wide_dir()].concat();
    let numbers = numbers.into_iter().chain(ray.interval());
    let hash = numbers.fold(u64::from(prim.get()), |hash, x| {
        (hash ^ x.to_bits())
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    });
    hash % 2 == 0
}

fn near_bits(near: &ClosestPoint<f64>) -> ([u64; 6], u8, u32) {
    let ClosestPoint { distance, u, v, .. } = near;
    let [x, y, z] = near.point.to_array();
    let numbers = [*distance, *u, *v, x, y, z].map(f64::to_bits);
    (numbers, near.feature.number(), near.prim.get())
}

/// Asks an engine of triangles in `f64` about a point, and compares with the oracle. Returns the number of
/// triangles with area.
///
/// # Panics
/// If an answer is not that of the oracle.
pub fn check_double_point<E>(engine: &E, point: DVec3, oracle: &DoubleOracle, name: &str) -> usize
where
    E: PointEngine<DVec3>,
{
    let near = oracle.near(point);
    let all: Vec<_> = near.iter().map(|near| near_bits(&near.rounded)).collect();
    let list = |found: Vec<ClosestPoint<f64>>| found.iter().map(near_bits).collect::<Vec<_>>();
    let one = |found: Option<ClosestPoint<f64>>| found.as_ref().map(near_bits);
    let first = near.first().map(|near| near.rounded);
    assert_eq!(one(engine.closest_point(point)), one(first), "{name}");
    let distance = first.map(|first| first.distance);
    assert_eq!(engine.distance(point), distance, "{name}");
    assert_eq!(engine.ask(Distance, &point), distance, "{name}");
    for k in [3, 100] {
        let some = &all[..k.min(all.len())];
        assert_eq!(list(engine.closest_points(point, k)), some, "{name} {k}");
        assert_eq!(list(engine.ask(ClosestK(k), &point)), some, "{name} {k}");
    }
    let middle = near.get(near.len() / 2);
    let middle = middle.map_or(1.0, |near| near.rounded.distance);
    for radius in [middle.next_down(), middle, middle.next_up(), -1.0, 0.0] {
        let mut within: Vec<_> = { near.iter() }
            .filter(|near| near.is_within(radius))
            .map(|near| near.rounded.prim)
            .collect();
        let is_any = !within.is_empty();
        let nearest = engine.closest_point_within(point, radius);
        assert_eq!(
            one(nearest),
            one(first.filter(|_| is_any)),
            "{name} {radius}"
        );
        assert_eq!(engine.any_within(point, radius), is_any, "{name} {radius}");
        within.sort_unstable();
        assert_eq!(engine.within(point, radius), within, "{name} {radius}");
        assert_eq!(
            engine.ask(Within(radius), &point),
            within,
            "{name} {radius}"
        );
    }
    let inside = engine.ask(Contains, &point);
    assert_eq!(inside, oracle.contains(point), "{name}");
    all.len()
}
