//! Files of Parquet that are corrupt or lie about their sizes: errors, never a panic or a large
//! allocation.

use crate::common::{file, open, rays};
use crate::mutations::{mutate, read, rounds};
use crate::parquet::{arrays, parquet};
use estoc_core::Ray;
use estoc_demo::SplitMix64;
use estoc_rays_io::Input;
use parquet::basic::Compression as Codec;

fn told(bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "h.parquet", bytes);
    read(open::<Ray>(&path), "h.parquet").unwrap_err()
}

#[test]
fn truncated_files_and_streams_are_refused() {
    let sound = parquet(arrays(&rays(50, 19)), 20, Codec::SNAPPY);
    for length in [4, 11, 12, 40, sound.len() - 9, sound.len() - 1] {
        let error = told(&sound[..length]);
        assert!(
            error.contains("truncated") || error.contains("cannot be"),
            "{error}"
        );
    }
    let mut long = sound.clone();
    let at = long.len() - 8;
    long[at..at + 4].fill(0xff);
    assert!(told(&long).contains("truncated"));
    let stream = Input::<Ray>::of_bytes("r.parquet", sound);
    assert!(
        stream
            .err()
            .unwrap()
            .to_string()
            .contains("from files only")
    );
}

#[test]
fn a_footer_that_declares_more_than_it_has_is_refused() {
    // A list of 2^31 groups of rows, in a footer of a few bytes: field 4 after version and schema.
    let footer = [
        0x15, 2, 0x19, 0x1c, 0x48, 1, b's', 0x15, 0, 0, 0x16, 0, 0x19, 0xfc, 0xff, 0xff, 0xff,
        0xff, 7, 0,
    ];
    let mut bytes = b"PAR1".to_vec();
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(b"PAR1");
    assert!(told(&bytes).contains("the footer is corrupt"));
}

#[test]
fn pages_that_are_too_large_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(
        &folder,
        "r.parquet",
        &parquet(arrays(&rays(500, 20)), 500, Codec::SNAPPY),
    );
    let mut options = estoc_rays_io::InputOptions::default();
    options.most_page_bytes = 64;
    let error = read(Input::<Ray>::open(&path, &options), "r.parquet").unwrap_err();
    assert!(
        error.contains("row 0: column ox: a page decompresses to"),
        "{error}"
    );
}

#[test]
fn no_mutant_panics() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.parquet");
    for (seed, codec) in [Codec::UNCOMPRESSED, Codec::SNAPPY].into_iter().enumerate() {
        let sound = parquet(arrays(&rays(40, 21)), 25, codec);
        let mut rng = SplitMix64::new(0xfeed + seed as u64);
        let (mut loaded, mut refused) = (0, 0);
        for _ in 0..rounds(1_500) {
            let mut bytes = sound.clone();
            mutate(&mut bytes, &mut rng);
            std::fs::write(&path, &bytes).unwrap();
            match read(open(&path), "m.parquet") {
                Ok(_) => loaded += 1,
                Err(_) => refused += 1,
            }
        }
        assert!(loaded > 50 && refused > 50, "{loaded} {refused}");
    }
}
