//! How many bytes values of Arrow take.

use arrow_array::cast::AsArray;
use arrow_array::{Array, OffsetSizeTrait};
use arrow_schema::DataType;
use std::ops::Range;

/// Returns about how many bytes some values of an array take, without what they share with others,
/// such as a dictionary. Depends on the values only, and not on how they are cut into arrays.
pub(crate) fn bytes_of(array: &dyn Array, rows: Range<usize>) -> usize {
    match array.data_type() {
        DataType::Utf8 => between(array.as_string::<i32>().value_offsets(), &rows).len(),
        DataType::LargeUtf8 => between(array.as_string::<i64>().value_offsets(), &rows).len(),
        DataType::Binary => between(array.as_binary::<i32>().value_offsets(), &rows).len(),
        DataType::LargeBinary => between(array.as_binary::<i64>().value_offsets(), &rows).len(),
        DataType::Utf8View => lengths(&array.as_string_view().views()[rows]),
        DataType::BinaryView => lengths(&array.as_binary_view().views()[rows]),
        DataType::List(_) => {
            let lists = array.as_list::<i32>();
            bytes_of(lists.values(), between(lists.value_offsets(), &rows))
        }
        DataType::LargeList(_) => {
            let lists = array.as_list::<i64>();
            bytes_of(lists.values(), between(lists.value_offsets(), &rows))
        }
        DataType::Map(..) => {
            let maps = array.as_map();
            bytes_of(maps.entries(), between(maps.value_offsets(), &rows))
        }
        DataType::FixedSizeList(_, size) => {
            let size = usize::try_from(*size).unwrap_or(0);
            let values = array.as_fixed_size_list().values();
            bytes_of(values, rows.start * size..rows.end * size)
        }
        DataType::Struct(_) => {
            let columns = array.as_struct().columns().iter();
            columns.map(|column| bytes_of(column, rows.clone())).sum()
        }
        DataType::FixedSizeBinary(size) => usize::try_from(*size).unwrap_or(0) * rows.len(),
        of => of.primitive_width().unwrap_or(0) * rows.len(),
    }
}

/// Returns the values of these rows.
fn between<O: OffsetSizeTrait>(offsets: &[O], rows: &Range<usize>) -> Range<usize> {
    offsets[rows.start].as_usize()..offsets[rows.end].as_usize()
}

/// Returns the sum of the lengths of values, which are the lowest 32 bits of their views.
fn lengths(views: &[u128]) -> usize {
    views.iter().map(|&view| view as u32 as usize).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::builder::{ListBuilder, StringBuilder};
    use arrow_array::{Int64Array, StringArray, StringViewArray};

    #[test]
    fn bytes_are_those_of_the_rows() {
        let texts = ["a", "", "bcd", "efghijklmnopqrstuvwxyz"];
        let array = StringArray::from_iter_values(texts);
        assert_eq!(bytes_of(&array, 0..4), 26);
        assert_eq!(bytes_of(&array.slice(2, 2), 0..1), 3);
        assert_eq!(
            bytes_of(&StringViewArray::from_iter_values(texts), 1..4),
            25
        );
        assert_eq!(bytes_of(&Int64Array::from(vec![1, 2]), 0..2), 16);
        let mut lists = ListBuilder::new(StringBuilder::new());
        for text in texts {
            lists.append_value([Some(text), Some("12")]);
        }
        assert_eq!(bytes_of(&lists.finish(), 1..3), 7);
    }
}
