//! An iterator over rays and their first hits.

use super::pump::Source;
use super::{RayStream, StreamError, StreamItem};
use crate::batch::Batch;
use crate::items::Rays;
use crate::job::BatchEngine;
use crate::plan::Plan;
use estoc_core::{Engine, HitOf, IdOf, Ray};

/// An iterator over the rays of a stream and their first hits; made by
/// [`RayStream::closest_hits_iter`]. After an error it returns `None`.
pub struct ClosestHits<'a, 'e, S: Iterator<Item: StreamItem>, E: Engine + ?Sized> {
    batch: Batch<'a, IdOf<E>>,
    engine: &'e E,
    source: Source<S>,
    rays: Vec<Ray>,
    hits: Vec<Option<HitOf<E>>>,
    /// The index of the next ray to return.
    next: usize,
    /// The number of rays in earlier blocks.
    before: u64,
    has_ended: bool,
}

impl<'a, I: Copy, S: Iterator<Item: StreamItem<Item = Ray>>> RayStream<'a, S, I> {
    /// Returns an iterator over each ray and its first hit. A few blocks of rays are read and cast
    /// when the first of them is requested; unlike in [`closest_hits`](RayStream::closest_hits),
    /// nothing runs in the background between calls. [`Batch::threads`] starts its threads each
    /// time blocks are cast, and [`Batch::progress`] is not called.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Ray, Triangle};
    /// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
    /// let rays = (0..).map(|i| Ray::new([i as f32 * 0.125, 0.25, 1.0], [0.0, 0.0, -1.0]));
    /// let mut first_miss = None;
    /// for answer in Batch::new().stream(rays).closest_hits_iter(&engine) {
    ///     let (ray, hit) = answer?;
    ///     if hit.is_none() {
    ///         first_miss = Some(ray.origin.x);
    ///         break;
    ///     }
    /// }
    /// assert_eq!(first_miss, Some(0.875));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn closest_hits_iter<E: BatchEngine<I> + ?Sized>(
        self,
        engine: &E,
    ) -> ClosestHits<'a, '_, S, E> {
        const BLOCKS: usize = 16;
        let RayStream { mut batch, items } = self;
        batch.progress = None;
        let usual = BLOCKS * Plan::block_size(engine.query_bytes(), false);
        ClosestHits {
            source: Source::new(items, batch.chunk_size.map_or(usual, |size| size.max(1))),
            batch,
            engine,
            rays: Vec::new(),
            hits: Vec::new(),
            next: 0,
            before: 0,
            has_ended: false,
        }
    }
}

impl<S, E> ClosestHits<'_, '_, S, E>
where
    S: Iterator<Item: StreamItem<Item = Ray>>,
    E: Engine + Sync + ?Sized,
{
    /// Casts the next blocks and returns whether there are more answers.
    fn refill(&mut self) -> Result<bool, StreamError<<S::Item as StreamItem>::Error>> {
        self.batch.check_endless()?;
        self.batch.check_settings::<Ray>()?;
        self.before += self.rays.len() as u64;
        self.next = 0;
        if !self.source.fill(&mut self.rays)? {
            return match self.source.take_error() {
                None => Ok(false),
                Some(error) => Err(error),
            };
        }
        self.hits.clear();
        self.hits.resize(self.rays.len(), None);
        let rays = Rays::from(&self.rays);
        let done = self
            .batch
            .closest_hits_into(self.engine, rays, &mut self.hits);
        done.map_err(|error| error.after(self.before))?;
        Ok(true)
    }
}

impl<S, E> Iterator for ClosestHits<'_, '_, S, E>
where
    S: Iterator<Item: StreamItem<Item = Ray>>,
    E: Engine + Sync + ?Sized,
{
    type Item = Result<(Ray, Option<HitOf<E>>), StreamError<<S::Item as StreamItem>::Error>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_ended {
            return None;
        }
        if self.next == self.rays.len() {
            match self.refill() {
                Ok(true) => {}
                Ok(false) => {
                    self.has_ended = true;
                    return None;
                }
                Err(error) => {
                    self.has_ended = true;
                    return Some(Err(error));
                }
            }
        }
        let answer = (self.rays[self.next], self.hits[self.next]);
        self.next += 1;
        Some(Ok(answer))
    }
}

impl<S, E> std::iter::FusedIterator for ClosestHits<'_, '_, S, E>
where
    S: Iterator<Item: StreamItem<Item = Ray>>,
    E: Engine + Sync + ?Sized,
{
}
