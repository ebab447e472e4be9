//! Reads glTF 2.0.
//!
//! Each step is one file: [`container`] finds the JSON, [`model`] declares which of its parts are
//! read, [`scene`] places meshes, [`byte_sources`] and [`accessor`] read numbers, and [`primitive`]
//! makes triangles of them, with [`affine_transform`](crate::affine_transform) for the transforms
//! of nodes. [`nodes`] reads each mesh once, for scenes.

mod accessor;
mod byte_sources;
mod container;
mod model;
mod nodes;
mod primitive;
mod scene;

use byte_sources::{Buffers, Open};
use container::Container;
use estoc_core::glam::DAffine3;
use estoc_memory::NoMemory;
use model::{Document, Index, Node};
pub(crate) use nodes::read_nodes;
use primitive::{Adder, Fault, Vertices};
use scene::{Placed, Wrong};
use std::collections::HashMap;

use crate::assemble::draft::Draft;
use crate::assemble::face_names;
use crate::error::{Location, MeshError};
use crate::formats::input::Input;
use crate::mesh::material::Material;
use crate::text::{quote, shown};

/// Reads a whole file.
pub(crate) fn read(
    input: &mut Input<'_>,
    draft: &mut Draft,
    open: &Open<'_>,
) -> Result<(), MeshError> {
    input.take_rest()?;
    let input = &*input;
    let opened = Opened::of(input)?;
    draft.report.named_files = opened.named_files.clone();
    let mut adder = Adder {
        document: &opened.document,
        buffers: Buffers::new(&opened.document, opened.inner, open),
        draft,
        added: 0,
        length: opened.length,
        others: 0,
    };
    let has_meshes = add_all(&mut adder, &opened, input)?;
    opened.ignore_of_file(draft, has_meshes);
    Ok(())
}

/// A document that can be read.
struct Opened<'a> {
    document: Document,
    named_files: Vec<String>,
    /// The buffer in the same file, if any.
    inner: Option<&'a [u8]>,
    /// The size of the file in bytes.
    length: u64,
}

impl<'a> Opened<'a> {
    /// Parses a file of which all bytes were taken.
    fn of(input: &'a Input<'_>) -> Result<Self, MeshError> {
        let bytes = input.last();
        let container = container::open(bytes, input)?;
        // For the parsed document, and the buffers that its text may contain.
        MeshError::check_room(JSON * container.json.len(), || input.whole())?;
        let document = parse(bytes, &container, input)?;
        refuse_what_is_not_read(&document, input)?;
        Ok(Opened {
            named_files: named_files(&document, json_of(bytes, &container)),
            document,
            inner: container.buffer.map(|range| &bytes[range]),
            length: bytes.len() as u64,
        })
    }

    /// Returns whether the file has meshes only, which are all shown where they are.
    fn has_no_nodes(&self) -> bool {
        let Document {
            nodes,
            scenes,
            scene,
            ..
        } = &self.document;
        nodes.is_empty() && scenes.is_empty() && scene.is_none()
    }

    /// Reports what is ignored of the file as a whole.
    fn ignore_of_file(&self, draft: &mut Draft, has_meshes: bool) {
        let meshes = self.document.meshes.len() as u64;
        if !has_meshes && meshes > 0 {
            draft.ignore("meshes, none of which is in the scene", meshes);
        }
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

fn parse(bytes: &[u8], container: &Container, input: &Input<'_>) -> Result<Document, MeshError> {
    serde_json::from_slice(json_of(bytes, container)).map_err(|error| {
        let text = error.to_string();
        let problem = text.split(" at line ").next().unwrap_or(&text);
        let problem: String = problem
            .chars()
            .filter(|c| !c.is_control())
            .take(200)
            .collect();
        let (line, column) = (error.line(), error.column());
        let at = match container.json.start {
            0 => Location {
                line: Some(line as u64),
                ..input.whole()
            },
            _ => input.whole().in_part(format!("JSON, line {line}")),
        };
        input.malformed(at, format!("{problem} (column {column})"))
    })
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

fn refuse_what_is_not_read(document: &Document, input: &Input<'_>) -> Result<(), MeshError> {
    let asset = &document.asset;
    let version = asset.min_version.as_deref().unwrap_or(&asset.version);
    let is_2_0 = match asset.min_version {
        Some(_) => version == "2.0",
        None => version.starts_with("2."),
    };
    let refuse = |problem| Err(input.unsupported(input.whole(), problem));
    if !is_2_0 {
        let version = quote(version.as_bytes());
        return refuse(format!("version {version}; save the file as version 2.0"));
    }
    for extension in &document.extensions_required {
        let is_harmless = HARMLESS.iter().any(|start| extension.starts_with(start));
        if !is_harmless && extension != "KHR_mesh_quantization" {
            let extension = quote(extension.as_bytes());
            return refuse(format!(
                "required extension {extension}; save the file without it"
            ));
        }
    }
    Ok(())
}

/// Adds the meshes of the scene, or all meshes untransformed if there are no nodes. Returns whether there
/// were any.
fn add_all(
    adder: &mut Adder<'_, '_>,
    opened: &Opened<'_>,
    input: &Input<'_>,
) -> Result<bool, MeshError> {
    let document = adder.document;
    let mut materials = HashMap::new();
    if opened.has_no_nodes() {
        for index in 0..document.meshes.len() as Index {
            add_mesh(adder, index, None, &mut materials, input)?;
        }
        return Ok(!document.meshes.is_empty());
    }
    let mut has_meshes = false;
    let wrong = |wrong: Wrong| wrong_part(input, wrong);
    for placed in scene::nodes(document).map_err(wrong)? {
        ignore_of_node(adder.draft, placed.node);
        if let Some(mesh) = placed.node.mesh {
            has_meshes = true;
            add_mesh(adder, mesh, Some(&placed), &mut materials, input)?;
        }
    }
    Ok(has_meshes)
}

fn wrong_part(input: &Input<'_>, wrong: Wrong) -> MeshError {
    input.malformed(input.whole().in_part(wrong.part), wrong.problem)
}

/// Reports what is ignored of a node.
fn ignore_of_node(draft: &mut Draft, node: &Node) {
    if node.skin.is_some() {
        draft.ignore("skins, so that their meshes are not posed", 1);
    }
    if node.extensions.instancing.is_some() {
        draft.ignore("instances of EXT_mesh_gpu_instancing", 1);
    }
}

/// Returns a mesh of the document.
fn mesh_at<'a>(
    document: &'a Document,
    index: Index,
    placed: Option<&Placed<'_>>,
    input: &Input<'_>,
) -> Result<&'a model::Mesh, MeshError> {
    document.meshes.get(index as usize).ok_or_else(|| {
        let node = placed.map_or(0, |placed| placed.index);
        let problem = format!("meshes[{index}] does not exist");
        input.malformed(input.whole().in_part(format!("nodes[{node}]")), problem)
    })
}

fn add_mesh(
    adder: &mut Adder<'_, '_>,
    index: Index,
    placed: Option<&Placed<'_>>,
    materials: &mut HashMap<Index, u32>,
    input: &Input<'_>,
) -> Result<(), MeshError> {
    let in_part = |part: String| input.whole().in_part(part);
    let mesh = mesh_at(adder.document, index, placed, input)?;
    let names = [
        placed.and_then(|placed| placed.node.name.as_deref()),
        mesh.name.as_deref(),
    ];
    let name = names.into_iter().flatten().find(|name| !name.is_empty());
    let name = name.map(|name| shown(name).into_owned());
    adder.draft.objects.set(adder.draft.face_count(), name);
    let transform = placed.map_or(DAffine3::IDENTITY, |placed| placed.transform);
    let mut vertices = Vertices::new();
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let part = format!("meshes[{index}].primitives[{number}]");
        let face = adder.draft.face_count();
        adder.draft.parts.set(face, Some(part.clone()));
        let added = match use_material(adder, primitive.material, materials) {
            Ok(()) => adder.add(primitive, &transform, &mut vertices),
            Err(problem) => Err(Fault::Malformed(problem)),
        };
        match added {
            Ok(()) => {}
            Err(Fault::Mesh(error)) => return Err(error),
            Err(_) if adder.buffers.has_no_memory => return Err(NoMemory.into()),
            Err(Fault::Malformed(problem)) => return Err(input.malformed(in_part(part), problem)),
            Err(Fault::Unsupported(problem)) => {
                return Err(input.unsupported(in_part(part), problem));
            }
        }
    }
    Ok(())
}

/// Sets the material of the faces that follow.
fn use_material(
    adder: &mut Adder<'_, '_>,
    index: Option<Index>,
    places: &mut HashMap<Index, u32>,
) -> Result<(), String> {
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
    let set = draft.materials.runs.set(face, place);
    set.map_err(|NoMemory| adder.buffers.no_memory())
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
