//! The decisions of a plan, and the reasons that it gives.

use crate::common::{Backwards, picture, scene};
use estoc_batch::{Batch, CacheSizes, Coherence, Plan, Query, Rays};
use estoc_core::{BruteForce, Closest, Cull, QueryOptions, Ray, Technique};

const MIB: usize = 1 << 20;
const CACHES: CacheSizes = CacheSizes {
    core: MIB,
    shared: 32 * MIB,
};

/// Returns the plan for rays at a tree of `tree_bytes` bytes.
fn plan(batch: Batch<'_>, tree_bytes: usize, rays: &[Ray], query: Query) -> Plan {
    let engine = Backwards::new(BruteForce::new(vec![]), tree_bytes);
    batch.caches(CACHES).plan(&engine, query, rays)
}

/// Returns rays whose neighbours have nothing in common.
fn shuffled(count: usize) -> Vec<Ray> {
    scene(count).1
}

/// Returns rays whose neighbours start side by side, in any direction.
fn from_surface(side: usize) -> Vec<Ray> {
    let at = |i: usize| [(i % side) as f32 * 0.3, (i / side) as f32, 0.0];
    let anywhere = shuffled(side * side);
    let rays = anywhere.iter().enumerate();
    rays.map(|(i, ray)| Ray::new(at(i), ray.dir)).collect()
}

#[test]
fn trees_and_rays_decide_on_the_technique() {
    use Technique::{Bundles, Interleaved, OneByOne, Packets};
    let (one_way, anywhere) = (picture(256), shuffled(1 << 16));
    let close = from_surface(256);
    let batch = Batch::new().threads(2);
    let closest = Query::Closest;
    let coherent = "32 of 32 sampled groups are coherent";
    let close_by = "0 of 32 sampled groups are coherent, but the rays of 32 start close together";
    let incoherent = "0 of 32 sampled groups are coherent";
    let no_first_hits =
        "packets and bundles are for first hits with no option but a triangle to skip";
    let nothing = String::new;
    let exceeds = |size| format!(", and the tree ({size}) exceeds a core's cache (1.0 MiB)");
    let within = |size| format!(", and the tree ({size}) is within a core's cache (1.0 MiB)");
    let exceeds_3 = exceeds("4.0 MiB").replace("a core", "3 times a core");
    let within_3 = within("3.0 MiB").replace("a core", "3 times a core");
    #[rustfmt::skip]
    let cases = [
        (0, &one_way, closest, OneByOne, "the engine does not report its size", nothing()),
        (MIB / 2, &one_way, closest, Packets, coherent, nothing()),
        (20 * MIB, &one_way, Query::Any, Packets, coherent, nothing()),
        (500 * MIB, &one_way, closest, Packets, coherent, nothing()),
        (20 * MIB, &one_way, Query::All, Interleaved, no_first_hits, exceeds("20 MiB")),
        (MIB / 2, &close, closest, Bundles, close_by, nothing()),
        (500 * MIB, &close, Query::Any, Bundles, close_by, nothing()),
        (500 * MIB, &close, Query::Count, Interleaved, no_first_hits, exceeds("500 MiB")),
        (3 * MIB, &anywhere, closest, OneByOne, incoherent, within_3),
        (4 * MIB, &anywhere, closest, Interleaved, incoherent, exceeds_3),
        (MIB, &anywhere, Query::Count, OneByOne, no_first_hits, within("1.0 MiB")),
        (3 * MIB, &anywhere, Query::Count, Interleaved, no_first_hits, exceeds("3.0 MiB")),
        (500 * MIB, &anywhere, Query::Count, Interleaved, no_first_hits, exceeds("500 MiB")),
    ];
    for (tree, rays, query, expected, of_rays, of_tree) in cases {
        let plan = plan(batch, tree, rays, query);
        assert_eq!(plan.technique, expected, "{plan}");
        let first = plan.to_string();
        let reason = format!("{expected}: {of_rays}{of_tree}");
        assert_eq!(first.lines().next(), Some(&*reason));
    }
    // Half coherent, half not.
    let half = [&one_way[..1 << 15], &anywhere[..1 << 15]].concat();
    let found = plan(batch, 20 * MIB, &half, closest);
    assert!((8..=24).contains(&found.facts.sampled.one_way), "{found}");
}

#[test]
fn who_knows_better_is_believed() {
    let (mut one_way, anywhere) = (picture(256), shuffled(1 << 12));
    one_way.truncate(1 << 12);
    let batch = Batch::new();
    let technique = |batch, rays: &[Ray]| plan(batch, 20 * MIB, rays, Query::Closest).technique;
    let coherent = batch.coherence(Coherence::Coherent);
    assert_eq!(technique(coherent, &anywhere), Technique::Packets);
    let incoherent = batch.coherence(Coherence::Incoherent);
    assert_eq!(technique(incoherent, &one_way), Technique::Interleaved);
    for forced in Technique::ALL {
        let plan = plan(batch.technique(forced), 0, &one_way, Query::All);
        assert_eq!(plan.technique, forced);
        let start = format!("{forced}: as requested\n");
        assert!(plan.to_string().starts_with(&start), "{plan}");
        assert_eq!(plan.facts.sampled.groups, 0, "nobody needs to look");
    }
    // Packets do not support options.
    let options = [QueryOptions::new().cull(Cull::Back); 4096];
    for batch in [batch.cull(Cull::Back), batch.options_each(&options)] {
        assert_eq!(technique(batch, &one_way), Technique::Interleaved);
    }
    assert_eq!(technique(batch, &one_way), Technique::Packets);
}

const FIRST_HITS: &str = "bundles: 32 of 32 sampled groups are coherent, but packets take no options \
                          of first hits, such as triangles to skip\n";

#[test]
fn close_rays_that_skip_a_triangle_are_traced_together() {
    let (one_way, close) = (picture(256), from_surface(256));
    let skip = QueryOptions::new().skip(estoc_core::PrimId::new(3));
    let mut each = vec![QueryOptions::new(); 1 << 16];
    for options in each.iter_mut().step_by(2) {
        *options = skip;
    }
    let plan_of = |query, batch: Batch<'_>, rays: &[Ray]| plan(batch, 20 * MIB, rays, query);
    let plan = |batch: Batch<'_>, rays: &[Ray]| plan_of(Query::Any, batch, rays);
    for batch in [Batch::new().options(skip), Batch::new().options_each(&each)] {
        let first = plan_of(Query::Closest, batch, &one_way);
        let any = plan(batch, &one_way);
        let plans = [
            (first, Technique::Bundles),
            (any, Technique::Packets),
            (plan(batch, &close), Technique::Bundles),
        ];
        for (plan, technique) in &plans {
            assert_eq!((plan.technique, plan.tile_rows), (*technique, 0), "{plan}");
            assert!(plan.facts.has_options && plan.facts.only_skips, "{plan:?}");
        }
        assert!(first.to_string().starts_with(FIRST_HITS), "{first}");
        let why = "packets: 32 of 32 sampled groups are coherent\n";
        assert!(any.to_string().starts_with(why), "{any}");
        let anywhere = plan(batch, &shuffled(1 << 16));
        assert_eq!(anywhere.technique, Technique::Interleaved, "{anywhere}");
    }
    // Options of each ray that skip nothing.
    let nothing = vec![QueryOptions::new(); 1 << 16];
    let batch = Batch::new().options_each(&nothing);
    let first = plan_of(Query::Closest, batch, &one_way);
    assert!(first.to_string().starts_with(FIRST_HITS), "{first}");
    let few = plan(Batch::new().options(skip), &close[..100]);
    assert_eq!(few.technique, Technique::OneByOne, "{few}");
    // One that culls, too.
    let cull = Batch::new().options(skip.cull(Cull::Back));
    assert_eq!(plan(cull, &close).technique, Technique::Interleaved);
    let culling = vec![skip.cull(Cull::Front); 1 << 16];
    let cull = plan(Batch::new().options_each(&culling), &close);
    assert_eq!(cull.technique, Technique::Interleaved);
    assert!(!cull.facts.only_skips, "{cull:?}");
}

#[test]
fn few_rays_are_cast_at_once_in_this_thread() {
    let rays = picture(256);
    for (count, technique, threads, groups) in [
        (0, Technique::OneByOne, 1, 0),
        (1, Technique::OneByOne, 1, 0),
        (15, Technique::OneByOne, 1, 0),
        (16, Technique::Interleaved, 1, 0),
        (63, Technique::Interleaved, 1, 0),
        (64, Technique::Packets, 1, 1),
        (100, Technique::Packets, 1, 1),
        (1023, Technique::Packets, 1, 1),
        (1024, Technique::Packets, 5, 1),
        (4096, Technique::Packets, 5, 2),
    ] {
        let batch = Batch::new().threads(5);
        let plan = plan(batch, 20 * MIB, &rays[..count], Query::Any);
        let found = (plan.technique, plan.threads);
        assert_eq!(found, (technique, threads), "{count}: {plan}");
        assert_eq!(plan.facts.sampled.groups, groups, "{count}");
    }
    let said = plan(Batch::new().threads(5), 20 * MIB, &rays[..3], Query::Any).to_string();
    assert_eq!(
        said,
        "one by one: fewer than 16 rays\nchunks of 4096 rays in the calling thread"
    );
    // Small chunks, and engines of unknown size, are shared among threads even for few rays.
    let batch = Batch::new().threads(5).chunk_size(10);
    let small = plan(batch, 20 * MIB, &rays[..100], Query::Any);
    assert_eq!((small.threads, small.chunk_size), (5, 10));
    let unknown = plan(Batch::new().threads(5), 0, &rays[..100], Query::Any);
    assert_eq!((unknown.threads, unknown.chunk_size), (5, 64));
}

#[test]
fn few_close_rays_are_cast_one_by_one() {
    let rays = from_surface(256);
    for (count, technique) in [
        (63, Technique::Interleaved),
        (64, Technique::OneByOne),
        (255, Technique::OneByOne),
        (256, Technique::Bundles),
        (1000, Technique::Bundles),
    ] {
        let plan = plan(Batch::new(), 20 * MIB, &rays[..count], Query::Closest);
        assert_eq!(plan.technique, technique, "{count}: {plan}");
    }
    let told = plan(Batch::new(), 20 * MIB, &rays[..100], Query::Any).to_string();
    let why = "one by one: the sampled group is incoherent, and there are fewer than 256, which start \
               close together\n";
    assert!(told.starts_with(why), "{told}");
}

#[test]
fn chunks_are_whole_groups_and_leave_every_thread_some() {
    let numbers = vec![0.0; 6 << 24];
    for (rays, threads, query, expected) in [
        (2000, 2, Query::Closest, 512),
        (1 << 16, 2, Query::Closest, 2048),
        (1 << 20, 2, Query::Closest, 4096),
        (1 << 20, 16, Query::Closest, 4096),
        (100_000, 16, Query::Closest, 512),
        (100_000, 7, Query::Closest, 896),
        (1 << 20, 2, Query::All, 1024),
        (2000, 2, Query::Crossings, 256),
    ] {
        let engine = Backwards::new(BruteForce::new(vec![]), 20 * MIB);
        let batch = Batch::new().threads(threads).caches(CACHES);
        let rays = Rays::rows_of_6(&numbers[..6 * rays]).unwrap();
        let plan = batch.plan(&engine, query, rays);
        assert_eq!(plan.chunk_size, expected, "{plan}");
        assert_eq!(plan.chunk_size % 64, 0);
    }
}

#[test]
fn rays_are_reordered_on_request_only() {
    let rays = shuffled(1 << 21);
    let reordered =
        |batch: Batch<'_>, tree, rays: &[Ray]| plan(batch, tree, rays, Query::Closest).reorder;
    let batch = Batch::new().threads(2);
    let large = 500 * MIB;
    assert!(reordered(batch.reorder(true), 1, &rays[..2]));
    assert!(!reordered(batch, large, &rays));
    // The order is kept where the first failing ray has to be found.
    let after = batch.options(QueryOptions::new().after(estoc_core::PrimId::new(0)));
    assert!(!reordered(after.reorder(true), large, &rays));
    let options = vec![QueryOptions::new(); rays.len()];
    let each = batch.options_each(&options).reorder(true);
    assert!(!reordered(each, large, &rays));
    // Windows are as large as possible with several for each thread.
    let all = plan(batch.reorder(true), large, &rays, Query::Any);
    assert_eq!(all.chunk_size, 1 << 18);
    let end = "\nrays sorted by origin and direction in windows of 262144";
    assert!(all.to_string().ends_with(end), "{all}");
}

#[test]
fn plans_are_the_same_every_time_and_run_as_they_say() {
    let (bvh, rays) = scene(5000);
    let batch = Batch::new().threads(2);
    let plan = batch.plan(&bvh, Query::Closest, &rays);
    assert_eq!(plan, batch.plan(&bvh, Query::Closest, &rays));
    assert_ne!(plan, batch.plan(&bvh, Query::Closest, &rays[1..]));
    let mut hits = vec![None; rays.len()];
    let report = batch.ask_into(&bvh, Closest, &rays, &mut hits[..]).unwrap();
    assert_eq!(report.plan, plan);
    let undefined = rays.iter().filter(|ray| ray.check().is_err()).count() as u64;
    assert!(undefined > 50);
    assert_eq!((report.rays, report.not_asked()), (5000, undefined));
    assert_eq!(report.techniques.total() as u64, 5000 - undefined);
    let said = report.to_string();
    assert!(said.starts_with(&plan.to_string()), "{said}");
    assert!(said.contains("\n5000 rays: ") && said.ends_with(&format!(", {undefined} skipped")));
    let twice = Batch::new().technique(Technique::Packets);
    let engine = Backwards::new(bvh, 1);
    let mut cast = |count: usize| {
        let (rays, hits) = (&rays[..count], &mut hits[..count]);
        twice.ask_into(&engine, Closest, rays, hits).unwrap()
    };
    let mut total = cast(5000);
    total += cast(100);
    assert_eq!(total.rays, 5100);
    assert_eq!(total.techniques.packets as u64, 5100 - total.not_asked());
}
