//! Binary STL whose facets are followed by bytes, has colours, or has a tail.

use crate::common::{read, refusal, warnings};
use estoc_mesh::{Mesh, MeshError, MeshLoader};

/// Returns a header of a number of facets.
fn header(count: u32) -> Vec<u8> {
    let mut bytes = b"made by a test".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(count.to_le_bytes());
    bytes
}

/// Returns facets, each with an attribute count and the bytes that follow it.
fn stl(count: u32, after: impl Fn(u32) -> (u16, Vec<u8>)) -> Vec<u8> {
    let mut bytes = header(count);
    for facet in 0..count {
        let z = facet as f32;
        let numbers = [[0.0, 0.0, 1.0], [0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
        bytes.extend(numbers.iter().flatten().flat_map(|x: &f32| x.to_le_bytes()));
        let (attribute, payload) = after(facet);
        bytes.extend(attribute.to_le_bytes());
        bytes.extend(payload);
    }
    bytes
}

#[cfg(feature = "gzip")]
fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    Some(packer.finish().unwrap())
}

#[cfg(not(feature = "gzip"))]
fn gzip(_: &[u8]) -> Option<Vec<u8>> {
    None
}

/// Reads bytes from memory, and in every other form, with the same outcome.
fn read_everywhere(bytes: &[u8]) -> Result<Mesh, MeshError> {
    let mesh = read(bytes, "a.stl");
    let loader = MeshLoader::new();
    let mut forms = vec![loader.read_from(bytes, "a.stl")];
    if let Some(packed) = gzip(bytes) {
        forms.push(loader.read(&packed, "a.stl"));
        forms.push(loader.read_from(&packed[..], "a.stl"));
    }
    for form in forms {
        let parts = |mesh: &Mesh| (mesh.positions().to_vec(), warnings(mesh));
        let told = |error: &MeshError| error.to_string();
        let found = form.as_ref().map(parts).map_err(told);
        assert_eq!(found, mesh.as_ref().map(parts).map_err(told));
    }
    mesh
}

#[test]
fn bytes_behind_facets_are_skipped_if_they_fill_the_file() {
    let plain = read(stl(500, |_| (0, vec![])), "a.stl").unwrap();
    let payloads: [fn(u32) -> usize; 5] = [
        |_| 6,
        |facet| facet as usize % 7,
        |facet| if facet == 499 { 65_535 } else { 0 },
        |facet| usize::from(facet == 0),
        // As many bytes as a facet has.
        |_| 50,
    ];
    for payload in payloads {
        // Bytes that are no numbers where a facet would be.
        let bytes = stl(500, |facet| {
            (payload(facet) as u16, vec![0xff; payload(facet)])
        });
        let mesh = read_everywhere(&bytes).unwrap();
        assert_eq!(mesh.positions(), plain.positions());
        assert!(warnings(&mesh).is_empty());
        // Without a name, the first facets tell.
        let mesh = MeshLoader::new().read_from(&bytes[..], "<stdin>").unwrap();
        assert_eq!(mesh.positions(), plain.positions());
    }
}

#[test]
fn colours_are_no_payload() {
    let plain = read(stl(500, |_| (0, vec![])), "a.stl").unwrap();
    let mesh = read_everywhere(&stl(500, |facet| (facet as u16, vec![]))).unwrap();
    assert_eq!(mesh.positions(), plain.positions());
    assert!(warnings(&mesh).is_empty());
    // With a tail that is not what the counts say.
    let mut bytes = stl(500, |_| (7, vec![]));
    bytes.extend([1; 3000]);
    let mesh = read_everywhere(&bytes).unwrap();
    assert_eq!(mesh.positions(), plain.positions());
    let found = warnings(&mesh);
    assert_eq!(found, ["not read: bytes after the last facet (3000)"]);
}

#[test]
fn a_tail_is_no_longer_than_the_facets() {
    for (count, attribute, tail, is_read) in [
        (64, 0, 1, true),
        (64, 0, 4096, true),
        (64, 0, 4097, false),
        (64, 0, 1_000_000, false),
        (0, 0, 4097, false),
        (1000, 0, 50_000, true),
        (1000, 0, 50_001, false),
        // Colours, also before more than any bytes behind facets.
        (64, 5, 4096, true),
        (2, 5, 200_000, false),
    ] {
        let mut bytes = stl(count, |_| (attribute, vec![]));
        bytes.resize(bytes.len() + tail, 1);
        match read_everywhere(&bytes) {
            Ok(mesh) => {
                assert!(is_read, "{count} {tail}");
                let told = format!("not read: bytes after the last facet ({tail})");
                assert!(warnings(&mesh).contains(&told), "{:?}", warnings(&mesh));
            }
            Err(error) => {
                let told = format!(
                    "a.stl: byte {}: invalid STL: {tail} bytes follow the {count} facets that the \
                     header declares: this is not STL, or that number is wrong",
                    84 + 50 * count
                );
                assert_eq!((error.to_string(), is_read), (told, false));
            }
        }
    }
    let mut cut = stl(3, |_| (6, vec![9; 6]));
    cut.truncate(84 + 2 * 50);
    let told = refusal(&cut, "a.stl");
    assert!(
        told.ends_with("the file ends within facet 2 of 3"),
        "{told}"
    );
}

/// Programs are neither meshes by their length nor by their name.
#[test]
fn programs_are_no_stl() {
    let mut program = b"\x7fELF\x02\x01\x01\0".to_vec();
    program.resize(80, 0);
    program.extend(64_u32.to_le_bytes());
    program.resize(100_000, 0);
    for name in ["ls", "ls.stl", "<stdin>"] {
        let told = format!("{name}: is an ELF program, not a mesh");
        assert_eq!(refusal(&program, name), told);
        let streamed = MeshLoader::new().read_from(&program[..], name).unwrap_err();
        assert_eq!(streamed.to_string(), told);
    }
}
