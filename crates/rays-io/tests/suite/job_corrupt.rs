//! Jobs over a file of Parquet with a corrupt group of rows, and parts of Parquet that are corrupt.

use crate::common::{answer, columns, file, open, rays};
use crate::job_text::{files, job, open as open_job};
use crate::mutations::{mutate, rounds};
use crate::parquet::{arrays, parquet};
use estoc_core::{CancelToken, Ray};
use estoc_demo::SplitMix64;
use estoc_rays_io::job::{JobError, MergeSources, PartRows, hash_of, run_parts};
use estoc_rays_io::{Limits, SinkOptions, TableFormat, Watch, hit_sink, run};
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

/// Answers the rays of a file as a job in a folder, in parts of a format.
fn answer_as_job(rays: &Path, folder: &Path, format: TableFormat) -> Result<(), Failed> {
    let mut job = job();
    job.format = format.extension().into();
    let mut folder = open_job(folder, job, None, true)?;
    let wrong = |error: &dyn std::fmt::Display| Failed::Run(error.to_string());
    let mut input = open::<Ray>(rays).map_err(|error| wrong(&error))?;
    folder.set_rays(input.rows().unwrap())?;
    run_parts(&mut folder, &|| false, |rows, part| {
        let sink = hit_sink(format, columns(format), part, SinkOptions::default());
        let mut sink = sink.map_err(|error| wrong(&error))?;
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
    answer_as_job(&path, &whole, TableFormat::Csv).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
    let column = reader.metadata().row_group(2).column(1);
    let (start, length) = column.byte_range();
    let mut corrupt = sound;
    corrupt[start as usize..(start + length) as usize].fill(0xff);
    let path = file(&folder, "rays.parquet", &corrupt);
    let job = folder.path().join("job");
    for _ in 0..2 {
        let told = answer_as_job(&path, &job, TableFormat::Csv)
            .unwrap_err()
            .to_string();
        assert!(told.contains("rays.parquet: row 20: "), "{told}");
        let (files, whole) = (files(&job), files(&whole));
        assert!(!files.contains_key("part-00000002.csv"));
        for part in ["part-00000000.csv", "part-00000001.csv"] {
            assert_eq!(files[part], whole[part]);
        }
    }
}

/// The manifest has the hash of each corrupt part, as if it had been written like that.
#[test]
fn no_mutant_of_a_part_panics_when_parts_are_joined() {
    let folder = tempfile::tempdir().unwrap();
    let rays = parquet(arrays(&rays(20, 6)), 10, Codec::UNCOMPRESSED);
    let (rays, job) = (
        file(&folder, "rays.parquet", &rays),
        folder.path().join("job"),
    );
    answer_as_job(&rays, &job, TableFormat::Parquet).unwrap();
    let (manifest, part) = (
        job.join("_manifest.json"),
        job.join("part-00000001.parquet"),
    );
    let text = std::fs::read(&manifest).unwrap();
    let sound = std::fs::read(&part).unwrap();
    let mut rng = SplitMix64::new(0xdead);
    let (mut joined, mut refused) = (0, 0);
    for _ in 0..rounds(600) {
        let mut bytes = sound.clone();
        mutate(&mut bytes, &mut rng);
        std::fs::write(&part, &bytes).unwrap();
        let mut changed: serde_json::Value = serde_json::from_slice(&text).unwrap();
        changed["parts"][1]["bytes"] = bytes.len().into();
        changed["parts"][1]["xxh3"] = hash_of(&bytes).into();
        std::fs::write(&manifest, changed.to_string()).unwrap();
        let sources = MergeSources::open(std::slice::from_ref(&job)).unwrap();
        match sources.join(&mut Vec::new(), &CancelToken::new()) {
            Ok(()) => joined += 1,
            Err(error) => {
                let told = error.to_string();
                assert!(told.contains("part-00000001.parquet: "), "{told}");
                refused += 1;
            }
        }
    }
    assert!(joined > 20 && refused > 100, "{joined} {refused}");
}
