//! Skins: the joints that move the vertices of a mesh, in the pose that the nodes have.

use estoc_core::glam::{DAffine3, DMat3, DVec3};

use super::accessor::Elements;
use super::byte_sources::GltfBuffers;
use super::model::{Attributes, Document, Index};
use super::primitive::Fault;
use crate::affine_transform::is_mirrored;
use crate::formats::scalar::Scalar;
use estoc_system::collected;

/// The matrices of the joints of a skin, at least one.
pub(super) struct Pose {
    /// The index of the skin.
    pub(super) skin: Index,
    /// Each maps the coordinates of a mesh to those of the scene.
    matrices: Vec<DAffine3>,
    /// Whether all matrices mirror.
    pub(super) is_mirrored: bool,
}

impl Pose {
    /// Returns the pose of a skin; `None` if the skin has no joints, or not all are in the scene.
    /// `transform_of` returns the transform of a node in the scene.
    pub(super) fn of(
        document: &Document,
        buffers: &mut GltfBuffers<'_>,
        skin: Index,
        transform_of: &dyn Fn(Index) -> Option<DAffine3>,
    ) -> Result<Option<Pose>, Fault> {
        let Some(found) = document.skins.get(skin as usize) else {
            return Ok(None);
        };
        let count = found.joints.len();
        let transforms = found.joints.iter().map_while(|&joint| transform_of(joint));
        let mut matrices = collected(transforms)?;
        if count == 0 || matrices.len() < count {
            return Ok(None);
        }
        if let Some(index) = found.inverse_bind_matrices {
            let what = "inverseBindMatrices";
            let inverse = Elements::<16>::open(buffers, what, index, &[Scalar::F32])?;
            if inverse.count < count as u64 {
                let found = inverse.count;
                return Err(format!("{what}: {found} matrices for {count} joints").into());
            }
            for (matrix, number) in matrices.iter_mut().zip(0..) {
                // Its last row is 0 0 0 1 but for roundings of the writer.
                let [a, b, c, _, d, e, f, _, g, h, i, _, x, y, z, _] = inverse.get(number);
                let linear = DMat3::from_cols_array(&[a, b, c, d, e, f, g, h, i]);
                *matrix *= DAffine3::from_mat3_translation(linear, DVec3::new(x, y, z));
            }
        }
        Ok(Some(Pose {
            skin,
            is_mirrored: matrices.iter().all(is_mirrored),
            matrices,
        }))
    }

    /// Returns the matrix of the first joint.
    pub(super) fn first(&self) -> DAffine3 {
        self.matrices[0]
    }
}

/// The joints of the vertices of a primitive, and their weights, in sets of four.
pub(super) struct SkinWeights<'a>(Vec<[Elements<'a, 4>; 2]>);

impl<'a> SkinWeights<'a> {
    /// Opens the arrays of `count` vertices.
    pub(super) fn open(
        buffers: &mut GltfBuffers<'a>,
        attributes: &Attributes,
        count: u64,
    ) -> Result<SkinWeights<'a>, Fault> {
        const JOINTS: &[Scalar] = &[Scalar::U8, Scalar::U16];
        const WEIGHTS: &[Scalar] = &[Scalar::F32, Scalar::U8, Scalar::U16];
        let mut sets = Vec::new();
        for (joints, weights) in attributes.influences() {
            sets.push([
                Elements::of_vertices(buffers, "joints", joints, JOINTS, count)?,
                Elements::of_vertices(buffers, "weights", weights, WEIGHTS, count)?,
            ]);
        }
        Ok(SkinWeights(sets))
    }

    /// Returns the mean of the matrices of the joints of a vertex; `None` if its weights are 0.
    pub(super) fn transform(&self, pose: &Pose, vertex: u64) -> Result<Option<DAffine3>, Fault> {
        let mut sum = DAffine3::from_mat3(DMat3::ZERO);
        let mut total = 0.0;
        for [joints, weights] in &self.0 {
            for (joint, weight) in joints.get(vertex).into_iter().zip(weights.get(vertex)) {
                if weight == 0.0 {
                    continue;
                }
                let matrix = pose.matrices.get(joint as usize).ok_or_else(|| {
                    let count = pose.matrices.len();
                    Fault::Malformed(format!("vertex {vertex} has joint {joint} of {count}"))
                })?;
                sum.matrix3 += matrix.matrix3 * weight;
                sum.translation += matrix.translation * weight;
                total += weight;
            }
        }
        // As written, the sum of weights is only approximately 1.
        sum.matrix3 /= total;
        sum.translation /= total;
        Ok((total != 0.0).then_some(sum))
    }
}
