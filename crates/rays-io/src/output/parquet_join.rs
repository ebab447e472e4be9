//! Parquet files of the same columns as one, with the bytes of a file that was written at once.

use super::parquet_sink::ParquetSink;
use super::sink::{Compression, ResultFile, SinkOptions};
use crate::input_error::{InputError, InputPlace};
use crate::input_options::InputOptions;
use crate::parquet::{DecodeLimits, OpenPart};
use arrow_schema::{Schema, SchemaRef};
use estoc_core::CancelToken;
use parquet::basic::Compression as Codec;
use parquet::file::metadata::ParquetMetaData;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The key under which the library itself keeps the types of columns.
const TYPES: &str = "ARROW:schema";

/// What the files hold, for messages.
const ROWS: &str = "rows";

/// The largest page of a file, which may have one row of long text.
const MOST_PAGE_BYTES: u64 = 1 << 30;

/// Why files cannot be joined.
pub(crate) enum JoinError {
    /// A file cannot be read.
    Part(PathBuf, String),
    /// The result cannot be written.
    Output(io::Error),
    Cancelled,
}

/// Writes the rows of all files, in order. They must be files that [`ParquetSink`] wrote.
pub(crate) fn join_parquet<W: ResultFile>(
    parts: &[PathBuf],
    out: W,
    cancel: &CancelToken,
) -> Result<(), JoinError> {
    let mut out = Some(out);
    let mut sink: Option<ParquetSink<W>> = None;
    let compression = parts.iter().find_map(|part| compression_of(part));
    for part in parts {
        let wrong = |error: InputError| JoinError::Part(part.clone(), problem_of(error));
        let open = open(part)?;
        if let (None, Some(out)) = (&sink, out.take()) {
            let options = SinkOptions {
                metadata: metadata_of(open.metadata.metadata()),
                compression: compression.unwrap_or_default(),
                ..SinkOptions::default()
            };
            let schema = without_metadata(open.metadata.schema());
            sink = Some(ParquetSink::of_schema(schema, out, options).map_err(of_output)?);
        }
        let Some(sink) = &mut sink else { break };
        let columns: Vec<usize> = (0..open.metadata.schema().fields().len()).collect();
        let options = InputOptions {
            most_page_bytes: MOST_PAGE_BYTES,
            ..InputOptions::default()
        };
        let limits = DecodeLimits::of(&options, columns.len());
        let mut row = 0;
        for (group, rows) in open.group_rows().map_err(wrong)?.into_iter().enumerate() {
            let end = row + rows;
            let read = open.read_group(ROWS, (group, 0, row), &columns, &limits);
            let mut read = read.map_err(wrong)?;
            while row < end {
                if cancel.is_cancelled() {
                    return Err(JoinError::Cancelled);
                }
                let batch = open.next_batch(&mut read, row).map_err(wrong)?;
                let batch = batch.filter(|batch| batch.num_rows() > 0);
                let damaged = |problem: &str| JoinError::Part(part.clone(), problem.to_owned());
                let batch =
                    batch.ok_or_else(|| damaged("a group has fewer rows than it declares"))?;
                row += batch.num_rows() as u64;
                if row > end {
                    return Err(damaged("a group has more rows than it declares"));
                }
                let batch = sink.with_schema(batch);
                let batch = batch.map_err(|error| damaged(&error.to_string()))?;
                sink.push(batch).map_err(of_output)?;
            }
        }
    }
    match sink {
        Some(sink) => super::sink::HitSink::finish(Box::new(sink)).map_err(of_output),
        None => Ok(()),
    }
}

/// Opens a file and checks its footer.
fn open(part: &Path) -> Result<OpenPart, JoinError> {
    let wrong = |problem: String| JoinError::Part(part.to_owned(), problem);
    let file = estoc_system::open_file(part).map_err(|error| wrong(error.to_string()))?;
    OpenPart::open(ROWS, "", file).map_err(|error| wrong(problem_of(error)))
}

/// Returns what is wrong with a file, without its name.
fn problem_of(error: InputError) -> String {
    match error {
        InputError::Unusable { place, problem, .. } => match place {
            InputPlace::Row(row) => format!("row {row}: {problem}"),
            _ => problem.to_string(),
        },
        InputError::Io { source, .. } => source.to_string(),
    }
}

/// Returns the codec of the first group of a file, if it has one and can be read.
fn compression_of(part: &Path) -> Option<Compression> {
    let open = open(part).ok()?;
    let group = open.metadata.metadata().row_groups().first()?;
    Some(match group.columns().first()?.compression() {
        Codec::SNAPPY => Compression::Snappy,
        Codec::ZSTD(_) => Compression::Zstd,
        _ => Compression::None,
    })
}

fn metadata_of(metadata: &ParquetMetaData) -> Vec<(String, String)> {
    let all = metadata
        .file_metadata()
        .key_value_metadata()
        .into_iter()
        .flatten();
    let own = all.filter(|pair| pair.key != TYPES);
    own.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default()))
        .collect()
}

fn without_metadata(schema: &SchemaRef) -> SchemaRef {
    Arc::new(Schema::new(schema.fields().clone()))
}

fn of_output(error: super::error::OutputError) -> JoinError {
    JoinError::Output(match error {
        super::error::OutputError::Io(error) => error,
        error => io::Error::other(error.to_string()),
    })
}
