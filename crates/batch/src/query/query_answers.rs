//! Answers to a question chosen at run time.

use super::Query;
use crate::answers::{Answers, BatchQuestion, ColumnRows, HitColumns, HitRows};
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::Item;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, Closest, Count, CountCrossings, Crossings, FirstK, Hit, HitOf, RayEngine, RayKind,
};
use std::mem::discriminant;

/// The answers to a [`Query`] about many rays: a container for each kind of answer. About one ray, it is
/// the answer itself (`QueryAnswer`).
#[derive(Clone, Debug, PartialEq)]
pub enum QueryAnswers<C = Vec<Option<Hit>>, R = HitRows, A = Vec<bool>, N = Vec<usize>> {
    /// Answers to [`Query::Closest`].
    Closest(C),
    /// Answers to [`Query::Any`].
    Any(A),
    /// Answers to [`Query::Count`] and [`Query::CountCrossings`].
    Counts(N),
    /// Answers to [`Query::All`], [`Query::FirstK`] and [`Query::Crossings`].
    Rows(R),
}

/// [`QueryAnswers`] with hits in columns.
pub type QueryColumns<C = f32> = QueryAnswers<HitColumns<C>, ColumnRows<HitColumns<C>>>;

impl<C, R> Default for QueryAnswers<C, R> {
    /// Returns [`QueryAnswers::Any`] without answers.
    fn default() -> Self {
        QueryAnswers::Any(Vec::new())
    }
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

    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Query, T>) -> Result<BatchReport, BatchError> {
        let empty = match query.question {
            Query::Closest => QueryAnswers::Closest(C::default()),
            Query::Any => QueryAnswers::Any(Vec::new()),
            Query::Count | Query::CountCrossings => QueryAnswers::Counts(Vec::new()),
            Query::All | Query::FirstK(_) | Query::Crossings => QueryAnswers::Rows(R::default()),
        };
        // A container of the right kind is filled again.
        if discriminant(self) != discriminant(&empty) {
            *self = empty;
        }
        match (self, query.question) {
            (QueryAnswers::Closest(hits), _) => hits.fill(&query.about(Closest)),
            (QueryAnswers::Any(any), _) => any.fill(&query.about(Any)),
            (QueryAnswers::Counts(counts), Query::Count) => counts.fill(&query.about(Count)),
            (QueryAnswers::Counts(counts), _) => counts.fill(&query.about(CountCrossings)),
            (QueryAnswers::Rows(rows), Query::All) => rows.fill(&query.about(All)),
            (QueryAnswers::Rows(rows), Query::FirstK(k)) => rows.fill(&query.about(FirstK(k))),
            (QueryAnswers::Rows(rows), _) => rows.fill(&query.about(Crossings)),
        }
    }
}

impl<T: RayKind + Item, E: RayEngine<T> + Sync + ?Sized> BatchQuestion<E, T> for Query {
    type Answers = QueryAnswers<Vec<Option<HitOf<E>>>, HitRows<HitOf<E>>>;
}
