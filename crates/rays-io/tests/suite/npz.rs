//! Archives of numpy with one array.

use crate::common::{bits, file, npy, npy_of, open, rays, read_all, zip};
use crate::mutations::{mutate, read, rounds};
use estoc_core::Ray;
use estoc_core::glam::Vec3;
use estoc_random::SplitMix64;
use estoc_rays_io::{Block, Input};

#[test]
fn one_array_is_read_as_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let array = npy_of(&rays(1_000, 41));
    let (expected, _) = read_all(Input::<Ray>::of_bytes("r.npy", array.clone()), 1 << 20);
    for is_deflated in [false, true] {
        let archive = zip(&[("arr_0.npy", &array, is_deflated)]);
        let path = file(&folder, "r.npz", &archive);
        for most in [7, 1 << 20] {
            let input = open::<Ray>(&path).unwrap();
            assert_eq!(input.rows(), Some(1_000));
            let (items, error) = read_all(Ok(input), most);
            assert!(error.is_none(), "{error:?}");
            assert!(bits(&items) == bits(&expected));
        }
        let mut input = open::<Ray>(&path).unwrap();
        let mut block = Block::default();
        input.seek(990).unwrap();
        input.read(&mut block, 99).unwrap();
        assert_eq!(bits(&block.items), bits(&expected[990..]));
        let (items, _) = read_all(Input::<Ray>::of_bytes("r.npz", archive), 9);
        assert!(bits(&items) == bits(&expected));
    }
}

#[test]
fn what_is_wrong_with_an_archive_is_told() {
    let array = npy(1, "'<f8'", false, "(2, 3)", &[0; 48]);
    let told = |bytes: Vec<u8>| {
        let (_, error) = read_all(Input::<Vec3>::of_bytes("p.npz", bytes), 9);
        error.unwrap().to_string()
    };
    let two = [
        ("points.npy", &*array, false),
        ("colours.npy", &array, true),
    ];
    assert_eq!(
        told(zip(&two)),
        "p.npz: the archive holds 2 arrays: points, colours; save the one of points alone, as with numpy.save"
    );
    assert_eq!(
        told(zip(&[])),
        "p.npz: the archive is empty; write it again"
    );
    let other = told(zip(&[("readme.txt", b"none", false)]));
    assert!(other.starts_with("p.npz: is "), "{other}");
    let sound = zip(&[("a.npy", &array, false)]);
    let damaged = "p.npz: the archive is damaged or truncated, so copy or write it again";
    assert_eq!(told(sound[..sound.len() - 9].to_vec()), damaged);
    assert_eq!(told(b"PK\x03\x04".to_vec()), damaged);
    // A changed number.
    let mut changed = sound.clone();
    let place = changed.windows(2).position(|two| two == b"\n\0").unwrap() + 3;
    changed[place] ^= 1;
    let (points, error) = read_all(Input::<Vec3>::of_bytes("p.npz", changed), 9);
    assert_eq!(points.len(), 2);
    assert_eq!(
        error.unwrap().to_string(),
        "cannot read points from p.npz, row 2: its checksum is wrong; copy or write it again"
    );
    // An encrypted file, and one that is compressed otherwise, as its table of contents tells.
    let contents = sound
        .windows(4)
        .rposition(|four| four == b"PK\x01\x02")
        .unwrap();
    let mut encrypted = sound.clone();
    encrypted[contents + 8] = 1;
    assert_eq!(
        told(encrypted),
        "p.npz: the array cannot be read: it is encrypted; save it with numpy.save"
    );
    let mut other = sound;
    other[contents + 10] = 14;
    assert!(told(other).contains("it is compressed by method 14 of ZIP; "));
    let shape = told(zip(&[("a.npy", &npy_of(&rays(3, 1)), false)]));
    assert!(
        shape.contains("has the shape (3, 6), but points are N x 3"),
        "{shape}"
    );
}

#[test]
fn what_cannot_be_read_from_its_end_is_refused() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let archive = zip(&[("a.npy", &npy_of(&rays(9, 2)), true)]);
    let level = flate2::Compression::fast();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), level);
    packed.write_all(&archive).unwrap();
    let path = file(&folder, "r.npz.gz", &packed.finish().unwrap());
    let told = open::<Ray>(&path).err().unwrap().to_string();
    assert!(
        told.contains("so it cannot be read from stdin, a pipe or a compressed file"),
        "{told}"
    );
}

#[test]
fn no_mutant_of_an_archive_panics() {
    let array = npy_of(&rays(12, 10));
    for is_deflated in [false, true] {
        let sound = zip(&[("arr_0.npy", &array, is_deflated)]);
        let mut rng = SplitMix64::new(0x217);
        let (mut loaded, mut refused) = (0, 0);
        for _ in 0..rounds(3_000) {
            let mut bytes = sound.clone();
            mutate(&mut bytes, &mut rng);
            match read(Input::of_bytes("m.file", bytes), "m.file") {
                Ok(_) => loaded += 1,
                Err(_) => refused += 1,
            }
        }
        assert!(loaded > 10 && refused > 100, "{loaded} {refused}");
    }
}
