//! Valid files with bytes changed, removed, doubled or cut off: nothing may panic, and every error
//! names the file. `ESTOC_LONG=1` runs a hundred times as many.

use crate::common::{csv, npy_of, rays};
use estoc_core::Ray;
use estoc_demo::SplitMix64;
use estoc_rays_io::{Block, Input, InputError};
use estoc_testkit::conformance::Effort;

pub(crate) fn rounds(usual: usize) -> usize {
    if Effort::is_long() {
        usual * 100
    } else {
        usual
    }
}

pub(crate) fn mutate(bytes: &mut Vec<u8>, rng: &mut SplitMix64) {
    for _ in 0..1 + rng.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = rng.below(bytes.len());
        match rng.below(7) {
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = [0, 0xff, b'-', b'9', b'\n', b' ', b'"', b','][rng.below(8)],
            2 => bytes.truncate(at),
            3 => bytes.insert(at, b"0919-.e \n\r\""[rng.below(11)]),
            4 => drop(bytes.remove(at)),
            5 => {
                let end = (at + 1 + rng.below(16)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill(0xff);
            }
        }
    }
}

/// Reads everything, and returns the number of rays.
pub(crate) fn read(input: Result<Input<Ray>, InputError>, name: &str) -> Result<usize, String> {
    let told = |error: InputError| {
        let text = error.to_string();
        assert!(text.contains(name), "{text}");
        text
    };
    let mut input = input.map_err(told)?;
    let (mut block, mut count) = (Block::default(), 0);
    loop {
        input.read(&mut block, 5).map_err(told)?;
        if block.items.is_empty() {
            return Ok(count);
        }
        count += block.items.len();
    }
}

/// Reads mutants of a sound file, and asserts that more than these numbers are read and refused.
pub(crate) fn read_mutants<T>(
    sound: &[u8],
    seed: u64,
    read: impl Fn(Vec<u8>) -> Result<T, String>,
    least: [usize; 2],
) {
    let mut rng = SplitMix64::new(seed);
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..rounds(3_000) {
        let mut bytes = sound.to_vec();
        mutate(&mut bytes, &mut rng);
        match read(bytes) {
            Ok(_) => loaded += 1,
            Err(_) => refused += 1,
        }
    }
    let is_enough = loaded > least[0] && refused > least[1];
    assert!(is_enough, "{seed}: {loaded} {refused}");
}

/// Reads a mutant of a file of rays, whose name an error must tell.
pub(crate) fn read_rays(bytes: Vec<u8>) -> Result<usize, String> {
    read(Input::of_bytes("m.file", bytes), "m.file")
}

#[test]
fn no_mutant_of_csv_or_npy_panics() {
    let rays = rays(12, 10);
    for (seed, sound) in (0x5eed..).zip([csv(&rays).into_bytes(), npy_of(&rays)]) {
        read_mutants(&sound, seed, read_rays, [100, 100]);
    }
}
