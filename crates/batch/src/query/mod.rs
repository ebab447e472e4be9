//! A question chosen at run time.

mod query_answers;

pub use query_answers::{QueryAnswers, QueryColumns};

use estoc_core::{
    AcceptHit, All, Any, Closest, Count, CountCrossings, Crossings, FirstK, Hit, HitOf, IdOf,
    QueryError, QueryOptions, Question, RayEngine, RayKind, Want,
};

/// A question about rays, chosen at run time. Each variant is the question type of its name, such
/// as [`Closest`], and has the same answers.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_batch::*; } }
/// use estoc::{Batch, BruteForce, Ray, RayQuery, Triangle, batch::QueryAnswers, query::Query};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let query = if std::env::args().count() > 9 { Query::Any } else { Query::Count };
/// let answers = Batch::new().ask(&engine, query, &rays)?;
/// assert_eq!(answers, QueryAnswers::Counts(vec![1, 0]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Query {
    /// [`Closest`]: the first hit.
    Closest,
    /// [`Any`]: whether there is a hit.
    Any,
    /// [`All`]: every triangle touched.
    All,
    /// [`FirstK`]: the first `k` hits.
    FirstK(usize),
    /// [`Count`]: the number of triangles touched.
    Count,
    /// [`Crossings`]: every crossing of the surface.
    Crossings,
    /// [`CountCrossings`]: the number of crossings.
    CountCrossings,
}

impl Query {
    /// One query of each kind.
    pub const ALL: [Query; 7] = [
        Query::Closest,
        Query::Any,
        Query::All,
        Query::FirstK(1),
        Query::Count,
        Query::Crossings,
        Query::CountCrossings,
    ];
}

/// The answer to a [`Query`] about one ray.
pub type QueryAnswer<H = Hit> = QueryAnswers<Option<H>, Vec<H>, bool, usize>;

impl<R: RayKind, E: RayEngine<R> + ?Sized> Question<E, R> for Query {
    type Answer = QueryAnswer<HitOf<E>>;

    fn ask(
        &self,
        engine: &E,
        ray: &R,
        options: &QueryOptions<IdOf<E>>,
        accept: Option<AcceptHit<'_, E, R>>,
    ) -> Result<QueryAnswer<HitOf<E>>, QueryError> {
        use QueryAnswers::{Closest as Found, Counts as Number, Rows as Row};
        Ok(match *self {
            Query::Closest => Found(Closest.ask(engine, ray, options, accept)?),
            Query::Any => QueryAnswers::Any(Any.ask(engine, ray, options, accept)?),
            Query::All => Row(All.ask(engine, ray, options, accept)?),
            Query::FirstK(k) => Row(FirstK(k).ask(engine, ray, options, accept)?),
            Query::Count => Number(Count.ask(engine, ray, options, accept)?),
            Query::Crossings => Row(Crossings.ask(engine, ray, options, accept)?),
            Query::CountCrossings => Number(CountCrossings.ask(engine, ray, options, accept)?),
        })
    }

    fn want(&self) -> Want {
        match *self {
            Query::Closest => Want::First,
            Query::Any => Want::Any,
            Query::FirstK(k) => Want::FirstK(k),
            Query::Count => Want::Count,
            Query::All | Query::Crossings | Query::CountCrossings => Want::All,
        }
    }

    fn is_one_by_one(&self, engine: &E) -> bool {
        !engine.traces_together()
    }
}
