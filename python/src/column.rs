//! Arrays that answers are written to.

use crate::alignment::are_at_multiples;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// An array with one number for each item of a query.
///
/// It is written by relaxed atomic stores, for the reasons that [`rows`](crate::rows) gives: another
/// thread may read the array that is passed as `out`, or write to it.
pub(crate) struct Column<T> {
    start: *mut T,
    len: usize,
    /// The distance of two elements in bytes.
    stride: isize,
}

// SAFETY: the memory is only written, by atomic stores.
unsafe impl<T> Send for Column<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Column<T> {}

impl<T: Stored + Element> Column<T> {
    /// Takes an array of this type that is aligned and writable and has `len` elements: contiguous, or with
    /// one axis and any stride.
    pub(crate) fn of(array: &Bound<'_, PyAny>, len: usize) -> PyResult<Self> {
        let array = array.cast::<PyArrayDyn<T>>()?;
        // SAFETY: the object is an array, and the interpreter's lock is held.
        let flags = unsafe { (*numpy::npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr())).flags };
        let is_writable = flags & numpy::npyffi::NPY_ARRAY_WRITEABLE != 0;
        let stride = match array.strides() {
            [stride] => Some(*stride),
            _ if array.is_c_contiguous() => Some(size_of::<T>() as isize),
            _ => None,
        };
        // numpy's own idea of alignment is too little for atomics of 8 bytes on 32-bit x86.
        let start = array.data();
        let is_aligned = are_at_multiples(
            align_of::<T::Atomic>(),
            start.addr(),
            array.shape(),
            array.strides(),
        );
        match stride {
            Some(stride) if array.len() == len && is_aligned && is_writable => {
                Ok(Column { start, len, stride })
            }
            _ => Err(PyTypeError::new_err(
                "an array of another layout was passed",
            )),
        }
    }

    /// Writes numbers at places. Panics if there is no such element.
    #[inline(always)]
    pub(crate) fn put_all<N>(
        &self,
        numbers: impl Iterator<Item = (usize, N)>,
        value: impl Fn(N) -> T,
    ) {
        for (place, number) in numbers {
            self.put(place, value(number));
        }
    }

    /// Writes an element. Panics if there is no such element.
    #[inline(always)]
    pub(crate) fn put(&self, place: usize, value: T) {
        assert!(place < self.len);
        let element = self
            .start
            .wrapping_byte_offset(self.stride.wrapping_mul(place as isize));
        // SAFETY: the array has `len` elements at this stride, all at multiples of the alignment of their
        // atomic type, is writable, and is held by the caller.
        unsafe { T::store(element, value) }
    }
}

/// A type of elements that answers have.
pub(crate) trait Stored: Copy {
    /// The atomic type that it is written as.
    type Atomic;

    /// Writes an element.
    ///
    /// # Safety
    /// The address is that of such an element, aligned as [`Atomic`](Self::Atomic) is, in writable memory that
    /// stays allocated meanwhile.
    unsafe fn store(address: *mut Self, value: Self);
}

macro_rules! stored {
    ($($number:ty: $atomic:ty, $bits:expr;)*) => {$(
        impl Stored for $number {
            type Atomic = $atomic;

            #[inline(always)]
            unsafe fn store(address: *mut Self, value: Self) {
                // SAFETY: by contract the address is valid and aligned.
                unsafe { <$atomic>::from_ptr(address.cast()) }.store($bits(value), Ordering::Relaxed);
            }
        }
    )*};
}

stored! {
    f32: AtomicU32, f32::to_bits;
    f64: AtomicU64, f64::to_bits;
    i64: AtomicU64, |value: i64| value as u64;
    u8: AtomicU8, |value| value;
    i8: AtomicU8, |value: i8| value as u8;
    bool: AtomicU8, u8::from;
}
