//! Rays, files of them, and answers that depend on their numbers only.

use estoc_core::Ray;
use estoc_demo::SplitMix64;
use estoc_rays_io::{
    Answers, Block, ColumnKind, ColumnValues, Emit, HitSink, Input, InputError, InputOptions, Item,
    Limits, OutputColumn, ResultFile, RunError, SinkOptions, TableFormat, TypedValues, Watch,
    hit_sink, run,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Returns rays of six numbers.
pub(crate) fn rays(count: usize, seed: u64) -> Vec<[f32; 6]> {
    let mut rng = SplitMix64::new(seed);
    let mut number = || rng.between(-5.0, 5.0) as f32;
    (0..count)
        .map(|_| std::array::from_fn(|_| number()))
        .collect()
}

/// Returns the text of CSV with these rays.
pub(crate) fn csv(rays: &[[f32; 6]]) -> String {
    let lines = rays.iter().map(|ray| {
        let cells = ray.map(|x| format!("{x:e}"));
        format!("{}\n", cells.join(","))
    });
    format!("ox,oy,oz,dx,dy,dz\n{}", lines.collect::<String>())
}

/// Returns a file of NPY, version `major`.0.
pub(crate) fn npy(major: u8, dtype: &str, is_fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let mut text = format!("{{'descr': {dtype}, 'fortran_order': {order}, 'shape': {shape}, }}");
    while !(12 + text.len()).is_multiple_of(64) {
        text.push(' ');
    }
    text.pop();
    text.push('\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend_from_slice(&[major, 0]);
    match major {
        1 => bytes.extend_from_slice(&(text.len() as u16).to_le_bytes()),
        _ => bytes.extend_from_slice(&(text.len() as u32).to_le_bytes()),
    }
    bytes.extend_from_slice(text.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

/// Returns rays as an array of `f32`s.
pub(crate) fn npy_of(rays: &[[f32; 6]]) -> Vec<u8> {
    let data: Vec<u8> = rays
        .iter()
        .flatten()
        .flat_map(|x| x.to_le_bytes())
        .collect();
    npy(1, "'<f4'", false, &format!("({}, 6)", rays.len()), &data)
}

/// Writes a file into a folder.
pub(crate) fn file(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

pub(crate) fn open<T: Item>(path: &Path) -> Result<Input<T>, InputError> {
    Input::open(path, &InputOptions::default())
}

/// Reads all items, and the error that ends them.
pub(crate) fn read_all<T: Item>(
    input: Result<Input<T>, InputError>,
    most: usize,
) -> (Vec<T>, Option<InputError>) {
    let mut items = Vec::new();
    let mut input = match input {
        Ok(input) => input,
        Err(error) => return (items, Some(error)),
    };
    let mut block = Block::default();
    loop {
        let first = items.len() as u64;
        let read = input.read(&mut block, most);
        assert!(block.items.len() <= most);
        assert_eq!(block.first_row, first);
        let is_end = block.items.is_empty();
        items.append(&mut block.items);
        assert_eq!(input.row(), items.len() as u64);
        match read {
            Err(error) => return (items, Some(error)),
            Ok(()) if is_end => return (items, None),
            Ok(()) => {}
        }
    }
}

/// Asserts that an array in a file is read whole, in blocks of any size, and from row `from` on; returns
/// the input after the latter.
pub(crate) fn assert_array<T: Item, B: PartialEq + std::fmt::Debug>(
    path: &Path,
    (expected, from): (&[T], usize),
    bits: fn(&[T]) -> Vec<B>,
    case: &str,
) -> Input<T> {
    for most in [7, 1 << 20] {
        let input = open::<T>(path).unwrap();
        assert_eq!(input.rows(), Some(expected.len() as u64), "{case}");
        let (items, error) = read_all(Ok(input), most);
        assert!(error.is_none(), "{case}: {error:?}");
        assert!(bits(&items) == bits(expected), "{case}");
    }
    let mut input = open::<T>(path).unwrap();
    let mut block = Block::default();
    input.seek(from as u64).unwrap();
    input.read(&mut block, 99).unwrap();
    assert_eq!(bits(&block.items), bits(&expected[from..]), "{case}");
    input
}

/// Returns the bits of rays, so that NaN equals itself.
pub(crate) fn bits(rays: &[Ray]) -> Vec<[u32; 8]> {
    let of = |ray: &Ray| {
        let [ox, oy, oz] = ray.origin.to_array();
        let [dx, dy, dz] = ray.dir.to_array();
        [ox, oy, oz, dx, dy, dz, ray.t_min, ray.t_max].map(f32::to_bits)
    };
    rays.iter().map(of).collect()
}

/// The columns of the answers below.
pub(crate) fn columns(format: TableFormat) -> Vec<OutputColumn> {
    let first = match format {
        TableFormat::Parquet => OutputColumn::new("ray_id", ColumnKind::Id),
        _ => OutputColumn::new("ray", ColumnKind::Row),
    };
    vec![
        first,
        OutputColumn::new("t", ColumnKind::Number).missing("inf"),
        OutputColumn::new("prim", ColumnKind::Prim).missing("-1"),
        OutputColumn::new("u", ColumnKind::Number),
    ]
}

/// Answers that depend on the numbers of rays only: a third are misses.
pub(crate) fn answer(rays: &[Ray], emit: &mut Emit<'_>) -> Result<(), String> {
    let present: Vec<bool> = rays.iter().map(|ray| ray.origin.x < 2.0).collect();
    let present = Some(Arc::new(present));
    let numbers = |of: fn(&Ray) -> f32| ColumnValues {
        values: TypedValues::Numbers(rays.iter().map(of).collect()),
        present: present.clone(),
    };
    let prims = rays.iter().map(|ray| ray.origin.y.to_bits() >> 8);
    emit.put(Answers {
        items: 0..rays.len(),
        item_of_row: None,
        columns: vec![
            ColumnValues::all(TypedValues::Given),
            numbers(|ray| ray.origin.z * ray.dir.x),
            ColumnValues {
                values: TypedValues::Prims(prims.collect()),
                present: present.clone(),
            },
            numbers(|ray| ray.dir.y),
        ],
    });
    Ok(())
}

/// Returns a sink of CSV with the columns of [`answer`].
pub(crate) fn csv_sink<'a>(output: impl ResultFile + 'a) -> Box<dyn HitSink + 'a> {
    let columns = columns(TableFormat::Csv);
    hit_sink(TableFormat::Csv, columns, output, SinkOptions::default()).unwrap()
}

/// Answers all rays of an input, and returns the file of answers.
pub(crate) fn answered(
    mut input: Input<Ray>,
    format: TableFormat,
    memory: u64,
) -> Result<Vec<u8>, RunError<String>> {
    let mut bytes = Vec::new();
    let mut options = SinkOptions::default();
    options.rows = input.rows();
    input.read_ids();
    let mut sink = hit_sink(format, columns(format), &mut bytes, options).unwrap();
    let limits = Limits::memory(memory);
    run(
        &mut input,
        0..u64::MAX,
        limits,
        answer,
        &mut *sink,
        Watch::default(),
    )?;
    sink.finish().map_err(RunError::Output)?;
    Ok(bytes)
}

/// Compresses bytes with gzip.
pub(crate) fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// Returns an archive of ZIP with these files, each compressed by Deflate or stored.
pub(crate) fn zip(files: &[(&str, &[u8], bool)]) -> Vec<u8> {
    use std::io::Write;
    let (mut archive, mut contents) = (Vec::new(), Vec::new());
    for &(name, bytes, is_deflated) in files {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        let mut packed = bytes.to_vec();
        if is_deflated {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(bytes).unwrap();
            packed = encoder.finish().unwrap();
        }
        let start = archive.len() as u32;
        let method = if is_deflated { 8_u16 } else { 0 };
        // Version, flags, method, time and date.
        let mut common = vec![45, 0, 0, 0];
        common.extend_from_slice(&method.to_le_bytes());
        common.extend_from_slice(&[0; 4]);
        for number in [crc.sum(), packed.len() as u32, bytes.len() as u32] {
            common.extend_from_slice(&number.to_le_bytes());
        }
        common.extend_from_slice(&(name.len() as u16).to_le_bytes());
        // numpy leaves room for longer lengths in the header of the file.
        archive.extend_from_slice(b"PK\x03\x04");
        archive.extend_from_slice(&common);
        archive.extend_from_slice(&20_u16.to_le_bytes());
        archive.extend_from_slice(name.as_bytes());
        archive.extend_from_slice(&[1, 0, 16, 0]);
        archive.extend_from_slice(&[0; 16]);
        archive.extend_from_slice(&packed);
        contents.extend_from_slice(b"PK\x01\x02\x2d\x03");
        contents.extend_from_slice(&common);
        contents.extend_from_slice(&[0; 12]);
        contents.extend_from_slice(&start.to_le_bytes());
        contents.extend_from_slice(name.as_bytes());
    }
    let (start, size) = (archive.len() as u32, contents.len() as u32);
    let count = (files.len() as u16).to_le_bytes();
    archive.append(&mut contents);
    archive.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    archive.extend_from_slice(&[count, count].concat());
    archive.extend_from_slice(&[size.to_le_bytes(), start.to_le_bytes()].concat());
    archive.extend_from_slice(&[0, 0]);
    archive
}

/// Returns points.
pub(crate) fn points(count: usize, seed: u64) -> Vec<[f64; 3]> {
    let mut rng = SplitMix64::new(seed);
    let mut number = || rng.between(-1e4, 1e4);
    (0..count)
        .map(|_| std::array::from_fn(|_| number()))
        .collect()
}

/// Returns the text of CSV with these points.
pub(crate) fn points_csv(points: &[[f64; 3]]) -> String {
    let lines = points.iter().map(|[x, y, z]| format!("{x},{y},{z}\n"));
    format!("x,y,z\n{}", lines.collect::<String>())
}
