//! Reads arbitrary bytes as rays in Parquet, as they are and as a footer of a file without pages.

#![no_main]

#[path = "common/rays.rs"]
mod rays;

use estoc_rays_io::{Input, InputOptions};
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::LazyLock;

/// The file that is read; Parquet is read from files only.
static FILE: LazyLock<String> = LazyLock::new(|| {
    let name = format!("estoc-fuzz-{}.parquet", std::process::id());
    std::env::temp_dir().join(name).display().to_string()
});

fn read(bytes: &[u8]) {
    std::fs::write(&*FILE, bytes).expect("the folder for temporary files can be written");
    let options = InputOptions::default();
    rays::read(|| Input::open(Path::new(&*FILE), &options), &FILE);
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let length = (bytes.len() as u32).to_le_bytes();
    read(&[b"PAR1", bytes, &length, b"PAR1"].concat());
});
