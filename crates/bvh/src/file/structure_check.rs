//! The checks of a tree from a file.

use super::TreeFile;
use super::file_frame::FileFrame;
use super::file_header::FileHeader;
use super::header_contents::bounds_text;
use super::section::Kind;
use super::section_reader::Sections;
use super::tree_file_error::TreeFileError;
use super::tree_writer::corners_of;
use crate::wide::{WideTree, WideTriangles};
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;
use estoc_mesh::parts::{Buffers, counted};
use estoc_system::parallel::prelude::*;

/// The number of triangles that are checked together.
const PIECE: usize = 1 << 14;

/// Checks that the tree can be queried and its names looked up.
pub(super) fn check<C: Coordinate>(
    file: &TreeFile<C>,
    header: &FileHeader,
    sections: &Sections<'_>,
) -> Result<(), TreeFileError> {
    let work = sections.body.work;
    let tree = file.bvh.tree();
    let wide = C::kept(file.bvh.wide());
    if let Some(mesh) = wide.map(WideTriangles::buffers).or(tree.leaves.mesh()) {
        // Before any triangle is read.
        check_indices(mesh, sections)?;
    }
    let found = tree.inspect(&|| work.is_cancelled());
    work.check()?;
    let found = found.map_err(|source| TreeFileError::Tree {
        file: sections.name(),
        source,
    })?;
    let found = corners_of(found);
    if found != header.bounds {
        return Err(TreeFileError::Header {
            file: sections.name(),
            offset: 72,
            field: "bounds",
            value: bounds_text(header.bounds),
            problem: format!("those of the triangles are {}", bounds_text(found)),
        });
    }
    if let Some(wide) = wide {
        check_wide(wide, tree, sections)?;
        work.check()?;
    }
    let checked = file.names.check(header.triangles, file.facts.faces);
    checked.map_err(|(kind, at, problem)| {
        let each = if kind == Kind::Faces { 24 } else { 16 };
        sections.wrong(kind, each * at, problem)
    })
}

/// Checks that all indices are those of vertices.
fn check_indices(mesh: &Buffers, sections: &Sections<'_>) -> Result<(), TreeFileError> {
    let count = mesh.positions().len();
    let indices: &[u32] = mesh.indices().as_flattened();
    let beyond = |corner: &u32| *corner as usize >= count;
    match first_place(indices, beyond) {
        None => Ok(()),
        Some(place) => {
            let vertices = counted(count as u64, "vertex");
            let problem = format!("index {} is out of range ({vertices})", indices[place]);
            Err(sections.wrong(Kind::Indices, 4 * place, problem))
        }
    }
}

/// Returns the place of the first item for which `is_wrong` is true.
fn first_place<T: Sync>(items: &[T], is_wrong: impl Fn(&T) -> bool + Sync) -> Option<usize> {
    let pieces = items.par_chunks(PIECE).enumerate();
    pieces
        .map(|(piece, some)| {
            let place = some.iter().position(&is_wrong)?;
            Some(PIECE * piece + place)
        })
        .find_map_first(|place| place)
}

/// Checks that the corners of all triangles, whose indices are in range, are finite.
fn check_corners(wide: &WideTriangles, sections: &Sections<'_>) -> Result<(), TreeFileError> {
    let indices: &[u32] = wide.buffers().indices().as_flattened();
    let at = |corner: &u32| wide.positions().all()[*corner as usize];
    match first_place(indices, |corner| !at(corner).is_finite()) {
        None => Ok(()),
        Some(place) => {
            let corner = indices[place];
            let DVec3 { x, y, z } = at(&corner);
            let problem = format!("a triangle has the corner ({x}, {y}, {z}), which is not finite");
            let byte = size_of::<DVec3>() * corner as usize;
            Err(sections.wrong(Kind::Corners, byte, problem))
        }
    }
}

/// Checks that the tree is one of the triangles in `f64`, whose indices are in range: each is in its slot, is where
/// the frame says, and is as far off as the file says.
fn check_wide(
    wide: &WideTriangles,
    tree: &WideTree,
    sections: &Sections<'_>,
) -> Result<(), TreeFileError> {
    let buffers = wide.buffers();
    let is_fast = tree.leaves.mesh().is_none();
    let differs = |first: usize, len: usize, place: usize| {
        let (prim, own) = tree.triangle(first, len, place);
        let face = buffers.indices()[prim.index()];
        let is_own = !is_fast || own == buffers.triangle_of(&face);
        wide.slots()[first + place] != face || !is_own
    };
    let wrong = tree.nodes.par_iter().find_map_first(|node| {
        node.leaves().find_map(|(first, len)| {
            let place = (0..len).find(|place| differs(first, len, *place))?;
            Some(first + place)
        })
    });
    if let Some(slot) = wrong {
        let problem = format!("slot {slot} of the tree has another triangle");
        return Err(sections.wrong(Kind::Slots, size_of::<[u32; 3]>() * slot, problem));
    }
    let stop = || sections.body.work.is_cancelled();
    let measured = FileFrame::of(wide, &stop);
    if stop() {
        return Ok(());
    }
    if !measured.is_finite() {
        check_corners(wide, sections)?;
    }
    let difference = { sections.frame.iter() }.find_map(|frame| frame.difference(&measured));
    difference.map_or(Ok(()), |problem| {
        Err(sections.wrong(Kind::Frame, 0, problem))
    })
}
