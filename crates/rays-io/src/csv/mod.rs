//! CSV: rays and points, and the text of cells.

mod cell_text;
mod cells;
mod header;
mod lines;
mod reader;

pub use cell_text::{quoted, unquoted};
pub use cells::PassedCells;
#[cfg(feature = "parquet")]
pub(crate) use header::Header;
pub use header::column_named;
pub(crate) use reader::CsvReader;
