//! Answers as arrays: one for each column of their record, and one for paths in scenes.

use crate::ask::reserve;
use crate::column::Column;
use crate::failure::Failure;
use crate::lists::without_spare;
use estoc::PrimId;
use estoc::batch::Rows;
use estoc::scene::ScenePath;
use estoc_batch::{ColumnNumber, ColumnVisitor, Record};
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The number where there is no triangle or no placement.
const NONE: i64 = -1;

/// The arrays that one answer or none for each item is written to.
pub(crate) struct AnswerArrays {
    columns: Vec<ArrayColumn>,
    /// The numbers of placements, and how many there are for each item.
    path: Option<(Column<i64>, usize)>,
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

impl AnswerArrays {
    /// Takes arrays by the names of the columns of a record, for this number of items.
    pub(crate) fn of<R: Record>(arrays: &Bound<'_, PyAny>, count: usize) -> PyResult<Self> {
        let arrays = arrays.cast::<PyDict>()?;
        let mut found = FoundColumns {
            arrays,
            count,
            columns: Vec::new(),
        };
        R::columns(&mut found);
        let path = arrays.get_item("path")?.map(|array| {
            let shape = array.cast::<PyUntypedArray>()?.shape();
            let depth = shape.last().copied().unwrap_or_default();
            let path = Column::of(&array, count.saturating_mul(depth))?;
            PyResult::Ok((path, depth))
        });
        Ok(AnswerArrays {
            columns: found.columns.into_iter().collect::<PyResult<_>>()?,
            path: path.transpose()?,
        })
    }

    /// Writes answers about items at places, or what stands for none, column by column. Their records have the
    /// columns that the arrays were taken for.
    #[inline(always)]
    pub(crate) fn put_all<'r, R: Record + 'r, A>(&self, answers: impl Fn() -> A)
    where
        A: Iterator<Item = (usize, Option<&'r R>)>,
    {
        R::columns(&mut AnswerWriter {
            columns: self.columns.iter(),
            answers: &answers,
        });
        if let Some((path, depth)) = &self.path {
            for (place, answer) in answers() {
                let found = answer.and_then(R::path);
                for level in 0..*depth {
                    path.put(depth * place + level, step(found, level));
                }
            }
        }
    }

    /// Writes the answer about an item.
    pub(crate) fn put<R: Record>(&self, place: usize, answer: Option<&R>) {
        self.put_all(|| std::iter::once((place, answer)));
    }
}

/// The columns of a record that are found among arrays, for a number of items.
struct FoundColumns<'a, 'py> {
    arrays: &'a Bound<'py, PyDict>,
    count: usize,
    columns: Vec<PyResult<ArrayColumn>>,
}

impl<R> ColumnVisitor<R> for FoundColumns<'_, '_> {
    fn column<F>(&mut self, name: &'static str, missing: ColumnNumber, _: F) {
        let axis = ["x", "y", "z"].iter().position(|&axis| axis == name);
        let (name, len) = match axis {
            Some(_) => ("point", self.count.saturating_mul(3)),
            None => (name, self.count),
        };
        let find = || {
            let array = self.arrays.get_item(name)?;
            let array = array.ok_or_else(|| PyKeyError::new_err(name))?;
            let cells = match missing {
                // Coordinates may have room for those of the world.
                ColumnNumber::F32(_) if axis.is_some() => match Column::of(&array, len) {
                    Ok(column) => Cells::F32(column),
                    Err(_) => Cells::F64(Column::of(&array, len)?),
                },
                ColumnNumber::F32(_) => Cells::F32(Column::of(&array, len)?),
                ColumnNumber::F64(_) => Cells::F64(Column::of(&array, len)?),
                ColumnNumber::U8(_) if name == "feature" => Cells::U8(Column::of(&array, len)?),
                ColumnNumber::U8(_) => Cells::Bool(Column::of(&array, len)?),
                // Numbers of triangles and other whole numbers.
                _ => Cells::I64(Column::of(&array, len)?),
            };
            Ok(ArrayColumn { cells, axis })
        };
        self.columns.push(find());
    }
}

/// What writes the numbers of answers to columns.
struct AnswerWriter<'a, F> {
    columns: std::slice::Iter<'a, ArrayColumn>,
    answers: &'a F,
}

impl<'r, R: 'r, F: Fn() -> A, A: Iterator<Item = (usize, Option<&'r R>)>> ColumnVisitor<R>
    for AnswerWriter<'_, F>
{
    #[inline(always)]
    fn column<N: Fn(&R) -> ColumnNumber>(&mut self, _: &'static str, missing: ColumnNumber, of: N) {
        let Some(ArrayColumn { cells, axis }) = self.columns.next() else {
            return;
        };
        // Points are NaN where there are none.
        let missing = match (axis, missing) {
            (None, missing) => missing,
            (Some(_), ColumnNumber::F32(_)) => f32::NAN.into(),
            (Some(_), _) => f64::NAN.into(),
        };
        let numbers = || {
            (self.answers)().map(|(place, answer)| {
                let place = axis.map_or(place, |axis| 3 * place + axis);
                (place, answer.map_or(missing, &of))
            })
        };
        match cells {
            Cells::F32(column) => column.put_all(numbers(), |x| real(x) as f32),
            Cells::F64(column) => column.put_all(numbers(), real),
            Cells::I64(column) => column.put_all(numbers(), whole),
            Cells::U8(column) => column.put_all(numbers(), |x| whole(x) as u8),
            Cells::Bool(column) => column.put_all(numbers(), |x| whole(x) == 1),
        }
    }
}

/// Returns the number of a column of numbers with a fraction.
#[inline(always)]
fn real(number: ColumnNumber) -> f64 {
    match number {
        ColumnNumber::F32(number) => number.into(),
        ColumnNumber::F64(number) => number,
        _ => f64::NAN,
    }
}

/// Returns the number of a column of whole numbers.
#[inline(always)]
fn whole(number: ColumnNumber) -> i64 {
    match number {
        ColumnNumber::Prim(prim) => PrimId::new(prim).map_or(NONE, |prim| prim.get().into()),
        ColumnNumber::I64(number) => number,
        ColumnNumber::U8(number) => number.into(),
        _ => NONE,
    }
}

/// Returns a number of a path.
fn step(path: Option<&ScenePath>, level: usize) -> i64 {
    let number = path.and_then(|path| path.numbers().get(level));
    number.map_or(NONE, |&number| number.into())
}

/// Any number of answers for each item, one after the other, in a list for each column.
pub(crate) struct AnswerLists {
    /// Where the answers of each item begin, and the last end.
    offsets: Vec<i64>,
    columns: Vec<List>,
    path: Vec<i64>,
    /// The numbers of placements of each answer.
    depth: usize,
    /// The number of answers of all items above which there is an error.
    pub(crate) most: Option<usize>,
}

enum List {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I64(Vec<i64>),
}

impl AnswerLists {
    /// Returns no lists yet, with paths of `depth` placements, or none if that is 0.
    pub(crate) fn new(depth: usize, most: Option<usize>) -> Self {
        AnswerLists {
            offsets: Vec::new(),
            columns: Vec::new(),
            path: Vec::new(),
            depth,
            most,
        }
    }

    /// Makes a list for each column of a record, and room for the offsets of items.
    pub(crate) fn start<R: Record>(&mut self, items: usize) -> Result<(), Failure> {
        reserve(&mut self.offsets, items.saturating_add(1))?;
        self.offsets.push(0);
        self.add(&Rows::<R>::default())
    }

    /// Appends the answers of the next items.
    pub(crate) fn add<R: Record>(&mut self, rows: &Rows<R>) -> Result<(), Failure> {
        let before = self.offsets.last().copied().unwrap_or_default();
        let ends = rows.offsets.iter().skip(1);
        self.offsets.extend(ends.map(|&end| before + end as i64));
        let mut writer = ListWriter {
            lists: &mut self.columns,
            place: 0,
            answers: &rows.values,
            written: Ok(()),
        };
        R::columns(&mut writer);
        writer.written?;
        let depth = self.depth;
        reserve(&mut self.path, rows.values.len().saturating_mul(depth))?;
        self.path.extend(rows.values.iter().flat_map(|answer| {
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
                List::F64(list) => without_spare(list),
                List::I64(list) => without_spare(list),
            }
        }
        without_spare(&mut self.path);
    }

    /// Returns the offsets, the columns and the paths as arrays; none if no lists were asked for.
    pub(crate) fn into_arrays(self, py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
        if self.offsets.is_empty() {
            return Ok(Vec::new());
        }
        let mut arrays = vec![self.offsets.into_pyarray(py).into_any()];
        arrays.extend(self.columns.into_iter().map(|list| match list {
            List::F32(list) => list.into_pyarray(py).into_any(),
            List::F64(list) => list.into_pyarray(py).into_any(),
            List::I64(list) => list.into_pyarray(py).into_any(),
        }));
        if let Some(rows) = self.path.len().checked_div(self.depth) {
            let path = self.path.into_pyarray(py);
            arrays.push(path.reshape([rows, self.depth])?.into_any());
        }
        Ok(arrays)
    }
}

/// What appends answers to a list for each column, unless there is no memory for them.
struct ListWriter<'a, R> {
    lists: &'a mut Vec<List>,
    /// The number of the next column.
    place: usize,
    answers: &'a [R],
    written: Result<(), Failure>,
}

impl<R> ColumnVisitor<R> for ListWriter<'_, R> {
    fn column<F: Fn(&R) -> ColumnNumber>(&mut self, _: &'static str, missing: ColumnNumber, of: F) {
        if self.place == self.lists.len() {
            self.lists.push(match missing {
                ColumnNumber::F32(_) => List::F32(Vec::new()),
                ColumnNumber::F64(_) => List::F64(Vec::new()),
                _ => List::I64(Vec::new()),
            });
        }
        let answers = self.answers.iter();
        let written = match &mut self.lists[self.place] {
            List::F32(list) => reserve(list, answers.len())
                .map(|()| list.extend(answers.map(|answer| real(of(answer)) as f32))),
            List::F64(list) => reserve(list, answers.len())
                .map(|()| list.extend(answers.map(|answer| real(of(answer))))),
            List::I64(list) => reserve(list, answers.len())
                .map(|()| list.extend(answers.map(|answer| whole(of(answer))))),
        };
        self.place += 1;
        if self.written.is_ok() {
            self.written = written;
        }
    }
}
