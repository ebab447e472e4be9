//! Any number of answers for each item as columns of numbers.

use std::ops::Range;

/// Any number of answers for each item, an array for each number: those of item `i` are at
/// `offsets[i]..offsets[i + 1]`, in their order.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::query::{All, ClosestK, Within};
/// use estoc::{Batch, BruteForce, Ray, Triangle};
/// use estoc::batch::{ClosestPointColumns, ColumnRows, HitColumns, PrimColumns};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]);
/// let engine = BruteForce::new([8.0, 2.0, 5.0].map(sheet));
///
/// let rays = [2.0, 0.25].map(|x| Ray::new([x, 0.25, 9.0], [0.0, 0.0, -1.0]));
/// let rows: ColumnRows<HitColumns> = Batch::new().ask_as(&engine, All, &rays)?;
/// assert_eq!((rows.offsets, rows.values.prim), (vec![0, 0, 3], vec![0, 2, 1]));
///
/// let points = [[0.0, 0.0, f32::NAN], [0.0, 0.0, 1.0]];
/// let rows: ColumnRows<ClosestPointColumns> = Batch::new().ask_as(&engine, ClosestK(2), &points)?;
/// assert_eq!((rows.offsets, rows.values.distance), (vec![0, 0, 2], vec![1.0, 4.0]));
///
/// let rows: ColumnRows<PrimColumns> = Batch::new().ask_as(&engine, Within(4.0), &points)?;
/// assert_eq!((rows.offsets, rows.values.prim), (vec![0, 0, 2], vec![1, 2]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ColumnRows<C> {
    /// The index of each item's first answer, followed by the number of all answers; one entry more
    /// than there are items.
    pub offsets: Vec<i64>,
    /// The answers.
    pub values: C,
}

impl<C> ColumnRows<C> {
    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns where the answers about an item are; `None` when there is no such item.
    pub fn span(&self, item: usize) -> Option<Range<usize>> {
        let end = *self.offsets.get(item.checked_add(1)?)?;
        Some(usize::try_from(*self.offsets.get(item)?).ok()?..usize::try_from(end).ok()?)
    }
}

impl<C: Default> Default for ColumnRows<C> {
    /// The rows of no items.
    fn default() -> Self {
        ColumnRows {
            offsets: vec![0],
            values: C::default(),
        }
    }
}
