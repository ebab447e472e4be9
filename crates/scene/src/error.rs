//! Errors of changes to a scene.

use estoc_core::{MatrixError, ScenePath};

/// The reason why a scene cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The scene has no such placement: it was removed, or belongs to another scene.
    #[error(
        "the scene has no placement of this id (number {number}): it was removed, or the id is of \
         another scene"
    )]
    NoSuchPlacement {
        /// The number of the placement that the id was made for.
        number: u32,
    },
    /// A path would have too many placements.
    #[error(
        "the placed scene is {depth} deep, so paths would have {} placements, but at most {} are \
         possible: join some levels",
        depth + 1, ScenePath::MAX_DEPTH
    )]
    TooDeep {
        /// The largest number of placements on a path of the placed scene.
        depth: usize,
    },
    /// The matrix of nested placements, composed and rounded, is not finite or has no inverse.
    #[error("the matrices cannot be composed at {path:?} of the placed scene: {error}")]
    Composed {
        /// The placements below the one that is added.
        path: ScenePath,
        /// What is wrong with the composed matrix.
        error: MatrixError,
    },
    /// All numbers of placements are in use.
    #[error(
        "the scene has {} placements, and no number for another: remove some",
        u32::MAX
    )]
    Full,
}
