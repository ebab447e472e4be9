//! Makes a mesh of pieces, on all threads.

use bytemuck::Pod;
use core::mem;
use estoc_core::CancelToken;
use estoc_core::glam::Vec3;
use estoc_system::parallel::prelude::*;

use super::attribute::Attribute;
use super::block_arrays::{ParsedPiece, TriangulatedPiece};
use super::block_parser::Reading;
use super::corner_indices::NOTHING;
use super::joined_blocks::Gathered;
use crate::assemble::assembled::Assembled;
use crate::assemble::face_chunk::{Ground, Triangles, join_with_wide};
use crate::assemble::survey::rounding;
use crate::error::MeshError;
use crate::in_pieces::{concatenate, concatenated};
use crate::mesh::Labels;
use crate::mesh::corner_values::CornerValues;
use crate::mesh::material::Material;
use crate::mesh::positions::Positions;
use estoc_system::{Arena, Growth, NoMemory, zeroed};

/// Returns the mesh of a whole text, or the error that is first in the text.
pub(super) fn join_pieces(
    mut whole: Gathered,
    reading: Reading,
    materials: Vec<Material>,
    cancel: &CancelToken,
) -> Result<Assembled, MeshError> {
    let source = &whole.source;
    let proceed = || MeshError::check_cancelled(cancel);
    proceed()?;
    let pieces = &mut whole.pieces;
    let in_file = take_all(pieces, |piece| piece.rounding.take_in_file());
    let positions = match reading.frame.keeps {
        false => Positions::narrow(positions(pieces)?),
        true => Positions::wide(vector(&slices(&in_file))?)?,
    };
    let ground = Ground::new(positions, reading.policy, whole.limits, source)?;
    let texcoords = values(pieces, |piece| &mut piece.texture)?;
    let normals = values(pieces, |piece| &mut piece.normal)?;
    pieces.par_iter_mut().for_each(ParsedPiece::resolve);
    settle(pieces, |piece| &mut piece.texture, texcoords.len())?;
    settle(pieces, |piece| &mut piece.normal, normals.len())?;

    let triangulated = |piece| {
        proceed()?;
        ParsedPiece::triangulated(piece, &ground, 0)
    };
    let mut all = Vec::new();
    all.make_room(pieces.len())?;
    pieces
        .par_iter()
        .map(triangulated)
        .collect_into_vec(&mut all);
    let mut count = 0;
    let (mut chunks, mut textures, mut normal_corners) = (vec![], vec![], vec![]);
    for (made, piece) in all.into_iter().zip(pieces.iter()) {
        let number = |made: &TriangulatedPiece<'_>| made.chunk.triangles.all().len() as u64;
        let made = match made {
            Ok(made) if ground.has_room(count + number(&made)) => made,
            // The number of triangles before the piece decides which of its faces fails first.
            _ => {
                proceed()?;
                piece.triangulated(&ground, count)?
            }
        };
        count += number(&made);
        chunks.push(made.chunk);
        textures.push(made.texture);
        normal_corners.push(made.normal);
    }
    proceed()?;
    let mut assembled = join_with_wide(ground, chunks, whole.report, cancel)?;
    let mesh = &mut assembled.narrow;
    mesh.origin = reading.frame.origin();
    if reading.frame.surveys {
        rounding::survey(mesh, &in_file)?;
    }
    mesh.texcoords = CornerValues {
        values: texcoords,
        indices: all_corners(&textures)?,
    };
    mesh.normals = CornerValues {
        values: normals,
        indices: all_corners(&normal_corners)?,
    };
    mesh.objects = whole.objects.labels()?.by_prim(mesh)?;
    mesh.groups = whole.groups.labels()?.by_prim(mesh)?;
    mesh.materials = Labels {
        all: materials,
        runs: whole.materials.runs,
    }
    .by_prim(mesh)?;
    mesh.face_lines = whole.source.face_lines;
    Ok(assembled)
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
    let values = take_all(pieces, |piece| mem::take(&mut attribute(piece).values));
    vector(&slices(&values))
}

/// Returns the indices of the corners of all triangles.
fn all_corners(corners: &[Triangles<'_>]) -> Result<Vec<[u32; 3]>, NoMemory> {
    vector(&corners.iter().map(Triangles::all).collect::<Vec<_>>())
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
    let named = pieces.par_iter_mut().any(|piece| {
        attribute(piece)
            .indices
            .places()
            .iter()
            .any(|&place| place < defined)
    });
    pieces.par_iter_mut().try_for_each(|piece| {
        let corners = if named { piece.corner_count } else { 0 };
        attribute(piece).indices.settle(corners, defined)
    })
}
