//! What `estoc` adds to the other crates: names, features, examples.

// Without the feature `batch` the program of the examples is not built.
mod doubles;
#[cfg(feature = "batch")]
mod examples;
#[cfg(feature = "batch")]
mod public_names;
mod public_reports;
#[cfg(feature = "batch")]
mod section_areas;
#[cfg(all(feature = "batch", feature = "serde"))]
mod serde_feature;
mod stored_results;
