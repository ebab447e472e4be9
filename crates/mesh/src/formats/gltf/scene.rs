//! The meshes of the scene, and their places.

use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3};
use estoc_core::scale_rotation_translation;
use estoc_core::{MatrixError, PlacementMatrix};
use estoc_system::{Growth, collected};
use std::collections::HashMap;
use std::iter::repeat_n;
use std::rc::Rc;

use super::byte_sources::GltfBuffers;
use super::instances::Instances;
use super::model::{Document, Index, Mesh, Node};
use super::pose::Pose;
use super::primitive::Fault;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::MeshInput;

/// A mesh in one of its places.
#[derive(Clone)]
pub(super) struct Placed<'a> {
    pub(super) index: Index,
    pub(super) mesh: &'a Mesh,
    /// The index of the node; `None` if the document has no nodes.
    pub(super) node: Option<usize>,
    /// The name of the node.
    pub(super) name: Option<&'a str>,
    /// Transforms its coordinates to those of the scene.
    pub(super) transform: DAffine3,
    /// Whether one of the transforms that `transform` is the product of has no inverse.
    pub(super) is_flat: bool,
    /// What moves its vertices instead of the transform, which is then the identity.
    pub(super) pose: Option<Rc<Pose>>,
}

/// Returns all meshes of the scene, or each mesh once if there are no nodes. Reports in `draft` what is
/// ignored of nodes.
pub(super) fn placements<'a>(
    document: &'a Document,
    buffers: &mut GltfBuffers<'a>,
    draft: &mut Draft,
    input: &MeshInput<'_>,
) -> Result<Vec<Placed<'a>>, MeshError> {
    let mut placed = Vec::new();
    let Document { nodes, scenes, .. } = document;
    if nodes.is_empty() && scenes.is_empty() && document.scene.is_none() {
        placed.make_room(document.meshes.len())?;
        placed.extend(document.meshes.iter().zip(0..).map(|(mesh, index)| Placed {
            index,
            mesh,
            node: None,
            name: None,
            transform: DAffine3::IDENTITY,
            is_flat: false,
            pose: None,
        }));
        return Ok(placed);
    }
    let SceneNodes { all, places } = nodes_of_scene(document, input)?;
    let transform_of = |joint: Index| {
        let &place = places.get(joint as usize)?;
        Some(all.get(place as usize)?.transform)
    };
    let mut poses: HashMap<Index, Option<Rc<Pose>>> = HashMap::new();
    let mut weighted: HashMap<Index, bool> = HashMap::new();
    let (mut has_meshes, mut hidden, mut bytes) = (false, 0, 0_u64);
    for met in &all {
        let at_node = |fault: Fault| fault.at(input, format!("nodes[{}]", met.index));
        let Some(index) = met.node.mesh else { continue };
        let mesh = document.meshes.get(index as usize).ok_or_else(|| {
            let problem = format!("meshes[{index}] does not exist");
            at_node(Fault::Malformed(problem))
        })?;
        has_meshes = true;
        if met.is_hidden {
            hidden += 1;
            continue;
        }
        let mut own = Placed {
            index,
            mesh,
            node: Some(met.index),
            name: met.node.name.as_deref(),
            transform: met.transform,
            is_flat: met.is_flat,
            pose: None,
        };
        if let Some(skin) = met.node.skin {
            let pose = match poses.get(&skin) {
                Some(known) => known.clone(),
                None => {
                    let pose = Pose::of(document, buffers, skin, &transform_of);
                    let pose = pose.map_err(|fault| fault.at(input, format!("skins[{skin}]")))?;
                    poses.entry(skin).or_insert(pose.map(Rc::new)).clone()
                }
            };
            let is_weighted = weighted.entry(index).or_insert_with(|| mesh.is_weighted());
            own.pose = pose.filter(|_| *is_weighted);
            if own.pose.is_some() {
                (own.transform, own.is_flat) = (DAffine3::IDENTITY, false);
            } else {
                draft.ignore("skins, so that their meshes are not posed", 1);
            }
        }
        let mut instancing = met.node.extensions.instancing.as_ref();
        if own.pose.is_some() && instancing.take().is_some() {
            draft.ignore("instances of meshes with skins", 1);
        }
        let instances = instancing.map(|instancing| Instances::open(buffers, instancing));
        let instances = instances.transpose().map_err(at_node)?;
        let count = instances.as_ref().map_or(1, |instances| instances.count);
        // Each has a copy of a name.
        let names = own.name.into_iter().chain(mesh.name.as_deref());
        let size = size_of::<Placed<'_>>() + names.map(str::len).sum::<usize>();
        bytes = count.saturating_mul(size as u64).saturating_add(bytes);
        let what = if instances.is_some() {
            "instances"
        } else {
            "nodes"
        };
        buffers.check_times(bytes, what).map_err(at_node)?;
        placed.make_room(count as usize)?;
        let Some(instances) = instances else {
            placed.push(own);
            continue;
        };
        for number in 0..count {
            let transform = instances.get(number).map_err(at_node)?;
            placed.push(Placed {
                transform: met.transform * transform,
                is_flat: met.is_flat || is_flat(&transform),
                ..own.clone()
            });
        }
    }
    if hidden > 0 {
        draft.ignore("nodes that KHR_node_visibility hides", hidden);
    }
    let meshes = document.meshes.len() as u64;
    if !has_meshes && meshes > 0 {
        draft.ignore("meshes, none of which is in the scene", meshes);
    }
    Ok(placed)
}

/// Returns whether a transform has no inverse. Decided exactly.
pub(super) fn is_flat(transform: &DAffine3) -> bool {
    PlacementMatrix::try_new(transform) == Err(MatrixError::Singular)
}

/// The nodes of the scene, each before its children.
struct SceneNodes<'a> {
    all: Vec<SceneNode<'a>>,
    /// The place in `all` of each node of the document; `NOT_MET` for those that are not in the scene.
    places: Vec<Index>,
}

const NOT_MET: Index = Index::MAX;

/// A node of the scene.
struct SceneNode<'a> {
    node: &'a Node,
    index: usize,
    /// Transforms its coordinates to those of the scene.
    transform: DAffine3,
    /// Whether its transform, or that of a node that contains it, has no inverse.
    is_flat: bool,
    /// Whether it, or a node that contains it, is not visible.
    is_hidden: bool,
}

/// Returns all nodes of the scene.
///
/// If there are several scenes, it is the default scene of the document, or else the first; without
/// any scene, all nodes are returned.
fn nodes_of_scene<'a>(
    document: &'a Document,
    input: &MeshInput<'_>,
) -> Result<SceneNodes<'a>, MeshError> {
    let count = document.nodes.len();
    let has_scene = document.scene.is_some() || !document.scenes.is_empty();
    let wrong = |part: String, problem: String| {
        let at = input.whole().in_part(part);
        Err(input.malformed(at, problem))
    };
    let mut places = collected(repeat_n(NOT_MET, count))?;
    // Not recursive: a chain of nodes may be as long as the file allows.
    let mut ahead: Vec<(Index, DAffine3, [bool; 2])> = Vec::new();
    let root = |index| (index, DAffine3::IDENTITY, [false; 2]);
    match (document.scene, &*document.scenes) {
        (None, []) => {
            // Marks children, for now.
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(place) = places.get_mut(child as usize) {
                    *place = 0;
                }
            }
            ahead.make_room(count)?;
            let all = (0..count as Index).rev();
            ahead.extend(
                all.filter(|&index| places[index as usize] == NOT_MET)
                    .map(root),
            );
            places.fill(NOT_MET);
        }
        (scene, scenes) => {
            let index = scene.unwrap_or(0);
            let Some(scene) = scenes.get(index as usize) else {
                return wrong("scene".into(), format!("scenes[{index}] does not exist"));
            };
            ahead.make_room(scene.nodes.len())?;
            ahead.extend(scene.nodes.iter().rev().copied().map(root));
        }
    }
    let mut all = Vec::new();
    while let Some((index, parent, [is_flat_above, is_hidden_above])) = ahead.pop() {
        let index = index as usize;
        let part = || format!("nodes[{index}]");
        let Some(node) = document.nodes.get(index) else {
            return wrong(part(), "the node does not exist".into());
        };
        if places[index] != NOT_MET {
            let problem = "the node occurs twice in the scene, or inside itself";
            return wrong(part(), problem.into());
        }
        places[index] = all.len() as Index;
        let own = match own_transform(node) {
            Ok(own) => own,
            Err(problem) => return wrong(part(), problem.into()),
        };
        let met = SceneNode {
            node,
            index,
            transform: parent * own,
            is_flat: is_flat_above || is_flat(&own),
            is_hidden: is_hidden_above || node.extensions.is_hidden(),
        };
        let inherited = [met.is_flat, met.is_hidden];
        ahead.make_room(node.children.len())?;
        let children = node.children.iter().rev();
        ahead.extend(children.map(|&child| (child, met.transform, inherited)));
        all.try_push(met)?;
    }
    if !has_scene && let Some(index) = places.iter().position(|&place| place == NOT_MET) {
        // The node has a parent, but cannot be reached from a root.
        let problem = "the node is inside itself, or inside a node that is";
        return wrong(format!("nodes[{index}]"), problem.into());
    }
    Ok(SceneNodes { all, places })
}

/// Returns the transform from the coordinates of a node to those of its parent.
fn own_transform(node: &Node) -> Result<DAffine3, &'static str> {
    if let Some(matrix) = &node.matrix {
        let [a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0, x, y, z, 1.0] = **matrix else {
            return Err("the last row of its matrix is not 0 0 0 1");
        };
        let linear = DMat3::from_cols_array(&[a, b, c, d, e, f, g, h, i]);
        return Ok(DAffine3::from_mat3_translation(linear, DVec3::new(x, y, z)));
    }
    composed(
        node.translation.as_deref().copied(),
        node.rotation.as_deref().copied(),
        node.scale.as_deref().copied(),
    )
}

/// Returns the transform of these parts.
pub(super) fn composed(
    translation: Option<[f64; 3]>,
    rotation: Option<[f64; 4]>,
    scale: Option<[f64; 3]>,
) -> Result<DAffine3, &'static str> {
    // As written, the length of a rotation is only approximately 1.
    scale_rotation_translation(
        scale.map_or(DVec3::ONE, DVec3::from_array),
        rotation.map_or(DQuat::IDENTITY, DQuat::from_array),
        translation.map_or(DVec3::ZERO, DVec3::from_array),
    )
    .ok_or("its rotation is not a unit quaternion")
}
