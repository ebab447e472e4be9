//! Checks boxes against rational arithmetic.

use super::answer::Check;
use super::{Effort, Report};
use crate::generate::{Rng, box_kinds, boxes, cut_at, rays_at_box};
use crate::oracle::ExactSlab;
use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Ray, Span};
use std::fmt;

/// Rays per box.
const RAYS: usize = 20;

/// Compares [`Aabb::slab`], [`Aabb::enter_solid`] and [`Aabb::enter_surface`] with rational
/// arithmetic, and checks that [`Aabb::may_hit`] never rejects a hit and rarely accepts a miss.
///
/// # Panics
/// Panics at the first difference.
pub fn check_boxes(effort: &Effort) -> Report {
    let mut report = Report::default();
    for seed in 0..effort.seeds {
        for kind in box_kinds() {
            let mut rng = Rng::named(seed, kind);
            for bounds in boxes(kind, &mut rng, effort.rays_per_scene.div_ceil(RAYS)) {
                report.add(check_box(&bounds, &mut rng, kind, seed));
            }
        }
    }
    check_that_misses_are_seen();
    report
}

fn check_box(bounds: &Aabb, rng: &mut Rng, kind: &str, seed: u64) -> Report {
    let mut report = Report::of_one_scene();
    for ray in rays_at_box(bounds, rng, RAYS) {
        let whole = ray.with_interval(f32::NEG_INFINITY, f32::INFINITY);
        let ends = ExactSlab::new(bounds, &whole).map(|slab| [slab.entry(), slab.exit()]);
        let cut = ends.map_or_else(Vec::new, |ends| cut_at(&ray, &ends, rng));
        for ray in [ray].into_iter().chain(cut) {
            let bits = |v: Vec3| v.to_array().map(f32::to_bits);
            let case = fmt::from_fn(|f| {
                write!(
                    f,
                    "box {kind:?} of seed {seed}\n  {bounds:?}, bits {:x?} {:x?}\n  {ray:?}, \
                     bits {:x?} {:x?} {:#x} {:#x}",
                    bits(bounds.min()),
                    bits(bounds.max()),
                    bits(ray.origin),
                    bits(ray.dir),
                    ray.t_min.to_bits(),
                    ray.t_max.to_bits()
                )
            });
            let check = Check::about(&case);
            report.rays_that_hit += usize::from(check_ray(bounds, &ray, &check));
            report.rays += 1;
            report.questions += check.count();
        }
        // A ray never hits the empty box.
        assert!(Aabb::EMPTY.slab(&ray).is_none() && !Aabb::EMPTY.may_hit(&ray));
    }
    report
}

/// Checks one box and ray; returns whether the box is hit.
fn check_ray(bounds: &Aabb, ray: &Ray, check: &Check<'_>) -> bool {
    let exact = ExactSlab::new(bounds, ray);
    let slab = exact.as_ref().map(|slab| Span {
        entry: slab.entry(),
        exit: slab.exit(),
    });
    check.same("slab", &bounds.slab(ray), &slab);
    let solid = exact.as_ref().map(ExactSlab::enter_solid);
    check.same("enter_solid", &bounds.enter_solid(ray), &solid);
    let surface = exact.as_ref().and_then(ExactSlab::enter_surface);
    check.same("enter_surface", &bounds.enter_surface(ray), &surface);
    check.holds(
        exact.is_none() || bounds.may_hit(ray),
        "may_hit loses a hit",
    );
    exact.is_some()
}

/// A box test that accepted everything would be correct, and prune nothing.
fn check_that_misses_are_seen() {
    let mut rng = Rng::new(1);
    let (mut missed, mut passed) = (0, 0);
    for bounds in boxes("plain", &mut rng, 500) {
        for _ in 0..20 {
            let ray = Ray::new(rng.point() * 3.0, rng.point());
            if ExactSlab::new(&bounds, &ray).is_none() {
                missed += 1;
                passed += usize::from(bounds.may_hit(&ray));
            }
        }
    }
    assert!(
        passed * 100 < missed,
        "may_hit passes {passed} of {missed} boxes that are missed"
    );
}
