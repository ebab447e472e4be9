//! Reads rays and points from files of Parquet.

use super::decode_limits::DecodeLimits;
use super::items::{self, ArrowNumbers, IDS};
use super::part::{OpenPart, ParquetPart, corrupt, parquet_error};
use crate::arrow_bytes::bytes_of;
use crate::block::{Block, Passed};
use crate::csv::ReadState;
use crate::input_error::InputError;
use crate::input_options::InputOptions;
use crate::item::{Item, MOST_COLUMNS};
use crate::mask;
use crate::passed_types::PassedTypes;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};
use arrow_select::concat::concat;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;

/// Reads a file, or the files of a folder as one. Only the columns that are needed are read, a group
/// of rows at a time.
pub(crate) struct ParquetReader {
    pub(crate) state: ReadState,
    pub(super) parts: Vec<ParquetPart>,
    pub(super) rows: u64,
    pub(super) schema: SchemaRef,
    /// The column of ids, and whether it is read.
    pub(super) id: Option<usize>,
    pub(super) reads_ids: bool,
    /// About how many bytes each column takes in a row.
    pub(super) column_bytes: Vec<u64>,
    pub(super) options: InputOptions,
    pub(super) current: Option<Current>,
}

/// The file that is being read.
pub(super) struct Current {
    part: usize,
    /// The number of its first row in the input.
    first_row: u64,
    open: OpenPart,
    group_rows: Vec<u64>,
    group: Option<CurrentGroup>,
}

/// The group of rows that is being read.
struct CurrentGroup {
    reader: ParquetRecordBatchReader,
    /// The number of the first row after it in the input.
    end: u64,
    /// Rows that are decoded and not yet taken.
    rest: Option<RecordBatch>,
}

impl ParquetReader {
    /// Returns the paths of all parts, in order.
    pub(crate) fn files(&self) -> Vec<std::path::PathBuf> {
        self.parts.iter().map(|part| part.path.clone()).collect()
    }

    pub(crate) fn passed_types(&self) -> PassedTypes {
        let types = self.state.passed.iter().map(|&column| self.type_of(column));
        PassedTypes(types.collect())
    }

    fn type_of(&self, column: usize) -> DataType {
        let fields = self.schema.fields();
        fields
            .get(column)
            .map_or(DataType::Null, |field| field.data_type().clone())
    }

    pub(crate) fn passed_bytes(&self) -> u64 {
        let passed = self.state.passed.iter();
        passed
            .filter_map(|&column| self.column_bytes.get(column))
            .sum()
    }

    pub(crate) fn read_ids(&mut self) {
        self.reads_ids = true;
    }

    /// Returns the columns that are read, in ascending order.
    fn wanted(&self) -> Vec<usize> {
        let mut wanted: Vec<usize> = self.state.header.places.iter().flatten().copied().collect();
        wanted.extend(self.id.filter(|_| self.reads_ids));
        wanted.extend(self.state.header.mask);
        wanted.extend(&self.state.passed);
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// Goes forward to a row, which must be there.
    pub(crate) fn seek(&mut self, row: u64) -> Result<(), InputError> {
        if row != self.state.row {
            self.state.row = row;
            if let Some(current) = &mut self.current {
                current.group = None;
            }
        }
        Ok(())
    }

    /// Replaces the items of the block by the next ones, at most `most`, and counts numbers that
    /// are rounded.
    pub(crate) fn read<T: Item>(
        &mut self,
        block: &mut Block<T>,
        most: usize,
        rounded: &mut u64,
    ) -> Result<(), InputError> {
        block.clear(self.state.row);
        let wanted = self.wanted();
        let limits = DecodeLimits::of(&self.options, wanted.len());
        let mut passed_bytes = 0;
        let mut passed: Vec<Vec<ArrayRef>> = vec![Vec::new(); self.state.passed.len()];
        let (mut ids, mut masks) = (Vec::new(), Vec::new());
        let mut read = Ok(());
        while block.items.len() < most && passed_bytes < limits.block {
            let left = most - block.items.len();
            let batch = match self.next_rows::<T>(&wanted, left, &limits) {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    read = Err(error);
                    break;
                }
            };
            let before = block.items.len();
            let numbers = (&mut ids, &mut masks);
            let done = self.append(&wanted, &batch, block, numbers, rounded);
            let rows = block.items.len() - before;
            for (arrays, &column) in passed.iter_mut().zip(&self.state.passed) {
                let place = wanted.binary_search(&column).unwrap_or_default();
                let array = batch.column(place).slice(0, rows);
                passed_bytes += bytes_of(&array, 0..rows);
                arrays.push(array);
            }
            self.state.row += rows as u64;
            if let Err(problem) = done {
                read = Err(self.error_at(self.state.row, problem));
                break;
            }
        }
        if self.reads_ids && self.id.is_some() {
            block.ids = Some(ids);
        }
        block.masks = self.state.header.mask.map(|_| masks);
        if !passed.is_empty() && !block.items.is_empty() {
            match self.joined(passed) {
                Ok(arrays) => block.passed = Passed::Arrays(arrays),
                Err(error) => {
                    block.clear(block.first_row);
                    return Err(error);
                }
            }
        }
        read
    }

    /// Appends the items of some rows, up to one whose id or mask cannot be read, and returns the
    /// problem there.
    fn append<T: Item>(
        &self,
        wanted: &[usize],
        batch: &RecordBatch,
        block: &mut Block<T>,
        (ids, masks): (&mut Vec<i64>, &mut Vec<u32>),
        rounded: &mut u64,
    ) -> Result<(), String> {
        let array = |column: usize| {
            let place = wanted.binary_search(&column).ok()?;
            batch.columns().get(place)
        };
        let mut rows = batch.num_rows();
        let mut done = Ok(());
        if let Some(array) = self.id.filter(|_| self.reads_ids).and_then(array)
            && let Err(row) = items::append_ids(array, ids)
        {
            rows = row;
            let column = T::ID.unwrap_or_default();
            done = Err(format!(
                "{column} is null; give each row a number, or drop the column"
            ));
        }
        if let Some(array) = self.state.header.mask.and_then(array)
            && let Err((row, number)) = items::append_masks(array, rows, masks)
        {
            rows = row;
            ids.truncate(block.items.len() + rows);
            done = Err(format!("mask is {number}, {}", mask::WANTED));
        }
        let mut columns = [const { None }; MOST_COLUMNS];
        for (column, place) in columns.iter_mut().zip(self.state.header.places) {
            *column = place.and_then(array).and_then(ArrowNumbers::of);
        }
        *rounded += items::append(&columns, rows, &mut block.items);
        done
    }

    /// Joins the arrays of each column.
    fn joined(&self, passed: Vec<Vec<ArrayRef>>) -> Result<Vec<ArrayRef>, InputError> {
        let joined = passed.into_iter().map(|arrays| match &arrays[..] {
            [array] => Ok(array.clone()),
            arrays => concat(&arrays.iter().map(|array| &**array).collect::<Vec<_>>()),
        });
        joined.collect::<Result<_, _>>().map_err(|error| {
            let problem = format!("the columns passed through cannot be joined: {error}");
            self.error_at(self.state.row, problem)
        })
    }

    fn error_at(&self, row: u64, problem: String) -> InputError {
        let part = self.parts.iter().rev().find(|part| part.first_row <= row);
        match part {
            // Rows of a message are those of the file that it names.
            Some(part) => parquet_error(&part.name, Some(row - part.first_row), problem),
            None => parquet_error("", Some(row), problem),
        }
    }

    /// Returns the next rows, at most `most`; `None` at the end. They count as taken by the caller.
    fn next_rows<T: Item>(
        &mut self,
        wanted: &[usize],
        most: usize,
        limits: &DecodeLimits,
    ) -> Result<Option<RecordBatch>, InputError> {
        if self.state.row >= self.rows {
            return Ok(None);
        }
        let row = self.state.row;
        let current = self.open_current::<T>()?;
        let first_row = current.first_row;
        if current.group.is_none() {
            let mut start = first_row;
            let found = current.group_rows.iter().position(|&rows| {
                start += rows;
                start > row
            });
            let Some(group) = found else {
                return Ok(None);
            };
            let skipped = row - (start - current.group_rows[group]);
            let reader = current.open.read_group(
                T::PLURAL,
                (group, skipped, row - first_row),
                wanted,
                limits,
            )?;
            current.group = Some(CurrentGroup {
                reader,
                end: start,
                rest: None,
            });
        }
        let Some(group) = &mut current.group else {
            return Ok(None);
        };
        let (open, row_of_file) = (&current.open, row - first_row);
        let wrong = |problem| parquet_error(&open.name, Some(row_of_file), corrupt(problem));
        let batch = match group.rest.take() {
            Some(batch) => Some(batch),
            None => open.next_batch(&mut group.reader, row_of_file)?,
        };
        let Some(batch) = batch.filter(|batch| batch.num_rows() > 0) else {
            return Err(wrong("a group has fewer rows than it declares"));
        };
        let count = batch.num_rows();
        let (taken, rest) = match count > most {
            true => (batch.slice(0, most), Some(batch.slice(most, count - most))),
            false => (batch, None),
        };
        let next = row + taken.num_rows() as u64;
        if next > group.end {
            return Err(wrong("a group has more rows than it declares"));
        }
        group.rest = rest;
        if next == group.end {
            current.group = None;
        }
        Ok(Some(taken))
    }

    /// Opens the file of the next row, unless it is open.
    fn open_current<T: Item>(&mut self) -> Result<&mut Current, InputError> {
        let row = self.state.row;
        let part = self
            .parts
            .partition_point(|part| part.first_row + part.rows <= row);
        if self
            .current
            .as_ref()
            .is_none_or(|current| current.part != part)
        {
            self.current = None;
            let open = self.parts[part].open::<T>()?;
            self.check_same(&open)?;
            if self.reads_ids
                && let Some(id) = self.id
                && !items::is_whole(&self.type_of(id))
            {
                return Err(self.wrong_type(id, IDS, &open));
            }
            let group_rows = open.group_rows()?;
            if group_rows.iter().sum::<u64>() != self.parts[part].rows {
                let problem = "the file changed while it was read; start again".to_owned();
                return Err(parquet_error(&open.name, None, problem));
            }
            self.current = Some(Current {
                part,
                first_row: self.parts[part].first_row,
                open,
                group_rows,
                group: None,
            });
        }
        let none = || parquet_error("", None, corrupt("no file is open"));
        self.current.as_mut().ok_or_else(none)
    }
}
