//! The independent judge of estoc engines.
