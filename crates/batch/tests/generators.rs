//! Every plan, forced, on every scene of the test kit: what brute force says. `ESTOC_LONG=1` asks
//! a hundred times as many rays.

mod common;

use common::{Answers, Backwards, picture};
use estoc_batch::Batch;
use estoc_bvh::{Bvh, Mesh};
use estoc_core::{BruteForce, Ray, Technique, Triangle};
use estoc_testkit::generate;

#[test]
fn every_plan_says_what_brute_force_says() {
    let count = match std::env::var_os("ESTOC_LONG") {
        Some(_) => 15_000,
        None => 150,
    };
    let (mut hits, mut scenes) = (0, 0);
    for scene in generate::scenes(5) {
        let name = scene.name;
        // A mesh takes no corner that is not finite; such triangles are never hit.
        let none = Triangle::new([0.0; 3], [0.0; 3], [0.0; 3]);
        let finite = |triangle: &Triangle| {
            if triangle.is_finite() {
                *triangle
            } else {
                none
            }
        };
        let triangles: Vec<Triangle> = scene.triangles.iter().map(finite).collect();
        let corners = triangles.iter().flat_map(Triangle::corners);
        let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let bvh = Bvh::build(&Mesh::new(corners, faces).expect("all corners are finite"));
        let brute = BruteForce::new(triangles);
        // Hostile rays one by one, and some that go one way.
        let mut rays: Vec<Ray> = generate::cases(&scene, count)
            .map(|case| case.ray)
            .collect();
        rays.extend(picture(8));
        let same_way = rays[count / 2].with_interval(0.0, f32::INFINITY);
        rays.extend([same_way; 64]);
        let expected = Answers::plain(&brute, &rays);
        hits += expected.all.hits.len();
        scenes += 1;
        let backwards = Backwards {
            inner: bvh.clone(),
            bytes: 1 << 40,
        };
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
                assert!(
                    found == expected,
                    "{name}: {technique} {threads} {chunk} {reorder}"
                );
            }
        }
        let batch = Batch::new().threads(2).reorder(true);
        assert!(
            Answers::of(&batch, &backwards, &rays) == expected,
            "{name}, backwards"
        );
    }
    println!("{scenes} scenes, {hits} hits");
    assert!(scenes > 20 && hits > 10_000, "{scenes} {hits}");
}
