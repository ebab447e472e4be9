//! Batches of rays on a device.

use crate::gpu_bvh::GpuBvh;
use crate::gpu_engine::GpuEngine;
use crate::gpu_error::GpuError;
use estoc_batch::{Batch, BatchError, BatchQuestion, IntoItems};
use estoc_core::glam::Vec3;
use estoc_core::{Any, Closest, Contains, Count, Hit, Ray, Technique};
use std::fmt;

/// The rays of a chunk: enough to keep a device busy, with room for a chunk of each thread.
const CHUNK: usize = 1 << 17;

/// Asks a question about many rays of a tree on a device; see [`Batch`], whose settings it takes.
///
/// Every answer is that of [`Batch`], to the bit, on every device: the device finds what each ray may hit, and the threads
/// of the processor decide, while the device traces other chunks.
#[derive(Clone, Copy, Debug)]
pub struct GpuBatch<'a> {
    bvh: &'a GpuBvh<'a>,
    batch: Batch<'a>,
    falls_back: bool,
}

/// Why there are no answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuBatchError<E = BatchError> {
    /// What is wrong with the batch.
    Batch(E),
    /// What is wrong with the device.
    Gpu(GpuError),
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for GpuBatchError<E> {}

impl<E: fmt::Display> fmt::Display for GpuBatchError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuBatchError::Batch(error) => error.fmt(f),
            GpuBatchError::Gpu(error) => error.fmt(f),
        }
    }
}

impl<E> From<GpuError> for GpuBatchError<E> {
    fn from(error: GpuError) -> Self {
        GpuBatchError::Gpu(error)
    }
}

/// What a device did of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuReport {
    /// The number of rays that it traced.
    pub rays: u64,
    /// How many of these it left to the processor.
    pub doubts: u64,
    /// Why the processor had to go on alone, if it had to.
    pub fault: Option<GpuError>,
}

impl<'a> GpuBatch<'a> {
    /// Returns a batch that counts all hits.
    pub fn new(bvh: &'a GpuBvh<'a>) -> Self {
        GpuBatch {
            bvh,
            batch: Batch::new()
                .chunk_size(CHUNK)
                .technique(Technique::OneByOne),
            falls_back: false,
        }
    }

    /// Changes settings: `batch.set(|batch| batch.cull(Cull::Back))`. Options, also of each ray, skipped triangles, masks and
    /// filters apply as they do without a device; those other than a triangle to skip make the device list all that a ray may
    /// hit.
    #[must_use]
    pub fn set(self, change: impl FnOnce(Batch<'a>) -> Batch<'a>) -> Self {
        GpuBatch {
            batch: change(self.batch),
            ..self
        }
    }

    /// Sets whether the processor goes on alone when the device fails, `false` by default.
    #[must_use]
    pub fn falls_back(self, falls_back: bool) -> Self {
        GpuBatch { falls_back, ..self }
    }

    /// Calls any method of [`Batch`] that asks about rays, such as [`ask_into`](Batch::ask_into) or
    /// [`RayStream`](estoc_batch::RayStream)'s, with the engine to ask, and returns what the device did.
    ///
    /// # Errors
    /// Those of the method, and those of the device, unless the processor goes on.
    pub fn run<A, E>(
        &self,
        ask: impl FnOnce(&Batch<'a>, &GpuEngine<'a>) -> Result<A, E>,
    ) -> Result<(A, GpuReport), GpuBatchError<E>> {
        let engine = self.bvh.engine(self.falls_back);
        let asked = ask(&self.batch, &engine);
        let (rays, doubts) = engine.counts();
        let fault = engine.fault().cloned();
        match fault {
            Some(fault) if !self.falls_back => Err(GpuBatchError::Gpu(fault)),
            _ => Ok((
                asked.map_err(GpuBatchError::Batch)?,
                GpuReport {
                    rays,
                    doubts,
                    fault,
                },
            )),
        }
    }

    /// Answers a question about many rays, or about points whether they are inside.
    ///
    /// # Errors
    /// Those of [`Batch::ask`], and those of the device, unless the processor goes on.
    pub fn ask<'r, Q, L: IntoItems<'r>>(
        &self,
        question: Q,
        items: L,
    ) -> Result<Q::Answers, GpuBatchError>
    where
        Q: BatchQuestion<GpuEngine<'a>, L::Item>,
    {
        let (answers, _) = self.run(|batch, engine| batch.ask(engine, question, items))?;
        Ok(answers)
    }

    /// Returns the first hit of each ray.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn closest_hits<'r>(
        &self,
        rays: impl IntoItems<'r, Item = Ray>,
    ) -> Result<Vec<Option<Hit>>, GpuBatchError> {
        self.ask(Closest, rays)
    }

    /// Returns whether each ray hits anything.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn any_hits<'r>(
        &self,
        rays: impl IntoItems<'r, Item = Ray>,
    ) -> Result<Vec<bool>, GpuBatchError> {
        self.ask(Any, rays)
    }

    /// Returns the number of triangles that each ray touches.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn count_hits<'r>(
        &self,
        rays: impl IntoItems<'r, Item = Ray>,
    ) -> Result<Vec<usize>, GpuBatchError> {
        self.ask(Count, rays)
    }

    /// Returns whether each point is inside.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub fn contains<'r>(
        &self,
        points: impl IntoItems<'r, Item = Vec3>,
    ) -> Result<Vec<Option<bool>>, GpuBatchError> {
        self.ask(Contains, points)
    }
}
