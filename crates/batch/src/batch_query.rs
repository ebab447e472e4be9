//! One question about many items of one engine: checks, plan, and answers chunk by chunk.

use crate::batch::Batch;
use crate::cache_sizes::CacheSizes;
use crate::coherence::{Coherence, CoherenceSample};
use crate::error::BatchError;
use crate::items::{Item, Items};
use crate::plan::{LARGEST_CHUNK, Plan, PlanFacts};
use crate::run::pool;
use crate::spread_places::place;
use estoc_core::{
    AcceptHit, Engine, HitOf, IdOf, Masks, PrimId, Primitive, QueryOptions, QuerySlice,
    QuerySliceError, Question, Ray, RowQuestion, Technique, TechniqueCounts, ValueQuestion, Want,
};
use estoc_system::MAX_THREADS;

/// An engine that a [`Batch`] can use: it is shared between threads and names its primitives by
/// `I`. Implemented for all such engines.
pub trait BatchEngine<I = PrimId>: Engine<Primitive: Primitive<Id = I>> + Sync {}

impl<I, E: Engine<Primitive: Primitive<Id = I>> + Sync + ?Sized> BatchEngine<I> for E {}

/// A filter that may be called from any thread; see [`Batch::ask_where`].
pub type AcceptHitSync<'a, E, T = Ray> = &'a (dyn Fn(&T, &HitOf<E>) -> bool + Sync);

/// One question about many items of one engine.
pub struct BatchQuery<'j, 'r, E: Engine + ?Sized, Q, T: Item + 'r = Ray> {
    pub(crate) batch: Batch<'j, IdOf<E>>,
    pub(crate) engine: &'j E,
    pub(crate) question: Q,
    pub(crate) items: T::Items<'r>,
    pub(crate) accept: Option<AcceptHitSync<'j, E, T>>,
}

impl<'j, 'r, E: Engine + ?Sized, Q: Question<E, T>, T: Item> BatchQuery<'j, 'r, E, Q, T> {
    /// Returns the same query with another question.
    pub(crate) fn about<R>(&self, question: R) -> BatchQuery<'j, 'r, E, R, T> {
        BatchQuery {
            batch: self.batch,
            engine: self.engine,
            question,
            items: self.items,
            accept: self.accept,
        }
    }

    /// Checks the settings and returns the plan. `has_rows` says whether an item may have any
    /// number of answers.
    pub(crate) fn start(&self, has_rows: bool) -> Result<Plan, BatchError> {
        self.batch.check_settings::<T>()?;
        self.batch.check_lengths(self.items.len())?;
        Ok(self.plan(has_rows))
    }

    pub(crate) fn plan(&self, has_rows: bool) -> Plan {
        let (question, engine) = (&self.question, self.engine);
        let asked = Asked {
            batch: &self.batch,
            items: self.items,
            want: question.want(),
            is_one_by_one: question.is_one_by_one(engine),
            is_about_positions: question.is_about_positions(),
            tree_bytes: engine.query_bytes(),
            masks: engine.masks(),
            is_filtered: self.accept.is_some(),
        };
        asked.plan(has_rows)
    }

    fn accept_in_one_thread(&self) -> Option<AcceptHit<'_, E, T>> {
        self.accept.map(|accept| accept as AcceptHit<'_, E, T>)
    }
}

/// What a plan depends on. Engine and question are no type parameters, so that it is compiled once for all.
struct Asked<'q, L, I> {
    batch: &'q Batch<'q, I>,
    items: L,
    want: Want,
    is_one_by_one: bool,
    is_about_positions: bool,
    tree_bytes: usize,
    masks: Option<&'q Masks>,
    is_filtered: bool,
}

impl<L: Items, I: Copy + PartialEq> Asked<'_, L, I> {
    fn plan(&self, has_rows: bool) -> Plan {
        let Asked {
            batch,
            want,
            is_one_by_one,
            tree_bytes,
            ..
        } = *self;
        let count = self.items.len();
        let chunk_size = batch.chunk_size.or(L::Item::CHUNK_SIZE);
        // Few rays must not start a pool.
        let threads = match batch.threads {
            _ if count < Plan::inline_below(tree_bytes, chunk_size) => 1,
            0 => estoc_system::parallel::current_num_threads(),
            threads => threads,
        };
        let ends_at_any_hit = !is_one_by_one && want == Want::Any;
        let ends_at_first_hit = !is_one_by_one && matches!(want, Want::First | Want::Any);
        let has_options = batch.options_each.is_some()
            || !batch.options.leave_out_nothing(self.masks)
            || self.is_filtered;
        let only_skips = has_options && !self.is_filtered && self.skips_at_most();
        // Coherence matters only to packets and bundles.
        let is_open = Technique::HAS_OTHERS
            && batch.technique.is_none()
            && tree_bytes > 0
            && ends_at_first_hit
            && (!has_options || only_skips);
        let sampled = match batch.coherence {
            Coherence::Auto if is_open => {
                // A wrong number of flags is reported as an error elsewhere.
                let active = batch.active.filter(|active| active.len() == count);
                CoherenceSample::look(self.items, active)
            }
            Coherence::Coherent if is_open => CoherenceSample::of_coherent(self.items),
            _ => CoherenceSample::default(),
        };
        // The error names the first ray whose options fail, so rays that can fail keep their order.
        let may_reorder = batch.options_each.is_none() && batch.options.after.is_none();
        Plan::new(PlanFacts {
            ends_at_first_hit,
            ends_at_any_hit,
            has_rows,
            has_options,
            only_skips,
            is_one_by_one,
            is_about_positions: self.is_about_positions,
            rays: count,
            threads,
            tree_bytes,
            caches: batch.caches.unwrap_or_else(CacheSizes::of_this_machine),
            coherence: batch.coherence,
            sampled,
            forced: batch.technique,
            chunk_size,
            reorder: batch.reorder && may_reorder,
        })
    }

    /// Returns whether options exclude no hit but those on one primitive of each ray; of options of
    /// each ray, a few are looked at.
    fn skips_at_most(&self) -> bool {
        const MOST: usize = 64;
        let masks = self.masks;
        match self.batch.options_each {
            None => self.batch.options.leave_out_at_most_skip(masks),
            Some(options) => {
                let looked_at = 0..options.len().min(MOST);
                looked_at
                    .map(|sample| &options[place(sample, options.len())])
                    .all(|options| options.leave_out_at_most_skip(masks))
            }
        }
    }
}

impl<E: Engine + ?Sized, Q: ValueQuestion<E, T>, T: Item> BatchQuery<'_, '_, E, Q, T> {
    /// Answers the question for one chunk.
    pub(crate) fn ask_many(
        &self,
        many: &QuerySlice<'_, T, IdOf<E>>,
        answers: &mut [Q::Answer],
    ) -> Result<TechniqueCounts, QuerySliceError> {
        (self.question).ask_many(self.engine, many, self.accept_in_one_thread(), answers)
    }
}

impl<E: Engine + ?Sized, Q: RowQuestion<E, T>, T: Item> BatchQuery<'_, '_, E, Q, T> {
    /// Answers the question for one chunk, with a row of values per item.
    pub(crate) fn ask_rows(
        &self,
        many: &QuerySlice<'_, T, IdOf<E>>,
        emit: &mut dyn FnMut(usize, &[Q::Value]),
    ) -> Result<TechniqueCounts, QuerySliceError> {
        (self.question).ask_rows(self.engine, many, self.accept_in_one_thread(), emit)
    }
}

impl<I: PartialEq> Batch<'_, I> {
    /// Checks that the numbers of options and flags equal that of the items.
    pub(crate) fn check_lengths(&self, rays: usize) -> Result<(), BatchError> {
        let options = self.options_each.map(<[_]>::len);
        let flags = self.active.map(<[bool]>::len);
        for (what, found) in [("options", options), ("flags", flags)] {
            match found {
                Some(found) if found != rays => {
                    return Err(BatchError::Length { what, rays, found });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that no setting is out of range, or does not apply to such items.
    pub(crate) fn check_settings<T: Item>(&self) -> Result<(), BatchError> {
        if self.threads > MAX_THREADS {
            // Refused also where the items are too few for a pool.
            pool(self.threads)?;
        }
        if let Some(rays) = self.chunk_size.filter(|&rays| rays > LARGEST_CHUNK) {
            let most = LARGEST_CHUNK;
            return Err(BatchError::ChunkSize { rays, most });
        }
        let is_default = self.options_each.is_none() && self.options == QueryOptions::default();
        match T::TAKES_OPTIONS || is_default {
            true => Ok(()),
            false => Err(BatchError::RaysOnly),
        }
    }
}
