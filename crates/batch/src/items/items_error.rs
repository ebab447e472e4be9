//! Errors of lists of numbers that cannot be used as items, and the check of flat lists.

/// The reason why numbers cannot be used as rays, points or moving spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemsError {
    /// The arrays of coordinates differ in length.
    #[error(
        "the length of {array} is {found} instead of {items}, the length of {first}; each array \
         needs one number per item"
    )]
    Lengths {
        /// The array whose length differs from that of `first`.
        array: &'static str,
        /// The first array, whose length is the number of items.
        first: &'static str,
        /// The length of the first array.
        items: usize,
        /// The length of this array.
        found: usize,
    },
    /// A flat list of numbers ends within an item.
    #[error("the length {numbers} is not a multiple of {row} ({} left over)", numbers % row)]
    Rows {
        /// The number of numbers.
        numbers: usize,
        /// The number of numbers per item.
        row: usize,
    },
}

/// Splits a flat list into rows of `N` numbers.
pub(super) fn rows<const N: usize>(numbers: &[f32]) -> Result<&[[f32; N]], ItemsError> {
    match numbers.as_chunks() {
        (rows, []) => Ok(rows),
        _ => Err(ItemsError::Rows {
            numbers: numbers.len(),
            row: N,
        }),
    }
}
