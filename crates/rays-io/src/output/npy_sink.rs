//! Structured arrays of NPY.

use super::answers::{AnsweredBlock, ColumnValues, TypedValues};
use super::column::{ColumnKind, OutputColumn, refuse_same_names};
use super::error::OutputError;
use super::sink::{HitSink, ResultFile};
use crate::npy::header_bytes;
use crate::table_format::TableFormat;
use std::ops::Range;

/// Records that are filled column by column at a time: few enough for the caches.
const PIECE: usize = 1 << 12;

/// Writes an array of records, each field a column, or a plain array for a single column.
pub(super) struct NpySink<W> {
    columns: Vec<OutputColumn>,
    file: W,
    /// The number of rows in the header, if it was known when it was written.
    declared: Option<u64>,
    rows: u64,
    buffer: Vec<u8>,
}

impl<W: ResultFile> NpySink<W> {
    /// Writes the header.
    pub(super) fn new(
        columns: Vec<OutputColumn>,
        mut file: W,
        rows: Option<u64>,
    ) -> Result<Self, OutputError> {
        for column in &columns {
            let what = match column.kind {
                ColumnKind::Text => Some("text"),
                ColumnKind::Passed(_) => Some("passed through from the input"),
                _ => None,
            };
            if let Some(what) = what {
                return Err(OutputError::Column {
                    format: TableFormat::Npy,
                    column: column.name.clone(),
                    what,
                    other: "CSV or Parquet",
                });
            }
        }
        refuse_same_names(&columns, TableFormat::Npy)?;
        if rows.is_none() && !file.can_rewrite() {
            return Err(OutputError::RowsUnknown);
        }
        file.write_all(&header_bytes(&dtype(&columns), rows.unwrap_or(0)))?;
        Ok(NpySink {
            columns,
            file,
            declared: rows,
            rows: 0,
            buffer: Vec::new(),
        })
    }
}

/// Returns the type of the array's elements as numpy writes it.
fn dtype(columns: &[OutputColumn]) -> String {
    if let [column] = columns
        && !matches!(column.kind, ColumnKind::Vector | ColumnKind::Vector64)
    {
        return format!("'{}'", type_of(column.kind).0);
    }
    let fields = columns.iter().flat_map(|column| {
        let (of, _) = type_of(column.kind);
        let names = column.names().into_iter();
        names.map(move |name| format!("('{name}', '{of}')"))
    });
    format!("[{}]", fields.collect::<Vec<_>>().join(", "))
}

/// Returns the type of a column's numbers as numpy writes it, and the bytes of one.
fn type_of(kind: ColumnKind) -> (&'static str, usize) {
    match kind {
        ColumnKind::Flag => ("|b1", 1),
        ColumnKind::Prim => ("<i4", 4),
        ColumnKind::Number | ColumnKind::Vector => ("<f4", 4),
        ColumnKind::Number64 | ColumnKind::Vector64 => ("<f8", 8),
        _ => ("<i8", 8),
    }
}

/// Returns the bytes of a column in a record.
fn bytes_of(column: &OutputColumn) -> usize {
    type_of(column.kind).1 * column.names().len()
}

impl<W: ResultFile> HitSink for NpySink<W> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        if !block.answers.is_whole(self.columns.len()) {
            return Err(OutputError::Answers);
        }
        let record = self.columns.iter().map(bytes_of).sum();
        for start in (0..block.rows()).step_by(PIECE) {
            let rows = start..block.rows().min(start + PIECE);
            self.buffer.resize(rows.len() * record, 0);
            let mut place = 0;
            for (column, values) in self.columns.iter().zip(&block.answers.columns) {
                let field = Field {
                    buffer: &mut self.buffer,
                    record,
                    place,
                    rows: rows.clone(),
                };
                field.put(column, values, block)?;
                place += bytes_of(column);
            }
            self.file.write_all(&self.buffer)?;
        }
        self.rows += block.rows() as u64;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        match self.declared {
            None => {
                let header = header_bytes(&dtype(&self.columns), self.rows);
                self.file.rewrite_start(&header)?;
            }
            Some(declared) if declared != self.rows => return Err(OutputError::Answers),
            Some(_) => {}
        }
        Ok(self.file.flush()?)
    }
}

/// A column in the records of some rows.
struct Field<'a> {
    buffer: &'a mut [u8],
    /// The bytes of a record, and those before the column.
    record: usize,
    place: usize,
    rows: Range<usize>,
}

impl Field<'_> {
    /// Writes the values of a column.
    fn put(
        self,
        column: &OutputColumn,
        values: &ColumnValues,
        block: &AnsweredBlock<'_>,
    ) -> Result<(), OutputError> {
        let missing = column.missing_number();
        match &values.values {
            TypedValues::Given => match column.kind {
                ColumnKind::Id => self.set(|row| block.id(block.item(row)).to_le_bytes()),
                _ => self.set(|row| (block.input_row(block.item(row)) as i64).to_le_bytes()),
            },
            TypedValues::Flags(flags) => self.set_or(flags, values, false, |flag| [u8::from(flag)]),
            TypedValues::Counts(counts) => self.set(|row| counts[row].to_le_bytes()),
            TypedValues::Prims(prims) => {
                values.refuse_large_prims(prims, self.rows.clone(), block, TableFormat::Npy)?;
                // As an `i32`, -1.
                self.set_or(prims, values, u32::MAX, u32::to_le_bytes);
            }
            TypedValues::Numbers(all) => self.set_or(all, values, missing as f32, f32::to_le_bytes),
            TypedValues::Numbers64(all) => self.set_or(all, values, missing, f64::to_le_bytes),
            TypedValues::Vectors(all) => self.set_or(all, values, [f32::NAN; 3], |vector| {
                joined::<4, 12>(vector.map(f32::to_le_bytes))
            }),
            TypedValues::Vectors64(all) => self.set_or(all, values, [f64::NAN; 3], |vector| {
                joined::<8, 24>(vector.map(f64::to_le_bytes))
            }),
            TypedValues::Texts(_) => {}
        }
        Ok(())
    }

    /// Writes the bytes of each value, or of another one where there is none.
    fn set_or<V: Copy, const SIZE: usize>(
        self,
        all: &[V],
        values: &ColumnValues,
        missing: V,
        bytes: impl Fn(V) -> [u8; SIZE],
    ) {
        self.set(|row| {
            bytes(match values.is_present(row) {
                true => all[row],
                false => missing,
            })
        });
    }

    fn set<const SIZE: usize>(self, value: impl Fn(usize) -> [u8; SIZE]) {
        let records = self.buffer.chunks_exact_mut(self.record);
        for (record, row) in records.zip(self.rows) {
            record[self.place..self.place + SIZE].copy_from_slice(&value(row));
        }
    }
}

/// Returns the bytes of three numbers as one array, which has as many.
fn joined<const EACH: usize, const ALL: usize>(numbers: [[u8; EACH]; 3]) -> [u8; ALL] {
    let mut bytes = [0; ALL];
    bytes.copy_from_slice(numbers.as_flattened());
    bytes
}
