//! The arrays that a block contributes to the mesh, and the triangulation of its faces.

use estoc_core::glam::{Vec2, Vec3};
use estoc_system::Growth;

use super::attribute::Attribute;
use super::corner_indices::{Indices, NOTHING};
use crate::assemble::face_chunk::{FaceChunk, Ground, Triangles};
use crate::error::MeshError;
use crate::frame::tally::Tally;
use crate::value_runs::{NumberRuns, ValueRuns};

/// Vertices, faces and attributes of a block.
#[derive(Default)]
pub(super) struct ParsedPiece {
    pub(super) positions: Vec<Vec3>,
    pub(super) rounding: Tally,
    /// The number of corners of all faces.
    pub(super) corner_count: usize,
    /// The vertex of each corner.
    pub(super) corners: Indices,
    /// The number of corners of each face.
    pub(super) arity: ValueRuns<usize>,
    /// The number of faces.
    pub(super) kept: usize,
    /// The index of each face among all faces of the block, including those that are skipped.
    pub(super) numbers: NumberRuns,
    pub(super) texture: Attribute<Vec2>,
    pub(super) normal: Attribute<Vec3>,
    pub(super) before: Before,
}

/// The numbers of elements that precede a piece in the text.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) vertices: u64,
    pub(super) faces: u64,
    pub(super) texture: u64,
    pub(super) normal: u64,
}

/// The triangulated faces of a piece.
#[derive(Default)]
pub(super) struct TriangulatedPiece<'a> {
    pub(super) chunk: FaceChunk<'a>,
    pub(super) texture: Triangles<'a>,
    pub(super) normal: Triangles<'a>,
}

impl ParsedPiece {
    /// Returns whether the piece adds nothing to any array.
    pub(super) fn is_empty(&self) -> bool {
        self.positions.is_empty()
            && self.kept == 0
            && self.texture.is_empty()
            && self.normal.is_empty()
    }

    /// Reserves memory for the probable contents of a text of this size, if there is any.
    pub(super) fn reserve(&mut self, bytes: usize) {
        // Lines are rarely shorter: `v 1.25 2.5 -0.125`, `f 123 456 789`.
        let _ = self.positions.make_room(bytes / 20);
        self.corners.reserve(bytes / 6);
    }

    /// Shrinks the arrays to their contents.
    pub(super) fn shrink(&mut self) {
        self.positions.trim();
        self.rounding.shrink();
        self.corners.shrink();
        self.texture.shrink();
        self.normal.shrink();
    }

    /// Makes indices relative to the start of the text.
    pub(super) fn resolve(&mut self) {
        self.corners.resolve(self.before.vertices);
        self.texture.indices.resolve(self.before.texture);
        self.normal.indices.resolve(self.before.normal);
    }

    /// Triangulates the faces; `before` triangles precede them. Attributes must be settled or have
    /// no indices.
    pub(super) fn triangulated(
        &self,
        ground: &Ground<'_>,
        before: u64,
    ) -> Result<TriangulatedPiece<'_>, MeshError> {
        let corners = self.corners.places();
        if matches!(self.arity.changes(), [(0, 3)] | [])
            && ground.has_room(before + self.kept as u64)
            && ground.bears(corners)
        {
            let first = self.before.faces;
            let numbers = self.numbers.changes().iter();
            let numbers = numbers.map(|&(start, number)| (start, first + number));
            let as_given = |places| Triangles {
                given: triangles(places),
                ..Triangles::default()
            };
            return Ok(TriangulatedPiece {
                chunk: FaceChunk::of_triangles(triangles(corners), numbers)?,
                texture: as_given(self.texture.indices.places()),
                normal: as_given(self.normal.indices.places()),
            });
        }
        let mut made = TriangulatedPiece {
            chunk: FaceChunk::behind(before),
            ..TriangulatedPiece::default()
        };
        let (texture, normal) = (self.texture.indices.places(), self.normal.indices.places());
        // Enough for all, so that what follows never grows.
        let count = corners.len() - 2 * self.kept;
        made.chunk.reserve(count)?;
        for (list, places) in [
            (&mut made.texture.made, texture),
            (&mut made.normal.made, normal),
        ] {
            list.make_room(if places.is_empty() { 0 } else { count })?;
        }
        let mut start = 0;
        for (faces, arity) in self.arity.spans(self.kept, 0) {
            for face in faces {
                let vertices = &corners[start..start + arity];
                // Every kept face has a number.
                let number = self.numbers.get(face as u64).unwrap_or_default();
                let number = self.before.faces + number;
                if let Some(at) = vertices.iter().position(|&vertex| vertex == NOTHING) {
                    let index = self.corners.far_index(start + at).unwrap_or_default();
                    made.chunk.out_of_range(ground, number, index.to_string())?;
                } else {
                    made.chunk.face(ground, vertices, number, |triangle| {
                        push(&mut made.texture, texture, start, triangle);
                        push(&mut made.normal, normal, start, triangle);
                    })?;
                }
                start += arity;
            }
        }
        Ok(made)
    }
}

/// Adds a triangle with these corners of the face whose first corner is `start`.
fn push(to: &mut Triangles<'_>, places: &[u32], start: usize, triangle: [u32; 3]) {
    if !places.is_empty() {
        to.made
            .push(triangle.map(|corner| places[start + corner as usize]));
    }
}

/// Groups the indices of corners by triangle.
fn triangles(places: &[u32]) -> &[[u32; 3]] {
    places.as_chunks().0
}
