//! Answers as arrays: one for each column of their record, and one for paths in scenes.

use crate::ask::reserve;
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::without_spare;
use estoc::PrimId;
use estoc::scene::ScenePath;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::marker::PhantomData;

/// The number where there is no triangle or no placement.
const NONE: i64 = -1;

/// The arrays that one answer or none for each item is written to.
pub(crate) struct AnswerArrays<R> {
    columns: Vec<ArrayColumn>,
    /// The numbers of placements, and how many there are for each item.
    path: Option<(Column<i64>, usize)>,
    record: PhantomData<R>,
}

/// A column of a record in an array.
struct ArrayColumn {
    cells: Cells,
    /// The axis of a coordinate, which is in an array of points.
    axis: Option<usize>,
}

enum Cells {
    F32(Column<f32>),
    F64(Column<f64>),
    I64(Column<i64>),
    U8(Column<u8>),
    Bool(Column<bool>),
}

impl<R: Record> AnswerArrays<R> {
    /// Takes arrays by the names of their columns, for this number of items.
    pub(crate) fn of(arrays: &Bound<'_, PyDict>, count: usize) -> PyResult<Self> {
        let mut take = Take(arrays, count, Vec::new());
        R::columns(&mut take);
        let path = arrays.get_item("path")?.map(|array| {
            let shape = array.cast::<PyUntypedArray>()?.shape();
            let depth = shape.last().copied().unwrap_or_default();
            let path = Column::of(&array, count.saturating_mul(depth))?;
            PyResult::Ok((path, depth))
        });
        Ok(AnswerArrays {
            columns: take.2.into_iter().collect::<PyResult<_>>()?,
            path: path.transpose()?,
            record: PhantomData,
        })
    }

    /// Writes the answer about an item, or what stands for none.
    #[inline(always)]
    pub(crate) fn put(&self, place: usize, answer: Option<&R>) {
        R::columns(&mut Put(self.columns.iter(), place, answer));
        if let Some((path, depth)) = &self.path {
            let found = answer.and_then(R::path);
            for level in 0..*depth {
                path.put(depth * place + level, step(found, level));
            }
        }
    }
}

/// Takes the columns from arrays, for a number of items.
struct Take<'a, 'py>(&'a Bound<'py, PyDict>, usize, Vec<PyResult<ArrayColumn>>);

impl<R> ColumnVisitor<R> for Take<'_, '_> {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, _: F) {
        let Take(arrays, count, columns) = self;
        let axis = ["x", "y", "z"].iter().position(|&axis| axis == name);
        let (name, len) = match axis {
            Some(_) => ("point", count.saturating_mul(3)),
            None => (name, *count),
        };
        let take = || {
            let array = arrays.get_item(name)?;
            let array = array.ok_or_else(|| PyKeyError::new_err(name))?;
            let cells = match missing {
                ColumnNumber::F32(_) => Cells::F32(Column::of(&array, len)?),
                ColumnNumber::F64(_) => Cells::F64(Column::of(&array, len)?),
                ColumnNumber::U8(_) if name == "feature" => Cells::U8(Column::of(&array, len)?),
                ColumnNumber::U8(_) => Cells::Bool(Column::of(&array, len)?),
                _ => Cells::I64(Column::of(&array, len)?),
            };
            Ok(ArrayColumn { cells, axis })
        };
        columns.push(take());
    }
}

/// Writes the numbers of the answer about the item at a place.
struct Put<'a, R>(std::slice::Iter<'a, ArrayColumn>, usize, Option<&'a R>);

impl<R> ColumnVisitor<R> for Put<'_, R> {
    #[inline(always)]
    fn column<F: Fn(&R) -> ColumnNumber>(&mut self, _: &'static str, missing: ColumnNumber, of: F) {
        let Put(columns, place, answer) = self;
        let Some(ArrayColumn { cells, axis }) = columns.next() else {
            return;
        };
        let number = match (answer, axis) {
            (Some(answer), _) => of(answer),
            (None, None) => missing,
            // Points are NaN where there are none.
            (None, Some(_)) if matches!(missing, ColumnNumber::F32(_)) => f32::NAN.into(),
            (None, Some(_)) => f64::NAN.into(),
        };
        let place = axis.map_or(*place, |axis| 3 * *place + axis);
        match (cells, number) {
            (Cells::F32(column), number) => column.put(place, real(number)),
            (Cells::I64(column), number) => column.put(place, whole(number)),
            (Cells::F64(column), ColumnNumber::F64(number)) => column.put(place, number),
            (Cells::U8(column), ColumnNumber::U8(number)) => column.put(place, number),
            (Cells::Bool(column), number) => column.put(place, number == ColumnNumber::U8(1)),
            _ => {}
        }
    }
}

#[inline(always)]
fn real(number: ColumnNumber) -> f32 {
    match number {
        ColumnNumber::F32(number) => number,
        _ => f32::NAN,
    }
}

#[inline(always)]
fn whole(number: ColumnNumber) -> i64 {
    match number {
        ColumnNumber::Prim(prim) => PrimId::new(prim).map_or(NONE, |prim| prim.get().into()),
        ColumnNumber::I64(number) => number,
        _ => NONE,
    }
}

/// Returns a number of a path.
fn step(path: Option<&ScenePath>, level: usize) -> i64 {
    let number = path.and_then(|path| path.numbers().get(level));
    number.map_or(NONE, |&number| number.into())
}

/// Answers one after the other, in a list for each column.
pub(crate) struct AnswerLists<R> {
    columns: Vec<List>,
    path: Vec<i64>,
    /// The numbers of placements of each answer.
    depth: usize,
    record: PhantomData<R>,
}

enum List {
    F32(Vec<f32>),
    I64(Vec<i64>),
}

impl<R: Record> AnswerLists<R> {
    /// Returns lists without answers, with paths of `depth` placements, or none if that is 0.
    pub(crate) fn new(depth: usize) -> Self {
        let mut columns = Vec::new();
        R::columns(&mut Create(&mut columns));
        AnswerLists {
            columns,
            path: Vec::new(),
            depth,
            record: PhantomData,
        }
    }

    /// Appends answers.
    pub(crate) fn add(&mut self, answers: &[R]) -> Result<(), Failure> {
        let mut add = Add(self.columns.iter_mut(), answers, Ok(()));
        R::columns(&mut add);
        add.2?;
        let depth = self.depth;
        reserve(&mut self.path, answers.len().saturating_mul(depth))?;
        self.path.extend(answers.iter().flat_map(|answer| {
            let path = answer.path();
            (0..depth).map(move |level| step(path, level))
        }));
        Ok(())
    }

    /// Gives back most of the memory that is reserved for more answers.
    pub(crate) fn end(&mut self) {
        for list in &mut self.columns {
            match list {
                List::F32(list) => without_spare(list),
                List::I64(list) => without_spare(list),
            }
        }
        without_spare(&mut self.path);
    }

    /// Returns the offsets, the columns and the paths as arrays.
    pub(crate) fn into_arrays(
        self,
        py: Python<'_>,
        offsets: Vec<i64>,
    ) -> PyResult<Vec<Bound<'_, PyAny>>> {
        let mut arrays = vec![offsets.into_pyarray(py).into_any()];
        arrays.extend(self.columns.into_iter().map(|list| match list {
            List::F32(list) => list.into_pyarray(py).into_any(),
            List::I64(list) => list.into_pyarray(py).into_any(),
        }));
        if let Some(rows) = self.path.len().checked_div(self.depth) {
            let path = self.path.into_pyarray(py);
            arrays.push(path.reshape([rows, self.depth])?.into_any());
        }
        Ok(arrays)
    }
}

/// Creates empty lists.
struct Create<'a>(&'a mut Vec<List>);

impl<R> ColumnVisitor<R> for Create<'_> {
    fn column<F>(&mut self, _: &'static str, missing: ColumnNumber, _: F) {
        self.0.push(match missing {
            ColumnNumber::F32(_) => List::F32(Vec::new()),
            _ => List::I64(Vec::new()),
        });
    }
}

/// Appends answers to lists, unless there is no memory for them.
struct Add<'a, R>(std::slice::IterMut<'a, List>, &'a [R], Result<(), Failure>);

impl<R> ColumnVisitor<R> for Add<'_, R> {
    fn column<F: Fn(&R) -> ColumnNumber>(&mut self, _: &'static str, _: ColumnNumber, of: F) {
        let Add(lists, answers, added) = self;
        let answers = answers.iter();
        let room = match lists.next() {
            Some(List::F32(list)) => reserve(list, answers.len())
                .map(|()| list.extend(answers.map(|answer| real(of(answer))))),
            Some(List::I64(list)) => reserve(list, answers.len())
                .map(|()| list.extend(answers.map(|answer| whole(of(answer))))),
            None => Ok(()),
        };
        if added.is_ok() {
            *added = room;
        }
    }
}
