//! Shades as arguments.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use estoc_picture::Shade;

/// Returns what parses a shade by its name.
pub(super) fn parser() -> impl TypedValueParser<Value = Shade> {
    let values = Shade::ALL.map(|shade| {
        let help = match shade {
            Shade::Distance => "Distance from the mesh that --to names",
            shade => shade.description(),
        };
        PossibleValue::new(shade.name()).help(help)
    });
    PossibleValuesParser::new(values)
        .try_map(|name| Shade::of_name(&name).ok_or("there is no such shade"))
}
