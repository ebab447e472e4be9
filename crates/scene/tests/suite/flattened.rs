//! Scenes of matrices that leave every corner an `f32`, and the same triangles as one mesh.

use crate::common::{bits, each, exact_scenes, flattened, flattened_case, scene_of};
use estoc_batch::Batch;
use estoc_bvh::Layout;
use estoc_core::{
    All, Any, Closest, Count, Crossings, Cull, FirstK, Hit, QueryOptions, Ray, Ray64, RayQuery,
    SceneHit, ScenePrim,
};
use estoc_scene::SceneSnapshot;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, Rng, placement_case};

#[test]
fn flattened_scenes_have_the_same_bits() {
    let (seeds, rays) = if Effort::is_long() {
        (400, 500)
    } else {
        (3, 40)
    };
    let (mut hits, mut asked) = (0, 0);
    for (index, scene) in exact_scenes(seeds).enumerate() {
        let layout = [Layout::Fast, Layout::Compact][index % 2];
        let (flat, ids) = flattened(&scene, layout);
        let mesh = flattened_case(&flat, index);
        let mut rng = Rng::named(index as u64, "rays");
        let rays = generate::rays(&mesh, &mut rng, rays);
        let as_scene = |hit: &Hit| {
            let id = ids[hit.prim.index()];
            (id, [hit.t, hit.u, hit.v].map(f32::to_bits))
        };
        for ray in &rays {
            let all = flat.all_hits(ray);
            asked += 1;
            hits += all.len();
            let pick = |rng: &mut Rng| match all.len() {
                0 => None,
                len => Some(all[rng.below(len)].prim),
            };
            let cull = rng.pick(&[Cull::None, Cull::Back, Cull::Front]);
            let options = QueryOptions::new().cull(cull);
            let options = options.mask(rng.pick(&[u32::MAX, 1, 2, 3]));
            let options = options.after(pick(&mut rng)).skip(pick(&mut rng));
            for options in [QueryOptions::new(), options] {
                let same = QueryOptions::<ScenePrim>::default();
                let mut same = same.cull(options.cull).mask(options.mask);
                same.after = options.after.map(|prim| ids[prim.index()]);
                same.skip = options.skip.map(|prim| ids[prim.index()]);
                check(&scene, &flat, ray, (&same, &options), &as_scene);
            }
        }
        check_batches(&scene, &rays);
    }
    assert!(hits > asked / 2, "{hits} hits of {asked} rays");
}

fn check(
    scene: &SceneSnapshot,
    flat: &estoc_bvh::Bvh,
    ray: &Ray,
    (options, same): (&QueryOptions<ScenePrim>, &QueryOptions),
    as_scene: &impl Fn(&Hit) -> (ScenePrim, [u32; 3]),
) {
    let what = format!("{ray:?} with {options:?}");
    let list = |hits: Vec<SceneHit>| hits.iter().map(bits).collect::<Vec<_>>();
    let flat_list = |hits: Vec<Hit>| hits.iter().map(as_scene).collect::<Vec<_>>();
    // A primitive to continue after may be one that the ray misses; then both refuse.
    let found = scene.ask_with(All, ray, options).ok().map(list);
    let expected = flat.ask_with(All, ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "all of {what}");
    let found = scene.ask_with(Closest, ray, options).ok().flatten();
    let found = found.as_ref().map(bits);
    let expected = flat.ask_with(Closest, ray, same).ok().flatten();
    assert_eq!(found, expected.as_ref().map(as_scene), "{what}");
    let found = scene.ask_with(Any, ray, options).ok();
    let expected = flat.ask_with(Any, ray, same).ok();
    assert_eq!(found, expected, "any of {what}");
    let found = scene.ask_with(FirstK(2), ray, options).ok().map(list);
    let expected = flat.ask_with(FirstK(2), ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "two of {what}");
    let found = scene.ask_with(Crossings, ray, options).ok().map(list);
    let expected = flat.ask_with(Crossings, ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "crossings of {what}");
    let found = scene.ask_with(Count, ray, options).ok();
    let expected = flat.ask_with(Count, ray, same).ok();
    assert_eq!(found, expected, "number of {what}");
}

/// Batches answer what single calls do, for any number of threads.
fn check_batches(scene: &SceneSnapshot, rays: &[Ray]) {
    let batch = Batch::new().threads(2).chunk_size(7);
    let closest = batch.closest_hits(scene, rays).expect("no options");
    assert_eq!(closest, each(rays, |ray| scene.closest_hit(&ray)));
    let any = batch.any_hits(scene, rays).expect("no options");
    assert_eq!(any, each(rays, |ray| scene.any_hit(&ray)));
    let counts = batch.count_crossings(scene, rays).expect("no options");
    assert_eq!(counts, each(rays, |ray| scene.count_crossings(&ray)));
    let all = batch.all_hits(scene, rays).expect("no options");
    for (index, ray) in rays.iter().enumerate() {
        assert_eq!(all.row(index), Some(&scene.all_hits(ray)[..]), "{ray:?}");
    }
    let wide = each(rays, Ray64::from);
    let first = batch.ask(scene, Closest, &wide).expect("no options");
    assert_eq!(first, closest);
    let rows = batch.ask(scene, All, &wide).expect("no options");
    assert_eq!(rows, all);
    let points = each(rays, |ray| ray.origin);
    let inside = batch.contains(scene, &points[..]).expect("no options");
    assert_eq!(inside, each(&points, |point| scene.contains(point)));
}

/// `reversed` and mirrors turn the sides, and nothing else.
#[test]
fn reversed_placements_turn_their_sides() {
    let mut turned = 0;
    for seed in 0..6 {
        let mut case = placement_case("exact", seed).expect("a kind");
        let [plain, reversed] = [false, true].map(|is_reversed| {
            let placements = case.scenes.iter_mut().flatten();
            placements.for_each(|placed| placed.reversed = is_reversed);
            scene_of(&case)
        });
        let mut rng = Rng::named(seed, "sides");
        for _ in 0..30 {
            let ray = Ray::new(rng.grid_point(8), rng.grid_direction(3));
            let sides = |scene: &SceneSnapshot, cull| {
                let options = QueryOptions::default().cull(cull);
                scene.ask_with(All, &ray, &options).expect("no `after`")
            };
            assert_eq!(sides(&plain, Cull::Back), sides(&reversed, Cull::Front));
            assert_eq!(sides(&plain, Cull::Front), sides(&reversed, Cull::Back));
            assert_eq!(plain.crossings(&ray), reversed.crossings(&ray));
            turned += sides(&plain, Cull::Front).len();
        }
    }
    assert!(turned > 20, "{turned}");
}
