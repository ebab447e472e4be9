//! Every plan, forced, on every scene of the test kit, compared with brute force. `ESTOC_LONG=1`
//! runs a hundred times as many rays, about ten million for each technique.

use crate::common::{Answers, Backwards, picture};
use crate::forms::check_every_form;
use estoc_batch::Batch;
use estoc_bvh::{Bvh, SimdLevel};
use estoc_core::{
    Any, BruteForce, Closest, Count, Hit, Ray, RayQuery, Technique, TechniqueCounts, Triangle,
};
use estoc_mesh::Mesh;
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::{self, Rng, Scene};

/// Returns the tree of a scene, and brute force over the same triangles.
fn engines(scene: &Scene) -> (Bvh, BruteForce) {
    // A mesh rejects corners that are not finite; such triangles are never hit.
    let none = Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]);
    let finite = |triangle: &Triangle| match triangle.is_finite() {
        true => *triangle,
        false => none,
    };
    let triangles: Vec<Triangle> = scene.triangles.iter().map(finite).collect();
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let bvh = Bvh::build(&Mesh::try_new(corners, faces).expect("all corners are finite"));
    (bvh, BruteForce::new(triangles))
}

#[test]
fn every_plan_says_what_brute_force_says() {
    let count = if Effort::is_long() { 15_000 } else { 150 };
    let (mut hits, mut scenes) = (0, 0);
    for scene in generate::scenes(5) {
        let name = scene.name;
        let (bvh, brute) = engines(&scene);
        // Hostile rays one by one, and some with similar directions.
        let mut rays: Vec<Ray> = generate::cases(&scene, count)
            .map(|case| case.ray)
            .collect();
        rays.extend(picture(8));
        let same_way = rays[count / 2].with_interval(0.0, f32::INFINITY);
        rays.extend([same_way; 64]);
        let expected = Answers::plain(&brute, &rays);
        hits += expected.all.values.len();
        scenes += 1;
        let backwards = Backwards::new(bvh.clone(), 1 << 40);
        for technique in Technique::ALL {
            for (threads, chunk, reorder) in [
                (1, 100_000, false),
                (2, 64, false),
                (3, 37, true),
                (7, 11, false),
            ] {
                let batch = Batch::new().technique(technique).reorder(reorder);
                let batch = batch.threads(threads).chunk_size(chunk);
                let found = Answers::of(&batch, &bvh, &rays);
                let what = format!("{name}: {technique} {threads} {chunk} {reorder}");
                assert!(found == expected, "{what}");
            }
        }
        let batch = Batch::new().threads(2).reorder(true);
        let found = Answers::of(&batch, &backwards, &rays);
        assert!(found == expected, "{name}, backwards");
        let some = &rays[..rays.len().min(400)];
        let batch = Batch::new().threads(2).chunk_size(37);
        check_every_form(name, &batch, &bvh, &brute, some);
    }
    println!("{scenes} scenes, {hits} hits");
    assert!(scenes > 20 && hits > 10_000, "{scenes} {hits}");
}

/// Returns groups of 256 rays close to a hostile one, as tiles require, and then as many hostile
/// rays.
fn rays_of_all_kinds(scene: &Scene, cases: usize) -> Vec<Ray> {
    let mut rng = Rng::named(scene.seed, scene.name);
    let hostile: Vec<Ray> = generate::cases(scene, cases).map(|case| case.ray).collect();
    let mut rays = Vec::with_capacity(2 * cases);
    for at in hostile.iter().step_by(256) {
        let at = match at.check() {
            Err(_) => continue,
            Ok(()) if rng.one_in(2) => at.with_interval(0.0, f32::INFINITY),
            Ok(()) => *at,
        };
        let step = rng.pick(&[1e-5, 1e-4, 1e-3, 5e-3]) * at.dir.abs().max_element();
        let axes = rng.pick(&[[0, 1], [1, 2], [2, 0]]);
        rays.extend((0..256).map(|k| {
            let mut ray = at;
            ray.dir[axes[0]] += step * (k % 16) as f32;
            ray.dir[axes[1]] += step * (k / 16) as f32;
            ray
        }));
    }
    rays.extend(hostile);
    rays
}

/// The number of queries of a technique, and the wrong answers.
#[derive(Debug, Default)]
struct Asked {
    rays: usize,
    /// The technique that the engine used.
    techniques: TechniqueCounts,
    differences: usize,
    first: Option<String>,
}

impl Asked {
    fn compare<A: PartialEq + std::fmt::Debug>(
        &mut self,
        (what, rays): (&str, &[Ray]),
        found: &[A],
        expected: &[A],
    ) {
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            if found != expected {
                self.differences += 1;
                let ray = rays[i];
                self.first.get_or_insert_with(|| {
                    format!("{what} {i}: {found:?}, not {expected:?}: {ray:?}")
                });
            }
        }
    }
}

#[test]
fn every_technique_says_what_single_calls_say() {
    let cases = if Effort::is_long() { 110_000 } else { 512 };
    let mut all = Technique::ALL.map(|technique| (technique, Asked::default()));
    let (mut hits, mut counted, mut judged, mut scenes) = (0, 0, 0, 0);
    for scene in generate::scenes(6) {
        let (bvh, brute) = engines(&scene);
        let rays = rays_of_all_kinds(&scene, cases);
        let closest: Vec<Option<Hit>> = rays.iter().map(|ray| bvh.closest_hit(ray)).collect();
        let any: Vec<bool> = rays.iter().map(|ray| bvh.any_hit(ray)).collect();
        let count: Vec<usize> = rays.iter().map(|ray| bvh.count_hits(ray)).collect();
        for (i, ray) in rays.iter().enumerate().step_by(rays.len().div_ceil(200)) {
            let expected = (brute.closest_hit(ray), brute.count_hits(ray));
            assert_eq!((closest[i], count[i]), expected, "{}: {ray:?}", scene.name);
            judged += 1;
        }
        scenes += 1;
        hits += closest.iter().flatten().count();
        counted += count.iter().sum::<usize>();
        let mut found_closest = vec![None; rays.len()];
        let mut found_any = vec![false; rays.len()];
        let mut found_count = vec![0; rays.len()];
        for (technique, asked) in &mut all {
            let batch = Batch::new().technique(*technique).threads(1);
            let batch = batch.reorder(false).chunk_size(1 << 16);
            let name = |query: &str| format!("{}, {technique}, {query}", scene.name);
            let report = batch.ask_into(&bvh, Closest, &rays, &mut found_closest[..]);
            asked.techniques += report.unwrap().techniques;
            asked.compare((&name("closest"), &rays), &found_closest, &closest);
            let report = batch.ask_into(&bvh, Any, &rays, &mut found_any[..]);
            asked.techniques += report.unwrap().techniques;
            asked.compare((&name("any"), &rays), &found_any, &any);
            let report = batch.ask_into(&bvh, Count, &rays, &mut found_count[..]);
            asked.techniques += report.unwrap().techniques;
            asked.compare((&name("count"), &rays), &found_count, &count);
            asked.rays += rays.len();
        }
    }
    println!(
        "{scenes} scenes, {hits} rays that hit, {counted} hits, {judged} rays asked of brute force"
    );
    for (technique, asked) in &all {
        println!("{technique}: {asked:?}");
    }
    for (technique, asked) in &all {
        assert!(asked.differences == 0, "{technique}: {asked:?}");
        assert!(asked.rays > 20_000, "{technique}: {asked:?}");
    }
    let [_, (_, interleaved), (_, packets), (_, bundles)] = &all;
    // Levels without kernels for many rays have neither.
    if SimdLevel::from_env().unwrap_or(SimdLevel::best()) != SimdLevel::Baseline {
        assert!(interleaved.techniques.interleaved > interleaved.rays);
        assert!(packets.techniques.packets > packets.rays / 500);
        let bundled = bundles.techniques.bundles;
        assert!(bundled > bundles.rays / 50, "{bundles:?}");
    }
    assert!(hits > 5_000 && counted > hits && judged > 5_000);
}
