//! Files of Parquet with checksums of their pages.

use crate::common::{bits, file, open, rays, read_all};
use crate::parquet::{arrays, parquet};
use arrow_array::RecordBatch;
use estoc_core::Ray;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as Codec;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaDataWriter};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};

/// Returns the number at the start of some bytes, in groups of seven bits, and its length.
fn number(bytes: &[u8]) -> (u64, usize) {
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
    let groups = bytes[..length].iter().enumerate();
    let number = groups.map(|(i, byte)| u64::from(byte & 0x7f) << (7 * i));
    (number.sum(), length)
}

/// Returns the only page of a column with a checksum in its header.
fn with_checksum(chunk: &[u8]) -> Vec<u8> {
    // A header starts with the type of the page, its size, and its size when packed.
    let (mut at, mut packed) = (0, 0);
    for _ in 0..3 {
        let (twice, length) = number(&chunk[at + 1..]);
        (at, packed) = (at + 1 + length, twice as usize / 2);
    }
    let mut checksum = flate2::Crc::new();
    checksum.update(&chunk[chunk.len() - packed..]);
    let sum = i64::from(checksum.sum() as i32);
    let mut rest = (sum << 1 ^ sum >> 63) as u64;
    // The fourth field is a number; the fifth is the structure that was two fields further before.
    let mut page = chunk[..at].to_vec();
    page.push(0x15);
    while rest >= 0x80 {
        page.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    page.push(rest as u8);
    assert_eq!(chunk[at], 0x2c);
    page.push(0x1c);
    page.extend_from_slice(&chunk[at + 1..]);
    page
}

/// Returns a file of rays with a checksum for the page of each column.
fn checked(rays: &[[f32; 6]]) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(arrays(rays)).unwrap();
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_statistics_enabled(EnabledStatistics::None)
        .set_offset_index_disabled(true);
    let mut plain = Vec::new();
    let properties = Some(properties.build());
    let mut writer = ArrowWriter::try_new(&mut plain, batch.schema(), properties).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "plain", &plain);
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let (group, mut out) = (reader.metadata().row_group(0).clone(), b"PAR1".to_vec());
    let columns = group.columns().iter().map(|column| {
        let (start, length) = column.byte_range();
        let place = out.len() as i64;
        out.extend(with_checksum(&plain[start as usize..][..length as usize]));
        let builder = column.clone().into_builder().set_data_page_offset(place);
        let length = out.len() as i64 - place;
        builder.set_total_compressed_size(length).build().unwrap()
    });
    let columns: Vec<ColumnChunkMetaData> = columns.collect();
    let group = group.into_builder().set_column_metadata(columns);
    let metadata = reader.metadata().clone().into_builder();
    let metadata = metadata
        .set_row_groups(vec![group.build().unwrap()])
        .build();
    let writer = ParquetMetaDataWriter::new(&mut out, &metadata);
    writer.finish().unwrap();
    out
}

#[test]
fn a_page_that_differs_from_its_checksum_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(200, 61);
    let sound = checked(&rays);
    let path = file(&folder, "r.parquet", &sound);
    let (items, error) = read_all(open::<Ray>(&path), 99);
    assert!(error.is_none(), "{error:?}");
    let plain = parquet(arrays(&rays), 500, Codec::UNCOMPRESSED);
    let plain = file(&folder, "plain.parquet", &plain);
    assert!(bits(&items) == bits(&read_all(open::<Ray>(&plain), 99).0));
    // Another number, in the first column.
    let mut changed = sound;
    changed[400] ^= 1;
    let path = file(&folder, "r.parquet", &changed);
    let (items, error) = read_all(open::<Ray>(&path), 99);
    assert_eq!(items.len(), 0);
    let told = error.unwrap().to_string();
    assert!(
        told.contains("r.parquet: row 0: the file cannot be decoded"),
        "{told}"
    );
    assert!(told.contains("CRC") || told.contains("checksum"), "{told}");
}
