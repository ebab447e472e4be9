//! Reads the meshes of a document once each, with the nodes that place them.

use estoc_core::CancelToken;
use estoc_core::glam::DAffine3;
use std::collections::HashMap;

use super::byte_sources::Buffers;
use super::model::Index;
use super::primitive::Adder;
use super::scene::{self, Wrong};
use super::{Open, Opened, add_mesh, ignore_of_node, mesh_at, wrong_part};
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
    if opened.has_no_nodes() {
        for index in 0..document.meshes.len() as Index {
            let mesh = made.place(index);
            made.all.nodes.push(MeshNode {
                index: None,
                name: None,
                mesh,
                transform: DAffine3::IDENTITY,
                is_mirrored: false,
            });
        }
    } else {
        let wrong = |wrong: Wrong| wrong_part(input, wrong);
        for placed in scene::nodes(document).map_err(wrong)? {
            let Some(index) = placed.node.mesh else {
                ignore_of_node(&mut whole, placed.node);
                continue;
            };
            mesh_at(document, index, Some(&placed), input)?;
            let mesh = made.place(index);
            ignore_of_node(&mut made.drafts[mesh].1, placed.node);
            let name = placed.node.name.as_deref();
            let name = name.filter(|name| !name.is_empty());
            made.all.nodes.push(MeshNode {
                index: Some(placed.index),
                name: name.map(|name| shown(name).into_owned()),
                mesh,
                is_mirrored: is_mirrored(&placed.transform),
                transform: placed.transform,
            });
        }
    }
    opened.ignore_of_file(&mut whole, !made.all.nodes.is_empty());
    let Made {
        mut all, drafts, ..
    } = made;
    let mut buffers = Buffers::new(document, opened.inner, open);
    let (mut added, mut others) = (0, 0);
    for (index, mut draft) in drafts {
        let mut adder = Adder {
            document,
            buffers,
            draft: &mut draft,
            added,
            length: opened.length,
            others,
        };
        add_mesh(&mut adder, index, None, &mut HashMap::new(), input)?;
        (buffers, added) = (adder.buffers, adder.added);
        others += draft.bytes_with(0, [false; 2], 0);
        let name = document.meshes[index as usize].name.as_deref();
        let name = name.filter(|name| !name.is_empty());
        all.names.push(name.map(|name| shown(name).into_owned()));
        all.meshes.push(draft.finish(cancel)?);
    }
    all.report = whole.finish(cancel)?.report().clone();
    Ok(all)
}

/// The nodes and drafts of the meshes so far.
struct Made<'a> {
    all: MeshNodes,
    drafts: Vec<(Index, Draft)>,
    /// The place of each mesh of the document that is used.
    places: HashMap<Index, usize>,
    new: &'a dyn Fn() -> Draft,
}

impl Made<'_> {
    /// Returns the place of a mesh, which is added if it is new.
    fn place(&mut self, index: Index) -> usize {
        if let Some(&place) = self.places.get(&index) {
            return place;
        }
        let place = self.drafts.len();
        self.drafts.push((index, (self.new)()));
        self.places.insert(index, place);
        place
    }
}
