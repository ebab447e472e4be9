//! Values of Parquet that are passed through as text: times in time zones, and values without text.

use crate::common::{file, open, rays};
use crate::parquet::{arrays, parquet};
use arrow_array::{ArrayRef, TimestampSecondArray};
use estoc_core::Ray;
use estoc_rays_io::{
    Answers, Block, ColumnKind, ColumnValues, Emit, Limits, OutputColumn, SinkOptions, TableFormat,
    TypedValues, Watch, hit_sink, run,
};
use parquet::basic::Compression as Codec;
use std::sync::Arc;

/// Passes a column of times through to CSV; returns the text, or the error.
fn times(zone: &str, seconds: Vec<Option<i64>>) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let mut columns = arrays(&rays(seconds.len(), 31));
    let array = TimestampSecondArray::from(seconds).with_timezone(zone);
    columns.push(("at", Arc::new(array) as ArrayRef));
    let path = file(&folder, "r.parquet", &parquet(columns, 2, Codec::SNAPPY));
    let mut input = open::<Ray>(&path).unwrap();
    input.pass_through(vec![6]);
    let columns = vec![
        OutputColumn::new("ray", ColumnKind::Row),
        OutputColumn::new("at", ColumnKind::Passed(0)),
    ];
    let mut options = SinkOptions::default();
    options.passed = input.passed_types();
    let mut bytes = Vec::new();
    let sink = hit_sink(TableFormat::Csv, columns, &mut bytes, options);
    let mut sink = sink.map_err(|error| error.to_string())?;
    let given = |rays: &[Ray], emit: &mut Emit<'_>| {
        emit.put(Answers {
            items: 0..rays.len(),
            item_of_row: None,
            columns: vec![ColumnValues::all(TypedValues::Given); 2],
        });
        Ok::<(), String>(())
    };
    let (limits, watch) = (Limits::default(), Watch::default());
    let done = run(&mut input, 0..99, limits, given, &mut *sink, watch);
    done.map_err(|error| error.to_string())?;
    sink.finish().unwrap();
    Ok(String::from_utf8(bytes).unwrap())
}

#[test]
fn times_have_the_offset_of_their_zone() {
    let seconds = vec![Some(1_700_000_000), None, Some(1_720_000_000)];
    assert_eq!(
        times("Europe/Berlin", seconds.clone()).unwrap(),
        "ray,at\n0,2023-11-14T23:13:20+01:00\n1,\n2,2024-07-03T11:46:40+02:00\n"
    );
    assert_eq!(
        times("+02:00", seconds).unwrap(),
        "ray,at\n0,2023-11-15T00:13:20+02:00\n1,\n2,2024-07-03T11:46:40+02:00\n"
    );
}

#[test]
fn what_has_no_text_is_an_error_and_no_empty_cell() {
    let told = times("Nowhere/Land", vec![Some(0)]).unwrap_err();
    assert!(told.starts_with("the column at has no text ("), "{told}");
    assert!(
        told.ends_with("; write Parquet, or leave the column out"),
        "{told}"
    );
    let told = times("Europe/Berlin", vec![Some(0), None, Some(i64::MAX)]).unwrap_err();
    let expected = "row 2: the value of the column at has no text (";
    assert!(told.starts_with(expected), "{told}");
    // The same for who formats values one by one.
    let folder = tempfile::tempdir().unwrap();
    let mut columns = arrays(&rays(2, 31));
    let array = TimestampSecondArray::from(vec![0, i64::MIN]);
    columns.push(("at", Arc::new(array) as ArrayRef));
    let path = file(&folder, "r.parquet", &parquet(columns, 9, Codec::SNAPPY));
    let mut input = open::<Ray>(&path).unwrap();
    input.pass_through(vec![6]);
    let mut block = Block::default();
    input.read(&mut block, 9).unwrap();
    assert_eq!(block.passed.text(0, 0).unwrap(), "1970-01-01T00:00:00");
    assert!(block.passed.text(1, 0).is_err());
}
