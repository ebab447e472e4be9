//! Checksums, which show damage to a file.
//!
//! Each section is divided into blocks, and each block has the XXH3 of its bytes (Collet 2019; 64
//! bits). Any thread can check a block while it is in the caches.

use super::file_header::BLOCK;
use super::section::Entry;
use xxhash_rust::xxh3::xxh3_64;

/// Returns the checksum of a block.
pub(super) fn of_block(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Returns the number of blocks of a section of `length` bytes.
pub(super) fn blocks(length: u64) -> u64 {
    length.div_ceil(BLOCK as u64)
}

/// The checksums of all blocks of a file, followed in the file by a checksum of themselves.
pub(super) struct Checksums(Vec<u64>);

impl Checksums {
    /// Returns the size of all checksums in bytes, for sections of these lengths.
    pub(super) fn length(sections: impl Iterator<Item = u64>) -> u64 {
        let each = size_of::<u64>() as u64;
        let blocks = sections.map(blocks).fold(0_u64, u64::saturating_add);
        blocks.saturating_add(1).saturating_mul(each)
    }

    /// Returns the checksums stored in a file, or `None` if their own checksum does not match.
    pub(super) fn read(mut all: Vec<u64>) -> Option<Self> {
        let own = all.pop()?;
        (own == of_block(bytemuck::cast_slice(&all))).then_some(Checksums(all))
    }

    /// Returns the bytes to store in a file.
    pub(super) fn to_bytes(mut blocks: Vec<u64>) -> Vec<u8> {
        blocks.push(of_block(bytemuck::cast_slice(&blocks)));
        bytemuck::cast_slice(&blocks).to_vec()
    }

    /// Returns the checksums of a section's blocks.
    pub(super) fn of_section(&self, table: &[Entry], place: usize) -> &[u64] {
        let before = table[..place].iter().map(|entry| blocks(entry.length));
        let first = before.sum::<u64>() as usize;
        let len = blocks(table[place].length) as usize;
        self.0.get(first..first + len).unwrap_or_default()
    }
}
