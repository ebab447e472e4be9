//! Answers in columns, and what writes them.

mod answers;
mod column;
mod csv_sink;
mod error;
#[cfg(feature = "parquet")]
mod long_rows;
mod npy_sink;
#[cfg(feature = "parquet")]
mod parquet_join;
#[cfg(feature = "parquet")]
mod parquet_sink;
mod passed_text;
mod sink;

pub use answers::{AnsweredBlock, Answers, ColumnValues, Texts, TypedValues};
pub use column::{ColumnKind, OutputColumn};
pub use error::OutputError;
#[cfg(feature = "parquet")]
pub(crate) use parquet_join::{JoinError, join_parquet};
pub use passed_text::check_passed_text;
pub use sink::{Compression, HitSink, ResultFile, SinkOptions, hit_sink};
