//! Large files of CSV, whose lines are parsed in parallel.

use crate::common::{answered, bits, csv, file, npy_of, open, packed, rays, read_all};
use estoc_core::Ray;
use estoc_rays_io::{
    Answers, ColumnKind, ColumnValues, Emit, Input, Limits, OutputColumn, SinkOptions, TableFormat,
    TypedValues, Watch, hit_sink, run,
};
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
    let found = (row, block.first_row, block.items.len());
    assert_eq!(found, (2_990, 2_990, 10));
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
    let text = file(&folder, "rays", &packed(csv(&rays).as_bytes()));
    let array = file(&folder, "rays.csv", &packed(&npy_of(&rays)));
    let plain = file(&folder, "rays.parquet", csv(&rays).as_bytes());
    let [text, array, plain] = [text, array, plain].map(|path| {
        let input = open::<Ray>(&path).unwrap();
        let format = input.format();
        (format, answered(input, TableFormat::Csv, 1 << 20).unwrap())
    });
    let formats = [text.0, array.0, plain.0];
    assert_eq!(
        formats,
        [TableFormat::Csv, TableFormat::Npy, TableFormat::Csv]
    );
    assert!(text.1 == array.1 && text.1 == plain.1);
}

#[test]
fn a_compressed_file_that_is_cut_names_the_row() {
    let folder = tempfile::tempdir().unwrap();
    let packed = packed(csv(&rays(5_000, 5)).as_bytes());
    let path = file(&folder, "cut.csv.gz", &packed[..packed.len() / 2]);
    let (items, error) = read_all(open::<Ray>(&path), 999);
    assert!(items.len() > 1_000, "{}", items.len());
    let told = error.unwrap().to_string();
    let expected = format!("cut.csv.gz, row {}: ", items.len());
    assert!(told.contains(&expected), "{told}");
}

/// Keeps what is written, and the most bytes written at once.
#[derive(Default)]
struct Writes {
    bytes: Vec<u8>,
    most: usize,
}

impl Write for Writes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.most = self.most.max(bytes.len());
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl estoc_rays_io::ResultFile for Writes {}

/// Passes the column `note` through, in two rows for each ray.
fn passed(text: String) -> Writes {
    let mut input = Input::<Ray>::of_bytes("r.csv", text.into()).unwrap();
    input.pass_through(vec![6]);
    let columns = vec![
        OutputColumn::new("ray", ColumnKind::Row),
        OutputColumn::new("note", ColumnKind::Passed(0)),
    ];
    let mut writes = Writes::default();
    let options = SinkOptions::default();
    let mut sink = hit_sink(TableFormat::Csv, columns, &mut writes, options).unwrap();
    let answer = |rays: &[Ray], emit: &mut Emit<'_>| {
        emit.put(Answers {
            items: 0..rays.len(),
            item_of_row: Some((0..rays.len() as u32).flat_map(|i| [i, i]).collect()),
            columns: vec![ColumnValues::all(TypedValues::Given); 2],
        });
        Ok::<(), String>(())
    };
    let (limits, watch) = (Limits::default(), Watch::default());
    run(&mut input, 0..u64::MAX, limits, answer, &mut *sink, watch).unwrap();
    sink.finish().unwrap();
    writes
}

#[test]
fn long_cells_are_written_a_few_at_a_time() {
    let note = "n".repeat(10_000);
    let rows = format!("0,0,0,0,0,1,{note}\n").repeat(900);
    let text = format!("ox,oy,oz,dx,dy,dz,note\n{rows}");
    let Writes { bytes, most } = passed(text);
    assert!(most < (1 << 20) + 20_000, "{most}");
    let text = String::from_utf8(bytes).unwrap();
    let mut lines = text.lines().skip(1);
    for row in 0..1_800 {
        assert_eq!(lines.next().unwrap(), format!("{},{note}", row / 2));
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn a_cell_with_a_return_is_quoted() {
    let text =
        "ox,oy,oz,dx,dy,dz,note\n0,0,0,0,0,1,a\rb\"c\n0,0,0,0,0,1,\"d\re\"\n0,0,0,0,0,1,5\" f\n";
    let text = String::from_utf8(passed(text.into()).bytes).unwrap();
    let [a, d, f] = ["\"a\rb\"\"c\"", "\"d\re\"", "5\" f"];
    let expected = format!("ray,note\n0,{a}\n0,{a}\n1,{d}\n1,{d}\n2,{f}\n2,{f}\n");
    assert_eq!(text, expected);
}
