//! Batches of every size up to 5,000, of rays in five orders: the answers of single calls. With
//! `ESTOC_LONG=1`, all sizes; otherwise those up to 200 and around the sizes of groups.

use crate::common::{picture, scene};
use estoc_batch::Batch;
use estoc_bvh::Bvh;
use estoc_core::{Any, Closest, Hit, Ray, RayQuery, Technique};
use estoc_testkit::conformance::Effort;
use estoc_testkit::tables::Rng;

const MOST: usize = 5_000;

/// Returns rays from points close to each other in all directions, as of ambient occlusion.
fn around(count: usize, rng: &mut Rng) -> Vec<Ray> {
    (0..count)
        .map(|i| {
            let x = i as f32 / count as f32;
            let dir: [f32; 3] = rng.vec(-1.0, 1.0);
            Ray::new([x, 0.5, 1.1 - x], dir).with_interval(0.0, 0.3)
        })
        .collect()
}

/// Returns at least `MOST` rays in each order.
fn orders() -> (Bvh, Vec<(&'static str, Vec<Ray>)>) {
    let (bvh, unrelated) = scene(MOST);
    let mut rng = Rng::new(17);
    let around = around(MOST, &mut rng);
    let mut below = |n: usize| rng.below(n as u64) as usize;
    let rows = picture(71);
    let mut shuffled = rows.clone();
    for i in (1..shuffled.len()).rev() {
        shuffled.swap(i, below(i + 1));
    }
    // Neighbours of one kind, then of another, in runs of all lengths.
    let kinds = [&rows, &unrelated, &around, &shuffled];
    let mut mixed = Vec::new();
    while mixed.len() < MOST {
        let (kind, run) = (kinds[below(kinds.len())], 1 + below(150));
        let first = below(MOST - run);
        mixed.extend_from_slice(&kind[first..first + run]);
    }
    let orders = vec![
        ("rows of a picture", rows),
        ("shuffled", shuffled),
        ("unrelated", unrelated),
        ("close origins", around),
        ("mixed", mixed),
    ];
    (bvh, orders)
}

fn sizes() -> Vec<usize> {
    if Effort::is_long() {
        return (1..=MOST).collect();
    }
    let near = [64, 100, 128, 256, 512, 1000, 1024, 4096, MOST - 1];
    let near = near.iter().flat_map(|size| [size - 1, *size, size + 1]);
    (1..=200).chain(near).collect()
}

#[test]
fn batches_of_every_size_and_order_say_what_single_calls_say() {
    let (bvh, orders) = orders();
    let threads = [1, 2, 3, 7];
    let mut techniques: Vec<Option<Technique>> = Technique::ALL.map(Some).into();
    techniques.push(None);
    let (mut closest, mut any) = (vec![None; MOST], vec![false; MOST]);
    let mut hits = 0;
    for (name, rays) in &orders {
        let expected: Vec<Option<Hit>> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        hits += expected.iter().flatten().count();
        let some = expected.iter().copied().flatten().next();
        for (turn, size) in sizes().into_iter().enumerate() {
            // Batches begin at different rays, so that groups do too.
            let first = (turn * 37) % (MOST - size + 1);
            let (rays, expected) = (&rays[first..first + size], &expected[first..first + size]);
            let defined = rays.iter().filter(|ray| ray.check().is_ok()).count();
            for (i, technique) in techniques.iter().enumerate() {
                let batch = Batch::new().technique(*technique);
                let batch = batch.threads(threads[(turn + i) % threads.len()]);
                let what = || format!("{name}, {size} rays from {first}, {technique:?}");
                let (closest, any) = (&mut closest[..size], &mut any[..size]);
                // What is there before is wrong, so that a ray without an answer is seen.
                for (i, hit) in expected.iter().enumerate() {
                    closest[i] = if hit.is_none() { some } else { None };
                    any[i] = hit.is_none();
                }
                let report = batch.ask_into(&bvh, Closest, rays, closest).unwrap();
                assert_eq!(report.techniques.total(), defined, "{}", what());
                assert!(closest == expected, "{}", what());
                let report = batch.ask_into(&bvh, Any, rays, any).unwrap();
                assert_eq!(report.techniques.total(), defined, "{}", what());
                let mut found = any.iter().zip(expected);
                let is_same = found.all(|(any, hit)| *any == hit.is_some());
                assert!(is_same, "{}", what());
            }
        }
    }
    assert!(hits > 5_000, "{hits}");
}
