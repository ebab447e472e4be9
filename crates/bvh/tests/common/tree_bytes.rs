//! Reads and changes the bytes of a tree file, by its specification and without the library.

use std::ops::Range;
use xxhash_rust::xxh3::xxh3_64;

const HEADER: usize = 128;
const ENTRY: usize = 24;
const BLOCK: usize = 1 << 20;
pub(crate) const CHECKSUMS: u32 = 0xffff;

/// A section: its kind and its range of bytes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) kind: u32,
    pub(crate) bytes: Range<usize>,
}

pub(crate) fn u32_at(file: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(file[at..at + 4].try_into().unwrap())
}

pub(crate) fn u64_at(file: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(file[at..at + 8].try_into().unwrap())
}

pub(crate) fn put(file: &mut [u8], at: usize, bytes: &[u8]) {
    file[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Returns the sections of the file's table that lie within the file.
pub(crate) fn parts(file: &[u8]) -> Vec<Part> {
    let count = u32_at(file, 112) as usize;
    let entries = (0..count).map(|place| HEADER + ENTRY * place);
    let entries = entries.take_while(|entry| entry + ENTRY <= file.len());
    let part = |entry: usize| {
        let start = usize::try_from(u64_at(file, entry + 8)).ok()?;
        let length = usize::try_from(u64_at(file, entry + 16)).ok()?;
        let bytes = start..start.checked_add(length)?;
        file.get(bytes.clone())?;
        let kind = u32_at(file, entry);
        Some(Part { kind, bytes })
    };
    entries.filter_map(part).collect()
}

/// Returns the bytes of a section.
pub(crate) fn section(file: &[u8], kind: u32) -> Range<usize> {
    let found = parts(file).into_iter().find(|part| part.kind == kind);
    found.unwrap_or_else(|| panic!("no section {kind}")).bytes
}

/// Writes valid checksums.
pub(crate) fn seal(file: &mut [u8]) {
    let parts = parts(file);
    if let Some((last, others)) = parts.split_last()
        && last.kind == CHECKSUMS
    {
        let blocks = others
            .iter()
            .flat_map(|part| file[part.bytes.clone()].chunks(BLOCK));
        let mut all: Vec<u8> = blocks
            .flat_map(|block| xxh3_64(block).to_le_bytes())
            .collect();
        all.extend(xxh3_64(&all).to_le_bytes());
        let room = all.len().min(last.bytes.len());
        put(file, last.bytes.start, &all[..room]);
    }
    let sections = u32_at(file, 112) as usize;
    let end = (HEADER + ENTRY * sections.min(64)).min(file.len());
    put(file, 24, &[0; 8]);
    let hash = xxh3_64(&file[..end]);
    put(file, 24, &hash.to_le_bytes());
}
