//! What a reader gets: tables and a chart, made of rows alone.

mod cell;
mod chart;
mod table;

pub(crate) use chart::svg;
pub(crate) use table::markdown;
