//! Sorts rays of a queue by octant.

use super::LANES;
use crate::traverse::kernel_ray::STEEP;
use crate::traverse::ray_group::RayInGroup;
use arrayvec::ArrayVec;
use core::iter::from_fn;
use core::slice::Iter;
use estoc_core::InlineMap;
use estoc_core::exact::PreparedRay;
use estoc_core::{HitRule, Queue, Ray, RayKind, RayTest};

/// The number of rays after which those of rare octants wait no longer. The more, the fuller
/// bundles are; and the farther apart rays start, if consecutive rays are neighbours.
const RAYS: usize = 1024;

/// The number of classes: octants.
const OCTANTS: usize = 8;
/// The class of rays with options that exclude hits otherwise than by a triangle to skip.
const OTHERS: usize = OCTANTS;

/// A ray and its place in the queue.
pub type NumberedRay<'r, R = Ray> = (usize, PreparedRay<'r, R>);

/// Rays that wait for others of their class.
pub struct Window<'g, 'r, R = Ray> {
    /// The rays to take instead of those of the queue, if any.
    given: Option<Iter<'g, NumberedRay<'r, R>>>,
    rays: [ArrayVec<NumberedRay<'r, R>, LANES>; OCTANTS + 1],
    /// The number of rays that may still be taken before all classes are emptied.
    left: usize,
}

impl<'g, 'r, R: RayInGroup> Window<'g, 'r, R> {
    /// Returns a window over these rays, or over those of a queue.
    pub fn of(given: Option<&'g [NumberedRay<'r, R>]>) -> Self {
        Window {
            given: given.map(<[NumberedRay<'r, R>]>::iter),
            rays: [const { ArrayVec::new_const() }; OCTANTS + 1],
            left: RAYS,
        }
    }

    /// Takes the next rays of one class, at least one, and returns whether they may share a
    /// traversal. `None` if none are left.
    #[inline(always)]
    pub fn next<P: RayTest<R>>(
        &mut self,
        queue: &mut Queue<'r, P, R>,
        rays: &mut ArrayVec<NumberedRay<'r, R>, LANES>,
    ) -> Option<bool> {
        loop {
            let mut has_ended = false;
            while self.left > 0 {
                let Some((place, ray)) = take_next(&mut self.given, queue) else {
                    has_ended = true;
                    break;
                };
                self.left -= 1;
                let class = match queue.hit_rule(place) {
                    HitRule::Every | HitRule::EveryBut(_) => octant(ray.ray()),
                    _ => OTHERS,
                };
                self.rays[class].push((place, ray));
                if self.rays[class].is_full() {
                    self.take(class, rays);
                    return Some(class != OTHERS);
                }
            }
            if let Some(class) = self.rays.iter().position(|class| !class.is_empty()) {
                self.take(class, rays);
                return Some(class != OTHERS);
            }
            if has_ended {
                return None;
            }
            self.left = RAYS;
        }
    }

    #[inline(always)]
    fn take(&mut self, class: usize, rays: &mut ArrayVec<NumberedRay<'r, R>, LANES>) {
        rays.clear();
        let taken = rays.try_extend_from_slice(&self.rays[class]);
        debug_assert!(taken.is_ok(), "they have the same room");
        self.rays[class].clear();
    }

    /// Returns the rays one by one, first those that wait.
    #[inline(always)]
    pub fn alone<P: RayTest<R>>(
        &mut self,
        queue: &mut Queue<'r, P, R>,
    ) -> impl Iterator<Item = NumberedRay<'r, R>> {
        let Window { given, rays, .. } = self;
        let waiting = rays.iter_mut().flat_map(|class| from_fn(|| class.pop()));
        waiting.chain(from_fn(move || take_next(given, queue)))
    }
}

#[inline(always)]
fn take_next<'r, P: RayTest<R>, R: RayKind>(
    given: &mut Option<Iter<'_, NumberedRay<'r, R>>>,
    queue: &mut Queue<'r, P, R>,
) -> Option<NumberedRay<'r, R>> {
    match given {
        Some(given) => given.next().copied(),
        None => queue.next(),
    }
}

/// Returns the class of a ray: which faces of boxes are the near ones (`kernel_ray.rs`).
#[inline(always)]
fn octant(ray: &impl RayInGroup) -> usize {
    let [x, y, z] = ray
        .narrow_dir()
        .inline_map(|d| usize::from(d <= -1.0 / STEEP));
    x | y << 1 | z << 2
}
