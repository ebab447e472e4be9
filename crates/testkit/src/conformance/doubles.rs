//! Checks engines of triangles in `f64`.

use crate::oracle::DoubleTouch;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Cull, Engine, FirstK, Hit64, QueryOptions,
    RayEngine, RayKind, RayQuery, RayTest, Side, Triangle64,
};

fn bits(hit: &Hit64) -> [u64; 4] {
    let Hit64 { t, u, v, prim } = hit;
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
    let list = |hits: Vec<Hit64>| hits.iter().map(bits).collect::<Vec<_>>();
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
