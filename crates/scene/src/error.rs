//! Errors of changes to a scene.

use estoc_core::{MatrixError, ScenePath};

/// The largest number of matrices that are composed to check them.
pub(crate) const MOST_CHECKED: usize = 1_000_000;

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
    /// An entry of a composed matrix is below the normal numbers of `f64`, where rounding may lose any part
    /// of it.
    #[error(
        "an entry of the matrix composed at {path:?} of the placed scene is below the normal numbers of \
         f64: use larger scales"
    )]
    Underflow {
        /// The placements below the one that is added.
        path: ScenePath,
    },
    /// The matrices of a placed scene are so close to singular, and so many, that composing each of them
    /// to find out whether it has an inverse would take too long.
    #[error(
        "more than {} matrices below the placement are close to singular and would have to be composed \
         to check them: use matrices closer to rotations and scales, or nest less",
        MOST_CHECKED
    )]
    TooManyToCheck,
    /// There is not enough memory for the tree over the placements.
    #[error("not enough memory for a tree over {placements} placements; free some, or nest scenes")]
    NoMemory {
        /// The number of placements.
        placements: usize,
    },
    /// All numbers of placements are in use.
    #[error(
        "the scene has {} placements, and no number for another: remove some",
        u32::MAX
    )]
    Full,
}
