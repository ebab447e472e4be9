//! What `estoc` adds to the other crates: names, features, examples.

mod examples;
mod public_names;
#[cfg(feature = "serde")]
mod serde_feature;
