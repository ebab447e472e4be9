//! Checks engines of triangles in `f64`.

use crate::oracle::{DoubleOracle, DoubleTouch};
use estoc_core::glam::DVec3;
use estoc_core::{
    All, Any, Closest, ClosestK, ClosestPoint, Contains, Count, CountCrossings, Crossings, Cull,
    Distance, Engine, FirstK, Hit, NearEngine, PointQuery, QueryOptions, RayEngine, RayKind,
    RayQuery, RayTest, Side, Triangle64, Within,
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
    E: NearEngine<DVec3> + Engine<Primitive = Triangle64>,
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
    }
    let narrow = middle as f32;
    let wide = engine.within(point, f64::from(narrow));
    assert_eq!(engine.ask(Within(narrow), &point), wide, "{name}");
    let inside = engine.ask(Contains, &point);
    assert_eq!(inside, oracle.contains(point), "{name}");
    all.len()
}
