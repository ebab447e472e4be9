//! The memory for files of Parquet that are small and hold much.

use crate::common::{file, rays};
use crate::parquet::{arrays, parquet};
use arrow_array::{Array, ArrayRef, Float32Array, RecordBatch, StringArray};
use estoc_core::Ray;
use estoc_rays_io::{
    Answers, Block, ColumnKind, ColumnValues, Emit, Input, InputOptions, Limits, OutputColumn,
    Passed, SinkOptions, TableFormat, TypedValues, Watch, hit_sink, run,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression as Codec;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::sync::Arc;

const MIB: usize = 1 << 20;

#[test]
fn a_text_that_all_rows_share_does_not_fill_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (count, length) = (20_000, 20_000);
    let mut columns = arrays(&rays(count, 41));
    let text = "x".repeat(length);
    let texts = StringArray::from_iter_values((0..count).map(|_| &text));
    columns.push(("note", Arc::new(texts) as ArrayRef));
    let bytes = parquet(columns, 1 << 20, Codec::ZSTD(Default::default()));
    assert!(bytes.len() < MIB);
    let path = file(&folder, "r.parquet", &bytes);
    let options = InputOptions::memory(32 << 20);
    let mut input = Input::<Ray>::open(&path, &options).unwrap();
    input.pass_through(vec![6]);
    let (mut block, mut items) = (Block::default(), 0);
    loop {
        input.read(&mut block, 1 << 18).unwrap();
        items += block.items.len();
        let Passed::Arrays(arrays) = &block.passed else {
            break;
        };
        assert!(arrays[0].get_array_memory_size() <= 8 * MIB);
    }
    assert_eq!(items, count);
}

#[test]
fn large_pages_need_memory() {
    let folder = tempfile::tempdir().unwrap();
    let zeros: ArrayRef = Arc::new(Float32Array::from(vec![0.0; 3 << 20]));
    let names = crate::parquet::NAMES;
    let columns = names.map(|name| (name, zeros.clone()));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder()
        .set_compression(Codec::ZSTD(Default::default()))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(1 << 22))
        .set_data_page_size_limit(1 << 30)
        .set_data_page_row_count_limit(1 << 30);
    let mut bytes = Vec::new();
    let properties = Some(properties.build());
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), properties).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let path = file(&folder, "r.parquet", &bytes);
    let read = |memory: u64| {
        let mut input = Input::<Ray>::open(&path, &InputOptions::memory(memory)).unwrap();
        let read = input.read(&mut Block::default(), 9);
        read.map_err(|error| error.to_string())
    };
    let told = read(32 << 20).unwrap_err();
    let expected = "row 0: column ox: a page decompresses to 12582912 bytes, more than the 8388608 bytes \
                    allowed; write smaller pages, or raise --memory to 144M or more";
    assert!(told.ends_with(expected), "{told}");
    read(144 << 20).unwrap();
}

/// Each ray has 40 rows, which repeat its long note; `most` rays are answered at a time.
fn repeated(rays: &[Ray], emit: &mut Emit<'_>, most: usize) {
    for start in (0..rays.len()).step_by(most) {
        let items = start..rays.len().min(start + most);
        let of_rows: Vec<u32> = items.clone().flat_map(|i| vec![i as u32; 40]).collect();
        let prims = (0..40).cycle().take(of_rows.len()).collect();
        emit.put(Answers {
            items,
            item_of_row: Some(of_rows),
            columns: vec![
                ColumnValues::all(TypedValues::Given),
                ColumnValues::all(TypedValues::Prims(prims)),
            ],
        });
    }
}

#[test]
fn rows_of_long_texts_are_the_same_bytes_however_they_are_cut() {
    let head = "ox,oy,oz,dx,dy,dz,note\n";
    let note = |letter: &str| format!("0,0,0,0,0,1,{}\n", letter.repeat(300_000));
    let text = head.to_owned() + &["a", "b", "c"].map(note).concat();
    let written = |most: usize| {
        let mut input = Input::<Ray>::of_bytes("r.csv", text.clone().into()).unwrap();
        input.pass_through(vec![6]);
        let columns = vec![
            OutputColumn::new("note", ColumnKind::Passed(0)),
            OutputColumn::new("prim", ColumnKind::Prim),
        ];
        let mut options = SinkOptions::default();
        options.passed = input.passed_types();
        let mut bytes = Vec::new();
        let mut sink = hit_sink(TableFormat::Parquet, columns, &mut bytes, options).unwrap();
        let answer = |rays: &[Ray], emit: &mut Emit<'_>| {
            repeated(rays, emit, most);
            Ok::<(), String>(())
        };
        let (limits, watch) = (Limits::default(), Watch::default());
        run(&mut input, 0..9, limits, answer, &mut *sink, watch).unwrap();
        sink.finish().unwrap();
        bytes
    };
    let all = written(3);
    assert!(all == written(1));
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "hits.parquet", &all);
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    assert_eq!(reader.metadata().file_metadata().num_rows(), 120);
}
