//! Folders of shards that are merged.

use crate::job_text::{IN_USE, files, job, open, run, shard};
use estoc_core::CancelToken;
use estoc_rays_io::ResultFile;
use estoc_rays_io::job::{JobError, MergeSources};
use std::path::{Path, PathBuf};

/// Runs a shard of a job over `rays` rows in a folder of its own.
fn shard_folder(parent: &Path, name: &str, text: &str, rays: u64, most: usize) -> PathBuf {
    let path = parent.join(name);
    run(
        &mut open(&path, job(), shard(text), false).unwrap(),
        rays,
        most,
    );
    path
}

fn told(parent: &Path, folders: &[PathBuf]) -> String {
    let error = MergeSources::open(folders).unwrap_err();
    error
        .to_string()
        .replace(&parent.display().to_string(), "P")
}

#[test]
fn all_parts_are_found_in_order() {
    let parent = tempfile::tempdir().unwrap();
    let mut folders = Vec::new();
    for text in ["3/3", "1/3", "2/3", "1/2"] {
        let name = text.replace('/', "-");
        folders.push(shard_folder(parent.path(), &name, text, 45, usize::MAX));
    }
    let whole = parent.path().join("whole");
    run(
        &mut open(&whole, job(), None, false).unwrap(),
        45,
        usize::MAX,
    );
    let whole = files(&whole);
    let sources = MergeSources::open(&folders).unwrap();
    assert_eq!((sources.rays(), sources.parts().len()), (45, 5));
    assert_eq!(sources.job(), &job());
    for (i, record) in sources.parts().enumerate() {
        assert_eq!(record.part, i as u64);
        let mut text = Vec::new();
        let put = |bytes: &[u8]| {
            text.extend_from_slice(bytes);
            Ok(())
        };
        sources.copy(record.part, put, &CancelToken::new()).unwrap();
        assert_eq!(text, whole[&format!("part-0000000{i}.csv")].as_bytes());
    }
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let cancelled = sources.copy(0, |_| Ok(()), &cancelled);
    assert!(matches!(cancelled, Err(JobError::Cancelled)));
    // While they are read, nobody may write there.
    let second = open(&folders[0], job(), shard("3/3"), true);
    assert!(second.unwrap_err().to_string().contains(IN_USE));
}

#[test]
fn shards_of_streams_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let mut stream = job();
    stream.input = estoc_rays_io::job::InputIdentity::Stdin;
    let folders = ["1/2", "2/2"].map(|text| {
        let path = parent.path().join(&text[..1]);
        run(
            &mut open(&path, stream.clone(), shard(text), false).unwrap(),
            25,
            usize::MAX,
        );
        path
    });
    assert_eq!(
        told(parent.path(), &folders),
        "P/1: its shard reads stdin or a pipe, and nothing tells whether the others read the same rays; put \
         the rays into a file, and cast it again"
    );
    // All parts of one run are those of one input.
    let whole = parent.path().join("whole");
    let mut folder = open(&whole, stream, None, false).unwrap();
    run(&mut folder, 25, usize::MAX);
    drop(folder);
    assert_eq!(MergeSources::open(&[whole]).unwrap().rays(), 25);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let at = parent.path();
    let one = shard_folder(at, "one", "1/3", 45, usize::MAX);
    let two = shard_folder(at, "two", "2/3", 45, usize::MAX);
    let three = shard_folder(at, "three", "3/3", 45, 0);
    let longer = shard_folder(at, "longer", "3/3", 46, usize::MAX);
    let list = |folders: &[&PathBuf]| folders.iter().copied().cloned().collect::<Vec<_>>();
    assert_eq!(
        told(at, &list(&[&one, &two])),
        "part 2 is in none of the folders; name the folder of shard 3/3, too"
    );
    assert_eq!(
        told(at, &list(&[&one, &two, &three])),
        "P/three: its job is not complete; run its command again with --resume"
    );
    assert_eq!(
        told(at, &list(&[&one, &two, &longer])),
        "P/one and P/longer hold parts of different jobs: the number of rays is 45 in the first of them, \
         but 46 in the second"
    );
    assert_eq!(
        told(at, &[at.to_owned()]),
        "P: there is no _manifest.json in this folder; name folders that estoc cast --out-dir wrote"
    );
    assert_eq!(
        told(at, &[at.join("none")]),
        "P/none: there is no such folder; name folders that estoc cast --out-dir wrote"
    );
    let mut other = job();
    other.options.insert("query".into(), "any".into());
    let path = at.join("other");
    run(
        &mut open(&path, other, shard("3/3"), false).unwrap(),
        45,
        usize::MAX,
    );
    assert_eq!(
        told(at, &[one.clone(), two.clone(), path]),
        "P/one and P/other hold parts of different jobs: --query is closest in the first of them, but any \
         in the second"
    );
    let writer = open(&two, job(), shard("2/3"), true).unwrap();
    assert!(told(at, &list(&[&one, &two])).starts_with("P/two: another run of estoc works"));
    drop(writer);
    // The same part with other bytes.
    let path = at.join("again");
    run(
        &mut open(&path, job(), shard("1/3"), false).unwrap(),
        45,
        usize::MAX,
    );
    let manifest = std::fs::read_to_string(path.join("_manifest.json")).unwrap();
    let start = manifest.find("\"xxh3\": \"").unwrap();
    let place = manifest[start + 9..].find("\"xxh3\": \"").unwrap() + start + 18;
    let mut changed = manifest.clone();
    changed.replace_range(place..place + 16, "0123456789abcdef");
    std::fs::write(path.join("_manifest.json"), changed).unwrap();
    let told = told(at, &[one, path]);
    assert!(told.contains("the hash of part 0 is "), "{told}");
    assert!(
        told.ends_with("but 0123456789abcdef in the second"),
        "{told}"
    );
}

#[test]
fn damaged_parts_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let path = shard_folder(parent.path(), "one", "1/1", 15, usize::MAX);
    let part = path.join("part-00000001.csv");
    let whole = std::fs::read_to_string(&part).unwrap();
    let told = |text: &str| {
        std::fs::write(&part, text).unwrap();
        let sources = MergeSources::open(std::slice::from_ref(&path)).unwrap();
        let error = sources
            .copy(1, |_| Ok(()), &CancelToken::new())
            .unwrap_err();
        error.to_string().replace(&part.display().to_string(), "P")
    };
    let short = told(&whole[1..]);
    let expected = format!(
        "P: it has {} bytes instead of {}; run the command of its folder again with --resume",
        whole.len() - 1,
        whole.len()
    );
    assert_eq!(short, expected);
    let changed = told(&whole.replace("11,0", "11,9"));
    assert!(changed.starts_with("P: its hash is "), "{changed}");
    std::fs::remove_file(&part).unwrap();
    let sources = MergeSources::open(std::slice::from_ref(&path)).unwrap();
    let missing = sources
        .copy(1, |_| Ok(()), &CancelToken::new())
        .unwrap_err();
    assert!(missing.to_string().contains("cannot read "), "{missing}");
    let full = sources.copy(
        0,
        |_| Err(std::io::ErrorKind::StorageFull.into()),
        &CancelToken::new(),
    );
    assert!(matches!(full, Err(JobError::Output { .. })));
}

#[test]
fn parts_are_joined_in_one_file() {
    let parent = tempfile::tempdir().unwrap();
    let folders = ["1/2", "2/2"].map(|text| {
        let name = text.replace('/', "-");
        shard_folder(parent.path(), &name, text, 45, usize::MAX)
    });
    let sources = MergeSources::open(&folders).unwrap();
    let mut joined = Vec::new();
    sources.join(&mut joined, &CancelToken::new()).unwrap();
    let rows = (0..45).filter(|ray| ray % 2 == 1);
    let rows: String = rows.map(|ray| format!("{ray},0\n{ray},1\n")).collect();
    assert_eq!(
        String::from_utf8(joined).unwrap(),
        format!("ray,hit\n{rows}")
    );
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let cancelled = sources.join(&mut Vec::new(), &cancelled);
    assert!(matches!(cancelled, Err(JobError::Cancelled)));
    assert!(matches!(
        sources.join(&mut Full, &CancelToken::new()),
        Err(JobError::Output { .. })
    ));
}

/// A full disk.
struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl ResultFile for Full {}
