//! One file of an input.

use super::bounds;
use super::decode_limits::DecodeLimits;
use super::quiet_panic::tried;
use crate::input_error::{InputError, InputPlace, InputProblem};
use crate::open_file::io_error;
use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader,
    ParquetRecordBatchReaderBuilder,
};
use std::fs::File;
use std::path::PathBuf;

/// A file that is part of an input.
#[derive(Clone, Debug)]
pub(super) struct ParquetPart {
    /// Its name, for messages.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The number of its first row in the input.
    pub(super) first_row: u64,
    pub(super) rows: u64,
}

/// An open file.
pub(crate) struct OpenPart {
    pub(super) name: String,
    file: File,
    pub(crate) metadata: ArrowReaderMetadata,
}

impl OpenPart {
    /// Reads and checks the footer.
    pub(crate) fn open(
        items: &'static str,
        name: &str,
        file: File,
    ) -> Result<OpenPart, InputError> {
        let of_io = |source| io_error(items, name, None, source);
        let wrong = |problem: String| parquet_error(name, None, problem);
        bounds::check_footer(&file).map_err(of_io)?.map_err(wrong)?;
        let options = ArrowReaderOptions::new();
        let metadata = tried(|| ArrowReaderMetadata::load(&file, options));
        Ok(OpenPart {
            name: name.to_owned(),
            metadata: metadata.map_err(|problem| wrong(corrupt(&problem)))?,
            file,
        })
    }

    /// Returns the number of rows of each group.
    pub(crate) fn group_rows(&self) -> Result<Vec<u64>, InputError> {
        let groups = self.metadata.metadata().row_groups().iter();
        let rows = groups.map(|group| u64::try_from(group.num_rows()).ok());
        let rows: Option<Vec<u64>> = rows.collect();
        let rows = rows.filter(|rows| {
            rows.iter()
                .try_fold(0_u64, |sum, rows| sum.checked_add(*rows))
                .is_some_and(|sum| sum <= i64::MAX as u64)
        });
        rows.ok_or_else(|| {
            let problem = "the footer declares numbers of rows that cannot be".to_owned();
            parquet_error(&self.name, None, corrupt(&problem))
        })
    }

    /// Returns the names of the columns.
    pub(super) fn names(&self) -> Vec<String> {
        let fields = self.metadata.schema().fields().iter();
        fields.map(|field| field.name().clone()).collect()
    }

    /// Starts to read a group of rows, from one of its rows on. `columns` are those to read, in
    /// ascending order.
    pub(crate) fn read_group(
        &self,
        items: &'static str,
        (group, skipped, row): (usize, u64, u64),
        columns: &[usize],
        limits: &DecodeLimits,
    ) -> Result<ParquetRecordBatchReader, InputError> {
        let wrong = |problem: String| parquet_error(&self.name, Some(row), problem);
        let of_io = |source| io_error(items, &self.name, Some(row), source);
        let schema = self.metadata.parquet_schema();
        let found = &self.metadata.metadata().row_groups()[group];
        let leaves = (0..schema.num_columns())
            .filter(|&leaf| columns.contains(&schema.get_column_root_idx(leaf)));
        let text_bytes = bounds::check_pages(&self.file, found, leaves, limits)
            .map_err(of_io)?
            .map_err(wrong)?;
        let file = self.file.try_clone().map_err(of_io)?;
        let metadata = self.metadata.clone();
        let built = tried(|| {
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata)
                .with_row_groups(vec![group])
                .with_projection(ProjectionMask::roots(schema, columns.iter().copied()))
                .with_batch_size(limits.batch(text_bytes))
                .with_offset(usize::try_from(skipped).unwrap_or(usize::MAX))
                .build()
        });
        built.map_err(|problem| wrong(corrupt(&problem)))
    }

    /// Reads the next rows of a group; `None` at its end. `row` is the number of the first, for
    /// errors.
    pub(crate) fn next_batch(
        &self,
        reader: &mut ParquetRecordBatchReader,
        row: u64,
    ) -> Result<Option<RecordBatch>, InputError> {
        let wrong = |problem: &str| parquet_error(&self.name, Some(row), corrupt(problem));
        tried(|| reader.next().transpose()).map_err(|problem| wrong(&problem))
    }
}

/// Returns the error for a file, or for a row of it.
pub(super) fn parquet_error(name: &str, row: Option<u64>, problem: String) -> InputError {
    let place = row.map_or(InputPlace::File, InputPlace::Row);
    InputProblem::Other(problem).at(name, place)
}

/// Returns the message for what the library refuses.
pub(super) fn corrupt(problem: &str) -> String {
    let words: Vec<&str> = problem.split_whitespace().collect();
    let words: String = words.join(" ").chars().take(200).collect();
    format!("the file cannot be decoded ({words}); copy or write it again")
}
