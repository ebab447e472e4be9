//! Parquet files of the same columns as one, with the bytes of a file that was written at once.

use super::parquet_sink::ParquetSink;
use super::sink::{Compression, ResultFile, SinkOptions};
use arrow_schema::{Schema, SchemaRef};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression as Codec;
use parquet::file::metadata::ParquetMetaData;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The key under which the library itself keeps the types of columns.
const TYPES: &str = "ARROW:schema";

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
    keep_going: &dyn Fn() -> bool,
) -> Result<(), JoinError> {
    let mut out = Some(out);
    let mut sink: Option<ParquetSink<W>> = None;
    let compression = parts.iter().find_map(|part| compression_of(part));
    for part in parts {
        let wrong =
            |problem: &dyn std::fmt::Display| JoinError::Part(part.clone(), problem.to_string());
        let file = File::open(part).map_err(|error| wrong(&error))?;
        let opened = ParquetRecordBatchReaderBuilder::try_new(file);
        let opened = opened.map_err(|error| wrong(&error))?;
        if let (None, Some(out)) = (&sink, out.take()) {
            let options = SinkOptions {
                metadata: metadata_of(opened.metadata()),
                compression: compression.unwrap_or_default(),
                ..SinkOptions::default()
            };
            let schema = without_metadata(opened.schema());
            sink = Some(ParquetSink::of_schema(schema, out, options).map_err(of_output)?);
        }
        let Some(sink) = &mut sink else { break };
        for batch in opened.build().map_err(|error| wrong(&error))? {
            if !keep_going() {
                return Err(JoinError::Cancelled);
            }
            let batch = batch.map_err(|error| wrong(&error))?;
            let batch = sink.with_schema(batch).map_err(|error| wrong(&error))?;
            sink.push(batch).map_err(of_output)?;
        }
    }
    match sink {
        Some(sink) => super::sink::HitSink::finish(Box::new(sink)).map_err(of_output),
        None => Ok(()),
    }
}

/// Returns the codec of the first group of a file, if it has one and can be read.
fn compression_of(part: &Path) -> Option<Compression> {
    let opened = ParquetRecordBatchReaderBuilder::try_new(File::open(part).ok()?).ok()?;
    let group = opened.metadata().row_groups().first()?;
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
