//! One program, because each test program would compile and link its dependencies again.

mod common;
mod csv;
#[cfg(feature = "parquet")]
mod job_corrupt;
mod job_folder;
mod job_merge;
mod job_text;
mod masks;
mod mutations;
mod npy;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_checksums;
#[cfg(feature = "parquet")]
mod parquet_hostile;
#[cfg(feature = "parquet")]
mod parquet_memory;
#[cfg(feature = "parquet")]
mod parquet_text;
mod pipeline;
mod point_clouds;
