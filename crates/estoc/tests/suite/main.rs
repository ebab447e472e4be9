//! What `estoc` adds to its parts: names, features, examples.

mod examples;
mod public_names;
#[cfg(feature = "serde")]
mod serde_feature;
