//! Archives of numpy with one array.

use crate::common::{assert_array, bits, file, npy, npy_of, open, packed, rays, read_all, zip};
use crate::mutations::{read_mutants, read_rays};
use estoc_core::Ray;
use estoc_core::glam::Vec3;
use estoc_rays_io::Input;

#[test]
fn one_array_is_read_as_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let array = npy_of(&rays(1_000, 41));
    let (expected, _) = read_all(Input::<Ray>::of_bytes("r.npy", array.clone()), 1 << 20);
    for is_deflated in [false, true] {
        let archive = zip(&[("arr_0.npy", &array, is_deflated)]);
        let path = file(&folder, "r.npz", &archive);
        let case = format!("deflated: {is_deflated}");
        assert_array(&path, (&expected, 990), bits, &case);
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
    let empty = "p.npz: the archive is empty; write it again";
    assert_eq!(told(zip(&[])), empty);
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
    let contents = sound.windows(4).rposition(|four| four == b"PK\x01\x02");
    let contents = contents.unwrap();
    let mut encrypted = sound.clone();
    encrypted[contents + 8] = 1;
    let expected = "p.npz: the array cannot be read: it is encrypted; save it with numpy.save";
    assert_eq!(told(encrypted), expected);
    let mut other = sound;
    other[contents + 10] = 14;
    assert!(told(other).contains("it is compressed by method 14 of ZIP; "));
    let shape = told(zip(&[("a.npy", &npy_of(&rays(3, 1)), false)]));
    let expected = "has the shape (3, 6), but points are N x 3";
    assert!(shape.contains(expected), "{shape}");
}

#[test]
fn what_cannot_be_read_from_its_end_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let archive = zip(&[("a.npy", &npy_of(&rays(9, 2)), true)]);
    let path = file(&folder, "r.npz.gz", &packed(&archive));
    let told = open::<Ray>(&path).err().unwrap().to_string();
    let expected = "so it cannot be read from stdin, a pipe or a compressed file";
    assert!(told.contains(expected), "{told}");
}

#[test]
fn no_mutant_of_an_archive_panics() {
    let array = npy_of(&rays(12, 10));
    for is_deflated in [false, true] {
        let sound = zip(&[("arr_0.npy", &array, is_deflated)]);
        read_mutants(&sound, 0x217, read_rays, [10, 100]);
    }
}
