//! Tests of the choice of a plan.

use super::*;

const MIB: usize = 1 << 20;

fn facts(rays: usize, tree_mib: usize, one_way: usize) -> PlanFacts {
    PlanFacts {
        ends_at_first_hit: true,
        ends_at_any_hit: false,
        has_rows: false,
        has_options: false,
        only_skips: false,
        is_one_by_one: false,
        is_about_positions: false,
        rays,
        threads: 4,
        tree_bytes: tree_mib * MIB,
        caches: CacheSizes::TYPICAL,
        coherence: Coherence::Auto,
        sampled: CoherenceSample {
            groups: 64,
            close: one_way,
            one_way,
            scanline: 0,
        },
        forced: None,
        chunk_size: None,
        reorder: false,
    }
}

#[test]
fn many_points_are_sorted_where_the_tree_exceeds_a_cache() {
    let points = |rays, tree_mib, threads| {
        Plan::new(PlanFacts {
            is_one_by_one: true,
            is_about_positions: true,
            threads,
            ..facts(rays, tree_mib, 0)
        })
    };
    let plan = points(1 << 20, 50, 4);
    assert_eq!((plan.reorder, plan.chunk_size), (true, 1 << 16));
    assert!(plan.reasons()[2].starts_with("sorted by position in windows of 65536"));
    // Windows shrink, so that every thread has some.
    assert_eq!(
        points(50_000, 50, 2).chunk_size,
        6250_usize.next_multiple_of(GROUP)
    );
    assert_eq!(points(50_000, 50, 1).chunk_size, 1 << 16);
    assert_eq!(points(4096, 50, 16).chunk_size, CHUNK_SIZES.0);
    let rows = PlanFacts {
        has_rows: true,
        ..points(50_000, 50, 1).facts
    };
    assert_eq!(Plan::new(rows).chunk_size, ROW_POINT_WINDOWS.1);
    assert!(!points(1000, 50, 2).reorder);
    assert!(!points(1 << 20, 1, 2).reorder);
    assert!(!points(1 << 20, 0, 2).reorder);
    assert!(!Plan::new(facts(1 << 20, 50, 0)).reorder);
}

#[test]
fn whatever_the_facts_the_plan_can_be_carried_out() {
    for rays in [
        0,
        1,
        15,
        16,
        255,
        1023,
        1024,
        5000,
        1 << 20,
        1 << 24,
        usize::MAX / 64,
    ] {
        for threads in [0, 1, 2, 16, 1000] {
            for tree in [0, 1, 100, 100_000] {
                for (ends_at_first_hit, has_rows) in [(true, false), (false, false), (false, true)]
                {
                    for chunk_size in [None, Some(0), Some(13), Some(usize::MAX)] {
                        let facts = facts(rays, tree, 0);
                        let plan = Plan::new(PlanFacts {
                            threads,
                            ends_at_first_hit,
                            has_rows,
                            chunk_size,
                            ..facts
                        });
                        assert!(plan.chunk_size > 0 && plan.threads > 0, "{plan:?}");
                        assert!(plan.threads <= threads.max(1), "{plan:?}");
                        if chunk_size.is_none() {
                            assert_eq!(plan.chunk_size % GROUP, 0, "{plan:?}");
                        }
                        assert_eq!(
                            plan.to_string().lines().count(),
                            2 + usize::from(plan.reorder)
                        );
                    }
                }
            }
        }
    }
}
