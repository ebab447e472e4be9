//! Reads arbitrary bytes after the magic numbers of gzip and zstd.

#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, rest)) = bytes.split_first() else {
        return;
    };
    let mark: &[u8] = match which % 2 {
        0 => &[0x1f, 0x8b, 8],
        _ => &[0x28, 0xb5, 0x2f, 0xfd],
    };
    common::read(&[mark, rest].concat(), None);
});
