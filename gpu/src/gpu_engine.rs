//! An engine whose candidates are found by a kernel, many rays at a time.

use crate::candidates::{Told, Wanted};
use crate::frame::Frame;
use crate::gpu_error::GpuError;
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Collector, Engine, Hit, HitRule, Masks, PrimId, Queue, Ray, Technique, TechniqueCounts,
    Triangle, Want, one_by_one,
};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The greatest number of rays of a dispatch, of which a device runs 65,535 groups of 64 at most.
const MOST_RAYS: usize = 1 << 20;

/// The rays of one dispatch, as the kernel reads them.
#[derive(Debug)]
pub struct RayWords {
    /// What is wanted of each.
    pub wanted: Wanted,
    /// All words, those of one ray after those of another.
    pub words: Vec<u32>,
    /// The number of words of each: 8, or 9 with a triangle to skip.
    pub ray_words: usize,
}

impl RayWords {
    /// Returns the number of rays.
    pub fn rays(&self) -> usize {
        self.words.len() / self.ray_words
    }
}

/// What runs the kernel.
pub trait Kernel: Sync {
    /// Calls `decide` with the words of all answers, in order.
    ///
    /// # Errors
    /// If there are no answers; then `decide` was not called.
    fn run(&self, rays: &RayWords, decide: &mut dyn FnMut(&[u32])) -> Result<(), GpuError>;
}

/// Answers about the rays of one batch: a kernel finds what they may hit, and the exact stages of the
/// processor decide, so that each answer is that of the tree. Questions about a single ray are those of the tree.
pub struct GpuEngine<'a> {
    bvh: &'a Bvh,
    frame: Frame,
    kernel: &'a dyn Kernel,
    falls_back: bool,
    fault: OnceLock<GpuError>,
    rays: AtomicU64,
    doubts: AtomicU64,
}

impl<'a> GpuEngine<'a> {
    /// Returns an engine for the rays of one batch at a tree, of whose [words](crate::TreeWords) this is the frame. Where the
    /// kernel fails, the processor goes on alone if the engine `falls_back`; else the batch ends with
    /// [`BatchError::Engine`](estoc_batch::BatchError::Engine), and [`fault`](Self::fault) tells why.
    pub fn new(bvh: &'a Bvh, frame: Frame, kernel: &'a dyn Kernel, falls_back: bool) -> Self {
        GpuEngine {
            bvh,
            frame,
            kernel,
            falls_back,
            fault: OnceLock::new(),
            rays: AtomicU64::new(0),
            doubts: AtomicU64::new(0),
        }
    }

    /// Returns why the kernel failed, if it did.
    pub fn fault(&self) -> Option<&GpuError> {
        self.fault.get()
    }

    /// Returns the number of rays that the kernel traced, and how many of them it left to the processor.
    pub fn counts(&self) -> (u64, u64) {
        (
            self.rays.load(Ordering::Relaxed),
            self.doubts.load(Ordering::Relaxed),
        )
    }

    /// Completes rays, which have these places in the queue.
    fn trace<'q>(&self, queue: &mut Queue<'q>, wanted: Wanted, rays: &[(usize, PreparedRay<'q>)]) {
        let has_skips =
            |&(place, _): &(usize, _)| matches!(queue.hit_rule(place), HitRule::EveryBut(_));
        let ray_words = 8 + usize::from(rays.iter().any(has_skips));
        let mut words = RayWords {
            wanted,
            words: Vec::new(),
            ray_words,
        };
        let run = match self.fault.get() {
            Some(fault) => Err(fault.clone()),
            None if words
                .words
                .try_reserve_exact(rays.len() * ray_words)
                .is_err() =>
            {
                Err(GpuError::NoMemory {
                    bytes: 4 * (rays.len() * ray_words) as u64,
                })
            }
            None => {
                for &(place, ray) in rays {
                    words
                        .words
                        .extend(self.frame.ray(ray.ray()).map(f32::to_bits));
                    if ray_words > 8 {
                        words.words.push(match queue.hit_rule(place) {
                            HitRule::EveryBut(skip) => skip.get(),
                            _ => u32::MAX,
                        });
                    }
                }
                let mut doubts = 0;
                let answer_words = wanted.answer_words();
                let run = self.kernel.run(&words, &mut |answers| {
                    for (&(place, ray), answer) in
                        rays.iter().zip(answers.chunks_exact(answer_words))
                    {
                        doubts += u64::from(self.complete(queue, wanted, place, ray, answer));
                    }
                });
                if run.is_ok() {
                    self.rays.fetch_add(rays.len() as u64, Ordering::Relaxed);
                    self.doubts.fetch_add(doubts, Ordering::Relaxed);
                }
                run
            }
        };
        if let Err(error) = run {
            self.fault.get_or_init(|| error);
            for &(place, ray) in rays {
                match self.falls_back {
                    true => self.complete_alone(queue, place, ray),
                    false => return queue.fail(place),
                }
            }
        }
    }

    /// Completes a ray by what the kernel tells of it. Returns whether it told nothing.
    fn complete<'q>(
        &self,
        queue: &mut Queue<'q>,
        wanted: Wanted,
        place: usize,
        ray: PreparedRay<'q>,
        words: &[u32],
    ) -> bool {
        match wanted.told(words) {
            Told::Nothing => {
                self.complete_alone(queue, place, ray);
                return true;
            }
            Told::All(certain, mut candidates) => match (candidates.next(), candidates) {
                (None, _) if certain > 0 => queue.counted(place, certain),
                (None, _) => queue.miss(place),
                (Some(_), _) if certain > 0 && wanted == Wanted::Any => {
                    queue.counted(place, certain);
                }
                (Some(id), mut others) => {
                    let triangle = |id| self.bvh.triangle(id);
                    let second = others.next();
                    if second.is_none()
                        && wanted == Wanted::First
                        && let Some(triangle) = triangle(id)
                    {
                        queue.only(place, ray, id, &triangle);
                        return false;
                    }
                    let mut collector = queue.collector(place, ray);
                    if certain > 0 {
                        let _ = collector.count(certain);
                    }
                    for id in [id].into_iter().chain(second).chain(others) {
                        if let Some(triangle) = triangle(id)
                            && collector.offer(id, &triangle).is_break()
                        {
                            break;
                        }
                    }
                    queue.finish(place, &mut collector);
                }
            },
        }
        false
    }

    /// Completes a ray without the kernel.
    fn complete_alone<'q>(&self, queue: &mut Queue<'q>, place: usize, ray: PreparedRay<'q>) {
        if !queue.complete_by_single_call(self.bvh, place, &ray) {
            let mut collector = queue.collector(place, ray);
            self.bvh.visit(&ray, &mut collector);
            queue.finish(place, &mut collector);
        }
    }
}

impl Engine for GpuEngine<'_> {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        self.bvh.primitive_count()
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        self.bvh.triangle(prim)
    }

    fn is_closed(&self) -> bool {
        self.bvh.is_closed()
    }

    fn visit(&self, ray: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        self.bvh.visit(ray, collector);
    }

    fn visit_many(&self, _: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        let mut rays = Vec::new();
        let mut total = 0;
        loop {
            rays.clear();
            let (mut is_sure, mut are_inner) = (true, true);
            while rays.len() < MOST_RAYS
                && rays.try_reserve(1).is_ok()
                && let Some((place, ray)) = queue.next()
            {
                // Where the kernel cannot tell which hits count, it tells all that may be hits.
                let rule = queue.hit_rule(place);
                is_sure &= matches!(rule, HitRule::Every | HitRule::EveryBut(_));
                are_inner &= rule == HitRule::Inner;
                rays.push((place, ray));
            }
            if rays.is_empty() {
                // Those for which there is no memory, if any.
                total += one_by_one(self.bvh, queue).total();
                return TechniqueCounts::of(Technique::OneByOne, total);
            }
            let wanted = match queue.want() {
                Want::First if is_sure => Wanted::First,
                Want::Any if is_sure => Wanted::Any,
                Want::Count if is_sure || are_inner => Wanted::Count,
                _ => Wanted::All,
            };
            self.trace(queue, wanted, &rays);
            total += rays.len();
        }
    }

    fn closest(&self, ray: &Ray, skip: Option<PrimId>) -> Option<Hit> {
        self.bvh.closest(ray, skip)
    }

    fn any(&self, ray: &Ray, skip: Option<PrimId>) -> bool {
        self.bvh.any(ray, skip)
    }

    fn masks(&self) -> Option<&Masks> {
        self.bvh.masks()
    }

    fn query_bytes(&self) -> usize {
        self.bvh.query_bytes()
    }
}
