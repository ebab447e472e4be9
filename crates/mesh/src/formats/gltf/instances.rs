//! The instances of the extension `EXT_mesh_gpu_instancing`.

use estoc_core::glam::DAffine3;

use super::accessor::Elements;
use super::byte_sources::GltfBuffers;
use super::model::Instancing;
use super::primitive::Fault;
use super::scene::composed;
use crate::formats::scalar::Scalar;

/// The transforms of the instances of a node.
pub(super) struct Instances<'a> {
    pub(super) count: u64,
    translations: Option<Elements<'a, 3>>,
    rotations: Option<Elements<'a, 4>>,
    scales: Option<Elements<'a, 3>>,
}

impl<'a> Instances<'a> {
    pub(super) fn open(
        buffers: &mut GltfBuffers<'a>,
        instancing: &Instancing,
    ) -> Result<Instances<'a>, Fault> {
        const FLOATS: &[Scalar] = &[Scalar::F32];
        const ROTATIONS: &[Scalar] = &[Scalar::F32, Scalar::I8, Scalar::I16];
        let mut instances = Instances {
            // An extension without attributes changes nothing.
            count: 1,
            translations: None,
            rotations: None,
            scales: None,
        };
        let mut counts = Vec::new();
        for (name, &index) in &instancing.attributes {
            counts.push(buffers.accessor(index)?.count);
            match &**name {
                "TRANSLATION" => {
                    instances.translations = Some(Elements::open(buffers, name, index, FLOATS)?);
                }
                "ROTATION" => {
                    instances.rotations = Some(Elements::open(buffers, name, index, ROTATIONS)?);
                }
                "SCALE" => {
                    instances.scales = Some(Elements::open(buffers, name, index, FLOATS)?);
                }
                // Those of an application.
                _ => {}
            }
        }
        instances.count = counts.first().copied().unwrap_or(instances.count);
        match counts.iter().find(|&&count| count != instances.count) {
            None => Ok(instances),
            Some(other) => Err(format!(
                "the attributes of its instances have {} and {other} elements",
                instances.count
            )
            .into()),
        }
    }

    /// Returns the transform of an instance to the coordinates of the node.
    pub(super) fn get(&self, number: u64) -> Result<DAffine3, Fault> {
        let transform = composed(
            self.translations.as_ref().map(|all| all.get(number)),
            self.rotations.as_ref().map(|all| all.get(number)),
            self.scales.as_ref().map(|all| all.get(number)),
        );
        transform.map_err(|problem| Fault::Malformed(format!("instance {number}: {problem}")))
    }
}
