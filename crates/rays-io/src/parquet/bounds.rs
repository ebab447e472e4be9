//! Compares the sizes that a Parquet file declares with the file, before anything is allocated.

use super::decode_limits::DecodeLimits;
use super::dictionary::longest_text;
use super::thrift::{Broken, PageHeader, ThriftWalk, page_header};
use crate::open_file::read_at;
use estoc_mesh::parts::counted;
use parquet::basic::Type;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use std::fs::File;
use std::io;

/// The bytes at the end of a file: the length of the footer, and a mark.
const TAIL: u64 = 8;

/// The largest footer: of some hundred thousand groups of rows.
const LONGEST_FOOTER: u64 = 1 << 28;

/// The most memory for what a footer lists, with 512 bytes for each structure.
const MOST_STRUCTS: usize = 1 << 22;

/// The largest header of a page; it may hold two values of the column.
const LONGEST_HEADER: u64 = 1 << 20;

/// Checks the footer of a file.
///
/// # Errors
/// An error of the file, or what is wrong with it.
pub(super) fn check_footer(file: &File) -> io::Result<Result<(), String>> {
    let length = file.metadata()?.len();
    let cut = || {
        Ok(Err(
            "the file is truncated, so copy or write it again".into()
        ))
    };
    if length < TAIL + 4 {
        return cut();
    }
    let tail = read_at(file, length - TAIL, TAIL)?;
    match tail.split_at_checked(4) {
        Some((_, b"PAR1")) => {}
        Some((_, b"PARE")) => return Ok(Err("the file is encrypted; decrypt it first".into())),
        _ => return cut(),
    }
    let footer = u64::from(u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]));
    if footer > length - TAIL - 4 {
        return cut();
    }
    if footer > LONGEST_FOOTER {
        return Ok(Err(format!(
            "the footer has {}, more than 256 MiB; write fewer columns and groups of rows",
            counted(footer, "byte")
        )));
    }
    let bytes = read_at(file, length - TAIL - footer, footer)?;
    let mut walk = ThriftWalk::of(&bytes);
    if walk.structure().is_err() {
        return Ok(Err(
            "the footer is corrupt, so copy or write the file again".into(),
        ));
    }
    if walk.structs > MOST_STRUCTS {
        return Ok(Err(format!(
            "the footer lists {}, more than fit in memory; write fewer columns and groups of rows",
            counted(walk.structs as u64, "part")
        )));
    }
    Ok(Ok(()))
}

/// Checks the pages of some columns of a group of rows, and returns how many bytes the texts of a row
/// take, at most.
///
/// # Errors
/// An error of the file, or what is wrong with it.
pub(super) fn check_pages(
    file: &File,
    group: &RowGroupMetaData,
    columns: impl Iterator<Item = usize>,
    limits: &DecodeLimits,
) -> io::Result<Result<u64, String>> {
    let length = file.metadata()?.len();
    let mut text_bytes = 0_u64;
    if group.num_rows() < 0 {
        return Ok(Err("a group of rows declares fewer than none".into()));
    }
    for column in columns {
        let Some(chunk) = group.columns().get(column) else {
            return Ok(Err("a group of rows lacks a column".into()));
        };
        match check_chunk(file, length, group, chunk, limits)? {
            Ok(bytes) => text_bytes = text_bytes.saturating_add(bytes),
            Err(problem) => {
                let path = chunk.column_path().string();
                return Ok(Err(format!("column {path}: {problem}")));
            }
        }
    }
    Ok(Ok(text_bytes))
}

/// Checks the pages of a column, and returns how many bytes its texts take in a row, at most.
fn check_chunk(
    file: &File,
    length: u64,
    group: &RowGroupMetaData,
    chunk: &ColumnChunkMetaData,
    limits: &DecodeLimits,
) -> io::Result<Result<u64, String>> {
    let corrupt = |what: &str| {
        Ok(Err(format!(
            "{what}; the file is corrupt, so write it again"
        )))
    };
    // As the library, which requires that they are not negative.
    let start = chunk
        .dictionary_page_offset()
        .unwrap_or(chunk.data_page_offset());
    let (Ok(start), Ok(size)) = (u64::try_from(start), u64::try_from(chunk.compressed_size()))
    else {
        return corrupt("its place is negative");
    };
    let Some(end) = start.checked_add(size).filter(|&end| end <= length) else {
        return corrupt("its place is behind the end of the file");
    };
    let is_flat = chunk.column_descr().max_rep_level() == 0;
    if is_flat && chunk.num_values() != group.num_rows() {
        return corrupt("it declares another number of values than its group has rows");
    }
    let (mut at, mut values, mut text_bytes) = (start, 0_i64, 0_u64);
    while at < end {
        let header = match page_header(&read_at(file, at, 512.min(end - at))?) {
            Err(Broken::End) => page_header(&read_at(file, at, LONGEST_HEADER.min(end - at))?),
            header => header,
        };
        let Ok(header) = header else {
            return corrupt("the header of a page cannot be read");
        };
        let left = end - at - header.length as u64;
        let (Ok(packed), Ok(unpacked)) =
            (u64::try_from(header.packed), u64::try_from(header.unpacked))
        else {
            return corrupt("the size of a page is negative");
        };
        if packed > left {
            return corrupt("a page is longer than the column");
        }
        if let Err(problem) = limits.refuse_page(unpacked) {
            return Ok(Err(problem));
        }
        if header.values < 0 {
            return corrupt("a page declares fewer values than none");
        }
        match header.kind {
            2 if header.values as u64 > unpacked / least_bytes(chunk) => {
                return corrupt("a dictionary declares more values than it has bytes");
            }
            0 | 3 => {
                values = values.saturating_add(header.values);
                if values > chunk.num_values() {
                    return corrupt("its pages declare more values than the column");
                }
            }
            _ => {}
        }
        let is_dictionary = header.kind == 2 && chunk.column_type() == Type::BYTE_ARRAY;
        text_bytes = text_bytes.max(match is_dictionary {
            true => longest_text(file, chunk).unwrap_or(unpacked),
            false => text_bytes_of(chunk, &header, unpacked),
        });
        at += header.length as u64 + packed;
    }
    if values != chunk.num_values() {
        return corrupt("its pages declare fewer values than the column");
    }
    // A row of a list has many values; how many each has is known only after they are decoded.
    let values = u64::try_from(chunk.num_values()).unwrap_or(0);
    let rows = u64::try_from(group.num_rows()).unwrap_or(0).max(1);
    Ok(Ok(text_bytes.saturating_mul(values.div_ceil(rows))))
}

/// Returns how many bytes a value of a page takes that is not in a dictionary: at most if values share
/// their beginnings, else on average; 0 for numbers.
fn text_bytes_of(chunk: &ColumnChunkMetaData, header: &PageHeader, unpacked: u64) -> u64 {
    /// Each value has a length in common with the one before it.
    const DELTA_BYTE_ARRAY: i64 = 7;
    /// Indices into a dictionary.
    const DICTIONARIES: [i64; 2] = [2, 8];
    if chunk.column_type() == Type::FIXED_LEN_BYTE_ARRAY {
        return u64::try_from(chunk.column_descr().type_length()).unwrap_or(0);
    }
    match (header.kind, header.encoding) {
        _ if chunk.column_type() != Type::BYTE_ARRAY => 0,
        (0 | 3, DELTA_BYTE_ARRAY) => unpacked,
        (0 | 3, encoding) if !DICTIONARIES.contains(&encoding) => {
            let values = u64::try_from(header.values).unwrap_or(0);
            unpacked.div_ceil(values.max(1))
        }
        _ => 0,
    }
}

/// Returns the least number of bytes of a value in a dictionary.
fn least_bytes(chunk: &ColumnChunkMetaData) -> u64 {
    match chunk.column_type() {
        Type::FIXED_LEN_BYTE_ARRAY => {
            u64::try_from(chunk.column_descr().type_length()).map_or(1, |length| length.max(1))
        }
        Type::BOOLEAN => 1,
        _ => 4,
    }
}
