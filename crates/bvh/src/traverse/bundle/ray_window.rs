//! Sorts rays of a queue by octant and longest axis.

use super::LANES;
use crate::traverse::kernel_ray::STEEP;
use arrayvec::ArrayVec;
use estoc_core::exact::PreparedRay;
use estoc_core::{Queue, Ray};

/// The number of rays that are sorted at a time. The more, the more of them share a class; and the
/// farther apart they start, if consecutive rays are neighbours.
const RAYS: usize = 1024;

/// The number of classes: octants.
const WAYS: usize = 8;
/// The class of rays with options that exclude hits.
const ODD: usize = WAYS;

/// A ray and its place in the queue.
pub type Placed<'r> = (usize, PreparedRay<'r>);

pub struct Window<'r> {
    rays: Vec<(Placed<'r>, u8)>,
    /// The indices of rays, sorted by class; the end of each class, and the next index.
    order: Vec<u16>,
    ends: [usize; WAYS + 1],
    next: usize,
    way: usize,
}

impl<'r> Window<'r> {
    pub fn new() -> Self {
        Window {
            rays: Vec::with_capacity(RAYS),
            order: Vec::with_capacity(RAYS),
            ends: [0; WAYS + 1],
            next: 0,
            way: 0,
        }
    }

    /// Takes the next rays of one class, at least one, and returns whether they may share a
    /// traversal. `None` if none are left.
    #[inline(always)]
    pub fn next(
        &mut self,
        queue: &mut Queue<'r>,
        rays: &mut ArrayVec<Placed<'r>, LANES>,
    ) -> Option<bool> {
        if self.next == self.order.len() {
            self.fill(queue);
            if self.order.is_empty() {
                return None;
            }
        }
        while self.ends[self.way] <= self.next {
            self.way += 1;
        }
        let end = self.ends[self.way].min(self.next + LANES);
        let order = &self.order[self.next..end];
        self.next = end;
        rays.extend(order.iter().map(|&at| self.rays[usize::from(at)].0));
        Some(self.way != ODD)
    }

    /// Takes the next of the rays that are already in the window.
    #[inline(always)]
    pub fn next_alone(&mut self) -> Option<Placed<'r>> {
        let &at = self.order.get(self.next)?;
        self.next += 1;
        Some(self.rays[usize::from(at)].0)
    }

    #[inline(always)]
    fn fill(&mut self, queue: &mut Queue<'r>) {
        self.rays.clear();
        (self.next, self.way) = (0, 0);
        let mut counts = [0; WAYS + 1];
        while self.rays.len() < RAYS {
            let Some((place, ray)) = queue.next() else {
                break;
            };
            let way = match queue.takes_every_hit(place) {
                true => way(ray.ray()),
                false => ODD,
            };
            counts[way] += 1;
            self.rays.push(((place, ray), way as u8));
        }
        let mut at = 0;
        let mut starts = counts.map(|count| {
            at += count;
            at - count
        });
        self.order.clear();
        self.order.resize(self.rays.len(), 0);
        for (ray, &(_, way)) in self.rays.iter().enumerate() {
            let start = &mut starts[usize::from(way)];
            self.order[*start] = ray as u16;
            *start += 1;
        }
        self.ends = starts;
    }
}

/// Returns the class of a ray: which faces of boxes are the near ones (`kernel_ray.rs`).
#[inline(always)]
fn way(ray: &Ray) -> usize {
    let dir = ray.dir.to_array();
    let [x, y, z] = dir.map(|d| usize::from(d <= -1.0 / STEEP));
    x | y << 1 | z << 2
}
