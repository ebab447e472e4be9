//! The mesh or the message is the same for any number of threads and any split into blocks.
//! `ESTOC_LONG=1` checks a million texts.

use super::super::statement::{Kind, split};
use super::super::*;
use super::facts;
use super::texts::text;
use estoc_testkit::conformance::Effort;
use std::fmt::Debug;
use std::path::PathBuf;

const THREADS: [usize; 4] = [1, 2, 3, 7];
/// One block, whatever the text.
const WHOLE: usize = usize::MAX >> 1;
const SIZES: [usize; 6] = [1, 2, 3, 7, 64, BLOCK_SIZE];

fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads")
}

fn loader(block_size: usize, policy: BadFaces, attributes: bool) -> ObjLoader<'static> {
    ObjLoader {
        block_size,
        bad_faces: policy,
        attributes,
        ..ObjLoader::new()
    }
}

/// Returns everything observable about the result.
fn outcome(loader: &ObjLoader<'_>, text: &[u8]) -> Result<impl PartialEq + Debug + use<>, String> {
    let mesh = loader.read(text, "t").map_err(|error| error.to_string())?;
    let warnings = mesh.report().warnings();
    let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    Ok((facts(&mesh), warnings))
}

/// Returns how the text of a number is read.
fn way(number: u64) -> (BadFaces, bool) {
    let policy = [BadFaces::Skip, BadFaces::Reject][number as usize % 2];
    (policy, !number.is_multiple_of(3))
}

#[test]
fn generated_texts() {
    /// The number of texts after which the number of threads changes.
    const BATCH: u64 = 250;
    let count = if Effort::is_long() { 1_000_000 } else { 4_000 };
    let pools = THREADS.map(|threads| (threads, pool(threads)));
    let one = pool(1);
    let (mut read, mut triangles) = (0, 0);
    for batch in 0..count / BATCH {
        let numbers = batch * BATCH..(batch + 1) * BATCH;
        let texts: Vec<_> = one.install(|| {
            let whole = |number| {
                let (policy, attributes) = way(number);
                let text = text(number);
                let loader = loader(WHOLE, policy, attributes);
                let mesh = loader.read(&text, "t");
                triangles += mesh.map_or(0, |mesh| mesh.triangle_count());
                let outcome = outcome(&loader, &text);
                (number, text, outcome)
            };
            numbers.map(whole).collect()
        });
        read += texts.iter().filter(|(.., outcome)| outcome.is_ok()).count();
        let (threads, pool) = &pools[batch as usize % pools.len()];
        pool.install(|| {
            for (number, text, expected) in &texts {
                let (policy, attributes) = way(*number);
                for size in SIZES {
                    let found = outcome(&loader(size, policy, attributes), text);
                    assert_eq!(
                        found,
                        *expected,
                        "text {number}, {policy:?}, {threads} threads, blocks of {size}: {:?}",
                        String::from_utf8_lossy(text)
                    );
                }
            }
        });
    }
    println!("{count} texts, {read} of them read, {triangles} triangles");
    assert!(read > count as usize / 3 && read < count as usize);
    assert!(triangles > count as usize);
}

/// Simple lines give the same result through either parser.
#[test]
fn plain_lines_and_others_say_the_same() {
    let mut plain = 0;
    for number in 0..4_000 {
        let (policy, attributes) = way(number);
        let text = text(number);
        let Ok(text) = std::str::from_utf8(&text) else {
            continue;
        };
        let mut other = String::new();
        for line in text.split_inclusive(['\n', '\r']) {
            let end = line.trim_end_matches(['\n', '\r']).len();
            let (statement, end) = line.split_at(end);
            other.push_str(statement);
            let numbers = [Kind::Vertex, Kind::Face, Kind::Texture, Kind::Normal];
            if numbers.contains(&split(statement.as_bytes()).0) && !statement.contains(['#', '\\'])
            {
                other.push_str(" #");
                plain += 1;
            }
            other.push_str(end);
        }
        let (text, other) = (text.as_bytes(), other.as_bytes());
        let loader = loader(WHOLE, policy, attributes);
        assert_eq!(
            outcome(&loader, text),
            outcome(&loader, other),
            "text {number}: {:?}",
            String::from_utf8_lossy(text)
        );
    }
    assert!(plain > 20_000, "only {plain}");
}

/// Meshes and hostile files in a folder next to the repository.
#[test]
#[ignore = "needs meshes and hostile files beside the repository"]
fn shared_files() {
    let data = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data"));
    let mut texts = Vec::new();
    for folder in ["hostile/obj", "meshes"] {
        let folder = data.join(folder);
        for file in folder.read_dir().expect("files beside the repository") {
            let path = file.expect("a file").path();
            let name = path.display().to_string();
            if name.ends_with(".obj") {
                texts.push((name, std::fs::read(path).expect("it can be read")));
            } else if name.ends_with(".obj.zst") {
                let unpacked = std::process::Command::new("zstd")
                    .args(["-dcq", &name])
                    .output()
                    .unwrap_or_else(|error| panic!("zstd, needed to unpack {name}: {error}"));
                assert!(unpacked.status.success(), "zstd cannot unpack {name}");
                texts.push((name, unpacked.stdout));
            }
        }
    }
    assert!(!texts.is_empty());
    for (name, text) in &texts {
        for policy in [BadFaces::Reject, BadFaces::Skip] {
            let expected = pool(1).install(|| outcome(&loader(WHOLE, policy, true), text));
            for threads in THREADS {
                // A large file in small blocks would take too long.
                let sizes = SIZES.iter().filter(|&&size| text.len() < 2000 * size);
                for &size in sizes {
                    let found =
                        pool(threads).install(|| outcome(&loader(size, policy, true), text));
                    assert!(
                        found == expected,
                        "{name}, {policy:?}, {threads} threads, blocks of {size}"
                    );
                }
            }
        }
    }
    println!("{} files compared", texts.len());
}
