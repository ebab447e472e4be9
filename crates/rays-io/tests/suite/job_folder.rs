//! Jobs that are stopped, damaged, resumed and refused.

use crate::job_text::{IN_USE, answer, files, job, open, run, run_all, run_in, shard, told};
use estoc_rays_io::job::{InputIdentity, JobDescription, JobEnd, JobError, PartRows, run_parts};
use estoc_testkit::name_path;
use std::path::Path;

const MANIFEST: &str = "_manifest.json";
const JOURNAL: &str = "_journal.jsonl";
const TOO_MANY: &str = "the job would have more than 1000000 parts; give --part-rows more than 10";

/// Returns the files of an undisturbed run.
fn undisturbed(rays: u64) -> std::collections::BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job");
    run_all(&path, job(), None, rays);
    files(&path)
}

#[test]
fn the_parts_are_fixed_ranges_of_rows() {
    let names = |rays| {
        let files = undisturbed(rays);
        let names = files.into_keys().collect::<Vec<_>>();
        assert_eq!(names[..2], [".estoc-lock", MANIFEST]);
        names[2..].join(" ")
    };
    // An empty result has a part too, for its columns.
    assert_eq!(names(0), "part-00000000.csv");
    assert_eq!(names(10), "part-00000000.csv");
    assert_eq!(names(11), "part-00000000.csv part-00000001.csv");
    let files = undisturbed(13);
    assert_eq!(files["part-00000001.csv"], "ray,hit\n11,0\n11,1\n");
    let manifest: serde_json::Value = serde_json::from_str(&files[MANIFEST]).unwrap();
    assert_eq!(manifest["rays"], 13);
    let part = &manifest["parts"][1];
    let counts = ["part", "rays", "rows"].map(|name| &part[name]);
    assert_eq!(counts, [1, 3, 2]);
    assert_eq!(part["bytes"], files["part-00000001.csv"].len());
}

#[test]
fn a_job_that_was_stopped_anywhere_goes_on() {
    for rays in [0, 9, 10, 25, 30] {
        let expected = undisturbed(rays);
        for first in 0..=4 {
            let folder = tempfile::tempdir().unwrap();
            let (mut resume, mut made) = (false, Vec::new());
            for most in [first, 1, usize::MAX] {
                let mut job = open(folder.path(), job(), None, resume).unwrap();
                assert_eq!(job.notes(), [""; 0]);
                let parts = rays.div_ceil(10).max(1) as usize;
                assert_eq!(job.parts().count(), made.len().min(parts));
                let (end, more) = run(&mut job, rays, most);
                made.extend(more);
                resume = true;
                if end == JobEnd::Stopped {
                    let left = files(folder.path());
                    assert!(left.contains_key(JOURNAL));
                    assert!(left[MANIFEST].contains("\"parts\": []"));
                }
            }
            assert_eq!(files(folder.path()), expected, "{rays} {first}");
            // No part is made twice; one may be tried beyond the end.
            made.dedup();
            assert!((0..).step_by(10).zip(&made).all(|(row, &part)| row == part));
        }
    }
}

/// A kill between any two steps leaves one of these.
#[test]
fn what_a_killed_run_leaves_is_no_obstacle() {
    let expected = undisturbed(25);
    let leave = |leave: &dyn Fn(&Path), made: &[u64]| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        run_in(path, true, 25, 2);
        leave(path);
        let ended = run_in(path, true, 25, usize::MAX);
        assert_eq!(ended, (JobEnd::AllParts, made.to_vec()));
        let mut found = files(path);
        // Windows keeps the temporary files of killed runs.
        found.retain(|name, _| cfg!(unix) || !name.ends_with(".part"));
        assert_eq!(found, expected);
    };
    let put = |path: &Path, name: &str, text: &str| std::fs::write(path.join(name), text).unwrap();
    let begun = |path: &Path| {
        std::fs::remove_dir_all(path).unwrap();
        std::fs::create_dir(path).unwrap();
        put(path, ".estoc-lock", "");
        put(path, ".estoc-0.part", "{");
    };
    // Before the manifest was written.
    leave(&begun, &[0, 10, 20]);
    // A part that is half written, and one that the journal does not have.
    leave(&|path| put(path, ".estoc-0.part", "ray,"), &[20]);
    leave(&|path| put(path, "part-00000002.csv", "ray,hit\n21"), &[20]);
    // Half a line of the journal, and none of it.
    let half = |path: &Path| {
        let text = std::fs::read_to_string(path.join(JOURNAL)).unwrap();
        put(path, JOURNAL, &text[..text.len() - 9]);
    };
    leave(&half, &[10, 20]);
    let none = |path: &Path| std::fs::remove_file(path.join(JOURNAL)).unwrap();
    leave(&none, &[0, 10, 20]);
    // A complete manifest whose journal was not removed.
    let complete = |path: &Path| {
        for name in [MANIFEST, "part-00000002.csv"] {
            put(path, name, &expected[name]);
        }
    };
    leave(&complete, &[]);
}

#[test]
fn damaged_parts_are_made_again() {
    let expected = undisturbed(25);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    run_all(path, job(), None, 25);
    std::fs::remove_file(path.join("part-00000000.csv")).unwrap();
    std::fs::write(path.join("part-00000001.csv"), "ray,hit\n").unwrap();
    let changed = expected["part-00000002.csv"].replace("21,0", "21,9");
    std::fs::write(path.join("part-00000002.csv"), changed).unwrap();
    let mut again = open(path, job(), None, true).unwrap();
    let notes = again.notes().join("\n");
    let notes = name_path(&notes, path, "F");
    let expected_notes = "F/part-00000000.csv: it is missing; the part is made again\n\
                          F/part-00000001.csv: it has 8 bytes instead of 58; the part is made again\n\
                          F/part-00000002.csv: its hash is ";
    assert!(notes.starts_with(expected_notes), "{notes}");
    assert_eq!(again.part_count(), Some(3));
    let ended = run(&mut again, 25, usize::MAX);
    assert_eq!(ended, (JobEnd::AllParts, vec![0, 10, 20]));
    drop(again);
    assert_eq!(files(path), expected);
    // Checked again, nothing is left to do.
    let mut again = open(path, job(), None, true).unwrap();
    assert_eq!((again.notes().len(), again.rays()), (0, Some(25)));
    assert_eq!(run(&mut again, 25, usize::MAX), (JobEnd::AllParts, vec![]));
}

#[test]
fn another_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    run_in(folder.path(), false, 25, 1);
    let refusal = |job, shard, resume| {
        let error = open(folder.path(), job, shard, resume).unwrap_err();
        assert!(error.is_wrong_usage());
        told(&error, folder.path(), "F")
    };
    assert_eq!(
        refusal(job(), None, false),
        "F: a job was begun in this folder; add --resume to go on with it, or name another folder"
    );
    let is_other = |job, shard, difference: &str| {
        let expected = format!(
            "F: the job in this folder is another one: {difference} now; name another folder"
        );
        assert_eq!(refusal(job, shard, true), expected);
    };
    let changed = |change: fn(&mut JobDescription), difference| {
        let mut job = job();
        change(&mut job);
        is_other(job, None, difference);
    };
    is_other(job(), shard("1/2"), "--shard is not given there, but 1/2");
    let version = "the version of estoc is 0.1.0 there, but 0.2.0";
    changed(|job| job.estoc = "0.2.0".into(), version);
    let hash = "the hash of the mesh and its masks is 0123456789abcdef there, but 1";
    changed(|job| job.mesh = "1".into(), hash);
    let input = "the input is a file there, but stdin";
    changed(|job| job.input = InputIdentity::Stdin, input);
    let longer = |job: &mut JobDescription| match &mut job.input {
        InputIdentity::Files(files) => files[0].bytes = 1001,
        InputIdentity::Stdin => {}
    };
    let length = "the length of the input rays.csv is 1000 bytes there, but 1001 bytes";
    changed(longer, length);
}

#[test]
fn other_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job");
    let refusal = |job| told(&open(&path, job, None, true).unwrap_err(), &path, "F");
    std::fs::write(&path, "").unwrap();
    assert_eq!(refusal(job()), "cannot create F: not a directory");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("notes.txt"), "").unwrap();
    assert_eq!(
        refusal(job()),
        "F: the folder holds \"notes.txt\", but no job; name an empty folder, or one that does not exist"
    );
    assert_eq!(files(&path).len(), 1);
    std::fs::remove_dir_all(&path).unwrap();
    let missing = open(&path.join("sub"), job(), None, false).unwrap_err();
    let missing = told(&missing, &path, "F");
    assert!(missing.starts_with("cannot create F/sub: "), "{missing}");
    // A job whose input is gone.
    let mut stdin = job();
    stdin.input = InputIdentity::Stdin;
    run(&mut open(&path, stdin.clone(), None, true).unwrap(), 25, 1);
    assert_eq!(
        refusal(stdin),
        "F: its job reads stdin, which cannot be read a second time; name another folder, or put the rays \
         into a file"
    );
}

#[test]
fn a_job_of_too_many_parts_is_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job");
    let mut options = estoc_rays_io::job::OpenOptions::default();
    options.rays = Some(10_000_001);
    let error = estoc_rays_io::job::JobFolder::open(&path, job(), None, options).unwrap_err();
    assert_eq!(error.to_string(), TOO_MANY);
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_part_is_replaced_and_not_followed() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("job");
    run_all(&path, job(), None, 25);
    let (part, elsewhere) = (path.join("part-00000001.csv"), parent.path().join("else"));
    std::fs::remove_file(&part).unwrap();
    std::fs::write(&elsewhere, "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, &part).unwrap();
    run_in(&path, true, 25, usize::MAX);
    assert!(part.symlink_metadata().unwrap().is_file());
    assert_eq!(files(&path), undisturbed(25));
    assert_eq!(std::fs::read(&elsewhere).unwrap(), b"mine");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path(), job(), None, false).unwrap();
    for resume in [false, true] {
        let second = open(folder.path(), job(), None, resume);
        assert!(second.unwrap_err().to_string().contains(IN_USE));
    }
    drop(first);
    open(folder.path(), job(), None, true).unwrap();
}

#[test]
fn errors_in_the_middle_leave_finished_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path(), job(), None, false).unwrap();
    let done = run_parts(&mut first, &|| false, |rows, part| match rows.start {
        20 => Err(JobError::Cancelled),
        _ => answer(25, &rows, part),
    });
    assert!(matches!(done, Err(JobError::Cancelled)));
    drop(first);
    let ended = run_in(folder.path(), true, 25, usize::MAX);
    assert_eq!(ended, (JobEnd::AllParts, vec![20]));
    assert_eq!(files(folder.path()), undisturbed(25));
}

#[test]
fn an_input_that_grew_or_shrank_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path(), job(), None, false).unwrap();
    first.set_rays(25).unwrap();
    let told = first.set_rays(26).unwrap_err().to_string();
    assert_eq!(
        told,
        "the input changed while the job ran: the number of rows of the input was 25, and is 26; begin \
         again in another folder"
    );
    let done = run_parts(&mut first, &|| false, |rows, part| answer(13, &rows, part));
    assert!(matches!(done, Err(JobError::InputChanged { .. })));
    drop(first);
    let mut again = open(folder.path(), job(), None, true).unwrap();
    run(&mut again, 25, 1);
    let told = again.set_rays(5).unwrap_err();
    assert!(matches!(told, JobError::InputChanged { .. }), "{told}");
}

#[test]
fn a_job_has_at_most_a_million_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path(), job(), None, false).unwrap();
    first.set_rays(10_000_000).unwrap();
    drop(first);
    let mut first = open(folder.path(), job(), None, true).unwrap();
    let error = first.set_rays(10_000_001).unwrap_err();
    assert_eq!(error.to_string(), TOO_MANY);
}

#[test]
fn shards_know_the_end_of_the_input() {
    for (text, rays, made, parts) in [
        ("1/2", 25, vec![0, 20], 2),
        ("2/2", 25, vec![10, 30], 1),
        ("3/3", 10, vec![20], 0),
        ("1/2", 20, vec![0, 20], 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut job = open(folder.path(), job(), shard(text), false).unwrap();
        assert_eq!(run(&mut job, rays, usize::MAX), (JobEnd::AllParts, made));
        assert_eq!((job.rays(), job.part_count()), (Some(rays), Some(parts)));
        assert_eq!(job.parts().count() as u64, parts);
    }
}

#[test]
fn an_empty_shard_answers_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut job = open(folder.path(), job(), shard("2/2"), false).unwrap();
    job.set_rays(5).unwrap();
    let end = run_parts(&mut job, &|| false, |_, _| -> Result<PartRows, JobError> {
        unreachable!("there is no part")
    });
    assert_eq!(end.unwrap(), JobEnd::AllParts);
}
