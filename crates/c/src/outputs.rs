//! The host's memory that answers are written to.
//!
//! Each answer is written by its address, which needs not be aligned, from any thread. Elements of one output do not overlap,
//! which is checked; `estoc.h` requires of the host that the memory is there, and is not used otherwise during the call.

use crate::call::{bad, null};
use crate::numbers::{
    ESTOC_F32, ESTOC_F64, ESTOC_I32, ESTOC_I64, ESTOC_U8, ESTOC_U32, ESTOC_U64, check_extent,
    estoc_type, size_of_type,
};
use crate::status::{Failure, estoc_status};
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use estoc_core::ScenePath;
use std::ffi::c_void;
use std::ptr;

/// Where one number of the answer about each item is written.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_output {
    /// Where that of the first item is written. Need not be aligned. Null for numbers that are not wanted.
    pub data: *mut c_void,
    /// The bytes from one number to the next; negative to go backwards. At least the size of a number.
    pub stride: isize,
    /// The type of the numbers, which must have all values that an answer may have.
    pub r#type: estoc_type,
}

/// Where answers are written, number by number. The documentation of a function says which of them are numbers of its answers,
/// and their types; all others must be null. Zero the struct, and set what is wanted.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_outputs {
    /// Whether there is a hit, or whether the point is inside: 1 or 0. `ESTOC_U8` or a larger type.
    pub found: estoc_output,
    /// A number of hits or crossings. `ESTOC_I64`.
    pub count: estoc_output,
    /// The number of the triangle, `ESTOC_NONE` where there is none. `ESTOC_U32`, `ESTOC_U64` or `ESTOC_I64`.
    pub prim: estoc_output,
    /// In scenes: the numbers of the placements that lead to the mesh, as many for each item as `estoc_world_info` tells
    /// (`depth`), those after the last `ESTOC_NONE`. `ESTOC_U32`.
    pub path: estoc_output,
    /// The parameter of a hit, in lengths of the direction. Numbers with a fraction are `float`s, but for a world in `double`;
    /// `ESTOC_F64` takes both, `ESTOC_F32` only `float`s.
    pub t: estoc_output,
    /// The weight of the triangle's second corner.
    pub u: estoc_output,
    /// The weight of the triangle's third corner.
    pub v: estoc_output,
    /// The distance of a point, infinite where there is none; negative inside for signed distances.
    pub distance: estoc_output,
    /// The part of the triangle that is closest: 0 to 2 for a corner, 3 to 5 for an edge, 6 for the face, 255 for none.
    /// `ESTOC_U8` or a larger type.
    pub feature: estoc_output,
    /// The first coordinate of the closest point. In scenes `double`s.
    pub x: estoc_output,
    /// The second coordinate.
    pub y: estoc_output,
    /// The third coordinate.
    pub z: estoc_output,
    /// 1 inside and on the surface, 0 outside, 255 without an answer. `ESTOC_U8` or a larger type.
    pub inside: estoc_output,
    /// A winding number. `ESTOC_I64`.
    pub number: estoc_output,
    /// 1 for a point on the surface, which has no winding number, 0 for others, 255 without an answer. `ESTOC_U8` or a larger
    /// type.
    pub on_surface: estoc_output,
    /// An estimate of the winding number. `ESTOC_F64`.
    pub value: estoc_output,
    /// The bound of its error. `ESTOC_F64`.
    pub error: estoc_output,
}

impl estoc_output {
    const NONE: Self = estoc_output {
        data: ptr::null_mut(),
        stride: 0,
        r#type: 0,
    };

    /// Returns the output of one item, to something of the library.
    pub(crate) fn at<T>(to: &mut T, kind: estoc_type) -> Self {
        estoc_output {
            data: ptr::from_mut(to).cast(),
            stride: 0,
            r#type: kind,
        }
    }
}

impl estoc_outputs {
    /// The outputs of nothing.
    pub(crate) const NONE: Self = estoc_outputs {
        found: estoc_output::NONE,
        count: estoc_output::NONE,
        prim: estoc_output::NONE,
        path: estoc_output::NONE,
        t: estoc_output::NONE,
        u: estoc_output::NONE,
        v: estoc_output::NONE,
        distance: estoc_output::NONE,
        feature: estoc_output::NONE,
        x: estoc_output::NONE,
        y: estoc_output::NONE,
        z: estoc_output::NONE,
        inside: estoc_output::NONE,
        number: estoc_output::NONE,
        on_surface: estoc_output::NONE,
        value: estoc_output::NONE,
        error: estoc_output::NONE,
    };

    /// Returns the outputs by the names of columns.
    fn named(&self) -> [(&'static str, estoc_output); 17] {
        [
            ("found", self.found),
            ("count", self.count),
            ("prim", self.prim),
            ("path", self.path),
            ("t", self.t),
            ("u", self.u),
            ("v", self.v),
            ("distance", self.distance),
            ("feature", self.feature),
            ("x", self.x),
            ("y", self.y),
            ("z", self.z),
            ("inside", self.inside),
            ("number", self.number),
            ("on_surface", self.on_surface),
            ("value", self.value),
            ("error", self.error),
        ]
    }
}

/// The name under which `estoc_outputs` has a column: `signed` is a word of C.
fn name_in_c(column: &'static str) -> &'static str {
    match column {
        "signed" => "distance",
        _ => column,
    }
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
    /// Takes an output for a number like this; `None` for null.
    fn of(
        output: &estoc_output,
        count: usize,
        (name, like, width): (&str, ColumnNumber, usize),
    ) -> Result<Option<Self>, Failure> {
        let estoc_output {
            data,
            stride,
            r#type: kind,
        } = *output;
        if data.is_null() {
            return Ok(None);
        }
        let size = size_of_type(kind, name)? * width;
        if encoded(like, kind).is_none() {
            return Err(bad(format!(
                "outputs of {name} are of type {kind}, which does not have all values of the answers; see estoc_outputs"
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
        Ok(Some(Output {
            start: data.cast(),
            stride,
            kind,
            count,
        }))
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

/// Returns the bytes of a number as another type, and how many they are; `None` if that has not all values of its type.
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
        outputs: &estoc_outputs,
        count: usize,
        depth: usize,
    ) -> Result<Self, Failure> {
        let mut wanted = Wanted {
            columns: Vec::new(),
        };
        R::columns(&mut wanted);
        Self::of_columns(outputs, count, &wanted.columns, depth)
    }

    /// Takes the output of one number for each item.
    pub(crate) fn of_one(
        outputs: &estoc_outputs,
        count: usize,
        column: (&'static str, ColumnNumber),
    ) -> Result<Self, Failure> {
        Self::of_columns(outputs, count, &[column], 0)
    }

    fn of_columns(
        outputs: &estoc_outputs,
        count: usize,
        wanted: &[(&'static str, ColumnNumber)],
        depth: usize,
    ) -> Result<Self, Failure> {
        let mut columns = vec![None; wanted.len()];
        let (mut path, mut any) = (None, false);
        for (name, output) in outputs.named() {
            if output.data.is_null() {
                continue;
            }
            any = true;
            let place = wanted
                .iter()
                .position(|(column, _)| name_in_c(column) == name);
            match place {
                Some(place) => {
                    columns[place] = Output::of(&output, count, (name, wanted[place].1, 1))?
                }
                None if name == "path" && depth > 0 => {
                    let like = (name, ColumnNumber::Prim(0), depth);
                    let found = Output::of(&output, count, like)?;
                    path = found.map(|found| (found, depth));
                }
                None => {
                    return Err(bad(format!(
                        "answers to this question have no {name} here; leave that output null"
                    )));
                }
            }
        }
        match any {
            true => Ok(Outputs { columns, path }),
            false => Err(null("every output")),
        }
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

    /// Writes the number of an item, where each has one.
    #[inline(always)]
    pub(crate) fn put(&self, item: usize, number: ColumnNumber) {
        if let [Some(output)] = &*self.columns {
            output.put(item, number);
        }
    }
}

/// The columns of a kind of answer.
struct Wanted {
    columns: Vec<(&'static str, ColumnNumber)>,
}

impl<R> ColumnVisitor<R> for Wanted {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, _: F) {
        self.columns.push((name, missing));
    }
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
