//! CSV: rays and points, and the text of cells.

mod cells;
mod header;
mod lines;
mod parse;
mod reader;

#[cfg(feature = "parquet")]
pub(crate) use header::Header;
pub use header::column_named;
pub(crate) use reader::CsvReader;
