//! What writes answers.

use super::answers::AnsweredBlock;
use super::column::OutputColumn;
use super::csv_sink::CsvSink;
use super::error::OutputError;
use super::npy_sink::NpySink;
use crate::passed_types::PassedTypes;
use crate::table_format::TableFormat;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

/// Where a result is written.
pub trait ResultFile: Write + Send {
    /// Returns whether its first bytes can be replaced at the end.
    fn can_rewrite(&self) -> bool {
        false
    }

    /// Replaces the first bytes by as many others.
    ///
    /// # Errors
    /// [`io::ErrorKind::Unsupported`] for a stream; an error of the file.
    fn rewrite_start(&mut self, _bytes: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl ResultFile for Vec<u8> {
    fn can_rewrite(&self) -> bool {
        true
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        let start = self.get_mut(..bytes.len());
        start
            .ok_or(io::ErrorKind::InvalidInput)?
            .copy_from_slice(bytes);
        Ok(())
    }
}

impl<F: ResultFile + ?Sized> ResultFile for &mut F {
    fn can_rewrite(&self) -> bool {
        (**self).can_rewrite()
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).rewrite_start(bytes)
    }
}

impl ResultFile for File {
    fn can_rewrite(&self) -> bool {
        self.metadata().is_ok_and(|found| found.is_file())
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(0))?;
        self.write_all(bytes)?;
        self.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

impl<F: ResultFile> ResultFile for BufWriter<F> {
    fn can_rewrite(&self) -> bool {
        self.get_ref().can_rewrite()
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.flush()?;
        self.get_mut().rewrite_start(bytes)
    }
}

/// Writes the answers of blocks, in order.
pub trait HitSink: Send {
    /// Writes the rows of a block's answers.
    ///
    /// # Errors
    /// [`OutputError`] if they cannot be written.
    fn put(&mut self, block: &AnsweredBlock<'_>) -> Result<(), OutputError>;

    /// Writes what comes after the rows.
    ///
    /// # Errors
    /// [`OutputError`] if it cannot be written.
    fn finish(self: Box<Self>) -> Result<(), OutputError>;
}

/// How results are written.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SinkOptions {
    /// The number of rows, if it is known. NPY has it in its header: without it, the start of the file
    /// is written again at the end.
    pub rows: Option<u64>,
    /// Names and values for the metadata of Parquet.
    pub metadata: Vec<(String, String)>,
    /// How Parquet is compressed.
    pub compression: Compression,
    /// The types of the columns passed through, which Parquet needs; CSV refuses those without text.
    pub passed: PassedTypes,
}

/// How the columns of a Parquet file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all, which is the fastest.
    #[default]
    None,
    /// Snappy, which is fast.
    Snappy,
    /// Zstandard, which is small.
    Zstd,
}

/// Returns what writes rows of these columns.
///
/// # Errors
/// [`OutputError`] if the format cannot hold a column, such as one without text in CSV, or this build lacks it; an error of the file.
pub fn hit_sink<'a>(
    format: TableFormat,
    columns: Vec<OutputColumn>,
    file: impl ResultFile + 'a,
    options: SinkOptions,
) -> Result<Box<dyn HitSink + 'a>, OutputError> {
    match format {
        TableFormat::Csv => Ok(Box::new(CsvSink::new(columns, file, &options.passed)?)),
        TableFormat::Npy => Ok(Box::new(NpySink::new(columns, file, options.rows)?)),
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => {
            let sink = super::parquet_sink::ParquetSink::new(columns, file, options)?;
            Ok(Box::new(sink))
        }
        #[cfg(not(feature = "parquet"))]
        TableFormat::Parquet => Err(OutputError::FeatureOff {
            format,
            feature: "parquet",
        }),
    }
}
