//! Rays made ready eight at a time are what they are one at a time, to the bit.

use super::Scene;
use super::cases::{case, cut};
use crate::traverse::group::{Group, Ready};
use crate::traverse::leaf_ray::LeafRay;
use crate::traverse::level::SimdLevel;
use crate::traverse::ray::{KernelRay, Prepared};
use core::ops::ControlFlow;
use estoc_core::exact::RayQuestion;
use estoc_core::{Collect, PrimId, Queue, Ray, Triangle};
use estoc_testkit::generate::Rng;

/// Rays of which only the numbers are wanted.
struct Rays<'r>(std::vec::IntoIter<(usize, RayQuestion<'r>)>);

struct Nobody;

impl Collect for Nobody {
    fn t_limit(&self) -> f64 {
        f64::INFINITY
    }

    fn takes_every_hit(&self) -> bool {
        true
    }

    fn offer(&mut self, _: PrimId, _: &Triangle) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn count(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<'r> Queue<'r> for Rays<'r> {
    type Collector = Nobody;

    fn next(&mut self) -> Option<(usize, RayQuestion<'r>)> {
        self.0.next()
    }

    fn takes_every_hit(&self, _: usize) -> bool {
        true
    }

    fn collector(&mut self, _: usize, _: RayQuestion<'r>) -> Nobody {
        Nobody
    }

    fn finish(&mut self, _: usize, _: &mut Nobody) {}

    fn counted(&mut self, _: usize, _: usize) {}

    fn miss(&mut self, _: usize) {}
}

#[test]
fn rays_are_made_ready_alike_one_at_a_time_and_eight_at_a_time() {
    for level in SimdLevel::available() {
        let token = level.token().unwrap();
        let mut rng = Rng::named(78, "groups");
        let mut compared = 0;
        for _ in 0..2_000 {
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
            let questions = rays.iter().enumerate();
            let questions =
                questions.filter_map(|(place, ray)| Some((place, RayQuestion::new(ray)?)));
            let mut queue = Rays(questions.collect::<Vec<_>>().into_iter());
            fearless_simd::dispatch!(token, simd => {
                let (mut group, mut ready, mut asked) = (Group::new(), Ready::nowhere(), 0);
                while group.next(simd, &scene.tree, &mut queue, &mut asked, &mut ready) {
                    let question = ready.question;
                    let Prepared::Ready(alone) = KernelRay::prepare(simd, &question, &scene.tree) else {
                        panic!("{:?} is ready and is not", question.ray());
                    };
                    let limit = alone.ends.limit(question.t_max());
                    assert_eq!(limit.to_bits(), ready.limit.to_bits(), "{:?}", question.ray());
                    let mut boxes = alone.boxes;
                    boxes.limit = ready.boxes.limit;
                    let bits = |boxes| bytemuck::cast::<_, [u32; 16]>(boxes);
                    assert_eq!(bits(boxes), bits(ready.boxes), "{level}: {:?}", question.ray());
                    let bits = |leaves| bytemuck::cast::<_, [u32; 12]>(leaves);
                    let leaves = LeafRay::of(&alone);
                    assert_eq!(bits(leaves), bits(ready.leaves), "{level}: {:?}", question.ray());
                    compared += 1;
                }
            });
        }
        println!("{level}: {compared} rays");
        assert!(compared > 10_000, "{level}: {compared}");
    }
}
