//! Layouts of items in memory.

use super::{Item, Items, ItemsError};
use std::fmt::Debug;
use std::ops::Range;

/// Many items in the caller's memory, in any usual layout: [`Rays`](super::Rays),
/// [`Points`](super::Points) or [`MovingSpheres`](super::MovingSpheres), which have the constructors of
/// their layouts. The items are never copied as a whole.
#[derive(Clone, Copy, Debug)]
pub struct List<'a, T>(ItemLayout<'a, T>);

#[derive(Clone, Copy, Debug)]
enum ItemLayout<'a, T> {
    Items(&'a [T]),
    /// Rows of the first six numbers of each item.
    RowsOfSix(&'a [[f32; 6]]),
    /// An array for each number; there is at least the first.
    Columns(NumberColumns<'a>),
}

/// An array for each number of an item, in the order of the numbers.
pub(super) type NumberColumns<'a> = [Option<&'a [f32]>; 8];

/// An item that is up to eight numbers.
#[doc(hidden)]
pub trait OfNumbers: Item {
    /// The names of the numbers.
    const NAMES: &'static [&'static str];

    /// Makes an item of the numbers at these places; those that may be `None` have a default.
    fn of_numbers(number: impl Fn(usize) -> Option<f32>) -> Self;
}

impl<'a, T: OfNumbers> List<'a, T> {
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
        }
    }
}

fn len(columns: &NumberColumns<'_>) -> usize {
    columns[0].map_or(0, <[f32]>::len)
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
        gathered.clear();
        match &self.0 {
            ItemLayout::Items(items) => return &items[range],
            ItemLayout::RowsOfSix(rows) => gathered.extend(rows[range].iter().map(of_six::<T>)),
            ItemLayout::Columns(columns) => {
                gathered.extend(range.map(|index| at::<T>(columns, index)));
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
