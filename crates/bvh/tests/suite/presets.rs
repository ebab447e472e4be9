//! Properties of trees of each quality: no triangle is lost or doubled, the tree is the same for
//! any number of threads, and a build ends soon after it is cancelled.

use crate::common::{Rng, Shape};
use estoc_bvh::{BuildError, Bvh, Quality};
use estoc_core::{CancelToken, PrimId, Progress, Ray};
use estoc_mesh::Mesh;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const ALL: [Quality; 3] = [Quality::Fast, Quality::Balanced, Quality::Best];

/// Returns scenes for which a grid or a box over everything is useless.
fn scenes() -> Vec<(&'static str, Mesh)> {
    let mut rng = Rng::new(11);
    let small = |rng: &mut Rng, count: usize, size: f32| Shape::random(count, size, rng);
    let far = |corner: f32| Shape::soup([[[corner; 3], [0.0; 3], [0.0, 1.0, 0.0]]]);
    let soup = small(&mut rng, 20_000, 0.02);
    let dense = small(&mut rng, 20_000, 0.02).scaled(1e-5);
    let wide = small(&mut rng, 6_000, 1.0);
    let flat = soup.clone().map(|[x, y, _]| [x, y, 0.0]);
    let line = soup.clone().map(|[x, _, _]| [x, 0.0, 0.0]);
    let one = Shape::soup((0..9_000).map(|i| {
        let r = (i % 300) as f32;
        [[-r, -r, 0.0], [r, -r, 0.0], [0.0, r, 0.0]]
    }));
    let powers = Shape::soup((0..9_000).map(|i| {
        let x = 2f32.powi(i % 250 - 125) * (1.0 + i as f32 / 9_000.0);
        [[x, x, 0.0], [x, x, x], [x, 0.0, x]]
    }));
    let shapes = [
        ("soup", soup.clone()),
        ("soup and a corner far away", soup.clone().with(&far(1e30))),
        (
            "soup and the farthest corner",
            soup.clone().with(&far(f32::MAX)),
        ),
        ("a dense part in a wide one", soup.clone().with(&dense)),
        ("everything overlaps", wide),
        ("in a plane", flat),
        ("on a line", line),
        ("one centre", one),
        ("every magnitude", powers),
    ];
    shapes.map(|(name, shape)| (name, shape.mesh())).into()
}

fn build(quality: Quality, mesh: &Mesh, threads: usize) -> Bvh {
    let builder = Bvh::builder().quality(quality).threads(threads);
    builder.build(mesh).expect("nothing cancels")
}

/// Formats all boxes and the ids in all leaves.
fn look(bvh: &Bvh) -> String {
    format!("{:?}", bvh.nodes().collect::<Vec<_>>())
}

#[test]
fn any_scene_gives_a_valid_tree_that_is_the_same_for_any_number_of_threads() {
    for (name, mesh) in scenes() {
        for quality in ALL {
            let alone = build(quality, &mesh, 1);
            // Each triangle occurs once, and each box contains its contents.
            assert_eq!(alone.validate(), Ok(()), "{name}, {quality:?}");
            assert_eq!(alone.triangle_count(), mesh.triangle_count());
            let look_alone = look(&alone);
            for threads in [2, 3, 7] {
                let tree = build(quality, &mesh, threads);
                let same = look(&tree) == look_alone;
                assert!(same, "{name}, {quality:?}, {threads} threads");
            }
        }
    }
}

/// Neither a far corner nor a dense region makes the fast tree much worse than the balanced one.
#[test]
fn fast_trees_are_good_ones_even_where_a_grid_is_no_help() {
    for (name, mesh) in scenes() {
        let [fast, usual] = [Quality::Fast, Quality::Balanced].map(|quality| {
            let bvh = build(quality, &mesh, 2);
            let rays = rays(&mesh);
            let steps = rays.iter().map(|ray| bvh.closest_hit_steps(ray));
            steps
                .map(|steps| u64::from(steps.nodes + steps.leaves))
                .sum::<u64>()
        });
        assert!(fast * 2 <= usual * 3, "{name}: {fast} steps, not {usual}");
    }
}

/// Moving subtrees lowers the area of the binary tree. The cost of the wide tree falls with it,
/// except for an increase of up to a tenth where there is nothing to gain, as with equal centres.
#[test]
fn the_best_trees_cost_rays_no_more_than_the_usual_ones() {
    for (name, mesh) in scenes() {
        let [usual, best] = [Quality::Balanced, Quality::Best]
            .map(|quality| build(quality, &mesh, 2).stats().sah_cost);
        assert!(best <= usual * 1.1, "{name}: {best}, not {usual}");
    }
    // The gain shows where triangles differ in size: long thin ones among small ones.
    let mut rng = Rng::new(15);
    let mixed = (0..20_000).map(|i| {
        let long = if i % 20 == 0 { 1.0 } else { 0.01 };
        let at: [f32; 3] = rng.vec(-1.0, 1.0);
        let steps = [rng.vec(-long, long), rng.vec(-0.01, 0.01), [0.0; 3]];
        steps.map(|step| [0, 1, 2].map(|axis| at[axis] + step[axis]))
    });
    let mixed = Shape::soup(mixed.collect::<Vec<_>>()).mesh();
    let [usual, best] = [Quality::Balanced, Quality::Best]
        .map(|quality| build(quality, &mixed, 2).stats().sah_cost);
    assert!(best < usual * 0.985, "long and small: {best}, not {usual}");
}

/// Returns rays from triangle to triangle.
fn rays(mesh: &Mesh) -> Vec<Ray> {
    let mut rng = Rng::new(12);
    let count = mesh.triangle_count() as u64;
    let corner = |rng: &mut Rng| {
        let prim = PrimId::from_index(rng.below(count) as usize).unwrap();
        mesh.triangle(prim).unwrap().corners()[0]
    };
    let ray = |_| {
        let (from, to) = (corner(&mut rng), corner(&mut rng));
        Ray::new(from, to * 0.5 - from * 0.5)
    };
    (0..500).map(ray).collect()
}

/// A token cancelled at any time ends the build with the cancellation error; a build that finished
/// before is valid.
#[test]
fn builds_end_soon_after_a_token_is_raised_whatever_they_are_at() {
    let mesh = Shape::random(60_000, 0.05, &mut Rng::new(13)).mesh();
    for quality in ALL {
        let start = Instant::now();
        let whole = build(quality, &mesh, 2);
        let time = start.elapsed();
        let mut cancelled = 0;
        for moment in 0..20 {
            let token = CancelToken::new();
            let wait = time * moment / 20;
            let built = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(wait);
                    token.cancel();
                });
                let builder = Bvh::builder().quality(quality).threads(2);
                builder.cancel(&token).build(&mesh)
            });
            match built {
                Ok(tree) => assert_eq!(tree.stats(), whole.stats()),
                Err(error) => {
                    assert_eq!(error, BuildError::Cancelled);
                    cancelled += 1;
                }
            }
        }
        assert!(cancelled > 0, "{quality:?}: nothing was cancelled");
    }
}

/// Progress counts all triangles, and no more.
#[test]
fn progress_ends_with_all_triangles() {
    for count in [1, 9, 5_000, 30_000] {
        let mesh = Shape::random(count, 0.05, &mut Rng::new(14)).mesh();
        for quality in ALL {
            let most = AtomicUsize::new(0);
            let watch = |now: Progress| {
                assert_eq!(now.total, Some(count as u64));
                most.fetch_max(now.done as usize, Ordering::Relaxed);
            };
            let builder = Bvh::builder().quality(quality).threads(2).progress(&watch);
            builder.build(&mesh).unwrap();
            assert_eq!(most.into_inner(), count, "{quality:?}");
        }
    }
}
