//! Parquet with a fixed layout: the same rows give the same bytes, however they are cut into blocks.

use super::answers::{AnsweredBlock, ColumnValues, TypedValues};
use super::column::{ColumnKind, OutputColumn, refuse_same_names};
use super::error::OutputError;
use super::long_rows::{end_of_long_rows, rows_within};
use super::sink::{Compression, HitSink, ResultFile, SinkOptions};
use crate::block::Passed;
use crate::table_format::TableFormat;
use arrow_array::builder::StringBuilder;
use arrow_array::types::{Float32Type, Float64Type, Int32Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, BooleanArray, Int64Array, PrimitiveArray, RecordBatch,
    StringArray, UInt64Array, new_null_array,
};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are encoded at a time, which are those of a page.
const SLICE: usize = 1 << 16;

/// Bytes of texts, and of other values without a fixed size, at which a slice ends before it has all
/// its rows: arrays cannot hold more than 2 GiB.
const SLICE_BYTES: usize = 1 << 24;

/// Rows of a group.
const GROUP: usize = 1 << 20;

/// Bytes of a group at which it ends before it has all its rows: they are kept until then.
const GROUP_BYTES: usize = 1 << 27;

/// Bytes of a page at which it ends before it has all its rows, for long texts.
const PAGE_BYTES: usize = 1 << 22;

/// Writes rows of Parquet.
pub(super) struct ParquetSink<W: ResultFile> {
    columns: Vec<OutputColumn>,
    types: Vec<DataType>,
    schema: SchemaRef,
    writer: ArrowWriter<W>,
    /// Rows that wait to be a whole slice.
    waiting: Vec<RecordBatch>,
    waiting_rows: usize,
    /// The bytes of their values without a fixed size.
    waiting_bytes: usize,
}

impl<W: ResultFile> ParquetSink<W> {
    pub(super) fn new(
        columns: Vec<OutputColumn>,
        file: W,
        options: SinkOptions,
    ) -> Result<Self, OutputError> {
        let types = options.passed.0.clone();
        refuse_same_names(&columns, TableFormat::Parquet)?;
        let fields = columns.iter().flat_map(|column| {
            let (of, can_be_null) = type_of(column.kind, &types);
            let names = column.names().into_iter();
            names.map(move |name| Field::new(name, of.clone(), can_be_null))
        });
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let sink = ParquetSink::of_schema(schema, file, options)?;
        Ok(ParquetSink {
            columns,
            types,
            ..sink
        })
    }

    /// Creates a sink of batches with this schema.
    pub(super) fn of_schema(
        schema: SchemaRef,
        file: W,
        options: SinkOptions,
    ) -> Result<Self, OutputError> {
        let mut properties = WriterProperties::builder()
            .set_compression(codec(options.compression)?)
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::PLAIN)
            .set_statistics_enabled(EnabledStatistics::None)
            .set_write_batch_size(1024)
            .set_data_page_row_count_limit(SLICE)
            .set_data_page_size_limit(PAGE_BYTES)
            .set_max_row_group_row_count(Some(GROUP))
            .set_max_row_group_bytes(Some(GROUP_BYTES));
        for field in schema.fields() {
            if *field.data_type() == DataType::Utf8 {
                // Few different texts.
                let path = ColumnPath::new(vec![field.name().clone()]);
                properties = properties.set_column_dictionary_enabled(path, true);
            }
        }
        let metadata = options.metadata.into_iter();
        let metadata: Vec<KeyValue> = metadata
            .map(|(key, value)| KeyValue::new(key, value))
            .collect();
        let properties = properties.set_key_value_metadata(Some(metadata)).build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        Ok(ParquetSink {
            columns: Vec::new(),
            types: Vec::new(),
            schema,
            writer: writer.map_err(parquet_error)?,
            waiting: Vec::new(),
            waiting_rows: 0,
            waiting_bytes: 0,
        })
    }

    /// Returns the batch with the schema of this file, if its columns are the same.
    pub(super) fn with_schema(
        &self,
        batch: RecordBatch,
    ) -> Result<RecordBatch, arrow_schema::ArrowError> {
        RecordBatch::try_new(Arc::clone(&self.schema), batch.columns().to_vec())
    }

    /// Encodes a batch, slice by slice; a rest waits for the next. Where a slice ends depends on the
    /// rows only.
    pub(super) fn push(&mut self, batch: RecordBatch) -> Result<(), OutputError> {
        let mut start = 0;
        while start < batch.num_rows() {
            let most = (SLICE - self.waiting_rows).min(batch.num_rows() - start);
            let left = SLICE_BYTES - self.waiting_bytes;
            let (rows, bytes) = rows_within(&batch, start..start + most, left);
            self.waiting.push(batch.slice(start, rows));
            self.waiting_rows += rows;
            self.waiting_bytes += bytes;
            start += rows;
            if self.waiting_rows == SLICE || self.waiting_bytes >= SLICE_BYTES {
                self.encode()?;
            }
        }
        Ok(())
    }

    /// Encodes the rows that wait.
    fn encode(&mut self) -> Result<(), OutputError> {
        let slice = match &self.waiting[..] {
            [] => return Ok(()),
            [batch] => batch.clone(),
            batches => concat_batches(&self.schema, batches)
                .map_err(|error| OutputError::Parquet(error.to_string()))?,
        };
        self.waiting.clear();
        self.waiting_rows = 0;
        self.waiting_bytes = 0;
        self.writer.write(&slice).map_err(parquet_error)
    }
}

impl<W: ResultFile> HitSink for ParquetSink<W> {
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError> {
        if !block.answers.is_whole(self.columns.len()) {
            return Err(OutputError::Answers);
        }
        let mut start = 0;
        while start < block.rows() {
            let rows = start..end_of_long_rows(block, &self.columns, start, SLICE_BYTES);
            start = rows.end;
            let mut arrays: Vec<ArrayRef> = Vec::with_capacity(self.schema.fields().len());
            let mut shared = None;
            for (column, values) in self.columns.iter().zip(&block.answers.columns) {
                put_arrays(
                    &mut arrays,
                    column.kind,
                    values,
                    &self.types,
                    &mut shared,
                    (block, &rows),
                )?;
            }
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays);
            self.push(batch.map_err(|error| OutputError::Parquet(error.to_string()))?)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), OutputError> {
        self.encode()?;
        let mut file = self.writer.into_inner().map_err(parquet_error)?;
        Ok(file.flush()?)
    }
}

/// Returns the type of a column, and whether it may be null.
fn type_of(kind: ColumnKind, passed: &[DataType]) -> (DataType, bool) {
    match kind {
        ColumnKind::Row | ColumnKind::Id | ColumnKind::Count => (DataType::Int64, false),
        ColumnKind::Flag => (DataType::Boolean, false),
        ColumnKind::Prim => (DataType::Int32, true),
        ColumnKind::Number | ColumnKind::Vector => (DataType::Float32, true),
        ColumnKind::Number64 | ColumnKind::Vector64 => (DataType::Float64, true),
        ColumnKind::Text => (DataType::Utf8, true),
        ColumnKind::Passed(place) => {
            let of = passed.get(place).cloned();
            (of.unwrap_or(DataType::Utf8), true)
        }
    }
}

/// Appends the array of a column for some rows of a block, or three of a vector; `shared` has the
/// nulls of a column before.
fn put_arrays(
    arrays: &mut Vec<ArrayRef>,
    kind: ColumnKind,
    column: &ColumnValues,
    types: &[DataType],
    shared: &mut Option<(Arc<Vec<bool>>, NullBuffer)>,
    (block, rows): (&AnsweredBlock<'_>, &Range<usize>),
) -> Result<(), OutputError> {
    let mut nulls = || {
        let present = column.present.as_ref()?;
        // Columns that lack values in the same rows share what tells so.
        if let Some((of, nulls)) = shared.as_ref()
            && Arc::ptr_eq(of, present)
        {
            return Some(nulls.clone());
        }
        let nulls = NullBuffer::from(&present[rows.clone()]);
        *shared = Some((Arc::clone(present), nulls.clone()));
        Some(nulls)
    };
    let array: ArrayRef = match &column.values {
        TypedValues::Given => match kind {
            ColumnKind::Passed(place) => passed_array(place, types, (block, rows))?,
            ColumnKind::Id => {
                let id = |row| block.id(block.item(row));
                Arc::new(Int64Array::from_iter_values(rows.clone().map(id)))
            }
            _ => {
                let input_row = |row| block.input_row(block.item(row)) as i64;
                Arc::new(Int64Array::from_iter_values(rows.clone().map(input_row)))
            }
        },
        TypedValues::Flags(flags) => Arc::new(BooleanArray::from(flags[rows.clone()].to_vec())),
        TypedValues::Counts(counts) => Arc::new(Int64Array::from(counts[rows.clone()].to_vec())),
        TypedValues::Prims(prims) => {
            column.refuse_large_prims(prims, rows.clone(), block, TableFormat::Parquet)?;
            let prims = prims[rows.clone()].iter().map(|&prim| prim as i32);
            numbers::<Int32Type>(prims, nulls())
        }
        TypedValues::Numbers(all) => {
            numbers::<Float32Type>(all[rows.clone()].iter().copied(), nulls())
        }
        TypedValues::Numbers64(all) => {
            numbers::<Float64Type>(all[rows.clone()].iter().copied(), nulls())
        }
        TypedValues::Vectors(all) => {
            arrays.extend((0..3).map(|axis| {
                let axis = all[rows.clone()].iter().map(|vector| vector[axis]);
                numbers::<Float32Type>(axis, nulls())
            }));
            return Ok(());
        }
        TypedValues::Vectors64(all) => {
            arrays.extend((0..3).map(|axis| {
                let axis = all[rows.clone()].iter().map(|vector| vector[axis]);
                numbers::<Float64Type>(axis, nulls())
            }));
            return Ok(());
        }
        TypedValues::Texts(texts) => {
            let text = |row| column.is_present(row).then(|| texts.get(row));
            Arc::new(StringArray::from_iter(rows.clone().map(text)))
        }
    };
    arrays.push(array);
    Ok(())
}

/// Returns an array of numbers, some of which may be null.
fn numbers<P: ArrowPrimitiveType>(
    all: impl Iterator<Item = P::Native>,
    nulls: Option<NullBuffer>,
) -> ArrayRef {
    let all: Vec<P::Native> = all.collect();
    Arc::new(PrimitiveArray::<P>::new(all.into(), nulls))
}

/// Returns the values of a column passed through, one for each row.
fn passed_array(
    place: usize,
    types: &[DataType],
    (block, rows): (&AnsweredBlock<'_>, &Range<usize>),
) -> Result<ArrayRef, OutputError> {
    match block.passed {
        Passed::Arrays(arrays) if place < arrays.len() => {
            let array = &arrays[place];
            if block.answers.item_of_row.is_none() {
                return Ok(array.slice(block.answers.items.start + rows.start, rows.len()));
            }
            let items = rows.clone().map(|row| block.item(row) as u64);
            let items = UInt64Array::from_iter_values(items);
            take(array, &items, None).map_err(|error| OutputError::Parquet(error.to_string()))
        }
        Passed::Cells(cells) => {
            let mut texts = StringBuilder::new();
            for row in rows.clone() {
                let cell = String::from_utf8_lossy(cells.get(block.item(row), place));
                texts.append_value(crate::cell_text::unquoted(&cell));
            }
            Ok(Arc::new(texts.finish()))
        }
        _ => {
            let of = types.get(place).unwrap_or(&DataType::Utf8);
            Ok(new_null_array(of, rows.len()))
        }
    }
}

fn codec(compression: Compression) -> Result<Codec, OutputError> {
    Ok(match compression {
        Compression::None => Codec::UNCOMPRESSED,
        Compression::Snappy => Codec::SNAPPY,
        Compression::Zstd => Codec::ZSTD(ZstdLevel::try_new(1).map_err(parquet_error)?),
    })
}

/// Returns the error of the library, or that of the file inside it.
fn parquet_error(error: parquet::errors::ParquetError) -> OutputError {
    match error {
        parquet::errors::ParquetError::External(inner) => {
            match inner.downcast::<std::io::Error>() {
                Ok(error) => OutputError::Io(*error),
                Err(inner) => OutputError::Parquet(inner.to_string()),
            }
        }
        error => OutputError::Parquet(error.to_string()),
    }
}
