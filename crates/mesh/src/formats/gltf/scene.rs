//! The nodes of the scene and their transforms.

use estoc_core::glam::{DAffine3, DMat3, DQuat, DVec3};

use super::model::{Document, Index, Node};

/// An error in the document: the part that is wrong, and the problem.
pub(super) struct Wrong {
    pub(super) part: String,
    pub(super) problem: String,
}

impl Wrong {
    pub(super) fn new(part: impl Into<String>, problem: impl Into<String>) -> Wrong {
        Wrong {
            part: part.into(),
            problem: problem.into(),
        }
    }
}

/// A node of the scene.
pub(super) struct Placed<'a> {
    pub(super) node: &'a Node,
    pub(super) index: usize,
    /// Transforms its coordinates to those of the scene.
    pub(super) transform: DAffine3,
}

/// Returns all nodes of the scene, each before its children.
///
/// If there are several scenes, it is the default scene of the document, or else the first; without
/// any scene, all nodes are returned.
pub(super) fn nodes(document: &Document) -> Result<Vec<Placed<'_>>, Wrong> {
    let count = document.nodes.len();
    let has_scene = document.scene.is_some() || !document.scenes.is_empty();
    let roots: Vec<Index> = match (document.scene, &*document.scenes) {
        (None, []) => {
            let mut is_child = vec![false; count];
            for &child in document.nodes.iter().flat_map(|node| &node.children) {
                if let Some(known) = is_child.get_mut(child as usize) {
                    *known = true;
                }
            }
            let all = 0..count as Index;
            all.filter(|&index| !is_child[index as usize]).collect()
        }
        (scene, scenes) => {
            let index = scene.unwrap_or(0);
            let scene = scenes.get(index as usize);
            let missing = || Wrong::new("scene", format!("scenes[{index}] does not exist"));
            scene.ok_or_else(missing)?.nodes.to_vec()
        }
    };
    // Not recursive: a chain of nodes may be as long as the file allows.
    let mut ahead: Vec<(Index, DAffine3)> = Vec::new();
    ahead.extend(roots.iter().rev().map(|&root| (root, DAffine3::IDENTITY)));
    let mut was_met = vec![false; count];
    let mut placed = Vec::new();
    while let Some((index, parent)) = ahead.pop() {
        let index = index as usize;
        let part = || format!("nodes[{index}]");
        let Some(node) = document.nodes.get(index) else {
            return Err(Wrong::new(part(), "the node does not exist"));
        };
        if core::mem::replace(&mut was_met[index], true) {
            let problem = "the node occurs twice in the scene, or inside itself";
            return Err(Wrong::new(part(), problem));
        }
        let own = own_transform(node).map_err(|problem| Wrong::new(part(), problem))?;
        let transform = parent * own;
        placed.push(Placed {
            node,
            index,
            transform,
        });
        ahead.extend(node.children.iter().rev().map(|&child| (child, transform)));
    }
    if !has_scene && let Some(index) = was_met.iter().position(|&met| !met) {
        // The node has a parent, but cannot be reached from a root.
        let problem = "the node is inside itself, or inside a node that is";
        return Err(Wrong::new(format!("nodes[{index}]"), problem));
    }
    Ok(placed)
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
    let scale = node.scale.as_deref().map_or(DVec3::ONE, |&xyz| xyz.into());
    let translation = node
        .translation
        .as_deref()
        .map_or(DVec3::ZERO, |&xyz| xyz.into());
    let rotation = match node.rotation.as_deref() {
        None => DQuat::IDENTITY,
        Some(&xyzw) => {
            // As written, its length is only approximately 1.
            let rotation = DQuat::from_array(xyzw);
            let length = rotation.length();
            if !(length > 0.0 && length.is_finite()) {
                return Err("its rotation is not a unit quaternion");
            }
            rotation / length
        }
    };
    // Exact if there is no rotation.
    Ok(DAffine3::from_scale_rotation_translation(
        scale,
        rotation,
        translation,
    ))
}
