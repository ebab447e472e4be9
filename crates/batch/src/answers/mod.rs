//! Containers for the answers of batches: lists of values, rows, columns of numbers.

mod by_query;
mod column_rows;
mod columns;
mod define_columns;
mod gather;
mod record;
mod rows;
mod values;

pub use by_query::{QueryAnswers, QueryColumns};
pub use column_rows::ColumnRows;
pub use columns::{
    ClosestPointColumns, HitColumns, PrimColumns, SignedDistanceColumns, SphereContactColumns,
    WindingColumns,
};
pub use record::{ColumnNumber, ColumnVisitor, Record};
pub use rows::{HitRows, Rows};

use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{
    All, Any, AnyWithin, Closest, ClosestK, ClosestPoint, ClosestPointWithin, Contains, ContainsBy,
    Count, CountCrossings, Crossings, Distance, Engine, EstimatedWinding, FirstContact, FirstK,
    HitOf, In64, Point64Engine, PointEngine, PrimId, Question, SceneClosestPoint, ScenePrim,
    SignedDistance, SignedDistanceBy, SphereContact, SweepEngine, Winding, WindingEstimate,
    WindingNumber, Within, WorldEngine,
};

/// A container for the answers to a question about many items.
///
/// | question | containers |
/// |---|---|
/// | one answer per item, such as `Closest`, `Any`, `Count`, `Contains` | `Vec`, slice |
/// | at most one hit per item: `Closest` | also [`HitColumns`] |
/// | at most one closest point per item: `ClosestPointWithin` | also [`ClosestPointColumns`] |
/// | a signed distance or none per item: `SignedDistanceBy` | also [`SignedDistanceColumns`] |
/// | a winding number or none per item: `WindingNumber` | also [`WindingColumns`] |
/// | at most one contact per item: `FirstContact` | also [`SphereContactColumns`] |
/// | a row of hits per item: `All`, `FirstK`, `Crossings` | [`Rows`], [`ColumnRows`] of [`HitColumns`] |
/// | a row of closest points per item: `ClosestK` | [`Rows`], [`ColumnRows`] of [`ClosestPointColumns`] |
/// | a row of triangles per item: `Within` | [`Rows`], [`ColumnRows`] of [`PrimColumns`] |
/// | chosen at run time: [`Query`](crate::Query) | [`QueryAnswers`], [`QueryColumns`] |
///
/// All containers but slices are resized to fit and reuse their memory.
pub trait Answers<E: Engine + Sync + ?Sized, Q: Question<E, Item: Item>> {
    /// Returns whether an item may have any number of answers.
    #[doc(hidden)]
    fn has_rows(question: &Q) -> bool;

    /// Replaces the contents by the answers to the job.
    #[doc(hidden)]
    fn fill(&mut self, job: &Job<'_, '_, E, Q>) -> Result<BatchReport, BatchError>;
}

/// A question that has a default container for the answers of a batch.
pub trait BatchQuestion<E: Engine + Sync + ?Sized>: Question<E, Item: Item> {
    /// The default container.
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

/// The same for rays in `f64`.
macro_rules! batch_questions_in_64 {
    ($($question:ty => $answers:ty),* $(,)?) => {$(
        impl<E: WorldEngine + Sync + ?Sized> BatchQuestion<E> for In64<$question> {
            type Answers = $answers;
        }
    )*};
}

batch_questions_in_64! {
    Closest => Vec<Option<HitOf<E>>>,
    Any => Vec<bool>,
    Count => Vec<usize>,
    CountCrossings => Vec<usize>,
    All => HitRows<HitOf<E>>,
    FirstK => HitRows<HitOf<E>>,
    Crossings => HitRows<HitOf<E>>,
}

/// The same for points in `f64`.
macro_rules! batch_questions_about_points_in_64 {
    ($($question:ty => $answers:ty),* $(,)?) => {$(
        impl<E: Point64Engine + Sync + ?Sized> BatchQuestion<E> for In64<$question> {
            type Answers = $answers;
        }
    )*};
}

batch_questions_about_points_in_64! {
    ClosestPointWithin => Vec<Option<SceneClosestPoint>>,
    Distance => Vec<Option<f32>>,
    AnyWithin => Vec<bool>,
    Contains => Vec<Option<bool>>,
    ClosestK => Rows<SceneClosestPoint>,
    Within => Rows<ScenePrim>,
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for ClosestPointWithin {
    type Answers = Vec<Option<ClosestPoint>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for Distance {
    type Answers = Vec<Option<f32>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for AnyWithin {
    type Answers = Vec<bool>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for ClosestK {
    type Answers = Rows<ClosestPoint>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for Within {
    type Answers = Rows<PrimId>;
}

impl<E: SweepEngine + Sync + ?Sized> BatchQuestion<E> for FirstContact {
    type Answers = Vec<Option<SphereContact>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for ContainsBy {
    type Answers = Vec<Option<bool>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for SignedDistanceBy {
    type Answers = Vec<Option<SignedDistance>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for WindingNumber {
    type Answers = Vec<Option<Winding>>;
}

impl<E: PointEngine + Sync + ?Sized> BatchQuestion<E> for EstimatedWinding {
    type Answers = Vec<WindingEstimate>;
}
