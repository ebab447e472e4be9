//! Reading, answering and writing at the same time.

use crate::common::{answer, answered, csv, csv_sink, rays};
use estoc_core::{CancelToken, Ray};
use estoc_rays_io::{
    Answers, ColumnValues, Emit, HitSink, Input, Limits, OutputError, ResultFile, RunError,
    TableFormat, TypedValues, Watch, run,
};
use std::cell::Cell;
use std::io::{self, Write};

fn input(count: usize) -> Input<Ray> {
    Input::of_bytes("r.csv", csv(&rays(count, 8)).into()).unwrap()
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

#[test]
fn the_size_of_blocks_does_not_matter() {
    let small = answered(input(5_000), TableFormat::Csv, 0).unwrap();
    assert!(small == answered(input(5_000), TableFormat::Csv, u64::MAX).unwrap());
    assert_eq!(lines(&small), 5_001);
}

#[test]
fn rows_before_one_that_cannot_be_read_are_written() {
    let text = csv(&rays(2_500, 9)) + "1,2,3,4,5\n" + "1,2,3,4,5,6\n";
    let mut input = Input::<Ray>::of_bytes("r.csv", text.into()).unwrap();
    let mut bytes = Vec::new();
    let mut sink = csv_sink(&mut bytes);
    let told = Cell::new(0);
    let progress = |items, _| told.set(items);
    let watch = Watch::default().progress(&progress);
    let limits = Limits::memory(0);
    let ended = run(&mut input, 0..u64::MAX, limits, answer, &mut *sink, watch);
    drop(sink);
    let Err(RunError::Input(error)) = ended else {
        panic!("{ended:?}");
    };
    let error = error.to_string();
    assert!(
        error.starts_with("r.csv:2502: this line has 5 cells"),
        "{error}"
    );
    assert_eq!((lines(&bytes), told.get()), (2_501, 2_500));
}

#[test]
fn a_range_of_rows_is_answered_alone() {
    let mut bytes = Vec::new();
    let mut sink = csv_sink(&mut bytes);
    let watch = Watch::default();
    let (mut input, limits) = (input(5_000), Limits::memory(0));
    let summary = run(&mut input, 1_500..4_000, limits, answer, &mut *sink, watch).unwrap();
    sink.finish().unwrap();
    assert_eq!((summary.items, summary.rows), (2_500, 2_500));
    let text = String::from_utf8(bytes).unwrap();
    let number = |line: usize| text.lines().nth(line).unwrap().split(',').next();
    assert_eq!((number(1), number(2_500)), (Some("1500"), Some("3999")));
}

#[test]
fn a_run_is_cancelled_and_other_errors_end_it() {
    let cancel = CancelToken::new();
    let mut sink = csv_sink(Vec::new());
    let mut blocks = 0;
    let cancelling = |rays: &[Ray], emit: &mut Emit<'_>| {
        blocks += 1;
        cancel.cancel();
        answer(rays, emit)
    };
    let (mut rays, limits, watch) = (input(9_000), Limits::memory(0), Watch::cancel(&cancel));
    let ended = run(
        &mut rays,
        0..u64::MAX,
        limits,
        cancelling,
        &mut *sink,
        watch,
    );
    assert!(matches!(ended, Err(RunError::Cancelled)) && blocks == 1);
    let refuse = |_: &[Ray], _: &mut Emit<'_>| Err("no".to_owned());
    let (mut rays, limits, watch) = (input(9_000), Limits::default(), Watch::default());
    let ended = run(&mut rays, 0..9, limits, refuse, &mut *sink, watch);
    assert_eq!(ended.unwrap_err().to_string(), "no");
}

#[test]
fn a_full_disk_is_the_error_of_the_run() {
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let left = self.0.checked_sub(bytes.len());
            self.0 = left.ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    impl ResultFile for Full {}
    let mut sink = csv_sink(Full(50_000));
    let watch = Watch::default();
    let (mut input, limits) = (input(30_000), Limits::memory(0));
    let ended = run(&mut input, 0..u64::MAX, limits, answer, &mut *sink, watch);
    let Err(RunError::Output(OutputError::Io(error))) = ended else {
        panic!("{ended:?}");
    };
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}

#[test]
fn rows_of_lists_belong_to_their_items() {
    // The hits of each ray: none, one, two, none, ...
    let lists = |rays: &[Ray], emit: &mut Emit<'_>| {
        let items: Vec<u32> = (0..rays.len() as u32)
            .flat_map(|i| vec![i; i as usize % 3])
            .collect();
        emit.put(Answers {
            items: 0..rays.len(),
            columns: vec![ColumnValues::all(TypedValues::Given)],
            item_of_row: Some(items),
        });
        Ok::<(), io::Error>(())
    };
    struct Kept(Vec<u64>);
    impl HitSink for Kept {
        fn put(&mut self, block: &estoc_rays_io::AnsweredBlock<'_>) -> Result<(), OutputError> {
            self.0
                .extend((0..block.rows()).map(|row| block.input_row(block.item(row))));
            Ok(())
        }
        fn finish(self: Box<Self>) -> Result<(), OutputError> {
            Ok(())
        }
    }
    let mut kept = Kept(Vec::new());
    let (mut rays, limits, watch) = (input(6), Limits::default(), Watch::default());
    let summary = run(&mut rays, 0..u64::MAX, limits, lists, &mut kept, watch);
    assert_eq!((summary.unwrap().rows, kept.0), (6, vec![1, 2, 2, 4, 5, 5]));
}
