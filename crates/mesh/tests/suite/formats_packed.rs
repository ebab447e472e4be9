//! Files compressed by gzip and zstd, and the message of builds without a decompressor.

use crate::common::demo;
use crate::common::written::Way;
use estoc_mesh::{Mesh, MeshError, MeshLoader};

#[test]
fn without_the_feature_it_is_named() {
    let packed: [(&[u8], bool, &str); 3] = [
        (b"\x1f\x8b\x08\0", cfg!(feature = "gzip"), "gzip"),
        (b"\x28\xb5\x2f\xfd\0", cfg!(feature = "zstd"), "zstd"),
        (b"glTF\x02\0\0\0", cfg!(feature = "gltf"), "gltf"),
    ];
    for (bytes, is_on, name) in packed {
        let error = MeshLoader::new().read(bytes, "a").unwrap_err();
        match error {
            MeshError::FeatureOff { feature, .. } if !is_on => assert_eq!(feature, name),
            MeshError::Unpack { packing, .. } if is_on => assert_eq!(packing, name),
            MeshError::Malformed { .. } if is_on && name == "gltf" => {}
            error => panic!("{name}: {error}"),
        }
    }
}

#[cfg(feature = "gzip")]
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

#[cfg(feature = "gzip")]
#[test]
fn gzip_may_have_several_members_and_zeros_behind_them() {
    let (one, two) = (gzip(b"v 0 0 0\nv 1 0 0\n"), gzip(b"v 0 1 0\nf 1 2 3\n"));
    let read = |bytes: &[u8]| MeshLoader::new().read(bytes, "a.obj.gz");
    for zeros in [0, 1, 512, 100_000] {
        let bytes = [&one[..], &two, &vec![0; zeros]].concat();
        assert_eq!(read(&bytes).unwrap().triangle_count(), 1, "{zeros} zeros");
    }
    for (bytes, told) in [
        (
            [&one[..], &[0, 0], &two].concat(),
            "(gzip): there is data after the zeros at its end",
        ),
        ([&one[..], b"more"].concat(), "(gzip): "),
        (
            [&one[..], &two[..two.len() - 1]].concat(),
            "(gzip): it is truncated",
        ),
        ([&one[..], &two[..5]].concat(), "(gzip): it is truncated"),
    ] {
        let error = read(&bytes).unwrap_err();
        assert!(matches!(error, MeshError::Unpack { .. }), "{error}");
        assert!(error.to_string().contains(told), "{error}");
    }
}

#[cfg(feature = "gzip")]
#[test]
fn bytes_are_limited_as_they_are_unpacked() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let length = text.len() as u64;
    let ply = b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n\
        property float z\nend_header\n";
    for (bytes, length) in [
        (text.to_vec(), length),
        (gzip(text), length),
        (gzip(ply), ply.len() as u64),
    ] {
        let read = |limit| {
            let loader = MeshLoader::new().max_input(limit);
            let streamed = loader.read_from(&bytes[..], "a").err();
            let read = loader.read(&bytes, "a").err();
            let found = streamed.as_ref().map(MeshError::to_string);
            assert_eq!(found, read.as_ref().map(MeshError::to_string));
            read
        };
        assert!(read(length).is_none() && read(u64::MAX).is_none());
        for limit in [0, 1, length - 1] {
            let error = read(limit).unwrap();
            assert!(
                matches!(error, MeshError::TooLarge { limit: told, .. } if told == limit),
                "{limit}: {error}"
            );
            assert!(!error.can_skip());
        }
    }
    let error = MeshLoader::new()
        .max_input(9)
        .read(text, "a.obj")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.obj: has more than 9 bytes, counted after decompression; raise the limit with \
         MeshLoader::max_input"
    );
}

#[cfg(feature = "zstd")]
fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// A compressor of the tests, with its name for messages.
type Pack = (&'static str, fn(&[u8]) -> Vec<u8>);

fn packs() -> Vec<Pack> {
    vec![
        #[cfg(feature = "gzip")]
        ("gzip", gzip),
        #[cfg(feature = "zstd")]
        ("zstd", zstd),
    ]
}

#[test]
fn packed_files_are_the_same_mesh() {
    let ball = demo("sphere?n=300");
    for (name, pack) in packs() {
        for way in Way::readable() {
            let bytes = way.write(&ball);
            let packed = pack(&bytes);
            let read = |bytes: &[u8]| MeshLoader::new().read(bytes, "a");
            let triangles = |mesh: &Mesh| mesh.triangles().collect::<Vec<_>>();
            let mesh = read(&packed).unwrap_or_else(|error| panic!("{name} {way:?}: {error}"));
            assert_eq!(triangles(&mesh), triangles(&ball), "{name} {way:?}");
            // Compressed in two pieces, one after the other.
            let (front, back) = bytes.split_at(bytes.len() / 3);
            let pieces = [pack(front), pack(back)].concat();
            assert_eq!(
                triangles(&read(&pieces).unwrap()),
                triangles(&ball),
                "{name} {way:?}"
            );
        }
    }
}

#[test]
fn a_library_beside_a_packed_file_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let text = b"mtllib a.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(folder.path().join("a.mtl"), "newmtl red\nKd 1 0 0\n").unwrap();
    for (name, pack) in packs() {
        let path = folder.path().join(format!("a.{name}"));
        std::fs::write(&path, pack(text)).unwrap();
        let mesh = Mesh::load(&path).unwrap();
        assert_eq!(mesh.materials()[0].diffuse, Some([1.0, 0.0, 0.0]), "{name}");
        assert!(mesh.report().warnings().is_empty(), "{name}");
    }
}

#[test]
fn cut_and_flipped_streams_are_refused() {
    let ball = demo("sphere?n=60");
    let bytes = Way::PlyText.write(&ball);
    for (name, pack) in packs() {
        let packed = pack(&bytes);
        for end in 2..packed.len() {
            // Truncated within the magic number, zstd is not recognised.
            let error = MeshLoader::new().read(&packed[..end], "a").unwrap_err();
            if end >= 4 {
                let told = format!("a: cannot be decompressed ({name}): it is truncated");
                assert_eq!(error.to_string(), told, "{name} {end}");
            }
        }
        let mut same = 0;
        for place in 4..packed.len() {
            let mut flipped = packed.clone();
            flipped[place] ^= 1 << (place % 8);
            match MeshLoader::new().read(&flipped, "a") {
                // The time and system fields of gzip have no effect.
                Ok(mesh) => {
                    assert_eq!(mesh.indices(), ball.indices(), "{name} {place}");
                    same += 1;
                }
                Err(error) => {
                    let told = error.to_string();
                    assert!(!told.contains(char::is_control), "{told:?}");
                }
            }
        }
        assert!(same <= 8, "{name}: {same} flips went unnoticed");
    }
}

/// A few bytes that would decompress to more than the memory: runs of blocks of 128 KiB of one
/// byte.
#[cfg(feature = "zstd")]
#[test]
fn what_unpacks_without_end_is_refused() {
    let blocks = 2_000;
    // A frame with a window of 128 KiB and without a length.
    let mut bytes = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x38];
    for block in 0..blocks {
        let header: u32 = (1 << 17) << 3 | 1 << 1 | u32::from(block == blocks - 1);
        bytes.extend(&header.to_le_bytes()[..3]);
        bytes.push(b'\n');
    }
    let error = MeshLoader::new().read(&bytes, "a.obj").unwrap_err();
    let told = error.to_string();
    let expected = "a.obj: cannot be decompressed (zstd): it decompresses to more than 1000 times";
    assert!(told.starts_with(expected), "{told}");
}

/// Meshes beside the repository, compressed and decompressed.
#[cfg(all(feature = "gzip", feature = "zstd"))]
#[test]
#[ignore = "needs meshes beside the repository"]
fn shared_meshes_are_the_same_packed() {
    use estoc_core::glam::Vec3;
    use estoc_testkit::conformance::Effort;
    use std::io::Read;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/meshes");
    let entries = std::fs::read_dir(folder).expect("meshes beside the repository");
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "zst"));
    paths.sort_by_key(|path| path.metadata().unwrap().len());
    // The others take long: `ESTOC_LONG=1` includes them.
    if !Effort::is_long() {
        paths.truncate(5);
    }
    assert!(!paths.is_empty());
    for path in &paths {
        let packed = std::fs::read(path).unwrap();
        let mut text = Vec::new();
        let mut unpacker = ruzstd::decoding::StreamingDecoder::new(&packed[..]).unwrap();
        unpacker.read_to_end(&mut text).unwrap();
        let plain = MeshLoader::new().read(&text, "a.obj").unwrap();
        assert!(plain.triangle_count() > 100);
        let from_file = Mesh::load(path).unwrap();
        let from_gzip = MeshLoader::new().read(&gzip(&text), "a.obj.gz").unwrap();
        for mesh in [from_file, from_gzip] {
            assert_eq!(mesh.indices(), plain.indices(), "{}", path.display());
            let bits = |mesh: &Mesh| -> Vec<u32> {
                let numbers = mesh.positions().iter().flat_map(Vec3::to_array);
                numbers.map(f32::to_bits).collect()
            };
            assert_eq!(bits(&mesh), bits(&plain), "{}", path.display());
        }
    }
}
