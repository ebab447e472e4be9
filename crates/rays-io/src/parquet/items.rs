//! Items of columns of Arrow.

use crate::item::{Item, ItemNumber, MOST_COLUMNS};
use crate::mask;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use estoc_core::{InlineMap, Masks};
use std::borrow::Cow;

/// A column of numbers.
pub(super) enum ArrowNumbers<'a> {
    Near(&'a [f32], Option<&'a NullBuffer>),
    Wide(&'a [f64], Option<&'a NullBuffer>),
}

/// The types of columns of numbers.
pub(super) const NUMBERS: &str = "Float32 or Float64";

/// The types of columns of masks, and the way out.
pub(super) const MASKS: &str =
    "Int64, Int32 or UInt32, or have another name if it holds no masks of rays";

/// The types of columns of ids.
pub(super) const IDS: &str = "Int64, Int32 or UInt32";

/// Returns whether a column of the type can be read as numbers.
pub(super) fn is_number(of: &DataType) -> bool {
    matches!(of, DataType::Float32 | DataType::Float64)
}

/// Returns whether a column of the type can be read as ids or masks.
pub(super) fn is_whole(of: &DataType) -> bool {
    matches!(of, DataType::Int64 | DataType::Int32 | DataType::UInt32)
}

impl<'a> ArrowNumbers<'a> {
    pub(super) fn of(array: &'a ArrayRef) -> Option<Self> {
        let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0);
        match array.data_type() {
            DataType::Float32 => {
                let numbers = array.as_primitive_opt::<Float32Type>()?;
                Some(ArrowNumbers::Near(numbers.values(), nulls))
            }
            DataType::Float64 => {
                let numbers = array.as_primitive_opt::<Float64Type>()?;
                Some(ArrowNumbers::Wide(numbers.values(), nulls))
            }
            _ => None,
        }
    }

    /// Returns a number as it stands in the file; `None` for null.
    #[inline]
    fn wide(&self, row: usize) -> Option<f64> {
        match self {
            ArrowNumbers::Near(numbers, nulls) => nulls
                .is_none_or(|n| n.is_valid(row))
                .then(|| numbers[row].into()),
            ArrowNumbers::Wide(numbers, nulls) => {
                nulls.is_none_or(|n| n.is_valid(row)).then(|| numbers[row])
            }
        }
    }
}

/// Appends the items of some rows, and returns how many numbers were rounded. A required number
/// that is null is NaN, so that the item is undefined; an optional one has its default.
pub(super) fn append<T: Item>(
    columns: &[Option<ArrowNumbers<'_>>; MOST_COLUMNS],
    rows: usize,
    items: &mut Vec<T>,
) -> u64 {
    items.reserve(rows);
    // Without nulls and rounding, by loops of a length that the compiler knows.
    let is_plain = append_plain::<T, 8>(columns, rows, items)
        || append_plain::<T, 6>(columns, rows, items)
        || append_plain::<T, 3>(columns, rows, items);
    if is_plain {
        return 0;
    }
    let mut rounded = 0;
    items.extend((0..rows).map(|row| {
        let mut numbers = [None; MOST_COLUMNS];
        for (place, column) in columns.iter().enumerate() {
            let Some(column) = column else {
                continue;
            };
            let number = column.wide(row);
            numbers[place] = match number {
                None if place < T::REQUIRED => Some(f64::NAN),
                number => number,
            };
        }
        rounded += T::rounded(&numbers) as u64;
        T::from_numbers(numbers.inline_map(|number| number.map(T::Number::of_f64)))
    }));
    rounded
}

/// Appends the items of some rows if the columns are just the first ones, of `f32`s without nulls,
/// and returns whether they are.
fn append_plain<T: Item, const COLUMNS: usize>(
    columns: &[Option<ArrowNumbers<'_>>; MOST_COLUMNS],
    rows: usize,
    items: &mut Vec<T>,
) -> bool {
    let mut plain: [&[f32]; COLUMNS] = [&[]; COLUMNS];
    let (first, others) = columns.split_at(COLUMNS);
    for (plain, column) in plain.iter_mut().zip(first) {
        match column {
            Some(ArrowNumbers::Near(numbers, None)) => *plain = &numbers[..rows],
            _ => return false,
        }
    }
    if others.iter().any(Option::is_some) {
        return false;
    }
    items.extend((0..rows).map(|row| {
        let mut numbers = [None; MOST_COLUMNS];
        for (number, column) in numbers.iter_mut().zip(&plain) {
            *number = Some(T::Number::from(column[row]));
        }
        T::from_numbers(numbers)
    }));
    true
}

/// Appends ids, and returns the row of a null, at which it stops.
pub(super) fn append_ids(array: &ArrayRef, ids: &mut Vec<i64>) -> Result<(), usize> {
    let null = array
        .nulls()
        .and_then(|nulls| (0..nulls.len()).find(|&row| nulls.is_null(row)));
    let rows = null.unwrap_or(array.len());
    ids.extend_from_slice(&whole_numbers(array)[..rows]);
    null.map_or(Ok(()), Err)
}

/// Appends the masks of some rows, and returns the row of a number that is none, at which it stops,
/// with the number. Null is all bits.
pub(super) fn append_masks(
    array: &ArrayRef,
    rows: usize,
    masks: &mut Vec<u32>,
) -> Result<(), (usize, i64)> {
    for (row, &number) in whole_numbers(array)[..rows].iter().enumerate() {
        let mask = match array.is_null(row) {
            true => mask::ALL,
            false => Masks::bits_of(number).ok_or((row, number))?,
        };
        masks.push(mask);
    }
    Ok(())
}

/// Returns the numbers of a column that [`is_whole`]; any where there is none.
fn whole_numbers(array: &ArrayRef) -> Cow<'_, [i64]> {
    if let Some(numbers) = array.as_primitive_opt::<Int64Type>() {
        Cow::Borrowed(numbers.values())
    } else if let Some(numbers) = array.as_primitive_opt::<Int32Type>() {
        numbers.values().iter().copied().map(i64::from).collect()
    } else if let Some(numbers) = array.as_primitive_opt::<UInt32Type>() {
        numbers.values().iter().copied().map(i64::from).collect()
    } else {
        // Types are checked when a file is opened.
        vec![0; array.len()].into()
    }
}
