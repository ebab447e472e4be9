//! Shading by material.

use super::{Look, Shader, Sight, SkyRay, backdrop};
use crate::picture::colour::of_number;
use crate::target::Target;
use estoc::glam::Vec3;
use estoc::mesh::Material;
use std::collections::HashMap;

const UNNAMED: Vec3 = Vec3::new(0.55, 0.55, 0.55);

/// The colour of each material, by its name, for each mesh.
pub(super) struct MaterialShader<'a>(Vec<HashMap<&'a str, Vec3>>);

impl<'a> MaterialShader<'a> {
    /// Returns `None` if the system has no memory for the colours.
    pub(super) fn of(target: Target<'a>) -> Option<Self> {
        let mut meshes = Vec::new();
        meshes.try_reserve_exact(target.mesh_count()).ok()?;
        for mesh in 0..target.mesh_count() {
            let materials = target.materials(mesh);
            let mut colours = HashMap::new();
            colours.try_reserve(materials.len()).ok()?;
            for (number, material) in (0..).zip(materials) {
                let colour = colour(material).unwrap_or_else(|| of_number(number, 0.3));
                colours.insert(material.name.as_str(), colour);
            }
            meshes.push(colours);
        }
        Some(MaterialShader(meshes))
    }
}

/// Returns diffuse plus some specular plus emitted light, if the material has a diffuse colour.
fn colour(material: &Material) -> Option<Vec3> {
    let diffuse = Vec3::from(material.diffuse?);
    let specular = Vec3::from(material.specular.unwrap_or_default());
    let emitted = Vec3::from(material.emissive.unwrap_or_default());
    Some((diffuse + 0.3 * specular + emitted).clamp(Vec3::ZERO, Vec3::ONE))
}

impl Shader for MaterialShader<'_> {
    fn light(&self, seen: &Sight<'_>, _: &[SkyRay]) -> Option<Vec3> {
        let material = seen.scene.target.material_of(seen.hit?);
        let colour =
            material.and_then(|(mesh, material)| self.0.get(mesh)?.get(material.name.as_str()));
        seen.lit(colour.copied().unwrap_or(UNNAMED))
    }

    fn backdrop(&self, look: &Look) -> Vec3 {
        backdrop(look)
    }
}
