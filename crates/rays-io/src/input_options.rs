//! How an input is opened.

/// How an input is opened.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct InputOptions {
    /// The largest number of bytes that one page of a Parquet file may take in memory; 0 for
    /// 256 MiB.
    pub most_page_bytes: u64,
}
