//! Layouts of items in memory, and items that are made on demand.

use super::{Item, Items, ItemsError};
use std::fmt;
use std::ops::Range;

/// Many items: [`Rays`](super::Rays), [`Points`](super::Points) or [`MovingSpheres`](super::MovingSpheres) in
/// the caller's memory, in any usual layout, of which each has constructors; or items that are made on demand
/// ([`List::made`]). The items are never copied as a whole.
#[derive(Clone, Copy)]
pub struct List<'a, T>(ItemLayout<'a, T>);

#[derive(Clone, Copy)]
enum ItemLayout<'a, T> {
    Items(&'a [T]),
    /// Rows of the first six numbers of each item.
    RowsOfSix(&'a [[f32; 6]]),
    /// An array for each number; there is at least the first.
    Columns(NumberColumns<'a>),
    /// This number of items, and what makes them.
    Made(usize, MakeItems<'a, T>),
}

/// Writes the items of a range to a slice of that length.
type MakeItems<'a, T> = &'a (dyn Fn(Range<usize>, &mut [T]) + Sync);

/// An array for each number of an item, in the order of the numbers.
pub(super) type NumberColumns<'a> = [Option<&'a [f32]>; 8];

/// An item of up to eight numbers, which a [`List`] may hold: a ray, a point or a moving sphere.
pub trait OfNumbers: for<'a> Item<Items<'a> = List<'a, Self>> + 'static {
    /// The names of the numbers.
    #[doc(hidden)]
    const NAMES: &'static [&'static str];

    /// Makes an item of the numbers at these places; those that may be `None` have a default.
    #[doc(hidden)]
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> Self;
}

impl<'a, T: OfNumbers> List<'a, T> {
    /// Returns a list of items that are made on demand, such as the rays of a camera, or of numbers that come
    /// from elsewhere. `make` is called with a range of places and a slice of that length, from any thread, any
    /// number of times for a place. It must write every item of the slice, and the same item for a place each
    /// time; one that it leaves unwritten may be any item.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod batch { pub use estoc_batch::*; } }
    /// use estoc::{Batch, BruteForce, Ray, Triangle, batch::List};
    /// let engine = BruteForce::new([Triangle::new([0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0])]);
    /// let from = |x: usize| Ray::new([x as f32, 1.0, 1.0], [0.0, 0.0, -1.0]);
    /// let make = |range: std::ops::Range<usize>, rays: &mut [Ray]| {
    ///     rays.iter_mut().zip(range).for_each(|(ray, x)| *ray = from(x));
    /// };
    /// let hits = Batch::new().any_hits(&engine, List::made(6, &make))?;
    /// assert_eq!(hits, [true, true, true, true, false, false]);
    /// # Ok::<(), estoc::BatchError>(())
    /// ```
    pub fn made(len: usize, make: &'a (dyn Fn(Range<usize>, &mut [T]) + Sync)) -> Self {
        List(ItemLayout::Made(len, make))
    }

    pub(super) fn of_rows_of_six(rows: &'a [[f32; 6]]) -> Self {
        List(ItemLayout::RowsOfSix(rows))
    }

    /// Takes an array per number, of which there is at least the first. Fails if the length of another
    /// one differs from that of the first.
    pub(super) fn of_columns(columns: NumberColumns<'a>) -> Result<Self, ItemsError> {
        let items = len(&columns);
        for (array, column) in T::NAMES.iter().zip(columns) {
            match column {
                Some(column) if column.len() != items => {
                    return Err(ItemsError::Lengths {
                        array,
                        first: T::NAMES[0],
                        items,
                        found: column.len(),
                    });
                }
                _ => {}
            }
        }
        Ok(List(ItemLayout::Columns(columns)))
    }

    /// Returns the number of items.
    pub fn len(&self) -> usize {
        match &self.0 {
            ItemLayout::Items(items) => items.len(),
            ItemLayout::RowsOfSix(rows) => rows.len(),
            ItemLayout::Columns(columns) => len(columns),
            ItemLayout::Made(len, _) => *len,
        }
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the item at this index, or `None` if it is out of range.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        match &self.0 {
            ItemLayout::Items(items) => <[T]>::get(items, index).copied(),
            ItemLayout::RowsOfSix(rows) => rows.get(index).map(of_six),
            ItemLayout::Columns(columns) => (index < len(columns)).then(|| at(columns, index)),
            ItemLayout::Made(len, make) => (index < *len).then(|| {
                let mut item = [blank()];
                make(index..index + 1, &mut item);
                item[0]
            }),
        }
    }
}

fn len(columns: &NumberColumns<'_>) -> usize {
    columns[0].map_or(0, <[f32]>::len)
}

/// Returns an item in whose place another one is made.
fn blank<T: OfNumbers>() -> T {
    T::of_numbers(|_| Some(0.0))
}

#[inline(always)]
fn of_six<T: OfNumbers>(row: &[f32; 6]) -> T {
    T::of_numbers(|place| row.get(place).copied())
}

/// Panics if `index` is out of range.
#[inline(always)]
fn at<T: OfNumbers>(columns: &NumberColumns<'_>, index: usize) -> T {
    T::of_numbers(|place| Some(columns[place]?[index]))
}

impl<T: OfNumbers> Items for List<'_, T> {
    type Item = T;

    fn len(&self) -> usize {
        List::len(self)
    }

    #[inline]
    fn get(&self, index: usize) -> Option<T> {
        List::get(self, index)
    }

    fn chunk<'b>(&'b self, range: Range<usize>, gathered: &'b mut Vec<T>) -> &'b [T] {
        match &self.0 {
            ItemLayout::Items(items) => return &items[range],
            ItemLayout::RowsOfSix(rows) => {
                gathered.clear();
                gathered.extend(rows[range].iter().map(of_six::<T>));
            }
            ItemLayout::Columns(columns) => {
                gathered.clear();
                gathered.extend(range.map(|index| at::<T>(columns, index)));
            }
            ItemLayout::Made(len, make) => {
                assert!(range.start <= range.end && range.end <= *len);
                // Those of the last chunk are written over.
                gathered.resize(range.len(), blank());
                make(range, gathered);
            }
        }
        gathered
    }
}

impl<'a, T: OfNumbers> From<&'a [T]> for List<'a, T> {
    fn from(items: &'a [T]) -> Self {
        List(ItemLayout::Items(items))
    }
}

/// A vector of whatever may be a slice.
impl<'a, T, U> From<&'a Vec<U>> for List<'a, T>
where
    Self: From<&'a [U]>,
{
    fn from(list: &'a Vec<U>) -> Self {
        List::from(list.as_slice())
    }
}

/// An array of whatever may be a slice.
impl<'a, T, U, const N: usize> From<&'a [U; N]> for List<'a, T>
where
    Self: From<&'a [U]>,
{
    fn from(list: &'a [U; N]) -> Self {
        List::from(list.as_slice())
    }
}

impl<T> fmt::Debug for List<'_, T>
where
    Self: Items,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layout = match &self.0 {
            ItemLayout::Items(_) => "items",
            ItemLayout::RowsOfSix(_) => "rows of six",
            ItemLayout::Columns(_) => "columns",
            ItemLayout::Made(..) => "made",
        };
        write!(f, "List({} items: {layout})", Items::len(self))
    }
}
