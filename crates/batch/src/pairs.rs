//! The intersections of the triangles of one mesh or two, in parallel.
//!
//! Pairs come by the id of their first triangle. So threads take segments of consecutive ids, and
//! their pairs are handed out segment by segment. A segment that has found many pairs pauses until
//! these have been handed out, so that no more wait than a number that depends on the threads alone,
//! and, for each segment under way, those of one triangle. Where nearly all pairs are those of one
//! segment, only one thread has work.

use crate::batch::Batch;
use crate::error::BatchError;
use crate::run::pool;
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, Intersection, Progress, RegionEngine, RegionQuery};
use estoc_system::parallel::{self, prelude::*};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

/// The number of triangles of a segment.
const SEGMENT: usize = 1024;
/// The number of segments under way, for each thread.
const SEGMENTS_A_THREAD: usize = 4;
/// The number of pairs at which a segment pauses.
const MANY: usize = 1 << 16;

/// Consecutive triangles.
struct Segment {
    /// The ids of those whose pairs are not known yet.
    ids: Range<usize>,
    /// Pairs that wait to be handed out.
    found: Vec<Intersection>,
}

/// Pairs of triangles. Options of rays and flags do not apply, nor do masks.
impl Batch<'_> {
    /// Calls `visit` with every pair of triangles of the mesh that intersect, by the lower id and then
    /// by the greater one, until it breaks; see
    /// [`RegionQuery::self_intersections`](estoc_core::RegionQuery::self_intersections).
    ///
    /// The pairs and their order are the same for any number of threads. `visit` runs on the calling
    /// thread. [`progress`](Batch::progress) counts triangles. At most some 4 MB of pairs for each
    /// thread wait at a time, and for each of its four segments those of one triangle more.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; }
    /// use estoc::{Batch, BruteForce, Triangle};
    /// use std::ops::ControlFlow;
    /// let sheet = Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]);
    /// let through = Triangle::new([1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [9.0, 9.0, 0.0]);
    /// let engine = BruteForce::new([sheet, through]);
    /// let first = Batch::new().self_intersections(&engine, ControlFlow::Break)?;
    /// assert_eq!(first.break_value().map(|pair| pair.second.get()), Some(1));
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// [`BatchError::Cancelled`], [`BatchError::Threads`], and [`BatchError::RaysOnly`] or
    /// [`BatchError::Length`] for settings that apply to rays.
    pub fn self_intersections<E: RegionEngine + Sync + ?Sized, B>(
        &self,
        engine: &E,
        visit: impl FnMut(Intersection) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, BatchError> {
        self.pairs(engine, None::<&E>, visit)
    }

    /// Calls `visit` with every pair of a triangle of one mesh and one of another that have a common
    /// point, by the id of the first and then by that of the second, until it breaks; see
    /// [`RegionQuery::intersections`](estoc_core::RegionQuery::intersections).
    ///
    /// # Errors
    /// As [`self_intersections`](Batch::self_intersections).
    pub fn intersections<E, O, B>(
        &self,
        engine: &E,
        other: &O,
        visit: impl FnMut(Intersection) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, BatchError>
    where
        E: RegionEngine + Sync + ?Sized,
        O: RegionEngine + Sync + ?Sized,
    {
        self.pairs(engine, Some(other), visit)
    }

    fn pairs<E, O, B>(
        &self,
        engine: &E,
        other: Option<&O>,
        mut visit: impl FnMut(Intersection) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, BatchError>
    where
        E: RegionEngine + Sync + ?Sized,
        O: RegionEngine + Sync + ?Sized,
    {
        self.check_settings::<Vec3>()?;
        self.check_lengths(0)?;
        let pool = match self.threads {
            0 => None,
            threads => Some(pool(threads)?),
        };
        let threads = match &pool {
            Some(pool) => pool.current_num_threads(),
            None => parallel::current_num_threads(),
        };
        let total = engine.primitive_count();
        let mut segments = VecDeque::<Segment>::new();
        let mut begun = 0;
        loop {
            while begun < total && segments.len() < SEGMENTS_A_THREAD * threads {
                let end = total.min(begun + SEGMENT);
                segments.push_back(Segment::new(begun..end));
                begun = end;
            }
            let search = |segment: &mut Segment| segment.search(engine, other, self.cancel);
            let mut search_all = || {
                let idle = segments.make_contiguous().par_iter_mut().with_max_len(1);
                idle.map(search).collect::<Result<(), _>>()
            };
            match &pool {
                Some(pool) => pool.install(search_all)?,
                None => search_all()?,
            }
            while let Some(segment) = segments.front_mut() {
                for pair in segment.found.drain(..) {
                    if let ControlFlow::Break(value) = visit(pair) {
                        return Ok(ControlFlow::Break(value));
                    }
                }
                if let Some(progress) = self.progress {
                    progress(Progress::new(segment.ids.start as u64, total as u64));
                }
                if !segment.ids.is_empty() {
                    break;
                }
                segments.pop_front();
            }
            if segments.is_empty() && begun == total {
                return Ok(ControlFlow::Continue(()));
            }
        }
    }
}

impl Segment {
    fn new(ids: Range<usize>) -> Self {
        let found = Vec::new();
        Segment { ids, found }
    }

    /// Finds pairs, until there are many or all are found, unless some wait already.
    fn search<E, O>(
        &mut self,
        engine: &E,
        other: Option<&O>,
        cancel: Option<&CancelToken>,
    ) -> Result<(), BatchError>
    where
        E: RegionEngine + Sync + ?Sized,
        O: RegionEngine + Sync + ?Sized,
    {
        if !self.found.is_empty() {
            return Ok(());
        }
        for id in self.ids.by_ref() {
            if id.is_multiple_of(16) && cancel.is_some_and(CancelToken::is_cancelled) {
                return Err(BatchError::Cancelled);
            }
            engine.intersections_of(id..id + 1, other, &mut self.found);
            if self.found.len() >= MANY {
                break;
            }
        }
        Ok(())
    }
}
