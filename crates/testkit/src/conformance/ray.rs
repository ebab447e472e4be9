//! Checks every question about one ray.

use super::answer::{Answer, Check};
use crate::generate::Rng;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Cull, Distinct, FirstK, Hit, HitBuffer,
    HitOf, IdOf, MeshEngine, PrimId, QueryError, QueryOptions, Ray, RayEngine, RayKind, RayQuery,
};
use std::fmt;

/// Up to this number of triangles every option is checked, beyond it a sample: a brute-force query
/// costs time proportional to the number of triangles.
const FEW: usize = 100;

/// The right answers about one ray: lists, from which all others follow.
pub(super) struct Truth<'a> {
    pub(super) all: &'a dyn Fn(&QueryOptions) -> Result<Vec<Hit>, QueryError>,
    pub(super) crossings: &'a dyn Fn(&QueryOptions) -> Result<Vec<Hit>, QueryError>,
    pub(super) distinct: &'a dyn Fn(&QueryOptions) -> Result<Vec<Hit>, QueryError>,
}

/// Checks every question about the ray.
pub(super) fn check<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    truth: &Truth<'_>,
    rng: &mut Rng,
    check: &Check<'_>,
) {
    let plain = QueryOptions::new();
    let all = (truth.all)(&plain).expect("no `after`");
    let crossings = (truth.crossings)(&plain).expect("no `after`");
    check_plain(engine, ray, &all, &crossings, check);
    check_chain(engine, ray, &all, check);
    for options in options_for(engine.triangle_count(), &all, rng) {
        let lists = [truth.all, truth.crossings, truth.distinct].map(|list| list(&options));
        check_options(engine, ray, &options, &lists, check);
        check_buffer(engine, ray, &options, &lists[0], check);
    }
}

fn check_plain<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    all: &[Hit],
    crossings: &[Hit],
    check: &Check<'_>,
) {
    check.same(
        "closest_hit",
        &engine.closest_hit(ray),
        &all.first().copied(),
    );
    check.same("any_hit", &engine.any_hit(ray), &!all.is_empty());
    check.same("all_hits", &engine.all_hits(ray)[..], all);
    check.same("count_hits", &engine.count_hits(ray), &all.len());
    check.same("crossings", &engine.crossings(ray)[..], crossings);
    check.same(
        "count_crossings",
        &engine.count_crossings(ray),
        &crossings.len(),
    );
    let len = all.len();
    for k in [
        0,
        1,
        2,
        3,
        8,
        len.saturating_sub(1),
        len,
        len + 1,
        usize::MAX,
    ] {
        let got = engine.first_hits(ray, k);
        check.same(
            format_args!("first_hits({k})"),
            &got[..],
            &all[..k.min(len)],
        );
    }
}

/// Checks that `next_hit` enumerates all hits.
fn check_chain<Q: MeshEngine>(engine: &Q, ray: &Ray, all: &[Hit], check: &Check<'_>) {
    let few = engine.triangle_count() <= FEW;
    for (place, hit) in all.iter().enumerate().take(if few { 24 } else { 6 }) {
        let (got, next) = (engine.next_hit(ray, hit.prim), all.get(place + 1).copied());
        check.same(
            format_args!("next_hit behind triangle {}", hit.prim),
            &got,
            &Ok(next),
        );
    }
}

/// Checks every question about a ray with options, by lists from which all other answers follow.
pub(super) fn check_options<K, E>(
    engine: &E,
    ray: &K,
    options: &QueryOptions<IdOf<E>>,
    [all, crossings, distinct]: &[Result<Vec<HitOf<E>>, QueryError>; 3],
    check: &Check<'_>,
) where
    K: RayKind,
    E: RayEngine<K>,
    HitOf<E>: Answer,
{
    let ask =
        |question: &'static str| fmt::from_fn(move |f| write!(f, "{question} with {options:?}"));
    let first = |k: usize| all.clone().map(|all| all[..k.min(all.len())].to_vec());
    let count = |list: &Result<Vec<_>, _>| list.clone().map(|list| list.len());
    let got = engine.ask_with(Closest, ray, options);
    check.same(
        ask("closest_hit"),
        &got,
        &first(1).map(|first| first.first().copied()),
    );
    let got = engine.ask_with(Any, ray, options);
    check.same(
        ask("any_hit"),
        &got,
        &first(1).map(|first| !first.is_empty()),
    );
    let got = engine.ask_with(Count, ray, options);
    check.same(ask("count_hits"), &got, &count(all));
    check.same(ask("all_hits"), &engine.ask_with(All, ray, options), all);
    for k in [0, 1, 2, count(all).unwrap_or(0) + 1] {
        let got = engine.ask_with(FirstK(k), ray, options);
        check.same(
            format_args!("first_hits({k}) with {options:?}"),
            &got,
            &first(k),
        );
    }
    let got = engine.ask_with(Crossings, ray, options);
    check.same(ask("crossings"), &got, crossings);
    let got = engine.ask_with(Distinct, ray, options);
    check.same(ask("hits at different parameters"), &got, distinct);
    let got = engine.ask_with(CountCrossings, ray, options);
    check.same(ask("count_crossings"), &got, &count(crossings));
}

/// Checks that the contents of a reused buffer do not affect the answers.
fn check_buffer<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    options: &QueryOptions,
    all: &Result<Vec<Hit>, QueryError>,
    check: &Check<'_>,
) {
    let mut buffer = HitBuffer::new();
    let _ = engine.all_hits_in(ray, &QueryOptions::new(), &mut buffer);
    let again = engine.all_hits_in(ray, options, &mut buffer);
    let question = format_args!("all_hits_in with {options:?}");
    check.same(question, &again.map(<[Hit]>::to_vec), all);
}

/// Returns options of every kind, and a few combinations.
fn options_for(triangles: usize, all: &[Hit], rng: &mut Rng) -> Vec<QueryOptions> {
    let plain = QueryOptions::new();
    let hit = |rng: &mut Rng| all.get(rng.below(all.len().max(1))).map(|hit| hit.prim);
    let (some, other) = (hit(rng), hit(rng));
    let random = PrimId::from_index(rng.below(triangles + 1));
    let cull = rng.pick(&[Cull::None, Cull::Front, Cull::Back]);
    let mut list = vec![
        plain.cull(Cull::Front),
        plain.cull(Cull::Back),
        plain.skip(all.first().map(|hit| hit.prim).or(random)),
        plain.cull(cull).after(some).skip(other),
        plain.cull(cull).after(other).skip(other),
        plain.open_ends(true),
        plain.cull(cull).after(other).open_ends(true),
    ];
    if triangles > FEW {
        rng.shuffle(&mut list);
        list.truncate(2);
    }
    // Rarely of interest: primitives that are missed or do not exist.
    if rng.one_in(4) {
        list.push(plain);
        list.push(plain.after(random));
        list.push(plain.after(Some(PrimId::MAX)).skip(Some(PrimId::MAX)));
        list.push(plain.skip(random).cull(cull));
    }
    list
}
