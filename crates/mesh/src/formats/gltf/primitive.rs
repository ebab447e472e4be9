//! Converts the arrays of a primitive to vertices and triangles.

use estoc_core::glam::{DAffine3, DVec3, Vec2};
use estoc_system::NoMemory;
use std::collections::HashMap;

use super::accessor::Elements;
use super::byte_sources::GltfBuffers;
use super::model::{Attributes, Document, Index, Primitive};
use super::pose::SkinWeights;
use super::scene::Placed;
use crate::affine_transform::{NormalTransform, is_mirrored};
use crate::assemble::draft::Draft;
use crate::error::MeshError;
use crate::formats::input::MeshInput;
use crate::formats::scalar::Scalar;

/// Why a part of the document is not read.
pub(super) enum Fault {
    Malformed(String),
    Unsupported(String),
    Mesh(MeshError),
}

impl Fault {
    /// Returns the fault of an array of this name.
    pub(super) fn about(self, what: &str) -> Fault {
        match self {
            Fault::Malformed(problem) => Fault::Malformed(format!("{what}: {problem}")),
            other => other,
        }
    }

    /// Returns the error about this part of the document.
    pub(super) fn at(self, input: &MeshInput<'_>, part: String) -> MeshError {
        match self {
            Fault::Malformed(problem) => input.malformed(input.whole().in_part(part), problem),
            Fault::Unsupported(problem) => input.unsupported(input.whole().in_part(part), problem),
            Fault::Mesh(error) => error,
        }
    }
}

impl From<NoMemory> for Fault {
    fn from(error: NoMemory) -> Self {
        Fault::Mesh(error.into())
    }
}

impl From<MeshError> for Fault {
    fn from(error: MeshError) -> Self {
        Fault::Mesh(error)
    }
}

impl From<String> for Fault {
    fn from(problem: String) -> Self {
        Fault::Malformed(problem)
    }
}

/// Floats, and the types that KHR_mesh_quantization adds.
const COORDINATES: &[Scalar] = &[
    Scalar::F32,
    Scalar::I8,
    Scalar::U8,
    Scalar::I16,
    Scalar::U16,
];

/// The accessors of vertices: positions, normals, texture coordinates, and of a mesh with a pose joints
/// and weights.
type MadeOf = ([Option<Index>; 3], [Option<(Index, Index)>; 2]);

/// The first of the vertices made of these accessors for a node.
pub(super) type Vertices = HashMap<MadeOf, u64>;

/// Adds primitives to a draft.
pub(super) struct Adder<'d, 'a> {
    pub(super) document: &'a Document,
    pub(super) buffers: GltfBuffers<'a>,
    pub(super) draft: &'d mut Draft,
    /// The number of primitives added, including empty ones.
    pub(super) added: u64,
    /// The memory of meshes that were read before, each with a draft of its own.
    pub(super) others: u64,
}

impl<'a> Adder<'_, 'a> {
    pub(super) fn add(
        &mut self,
        primitive: &Primitive,
        placed: &Placed<'_>,
        vertices: &mut Vertices,
    ) -> Result<(), Fault> {
        self.added += 1;
        self.check_size(0, [false; 2], 0)?;
        let attributes = &primitive.attributes;
        let Some(position) = attributes.position else {
            self.draft.ignore("primitives without positions", 1);
            return Ok(());
        };
        let accessor = self.buffers.accessor(position)?;
        if primitive.extensions.draco.is_some() && accessor.buffer_view.is_none() {
            let problem = "a mesh compressed by KHR_draco_mesh_compression; save it uncompressed";
            return Err(Fault::Unsupported(problem.into()));
        }
        let positions = Elements::open(&mut self.buffers, "POSITION", position, COORDINATES)?;
        let indices = optional(primitive.indices, |index| {
            let integers = [Scalar::U8, Scalar::U16, Scalar::U32];
            Elements::open(&mut self.buffers, "indices", index, &integers)
        })?;
        let count = indices.as_ref().map(|indices| indices.count);
        let order = Order {
            count: count.unwrap_or(positions.count),
            indices,
        };
        let mode = primitive.mode.unwrap_or(4);
        match mode {
            0 => {
                self.draft.report.points += order.count;
                self.draft.ignore("points", order.count);
            }
            1..=3 => {
                self.draft.report.lines += 1;
                self.draft.ignore("primitives made of lines", 1);
            }
            4..=6 => {
                let pose = placed.pose.as_deref();
                let mut influences = pose.into_iter().flat_map(|_| attributes.influences());
                let made_of = (
                    [attributes.position, attributes.normal, attributes.texcoord],
                    [influences.next(), influences.next()],
                );
                let first = match vertices.get(&made_of) {
                    Some(&first) => first,
                    None => {
                        let first = self.vertices(&positions, attributes, placed)?;
                        vertices.insert(made_of, first);
                        first
                    }
                };
                let most = order.count / if mode == 4 { 3 } else { 1 };
                self.check_size(0, [false; 2], most)?;
                let corners_of = Corners {
                    first,
                    count: positions.count,
                    mirrored: pose.map_or(is_mirrored(&placed.transform), |pose| pose.is_mirrored),
                };
                self.triangles(mode, &order, &corners_of)?;
            }
            _ => return Err(Fault::Malformed(format!("mode {mode} is not from 0 to 6"))),
        }
        let targets = primitive.targets.len() as u64;
        if targets > 0 {
            self.draft.ignore("morph targets", targets);
        }
        Ok(())
    }

    /// Returns an error if the vertices (with normals and texture coordinates or not) and triangles
    /// to add take more memory than a file of this size should need.
    fn check_size(
        &self,
        vertices: u64,
        attributes: [bool; 2],
        triangles: u64,
    ) -> Result<(), Fault> {
        const PRIMITIVE: u64 = 64;
        let of_draft = self.draft.bytes_with(vertices, attributes, triangles);
        let taken = of_draft.saturating_add(self.others);
        let taken = taken.saturating_add(PRIMITIVE * self.added);
        self.buffers.check_times(taken, "meshes")
    }

    /// Adds vertices and returns the index of the first.
    fn vertices(
        &mut self,
        positions: &Elements<'_, 3>,
        attributes: &Attributes,
        placed: &Placed<'_>,
    ) -> Result<u64, Fault> {
        let count = positions.count;
        let buffers = &mut self.buffers;
        let normals = optional(attributes.normal, |index| {
            Elements::<3>::of_vertices(buffers, "NORMAL", index, COORDINATES, count)
        })?;
        let texcoords = optional(attributes.texcoord, |index| {
            Elements::<2>::of_vertices(buffers, "TEXCOORD_0", index, COORDINATES, count)
        })?;
        let mut posed = None;
        if let Some(pose) = &placed.pose {
            posed = Some((pose, SkinWeights::open(buffers, attributes, count)?));
        }
        self.check_size(count, [normals.is_some(), texcoords.is_some()], 0)?;
        let first = self.draft.vertex_count();
        let mut transform = placed.transform;
        let mut upright = NormalTransform::of(&transform);
        for index in 0..count {
            if let Some((pose, weights)) = &posed {
                transform = weights.transform(pose, index)?.unwrap_or_else(|| {
                    let what = "weights of vertices, which follow the first joint";
                    self.draft.ignore(what, 1);
                    pose.first()
                });
                upright = match normals {
                    Some(_) => NormalTransform::of(&transform),
                    None => None,
                };
            }
            let position: DVec3 = positions.get(index).into();
            let frame = self.draft.frame;
            let corner = match transform == DAffine3::IDENTITY {
                // The zeros of the identity would turn infinities into NaN and hide which
                // coordinate is infinite.
                true => frame.numbers(position),
                false => frame.transformed(&transform, position),
            };
            let vertex = self.draft.vertex_count();
            self.draft.vertex(corner, None)?;
            if let Some(normals) = &normals {
                let normal: DVec3 = normals.get(index).into();
                let normal = match &upright {
                    None => normal,
                    Some(upright) => upright.turn(normal),
                };
                self.draft.normals.set(vertex, normal.as_vec3())?;
            }
            if let Some(texcoords) = &texcoords {
                let [u, v] = texcoords.get(index);
                let texcoord = Vec2::new(u as f32, v as f32);
                self.draft.texcoords.set(vertex, texcoord)?;
            }
        }
        Ok(first)
    }

    fn triangles(
        &mut self,
        mode: u32,
        order: &Order<'_>,
        corners_of: &Corners,
    ) -> Result<(), Fault> {
        let &Corners {
            first,
            count,
            mirrored,
        } = corners_of;
        let mut triangle = |[a, b, c]: [u64; 3]| {
            self.draft.begin_face(None);
            for index in if mirrored { [a, c, b] } else { [a, b, c] } {
                match index < count {
                    true => self.draft.corner((first + index) as i64),
                    false => self.draft.missing_corner(index as i64, Some(count)),
                }
            }
            self.draft.end_face()
        };
        let mut left_over = 0;
        if mode == 4 {
            for at in 0..order.count / 3 {
                triangle([0, 1, 2].map(|corner| order.get(3 * at + corner)))?;
            }
            left_over = order.count % 3;
        } else {
            for piece in order.pieces() {
                left_over += match piece.end - piece.start {
                    few @ 0..3 => few,
                    _ => 0,
                };
                let start = piece.start;
                for at in start..piece.end.saturating_sub(2).max(start) {
                    let corners = match (mode, (at - start) % 2) {
                        (6, _) => [at + 1, at + 2, start],
                        (_, 0) => [at, at + 1, at + 2],
                        (..) => [at, at + 2, at + 1],
                    };
                    triangle(corners.map(|corner| order.get(corner)))?;
                }
            }
        }
        if left_over > 0 {
            self.draft
                .ignore("corners that do not complete a triangle", left_over);
        }
        Ok(())
    }
}

/// Opens the array of this index, if there is one.
fn optional<'a, const N: usize>(
    index: Option<Index>,
    open: impl FnOnce(Index) -> Result<Elements<'a, N>, Fault>,
) -> Result<Option<Elements<'a, N>>, Fault> {
    index.map(open).transpose()
}

/// The vertices that the indices of a primitive refer to.
struct Corners {
    /// The vertex of index 0.
    first: u64,
    count: u64,
    /// Whether to swap the second and third corner of each triangle.
    mirrored: bool,
}

/// The order of a primitive's vertices.
struct Order<'a> {
    count: u64,
    /// `None` if they are used in their own order.
    indices: Option<Elements<'a, 1>>,
}

impl Order<'_> {
    #[inline]
    fn get(&self, at: u64) -> u64 {
        match &self.indices {
            None => at,
            Some(indices) => indices.get(at)[0] as u64,
        }
    }

    /// Returns the ranges between restart indices, which have the largest value of their type.
    fn pieces(&self) -> impl Iterator<Item = core::ops::Range<u64>> + '_ {
        let restart = self
            .indices
            .as_ref()
            .map(|indices| indices.largest() as u64);
        let mut next = Some(0);
        core::iter::from_fn(move || {
            let start = next?;
            let is_restart = |at: &u64| Some(self.get(*at)) == restart;
            let end = (start..self.count).find(is_restart);
            next = end.map(|end| end + 1);
            Some(start..end.unwrap_or(self.count))
        })
    }
}
