//! The text of values of Arrow.

use arrow_array::Array;
use arrow_cast::display::{ArrayFormatter, FormatOptions};

/// Null is empty, and a value that has no text is an error.
const OPTIONS: FormatOptions<'static> =
    FormatOptions::new().with_null("").with_display_error(false);

/// Returns what formats the values of an array, or why its type has no text.
pub(crate) fn formatter(array: &dyn Array) -> Result<ArrayFormatter<'_>, String> {
    ArrayFormatter::try_new(array, &OPTIONS).map_err(|error| error.to_string())
}

/// Returns the text of a value, or why it has none.
pub(crate) fn text_of(formatter: &ArrayFormatter<'_>, item: usize) -> Result<String, String> {
    let text = formatter.value(item).try_to_string();
    text.map_err(|error| error.to_string())
}
