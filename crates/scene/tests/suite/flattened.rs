//! Scenes of matrices that leave every corner an `f32`, and the same triangles as one mesh.

use crate::common::{bits, exact_scenes, flattened, scene_of};
use estoc_batch::Batch;
use estoc_bvh::Layout;
use estoc_core::{
    All, Any, Closest, Count, Crossings, Cull, FirstK, Hit, QueryOptions, Ray, Ray64, RayQuery,
    SceneHit, ScenePrim, Triangle,
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
        let layout = if index % 2 == 0 {
            Layout::Fast
        } else {
            Layout::Compact
        };
        let (flat, ids) = flattened(&scene, layout);
        let triangles = (0..ids.len()).map(|i| {
            let prim = estoc_core::PrimId::from_index(i).expect("few");
            flat.triangle(prim).expect("a triangle of the mesh")
        });
        let mesh = generate::Scene {
            name: "flattened",
            seed: index as u64,
            triangles: triangles.collect::<Vec<Triangle>>(),
        };
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
            let (cull, mask) = (
                rng.pick(&[Cull::None, Cull::Back, Cull::Front]),
                rng.pick(&[u32::MAX, 1, 2, 3]),
            );
            let options = QueryOptions::new()
                .cull(cull)
                .mask(mask)
                .after(pick(&mut rng))
                .skip(pick(&mut rng));
            for options in [QueryOptions::new(), options] {
                let mut same = QueryOptions::<ScenePrim>::default().cull(cull).mask(mask);
                same.cull = options.cull;
                same.mask = options.mask;
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
    let what = || format!("{ray:?} with {options:?}");
    let list = |hits: Vec<SceneHit>| hits.iter().map(bits).collect::<Vec<_>>();
    let flat_list = |hits: Vec<Hit>| hits.iter().map(as_scene).collect::<Vec<_>>();
    // A primitive to continue after may be one that the ray misses; then both refuse.
    let found = scene.ask_with(All, ray, options).ok().map(list);
    let expected = flat.ask_with(All, ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "all of {}", what());
    let found = scene.ask_with(Closest, ray, options).ok().flatten();
    let expected = flat.ask_with(Closest, ray, same).ok().flatten();
    assert_eq!(
        found.as_ref().map(bits),
        expected.as_ref().map(as_scene),
        "{}",
        what()
    );
    let found = scene.ask_with(Any, ray, options).ok();
    assert_eq!(
        found,
        flat.ask_with(Any, ray, same).ok(),
        "any of {}",
        what()
    );
    let found = scene.ask_with(FirstK(2), ray, options).ok().map(list);
    let expected = flat.ask_with(FirstK(2), ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "two of {}", what());
    let found = scene.ask_with(Crossings, ray, options).ok().map(list);
    let expected = flat.ask_with(Crossings, ray, same).ok().map(flat_list);
    assert_eq!(found, expected, "crossings of {}", what());
    let found = scene.ask_with(Count, ray, options).ok();
    assert_eq!(
        found,
        flat.ask_with(Count, ray, same).ok(),
        "number of {}",
        what()
    );
}

/// Batches answer what single calls do, for any number of threads.
fn check_batches(scene: &SceneSnapshot, rays: &[Ray]) {
    let batch = Batch::new().threads(2).chunk_size(7);
    let closest = batch.closest_hits(scene, rays).expect("no options");
    let expected = rays
        .iter()
        .map(|ray| scene.closest_hit(ray))
        .collect::<Vec<_>>();
    assert_eq!(closest, expected);
    let any = batch.any_hits(scene, rays).expect("no options");
    let expected = rays
        .iter()
        .map(|ray| scene.any_hit(ray))
        .collect::<Vec<_>>();
    assert_eq!(any, expected);
    let counts = batch.count_crossings(scene, rays).expect("no options");
    let expected = rays
        .iter()
        .map(|ray| scene.count_crossings(ray))
        .collect::<Vec<_>>();
    assert_eq!(counts, expected);
    let all = batch.all_hits(scene, rays).expect("no options");
    for (index, ray) in rays.iter().enumerate() {
        assert_eq!(all.row(index), Some(&scene.all_hits(ray)[..]), "{ray:?}");
    }
    let wide: Vec<Ray64> = rays.iter().map(|&ray| ray.into()).collect();
    let first = batch.ask(scene, Closest, &wide).expect("no options");
    assert_eq!(first, closest);
    let rows = batch.ask(scene, All, &wide).expect("no options");
    assert_eq!(rows, all);
    let points: Vec<_> = rays.iter().map(|ray| ray.origin).collect();
    let inside = batch.contains(scene, &points[..]).expect("no options");
    let expected = points
        .iter()
        .map(|&point| scene.contains(point))
        .collect::<Vec<_>>();
    assert_eq!(inside, expected);
}

/// `reversed` and mirrors turn the sides, and nothing else.
#[test]
fn reversed_placements_turn_their_sides() {
    let mut turned = 0;
    for seed in 0..6 {
        let mut case = placement_case("exact", seed).expect("a kind");
        case.scenes
            .iter_mut()
            .flatten()
            .for_each(|placed| placed.reversed = false);
        let plain = scene_of(&case);
        case.scenes
            .iter_mut()
            .flatten()
            .for_each(|placed| placed.reversed = true);
        let reversed = scene_of(&case);
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
