//! Questions about many rays, block by block.

use crate::block::{each, each_block};
use crate::call::Call;
use crate::failure::Failure;
use crate::options::RayOptions;
use crate::ray_input::RayInput;
use estoc::batch::{Answers, Rows};
use estoc::engine::{Engine, IdOf};
use estoc::query::{All, Crossings, FirstK, Question};
use estoc::{Batch, BatchError, Ray};

/// Answers a question with one answer for each ray. `put` is called with the index of each ray and its
/// answer, from several threads.
pub(crate) fn ray_values<E, Q, A>(
    (engine, question): (&E, Q),
    rays: &RayInput,
    options: RayOptions,
    call: &Call,
    put: impl Fn(usize, &A) + Sync,
) -> Result<(), Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy + Send + Sync + PartialEq,
    Q: Question<E, Item = Ray>,
    A: Clone + Default + Send + Sync,
    [A]: Answers<E, Q>,
{
    let batch = Batch::default().options(options.of()).cancel(&call.cancel);
    let read = |range, piece: &mut [Ray]| rays.read(range, piece);
    let mut answers = Vec::new();
    each_block(call, rays.len(), RayInput::none(), read, |first, rays| {
        answers.resize(rays.len(), A::default());
        batch.ask_into(engine, question, rays, answers.as_mut_slice())?;
        each(&answers, |place, answer| put(first + place, answer));
        Ok(())
    })
}

/// Lists of values of many items: those of item `i` are at `offsets[i]..offsets[i + 1]` of what `take`
/// was given.
pub(crate) struct Offsets(pub(crate) Vec<i64>);

impl Offsets {
    /// Starts the offsets of `count` items.
    pub(crate) fn new(count: usize) -> Result<Self, Failure> {
        let mut offsets = Vec::new();
        reserve(&mut offsets, count.saturating_add(1))?;
        offsets.push(0);
        Ok(Offsets(offsets))
    }

    /// Returns the number of values so far.
    pub(crate) fn total(&self) -> usize {
        self.0.last().map_or(0, |&total| total as usize)
    }

    /// Adds the items of a block.
    pub(crate) fn add<T>(&mut self, rows: &Rows<T>) {
        let before = self.total();
        let ends = rows.offsets.iter().skip(1);
        self.0.extend(ends.map(|&end| (before + end) as i64));
    }
}

/// Makes room in a list.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), Failure> {
    list.try_reserve(more)
        .map_err(|_| Failure::Memory("not enough memory for the answers".to_owned()))
}

/// A question whose answers are lists of hits.
#[derive(Clone, Copy)]
pub(crate) enum Listed {
    /// All hits.
    All,
    /// The first hits.
    FirstK(usize),
    /// The crossings of the surface.
    Crossings,
}

/// Answers a question with a list of hits for each ray. `take` is called with the hits of each block,
/// in order. More than `max_hits` hits in all are an error.
pub(crate) fn ray_lists<E, H>(
    (engine, question): (&E, Listed),
    rays: &RayInput,
    options: RayOptions,
    max_hits: Option<usize>,
    call: &Call,
    mut take: impl FnMut(&[H]) -> Result<(), Failure>,
) -> Result<Offsets, Failure>
where
    E: Engine + Sync + ?Sized,
    IdOf<E>: Copy + Send + Sync + PartialEq,
    All: Question<E, Item = Ray>,
    FirstK: Question<E, Item = Ray>,
    Crossings: Question<E, Item = Ray>,
    Rows<H>: Answers<E, All> + Answers<E, FirstK> + Answers<E, Crossings>,
{
    let batch = Batch::default().options(options.of()).cancel(&call.cancel);
    let read = |range, piece: &mut [Ray]| rays.read(range, piece);
    let mut offsets = Offsets::new(rays.len())?;
    let mut rows = Rows::<H>::default();
    each_block(call, rays.len(), RayInput::none(), read, |first, rays| {
        let batch = match max_hits {
            Some(most) => batch.max_hits(most.saturating_sub(offsets.total())),
            None => batch,
        };
        let asked = match question {
            Listed::All => batch.ask_into(engine, All, rays, &mut rows),
            Listed::FirstK(k) => batch.ask_into(engine, FirstK(k), rays, &mut rows),
            Listed::Crossings => batch.ask_into(engine, Crossings, rays, &mut rows),
        };
        asked.map_err(|error| of_all(error, first, max_hits))?;
        offsets.add(&rows);
        take(&rows.values)
    })?;
    Ok(offsets)
}

/// Returns the error of a block as that of the call.
fn of_all(error: BatchError, first: usize, max_hits: Option<usize>) -> BatchError {
    match (error, max_hits) {
        (BatchError::TooManyHits { ray, .. }, Some(limit)) => BatchError::TooManyHits {
            limit,
            ray: first + ray,
        },
        (BatchError::NoMemory { ray }, _) => BatchError::NoMemory { ray: first + ray },
        (error, _) => error,
    }
}
