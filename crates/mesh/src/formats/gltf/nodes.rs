//! Reads the meshes of a document once each, with the nodes that place them.

use estoc_core::CancelToken;
use estoc_core::glam::DAffine3;
use std::collections::HashMap;

use super::model::Index;
use super::primitive::Adder;
use super::scene::{self, Placed, is_flat};
use super::{Open, Opened, add_mesh};
use crate::affine_transform::is_mirrored;
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::Input;
use crate::mesh_nodes::{MeshNode, MeshNodes};
use crate::text::shown;

/// Reads a whole file. `draft` makes a draft for each mesh.
pub(crate) fn read_nodes(
    input: &mut Input<'_>,
    draft: &dyn Fn() -> Draft,
    open: &Open<'_>,
    cancel: &CancelToken,
) -> Result<MeshNodes, MeshError> {
    input.take_rest()?;
    let input = &*input;
    let opened = Opened::of(input)?;
    let document = &opened.document;
    let mut whole = draft();
    whole.report.named_files = opened.named_files.clone();
    let mut made = Made {
        all: MeshNodes::default(),
        drafts: Vec::new(),
        places: HashMap::new(),
        new: draft,
    };
    let mut buffers = opened.buffers(open);
    for placed in scene::placements(document, &mut buffers, &mut whole, input)? {
        if placed.is_flat || is_flat(&placed.transform) {
            whole.ignore("nodes that flatten their meshes, as a scale of 0 does", 1);
            continue;
        }
        let name = placed.name.filter(|name| !name.is_empty());
        let node = MeshNode {
            index: placed.node,
            name: name.map(|name| shown(name).into_owned()),
            is_mirrored: is_mirrored(&placed.transform),
            transform: placed.transform,
            mesh: made.place(placed),
        };
        let reserved = made.all.nodes.try_reserve(1);
        reserved.map_err(|_| MeshError::NoMemory { at: input.whole() })?;
        made.all.nodes.push(node);
    }
    opened.ignore_of_file(&mut whole);
    let Made {
        mut all, drafts, ..
    } = made;
    let (mut added, mut others) = (0, 0);
    for (placed, mut draft) in drafts {
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
        all.meshes.push(draft.finish(cancel)?);
    }
    all.report = whole.finish(cancel)?.report().clone();
    Ok(all)
}

/// The nodes and drafts of the meshes so far.
struct Made<'a> {
    all: MeshNodes,
    drafts: Vec<(Placed<'a>, Draft)>,
    /// The place of each mesh of the document that is used, and of its skin if it is posed.
    places: HashMap<(Index, Option<Index>), usize>,
    new: &'a dyn Fn() -> Draft,
}

impl<'a> Made<'a> {
    /// Returns the place of a mesh, which is added if it is new.
    fn place(&mut self, placed: Placed<'a>) -> usize {
        let key = (placed.index, placed.pose.as_ref().map(|pose| pose.skin));
        let next = self.drafts.len();
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            let itself = Placed {
                name: None,
                transform: DAffine3::IDENTITY,
                ..placed
            };
            self.drafts.push((itself, (self.new)()));
        }
        place
    }
}
