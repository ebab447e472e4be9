//! Text: CSV of rays and points, points without names of columns, and the text of cells.

mod cells;
mod header;
mod layout;
mod lines;
mod opening;
mod parse;
mod read_state;
mod reader;
mod unnamed;

pub(crate) use header::Header;
pub use header::column_named;
pub(crate) use read_state::ReadState;
pub(crate) use reader::CsvReader;
