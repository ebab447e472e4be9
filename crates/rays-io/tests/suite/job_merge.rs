//! Folders of shards that are merged.

use crate::job_text::{IN_USE, files, job, open, run, run_all, shard, told};
use estoc_core::CancelToken;
use estoc_rays_io::ResultFile;
use estoc_rays_io::job::{JobError, MergeSources};
use std::path::{Path, PathBuf};

/// Runs a shard of a job over `rays` rows in a folder of its own.
fn shard_folder(parent: &Path, name: &str, text: &str, rays: u64) -> PathBuf {
    let path = parent.join(name);
    run_all(&path, job(), shard(text), rays);
    path
}

fn refusal(parent: &Path, folders: &[PathBuf]) -> String {
    told(&MergeSources::open(folders).unwrap_err(), parent, "P")
}

#[test]
fn all_parts_are_found_in_order() {
    let parent = tempfile::tempdir().unwrap();
    let mut folders = Vec::new();
    for text in ["3/3", "1/3", "2/3", "1/2"] {
        let name = text.replace('/', "-");
        folders.push(shard_folder(parent.path(), &name, text, 45));
    }
    let whole = parent.path().join("whole");
    run_all(&whole, job(), None, 45);
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
        run_all(&path, stream.clone(), shard(text), 25);
        path
    });
    assert_eq!(
        refusal(parent.path(), &folders),
        "P/1: its shard reads stdin or a pipe, and nothing tells whether the others read the same rays; put \
         the rays into a file, and cast it again"
    );
    // All parts of one run are those of one input.
    let whole = parent.path().join("whole");
    run_all(&whole, stream, None, 25);
    assert_eq!(MergeSources::open(&[whole]).unwrap().rays(), 25);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let at = parent.path();
    for (name, text, rays) in [
        ("one", "1/3", 45),
        ("two", "2/3", 45),
        ("longer", "3/3", 46),
    ] {
        shard_folder(at, name, text, rays);
    }
    let three = open(&at.join("three"), job(), shard("3/3"), false);
    run(&mut three.unwrap(), 45, 0);
    let mut other = job();
    other.options.insert("query".into(), "any".into());
    run_all(&at.join("other"), other, shard("3/3"), 45);
    let told = |names: &str| {
        let folders: Vec<PathBuf> = names.split(' ').map(|name| at.join(name)).collect();
        refusal(at, &folders)
    };
    for (names, expected) in [
        (
            "one two",
            "part 2 is in none of the folders; name the folder of shard 3/3, too",
        ),
        (
            "one two three",
            "P/three: its job is not complete; run its command again with --resume",
        ),
        (
            "one two longer",
            "P/one and P/longer hold parts of different jobs: the number of rays is 45 in the first of \
             them, but 46 in the second",
        ),
        (
            "one two other",
            "P/one and P/other hold parts of different jobs: --query is closest in the first of them, but \
             any in the second",
        ),
        (
            "none",
            "P/none: there is no such folder; name folders that estoc cast --out-dir wrote",
        ),
    ] {
        assert_eq!(told(names), expected, "{names}");
    }
    assert_eq!(
        refusal(at, &[at.to_owned()]),
        "P: there is no _manifest.json in this folder; name folders that estoc cast --out-dir wrote"
    );
    let writer = open(&at.join("two"), job(), shard("2/3"), true).unwrap();
    assert!(told("one two").starts_with("P/two: another run of estoc works"));
    drop(writer);
    // The same part with other bytes.
    let path = shard_folder(at, "again", "1/3", 45);
    let manifest = std::fs::read_to_string(path.join("_manifest.json")).unwrap();
    let start = manifest.find("\"xxh3\": \"").unwrap();
    let place = manifest[start + 9..].find("\"xxh3\": \"").unwrap() + start + 18;
    let mut changed = manifest.clone();
    changed.replace_range(place..place + 16, "0123456789abcdef");
    std::fs::write(path.join("_manifest.json"), changed).unwrap();
    let told = told("one again");
    assert!(told.contains("the hash of part 0 is "), "{told}");
    assert!(
        told.ends_with("but 0123456789abcdef in the second"),
        "{told}"
    );
}

#[test]
fn damaged_parts_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let path = shard_folder(parent.path(), "one", "1/1", 15);
    let part = path.join("part-00000001.csv");
    let whole = std::fs::read_to_string(&part).unwrap();
    let open = || MergeSources::open(std::slice::from_ref(&path)).unwrap();
    let refusal = || {
        told(
            &open().copy(1, |_| Ok(()), &CancelToken::new()).unwrap_err(),
            &part,
            "P",
        )
    };
    std::fs::write(&part, &whole[1..]).unwrap();
    let (short, all) = (whole.len() - 1, whole.len());
    let expected = format!(
        "P: it has {short} bytes instead of {all}; run the command of its folder again with --resume"
    );
    assert_eq!(refusal(), expected);
    std::fs::write(&part, whole.replace("11,0", "11,9")).unwrap();
    let changed = refusal();
    assert!(changed.starts_with("P: its hash is "), "{changed}");
    std::fs::remove_file(&part).unwrap();
    let missing = refusal();
    assert!(missing.contains("cannot read "), "{missing}");
    let sources = open();
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
        shard_folder(parent.path(), &name, text, 45)
    });
    let sources = MergeSources::open(&folders).unwrap();
    let mut joined = Vec::new();
    sources.join(&mut joined, &CancelToken::new()).unwrap();
    let rows = (0..45).filter(|ray| ray % 2 == 1);
    let rows: String = rows.map(|ray| format!("{ray},0\n{ray},1\n")).collect();
    let joined = String::from_utf8(joined).unwrap();
    assert_eq!(joined, format!("ray,hit\n{rows}"));
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let cancelled = sources.join(&mut Vec::new(), &cancelled);
    assert!(matches!(cancelled, Err(JobError::Cancelled)));
    let full = sources.join(&mut Full, &CancelToken::new());
    assert!(matches!(full, Err(JobError::Output { .. })));
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
