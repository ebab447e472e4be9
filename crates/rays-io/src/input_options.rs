//! How an input is opened.

/// How an input is opened.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct InputOptions {
    /// Bytes that reading may take, about; 0 for 1 GiB.
    pub memory: u64,
    /// The largest number of bytes that one page of a Parquet file may take in memory; 0 for a share
    /// of [`memory`](Self::memory): half of it divided by the number of columns that are read, but at
    /// least 8 MiB.
    pub most_page_bytes: u64,
}

impl InputOptions {
    /// Returns options with this many bytes.
    pub fn memory(memory: u64) -> Self {
        InputOptions {
            memory,
            ..InputOptions::default()
        }
    }
}
