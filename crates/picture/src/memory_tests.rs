//! Lack of memory is a typed error, and never aborts the process.

use crate::{Paint, Picture, PictureError, PngError, Shade, Size, Target, ViewOptions};
use crate::{difference_picture, write_rgba_png};
use estoc::{Bvh, demo::DemoSpec, scene::SceneSnapshot};
use std::io::Cursor;
use std::process::Command;

/// Set in the process that has little memory.
const LIMITED: &str = "ESTOC_PICTURE_LIMITED";

/// Runs this test again in a process of 512 MiB of address space.
#[test]
fn no_memory_is_an_error() {
    if std::env::var_os(LIMITED).is_some() {
        return without_memory();
    }
    let name = "memory_tests::no_memory_is_an_error";
    let output = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 524288; exec \"$0\" --exact \"$1\" --test-threads=1",
        ])
        .arg(std::env::current_exe().unwrap())
        .arg(name)
        .env(LIMITED, "1")
        .env("RAYON_NUM_THREADS", "1")
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert!(told.contains("1 passed"), "{told}");
}

fn without_memory() {
    let mesh = "box".parse::<DemoSpec>().unwrap().mesh();
    let world = SceneSnapshot::of_mesh(Bvh::build(&mesh)).unwrap();
    let target = Target::mesh(&world, &mesh);
    let size = Size::try_new(1024, 1024).unwrap();
    let picture = Picture::plain(size, [7; 3]).unwrap();
    let rgba = picture.rgba().unwrap();
    let mut png = Vec::new();
    picture.write_png(&mut png).unwrap();
    let view = ViewOptions::new().view(target, size).unwrap();
    let paint = Paint::new(target).shade(Shade::Facing).samples(1);

    // All address space but the last mebibyte, untouched.
    let mut taken = Vec::with_capacity(1 << 12);
    for bytes in [64 << 20, 8 << 20, 1 << 20] {
        let mut piece = Vec::<u8>::new();
        while piece.try_reserve_exact(bytes).is_ok() {
            taken.push(std::mem::take(&mut piece));
        }
    }
    taken.pop();
    let plain = Picture::plain(size, [0; 3]).err();
    let pixels = picture.rgba().err();
    let difference = difference_picture(&picture, &picture).err();
    let painted = paint.paint(&view, size).err();
    let read = Picture::read_png(Cursor::new(&png)).err();
    let written = picture.write_png(std::io::sink()).err();
    let written_rgba = write_rgba_png(std::io::sink(), size, &rgba).err();
    drop(taken);

    let told = "not enough memory for a picture of 1024x1024 pixels, which may take ";
    let difference = difference.map(|error| error.to_string());
    let [plain, pixels] = [plain, pixels].map(|error| error.map(|error| error.to_string()));
    for (error, bytes) in [(plain, 3), (pixels, 4), (difference, 3)] {
        let start = format!("{told}{} bytes; free some", bytes << 20);
        let error = error.unwrap();
        assert!(error.starts_with(&start), "{error}");
    }
    let error = painted.unwrap();
    assert!(matches!(error, PictureError::NoMemory(error) if error.bytes > 12 << 20));
    for error in [read, written, written_rgba] {
        let error = error.unwrap();
        assert!(matches!(error, PngError::NoMemory { bytes } if bytes >= 2 << 20));
    }
    assert!(paint.paint(&view, Size::try_new(8, 8).unwrap()).is_ok());
}
