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
            Shade::Distance => "Distance from the mesh that --to names",
            shade => shade.description(),
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

impl fmt::Display for ShadeArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
