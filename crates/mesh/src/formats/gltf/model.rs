//! The parts of the JSON that are read. Names are those of the format; other parts do not matter to
//! triangles.

use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

use super::json_values::{JsonText, list};

/// An index into one of the arrays of the document.
pub(super) type Index = u32;

/// The whole document.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub(super) asset: Asset,
    #[serde(default, deserialize_with = "list")]
    pub(super) extensions_required: Vec<String>,
    pub(super) scene: Option<Index>,
    #[serde(default, deserialize_with = "list")]
    pub(super) scenes: Vec<Scene>,
    #[serde(default, deserialize_with = "list")]
    pub(super) nodes: Vec<Node>,
    #[serde(default, deserialize_with = "list")]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default, deserialize_with = "list")]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default, deserialize_with = "list")]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default, deserialize_with = "list")]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default, deserialize_with = "list")]
    pub(super) materials: Vec<Material>,
    #[serde(default, deserialize_with = "list")]
    pub(super) animations: Vec<IgnoredAny>,
    #[serde(default, deserialize_with = "list")]
    pub(super) skins: Vec<Skin>,
}

/// Read by itself if the document cannot be parsed: other versions have other types. The version is a
/// text, or a number in drafts of the format.
#[derive(Deserialize)]
pub(super) struct Outline<V> {
    pub(super) asset: OutlineAsset<V>,
}

#[derive(Deserialize)]
pub(super) struct OutlineAsset<V> {
    pub(super) version: V,
}

/// Parsed separately, and only if the document mentions images.
#[derive(Deserialize)]
pub(super) struct Images {
    #[serde(default, deserialize_with = "list")]
    pub(super) images: Vec<Image>,
}

#[derive(Deserialize)]
pub(super) struct Image {
    pub(super) uri: Option<JsonText>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Asset {
    pub(super) version: JsonText,
    pub(super) min_version: Option<JsonText>,
}

#[derive(Deserialize)]
pub(super) struct Scene {
    #[serde(default, deserialize_with = "list")]
    pub(super) nodes: Vec<Index>,
}

#[derive(Deserialize)]
pub(super) struct Node {
    pub(super) name: Option<JsonText>,
    #[serde(default, deserialize_with = "list")]
    pub(super) children: Vec<Index>,
    pub(super) mesh: Option<Index>,
    pub(super) skin: Option<Index>,
    /// In column order. Boxed, like the following fields, since a node may take only three bytes of
    /// JSON.
    pub(super) matrix: Option<Box<[f64; 16]>>,
    pub(super) translation: Option<Box<[f64; 3]>>,
    pub(super) rotation: Option<Box<[f64; 4]>>,
    pub(super) scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub(super) extensions: NodeExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct NodeExtensions {
    #[serde(rename = "EXT_mesh_gpu_instancing")]
    pub(super) instancing: Option<Instancing>,
    #[serde(rename = "KHR_node_visibility")]
    visibility: Option<Visibility>,
}

impl NodeExtensions {
    /// Returns whether the node is hidden, with all nodes in it.
    pub(super) fn is_hidden(&self) -> bool {
        let visible = self.visibility.as_ref().and_then(|found| found.visible);
        visible == Some(false)
    }
}

#[derive(Deserialize)]
pub(super) struct Instancing {
    #[serde(default)]
    pub(super) attributes: BTreeMap<JsonText, Index>,
}

#[derive(Deserialize)]
struct Visibility {
    visible: Option<bool>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Skin {
    pub(super) inverse_bind_matrices: Option<Index>,
    #[serde(default, deserialize_with = "list")]
    pub(super) joints: Vec<Index>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    pub(super) name: Option<JsonText>,
    #[serde(deserialize_with = "list")]
    pub(super) primitives: Vec<Primitive>,
}

impl Mesh {
    /// Returns whether a skin can move all triangles.
    pub(super) fn is_weighted(&self) -> bool {
        let mut primitives = self.primitives.iter();
        primitives.all(|primitive| {
            let has_triangles = primitive.mode.is_none_or(|mode| mode > 3);
            !has_triangles || primitive.attributes.influences().next().is_some()
        })
    }
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<Index>,
    pub(super) mode: Option<u32>,
    pub(super) material: Option<Index>,
    #[serde(default, deserialize_with = "list")]
    pub(super) targets: Vec<IgnoredAny>,
    #[serde(default)]
    pub(super) extensions: PrimitiveExtensions,
}

#[derive(Default, Deserialize)]
pub(super) struct PrimitiveExtensions {
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub(super) draco: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<Index>,
    #[serde(rename = "NORMAL")]
    pub(super) normal: Option<Index>,
    #[serde(rename = "TEXCOORD_0")]
    pub(super) texcoord: Option<Index>,
    #[serde(rename = "JOINTS_0")]
    joints_0: Option<Index>,
    #[serde(rename = "WEIGHTS_0")]
    weights_0: Option<Index>,
    #[serde(rename = "JOINTS_1")]
    joints_1: Option<Index>,
    #[serde(rename = "WEIGHTS_1")]
    weights_1: Option<Index>,
}

impl Attributes {
    /// Returns the accessors of joints and weights. The format requires nobody to use more than one
    /// set; some writers make two.
    pub(super) fn influences(&self) -> impl Iterator<Item = (Index, Index)> {
        let sets = [
            self.joints_0.zip(self.weights_0),
            self.joints_1.zip(self.weights_1),
        ];
        sets.into_iter().map_while(|set| set)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<Index>,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
    #[serde(default)]
    pub(super) normalized: bool,
    pub(super) count: u64,
    #[serde(rename = "type")]
    pub(super) shape: JsonText,
    pub(super) sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub(super) count: u64,
    pub(super) indices: SparseIndices,
    pub(super) values: SparseValues,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseIndices {
    pub(super) buffer_view: Index,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseValues {
    pub(super) buffer_view: Index,
    #[serde(default)]
    pub(super) byte_offset: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: Index,
    #[serde(default)]
    pub(super) byte_offset: u64,
    pub(super) byte_length: u64,
    pub(super) byte_stride: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub(super) uri: Option<JsonText>,
    pub(super) byte_length: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Material {
    pub(super) name: Option<JsonText>,
    #[serde(default)]
    pub(super) pbr_metallic_roughness: Surface,
    pub(super) emissive_factor: Option<[f32; 3]>,
    // A factor that is not a number shows a faulty writer. Factors of materials are therefore
    // parsed even if they are not stored.
    #[serde(default)]
    #[expect(dead_code, reason = "only its type matters")]
    normal_texture: Texture,
    #[serde(default)]
    #[expect(dead_code, reason = "only its type matters")]
    occlusion_texture: Texture,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Surface {
    pub(super) base_color_factor: Option<[f32; 4]>,
    #[expect(dead_code, reason = "only its type matters")]
    metallic_factor: Option<f64>,
    #[expect(dead_code, reason = "only its type matters")]
    roughness_factor: Option<f64>,
}

#[derive(Default, Deserialize)]
struct Texture {
    /// The factor of a normal texture.
    #[expect(dead_code, reason = "only its type matters")]
    scale: Option<f64>,
    /// The factor of an occlusion texture.
    #[expect(dead_code, reason = "only its type matters")]
    strength: Option<f64>,
}
