//! The host's memory that answers are written to.
//!
//! Each answer is written by its address, which needs not be aligned, from any thread. Elements of one output do not
//! overlap, which is checked; `estoc.h` requires of the host that the memory is there, and is not used otherwise
//! during the call.

use crate::call::Call;
use crate::numbers::{
    ESTOC_F32, ESTOC_F64, ESTOC_I32, ESTOC_I64, ESTOC_U8, ESTOC_U32, ESTOC_U64, check_extent,
    estoc_type, size_of_type,
};
use crate::status::{Failure, bad, estoc_status, null};
use crate::text::text;
use estoc_batch::{AnswerChunk, ColumnNumber, ColumnVisitor, Record};
use estoc_core::ScenePath;
use std::ffi::{c_char, c_void};

/// Where one number of the answers is written, by its name; see `estoc_question`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_output {
    /// The name of the number, such as "prim".
    pub name: *const c_char,
    /// Where that of the first item is written. Need not be aligned.
    pub data: *mut c_void,
    /// The bytes from the number of one item to that of the next; negative to go backwards. At least the size of a
    /// number.
    pub stride: isize,
    /// The type of the numbers. One that has all values: for numbers with a fraction `ESTOC_F64`, and `ESTOC_F32` for
    /// `float`s; for "prim" `ESTOC_U32`, `ESTOC_U64` or `ESTOC_I64`; for "path" `ESTOC_U32`, as many for each item as
    /// the world is deep, those behind the last placement `ESTOC_NONE`; for "count" and "number" `ESTOC_I64`; for
    /// others `ESTOC_U8`, `ESTOC_I32` or `ESTOC_U32`.
    pub r#type: estoc_type,
}

/// Returns the outputs with their names, for the time of a call.
pub(crate) fn given_outputs(
    call: &Call,
    outputs: *const estoc_output,
    count: usize,
) -> Result<Vec<(&str, estoc_output)>, Failure> {
    if outputs.is_null() || count == 0 {
        return Err(null("outputs"));
    }
    let size = size_of::<estoc_output>();
    let extent = (count, size as isize, size);
    check_extent(outputs.addr(), extent, "outputs")?;
    // SAFETY: the host passes as many outputs, and does not change them during the call.
    let outputs = unsafe { std::slice::from_raw_parts(outputs, count) };
    let named =
        |output: &estoc_output| Ok((text(call, output.name, "the name of an output")?, *output));
    outputs.iter().map(named).collect()
}

/// One number of each answer.
#[derive(Clone, Copy)]
struct Output {
    start: *mut u8,
    stride: isize,
    kind: estoc_type,
    count: usize,
}

// SAFETY: the memory is only written, elements of different items do not overlap, and an item has one answer.
unsafe impl Send for Output {}
// SAFETY: as above.
unsafe impl Sync for Output {}

impl Output {
    /// Takes an output for a number like this.
    fn of(
        output: &estoc_output,
        count: usize,
        (name, like, width): (&str, ColumnNumber, usize),
    ) -> Result<Self, Failure> {
        let estoc_output {
            data,
            stride,
            r#type: kind,
            ..
        } = *output;
        if data.is_null() {
            return Err(null(name));
        }
        let size = size_of_type(kind, name)? * width;
        if encoded(like, kind).is_none() {
            return Err(bad(format!(
                "outputs of {name} are of type {kind}, which does not have all values of the answers; see estoc_output"
            )));
        }
        check_extent(data.addr(), (count, stride, size), name)?;
        if count > 1 && stride.unsigned_abs() < size {
            return Err(Failure::new(
                estoc_status::ESTOC_BAD_LENGTH,
                format!(
                    "outputs of {name} are {stride} bytes apart and overlap: each takes {size}"
                ),
            ));
        }
        Ok(Output {
            start: data.cast(),
            stride,
            kind,
            count,
        })
    }

    /// Writes the number of an item. Panics if there is no such item.
    #[inline(always)]
    fn put(&self, item: usize, number: ColumnNumber) {
        self.put_at(item, 0, number);
    }

    /// Writes one of several numbers of an item.
    #[inline(always)]
    fn put_at(&self, item: usize, place: usize, number: ColumnNumber) {
        assert!(item < self.count);
        let Some((bytes, size)) = encoded(number, self.kind) else {
            return;
        };
        let to = self
            .start
            .wrapping_offset(self.stride.wrapping_mul(item as isize));
        let to = to.wrapping_add(place * size);
        // SAFETY: there is room for the numbers of the item at this address, by the contract of the host.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), size) };
    }
}

/// Returns the bytes of a number as another type, and how many they are; `None` if that has not all values of its
/// type.
#[inline(always)]
fn encoded(number: ColumnNumber, kind: estoc_type) -> Option<([u8; 8], usize)> {
    let four = |[a, b, c, d]: [u8; 4]| Some(([a, b, c, d, 0, 0, 0, 0], 4));
    match (number, kind) {
        (ColumnNumber::F32(x), ESTOC_F32) => four(x.to_ne_bytes()),
        (ColumnNumber::F32(x), ESTOC_F64) => Some((f64::from(x).to_ne_bytes(), 8)),
        (ColumnNumber::F64(x), ESTOC_F64) => Some((x.to_ne_bytes(), 8)),
        (ColumnNumber::Prim(n), ESTOC_U32) => four(n.to_ne_bytes()),
        (ColumnNumber::Prim(n), ESTOC_U64 | ESTOC_I64) => Some((u64::from(n).to_ne_bytes(), 8)),
        (ColumnNumber::I64(n), ESTOC_I64) => Some((n.to_ne_bytes(), 8)),
        (ColumnNumber::U8(n), ESTOC_U8) => Some(([n, 0, 0, 0, 0, 0, 0, 0], 1)),
        (ColumnNumber::U8(n), ESTOC_U32 | ESTOC_I32) => four(u32::from(n).to_ne_bytes()),
        _ => None,
    }
}

/// The outputs of a question, for answers of one kind.
pub(crate) struct Outputs {
    /// In the order of the columns.
    columns: Vec<Option<Output>>,
    /// The numbers of placements, and how many there are for each item.
    path: Option<(Output, usize)>,
}

impl Outputs {
    /// Takes the outputs of a number of answers of a kind, with paths of a depth.
    pub(crate) fn of<R: Record>(
        outputs: &[(&str, estoc_output)],
        count: usize,
        depth: usize,
    ) -> Result<Self, Failure> {
        Self::of_columns(outputs, count, &columns_of::<R>(), depth)
    }

    /// Takes the output of one number for each item.
    pub(crate) fn of_one(
        outputs: &[(&str, estoc_output)],
        count: usize,
        column: (&'static str, ColumnNumber),
    ) -> Result<Self, Failure> {
        Self::of_columns(outputs, count, &[column], 0)
    }

    fn of_columns(
        outputs: &[(&str, estoc_output)],
        count: usize,
        wanted: &[(&'static str, ColumnNumber)],
        depth: usize,
    ) -> Result<Self, Failure> {
        let (mut columns, mut path) = (vec![None; wanted.len()], None);
        for (number, &(name, ref output)) in outputs.iter().enumerate() {
            if outputs[..number].iter().any(|(other, _)| *other == name) {
                return Err(bad(format!(
                    "there are two outputs of \"{name}\"; pass one"
                )));
            }
            match wanted.iter().position(|(column, _)| *column == name) {
                Some(place) => {
                    columns[place] = Some(Output::of(output, count, (name, wanted[place].1, 1))?);
                }
                None if name == "path" && depth > 0 => {
                    let like = (name, ColumnNumber::Prim(0), depth);
                    path = Some((Output::of(output, count, like)?, depth));
                }
                None => {
                    let known: Vec<&str> = wanted.iter().map(|(name, _)| *name).collect();
                    let known = known.join(", ");
                    return Err(bad(format!(
                        "the answers have no \"{name}\" here, but {known}"
                    )));
                }
            }
        }
        Ok(Outputs { columns, path })
    }

    /// Writes answers about items at places, column by column, or what stands for none.
    #[inline(always)]
    pub(crate) fn put_all<'r, R: Record, A>(&self, answers: impl Fn() -> A)
    where
        A: Iterator<Item = (usize, Option<&'r R>)>,
    {
        R::columns(&mut AnswerWriter {
            columns: self.columns.iter(),
            answers: &answers,
        });
        if let Some((output, depth)) = self.path {
            for (item, answer) in answers() {
                let path = answer.and_then(R::path).map_or(&[][..], ScenePath::numbers);
                for place in 0..depth {
                    let number = path.get(place).copied().unwrap_or(u32::MAX);
                    output.put_at(item, place, ColumnNumber::Prim(number));
                }
            }
        }
    }

    /// Writes an answer or none for each item of a chunk, whose places are behind that of `first`.
    pub(crate) fn put_found<R: Record>(&self, first: usize, chunk: AnswerChunk<'_, Option<R>>) {
        self.put_all(|| (chunk.iter()).map(|(place, found)| (first + place, found.as_ref())));
    }

    /// Writes the numbers of items at places, where items have one.
    #[inline(always)]
    pub(crate) fn put_numbers(&self, numbers: impl Iterator<Item = (usize, ColumnNumber)>) {
        if let [Some(output)] = &*self.columns {
            numbers.for_each(|(item, number)| output.put(item, number));
        }
    }
}

/// Returns the columns of a kind of answer: their names, and what stands for none.
pub(crate) fn columns_of<R: Record>() -> Vec<(&'static str, ColumnNumber)> {
    struct Wanted(Vec<(&'static str, ColumnNumber)>);
    impl<R> ColumnVisitor<R> for Wanted {
        fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, _: F) {
            self.0.push((name, missing));
        }
    }
    let mut wanted = Wanted(Vec::new());
    R::columns(&mut wanted);
    wanted.0
}

/// Writes answers column by column.
struct AnswerWriter<'a, G> {
    columns: std::slice::Iter<'a, Option<Output>>,
    answers: &'a G,
}

impl<'r, R: Record, G, A> ColumnVisitor<R> for AnswerWriter<'_, G>
where
    G: Fn() -> A,
    A: Iterator<Item = (usize, Option<&'r R>)>,
{
    #[inline(always)]
    fn column<F>(&mut self, _: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&R) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        if let Some(Some(output)) = self.columns.next() {
            for (item, answer) in (self.answers)() {
                output.put(item, answer.map_or(missing, number));
            }
        }
    }
}
