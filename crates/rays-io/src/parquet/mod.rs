//! Reads rays and points from Apache Parquet, a group of rows at a time.
//!
//! The library that decodes Parquet checks most of a file, but not all: some declared sizes are
//! allocated before they are compared with the file, and some broken files make it panic
//! (apache/arrow-rs issues 2855 and 9705). [`thrift`] and [`bounds`] compare declared sizes with the
//! file first, and [`quiet_panic`] turns a panic into an error.

mod bounds;
mod decode_limits;
mod dictionary;
mod items;
mod opening;
mod part;
mod quiet_panic;
mod reader;
mod thrift;

pub(crate) use decode_limits::DecodeLimits;
pub(crate) use part::OpenPart;
pub(crate) use reader::ParquetReader;
