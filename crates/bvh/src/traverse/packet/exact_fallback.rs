//! Decides close calls of a ray and a triangle in a packet by exact arithmetic.

use super::beam::Frame;
use super::beam_rays::BeamRays;
use super::ray_arrays::RayArrays;
use super::triangle_test::{Candidate, FoundHits};
use crate::traverse::kernel_ray::U;
use crate::wide::WideTree;
use estoc_core::InlineMap;
use estoc_core::exact::{PreparedRay, Touch};

/// The exact rays and triangles of a packet.
#[derive(Clone, Copy)]
pub struct ExactFallback<'a> {
    pub tree: &'a WideTree,
    pub group: &'a RayArrays<'a>,
    /// The lanes whose rays are the group's, as bits.
    pub fitting: u64,
    pub frame: &'a Frame,
}

impl ExactFallback<'_> {
    /// Decides whether rays, given as bits, hit a triangle before anything else that they hit.
    /// Where two hits are too close for `f32` to order them, the ray is marked to traverse alone.
    #[cold]
    #[inline(never)]
    pub fn settle<const ANY: bool>(
        self,
        mut close: u64,
        candidate: Candidate,
        rays: &mut BeamRays,
        found: &mut FoundHits,
    ) {
        let (first, tag) = (candidate.leaf as usize, candidate.tag);
        let (prim, triangle) = self.tree.triangle(first, tag.len(), tag.lane());
        while close != 0 {
            let lane = close.trailing_zeros() as usize;
            close &= close - 1;
            if self.fitting >> lane & 1 == 0 {
                // A copy of another ray, in a lane that has none: its result is not used.
                (rays.low[lane], rays.high[lane]) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
                continue;
            }
            let question = &self.group.rays[lane].1;
            let Some(touch) = question.touch(prim, &triangle, f64::INFINITY) else {
                continue;
            };
            if ANY {
                found.done |= 1 << lane;
                rays.high[lane] = f32::NEG_INFINITY;
                continue;
            }
            let [low, high] = self.place(question, &touch);
            // Without an earlier hit, the end is the ray's own, and the hit is known to be within.
            if found.tag[lane] == 0 || high < rays.low[lane] {
                (rays.low[lane], rays.high[lane]) = (low, high);
                (found.leaf[lane], found.tag[lane]) = (candidate.leaf, tag.0);
            } else if low <= rays.high[lane] {
                found.alone |= 1 << lane;
                (rays.low[lane], rays.high[lane]) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
            }
        }
    }

    /// Returns bounds of the hit's parameter in the packet's frame.
    ///
    /// In `f64` it is off by a few times 2^-53 of its terms, and is then rounded to `f32`.
    fn place(self, question: &PreparedRay<'_>, touch: &Touch) -> [f32; 2] {
        let (z, frame) = (self.frame.axes[2], self.frame);
        let start = (question.origin()[z] - f64::from(frame.origin[2])) * f64::from(frame.forward);
        let along = question.dir()[z].abs();
        let [low, high] = [touch.t_low(), touch.t_high()].inline_map(|t| t * along);
        let off =
            |way: f64| (start + way.abs()) * f64::from(2.0 * U) + f64::from(f32::MIN_POSITIVE);
        [
            (start + low - off(low)) as f32,
            (start + high + off(high)) as f32,
        ]
    }
}
