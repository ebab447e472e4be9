//! Files of rays, points and hits for the command `estoc` and for programs around it: CSV, NPY and,
//! with the feature `parquet`, Apache Parquet. Also reads NPZ with one array and, for points, the vertices
//! of PLY and text without names of columns.
//!
//! [`Input`] reads items, such as rays, block by block from a file, a folder of Parquet files or stdin.
//! [`hit_sink`] writes answers in columns. [`run`] does both at the same time as the caller's closure
//! answers, in bounded memory. This crate knows no engine: the closure asks it.
//! [`job`] writes answers in parts, so that a run that was killed goes on where it stopped.
//!
//! ```
//! use estoc_core::Ray;
//! use estoc_rays_io::{
//!     Answers, ColumnKind, ColumnValues, Emit, TableFormat, Input, Limits, OutputColumn, SinkOptions, TypedValues,
//!     Watch, hit_sink, run,
//! };
//! let text = "ox,oy,oz,dx,dy,dz\n0,0,1,0,0,-1\n5,0,1,0,0,-1\n";
//! let mut rays = Input::<Ray>::of_bytes("rays.csv", text.into())?;
//! let columns = vec![
//!     OutputColumn::new("ray", ColumnKind::Row),
//!     OutputColumn::new("hit", ColumnKind::Flag),
//! ];
//! let mut hits = Vec::new();
//! let mut sink = hit_sink(TableFormat::Csv, columns, &mut hits, SinkOptions::default())?;
//! let answer = |rays: &[Ray], emit: &mut Emit<'_>| {
//!     let hit = rays.iter().map(|ray| ray.origin.x < 1.0).collect();
//!     emit.put(Answers {
//!         items: 0..rays.len(),
//!         item_of_row: None,
//!         columns: vec![ColumnValues::all(TypedValues::Given), ColumnValues::all(TypedValues::Flags(hit))],
//!     });
//!     Ok::<(), std::io::Error>(())
//! };
//! let summary = run(&mut rays, 0..u64::MAX, Limits::default(), answer, &mut *sink, Watch::default())?;
//! sink.finish()?;
//! assert_eq!(summary.items, 2);
//! assert_eq!(String::from_utf8(hits)?, "ray,hit\n0,1\n1,0\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "parquet")]
mod arrow_bytes;
#[cfg(feature = "parquet")]
mod arrow_text;
mod block;
mod cell_text;
mod content;
mod csv;
mod input;
mod input_error;
mod input_options;
mod item;
pub mod job;
mod mask;
mod npy;
mod npz;
mod number_text;
mod open_file;
mod output;
#[cfg(feature = "parquet")]
mod parquet;
mod passed_cells;
mod passed_types;
mod pipeline;
mod ply;
mod table_format;

pub use block::{Block, Passed};
pub use cell_text::{quoted, unquoted};
pub use csv::column_named;
pub use input::Input;
pub use input_error::{InputError, InputPlace, InputProblem};
pub use input_options::InputOptions;
pub use item::{EitherNumber, Item, ItemNumber, MOST_COLUMNS};
pub use number_text::{Number, Number64};
pub use open_file::InputProgress;
pub use output::{
    AnsweredBlock, Answers, ColumnKind, ColumnValues, Compression, HitSink, OutputColumn,
    OutputError, ResultFile, SinkOptions, Texts, TypedValues, check_passed_text, hit_sink,
};
pub use passed_cells::PassedCells;
pub use passed_types::PassedTypes;
pub use pipeline::{Emit, Limits, RunError, Summary, Watch, run};
pub use table_format::TableFormat;

/// Compiles and runs the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
