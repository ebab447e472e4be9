//! Arrays of numpy: types, orders, versions, and files that are wrong.

use crate::common::{
    answer, answered, assert_array, bits, csv, csv_sink, file, npy, npy_of, open, packed, rays,
    read_all,
};
use estoc_core::glam::Vec3;
use estoc_core::{Ray, Ray64};
use estoc_rays_io::{
    Block, ColumnKind, Input, Limits, OutputColumn, OutputError, SinkOptions, TableFormat, Watch,
    hit_sink, run,
};

/// Returns the numbers column by column.
fn by_columns(rays: &[[f32; 6]]) -> Vec<f32> {
    let column = |column: usize| rays.iter().map(move |ray| ray[column]);
    (0..6).flat_map(column).collect()
}

/// Writes a number as bytes.
type Written = fn(f32) -> Vec<u8>;

#[test]
fn every_type_order_and_version_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(1_000, 5);
    let (expected, error) = read_all(Input::<Ray>::of_bytes("r.csv", csv(&rays).into()), 1 << 20);
    assert!(error.is_none());
    let rows: Vec<f32> = rays.iter().flatten().copied().collect();
    for (major, is_fortran) in [(1, false), (2, true), (3, false), (1, true)] {
        let numbers = match is_fortran {
            false => rows.clone(),
            true => by_columns(&rays),
        };
        let written: [(&str, Written); 4] = [
            ("'<f4'", |x| x.to_le_bytes().to_vec()),
            ("'>f4'", |x| x.to_be_bytes().to_vec()),
            ("'<f8'", |x| f64::from(x).to_le_bytes().to_vec()),
            ("\">f8\"", |x| f64::from(x).to_be_bytes().to_vec()),
        ];
        for (dtype, written) in written {
            let data: Vec<u8> = numbers.iter().copied().flat_map(written).collect();
            let bytes = npy(major, dtype, is_fortran, "(1000, 6)", &data);
            let path = file(&folder, "r.npy", &bytes);
            let case = format!("{dtype} {is_fortran}");
            assert_array(&path, (&expected, 990), bits, &case);
        }
    }
}

#[test]
fn intervals_and_points_are_read() {
    let data: Vec<u8> = (0..16).flat_map(|x| (x as f64).to_le_bytes()).collect();
    let bytes = npy(1, "'<f8'", false, "(2, 8)", &data);
    let (rays, _) = read_all(Input::<Ray64>::of_bytes("r.npy", bytes), 9);
    let ray = rays[1];
    assert_eq!((ray.origin.x, ray.t_min, ray.t_max), (8.0, 14.0, 15.0));
    let bytes = npy(1, "'<f8'", false, "(5, 3)", &data[..120]);
    let (points, _) = read_all(Input::<Vec3>::of_bytes("p.npy", bytes), 9);
    assert_eq!(points[4], Vec3::new(12.0, 13.0, 14.0));
    let none = npy(1, "'<f4'", false, "(0, 6)", b"");
    let (rays, _) = read_all(Input::<Ray>::of_bytes("r.npy", none), 9);
    assert!(rays.is_empty());
}

#[test]
fn numbers_that_f32_cannot_hold_are_rounded_once_and_counted() {
    let wide = [0.1, 0.5, 1e300, 0.0, f64::NAN, -1.0];
    let data: Vec<u8> = wide.iter().flat_map(|x| x.to_le_bytes()).collect();
    let bytes = npy(1, "'<f8'", false, "(1, 6)", &data);
    let mut block = Block::<Ray>::default();
    let mut input = Input::<Ray>::of_bytes("r.npy", bytes.clone()).unwrap();
    input.read(&mut block, 9).unwrap();
    assert_eq!(input.rounded(), 2);
    let origin = block.items[0].origin;
    assert_eq!((origin.x, origin.z), (0.1, f32::INFINITY));
    let mut block = Block::<Ray64>::default();
    let mut input = Input::<Ray64>::of_bytes("r.npy", bytes).unwrap();
    input.read(&mut block, 9).unwrap();
    assert_eq!((input.rounded(), block.items[0].origin.x), (0, 0.1));
}

#[test]
fn what_is_wrong_is_told_with_file_and_row() {
    let folder = tempfile::tempdir().unwrap();
    let sound = npy_of(&rays(10, 6));
    let told = |bytes: &[u8]| {
        let path = file(&folder, "r.npy", bytes);
        let of_file = read_all(open::<Ray>(&path), 4).1;
        let of_stream = read_all(Input::<Ray>::of_bytes("r.npy", bytes.to_vec()), 4);
        let name = path.display().to_string();
        let of_file = of_file.unwrap().to_string().replace(&name, "r.npy");
        (of_file, of_stream.1.unwrap().to_string(), of_stream.0.len())
    };
    let cut = told(&sound[..sound.len() - 25]);
    let expected = "r.npy: row 8: the file ends here, but should have 10 rows; it is truncated, so \
                    copy or write it again";
    assert_eq!(cut, (expected.into(), expected.into(), 8));
    let mut longer = sound.clone();
    longer.push(0);
    let (of_file, of_stream, read) = told(&longer);
    assert!(of_file == of_stream && read == 10);
    assert!(
        of_file.contains("goes on after its array, by 1 byte"),
        "{of_file}"
    );
    let with = |dtype: &str, shape: &str| npy(1, dtype, false, shape, &[0; 48]);
    let of_shape = |shape: &str| with("'<f4'", shape);
    let mut version = sound.clone();
    version[6] = 9;
    let mut long = npy(2, "'<f4'", false, "(2, 6)", &[0; 48]);
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    for (bytes, expected) in [
        (
            of_shape("(2, 7)"),
            "the array has the shape (2, 7), but rays are N x 6 or N x 8",
        ),
        (of_shape("(12,)"), "the shape (12)"),
        (
            with("'<i4'", "(2, 6)"),
            "the numbers are of type \"<i4\"; save f32s or f64s",
        ),
        (with("[('ox', '<f4')]", "(12,)"), "the array has fields"),
        (
            of_shape("(9223372036854775807, 6)"),
            "more than a file can hold",
        ),
        (of_shape("(2, 6"), "which is not one of NPY"),
        (version, "version 9.0 of NPY"),
        (long, "the header has 4294967295 bytes"),
        (sound[..40].to_vec(), "the file ends in its header"),
    ] {
        let (of_file, of_stream, _) = told(&bytes);
        assert_eq!(of_file, of_stream);
        let is_told = of_file.starts_with("r.npy: ") && of_file.contains(expected);
        assert!(is_told, "{expected}: {of_file}");
    }
    // Declared rows that no stream has are not allocated.
    let huge = npy(1, "'<f4'", false, "(100000000000000000, 6)", &[0; 48]);
    let (rays, error) = read_all(Input::<Ray>::of_bytes("r.npy", huge), 1 << 20);
    let error = error.unwrap().to_string();
    assert_eq!(rays.len(), 2);
    assert!(error.contains("row 2: the file ends here"), "{error}");
    let fortran = npy(1, "'<f4'", true, "(2, 6)", &[0; 48]);
    let refused = Input::<Ray>::of_bytes("r.npy", fortran)
        .err()
        .unwrap()
        .to_string();
    assert!(refused.contains("numpy.ascontiguousarray"), "{refused}");
}

#[test]
fn what_follows_the_last_row_is_checked_by_a_run_that_ends_there() {
    let folder = tempfile::tempdir().unwrap();
    let array = npy_of(&rays(3_000, 51));
    let sound = packed(&array);
    let mut checksum = sound.clone();
    let at = checksum.len() - 8;
    checksum[at] ^= 1;
    let longer = packed(&[&array[..], b"more"].concat());
    for (bytes, expected) in [
        (sound, None),
        (checksum, Some("r.npy.gz, row 3000: gzip: ")),
        (longer, Some("the file goes on after its array")),
    ] {
        let path = file(&folder, "r.npy.gz", &bytes);
        let mut input = open::<Ray>(&path).unwrap();
        let mut run_of = |rows: std::ops::Range<u64>| {
            let (mut sink, limits) = (csv_sink(Vec::new()), Limits::default());
            let done = run(
                &mut input,
                rows,
                limits,
                answer,
                &mut *sink,
                Watch::default(),
            );
            done.map_err(|error| error.to_string())
        };
        assert_eq!(run_of(0..1_500).unwrap().items, 1_500);
        match (run_of(1_500..3_000), expected) {
            (Ok(done), None) => assert_eq!(done.items, 1_500),
            (Err(told), Some(expected)) => assert!(told.contains(expected), "{told}"),
            (done, _) => panic!("{done:?}"),
        }
    }
}

#[test]
fn rows_before_the_end_of_a_cut_file_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(3_000, 52);
    let sound = packed(&npy_of(&rays));
    let path = file(&folder, "cut.npy.gz", &sound[..sound.len() / 2]);
    let (items, error) = read_all(open::<Ray>(&path), 1 << 20);
    assert!(items.len() > 1_000, "{}", items.len());
    let last = items.len() - 1;
    assert_eq!(items[last].dir.z.to_bits(), rays[last][5].to_bits());
    let told = error.unwrap().to_string();
    let expected = format!("cut.npy.gz, row {}: gzip: it is truncated", items.len());
    assert!(told.ends_with(&expected), "{told}");
}

#[test]
fn answers_are_records_whose_number_is_known_at_the_end() {
    let rays = rays(3_000, 7);
    let of_array = Input::of_bytes("r.npy", npy_of(&rays)).unwrap();
    let of_text = Input::of_bytes("r.csv", csv(&rays).into()).unwrap();
    let declared = answered(of_array, TableFormat::Npy, 1 << 30).unwrap();
    // Text does not tell its rows, so the start is written twice.
    assert!(answered(of_text, TableFormat::Npy, 1 << 18).unwrap() == declared);
    let text = String::from_utf8_lossy(&declared[..192]);
    let expected = "{'descr': [('ray', '<i8'), ('t', '<f4'), ('prim', '<i4'), ('u', '<f4')], \
                    'fortran_order': False, 'shape': (3000,), }";
    assert!(text.contains(expected), "{text}");
    let start = declared.len() - 3_000 * 20;
    assert!(start.is_multiple_of(64));
    for (ray, record) in rays.iter().zip(declared[start..].as_chunks::<20>().0) {
        let t = f32::from_le_bytes(record[8..12].try_into().unwrap());
        let prim = i32::from_le_bytes(record[12..16].try_into().unwrap());
        match ray[0] < 2.0 {
            true => assert_eq!((t, prim), (ray[2] * ray[3], (ray[1].to_bits() >> 8) as i32)),
            false => assert_eq!((t, prim), (f32::INFINITY, -1)),
        }
    }
    struct Stream(Vec<u8>);
    impl std::io::Write for Stream {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    impl estoc_rays_io::ResultFile for Stream {}
    let (stream, options) = (Stream(Vec::new()), SinkOptions::default());
    let columns = vec![OutputColumn::new("ray", ColumnKind::Row)];
    let refused = hit_sink(TableFormat::Npy, columns, stream, options.clone());
    assert!(matches!(refused.err(), Some(OutputError::RowsUnknown)));
    let columns = vec![OutputColumn::new("source", ColumnKind::Text)];
    let refused = hit_sink(TableFormat::Npy, columns, Vec::new(), options);
    assert_eq!(
        refused.err().unwrap().to_string(),
        "NPY cannot hold the column source, which is text; use CSV or Parquet, or columns without it"
    );
}
