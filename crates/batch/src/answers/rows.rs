//! Lists of values of many items in compressed rows.

use super::Answers;
use super::gather::fill_rows;
use crate::batch_query::BatchQuery;
use crate::error::BatchError;
use crate::items::Item;
use crate::report::BatchReport;
use estoc_core::{Engine, Hit, RowQuestion};

/// A list of values for each item, such as the hits of each ray, in compressed rows: those of item
/// `i` are `values[offsets[i]..offsets[i + 1]]`, which is [`Rows::row`].
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Triangle, query::Within};
/// let sheet = |z| Triangle::new([0.0, 0.0, z], [4.0, 0.0, z], [0.0, 4.0, z]);
/// let engine = BruteForce::new([1.0, 5.0].map(sheet));
/// let points = [[1.0, 1.0, 0.0], [1.0, 1.0, 9.0], [1.0, 1.0, 3.0]];
/// let rows = Batch::new().ask(&engine, Within(2.0), &points)?;
/// assert_eq!(rows.offsets, [0, 1, 1, 3]);
/// assert!(rows.row(2).unwrap().iter().map(|prim| prim.get()).eq([0, 1]));
/// # Ok::<(), estoc::BatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Rows<T> {
    /// The index of each item's first value, followed by the number of all values; one entry more
    /// than there are items.
    pub offsets: Vec<usize>,
    /// The values, item after item, each item's in their order.
    pub values: Vec<T>,
}

/// All hits of many rays, each ray's in its order.
pub type HitRows<H = Hit> = Rows<H>;

impl<T> Rows<T> {
    /// Returns the number of items.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Returns whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the values of one item, in their order; `None` if there is no such item.
    pub fn row(&self, item: usize) -> Option<&[T]> {
        let (start, end) = (*self.offsets.get(item)?, *self.offsets.get(item + 1)?);
        self.values.get(start..end)
    }

    /// Returns the values of each item, in the order of the items.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|item| self.row(item).unwrap_or_default())
    }
}

impl<T> Default for Rows<T> {
    /// The rows of no items.
    fn default() -> Self {
        Rows {
            offsets: vec![0],
            values: Vec::new(),
        }
    }
}

impl<E, Q, T, V> Answers<E, Q, T> for Rows<V>
where
    E: Engine + Sync + ?Sized,
    T: Item,
    Q: RowQuestion<E, T, Value = V>,
    V: Copy + Send,
{
    fn has_rows(_: &Q) -> bool {
        true
    }

    /// After an error there are no rows.
    fn fill(&mut self, query: &BatchQuery<'_, '_, E, Q, T>) -> Result<BatchReport, BatchError> {
        fill_rows(query, &mut self.offsets, &mut self.values, |offset| offset)
    }
}
