//! Materials of faces.

/// A material used by faces, with its definition in a material library.
///
/// Ray queries do not use it; it is stored for shading. Numbers are finite and otherwise as in the
/// library. Texture entries hold the text of the statement, including options, and are never
/// opened.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Material {
    /// The name given by `usemtl`.
    pub name: String,
    /// Whether a readable library defines the material; otherwise all other fields are `None`.
    pub defined: bool,
    /// Ambient colour (`Ka`).
    pub ambient: Option<[f32; 3]>,
    /// Diffuse colour (`Kd`).
    pub diffuse: Option<[f32; 3]>,
    /// Specular colour (`Ks`).
    pub specular: Option<[f32; 3]>,
    /// Emitted colour (`Ke`).
    pub emissive: Option<[f32; 3]>,
    /// Specular exponent (`Ns`).
    pub shininess: Option<f32>,
    /// Opacity (`d`): 1 is opaque.
    pub dissolve: Option<f32>,
    /// Index of refraction (`Ni`).
    pub optical_density: Option<f32>,
    /// Illumination model (`illum`).
    pub illumination_model: Option<u8>,
    /// Texture of the ambient colour (`map_Ka`).
    pub ambient_texture: Option<String>,
    /// Texture of the diffuse colour (`map_Kd`).
    pub diffuse_texture: Option<String>,
    /// Texture of the specular colour (`map_Ks`).
    pub specular_texture: Option<String>,
    /// Bump or normal texture (`bump`, `map_Bump`).
    pub normal_texture: Option<String>,
    /// Texture of the specular exponent (`map_Ns`).
    pub shininess_texture: Option<String>,
    /// Texture of the opacity (`map_d`).
    pub dissolve_texture: Option<String>,
}
