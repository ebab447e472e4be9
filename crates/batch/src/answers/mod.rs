//! Where the answers of batches go: lists of values, rows of hits, columns of numbers.

mod by_query;
mod columns;
mod gather;
mod rows;
mod values;

pub use by_query::{QueryAnswers, QueryColumns};
pub use columns::{HitColumns, RowColumns};
pub use rows::HitRows;

use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, Closest, Contains, Count, CountCrossings, Crossings, Engine, FirstK, HitOf, Question,
};

/// A place for the answers to a question about many items.
///
/// | question | containers |
/// |---|---|
/// | with one answer each, such as `Closest`, `Any`, `Count`, `Contains` | `Vec`, slice |
/// | with a hit each: `Closest` | [`HitColumns`], too |
/// | with a row of hits each: `All`, `FirstK`, `Crossings` | [`HitRows`], [`RowColumns`] |
/// | chosen at run time: [`Query`](crate::Query) | [`QueryAnswers`], [`QueryColumns`] |
///
/// All but slices are made to fit and use their memory again.
pub trait Answers<E: Engine + Sync + ?Sized, Q: Question<E, Item: Item>> {
    /// Returns whether an item may have any number of answers.
    #[doc(hidden)]
    fn has_rows(question: &Q) -> bool;

    /// Replaces the answers by those of the job.
    #[doc(hidden)]
    fn fill(&mut self, job: &Job<'_, '_, E, Q>) -> Result<BatchReport, BatchError>;
}

/// A question that batches ask: it has a container for the answers.
pub trait BatchQuestion<E: Engine + Sync + ?Sized>: Question<E, Item: Item> {
    /// Where the answers go if nothing else is said.
    type Answers: Answers<E, Self> + Default + Send;
}

macro_rules! batch_questions {
    ($($question:ident => $answers:ty;)*) => {$(
        impl<E: Engine + Sync + ?Sized> BatchQuestion<E> for $question {
            type Answers = $answers;
        }
    )*};
}

batch_questions! {
    Closest => Vec<Option<HitOf<E>>>;
    Any => Vec<bool>;
    Count => Vec<usize>;
    CountCrossings => Vec<usize>;
    Contains => Vec<Option<bool>>;
    All => HitRows<HitOf<E>>;
    FirstK => HitRows<HitOf<E>>;
    Crossings => HitRows<HitOf<E>>;
}
