//! Checks every question about one ray.

use super::bits::assert_same;
use super::judge::Judge;
use crate::generate::Rng;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, Cull, FirstK, Hit, HitBuffer, MeshEngine,
    PrimId, QueryOptions, Ray, RayQuery,
};
use std::fmt;

/// Up to this number of triangles every option is checked, beyond it a sample: a brute-force query
/// costs time proportional to the number of triangles.
const FEW: usize = 100;

/// Checks every question about the ray. Returns the number of questions asked.
pub(super) fn check<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    judge: &impl Judge,
    rng: &mut Rng,
    case: &impl fmt::Display,
) -> usize {
    let mut asked = 0;
    let all = judge.all(&QueryOptions::new()).expect("no `after`");
    asked += check_plain(engine, ray, judge, &all, case);
    asked += check_chain(engine, ray, &all, case);
    for options in options_for(engine.triangle_count(), &all, rng) {
        asked += check_options(engine, ray, judge, &options, case);
    }
    asked
}

fn check_plain<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    judge: &impl Judge,
    all: &Vec<Hit>,
    case: &impl fmt::Display,
) -> usize {
    let crossings = judge.crossings(&QueryOptions::new()).expect("no `after`");
    let ask = |question: &str| format!("{question}, {case}");
    let first = all.first().copied();
    assert_same(&engine.closest_hit(ray), &first, || ask("closest_hit"));
    assert_same(&engine.any_hit(ray), &first.is_some(), || ask("any_hit"));
    assert_same(&engine.all_hits(ray), all, || ask("all_hits"));
    assert_same(&engine.count_hits(ray), &all.len(), || ask("count_hits"));
    assert_same(&engine.crossings(ray), &crossings, || ask("crossings"));
    let (count, expected) = (engine.count_crossings(ray), crossings.len());
    assert_same(&count, &expected, || ask("count_crossings"));
    let ks = [
        0,
        1,
        2,
        3,
        8,
        all.len().saturating_sub(1),
        all.len(),
        all.len() + 1,
    ];
    for k in ks {
        let expected = all.iter().take(k).copied().collect();
        let got = engine.first_hits(ray, k);
        assert_same(&got, &expected, || ask(&format!("first_hits({k})")));
    }
    let greatest = engine.first_hits(ray, usize::MAX);
    assert_same(&greatest, all, || ask("first_hits(usize::MAX)"));
    7 + ks.len()
}

/// Checks that `next_hit` enumerates all hits.
fn check_chain<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    all: &[Hit],
    case: &impl fmt::Display,
) -> usize {
    let links = all.iter().zip(all.iter().skip(1).map(Some).chain([None]));
    let longest = if engine.triangle_count() <= FEW {
        24
    } else {
        6
    };
    let mut asked = 0;
    for (hit, next) in links.take(longest) {
        let got = engine.next_hit(ray, hit.prim);
        assert_same(&got, &Ok(next.copied()), || {
            format!("next_hit behind triangle {}, {case}", hit.prim)
        });
        asked += 1;
    }
    asked
}

fn check_options<Q: MeshEngine>(
    engine: &Q,
    ray: &Ray,
    judge: &impl Judge,
    options: &QueryOptions,
    case: &impl fmt::Display,
) -> usize {
    let ask = |question: &str| format!("{question} with {options:?}, {case}");
    let all = judge.all(options);
    let first = all.as_ref().map(|all| all.first().copied());
    let first = first.map_err(|&error| error);
    let any = first.map(|first| first.is_some());
    let count = all.as_ref().map(Vec::len).map_err(|&error| error);

    assert_same(&engine.ask_with(Closest, ray, options), &first, || {
        ask("closest_hit")
    });
    assert_same(&engine.ask_with(Any, ray, options), &any, || ask("any_hit"));
    assert_same(&engine.ask_with(All, ray, options), &all, || {
        ask("all_hits")
    });
    assert_same(&engine.ask_with(Count, ray, options), &count, || {
        ask("count_hits")
    });
    // The contents of a reused buffer must not affect the answers.
    let mut buffer = HitBuffer::new();
    let _ = engine.all_hits_in(ray, &QueryOptions::new(), &mut buffer);
    let again = engine.all_hits_in(ray, options, &mut buffer);
    assert_same(&again.map(<[Hit]>::to_vec), &all, || ask("all_hits_in"));
    for k in [1, 2] {
        let expected = all.clone().map(|mut all| {
            all.truncate(k);
            all
        });
        assert_same(&engine.ask_with(FirstK(k), ray, options), &expected, || {
            ask(&format!("first_hits({k})"))
        });
    }
    let crossings = judge.crossings(options);
    assert_same(
        &engine.ask_with(Crossings, ray, options),
        &crossings,
        || ask("crossings"),
    );
    let count = crossings.map(|crossings| crossings.len());
    assert_same(
        &engine.ask_with(CountCrossings, ray, options),
        &count,
        || ask("count_crossings"),
    );
    9
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
