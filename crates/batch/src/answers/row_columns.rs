//! Rows of closest points and of triangles as columns of numbers.

use super::Answers;
use super::gather::{ValueList, fill_rows, make_room};
use super::point_columns::ClosestPointColumns;
use super::rows::Rows;
use crate::error::BatchError;
use crate::items::Item;
use crate::job::Job;
use crate::report::BatchReport;
use estoc_core::{ClosestPoint, Engine, PrimId, RowQuestion};
use std::ops::Range;

/// Any number of closest points for each point, an array for each number: those of point `i` are at
/// `offsets[i]..offsets[i + 1]`, in their order.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::ClosestPointRowColumns, query::ClosestK};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
/// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
/// let points = [[0.0, 0.0, f32::NAN], [0.0, 0.0, 1.0]];
/// let rows: ClosestPointRowColumns = Batch::new().ask_as(&engine, ClosestK(2), &points)?;
/// assert_eq!((rows.offsets, rows.points.distance), (vec![0, 0, 2], vec![1.0, 4.0]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClosestPointRowColumns {
    /// The index of each point's first closest point, followed by the number of all closest points;
    /// one entry more than there are points.
    pub offsets: Vec<i64>,
    /// The closest points.
    pub points: ClosestPointColumns,
}

/// Any number of triangles for each item, by their numbers: those of item `i` are at
/// `offsets[i]..offsets[i + 1]`, in their order.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle, batch::PrimRowColumns, query::Within};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
/// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
/// let points = [[0.0, 0.0, f32::NAN], [0.0, 0.0, 1.0]];
/// let rows: PrimRowColumns = Batch::new().ask_as(&engine, Within(4.0), &points)?;
/// assert_eq!((rows.offsets, rows.prim), (vec![0, 0, 2], vec![1, 2]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PrimRowColumns {
    /// The index of each item's first triangle, followed by the number of all triangles; one entry
    /// more than there are items.
    pub offsets: Vec<i64>,
    /// The numbers of the triangles.
    pub prim: Vec<u32>,
}

impl Default for ClosestPointRowColumns {
    /// The rows of no points.
    fn default() -> Self {
        ClosestPointRowColumns {
            offsets: vec![0],
            points: ClosestPointColumns::default(),
        }
    }
}

impl Default for PrimRowColumns {
    /// The rows of no items.
    fn default() -> Self {
        PrimRowColumns {
            offsets: vec![0],
            prim: Vec::new(),
        }
    }
}

impl From<&Rows<PrimId>> for PrimRowColumns {
    /// Returns the same rows, such as those of [`Batch::overlaps`](crate::Batch::overlaps), in columns.
    fn from(rows: &Rows<PrimId>) -> Self {
        PrimRowColumns {
            offsets: rows.offsets.iter().map(|&offset| offset as i64).collect(),
            prim: rows.values.iter().map(|prim| prim.get()).collect(),
        }
    }
}

/// The numbers of triangles.
impl ValueList<PrimId> for Vec<u32> {
    fn make_room(&mut self, more: usize) -> bool {
        make_room(self, more)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn extend_from_values(&mut self, prims: &[PrimId]) {
        self.extend(prims.iter().map(|prim| prim.get()));
    }

    fn extend_from_span(&mut self, other: &Self, span: Range<usize>) {
        self.extend_from_slice(&other[span]);
    }
}

macro_rules! row_answers {
    ($($rows:ident { $values:ident } of $value:ty;)*) => {$(
        impl<E, Q, T> Answers<E, Q, T> for $rows
        where
            E: Engine + Sync + ?Sized,
            T: Item,
            Q: RowQuestion<E, T, Value = $value>,
        {
            fn has_rows(_: &Q) -> bool {
                true
            }

            /// After an error there are no rows.
            fn fill(&mut self, job: &Job<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
                fill_rows(job, &mut self.offsets, &mut self.$values, |offset| offset as i64)
            }
        }
    )*};
}

row_answers! {
    ClosestPointRowColumns { points } of ClosestPoint;
    PrimRowColumns { prim } of PrimId;
}
