//! Names of the kinds of rays on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

pub(super) use estoc_demo::ray_kinds::RayKind as Kind;

/// Returns a parser for the name of a kind.
pub(super) fn parser() -> impl TypedValueParser<Value = Kind> {
    let value = |kind: Kind| PossibleValue::new(kind.name()).help(kind.about());
    PossibleValuesParser::new(Kind::ALL.map(value))
        .try_map(|name| Kind::of_name(&name).ok_or("unknown kind of rays"))
}
