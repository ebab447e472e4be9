//! The rows of a query, printed or written to a file.

use crate::arguments::{Compression, Query};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::common::Result;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::DataFusionError;
use datafusion::logical_expr::LogicalPlan;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic;
use datafusion::parquet::file::metadata::KeyValue;
use datafusion::parquet::file::properties::WriterProperties;
use estoc_datafusion::RaycastNode;
use estoc_system::WholeFile;
use std::io::{ErrorKind, Write};
use std::path::Path;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// The most rows that are printed.
const MOST_ROWS: usize = 1000;
/// How many batches wait to be written.
const WAITING: usize = 4;

/// Returns what a file says about itself: the version, the query and the meshes.
pub(crate) fn metadata(sql: &str, plan: &LogicalPlan) -> Result<Vec<KeyValue>> {
    let mut meshes = Vec::new();
    plan.apply_with_subqueries(|node| {
        if let LogicalPlan::Extension(extension) = node
            && let Some(node) = extension.node.as_any().downcast_ref::<RaycastNode>()
        {
            meshes.push(node.raycast().mesh.to_string());
        }
        Ok(TreeNodeRecursion::Continue)
    })?;
    meshes.sort();
    meshes.dedup();
    let pair = |key: &str, value: String| KeyValue::new(format!("estoc.{key}"), value);
    let meshes = meshes.into_iter().map(|mesh| pair("mesh", mesh));
    let version = pair("version", env!("CARGO_PKG_VERSION").to_owned());
    Ok([version, pair("query", sql.to_owned())]
        .into_iter()
        .chain(meshes)
        .collect())
}

/// Prints a text and ends its line. Nothing is wrong when nobody reads it, as after `| head -1`.
///
/// # Errors
/// When standard output cannot be written for another reason.
pub(crate) fn print_line(text: &str) -> Result<()> {
    match writeln!(std::io::stdout().lock(), "{text}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(unwritten("to standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Where rows go.
pub(crate) enum Output {
    /// The first rows are printed as a table.
    Table {
        /// The rows, at most [`MOST_ROWS`].
        batches: Vec<RecordBatch>,
        /// Their columns.
        schema: SchemaRef,
        /// Their number.
        rows: usize,
        /// Whether there are more.
        more: bool,
    },
    /// All rows are written by a thread of their own.
    File {
        /// To the thread; `None` ends the file.
        batches: mpsc::Sender<Option<RecordBatch>>,
        /// The thread, which returns the number of rows.
        writer: JoinHandle<Result<usize>>,
    },
}

impl Output {
    /// Opens the output of a query.
    pub(crate) fn open(
        query: &Query,
        schema: &SchemaRef,
        metadata: Vec<KeyValue>,
    ) -> Result<Output> {
        let Some(path) = &query.out else {
            return Ok(Output::Table {
                batches: Vec::new(),
                schema: schema.clone(),
                rows: 0,
                more: false,
            });
        };
        let mut file = ParquetFile::create(path, schema, query.compression, metadata)?;
        let (batches, mut waiting) = mpsc::channel::<Option<RecordBatch>>(WAITING);
        let writer = tokio::task::spawn_blocking(move || {
            while let Some(batch) = waiting.blocking_recv() {
                let Some(batch) = batch else {
                    return file.finish();
                };
                file.write(&batch)?;
            }
            // The end was not sent: the query failed, and the file must not appear.
            Ok(0)
        });
        Ok(Output::File { batches, writer })
    }

    /// Takes rows; returns whether it takes more.
    pub(crate) async fn put(&mut self, batch: RecordBatch) -> Result<bool> {
        if batch.num_rows() == 0 {
            return Ok(true);
        }
        match self {
            Output::Table {
                batches,
                rows,
                more,
                ..
            } => {
                let taken = batch.num_rows().min(MOST_ROWS - *rows);
                *more = taken < batch.num_rows();
                *rows += taken;
                batches.push(batch.slice(0, taken));
                Ok(!*more)
            }
            // The thread ends early when it cannot write: `finish` tells why.
            Output::File { batches, .. } => Ok(batches.send(Some(batch)).await.is_ok()),
        }
    }

    /// Ends the output and returns the number of rows.
    pub(crate) async fn finish(self) -> Result<usize> {
        match self {
            Output::Table {
                batches,
                schema,
                rows,
                more,
            } => {
                let batches = if batches.is_empty() {
                    vec![RecordBatch::new_empty(schema)]
                } else {
                    batches
                };
                let mut text = pretty_format_batches(&batches)?.to_string();
                if more {
                    text += &format!("\nthe first {rows} rows; --out FILE writes all");
                }
                print_line(&text)?;
                Ok(rows)
            }
            Output::File { batches, writer } => {
                // If it ended early, it tells why below.
                let _ = batches.send(None).await;
                writer
                    .await
                    .map_err(|error| DataFusionError::ExecutionJoin(Box::new(error)))?
            }
        }
    }
}

/// A Parquet file that appears whole or not at all.
pub(crate) struct ParquetFile {
    writer: ArrowWriter<std::fs::File>,
    file: WholeFile,
    name: String,
    rows: usize,
}

impl ParquetFile {
    /// Creates a file.
    ///
    /// # Errors
    /// When the path is a device or a pipe, which a file would replace, or the file cannot be created.
    pub(crate) fn create(
        path: &Path,
        schema: &SchemaRef,
        compression: Compression,
        metadata: Vec<KeyValue>,
    ) -> Result<ParquetFile> {
        let name = path.display().to_string();
        if path
            .metadata()
            .is_ok_and(|found| !found.is_file() && !found.is_dir())
        {
            return Err(DataFusionError::Execution(format!(
                "cannot write {name}: it is a device or a pipe; name a file"
            )));
        }
        let compression = match compression {
            Compression::None => basic::Compression::UNCOMPRESSED,
            Compression::Snappy => basic::Compression::SNAPPY,
            Compression::Zstd => basic::Compression::ZSTD(basic::ZstdLevel::default()),
        };
        // Numbers of rays and hits hardly repeat.
        let properties = WriterProperties::builder()
            .set_compression(compression)
            .set_dictionary_enabled(false)
            .set_key_value_metadata(Some(metadata))
            .build();
        let file = WholeFile::beside(path).map_err(|error| unwritten(&name, &error))?;
        let handle = file
            .file()
            .and_then(std::fs::File::try_clone)
            .map_err(|error| unwritten(&name, &error))?;
        let writer = ArrowWriter::try_new(handle, schema.clone(), Some(properties))?;
        Ok(ParquetFile {
            writer,
            file,
            name,
            rows: 0,
        })
    }

    /// Writes rows.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        self.rows += batch.num_rows();
        Ok(self.writer.write(batch)?)
    }

    /// Ends the file, which appears under its name, and returns the number of rows.
    pub(crate) fn finish(self) -> Result<usize> {
        self.writer.close()?;
        self.file
            .finish()
            .map_err(|error| unwritten(&self.name, &error))?;
        Ok(self.rows)
    }
}

fn unwritten(name: &str, error: &std::io::Error) -> DataFusionError {
    let text = error.to_string();
    let reason = text.split(" (os error").next().unwrap_or_default();
    DataFusionError::Execution(format!("cannot write {name}: {reason}"))
}
