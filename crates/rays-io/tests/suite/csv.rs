//! Large files of CSV, whose lines are parsed in parallel.

use crate::common::{answered, bits, csv, file, npy_of, open, rays, read_all};
use estoc_core::Ray;
use estoc_rays_io::{Format, Input};
use std::io::Write;

#[test]
fn blocks_and_threads_do_not_matter() {
    let rays = rays(20_000, 1);
    let text = csv(&rays).replace('\n', "\r\n");
    let text = text.replacen("\r\n", "\r\n\r\n  \r\n", 5_000);
    let read = |most| {
        let (items, error) = read_all(Input::<Ray>::of_bytes("r.csv", text.clone().into()), most);
        assert!(error.is_none());
        bits(&items)
    };
    let all = read(usize::MAX);
    assert_eq!(all.len(), rays.len());
    assert_eq!(all[17][5], rays[17][5].to_bits());
    assert!(read(999) == all);
}

#[test]
fn errors_deep_in_a_file_name_their_line() {
    let mut text = csv(&rays(20_000, 2));
    let at = text.match_indices('\n').nth(15_000).unwrap().0 + 1;
    text.insert_str(at, "\n1,2,3,4,x,6\n");
    let input = Input::<Ray>::of_bytes("r.csv", text.into());
    let (items, error) = read_all(input, 1 << 20);
    assert_eq!(items.len(), 15_000);
    assert_eq!(
        error.unwrap().to_string(),
        "r.csv:15003: dy is \"x\", which is not a number such as -1.5, 2e-3 or inf"
    );
}

#[test]
fn a_row_is_found_by_reading_to_it() {
    let rays = rays(3_000, 3);
    let mut input = Input::<Ray>::of_bytes("r.csv", csv(&rays).into()).unwrap();
    input.seek(2_990).unwrap();
    let (mut block, row) = (estoc_rays_io::Block::default(), input.row());
    input.read(&mut block, 99).unwrap();
    assert_eq!(
        (row, block.first_row, block.items.len()),
        (2_990, 2_990, 10)
    );
    assert_eq!(block.items[0].origin.x.to_bits(), rays[2_990][0].to_bits());
    assert_eq!(
        input.seek(3_001).unwrap_err().to_string(),
        "r.csv: row 3001 is wanted, but there are only 3000 rows"
    );
}

#[test]
fn compressed_files_are_read_by_their_content() {
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(500, 4);
    let pack = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    };
    let text = file(&folder, "rays", &pack(csv(&rays).as_bytes()));
    let array = file(&folder, "rays.csv", &pack(&npy_of(&rays)));
    let plain = file(&folder, "rays.parquet", csv(&rays).as_bytes());
    let [text, array, plain] = [text, array, plain].map(|path| {
        let input = open::<Ray>(&path).unwrap();
        (
            input.format(),
            answered(input, Format::Csv, 1 << 20).unwrap(),
        )
    });
    assert_eq!(
        [text.0, array.0, plain.0],
        [Format::Csv, Format::Npy, Format::Csv]
    );
    assert!(text.1 == array.1 && text.1 == plain.1);
}
