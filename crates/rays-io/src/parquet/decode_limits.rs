//! How much memory decoding Parquet takes.

use crate::input_options::InputOptions;
use estoc_mesh::parts::counted;

/// The bytes of memory unless the caller says otherwise.
const MEMORY: u64 = 1 << 30;

/// The largest page, however little memory there is: usual writers make pages of 1 MiB.
const LEAST_PAGE: u64 = 1 << 23;

/// Rows that are decoded at a time, at most.
const BATCH: u64 = 1 << 16;

/// Bounds on what is decoded at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecodeLimits {
    /// The largest page of a column, in bytes.
    pub(super) page: u64,
    /// The number of pages that `--memory` should have room for, if the largest page depends on it.
    pages: Option<u64>,
    /// Bytes of the values passed through at which a block ends, and of the texts of a batch.
    pub(super) block: usize,
}

impl DecodeLimits {
    /// Returns the limits for reading this many columns.
    pub(crate) fn of(options: &InputOptions, columns: usize) -> Self {
        let memory = match options.memory {
            0 => MEMORY,
            memory => memory,
        };
        // A page exists packed and decompressed, in each column.
        let pages = 2 * columns.max(1) as u64;
        let (page, pages) = match options.most_page_bytes {
            0 => ((memory / pages).max(LEAST_PAGE), Some(pages)),
            bytes => (bytes, None),
        };
        // Some blocks are in flight, and their values exist twice or three times.
        let block = (memory / 16).clamp(1 << 18, 1 << 28) as usize;
        DecodeLimits { page, pages, block }
    }

    /// Returns the number of rows to decode at a time, if the texts of a row take at most this many
    /// bytes.
    pub(super) fn batch(&self, text_bytes: u64) -> usize {
        (self.block as u64 / text_bytes.max(1)).clamp(1, BATCH) as usize
    }

    /// Returns the message for a page of this many bytes, if it is too large.
    pub(super) fn refuse_page(&self, bytes: u64) -> Result<(), String> {
        if bytes <= self.page {
            return Ok(());
        }
        let way_out = match self.pages {
            Some(pages) => {
                let needed = bytes.saturating_mul(pages).div_ceil(1 << 20);
                format!(", or raise --memory to {needed}M or more")
            }
            None => String::new(),
        };
        Err(format!(
            "a page decompresses to {}, more than the {} allowed; write smaller pages{way_out}",
            counted(bytes, "byte"),
            counted(self.page, "byte")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_shares_of_the_memory() {
        let limits = DecodeLimits::of(&InputOptions::memory(1 << 30), 8);
        assert_eq!((limits.page, limits.block), (1 << 26, 1 << 26));
        assert_eq!((limits.batch(0), limits.batch(1 << 20)), (1 << 16, 64));
        assert_eq!(limits.batch(u64::MAX), 1);
        limits.refuse_page(1 << 26).unwrap();
        assert_eq!(
            limits.refuse_page((1 << 26) + 1).unwrap_err(),
            "a page decompresses to 67108865 bytes, more than the 67108864 bytes allowed; write \
             smaller pages, or raise --memory to 1025M or more"
        );
        let little = DecodeLimits::of(&InputOptions::memory(1), 8);
        assert_eq!((little.page, little.block), (LEAST_PAGE, 1 << 18));
    }
}
