//! Shades as arguments.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use estoc_picture::Shade;
use std::fmt;

/// A shade, by its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShadeArg(pub(super) Shade);

impl ValueEnum for ShadeArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [ShadeArg; Shade::ALL.len()] = {
            let mut all = [ShadeArg(Shade::Ao); Shade::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = ShadeArg(Shade::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Shade::Depth => "Distance from the eye to the surface",
            Shade::Normal => "Normal of the surface: x, y, z as red, green, blue",
            Shade::Facing => "Angle at which the surface is seen; back sides are orange",
            Shade::Id => {
                "A colour for each triangle or shape; above 50,000 triangles, neighbours share a hue"
            }
            Shade::Material => "The diffuse colours of materials",
            Shade::Ao => "Ambient occlusion: how much of the sky the surface sees",
            Shade::Heat => "Number of traversal steps of each ray",
            Shade::Distance => "Distance from the mesh that --to names",
            Shade::Thickness => {
                "How far it is straight in to the other side; dark grey where there is none"
            }
            Shade::Instance => "A colour for each placement of a scene",
            _ => "",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

impl fmt::Display for ShadeArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
