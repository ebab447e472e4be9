//! Reads glTF 2.0.
//!
//! Each step is one file: [`container`] finds the JSON, [`model`] declares which of its parts are
//! read, [`scene`] places meshes, once or in [`instances`], [`pose`] moves those with skins,
//! [`byte_sources`] and [`accessor`] read numbers, and [`primitive`] makes triangles of them, with
//! [`affine_transform`](crate::affine_transform) for the transforms of nodes. [`nodes`] reads each
//! mesh once, for scenes.

mod accessor;
mod byte_sources;
mod container;
mod instances;
mod json_values;
mod model;
mod nodes;
mod pose;
mod primitive;
mod scene;

use byte_sources::{GltfBuffers, Open};
use container::Container;
use model::{Document, Index, Outline};
pub(crate) use nodes::read_nodes;
use primitive::{Adder, Fault, Vertices};
use scene::Placed;
use std::collections::HashMap;

use crate::assemble::draft::Draft;
use crate::assemble::face_names;
use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::mesh::material::Material;
use crate::text::{quote, shown};
use estoc_system::check_room;

/// Reads a whole file.
pub(crate) fn read(
    input: &mut MeshInput<'_>,
    draft: &mut Draft,
    open: &Open<'_>,
) -> Result<(), MeshError> {
    input.take_rest()?;
    let input = &*input;
    let opened = OpenedGltf::of(input)?;
    draft.report.named_files = opened.named_files.clone();
    let document = &opened.document;
    let mut buffers = opened.buffers(open);
    let placements = scene::placements(document, &mut buffers, draft, input)?;
    let mut adder = Adder {
        document,
        buffers,
        draft,
        added: 0,
        others: 0,
    };
    let mut materials = HashMap::new();
    for placed in &placements {
        add_mesh(&mut adder, placed, &mut materials, input)?;
    }
    opened.ignore_of_file(draft);
    Ok(())
}

/// A document that can be read.
struct OpenedGltf<'a> {
    document: Document,
    named_files: Vec<String>,
    /// The buffer in the same file, if any.
    inner: Option<&'a [u8]>,
    /// The size of the file in bytes.
    length: u64,
}

impl<'a> OpenedGltf<'a> {
    /// Parses a file of which all bytes were taken.
    fn of(input: &'a MeshInput<'_>) -> Result<Self, MeshError> {
        let bytes = input.last();
        let container = container::open(bytes, input)?;
        // For the parsed document, and the buffers that its text may contain.
        check_room(JSON * container.json.len())?;
        let document = parse(bytes, &container, input)?;
        refuse_what_is_not_read(&document, input)?;
        Ok(OpenedGltf {
            named_files: named_files(&document, json_of(bytes, &container)),
            document,
            inner: container.buffer.map(|range| &bytes[range]),
            length: bytes.len() as u64,
        })
    }

    fn buffers(&'a self, open: &'a Open<'a>) -> GltfBuffers<'a> {
        GltfBuffers::new(&self.document, self.inner, open, self.length)
    }

    /// Reports what is ignored of the file as a whole.
    fn ignore_of_file(&self, draft: &mut Draft) {
        let animations = self.document.animations.len() as u64;
        if animations > 0 {
            draft.ignore("animations", animations);
        }
    }
}

fn json_of<'a>(bytes: &'a [u8], container: &Container) -> &'a [u8] {
    let json = &bytes[container.json.clone()];
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
    // Some writers pad with zeros, where the format requires blanks.
    let end = json.iter().rposition(|&byte| byte != 0);
    &json[..end.map_or(0, |last| last + 1)]
}

fn parse(
    bytes: &[u8],
    container: &Container,
    input: &MeshInput<'_>,
) -> Result<Document, MeshError> {
    let json = json_of(bytes, container);
    serde_json::from_slice(json).map_err(|error| {
        if let Some(version) = version_of(json).filter(|version| !version.starts_with("2.")) {
            return version_not_read(&version, input);
        }
        let text = error.to_string();
        if text.starts_with(json_values::NO_MEMORY) {
            return MeshError::NoMemory { at: input.whole() };
        }
        let problem = text.split(" at line ").next().unwrap_or(&text);
        let printable = problem.chars().filter(|c| !c.is_control());
        let problem: String = printable.take(200).collect();
        let (line, column) = (error.line(), error.column());
        let at = match container.json.start {
            0 => input.at(line as u64),
            _ => input.whole().in_part(format!("JSON, line {line}")),
        };
        input.malformed(at, format!("{problem} (column {column})"))
    })
}

/// Returns the version of a document that cannot be parsed.
fn version_of(json: &[u8]) -> Option<String> {
    let text = serde_json::from_slice::<Outline<String>>(json);
    let text = text.map(|outline| outline.asset.version);
    let number = |_| serde_json::from_slice::<Outline<f64>>(json);
    let version = text.or_else(|error| number(error).map(|it| format!("{:?}", it.asset.version)));
    version.ok()
}

fn version_not_read(version: &str, input: &MeshInput<'_>) -> MeshError {
    let version = quote(version.as_bytes());
    let problem = format!("version {version}; save the file as version 2.0");
    input.unsupported(input.whole(), problem)
}

/// Returns the files that contain buffers and images. Images are not read, so a problem with them
/// is no reason to refuse the mesh.
fn named_files(document: &Document, json: &[u8]) -> Vec<String> {
    let buffers = document.buffers.iter();
    let buffers = buffers.filter_map(|buffer| buffer.uri.as_deref());
    let mut names: Vec<String> = buffers.filter_map(byte_sources::file_name).collect();
    if memchr::memmem::find(json, b"\"images\"").is_some() {
        let found: Option<model::Images> = serde_json::from_slice(json).ok();
        let images = found.iter().flat_map(|found| &found.images);
        let images = images.filter_map(|image| image.uri.as_deref());
        names.extend(images.filter_map(byte_sources::file_name));
    }
    names
}

/// The memory per byte of JSON, except for JSON constructed to take as much as possible.
const JSON: usize = 4;

/// Extensions with these prefixes do not change the positions of triangles.
const HARMLESS: [&str; 8] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_lights_",
    "KHR_animation_",
    "KHR_xmp",
    "EXT_texture_",
    "EXT_lights_",
    "MSFT_texture_",
];

/// Extensions that are read.
const READ: [&str; 3] = [
    "EXT_mesh_gpu_instancing",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
];

fn refuse_what_is_not_read(document: &Document, input: &MeshInput<'_>) -> Result<(), MeshError> {
    let asset = &document.asset;
    let version = asset.min_version.as_deref().unwrap_or(&asset.version);
    let is_2_0 = match asset.min_version {
        Some(_) => version == "2.0",
        None => version.starts_with("2."),
    };
    if !is_2_0 {
        return Err(version_not_read(version, input));
    }
    for extension in &document.extensions_required {
        let is_harmless = HARMLESS.iter().any(|start| extension.starts_with(start));
        if !is_harmless && !READ.contains(&&**extension) {
            let extension = quote(extension.as_bytes());
            let problem = format!("required extension {extension}; save the file without it");
            return Err(input.unsupported(input.whole(), problem));
        }
    }
    Ok(())
}

fn add_mesh(
    adder: &mut Adder<'_, '_>,
    placed: &Placed<'_>,
    materials: &mut HashMap<Index, u32>,
    input: &MeshInput<'_>,
) -> Result<(), MeshError> {
    let names = [placed.name, placed.mesh.name.as_deref()];
    let name = names.into_iter().flatten().find(|name| !name.is_empty());
    let name = name.map(|name| shown(name).into_owned());
    adder.draft.objects.set(adder.draft.face_count(), name)?;
    let mut vertices = Vertices::new();
    for (number, primitive) in placed.mesh.primitives.iter().enumerate() {
        let part = format!("meshes[{}].primitives[{number}]", placed.index);
        let face = adder.draft.face_count();
        adder.draft.parts.set(face, Some(part.clone()))?;
        use_material(adder, primitive.material, materials)
            .and_then(|()| adder.add(primitive, placed, &mut vertices))
            .map_err(|fault| fault.at(input, part))?;
    }
    Ok(())
}

/// Sets the material of the faces that follow.
fn use_material(
    adder: &mut Adder<'_, '_>,
    index: Option<Index>,
    places: &mut HashMap<Index, u32>,
) -> Result<(), Fault> {
    let draft = &mut *adder.draft;
    let mut place = None;
    if let Some(index) = index {
        let material = adder.document.materials.get(index as usize);
        let material = material.ok_or_else(|| format!("materials[{index}] does not exist"))?;
        let all = &mut draft.materials.all;
        place = Some(*places.entry(index).or_insert_with(|| {
            all.push(shown_as(material));
            all.len() as u32 - 1
        }));
    }
    let face = face_names::place(draft.face_count());
    draft.materials.runs.set(face, place)?;
    Ok(())
}

/// Converts a material to the values that are stored.
fn shown_as(material: &model::Material) -> Material {
    let base = material.pbr_metallic_roughness.base_color_factor;
    let finite = |x: f32| x.is_finite();
    Material {
        name: shown(material.name.as_deref().unwrap_or_default()).into(),
        defined: true,
        diffuse: base
            .map(|[r, g, b, _]| [r, g, b])
            .filter(|rgb| rgb.iter().copied().all(finite)),
        dissolve: base.map(|[.., a]| a).filter(|&a| finite(a)),
        emissive: material
            .emissive_factor
            .filter(|rgb| rgb.iter().copied().all(finite)),
        ..Material::default()
    }
}
