//! Names of the values of options.

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// A value of an option: its name, what `--help` says of it, and the value itself.
pub(crate) type NamedValue<V> = (&'static str, &'static str, V);

/// Returns what parses one of these values by its name.
pub(crate) fn one_of<V: Copy + Send + Sync + 'static, const N: usize>(
    values: [NamedValue<V>; N],
) -> impl TypedValueParser<Value = V> {
    let names = values.map(|(name, help, _)| PossibleValue::new(name).help(help));
    PossibleValuesParser::new(names).try_map(move |given| {
        let chosen = values.iter().find(|(name, ..)| *name == given);
        chosen
            .map(|(.., value)| *value)
            .ok_or("there is no such value")
    })
}

/// Returns the name of a value on the command line.
pub(crate) fn name_of(value: &impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
