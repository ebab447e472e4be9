//! No reader ends the process when a large request for memory is refused: each returns
//! [`MeshError::NoMemory`], with the name of the input.

use estoc_core::glam::{DVec3, Vec2, Vec3};
use estoc_core::{CancelToken, PrimId, open_edges};
use estoc_mesh::parts::closing_distance;
use estoc_mesh::{BadFaces, LocalFrame, Mesh, MeshError, MeshLoader};
use estoc_system::Growth;
use estoc_testkit::{RefusingAllocator, Work};
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write;
use std::hash::{Hash, Hasher};

#[global_allocator]
static ALLOCATOR: RefusingAllocator = RefusingAllocator::new();

/// Requests from this size on grow with the input; what takes less is left room for.
const LARGE: usize = (1 << 16) + 1;

/// Vertices along each side of the grid.
const SIDE: usize = 80;

/// The vertices of a grid whose heights are decimals that `f32` rounds.
fn vertices() -> impl Iterator<Item = [f64; 3]> {
    (0..SIDE * SIDE).map(|i| {
        let [x, y] = [i % SIDE, i / SIDE].map(|k| k as f64);
        [x, y, 0.1 * ((i * i) % 97) as f64]
    })
}

/// The triangles of the grid, each third with the corners of the one before it.
fn faces() -> impl Iterator<Item = [usize; 3]> {
    let cells = (0..(SIDE - 1) * (SIDE - 1)).map(|i| i / (SIDE - 1) * SIDE + i % (SIDE - 1));
    cells.flat_map(|a| {
        [
            [a, a + 1, a + SIDE],
            [a + 1, a + SIDE + 1, a + SIDE],
            [a, a + 1, a + SIDE],
        ]
    })
}

fn outcome(loaded: Result<Mesh, MeshError>) -> Option<u64> {
    match loaded {
        Ok(mesh) => Some(hash(&mesh)),
        Err(MeshError::NoMemory { at }) => {
            assert!(at.file.is_some(), "the error names the input");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn hash(mesh: &Mesh) -> u64 {
    ALLOCATOR.stop();
    let mut hasher = DefaultHasher::new();
    mesh.content_hash().hash(&mut hasher);
    format!("{:?} {:?}", mesh.report(), mesh.materials()).hash(&mut hasher);
    for prim in (0..mesh.triangle_count()).filter_map(PrimId::from_index) {
        (mesh.face_of(prim), mesh.line_of(prim)).hash(&mut hasher);
        (mesh.object_of(prim), mesh.group_of(prim)).hash(&mut hasher);
        let material = mesh.material_of(prim);
        material.map(|material| &material.name).hash(&mut hasher);
    }
    (mesh.texcoord_indices(), mesh.normal_indices()).hash(&mut hasher);
    let texcoords = mesh.texcoords().iter().flat_map(Vec2::to_array);
    let normals = mesh.normals().iter().flat_map(Vec3::to_array);
    for number in texcoords.chain(normals) {
        number.to_bits().hash(&mut hasher);
    }
    hasher.finish()
}

/// Returns OBJ of several blocks with all that a mesh keeps: names that change often, indices of both
/// signs, and comments, so that nothing is one long run.
fn obj() -> String {
    let mut text = String::from("mtllib all.mtl\n");
    for [x, y, z] in vertices() {
        let _ = write!(text, "v {x} {y} {z}\nvt {x} 0.25\nvn 0 {y} 1\n");
        if x % 2.0 == 0.0 {
            text += "# a comment\n";
        }
    }
    for (number, corners) in faces().enumerate() {
        match number % 12 {
            0 => _ = writeln!(text, "o object {number}"),
            4 => _ = writeln!(text, "g group {number}"),
            8 => _ = writeln!(text, "usemtl material {number}"),
            _ => {}
        }
        let [a, b, c] = corners.map(|corner| corner + 1);
        let before = (SIDE * SIDE + 1) as i64 - c as i64;
        let _ = match number % 3 {
            0 => write!(
                text,
                "f {a}/{a}/{a} {b}/{b}/{b} -{before}/-{before}/{c}\n# nothing\n"
            ),
            1 => write!(text, "f {a} {b}/{b} \\\n {c}//{c}\n"),
            _ => writeln!(text, "f {a} {b} {c}"),
        };
    }
    text
}

fn materials() -> String {
    let mut text = String::new();
    for number in (8..faces().count()).step_by(12) {
        let _ = write!(
            text,
            "newmtl material {number}\nKd 0.5 0.5 {number}\nmap_Kd a.png\n"
        );
    }
    text
}

/// Returns OBJ with one face whose outline is a star.
fn star() -> String {
    const CORNERS: usize = 20_000;
    let (mut text, mut face) = (String::new(), String::from("f"));
    for i in 0..CORNERS {
        let angle = i as f64 / CORNERS as f64 * std::f64::consts::TAU;
        let radius = 1.0 + (i % 2) as f64;
        let _ = writeln!(
            text,
            "v {} {} 0",
            radius * angle.cos(),
            radius * angle.sin()
        );
        let _ = write!(face, " {}", i + 1);
    }
    text + &face + "\n"
}

fn off() -> String {
    let mut text = format!("STNOFF\n{} {} 0\n", SIDE * SIDE, faces().count());
    for [x, y, z] in vertices() {
        let _ = writeln!(text, "{x} {y} {z} 0 0 1 {x} 0.5");
    }
    for [a, b, c] in faces() {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

fn ply(format: &str) -> Vec<u8> {
    let properties = ["x", "y", "z", "nx", "ny", "nz", "s", "t"];
    let mut text = format!("ply\nformat {format} 1.0\nelement vertex {}\n", SIDE * SIDE);
    for property in properties {
        let _ = writeln!(text, "property double {property}");
    }
    let count = faces().count();
    let _ = write!(
        text,
        "element face {count}\nproperty list int int vertex_indices\nend_header\n"
    );
    let mut bytes = text.into_bytes();
    for [x, y, z] in vertices() {
        for number in [x, y, z, 0.0, 0.0, 1.0, x, y] {
            match format {
                "ascii" => bytes.extend(format!("{number} ").bytes()),
                _ => bytes.extend(number.to_le_bytes()),
            }
        }
        bytes.extend((format == "ascii").then_some(b'\n'));
    }
    for [a, b, c] in faces() {
        match format {
            "ascii" => bytes.extend(format!("3 {a} {b} {c}\n").bytes()),
            _ => bytes.extend(
                [3, a, b, c]
                    .iter()
                    .flat_map(|&number| (number as u32).to_le_bytes()),
            ),
        }
    }
    bytes
}

/// Returns the corners of each triangle.
fn soup() -> Vec<[[f64; 3]; 3]> {
    let vertices: Vec<_> = vertices().collect();
    faces()
        .map(|face| face.map(|corner| vertices[corner]))
        .collect()
}

/// Returns STL text, where each third facet begins a solid.
fn ascii_stl() -> String {
    let mut text = String::new();
    for (number, facet) in soup().iter().enumerate() {
        if number % 3 == 0 {
            let _ = writeln!(text, "solid number {number}");
        }
        text += "facet normal 0 0 1\nouter loop\n";
        for [x, y, z] in facet {
            let _ = writeln!(text, "vertex {x} {y} {z}");
        }
        text += "endloop\nendfacet\n";
        if number % 3 == 2 {
            text += "endsolid\n";
        }
    }
    text
}

fn binary_stl() -> Vec<u8> {
    let facets = soup();
    let mut bytes = vec![b' '; 80];
    bytes.extend((facets.len() as u32).to_le_bytes());
    for facet in facets {
        bytes.extend([0; 12]);
        let numbers = facet.iter().flatten().map(|&number| number as f32);
        bytes.extend(numbers.flat_map(f32::to_le_bytes));
        bytes.extend([0; 2]);
    }
    bytes
}

/// Returns a buffer of positions and indices, and the document whose buffer has this member.
#[cfg(feature = "gltf")]
fn gltf(buffer: &str) -> (Vec<u8>, String) {
    let positions = vertices().flatten().flat_map(|x| (x as f32).to_le_bytes());
    let mut bytes: Vec<u8> = positions.collect();
    let length = bytes.len();
    bytes.extend(faces().flatten().flat_map(|i| (i as u32).to_le_bytes()));
    let (rest, all) = (bytes.len() - length, bytes.len());
    let [vertices, corners] = [SIDE * SIDE, 3 * faces().count()];
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"nodes":[{{"mesh":0,"translation":[0.1,0,0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"NORMAL":0}},"indices":1}}]}}],
        "accessors":[{{"componentType":5126,"count":{vertices},"type":"VEC3","bufferView":0}},
        {{"componentType":5125,"count":{corners},"type":"SCALAR","bufferView":1}}],
        "bufferViews":[{{"buffer":0,"byteLength":{length}}},
        {{"buffer":0,"byteOffset":{length},"byteLength":{rest}}}],
        "buffers":[{{"byteLength":{all}{buffer}}}]}}"#
    );
    (bytes, json)
}

#[cfg(feature = "gltf")]
fn glb() -> Vec<u8> {
    let (mut buffer, mut json) = gltf("");
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    json += &" ".repeat(json.len().next_multiple_of(4) - json.len());
    let length = (28 + json.len() + buffer.len()) as u32;
    let number = |n: usize| (n as u32).to_le_bytes();
    let mut bytes = [&b"glTF\x02\0\0\0"[..], &length.to_le_bytes()].concat();
    for (kind, chunk) in [(b"JSON", json.as_bytes()), (b"BIN\0", &buffer)] {
        bytes.extend([&number(chunk.len())[..], kind, chunk].concat());
    }
    bytes
}

#[test]
fn text_formats_report_refused_memory() {
    let (obj, materials, star, off) = (obj(), materials(), star(), off());
    let (stl, ply) = (ascii_stl(), ply("ascii"));
    let loader = MeshLoader::new();
    let source = |_: &str| {
        let mut bytes = Vec::new();
        bytes.try_append(materials.as_bytes())?;
        Ok(bytes)
    };
    let read = |text: &str, name| outcome(loader.read(text.as_bytes(), name));
    let infinite = format!("v inf 0 0\nf 1 2 3\n{obj}");
    let skipping = loader.clone().bad_faces(BadFaces::Skip);
    let cases: [(&str, usize, Work<'_>); 9] = [
        ("OBJ", LARGE, &|| read(&obj, "a.obj")),
        ("OBJ without attributes", LARGE, &|| {
            outcome(loader.clone().attributes(false).read(obj.as_bytes(), "a"))
        }),
        ("OBJ with materials", LARGE, &|| {
            outcome(
                loader
                    .clone()
                    .file_source(&source)
                    .read(obj.as_bytes(), "a"),
            )
        }),
        ("OBJ of one polygon", LARGE, &|| read(&star, "a.obj")),
        ("OBJ of a stream", LARGE, &|| {
            outcome(loader.read_from(obj.as_bytes(), "a"))
        }),
        ("OBJ with skipped faces", LARGE, &|| {
            outcome(skipping.read(infinite.as_bytes(), "a"))
        }),
        ("OFF", LARGE, &|| read(&off, "a.off")),
        ("STL", LARGE, &|| read(&stl, "a.stl")),
        ("PLY", LARGE, &|| outcome(loader.read(&ply, "a.ply"))),
    ];
    ALLOCATOR.check("text_formats_report_refused_memory", &cases);
}

#[test]
fn binary_formats_report_refused_memory() {
    let (stl, ply) = (binary_stl(), ply("binary_little_endian"));
    let loader = MeshLoader::new();
    let cases: [(&str, usize, Work<'_>); 2] = [
        ("STL", LARGE, &|| outcome(loader.read(&stl, "a.stl"))),
        ("PLY", LARGE, &|| outcome(loader.read(&ply, "a.ply"))),
    ];
    ALLOCATOR.check("binary_formats_report_refused_memory", &cases);
}

#[cfg(feature = "gltf")]
#[test]
fn gltf_reports_refused_memory() {
    let (glb, (buffer, json)) = (glb(), gltf(r#","uri":"a.bin""#));
    let loader = MeshLoader::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gltf");
    std::fs::write(&path, json).unwrap();
    std::fs::write(folder.path().join("a.bin"), buffer).unwrap();
    let nodes = || match loader.read_nodes(&glb, "a.glb") {
        Ok(file) => outcome(Ok(file.meshes.into_iter().next()?)),
        Err(error) => outcome(Err(error)),
    };
    let cases: [(&str, usize, Work<'_>); 3] = [
        ("GLB", LARGE, &|| outcome(loader.read(&glb, "a.glb"))),
        ("GLB as nodes", LARGE, &nodes),
        ("glTF with a buffer", LARGE, &|| outcome(loader.load(&path))),
    ];
    ALLOCATOR.check("gltf_reports_refused_memory", &cases);
}

/// What rounding lost is found with copies of all vertices as they are in the file.
#[test]
fn local_frames_report_refused_memory() {
    let (obj, ply) = (obj().replace("v ", "v 5"), ply("ascii"));
    let origin = DVec3::new(5e6, 0.5, 0.0);
    let at = MeshLoader::new().local_frame(LocalFrame::At(origin));
    let chosen = MeshLoader::new().local_frame(LocalFrame::Auto);
    let surveyed = MeshLoader::new().survey_rounding(true);
    let cases: [(&str, usize, Work<'_>); 4] = [
        ("a given frame", LARGE, &|| {
            outcome(at.read(obj.as_bytes(), "a"))
        }),
        ("a chosen frame", LARGE, &|| {
            outcome(chosen.read_from(obj.as_bytes(), "a"))
        }),
        ("a survey of OBJ", LARGE, &|| {
            outcome(surveyed.read(obj.as_bytes(), "a"))
        }),
        ("a survey of PLY", LARGE, &|| {
            outcome(surveyed.read(&ply, "a"))
        }),
    ];
    ALLOCATOR.check("local_frames_report_refused_memory", &cases);
}

#[cfg(feature = "gzip")]
#[test]
fn gzip_reports_refused_memory() {
    use std::io::Write;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(obj().as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    let read: Work<'_> = &|| outcome(MeshLoader::new().read(&packed, "a.obj.gz"));
    ALLOCATOR.check("gzip_reports_refused_memory", &[("gzip", LARGE, read)]);
}

/// The decoder cannot report it for its window, so only what is larger is refused.
#[cfg(feature = "zstd")]
#[test]
fn zstd_reports_refused_memory() {
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = ruzstd::encoding::compress_to_vec(obj().as_bytes(), level);
    let read: Work<'_> = &|| outcome(MeshLoader::new().read(&packed, "a.obj.zst"));
    ALLOCATOR.check("zstd_reports_refused_memory", &[("zstd", 1 << 20, read)]);
}

/// Meshes that are made of others, and of arrays.
#[test]
fn changed_meshes_report_refused_memory() {
    let mesh = MeshLoader::new().read(obj().as_bytes(), "a.obj").unwrap();
    let outcome = |made: Result<Mesh, MeshError>| match made {
        Err(MeshError::NoMemory { .. }) => None,
        made => Some(hash(&made.unwrap())),
    };
    // Triangles with a back, of which one corner has noise.
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for i in 0..2500 {
        let (x, y) = ((i % 50) as f32, (i / 50) as f32);
        let noise = [[x, y, 0.0], [x, y, 1e-7]];
        positions.extend(noise);
        positions.extend([[x + 1.0, y, 0.0], [x, y + 1.0, 0.0]]);
        faces.extend([[0, 2, 3], [1, 3, 2]].map(|face| face.map(|corner| 4 * i + corner)));
    }
    let noisy = Mesh::try_new(positions, faces).unwrap();
    let edge = open_edges(noisy.triangles())[0];
    let distance = || match closing_distance(&noisy, edge, &CancelToken::new()) {
        Err(MeshError::NoMemory { .. }) => None,
        found => found.unwrap().map(f64::to_bits),
    };
    let cases: [(&str, usize, Work<'_>); 4] = [
        ("welded", LARGE, &|| outcome(noisy.clone().welded(1e-6))),
        // Larger than what each step of the search requests again.
        ("closed", LARGE, &distance),
        ("arrays", LARGE, &|| {
            outcome(Mesh::try_new(mesh.positions(), mesh.indices()))
        }),
        ("appended", LARGE, &|| {
            let mut both = Mesh::default();
            outcome(both.append(&mesh).map(|()| both))
        }),
    ];
    ALLOCATOR.check("changed_meshes_report_refused_memory", &cases);
}
