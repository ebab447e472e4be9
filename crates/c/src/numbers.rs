//! Numbers in the host's memory, that items and options are read from.
//!
//! No reference to that memory is ever made: each number is read by its address, which needs not be aligned. What is
//! checked is all that can be: that nothing is null, and that no element is beyond the end of all memory. `estoc.h`
//! requires of the host that the memory is there, holds numbers of that type, and is not written to during the call.

use crate::status::{Failure, bad, estoc_status, null};
use std::ffi::c_void;
use std::ptr;

/// The type of numbers in memory: one of the constants `ESTOC_F32` to `ESTOC_U64`.
pub type estoc_type = i32;
/// `float`.
pub const ESTOC_F32: estoc_type = 1;
/// `double`.
pub const ESTOC_F64: estoc_type = 2;
/// `uint8_t`.
pub const ESTOC_U8: estoc_type = 3;
/// `uint16_t`.
pub const ESTOC_U16: estoc_type = 4;
/// `int32_t`.
pub const ESTOC_I32: estoc_type = 5;
/// `uint32_t`.
pub const ESTOC_U32: estoc_type = 6;
/// `int64_t`.
pub const ESTOC_I64: estoc_type = 7;
/// `uint64_t`.
pub const ESTOC_U64: estoc_type = 8;

/// Returns the size of a number of a type.
pub(crate) fn size_of_type(kind: estoc_type, name: &str) -> Result<usize, Failure> {
    match kind {
        ESTOC_U8 => Ok(1),
        ESTOC_U16 => Ok(2),
        ESTOC_F32 | ESTOC_I32 | ESTOC_U32 => Ok(4),
        ESTOC_F64 | ESTOC_I64 | ESTOC_U64 => Ok(8),
        _ => Err(bad(format!(
            "the type of {name} is {kind}, which is none; set it to ESTOC_F32 or another of these constants"
        ))),
    }
}

/// One number for each item, in an array, or at equal distances within other things, such as structs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_column {
    /// The number of the first item. Need not be aligned. Null where there are no such numbers.
    pub data: *const c_void,
    /// The bytes from one number to the next: negative to go backwards, 0 to use one number for all items.
    pub stride: isize,
    /// The type of the numbers.
    pub r#type: estoc_type,
}

impl estoc_column {
    pub(crate) const NONE: Self = estoc_column {
        data: ptr::null(),
        stride: 0,
        r#type: 0,
    };
}

/// Three numbers for each item: three arrays (with the stride 4 or 8), an array of triples (with x, y and z at the
/// first one, and the stride 12 or 24), or triples within other things.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_vectors {
    /// The first coordinate of the first item. Need not be aligned.
    pub x: *const c_void,
    /// The second coordinate of the first item.
    pub y: *const c_void,
    /// The third coordinate of the first item.
    pub z: *const c_void,
    /// The bytes from the numbers of one item to those of the next: negative to go backwards, 0 to use one for all
    /// items.
    pub stride: isize,
    /// The type of the numbers: `ESTOC_F32` or `ESTOC_F64`.
    pub r#type: estoc_type,
}

/// Checks that no element is beyond the end of all memory.
pub(crate) fn check_extent(
    start: usize,
    (count, stride, size): (usize, isize, usize),
    name: &str,
) -> Result<(), Failure> {
    let fits = || {
        let last = isize::try_from(count.checked_sub(1)?).ok()?;
        let offset = stride.checked_mul(last)?;
        // No array is larger than that.
        isize::try_from(offset.unsigned_abs().checked_add(size)?).ok()?;
        start
            .max(start.checked_add_signed(offset)?)
            .checked_add(size)
    };
    match count == 0 || fits().is_some() {
        true => Ok(()),
        false => Err(Failure::new(
            estoc_status::ESTOC_BAD_LENGTH,
            format!(
                "{count} elements of {name}, {stride} bytes apart, are more than all memory holds"
            ),
        )),
    }
}

/// Numbers of items: of each as many as `WIDTH`, which follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Column<const WIDTH: usize = 1> {
    start: *const u8,
    stride: isize,
    kind: estoc_type,
    count: usize,
}

// SAFETY: the memory is only read, and not written to during the call.
unsafe impl<const WIDTH: usize> Send for Column<WIDTH> {}
// SAFETY: as above.
unsafe impl<const WIDTH: usize> Sync for Column<WIDTH> {}

impl<const WIDTH: usize> Column<WIDTH> {
    /// Takes a column of numbers with a fraction; `None` where there is none.
    pub(crate) fn of_numbers(
        of: &estoc_column,
        count: usize,
        name: &str,
    ) -> Result<Option<Self>, Failure> {
        Self::of(
            of,
            count,
            (matches!(of.r#type, ESTOC_F32 | ESTOC_F64), name),
        )
    }

    /// Takes a column of whole numbers.
    pub(crate) fn of_integers(
        of: &estoc_column,
        count: usize,
        name: &str,
    ) -> Result<Option<Self>, Failure> {
        Self::of(
            of,
            count,
            (!matches!(of.r#type, ESTOC_F32 | ESTOC_F64), name),
        )
    }

    fn of(
        of: &estoc_column,
        count: usize,
        (fits, name): (bool, &str),
    ) -> Result<Option<Self>, Failure> {
        let (start, stride, kind) = (of.data.cast::<u8>(), of.stride, of.r#type);
        if start.is_null() {
            return Ok(None);
        }
        let size = size_of_type(kind, name)?;
        if !fits {
            return Err(bad(format!(
                "{name} are of type {kind}, which is not among those that the function takes"
            )));
        }
        check_extent(start.addr(), (count, stride, size * WIDTH), name)?;
        Ok(Some(Column {
            start,
            stride,
            kind,
            count,
        }))
    }

    /// Returns whether the numbers are `f64`s.
    pub(crate) fn is_f64(&self) -> bool {
        self.kind == ESTOC_F64
    }

    /// Returns the number of an item as `f64`. Panics if there is no such item.
    #[inline(always)]
    pub(crate) fn number(&self, item: usize) -> f64 {
        let at = self.at(item);
        // SAFETY: the address is that of a number of this type, by the contract of the host.
        unsafe {
            match self.kind {
                ESTOC_F32 => at.cast::<f32>().read_unaligned().into(),
                _ => at.cast::<f64>().read_unaligned(),
            }
        }
    }

    /// Returns the whole numbers of an item. Panics if there is no such item.
    #[inline(always)]
    pub(crate) fn integers(&self, item: usize) -> [i128; WIDTH] {
        let at = self.at(item);
        macro_rules! read {
            ($number:ty) => {{
                // SAFETY: there are as many numbers of this type at the address, by the contract of the host.
                std::array::from_fn(|place| unsafe {
                    at.cast::<$number>().wrapping_add(place).read_unaligned().into()
                })
            }};
        }
        match self.kind {
            ESTOC_U8 => read!(u8),
            ESTOC_U16 => read!(u16),
            ESTOC_I32 => read!(i32),
            ESTOC_U32 => read!(u32),
            ESTOC_I64 => read!(i64),
            _ => read!(u64),
        }
    }

    #[inline(always)]
    fn at(&self, item: usize) -> *const u8 {
        assert!(item < self.count);
        self.start
            .wrapping_offset(self.stride.wrapping_mul(item as isize))
    }
}

/// Three numbers with a fraction for each item, in columns of one stride and type.
#[derive(Clone, Copy)]
pub(crate) struct Vectors([Column; 3]);

impl Vectors {
    pub(crate) fn of(of: &estoc_vectors, count: usize, name: &str) -> Result<Self, Failure> {
        let (stride, r#type) = (of.stride, of.r#type);
        let column = |data: *const c_void| {
            let column = Column::of_numbers(
                &estoc_column {
                    data,
                    stride,
                    r#type,
                },
                count,
                name,
            )?;
            // Without items there need not be numbers.
            let nothing = (count == 0).then(|| Column {
                start: data.cast(),
                stride,
                kind: ESTOC_F32,
                count,
            });
            column.or(nothing).ok_or_else(|| null(name))
        };
        Ok(Vectors([column(of.x)?, column(of.y)?, column(of.z)?]))
    }

    pub(crate) fn is_f64(&self) -> bool {
        self.0[0].is_f64()
    }

    /// Returns the numbers of an item. Panics if there is no such item.
    #[inline(always)]
    pub(crate) fn at(&self, item: usize) -> [f64; 3] {
        let Column {
            stride,
            kind,
            count,
            ..
        } = self.0[0];
        assert!(item < count);
        let offset = stride.wrapping_mul(item as isize);
        let at = self.0.map(|column| column.start.wrapping_offset(offset));
        // SAFETY: the addresses are those of numbers of this type, by the contract of the host.
        unsafe {
            match kind {
                ESTOC_F32 => at.map(|at| at.cast::<f32>().read_unaligned().into()),
                _ => at.map(|at| at.cast::<f64>().read_unaligned()),
            }
        }
    }
}

/// Returns whether `f32` has a number; it has a NaN.
#[inline(always)]
pub(crate) fn is_f32(x: f64) -> bool {
    f64::from(x as f32) == x || x.is_nan()
}
