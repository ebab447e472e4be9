//! Whether the numbers of an array lie where atomic accesses may read and write them.
//!
//! numpy calls an array aligned by the rules of the system's C compiler: on 32-bit x86 it has numbers of 8 bytes
//! at multiples of 4. An atomic of 8 bytes must be at a multiple of 8 everywhere.

use pyo3::prelude::*;

/// Returns whether all elements of an array at an address are at multiples of a number of bytes, which is not 0.
/// `lengths` and `strides`, in bytes, are those of its axes.
///
/// An axis of one element has any stride, and an array without elements any address.
pub(crate) fn are_at_multiples(
    of: usize,
    address: usize,
    lengths: &[usize],
    strides: &[isize],
) -> bool {
    lengths.contains(&0)
        || address.is_multiple_of(of)
            && (lengths.iter().zip(strides))
                .all(|(&length, stride)| length == 1 || stride.unsigned_abs().is_multiple_of(of))
}

/// Returns whether the elements of an array are at multiples of their size.
#[pyfunction]
pub(crate) fn is_aligned(
    address: usize,
    lengths: Vec<usize>,
    strides: Vec<isize>,
    size: usize,
) -> bool {
    size != 0 && are_at_multiples(size, address, &lengths, &strides)
}
