//! Makes a mesh of pieces, on all threads.

use bytemuck::Pod;
use core::mem;
use estoc_core::CancelToken;
use estoc_core::glam::Vec3;
use estoc_parallel::prelude::*;

use super::attribute::Attribute;
use super::block_arrays::{Corners, CutFaces, ParsedPiece};
use super::corner_indices::NOTHING;
use crate::assemble::Source;
use crate::assemble::face_stretch::{Ground, join};
use crate::assemble::survey::rounding;
use crate::bad_faces::BadFaces;
use crate::error::{InputLimits, MeshError};
use crate::frame::FileFrame;
use crate::in_pieces::{concatenate, concatenated};
use crate::mesh::Labels;
use crate::mesh::Mesh;
use crate::mesh::corner_values::CornerValues;
use crate::mesh::material::Material;
use crate::report::MeshReport;
use estoc_memory::{Arena, Growth, NoMemory, zeroed};

/// The contents of a whole text.
pub(super) struct Whole {
    pub(super) source: Source,
    pub(super) policy: BadFaces,
    pub(super) frame: FileFrame,
    pub(super) limits: InputLimits,
    pub(super) pieces: Vec<ParsedPiece>,
    pub(super) report: MeshReport,
    /// The names of each face, as for groups and materials.
    pub(super) objects: Labels<String>,
    pub(super) groups: Labels<String>,
    pub(super) materials: Labels<Material>,
}

impl Whole {
    /// Returns the mesh, or the error that is first in the text.
    pub(super) fn finish(mut self, cancel: &CancelToken) -> Result<Mesh, MeshError> {
        let source = &self.source;
        let proceed = || MeshError::check_cancelled(cancel);
        proceed()?;
        let pieces = &mut self.pieces;
        let in_file = take_all(pieces, |piece| piece.rounding.take_in_file());
        let positions = positions(pieces)?;
        let ground = Ground::new(positions, self.policy, self.limits, source)?;
        let texcoords = values(pieces, |piece| &mut piece.texture)?;
        let normals = values(pieces, |piece| &mut piece.normal)?;
        pieces.par_iter_mut().for_each(ParsedPiece::resolve);
        settle(pieces, |piece| &mut piece.texture, texcoords.len())?;
        settle(pieces, |piece| &mut piece.normal, normals.len())?;

        let cut_one = |piece| {
            proceed()?;
            ParsedPiece::cut(piece, &ground, 0)
        };
        let mut cuts = Vec::new();
        cuts.make_room(pieces.len())?;
        pieces.par_iter().map(cut_one).collect_into_vec(&mut cuts);
        let mut count = 0;
        let (mut stretches, mut textures, mut normal_corners) = (vec![], vec![], vec![]);
        for (cut, piece) in cuts.into_iter().zip(pieces.iter()) {
            let cut = match cut {
                Ok(cut) if ground.has_room(count + cut.stretch.triangles().len() as u64) => cut,
                // The number of triangles before the piece decides which of its faces fails first.
                _ => {
                    proceed()?;
                    piece.cut(&ground, count)?
                }
            };
            count += cut.stretch.triangles().len() as u64;
            let CutFaces {
                stretch,
                texture,
                normal,
            } = cut;
            stretches.push(stretch);
            textures.push(texture);
            normal_corners.push(normal);
        }
        proceed()?;
        let mut mesh = join(ground, stretches, self.report, cancel)?;
        mesh.origin = self.frame.origin();
        if self.frame.surveys {
            rounding::survey(&mut mesh, &in_file)?;
        }
        mesh.texcoords = CornerValues {
            values: texcoords,
            indices: all_corners(&textures)?,
        };
        mesh.normals = CornerValues {
            values: normals,
            indices: all_corners(&normal_corners)?,
        };
        mesh.objects = self.objects.by_prim(&mesh)?;
        mesh.groups = self.groups.by_prim(&mesh)?;
        mesh.materials = self.materials.by_prim(&mesh)?;
        mesh.face_lines = self.source.face_lines;
        Ok(mesh)
    }
}

/// Moves the positions out, in order.
fn positions(pieces: &mut [ParsedPiece]) -> Result<Arena<Vec3>, NoMemory> {
    let positions = take_all(pieces, |piece| mem::take(&mut piece.positions));
    concatenated(&slices(&positions))
}

fn take_all<T>(
    pieces: &mut [ParsedPiece],
    take: impl Fn(&mut ParsedPiece) -> Vec<T>,
) -> Vec<Vec<T>> {
    pieces.iter_mut().map(take).collect()
}

fn slices<T>(arrays: &[Vec<T>]) -> Vec<&[T]> {
    arrays.iter().map(Vec::as_slice).collect()
}

/// Moves the values of one kind out, in order.
fn values<V: Pod + Send + Sync>(
    pieces: &mut [ParsedPiece],
    attribute: impl Fn(&mut ParsedPiece) -> &mut Attribute<V>,
) -> Result<Vec<V>, NoMemory> {
    let values = take_all(pieces, |piece| attribute(piece).take_values());
    vector(&slices(&values))
}

/// Returns the indices of the corners of all triangles.
fn all_corners(corners: &[Corners<'_>]) -> Result<Vec<[u32; 3]>, NoMemory> {
    vector(&corners.iter().map(Corners::triangles).collect::<Vec<_>>())
}

/// Concatenates arrays.
fn vector<T: Pod + Send + Sync>(arrays: &[&[T]]) -> Result<Vec<T>, NoMemory> {
    let mut whole = zeroed(arrays.iter().map(|array| array.len()).sum())?;
    concatenate(arrays, &mut whole);
    Ok(whole)
}

/// Sets the indices that are not below `defined` to [`NOTHING`], and gives each corner an entry;
/// none if no corner refers to a value.
fn settle<V: Pod + Send + Sync>(
    pieces: &mut [ParsedPiece],
    attribute: impl Fn(&mut ParsedPiece) -> &mut Attribute<V> + Sync,
    defined: usize,
) -> Result<(), NoMemory> {
    let defined = u32::try_from(defined).unwrap_or(NOTHING);
    let named = pieces
        .par_iter_mut()
        .any(|piece| attribute(piece).names_any(defined));
    pieces.par_iter_mut().try_for_each(|piece| {
        let corners = if named { piece.corner_count } else { 0 };
        attribute(piece).settle(corners, defined)
    })
}
