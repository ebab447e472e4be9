//! Rays prepared eight at a time, or in bundles, equal rays prepared one at a time, to the bit.

use super::hostile_triangles::{case, cut};
use super::leaf_scene::Scene;
use core::{cell::RefCell, ptr};
use estoc_bvh::SimdLevel;
use estoc_bvh::internals::traverse::bundle::{ray_bundle::Bundle, ray_window::Window};
use estoc_bvh::internals::traverse::kernel_ray::{KernelRay, Prepared};
use estoc_bvh::internals::traverse::leaf_ray::LeafRay;
use estoc_bvh::internals::traverse::level_token;
use estoc_bvh::internals::traverse::plain_ray::{leaf, ray::PlainRay};
use estoc_bvh::internals::traverse::ray_group::{RayGroup, Ready};
use estoc_bvh::internals::traverse::single_walk::BoxTest;
use estoc_bvh::internals::wide::WideTree;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Closest, Collector, Engine, PrimId, QuerySlice, Queue, Ray, RayQuery, Technique,
    TechniqueCounts, Triangle,
};
use estoc_testkit::generate::Rng;
use fearless_simd::{Simd, SimdMask};

/// Passes a queue of rays to a test.
struct Tester<F>(RefCell<F>);

impl<F: FnMut(&mut Queue<'_>)> Engine for Tester<F> {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        0
    }

    fn primitive(&self, _: PrimId) -> Option<Triangle> {
        None
    }

    fn is_closed(&self) -> bool {
        true
    }

    fn visit(&self, _: &PreparedRay<'_>, _: &mut Collector<'_>) {}

    fn visit_many(&self, _: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        (self.0.borrow_mut())(queue);
        TechniqueCounts::default()
    }
}

/// Runs a test with a queue of these rays.
fn with_queue(rays: &[Ray], test: impl FnMut(&mut Queue<'_>)) {
    let mut hits = vec![None; rays.len()];
    let asked = Tester(RefCell::new(test)).ask_many(Closest, &QuerySlice::new(rays), &mut hits);
    asked.expect("rays have no options");
}

/// Compares the rays of a queue in bundles with single ones, and returns the number of plain ones.
fn compare_bundles<'r, S: Simd>(simd: S, tree: &WideTree, queue: &mut Queue<'r>) -> usize {
    let (mut window, mut bundle) = (Window::of(None), Bundle::new());
    let mut plain = 0;
    while window.next(queue, &mut bundle.rays).is_some() {
        bundle.prepare(simd, &tree.measures);
        assert_eq!(bundle.ready & !bundle.all(), 0);
        for (lane, (_, question)) in bundle.rays.iter().enumerate() {
            let ray = question.ray();
            let alone = PlainRay::of(simd, ray, &tree.measures);
            let is_ready = bundle.ready >> lane & 1 == 1;
            assert_eq!(is_ready, alone.is_some(), "{ray:?}");
            if let Some(alone) = alone {
                let leaf = leaf::SpanRay::of(ray, &alone, &alone.inverse_dir);
                assert_eq!(
                    format!("{:?}", bundle.lanes.leaf_ray(lane)),
                    format!("{leaf:?}")
                );
                // The fourth number of these is unused.
                let [together, alone] = [bundle.lanes.plain(simd, lane), alone].map(|ray| {
                    let inverse_dir = [
                        ray.inverse_dir[0],
                        ray.inverse_dir[1],
                        ray.inverse_dir[2],
                        0.0,
                    ];
                    format!("{:?}", PlainRay { inverse_dir, ..ray })
                });
                assert_eq!(together, alone, "{ray:?}");
                plain += 1;
            }
        }
    }
    plain
}

#[test]
fn rays_are_made_ready_alike_one_at_a_time_and_several_at_a_time() {
    for level in SimdLevel::available() {
        let token = level_token(level).unwrap();
        let mut rng = Rng::named(78, "groups");
        let (mut compared, mut bundled, mut missed) = (0, 0, 0);
        for _ in 0..4_000 {
            let (triangles, line) = case(&mut rng);
            let scene = Scene::of(triangles);
            let mut ray = || {
                let mut ray = cut(&mut rng, line, &[1.0]);
                if rng.one_in(2) {
                    ray.dir = rng.point();
                    ray.t_min = ray.t_min.abs();
                    ray.t_max = ray.t_max.max(ray.t_min);
                }
                ray
            };
            let rays: Vec<Ray> = (0..11).map(|_| ray()).collect();
            fearless_simd::dispatch!(token, simd => {
                with_queue(&rays, |queue| {
                    let (mut group, mut ready, mut asked) = (RayGroup::new(), Ready::nowhere(), 0);
                    let mut left: Vec<&Ray> = rays.iter().collect();
                    while group.start_next(simd, &scene.tree, queue, &mut asked, &mut ready) {
                        compare(simd, &scene.tree, &ready);
                        left.retain(|&ray| !ptr::eq(ray, ready.question.ray()));
                        compared += 1;
                    }
                    missed += misses(simd, &scene.tree, &left);
                });
                with_queue(&rays, |queue| {
                    bundled += compare_bundles(simd, &scene.tree, queue);
                });
            });
        }
        println!("{level}: {compared} rays, {bundled} in bundles, {missed} miss the tree");
        assert!(
            compared > 10_000 && bundled > 5_000 && missed > 1_000,
            "{level}: {compared}, {bundled}, {missed}"
        );
    }
}

/// Checks that rays that were completed instead of being made ready meet no box of the root if they
/// are prepared alone, and returns the number of those that are fit for that.
fn misses<S: Simd>(simd: S, tree: &WideTree, rays: &[&Ray]) -> usize {
    let questions = rays.iter().filter_map(|&ray| PreparedRay::new(ray));
    let alone = questions.filter_map(|question| {
        let Prepared::Ready(alone) = KernelRay::prepare(simd, &question, tree) else {
            return None;
        };
        Some((question, alone))
    });
    alone
        .inspect(|(question, alone)| {
            let limit = alone.ends.limit(question.t_max());
            let (_, hit) = alone.boxes.test(simd, &tree.nodes[0], limit);
            assert_eq!(hit.to_bitmask(), 0, "{:?}", question.ray());
        })
        .count()
}

/// Compares this ray with one that is prepared alone.
fn compare<S: Simd>(simd: S, tree: &WideTree, ready: &Ready<'_>) {
    let question = ready.question;
    let Prepared::Ready(alone) = KernelRay::prepare(simd, &question, tree) else {
        panic!("{:?} is ready and is not", question.ray());
    };
    let limit = alone.ends.limit(question.t_max());
    assert_eq!(
        limit.to_bits(),
        ready.boxes.limit.to_bits(),
        "{:?}",
        question.ray()
    );
    let mut boxes = alone.boxes;
    boxes.limit = ready.boxes.limit;
    let bits = |boxes| bytemuck::cast::<_, [u32; 16]>(boxes);
    assert_eq!(bits(boxes), bits(ready.boxes), "{:?}", question.ray());
    let bits = |leaves| bytemuck::cast::<_, [u32; 12]>(leaves);
    let leaves = LeafRay::of(&alone);
    assert_eq!(bits(leaves), bits(ready.leaves), "{:?}", question.ray());
}
