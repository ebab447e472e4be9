//! Parquet: columns, types, nulls, folders, and a layout that depends on the rows only.

use crate::common::{answered, bits, columns, csv, file, npy_of, open, rays, read_all};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, Float32Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray,
};
use estoc_core::glam::Vec3;
use estoc_core::{Ray, Ray64};
use estoc_rays_io::{
    Block, ColumnKind, Compression, Input, Limits, OutputColumn, Passed, SinkOptions, TableFormat,
    Watch, hit_sink, run,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression as Codec;
use parquet::file::properties::WriterProperties;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Columns and their names.
type Arrays = Vec<(&'static str, ArrayRef)>;

pub(crate) const NAMES: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Returns a file of these columns, in groups of at most `group` rows.
pub(crate) fn parquet(columns: Vec<(&str, ArrayRef)>, group: usize, codec: Codec) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    )
    .unwrap();
    let properties = WriterProperties::builder()
        .set_compression(codec)
        .set_data_page_row_count_limit(100)
        .set_write_batch_size(50)
        .set_max_row_group_row_count(Some(group));
    let mut bytes = Vec::new();
    let mut writer =
        ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build())).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

/// Returns the columns of rays.
pub(crate) fn arrays(rays: &[[f32; 6]]) -> Arrays {
    let of = |place: usize| -> ArrayRef {
        Arc::new(Float32Array::from_iter_values(
            rays.iter().map(|ray| ray[place]),
        ))
    };
    NAMES
        .into_iter()
        .enumerate()
        .map(|(i, name)| (name, of(i)))
        .collect()
}

/// Returns the only batch of a file.
fn batch(bytes: Vec<u8>) -> RecordBatch {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let mut reader = reader.with_batch_size(1 << 20).build().unwrap();
    reader.next().unwrap().unwrap()
}

fn told<T: estoc_rays_io::Item>(path: &Path) -> String {
    let (_, error) = read_all(open::<T>(path), 1 << 20);
    let name = path.display().to_string();
    error.unwrap().to_string().replace(&name, "FILE")
}

#[test]
fn the_same_rays_have_the_same_answers_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(2_500, 11);
    let (text, array) = (csv(&rays).into_bytes(), npy_of(&rays));
    for codec in [
        Codec::UNCOMPRESSED,
        Codec::SNAPPY,
        Codec::ZSTD(Default::default()),
        Codec::LZ4_RAW,
        Codec::GZIP(Default::default()),
    ] {
        let path = file(&folder, "rays.csv", &parquet(arrays(&rays), 700, codec));
        for format in [TableFormat::Csv, TableFormat::Npy, TableFormat::Parquet] {
            let of_file = open::<Ray>(&path).unwrap();
            assert_eq!(
                (of_file.format(), of_file.rows()),
                (TableFormat::Parquet, Some(2_500))
            );
            let of_file = answered(of_file, format, 0).unwrap();
            let of_text = Input::of_bytes("r.csv", text.clone()).unwrap();
            let of_array = Input::of_bytes("r.npy", array.clone()).unwrap();
            assert!(
                of_file == answered(of_text, format, 1 << 30).unwrap(),
                "{codec} {format}"
            );
            assert!(
                of_file == answered(of_array, format, 1 << 20).unwrap(),
                "{codec} {format}"
            );
        }
    }
}

#[test]
fn answers_are_columns_with_nulls_for_misses() {
    let rays = rays(300, 12);
    let input = Input::of_bytes("r.npy", npy_of(&rays)).unwrap();
    let batch = batch(answered(input, TableFormat::Parquet, 1 << 30).unwrap());
    let names: Vec<&str> = batch
        .schema_ref()
        .fields()
        .iter()
        .map(|f| f.name().as_str())
        .collect();
    assert_eq!(names, ["ray_id", "t", "prim", "u"]);
    let ids = batch.column(0).as_primitive::<Int64Type>();
    let t = batch.column(1).as_primitive::<Float32Type>();
    let prim = batch.column(2).as_primitive::<Int32Type>();
    for (row, ray) in rays.iter().enumerate() {
        assert_eq!(ids.value(row), row as i64);
        let is_hit = ray[0] < 2.0;
        assert_eq!([t.is_valid(row), prim.is_valid(row)], [is_hit; 2]);
        if is_hit {
            assert_eq!(t.value(row).to_bits(), (ray[2] * ray[3]).to_bits());
            assert_eq!(prim.value(row), (ray[1].to_bits() >> 8) as i32);
        }
    }
}

#[test]
fn bytes_depend_on_the_rows_only() {
    let rays = rays(70_000, 13);
    let array = npy_of(&rays);
    let with = |memory, threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let input = Input::of_bytes("r.npy", array.clone()).unwrap();
        pool.install(|| answered(input, TableFormat::Parquet, memory).unwrap())
    };
    let expected = with(1 << 30, 2);
    assert!(with(0, 1) == expected);
    assert!(with(5 << 20, 3) == expected);
    let text = String::from_utf8_lossy(&expected);
    assert!(!text.contains("thread") && text.contains("parquet-rs"));
}

#[test]
fn nulls_are_undefined_rays_and_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = arrays(&rays(3, 14));
    columns[4].1 = Arc::new(Float32Array::from(vec![Some(1.0), None, Some(2.0)]));
    columns.push((
        "TMin",
        Arc::new(Float64Array::from(vec![None, Some(0.25), Some(0.5)])),
    ));
    columns.push((
        "tmax",
        Arc::new(Float32Array::from(vec![Some(9.0), None, Some(8.0)])),
    ));
    let path = file(&folder, "r.parquet", &parquet(columns, 2, Codec::SNAPPY));
    let (rays, error) = read_all(open::<Ray>(&path), 9);
    assert!(error.is_none());
    assert_eq!([rays[0].t_min, rays[0].t_max], [0.0, 9.0]);
    assert_eq!([rays[1].t_min, rays[1].t_max], [0.25, f32::INFINITY]);
    assert!(rays[1].check().is_err() && rays[1].dir.y.is_nan());
    assert!(rays[0].check().is_ok() && rays[2].check().is_ok());
}

#[test]
fn f64s_are_rounded_once_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let wide = |x: f64| -> ArrayRef { Arc::new(Float64Array::from(vec![x, 0.5])) };
    let columns = NAMES.into_iter().zip([0.1, 1.0, 1e300, 0.25, 3.0, -0.0]);
    let columns = columns.map(|(name, x)| (name, wide(x))).collect();
    let path = file(
        &folder,
        "r.parquet",
        &parquet(columns, 99, Codec::UNCOMPRESSED),
    );
    let mut input = open::<Ray>(&path).unwrap();
    let mut block = Block::default();
    input.read(&mut block, 9).unwrap();
    assert_eq!(
        (input.rounded(), block.items[0].origin.z),
        (2, f32::INFINITY)
    );
    assert_eq!(block.items[0].origin.x.to_bits(), 0.1_f32.to_bits());
    let (rays, _) = read_all(open::<Ray64>(&path), 9);
    assert_eq!(rays[0].origin.to_array(), [0.1, 1.0, 1e300]);
}

#[test]
fn rows_are_skipped_and_read_in_any_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(2_000, 15);
    let path = file(
        &folder,
        "r.parquet",
        &parquet(arrays(&rays), 512, Codec::SNAPPY),
    );
    let (all, _) = read_all(open::<Ray>(&path), 1 << 20);
    let (small, _) = read_all(open::<Ray>(&path), 33);
    assert!(bits(&all) == bits(&small) && all.len() == 2_000);
    for row in [0, 1, 511, 512, 1_300, 1_999, 2_000] {
        let mut input = open::<Ray>(&path).unwrap();
        input.seek(row).unwrap();
        let mut block = Block::default();
        input.read(&mut block, 600).unwrap();
        let end = (row as usize + 600).min(2_000);
        assert_eq!(block.first_row, row);
        assert!(bits(&block.items) == bits(&all[row as usize..end]), "{row}");
    }
    assert!(open::<Ray>(&path).unwrap().seek(2_001).is_err());
}

#[test]
fn a_folder_is_one_input() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(1_000, 16);
    let part = |rays| parquet(arrays(rays), 300, Codec::UNCOMPRESSED);
    file(&folder, "b.parquet", &part(&rays[400..400]));
    file(&folder, "c.parquet", &part(&rays[400..]));
    file(&folder, "a.PARQUET", &part(&rays[..400]));
    file(&folder, "_metadata.parquet", b"left out");
    file(&folder, "readme.txt", b"left out");
    let input = open::<Ray>(folder.path()).unwrap();
    assert_eq!(
        (input.rows(), input.format()),
        (Some(1_000), TableFormat::Parquet)
    );
    let of_folder = answered(input, TableFormat::Csv, 0).unwrap();
    let of_array = Input::of_bytes("r.npy", npy_of(&rays)).unwrap();
    assert!(of_folder == answered(of_array, TableFormat::Csv, 0).unwrap());
    let mut input = open::<Ray>(folder.path()).unwrap();
    input.seek(399).unwrap();
    let mut block = Block::default();
    input.read(&mut block, 3).unwrap();
    assert_eq!(block.items.len(), 3);
    // Another schema, in a file behind the others.
    let mut other = arrays(&rays[..1]);
    other.swap(0, 1);
    let other = file(
        &folder,
        "d.parquet",
        &parquet(other, 9, Codec::UNCOMPRESSED),
    );
    let error = open::<Ray>(folder.path()).err().unwrap().to_string();
    assert!(error.starts_with(&*other.to_string_lossy()), "{error}");
    assert!(
        error.contains("not those of the first file of the folder"),
        "{error}"
    );
    let empty = tempfile::tempdir().unwrap();
    let error = open::<Ray>(empty.path()).err().unwrap().to_string();
    assert!(
        error.ends_with("the folder has no file named *.parquet"),
        "{error}"
    );
}

/// Columns of any type, and ids.
fn with_more(rays: &[[f32; 6]]) -> Arrays {
    let count = rays.len() as i64;
    let mut columns = arrays(rays);
    let name = |i: i64| (i % 3 > 0).then(|| format!("n, {i}"));
    let list = |i: i64| Some((0..i % 4).map(Some).collect::<Vec<_>>());
    let lists = ListArray::from_iter_primitive::<Int64Type, _, _>((0..count).map(list));
    columns.insert(
        0,
        (
            "ray_id",
            Arc::new(Int64Array::from_iter_values((0..count).map(|i| 7 * i))),
        ),
    );
    columns.insert(
        3,
        (
            "name",
            Arc::new(StringArray::from_iter((0..count).map(name))),
        ),
    );
    columns.push(("tags", Arc::new(lists)));
    columns
}

/// Answers the rays of a file, with columns passed through.
fn passed(path: &Path, format: TableFormat, memory: u64) -> Vec<u8> {
    let mut input = open::<Ray>(path).unwrap();
    assert_eq!(input.columns()[3], "name");
    input.read_ids();
    input.pass_through(vec![8, 3]);
    let mut all = columns(format);
    all.push(OutputColumn::new("tags", ColumnKind::Passed(0)));
    all.push(OutputColumn::new("name", ColumnKind::Passed(1)));
    let mut options = SinkOptions::default();
    options.passed = input.passed_types();
    options.compression = Compression::Zstd;
    options.metadata = vec![("estoc.query".into(), "closest".into())];
    let mut bytes = Vec::new();
    let mut sink = hit_sink(format, all, &mut bytes, options).unwrap();
    let limits = Limits::memory(memory);
    let with_given = |rays: &[Ray], emit: &mut estoc_rays_io::Emit<'_>| {
        answer_with(rays, emit, 2);
        Ok::<(), String>(())
    };
    run(
        &mut input,
        0..u64::MAX,
        limits,
        with_given,
        &mut *sink,
        Watch::default(),
    )
    .unwrap();
    sink.finish().unwrap();
    bytes
}

/// The usual answers with some columns passed through, in two pieces.
fn answer_with(rays: &[Ray], emit: &mut estoc_rays_io::Emit<'_>, more: usize) {
    use estoc_rays_io::{Answers, ColumnValues, TypedValues};
    let middle = rays.len() / 2;
    for items in [0..middle, middle..rays.len()] {
        let some = &rays[items.clone()];
        let numbers = || TypedValues::Numbers(some.iter().map(|ray| ray.origin.z).collect());
        let mut columns = vec![
            ColumnValues::all(TypedValues::Given),
            ColumnValues::all(numbers()),
            ColumnValues::all(TypedValues::Prims(vec![5; some.len()])),
            ColumnValues::all(numbers()),
        ];
        columns.extend((0..more).map(|_| ColumnValues::all(TypedValues::Given)));
        emit.put(Answers {
            items,
            item_of_row: None,
            columns,
        });
    }
}

#[test]
fn other_columns_are_passed_through() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(2_600, 17);
    let more = with_more(&rays);
    let expected: Vec<ArrayRef> = [8, 3, 0].map(|place| more[place].1.clone()).to_vec();
    let path = file(&folder, "r.parquet", &parquet(more, 400, Codec::SNAPPY));
    let bytes = passed(&path, TableFormat::Parquet, 0);
    assert!(bytes == passed(&path, TableFormat::Parquet, 1 << 30));
    let batch = batch(bytes);
    assert_eq!(
        batch.column(4).as_list::<i32>(),
        expected[0].as_list::<i32>()
    );
    assert_eq!(
        batch.column(5).as_string::<i32>(),
        expected[1].as_string::<i32>()
    );
    assert_eq!(
        batch.column(0).as_primitive::<Int64Type>(),
        expected[2].as_primitive::<Int64Type>()
    );
    let text = String::from_utf8(passed(&path, TableFormat::Csv, 0)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "ray,t,prim,u,tags,name");
    assert!(lines[1].ends_with(",[],"), "{}", lines[1]);
    assert!(
        lines[3].starts_with("2,") && lines[3].ends_with(",\"[0, 1]\",\"n, 2\""),
        "{}",
        lines[3]
    );
    // Text of CSV is text in Parquet.
    let text = "id,x,y,z\n\"a, \"\"b\"\"\",1,2,3\n,1,2,3\n";
    let mut points = Input::<Vec3>::of_bytes("p.csv", text.into()).unwrap();
    points.pass_through(vec![0]);
    let mut block = Block::default();
    points.read(&mut block, 9).unwrap();
    assert!(matches!(block.passed, Passed::Cells(_)));
    assert_eq!(block.passed.text(0, 0).unwrap(), "a, \"b\"");
}

#[test]
fn what_is_wrong_is_told_with_file_and_row() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(900, 18);
    let with = |change: &dyn Fn(&mut Arrays)| {
        let mut columns = arrays(&rays);
        change(&mut columns);
        file(
            &folder,
            "r.parquet",
            &parquet(columns, 300, Codec::UNCOMPRESSED),
        )
    };
    let integers: ArrayRef = Arc::new(Int64Array::from(vec![1; 900]));
    let path = with(&|columns| columns[2].1 = integers.clone());
    assert_eq!(
        told::<Ray>(&path),
        "FILE: the column oz is of type Int64; it must be Float32 or Float64"
    );
    let path = with(&|columns| drop(columns.remove(1)));
    assert_eq!(
        told::<Ray>(&path),
        "FILE: missing column oy; the columns must name ox,oy,oz,dx,dy,dz (and may name tmin,tmax,mask), \
         but names \"ox,oz,dx,dy,dz\""
    );
    let path = with(&|columns| {
        let column = columns[1].1.clone();
        columns.push(("oy", column));
    });
    assert_eq!(
        told::<Ray>(&path),
        "FILE: the column oy appears twice; rename one of them"
    );
    // An id that is null, in the second group.
    let ids = (0..900).map(|i| (i != 456).then_some(i));
    let ids: ArrayRef = Arc::new(Int64Array::from_iter(ids));
    let path = with(&|columns| columns.push(("ray_id", ids.clone())));
    let mut input = open::<Ray>(&path).unwrap();
    input.read_ids();
    let (items, error) = read_all(Ok(input), 1 << 20);
    assert_eq!(items.len(), 456);
    let error = error.unwrap().to_string();
    assert!(
        error.contains("r.parquet: row 456: ray_id is null"),
        "{error}"
    );
    // Without them, the column is ignored.
    assert!(read_all(open::<Ray>(&path), 1 << 20).1.is_none());
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["a"; 900]));
    let path = with(&|columns| columns.push(("ray_id", texts.clone())));
    let mut input = open::<Ray>(&path).unwrap();
    input.read_ids();
    let error = read_all(Ok(input), 9).1.unwrap().to_string();
    assert!(
        error.ends_with("ray_id is of type Utf8; it must be Int64, Int32 or UInt32"),
        "{error}"
    );
}

#[test]
fn a_triangle_without_a_number_in_parquet_is_an_error() {
    let ray = [[0.0, -1.0, 1.0, 1.0, 1.0, 1.0]];
    let mut input = Input::<Ray>::of_bytes("r.npy", npy_of(&ray)).unwrap();
    let mut sink = hit_sink(
        TableFormat::Parquet,
        columns(TableFormat::Parquet),
        Vec::new(),
        SinkOptions::default(),
    )
    .unwrap();
    let large = |rays: &[Ray], emit: &mut estoc_rays_io::Emit<'_>| {
        use estoc_rays_io::{Answers, ColumnValues, TypedValues};
        emit.put(Answers {
            items: 0..rays.len(),
            item_of_row: None,
            columns: vec![
                ColumnValues::all(TypedValues::Given),
                ColumnValues::all(TypedValues::Numbers(vec![1.0])),
                ColumnValues::all(TypedValues::Prims(vec![1 << 31])),
                ColumnValues::all(TypedValues::Numbers(vec![1.0])),
            ],
        });
        Ok::<(), String>(())
    };
    let watch = Watch::default();
    let error = run(
        &mut input,
        0..9,
        Limits::default(),
        large,
        &mut *sink,
        watch,
    )
    .unwrap_err();
    let expected = "row 0: triangle 2147483648 has no number in Parquet";
    assert!(error.to_string().starts_with(expected), "{error}");
}
