//! The materials of the hall.

use crate::Material;

#[derive(Clone, Copy)]
pub(super) enum Matter {
    Limestone,
    Marble,
    Plaster,
    LightTiles,
    DarkTiles,
    Oak,
    Lead,
    Copper,
}

impl Matter {
    pub(super) fn material(self) -> Material {
        let (name, diffuse, specular) = match self {
            Matter::Limestone => ("limestone", [0.72, 0.64, 0.52], [0.0; 3]),
            Matter::Marble => ("marble", [0.8, 0.76, 0.7], [0.0; 3]),
            Matter::Plaster => ("plaster", [0.76, 0.7, 0.61], [0.0; 3]),
            Matter::LightTiles => ("light_tiles", [0.58, 0.52, 0.44], [0.045; 3]),
            Matter::DarkTiles => ("dark_tiles", [0.085, 0.07, 0.065], [0.045; 3]),
            Matter::Oak => ("oak", [0.24, 0.12, 0.055], [0.0; 3]),
            Matter::Lead => ("lead", [0.1, 0.1, 0.11], [0.0; 3]),
            Matter::Copper => ("copper", [0.2, 0.06, 0.03], [0.75, 0.4, 0.28]),
        };
        Material::glossy(name, diffuse, specular)
    }
}
