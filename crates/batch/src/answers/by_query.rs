//! Answers to a question chosen at run time.

use super::{Answers, BatchQuestion, ColumnRows, HitColumns, HitRows};
use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::query::Query;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, FirstK, Hit, HitOf, RayEngine, RayKind,
};

/// The answers to a [`Query`] about many rays: a container for each kind of answer.
#[derive(Clone, Debug, PartialEq)]
pub enum QueryAnswers<C = Vec<Option<Hit>>, R = HitRows> {
    /// Answers to [`Query::Closest`].
    Closest(C),
    /// Answers to [`Query::Any`].
    Any(Vec<bool>),
    /// Answers to [`Query::Count`] and [`Query::CountCrossings`].
    Counts(Vec<usize>),
    /// Answers to [`Query::All`], [`Query::FirstK`] and [`Query::Crossings`].
    Rows(R),
}

/// [`QueryAnswers`] with hits in columns.
pub type QueryColumns = QueryAnswers<HitColumns, ColumnRows<HitColumns>>;

impl<C, R> Default for QueryAnswers<C, R> {
    /// Returns [`QueryAnswers::Any`] without answers.
    fn default() -> Self {
        QueryAnswers::Any(Vec::new())
    }
}

/// Returns the container of the given variant; replaces the answers by an empty one if they are of
/// another variant.
macro_rules! container {
    ($answers:expr, $kind:ident) => {{
        if !matches!($answers, QueryAnswers::$kind(_)) {
            *$answers = QueryAnswers::$kind(Default::default());
        }
        match $answers {
            QueryAnswers::$kind(answers) => answers,
            _ => unreachable!("the variant was created above"),
        }
    }};
}

impl<E, T, C, R> Answers<E, Query, T> for QueryAnswers<C, R>
where
    T: RayKind + Item,
    E: RayEngine<T> + Sync + ?Sized,
    C: Answers<E, Closest, T> + Default,
    R: Answers<E, All, T> + Answers<E, FirstK, T> + Answers<E, Crossings, T> + Default,
{
    fn has_rows(query: &Query) -> bool {
        matches!(query, Query::All | Query::FirstK(_) | Query::Crossings)
    }

    fn fill(&mut self, job: &Job<'_, '_, E, Query, T>) -> Result<BatchReport, BatchError> {
        match job.question {
            Query::Closest => container!(self, Closest).fill(&job.about(Closest)),
            Query::Any => container!(self, Any).fill(&job.about(Any)),
            Query::All => container!(self, Rows).fill(&job.about(All)),
            Query::FirstK(k) => container!(self, Rows).fill(&job.about(FirstK(k))),
            Query::Count => container!(self, Counts).fill(&job.about(Count)),
            Query::Crossings => container!(self, Rows).fill(&job.about(Crossings)),
            Query::CountCrossings => container!(self, Counts).fill(&job.about(CountCrossings)),
        }
    }
}

impl<T: RayKind + Item, E: RayEngine<T> + Sync + ?Sized> BatchQuestion<E, T> for Query {
    type Answers = QueryAnswers<Vec<Option<HitOf<E>>>, HitRows<HitOf<E>>>;
}
