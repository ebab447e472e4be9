//! Reads the meshes of a document once each, with the nodes that place them.

use estoc_core::CancelToken;
use estoc_core::glam::DAffine3;
use estoc_system::Growth;
use std::collections::HashMap;

use super::primitive::Adder;
use super::scene::{self, Placed, is_flat};
use super::{Open, OpenedGltf, add_mesh};
use crate::affine_transform::is_mirrored;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::mesh_nodes::{MeshNode, MeshNodes};
use crate::text::shown;

/// Reads a whole file. `draft` makes a draft for each mesh.
pub(crate) fn read_nodes(
    input: &mut MeshInput<'_>,
    draft: &dyn Fn() -> Draft,
    open: &Open<'_>,
    cancel: &CancelToken,
) -> Result<MeshNodes, MeshError> {
    input.take_rest()?;
    let input = &*input;
    let opened = OpenedGltf::of(input)?;
    let document = &opened.document;
    let mut whole = draft();
    whole.report.named_files = opened.named_files.clone();
    let mut all = MeshNodes::default();
    // Each mesh once, or once for each skin that poses it.
    let (mut meshes, mut places) = (Vec::new(), HashMap::new());
    let mut buffers = opened.buffers(open);
    for placed in scene::placements(document, &mut buffers, &mut whole, input)? {
        if placed.is_flat || is_flat(&placed.transform) {
            whole.ignore("nodes that flatten their meshes, as a scale of 0 does", 1);
            continue;
        }
        let key = (placed.index, placed.pose.as_ref().map(|pose| pose.skin));
        let mesh = *places.entry(key).or_insert(meshes.len());
        let name = placed.name.filter(|name| !name.is_empty());
        all.nodes.try_push(MeshNode {
            index: placed.node,
            name: name.map(|name| shown(name).into_owned()),
            mesh,
            is_mirrored: is_mirrored(&placed.transform),
            transform: placed.transform,
        })?;
        if mesh == meshes.len() {
            meshes.try_push(Placed {
                name: None,
                transform: DAffine3::IDENTITY,
                ..placed
            })?;
        }
    }
    opened.ignore_of_file(&mut whole);
    all.meshes.make_room(meshes.len())?;
    let (mut added, mut others) = (0, 0);
    for placed in meshes {
        let mut draft = draft();
        let mut adder = Adder {
            document,
            buffers,
            draft: &mut draft,
            added,
            others,
        };
        add_mesh(&mut adder, &placed, &mut HashMap::new(), input)?;
        (buffers, added) = (adder.buffers, adder.added);
        others += draft.bytes_with(0, [false; 2], 0);
        let name = placed.mesh.name.as_deref().filter(|name| !name.is_empty());
        all.names.push(name.map(|name| shown(name).into_owned()));
        all.meshes.push(draft.finish(cancel)?.narrow);
    }
    all.report = whole.finish(cancel)?.narrow.report().clone();
    Ok(all)
}
