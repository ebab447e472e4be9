//! Features of triangles as numbers.

use estoc_core::Feature;

/// The number that stands for the face.
pub(super) const FACE: u8 = Feature::Face.number();
/// The number where there is no feature.
pub(super) const NO_FEATURE: u8 = u8::MAX;

/// Returns the feature that a number stands for.
pub(super) fn feature(number: u8) -> Option<Feature> {
    match number {
        0..3 => Some(Feature::Vertex(number)),
        3..6 => Some(Feature::Edge(number - 3)),
        FACE => Some(Feature::Face),
        _ => None,
    }
}
