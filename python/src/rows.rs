//! Arrays of numbers, read while other threads may write to them.
//!
//! numpy lets any thread write to an array at any time, also while a query runs without the
//! interpreter's lock. A Rust slice over such memory would be undefined behaviour: the compiler may
//! assume that what a slice refers to does not change. Here no reference to the memory is ever made.
//! Each number is read by a relaxed atomic load, and what it returns, whatever it is, is a valid number. It may
//! be read again, to plan or to repeat a part, and an answer is that of the last reading. So a program that
//! writes to the array during a query gets an answer for a ray of old and new numbers.
//!
//! Rust's model allows such a load beside atomic stores. numpy's stores are not atomic, nor part of the
//! program that Rust compiles, so that model says nothing of them; that nothing else goes wrong is an
//! argument about machines: a relaxed load is an ordinary load of an aligned number there, which returns
//! old or new bytes, and the compiler must take it to return anything, once, as another thread might have
//! stored it atomically.
//!
//! The address stays valid as the caller holds a reference to the array: numpy frees the memory of an
//! array only with its last reference. (`ndarray.resize` with `refcheck=False` is an exception, of which
//! numpy itself says that it is not safe.)

use crate::alignment::are_at_multiples;
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The rows of an array: its last axis, for all indices of the axes before it, in C order.
pub(crate) struct Rows {
    start: *const u8,
    kind: Kind,
    /// The axes before the last, without those of length 1 and with adjacent ones joined where one
    /// stride suffices: length and stride in bytes.
    axes: Vec<(usize, isize)>,
    rows: usize,
    width: usize,
    /// The stride of the last axis in bytes.
    step: isize,
}

// SAFETY: the memory is only read, by atomic loads.
unsafe impl Send for Rows {}
// SAFETY: as above.
unsafe impl Sync for Rows {}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    F32,
    F64,
    I32,
    U32,
    I64,
    U64,
}

impl Kind {
    /// Returns the alignment of the atomic type that elements are read as.
    fn alignment(self) -> usize {
        match self {
            Kind::F32 | Kind::I32 | Kind::U32 => align_of::<AtomicU32>(),
            Kind::F64 | Kind::I64 | Kind::U64 => align_of::<AtomicU64>(),
        }
    }
}

impl Rows {
    /// Takes the rows of an aligned array of numbers in native byte order.
    pub(crate) fn of(array: &Bound<'_, PyUntypedArray>) -> PyResult<Self> {
        let dtype = array.dtype();
        let kind = match (dtype.kind(), dtype.itemsize(), dtype.is_native_byteorder()) {
            (b'f', 4, Some(true)) => Kind::F32,
            (b'f', 8, Some(true)) => Kind::F64,
            (b'i', 4, Some(true)) => Kind::I32,
            (b'u', 4, Some(true)) => Kind::U32,
            (b'i', 8, Some(true)) => Kind::I64,
            (b'u', 8, Some(true)) => Kind::U64,
            _ => return Err(PyTypeError::new_err("an array of another type was passed")),
        };
        let (Some((&width, lengths)), Some((&step, strides))) =
            (array.shape().split_last(), array.strides().split_last())
        else {
            return Err(PyTypeError::new_err("an array without axes was passed"));
        };
        let rows = lengths.iter().product();
        // SAFETY: the object is an array, and the interpreter's lock is held.
        let start = unsafe { (*numpy::npyffi::_PyArray_GET_ITEM_DATA(array.as_array_ptr())).data };
        // numpy's own idea of alignment is too little for atomics of 8 bytes on 32-bit x86.
        if !are_at_multiples(
            kind.alignment(),
            start.addr(),
            array.shape(),
            array.strides(),
        ) {
            return Err(PyTypeError::new_err(
                "an array that is not aligned was passed",
            ));
        }
        let mut axes: Vec<(usize, isize)> = Vec::new();
        for (&length, &stride) in lengths
            .iter()
            .zip(strides)
            .filter(|(length, _)| **length != 1)
        {
            match axes.last_mut() {
                Some((outer, across)) if *across == stride.wrapping_mul(length as isize) => {
                    *outer = outer.wrapping_mul(length);
                    *across = stride;
                }
                _ => axes.push((length, stride)),
            }
        }
        Ok(Rows {
            start: start.cast_const().cast(),
            kind,
            axes,
            rows,
            width,
            step,
        })
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.rows
    }

    /// Returns the length of a row.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Calls a function with each row of a range as `f32`s, in order. `f64`s are rounded to the
    /// nearest. Panics if the range is out of bounds or rows are shorter than `N`.
    pub(crate) fn each<const N: usize>(&self, range: Range<usize>, mut take: impl FnMut([f32; N])) {
        match self.kind {
            Kind::F32 => self.each_of::<f32, N>(range, take),
            Kind::F64 => self.each_of::<f64, N>(range, |row| take(row.map(|x| x as f32))),
            _ => panic!("rows of integers were asked for as numbers"),
        }
    }

    /// Calls a function with each row of a range as `f64`s, in order.
    pub(crate) fn each_f64<const N: usize>(
        &self,
        range: Range<usize>,
        mut take: impl FnMut([f64; N]),
    ) {
        match self.kind {
            Kind::F32 => self.each_of::<f32, N>(range, |row| take(row.map(f64::from))),
            Kind::F64 => self.each_of::<f64, N>(range, take),
            _ => panic!("rows of integers were asked for as numbers"),
        }
    }

    /// Calls a function with each row of a range as integers, in order.
    pub(crate) fn each_integer<const N: usize>(
        &self,
        range: Range<usize>,
        mut take: impl FnMut([i128; N]),
    ) {
        match self.kind {
            Kind::I32 => self.each_of::<i32, N>(range, |row| take(row.map(i128::from))),
            Kind::U32 => self.each_of::<u32, N>(range, |row| take(row.map(i128::from))),
            Kind::I64 => self.each_of::<i64, N>(range, |row| take(row.map(i128::from))),
            Kind::U64 => self.each_of::<u64, N>(range, |row| take(row.map(i128::from))),
            Kind::F32 | Kind::F64 => panic!("rows of numbers were asked for as integers"),
        }
    }

    /// Returns whether the elements are integers.
    pub(crate) fn are_integers(&self) -> bool {
        !matches!(self.kind, Kind::F32 | Kind::F64)
    }

    /// Returns whether the elements are `f64`s.
    pub(crate) fn is_f64(&self) -> bool {
        self.kind == Kind::F64
    }

    fn each_of<T: Number, const N: usize>(
        &self,
        range: Range<usize>,
        mut take: impl FnMut([T; N]),
    ) {
        assert!(range.start <= range.end && range.end <= self.rows && N <= self.width);
        let mut next = range.start;
        while next < range.end {
            let (mut row, stride, run) = self.run(next);
            let run = run.min(range.end - next);
            for _ in 0..run {
                take(std::array::from_fn(|column| {
                    let number = row.wrapping_offset(self.step.wrapping_mul(column as isize));
                    // SAFETY: `row` is the address of an existing row, as the indices of its axes are
                    // below their lengths, and `column` is below the length of a row. numpy has strides
                    // for which all such elements are in its memory. They are at multiples of the
                    // alignment of their atomic type, as was checked.
                    unsafe { T::load(number) }
                }));
                row = row.wrapping_offset(stride);
            }
            next += run;
        }
    }

    /// Returns the address of an existing row, and the stride and the number of the rows from it on, itself
    /// included, along the last of the axes before that of a row.
    fn run(&self, row: usize) -> (*const u8, isize, usize) {
        let (mut rest, mut address) = (row, self.start);
        for &(length, stride) in self.axes.iter().rev() {
            address = address.wrapping_offset(stride.wrapping_mul((rest % length) as isize));
            rest /= length;
        }
        match self.axes.last() {
            None => (address, 0, 1),
            Some(&(length, stride)) => (address, stride, length - row % length),
        }
    }
}

trait Number: Copy {
    /// Reads a number.
    ///
    /// # Safety
    /// The address is that of such a number, aligned as its atomic type is, in memory that stays allocated meanwhile.
    unsafe fn load(address: *const u8) -> Self;
}

macro_rules! numbers {
    ($($number:ty: $atomic:ty, $of:expr;)*) => {$(
        impl Number for $number {
            #[inline(always)]
            unsafe fn load(address: *const u8) -> Self {
                let address = address.cast_mut().cast();
                // SAFETY: by contract the address is valid and aligned. It is only read, by a relaxed
                // load of at most 8 bytes, which read-only memory allows too.
                let bits = unsafe { <$atomic>::from_ptr(address) }.load(Ordering::Relaxed);
                $of(bits)
            }
        }
    )*};
}

numbers! {
    f32: AtomicU32, f32::from_bits;
    f64: AtomicU64, f64::from_bits;
    i32: AtomicU32, |bits: u32| bits as i32;
    u32: AtomicU32, |bits| bits;
    i64: AtomicU64, |bits: u64| bits as i64;
    u64: AtomicU64, |bits| bits;
}
