//! Jobs over a file of Parquet with a corrupt group of rows.

use crate::common::{answer, columns, file, open, rays};
use crate::job_text::{files, job, open as open_job};
use crate::parquet::{arrays, parquet};
use estoc_core::Ray;
use estoc_rays_io::job::{JobError, PartRows, run_parts};
use estoc_rays_io::{Format, Limits, SinkOptions, Watch, hit_sink, run};
use parquet::basic::Compression as Codec;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::path::Path;

#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("{0}")]
    Job(#[from] JobError),
    #[error("{0}")]
    Run(String),
}

/// Answers the rays of a file as a job in a folder.
fn answer_as_job(rays: &Path, folder: &Path) -> Result<(), Failed> {
    let mut folder = open_job(folder, job(), None, true)?;
    let wrong = |error: &dyn std::fmt::Display| Failed::Run(error.to_string());
    let mut input = open::<Ray>(rays).map_err(|error| wrong(&error))?;
    folder.set_rays(input.rows().unwrap())?;
    run_parts(&mut folder, &|| false, |rows, part| {
        let mut sink = hit_sink(
            Format::Csv,
            columns(Format::Csv),
            part,
            SinkOptions::default(),
        )
        .map_err(|error| wrong(&error))?;
        let limits = Limits::default();
        let done = run(
            &mut input,
            rows,
            limits,
            answer,
            &mut *sink,
            Watch::default(),
        );
        let done = done.map_err(|error| wrong(&error))?;
        sink.finish().map_err(|error| wrong(&error))?;
        Ok::<_, Failed>(PartRows {
            rays: done.items,
            rows: done.rows,
            input_rows: None,
        })
    })?;
    Ok(folder.complete()?)
}

#[test]
fn a_corrupt_group_leaves_the_parts_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let sound = parquet(arrays(&rays(40, 5)), 10, Codec::UNCOMPRESSED);
    let path = file(&folder, "rays.parquet", &sound);
    let whole = folder.path().join("whole");
    answer_as_job(&path, &whole).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let column = reader.metadata().row_group(2).column(1);
    let (start, length) = column.byte_range();
    let mut corrupt = sound;
    corrupt[start as usize..(start + length) as usize].fill(0xff);
    let path = file(&folder, "rays.parquet", &corrupt);
    let job = folder.path().join("job");
    for _ in 0..2 {
        let told = answer_as_job(&path, &job).unwrap_err().to_string();
        assert!(told.contains("rays.parquet: row 20: "), "{told}");
        let (files, whole) = (files(&job), files(&whole));
        assert!(!files.contains_key("part-00000002.csv"));
        for part in ["part-00000000.csv", "part-00000001.csv"] {
            assert_eq!(files[part], whole[part]);
        }
    }
}
