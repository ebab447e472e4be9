//! Lists of answers, which the host reads in place.

use crate::call::{Call, bad, call, room};
use crate::handles::estoc_lists;
use crate::numbers::{
    ESTOC_F32, ESTOC_F64, ESTOC_I64, ESTOC_U8, ESTOC_U32, estoc_column, estoc_type,
};
use crate::status::{Failure, estoc_status};
use crate::text::text;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record, Rows};
use estoc_core::ScenePath;
use estoc_system::{Growth, NoMemory};
use std::ffi::c_char;
use std::mem::MaybeUninit;

/// The answers about all items, one after the other, column by column.
pub(crate) struct Lists {
    /// Where the answers about each item begin, and the number of all.
    offsets: Vec<u64>,
    columns: Vec<(&'static str, Cells)>,
    /// The numbers of placements in each path.
    depth: usize,
}

/// The numbers of a column.
enum Cells {
    F32(Vec<f32>),
    F64(Vec<f64>),
    U32(Vec<u32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
}

impl Cells {
    fn of(like: ColumnNumber) -> Self {
        match like {
            ColumnNumber::F32(_) => Cells::F32(Vec::new()),
            ColumnNumber::F64(_) => Cells::F64(Vec::new()),
            ColumnNumber::I64(_) => Cells::I64(Vec::new()),
            ColumnNumber::U8(_) => Cells::U8(Vec::new()),
            _ => Cells::U32(Vec::new()),
        }
    }

    /// Appends numbers of the type of the column.
    fn append(
        &mut self,
        numbers: impl ExactSizeIterator<Item = ColumnNumber>,
    ) -> Result<(), NoMemory> {
        macro_rules! append {
            ($list:ident, $form:ident) => {{
                $list.make_room(numbers.len())?;
                $list.extend(numbers.filter_map(|number| match number {
                    ColumnNumber::$form(x) => Some(x),
                    _ => None,
                }));
            }};
        }
        match self {
            Cells::F32(list) => append!(list, F32),
            Cells::F64(list) => append!(list, F64),
            Cells::U32(list) => append!(list, Prim),
            Cells::I64(list) => append!(list, I64),
            Cells::U8(list) => append!(list, U8),
        }
        Ok(())
    }

    /// Returns the column for the host.
    fn column(&self, width: usize) -> estoc_column {
        let column = |data, size: usize, kind: estoc_type| estoc_column {
            data,
            stride: (size * width) as isize,
            r#type: kind,
        };
        match self {
            Cells::F32(list) => column(list.as_ptr().cast(), 4, ESTOC_F32),
            Cells::F64(list) => column(list.as_ptr().cast(), 8, ESTOC_F64),
            Cells::U32(list) => column(list.as_ptr().cast(), 4, ESTOC_U32),
            Cells::I64(list) => column(list.as_ptr().cast(), 8, ESTOC_I64),
            Cells::U8(list) => column(list.as_ptr().cast(), 1, ESTOC_U8),
        }
    }
}

impl Lists {
    /// Returns the lists of rows, with paths of this depth.
    pub(crate) fn of<R: Record>(rows: &Rows<R>, depth: usize) -> Result<Self, NoMemory> {
        let mut lists = Lists {
            offsets: Vec::new(),
            columns: Vec::new(),
            depth,
        };
        lists.offsets.make_room(rows.offsets.len())?;
        lists
            .offsets
            .extend(rows.offsets.iter().map(|&offset| offset as u64));
        let mut columns = ListColumns {
            values: &rows.values,
            columns: Ok(&mut lists.columns),
        };
        R::columns(&mut columns);
        columns.columns?;
        if depth > 0 {
            let mut path = Vec::new();
            path.make_room(rows.values.len().saturating_mul(depth))?;
            for value in &rows.values {
                let numbers = value.path().map_or(&[][..], ScenePath::numbers);
                let ended = numbers.iter().copied().chain(std::iter::repeat(u32::MAX));
                path.extend(ended.take(depth));
            }
            lists.columns.push(("path", Cells::U32(path)));
        }
        Ok(lists)
    }
}

/// Makes the columns of values.
struct ListColumns<'a, R> {
    values: &'a [R],
    columns: Result<&'a mut Vec<(&'static str, Cells)>, NoMemory>,
}

impl<R: Record> ColumnVisitor<R> for ListColumns<'_, R> {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, number: F)
    where
        F: Fn(&R) -> ColumnNumber + Copy + Send + Sync + 'static,
    {
        let mut cells = Cells::of(missing);
        match (
            &mut self.columns,
            cells.append(self.values.iter().map(number)),
        ) {
            (Ok(columns), Ok(())) => columns.push((name, cells)),
            (_, Err(error)) => self.columns = Err(error),
            (Err(_), Ok(())) => {}
        }
    }
}

fn lists<'a>(call: &'a Call, handle: *const estoc_lists) -> Result<&'a Lists, Failure> {
    call.get(handle)
}

/// Tells the number of items, and where their lists begin: the answers about item `i` are those from `offsets[i]` up to and
/// without `offsets[i + 1]`, in their order. There is one offset more than there are items. `items` and `offsets` may be null.
/// The offsets can be read until the lists are released. Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_lists_offsets(
    handle: *const estoc_lists,
    items: Option<&mut MaybeUninit<usize>>,
    offsets: Option<&mut MaybeUninit<*const u64>>,
) -> estoc_status {
    call(|call| {
        let lists = lists(call, handle)?;
        if let Some(items) = items {
            items.write(lists.offsets.len() - 1);
        }
        if let Some(offsets) = offsets {
            offsets.write(lists.offsets.as_ptr());
        }
        Ok(())
    })
}

/// Tells where one number of all answers can be read, by the name that it has in `estoc_outputs`, such as "prim": its address,
/// the bytes from one to the next, and its type. It can be read until the lists are released. The numbers of "path" are as
/// many for each answer as the world is deep. Any thread may call it.
///
/// Fails with `ESTOC_BAD_ARGUMENT` if the answers have no such number.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_lists_column(
    handle: *const estoc_lists,
    name: *const c_char,
    column: Option<&mut MaybeUninit<estoc_column>>,
) -> estoc_status {
    call(|call| {
        let lists = lists(call, handle)?;
        let (name, column) = (text(call, name, "name")?, room(column, "column")?);
        let found = lists.columns.iter().find(|(known, _)| *known == name);
        let Some((_, cells)) = found else {
            let known: Vec<&str> = lists.columns.iter().map(|(name, _)| *name).collect();
            return Err(bad(format!(
                "lists have no \"{name}\", but {}",
                known.join(", ")
            )));
        };
        let width = if name == "path" { lists.depth } else { 1 };
        column.write(cells.column(width));
        Ok(())
    })
}
