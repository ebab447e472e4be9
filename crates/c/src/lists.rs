//! Lists of answers, which the host reads in place.

use crate::call::call;
use crate::handles::Held;
use crate::numbers::{
    ESTOC_F32, ESTOC_F64, ESTOC_I64, ESTOC_U8, ESTOC_U32, estoc_column, estoc_type, size_of_type,
};
use crate::outputs::{Outputs, columns_of, estoc_output};
use crate::status::{Failure, bad, estoc_status, room};
use crate::text::text;
use estoc_batch::{ColumnNumber, Record, Rows};
use estoc_system::Growth;
use std::ffi::c_char;
use std::mem::MaybeUninit;
use std::ptr;

/// A list of answers for each item of a question.
pub struct estoc_lists {
    _opaque: (),
}

impl Held for Lists {
    type Handle = estoc_lists;
    const NAME: &str = "lists of answers";
}

/// The answers about all items, one after the other, column by column.
pub(crate) struct Lists {
    /// Where the answers about each item begin, and the number of all.
    offsets: Vec<u64>,
    columns: Vec<ListColumn>,
}

struct ListColumn {
    name: &'static str,
    kind: estoc_type,
    /// The bytes from one number to the next.
    stride: usize,
    /// The memory of the numbers, aligned for each type.
    memory: Vec<u64>,
}

impl Lists {
    /// Returns the lists of rows, with paths of this depth.
    pub(crate) fn of<R: Record>(rows: &Rows<R>, depth: usize) -> Result<Self, Failure> {
        let (mut offsets, mut columns) = (Vec::new(), Vec::new());
        offsets.make_room(rows.offsets.len())?;
        offsets.extend(rows.offsets.iter().map(|&offset| offset as u64));
        let path = (depth > 0).then_some(("path", ColumnNumber::Prim(0)));
        for (name, like) in columns_of::<R>().into_iter().chain(path) {
            let kind = match like {
                ColumnNumber::F32(_) => ESTOC_F32,
                ColumnNumber::F64(_) => ESTOC_F64,
                ColumnNumber::I64(_) => ESTOC_I64,
                ColumnNumber::U8(_) => ESTOC_U8,
                _ => ESTOC_U32,
            };
            let width = if name == "path" { depth } else { 1 };
            let stride = width * size_of_type(kind, name)?;
            let mut memory = Vec::new();
            memory.try_resize(rows.values.len().saturating_mul(stride).div_ceil(8), 0)?;
            columns.push(ListColumn {
                name,
                kind,
                stride,
                memory,
            });
        }
        let memory = columns.iter_mut().map(
            |ListColumn {
                 name,
                 kind,
                 stride,
                 memory,
             }| {
                let (data, stride) = (memory.as_mut_ptr().cast(), *stride as isize);
                (
                    *name,
                    estoc_output {
                        name: ptr::null(),
                        data,
                        stride,
                        r#type: *kind,
                    },
                )
            },
        );
        // The memory of the columns is the library's own, and is not used otherwise before all is written.
        let to = Outputs::of::<R>(&memory.collect::<Vec<_>>(), rows.values.len(), depth)?;
        to.put_all(|| rows.values.iter().map(Some).enumerate());
        Ok(Lists { offsets, columns })
    }
}

/// Tells the number of items, and where their lists begin: the answers about item `i` are those from `offsets[i]` up
/// to and without `offsets[i + 1]`, in their order. There is one offset more than there are items. `items` and
/// `offsets` may be null. The offsets can be read until the lists are released. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_lists_offsets(
    lists: *const estoc_lists,
    items: Option<&mut MaybeUninit<usize>>,
    offsets: Option<&mut MaybeUninit<*const u64>>,
) -> estoc_status {
    call(|call| {
        let lists: &Lists = call.get(lists)?;
        items.map(|items| items.write(lists.offsets.len() - 1));
        offsets.map(|offsets| offsets.write(lists.offsets.as_ptr()));
        Ok(())
    })
}

/// Tells where one number of all answers can be read, by its name, such as "prim": its address, the bytes from one to
/// the next, and its type. It can be read until the lists are released. The numbers of "path" are as many for each
/// answer as the world is deep. Fails with `ESTOC_BAD_ARGUMENT` if the answers have no such number. Threads: any, at
/// the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_lists_column(
    lists: *const estoc_lists,
    name: *const c_char,
    column: Option<&mut MaybeUninit<estoc_column>>,
) -> estoc_status {
    call(|call| {
        let (lists, to): (&Lists, _) = (call.get(lists)?, room(column, "column")?);
        let name = text(call, name, "name")?;
        let Some(found) = lists.columns.iter().find(|column| column.name == name) else {
            let known: Vec<&str> = lists.columns.iter().map(|column| column.name).collect();
            return Err(bad(format!(
                "the lists have no \"{name}\", but {}",
                known.join(", ")
            )));
        };
        to.write(estoc_column {
            data: found.memory.as_ptr().cast(),
            stride: found.stride as isize,
            r#type: found.kind,
        });
        Ok(())
    })
}
