//! Containers for the answers of batches: lists of values, rows, columns of numbers.

mod column_rows;
mod columns;
mod define_columns;
mod for_chunks;
mod gather;
mod record;
mod rows;
mod values;

pub use column_rows::ColumnRows;
pub use columns::{
    ClosestPointColumns, HitColumns, PrimColumns, SignedDistanceColumns, SphereContactColumns,
    WindingColumns,
};
pub use for_chunks::{AnswerChunk, ForChunks};
pub use record::{ColumnNumber, ColumnVisitor, Record};
pub use rows::{HitRows, Rows};

use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::Item;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, AnyOverlap, AnyWithin, Closest, ClosestK, ClosestOf, ClosestPointWithin, Contains,
    ContainsBy, CoordinateOf, Count, CountCrossings, Crossings, Distance, Distinct, Engine,
    EstimatedWinding, FirstContact, FirstK, HitOf, LengthOf, MovingSphere, MovingSphere64,
    NearEngine, NearIdOf, Overlaps, PointEngine, PointKind, PrimId, Question, Ray, RayEngine,
    RayKind, Region, RegionEngine, SignedDistance, SignedDistanceBy, SphereContact, SweepEngine,
    Winding, WindingEstimate, WindingNumber, Within,
};

/// A container for the answers to a question about many items.
///
/// | question | containers |
/// |---|---|
/// | one answer per item, such as `Closest`, `Any`, `Count`, `Contains` | `Vec`, slice, [`ForChunks`] |
/// | at most one hit per item: `Closest` | also [`HitColumns`] |
/// | at most one closest point per item: `ClosestPointWithin` | also [`ClosestPointColumns`] |
/// | a signed distance or none per item: `SignedDistanceBy` | also [`SignedDistanceColumns`] |
/// | a winding number or none per item: `WindingNumber` | also [`WindingColumns`] |
/// | at most one contact per item: `FirstContact` | also [`SphereContactColumns`] |
/// | a row of hits per item: `All`, `FirstK`, `Crossings`, `Distinct` | [`Rows`], [`ColumnRows`] of [`HitColumns`] |
/// | a row of closest points per item: `ClosestK` | [`Rows`], [`ColumnRows`] of [`ClosestPointColumns`] |
/// | a row of triangles per item: `Within`, `Overlaps` | [`Rows`], [`ColumnRows`] of [`PrimColumns`] |
/// | chosen at run time: [`Query`](crate::Query) | [`QueryAnswers`](crate::QueryAnswers), [`QueryColumns`](crate::QueryColumns) |
///
/// All containers but slices and [`ForChunks`] are resized to fit and reuse their memory.
pub trait Answers<E: Engine + Sync + ?Sized, Q: Question<E, T>, T: Item = Ray> {
    /// Returns whether an item may have any number of answers.
    #[doc(hidden)]
    fn has_rows(_question: &Q) -> bool {
        false
    }

    /// Replaces the contents by the answers to the query.
    #[doc(hidden)]
    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError>;
}

/// A question that has a default container for the answers of a batch.
pub trait BatchQuestion<E: Engine + Sync + ?Sized, T: Item = Ray>: Question<E, T> {
    /// The default container.
    type Answers: Answers<E, Self, T> + Default + Send;
}

/// Names the default containers of questions about items of a type.
macro_rules! batch_questions {
    (@one [$($parameter:tt)*] $item:ty, $question:ty => $answers:ty) => {
        impl<$($parameter)* + Sync + ?Sized> BatchQuestion<E, $item> for $question {
            type Answers = $answers;
        }
    };
    ($parameters:tt $item:ty, $($question:ty => $answers:ty;)*) => {$(
        batch_questions!(@one $parameters $item, $question => $answers);
    )*};
}

batch_questions! { [R: RayKind + Item, E: RayEngine<R>] R,
    Closest => Vec<Option<HitOf<E>>>;
    Any => Vec<bool>;
    Count => Vec<usize>;
    CountCrossings => Vec<usize>;
    All => HitRows<HitOf<E>>;
    FirstK => HitRows<HitOf<E>>;
    Crossings => HitRows<HitOf<E>>;
    Distinct => HitRows<HitOf<E>>;
}

batch_questions! { [V: PointKind + Item, E: NearEngine<V>] V,
    ClosestPointWithin<LengthOf<E, V>> => Vec<Option<ClosestOf<E, V>>>;
    Distance => Vec<Option<LengthOf<E, V>>>;
    AnyWithin<LengthOf<E, V>> => Vec<bool>;
    ClosestK => Rows<ClosestOf<E, V>>;
    Within<LengthOf<E, V>> => Rows<NearIdOf<E, V>>;
}

batch_questions! { [V: PointKind + Item, E: RayEngine<V::Ray>] V, Contains => Vec<Option<bool>>; }

batch_questions! { [V: PointKind + Item, E: PointEngine<V>] V,
    ContainsBy => Vec<Option<bool>>;
    SignedDistanceBy => Vec<Option<SignedDistance<V::Coordinate>>>;
    WindingNumber => Vec<Option<Winding>>;
    EstimatedWinding => Vec<WindingEstimate>;
}

batch_questions! { [E: SweepEngine] MovingSphere,
    FirstContact => Vec<Option<SphereContact<CoordinateOf<E>>>>;
}
batch_questions! { [E: SweepEngine] MovingSphere64,
    FirstContact => Vec<Option<SphereContact<CoordinateOf<E>>>>;
}

batch_questions! { [E: RegionEngine] &dyn Region,
    Overlaps => Rows<PrimId>;
    AnyOverlap => Vec<bool>;
}
