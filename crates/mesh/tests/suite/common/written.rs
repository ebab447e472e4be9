//! One mesh in every format.

use estoc_core::glam::Vec3;
use estoc_mesh::Mesh;
use std::fmt::Write;

/// A format for writing a mesh, with the name of such a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    Obj,
    PlyText,
    PlyLittle,
    PlyBig,
    /// Numbers of unusual types, and unused properties.
    PlyOdd,
    StlText,
    StlBinary,
    Off,
    Gltf,
    Glb,
}

impl Way {
    pub(crate) const ALL: [Way; 10] = [
        Way::Obj,
        Way::PlyText,
        Way::PlyLittle,
        Way::PlyBig,
        Way::PlyOdd,
        Way::StlText,
        Way::StlBinary,
        Way::Off,
        Way::Gltf,
        Way::Glb,
    ];

    /// Returns the formats that this build reads.
    pub(crate) fn readable() -> impl Iterator<Item = Way> {
        let gltf = cfg!(feature = "gltf");
        let readable = move |way: &Way| gltf || !matches!(way, Way::Gltf | Way::Glb);
        Way::ALL.into_iter().filter(readable)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Obj => "a.obj",
            Way::PlyText | Way::PlyLittle | Way::PlyBig | Way::PlyOdd => "a.ply",
            Way::StlText | Way::StlBinary => "a.stl",
            Way::Off => "a.off",
            Way::Gltf => "a.gltf",
            Way::Glb => "a.glb",
        }
    }

    pub(crate) fn write(self, mesh: &Mesh) -> Vec<u8> {
        match self {
            Way::Obj => obj(mesh),
            Way::PlyText => ply_text(mesh),
            Way::PlyLittle => ply(mesh, f32::to_le_bytes, u32::to_le_bytes, "little"),
            Way::PlyBig => ply(mesh, f32::to_be_bytes, u32::to_be_bytes, "big"),
            Way::PlyOdd => ply_odd(mesh),
            Way::StlText => stl_text(mesh),
            Way::StlBinary => stl(mesh),
            Way::Off => off(mesh),
            Way::Gltf => gltf(mesh),
            Way::Glb => glb(mesh),
        }
    }
}

fn obj(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::new();
    for p in mesh.positions() {
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in mesh.indices() {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1).unwrap();
    }
    text.into_bytes()
}

fn ply_header(encoding: &str, vertices: usize, faces: usize) -> String {
    format!(
        "ply\nformat {encoding} 1.0\ncomment by hand\nelement vertex {vertices}\n\
         property float x\nproperty float y\nproperty float z\nelement face {faces}\n\
         property list uchar uint vertex_indices\nend_header\n"
    )
}

fn lines(mesh: &Mesh) -> String {
    let mut text = String::new();
    for p in mesh.positions() {
        writeln!(text, "{} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in mesh.indices() {
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text
}

fn ply_text(mesh: &Mesh) -> Vec<u8> {
    let (vertices, faces) = (mesh.positions().len(), mesh.triangle_count());
    (ply_header("ascii", vertices, faces) + &lines(mesh)).into_bytes()
}

fn ply(mesh: &Mesh, float: fn(f32) -> [u8; 4], int: fn(u32) -> [u8; 4], order: &str) -> Vec<u8> {
    let (vertices, faces) = (mesh.positions().len(), mesh.triangle_count());
    let mut bytes = ply_header(&format!("binary_{order}_endian"), vertices, faces).into_bytes();
    for p in mesh.positions() {
        bytes.extend(p.to_array().into_iter().flat_map(float));
    }
    for triangle in mesh.indices() {
        bytes.push(3);
        bytes.extend(triangle.iter().copied().flat_map(int));
    }
    bytes
}

fn ply_odd(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\r\nformat binary_big_endian 1.0\r\nobj_info no\r\nelement camera 2\r\n\
         property list ushort int8 lens\r\nproperty double tilt\r\nelement vertex {}\r\n\
         property uchar red\r\nproperty float64 z\r\nproperty list int short weights\r\n\
         property double x\r\nproperty double y\r\nelement face {}\r\n\
         property list uint8 float uv\r\nproperty list int int32 vertex_index\r\n\
         property ushort flags\r\nelement nothing 1000000000000\r\nend_header\r\n",
        mesh.positions().len(),
        mesh.triangle_count()
    )
    .into_bytes();
    bytes.extend([0, 3, 1, 2, 3]);
    bytes.extend(1f64.to_be_bytes());
    bytes.extend([0, 0]);
    bytes.extend(2f64.to_be_bytes());
    for p in mesh.positions() {
        bytes.push(255);
        bytes.extend(f64::from(p.z).to_be_bytes());
        bytes.extend(2i32.to_be_bytes());
        bytes.extend([0, 1, 0, 2]);
        bytes.extend(f64::from(p.x).to_be_bytes());
        bytes.extend(f64::from(p.y).to_be_bytes());
    }
    for triangle in mesh.indices() {
        bytes.push(1);
        bytes.extend(0.5f32.to_be_bytes());
        bytes.extend(3i32.to_be_bytes());
        bytes.extend(
            triangle
                .iter()
                .flat_map(|&index| (index as i32).to_be_bytes()),
        );
        bytes.extend([7, 7]);
    }
    bytes
}

fn stl_text(mesh: &Mesh) -> Vec<u8> {
    let mut text = String::from("solid all of it\n");
    for triangle in mesh.triangles() {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for p in triangle.corners() {
            writeln!(text, "      vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += "    endloop\n  endfacet\n";
    }
    (text + "endsolid all of it\n").into_bytes()
}

fn stl(mesh: &Mesh) -> Vec<u8> {
    let mut bytes = b"solid says the header and is wrong".to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangle_count() as u32).to_le_bytes());
    for triangle in mesh.triangles() {
        bytes.extend([0; 12]);
        for p in triangle.corners() {
            bytes.extend(p.to_array().into_iter().flat_map(f32::to_le_bytes));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

fn off(mesh: &Mesh) -> Vec<u8> {
    let counts = (mesh.positions().len(), mesh.triangle_count());
    let header = format!("# by hand\nOFF\n{} {} 0\n", counts.0, counts.1);
    (header + &lines(mesh)).into_bytes()
}

/// Returns positions and indices, one after the other.
fn gltf_buffer(mesh: &Mesh) -> Vec<u8> {
    let positions = mesh.positions().iter().flat_map(Vec3::to_array);
    let mut bytes: Vec<u8> = positions.flat_map(f32::to_le_bytes).collect();
    bytes.extend(
        mesh.indices()
            .iter()
            .flatten()
            .flat_map(|i| i.to_le_bytes()),
    );
    bytes
}

fn gltf_json(mesh: &Mesh, address: &str) -> String {
    let (vertices, corners) = (mesh.positions().len(), 3 * mesh.triangle_count());
    let (split, length) = (12 * vertices, 12 * vertices + 4 * corners);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
"nodes":[{{"name":"all of it","mesh":0}}],
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1,"material":0}}]}}],
"materials":[{{"name":"paint","pbrMetallicRoughness":{{"baseColorFactor":[1,0.5,0,1]}}}}],
"accessors":[
{{"bufferView":0,"componentType":5126,"count":{vertices},"type":"VEC3"}},
{{"bufferView":1,"componentType":5125,"count":{corners},"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":{split}}},
{{"buffer":0,"byteOffset":{split},"byteLength":{}}}],
"buffers":[{{{address}"byteLength":{length}}}]}}"#,
        4 * corners
    )
}

fn gltf(mesh: &Mesh) -> Vec<u8> {
    let data = base64(&gltf_buffer(mesh));
    let address = format!(r#""uri":"data:application/octet-stream;base64,{data}","#);
    gltf_json(mesh, &address).into_bytes()
}

fn glb(mesh: &Mesh) -> Vec<u8> {
    glb_of(&gltf_json(mesh, ""), &gltf_buffer(mesh))
}

/// Returns a file of two chunks.
pub(crate) fn glb_of(json: &str, buffer: &[u8]) -> Vec<u8> {
    let mut json = json.as_bytes().to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut buffer = buffer.to_vec();
    buffer.resize(buffer.len().next_multiple_of(4), 0);
    let mut bytes = b"glTF\x02\0\0\0".to_vec();
    bytes.extend((28 + json.len() as u32 + buffer.len() as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", json), (b"BIN\0", buffer)] {
        bytes.extend((chunk.len() as u32).to_le_bytes());
        bytes.extend(kind);
        bytes.extend(chunk);
    }
    bytes
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let mut bits = [0; 4];
        bits[1..=three.len()].copy_from_slice(three);
        let bits = u32::from_be_bytes(bits);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place > three.len() {
                '='
            } else {
                digit.into()
            });
        }
    }
    text
}
