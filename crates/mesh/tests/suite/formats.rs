//! Common properties of all formats.

use crate::common::written::Way;
use crate::common::{assert_contains, demo, read, refusal, warnings};
use estoc_core::{BruteForce, Ray, RayQuery};
use estoc_mesh::{BadFaces, Format, Mesh, MeshError, MeshLoader};

#[test]
fn formats_that_are_not_read_are_named_with_those_that_are() {
    let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
    for (bytes, name, what) in [
        (&b"Kaydara FBX Binary  \0\x1a\0"[..], "a.fbx", "FBX"),
        (b"Kaydara FBX Binary  \0\x1a\0", "a.obj", "FBX"),
        (b"; FBX 7.4.0 project file\n", "<stdin>", "FBX"),
        (b"<?xml version=\"1.0\"?><COLLADA>", "a", "COLLADA"),
        (b"PK\x03\x04\x14\0", "a.3mf", "3MF"),
        (b"HEADER;\n", "a.step", "STEP"),
        (b"# vtk DataFile Version 4.2\n", "a.obj", "VTK"),
        (b"<?xml version=\"1.0\"?>\n<VTKFile>", "a.vtp", "VTK"),
        (b"$MeshFormat\n4.1 0 8\n", "a.stl", "MSH"),
        (b"version 1\nnodes\n", "a", "SMD"),
        (b"xof 0303txt 0032\n", "a.x", "DirectX X"),
    ] {
        let told = "is not supported; convert it to OBJ, PLY, STL, OFF or glTF";
        assert_eq!(refusal(bytes, name), format!("{name}: {what} {told}"));
    }
    for (bytes, name, told) in [
        (
            &b"\x7fELF\x02\x01\x01\0"[..],
            "ls",
            "is an ELF program, not a mesh",
        ),
        (
            b"\x89PNG\r\n\x1a\n\0\0",
            "mesh",
            "is a PNG picture, not a mesh",
        ),
        (b"", "a.JPG", "is a JPEG picture, not a mesh"),
        (
            b"BZh91AY&SY\0\0",
            "a.obj",
            "bz2 is not supported; unpack it first",
        ),
        (
            b"7z\xbc\xaf\x27\x1c\0\x04",
            "a",
            "7z is not supported; unpack it first",
        ),
        (&tar, "a.obj", "tar is not supported; unpack it first"),
    ] {
        assert_eq!(refusal(bytes, name), format!("{name}: {told}"));
    }
    // The content takes precedence over the name, and the caller's format over both.
    let off = b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    assert_eq!(read(off, "a.dae").unwrap().triangle_count(), 1);
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let loader = MeshLoader::new().format(Format::Obj);
    assert_eq!(loader.read(obj, "a.dae").unwrap().triangle_count(), 1);
}

#[test]
fn one_mesh_is_the_same_in_every_format() {
    let ball = demo("sphere?n=300");
    let engine = |mesh: &Mesh| BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    let judge = engine(&ball);
    let rays: Vec<Ray> = (0..200)
        .map(|i| {
            let (a, b) = ((i as f32 * 0.7).sin(), (i as f32 * 1.3).cos());
            Ray::new([3.0 * a, 2.0 * b, 4.0], [-2.5 * a, -1.9 * b, -4.0])
        })
        .collect();
    let expected: Vec<_> = rays.iter().map(|ray| judge.closest_hit(ray)).collect();
    assert!(expected.iter().flatten().count() > 50);
    for way in Way::readable() {
        let bytes = way.write(&ball);
        for name in [way.name(), "no end", "wrong.obj", "wrong.ply"] {
            let mesh = read(&bytes, name).unwrap_or_else(|error| panic!("{way:?}: {error}"));
            let triangles = |mesh: &Mesh| mesh.triangles().collect::<Vec<_>>();
            assert_eq!(triangles(&mesh), triangles(&ball), "{way:?}");
            assert_eq!(mesh.report().faces, ball.triangle_count() as u64);
            if !matches!(way, Way::StlText | Way::StlBinary) {
                assert_eq!(mesh.positions(), ball.positions(), "{way:?}");
                assert_eq!(mesh.indices(), ball.indices(), "{way:?}");
            }
            let judge = engine(&mesh);
            let hits: Vec<_> = rays.iter().map(|ray| judge.closest_hit(ray)).collect();
            assert_eq!(hits, expected, "{way:?}");
        }
        // A stream of unknown length, a few bytes at a time.
        for name in [way.name(), "<stdin>"] {
            let slow = std::io::Read::chain(&bytes[..7], &bytes[7..]);
            let mesh = MeshLoader::new().read_from(slow, name).unwrap();
            assert_eq!(mesh.triangle_count(), ball.triangle_count(), "{way:?}");
        }
    }
}

/// Bytes that are neither a mark nor text, without a length or a name.
#[test]
fn zero_bytes_alone_are_not_stl() {
    let stream = |bytes: &[u8]| MeshLoader::new().read_from(bytes, "<stdin>");
    let obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let padded = [&obj[..], &[0; 5000]].concat();
    assert_eq!(stream(&padded).unwrap().triangle_count(), 1);
    let error = stream(&[0; 100_000]).unwrap_err();
    assert!(matches!(error, MeshError::NotObj { .. }), "{error}");
    let wide: Vec<u8> = obj.iter().flat_map(|&byte| [byte, 0]).collect();
    let utf16 = [b"\xff\xfe", &wide[..]].concat().repeat(100);
    assert_contains(&stream(&utf16).unwrap_err().to_string(), "UTF-16");
    // A file of binary STL that is cut off.
    let ball = "sphere?n=300".parse::<estoc_demo::DemoSpec>().unwrap();
    let bytes = Way::StlBinary.write(&ball.mesh());
    let error = read(&bytes[..bytes.len() - 7], "ball").unwrap_err();
    let is_stl = matches!(
        error,
        MeshError::Malformed {
            format: Format::Stl,
            ..
        }
    );
    assert!(is_stl, "{error}");
}

#[test]
fn files_are_found_and_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let ball = demo("sphere?n=40");
    for way in Way::readable() {
        let path = folder.path().join(way.name());
        let bytes = way.write(&ball);
        std::fs::write(&path, &bytes).unwrap();
        let told = std::sync::Mutex::new(None);
        let progress = |now| *told.lock().unwrap() = Some(now);
        let mesh = MeshLoader::new().progress(&progress).load(&path).unwrap();
        assert_eq!(mesh.triangle_count(), ball.triangle_count());
        let length = bytes.len() as u64;
        let all = estoc_core::Progress::new(length, length);
        assert_eq!(*told.lock().unwrap(), Some(all), "{way:?}");
        let again = Mesh::load(&path).unwrap();
        assert_eq!(again.triangle_count(), ball.triangle_count());
        let cancel = estoc_core::CancelToken::new();
        cancel.cancel();
        let stopped = MeshLoader::new().cancel(&cancel).load(&path);
        let stopped = stopped.unwrap_err();
        assert!(matches!(stopped, MeshError::Cancelled { .. }), "{way:?}");
    }
    let missing = Mesh::load(folder.path().join("none.ply")).unwrap_err();
    assert!(matches!(missing, MeshError::Io { .. }));
}

/// Bytes truncated anywhere are rejected, unless the missing part has no meaning.
#[test]
fn what_is_cut_short_is_refused() {
    let square = Mesh::try_new(
        [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.5, 0.0],
            [0.0, 1.0, 0.25],
        ],
        [[0, 1, 2], [0, 2, 3]],
    )
    .unwrap();
    for way in Way::readable().filter(|&way| way != Way::Obj) {
        let bytes = way.write(&square);
        let mut loaded = 0;
        for end in 0..bytes.len() {
            for policy in [BadFaces::Reject, BadFaces::Skip] {
                let cut = MeshLoader::new()
                    .bad_faces(policy)
                    .read(&bytes[..end], way.name());
                let error = match cut {
                    // A solid may lack its end, with a warning.
                    Ok(mesh) if way == Way::StlText && !warnings(&mesh).is_empty() => continue,
                    Ok(_) => {
                        loaded += 1;
                        continue;
                    }
                    Err(error) => error,
                };
                let told = error.to_string();
                assert!(told.starts_with(way.name()), "{told}");
                assert!(!told.contains(char::is_control), "{told:?}");
            }
        }
        // The end of the last line may be missing, and without its last digit a number is a
        // different one; under one policy the last line may be a face that is left out.
        let most = match way {
            Way::PlyText | Way::Off => 12,
            // The name after the last keyword.
            Way::StlText => 24,
            _ => 0,
        };
        assert!(loaded <= most, "{way:?}: {loaded} of {}", bytes.len());
    }
}

#[test]
fn lines_may_end_in_every_way() {
    let square = demo("sphere?n=40");
    for way in [Way::PlyText, Way::StlText, Way::Off] {
        let text = String::from_utf8(way.write(&square)).unwrap();
        for end in ["\r\n", "\r", " \n", "\n\n"] {
            // A blank line in the header of PLY has no meaning either.
            let text = text.replace('\n', end);
            for text in [&*text, text.trim_end()] {
                let mesh = read(text, way.name()).unwrap();
                let counts = [&mesh, &square].map(Mesh::triangle_count);
                assert_eq!(counts[0], counts[1], "{way:?} {end:?}");
            }
        }
    }
    // After a lone carriage return, the first byte of a number may be a line feed.
    let header = "ply\rformat binary_little_endian 1.0\relement vertex 1\r\
        property float x\rproperty float y\rproperty float z\rend_header\r";
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend([0x0a, 0, 0, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mesh = read(&bytes, "a.ply").unwrap();
    assert_eq!(mesh.positions()[0].x.to_bits(), 0x3f00_000a);
    assert_eq!(
        warnings(&mesh),
        ["1 vertex, but no faces, as in point clouds and wireframes: nothing can be hit"]
    );
}

#[test]
fn a_format_can_be_forced() {
    let triangle =
        Mesh::try_new([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]]).unwrap();
    let text = Way::Off.write(&triangle);
    let forced = |format| MeshLoader::new().format(format).read(&text, "a.off");
    assert_eq!(forced(Format::Off).unwrap().triangle_count(), 1);
    assert!(matches!(forced(Format::Obj), Err(MeshError::NotObj { .. })));
    for format in [Format::Ply, Format::Stl] {
        let error = forced(format).unwrap_err();
        assert!(
            matches!(error, MeshError::Malformed { format: told, .. } if told == format),
            "{error}"
        );
    }
}
