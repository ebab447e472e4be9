//! An object with its place in a scene.

use super::SceneObject;
use estoc_core::glam::DAffine3;
use estoc_core::{MatrixError, PlacementMatrix};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// An object with the matrix that maps its space to that of the scene, and what the scene tells about
/// it.
///
/// ```
/// # mod estoc { pub use {estoc_bvh::*, estoc_core::*, estoc_mesh::*}; pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::{Bvh, Mesh, glam::{DAffine3, DVec3}, scene::Placement};
/// let bvh = Bvh::build(&Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?);
/// let mirrored = DAffine3::from_scale(DVec3::new(-2.0, 1.0, 1.0));
/// let placement = Placement::try_new(bvh, &mirrored)?.name("left wing").mask(0b01).reversed(true);
/// assert_eq!(placement.get_name(), Some("left wing"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Placement {
    object: SceneObject,
    matrix: PlacementMatrix,
    mask: u32,
    // A thin pointer: few placements of many have a name.
    name: Option<Arc<Box<str>>>,
    user_id: u64,
    is_reversed: bool,
}

impl Placement {
    /// Returns a placement with all bits of its mask set, without a name, and not reversed.
    ///
    /// # Errors
    /// [`MatrixError`]: an entry is NaN or infinite, or the matrix has no inverse.
    pub fn try_new(object: impl Into<SceneObject>, map: &DAffine3) -> Result<Self, MatrixError> {
        Ok(Placement::with_matrix(
            object,
            PlacementMatrix::try_new(map)?,
        ))
    }

    /// Does the same as [`try_new`](Self::try_new) with a matrix that has been checked.
    pub fn with_matrix(object: impl Into<SceneObject>, matrix: PlacementMatrix) -> Self {
        Placement {
            object: object.into(),
            matrix,
            mask: u32::MAX,
            name: None,
            user_id: 0,
            is_reversed: false,
        }
    }

    /// Sets the mask. The mask of a triangle in a scene is the bitwise "and" of its own and those of
    /// all placements on its path; a ray sees it if it shares a bit with that.
    #[must_use]
    pub fn mask(self, mask: u32) -> Self {
        Placement { mask, ..self }
    }

    /// Sets the name.
    #[must_use]
    pub fn name(self, name: impl Into<Box<str>>) -> Self {
        let name = Some(Arc::new(name.into()));
        Placement { name, ..self }
    }

    /// Sets a number of the caller's, 0 at first.
    #[must_use]
    pub fn user_id(self, user_id: u64) -> Self {
        Placement { user_id, ..self }
    }

    /// Sets whether front and back are exchanged. A mirror turns the sides of triangles; this turns
    /// them again, so that a closed object that is modelled with its front outside keeps it there, as
    /// glTF asks for.
    #[must_use]
    pub fn reversed(self, is_reversed: bool) -> Self {
        Placement {
            is_reversed,
            ..self
        }
    }

    pub(crate) fn set_matrix(&mut self, matrix: PlacementMatrix) {
        self.matrix = matrix;
    }

    /// Returns the object.
    #[inline(always)]
    pub fn object(&self) -> &SceneObject {
        &self.object
    }

    /// Returns the matrix.
    #[inline(always)]
    pub fn matrix(&self) -> &PlacementMatrix {
        &self.matrix
    }

    /// Returns the mask.
    pub fn get_mask(&self) -> u32 {
        self.mask
    }

    /// Returns the name.
    pub fn get_name(&self) -> Option<&str> {
        self.name.as_ref().map(|name| &***name)
    }

    /// Returns the number of the caller's.
    pub fn get_user_id(&self) -> u64 {
        self.user_id
    }

    /// Returns whether front and back are exchanged.
    pub fn is_reversed(&self) -> bool {
        self.is_reversed
    }
}

/// The id of a placement in a [`Scene`](crate::Scene). It is never used again, also not by another
/// scene. A clone of a scene has the placements of the original with the same ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacementId {
    number: u32,
    serial: u64,
}

impl PlacementId {
    pub(crate) fn next(number: u32) -> Self {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        PlacementId { number, serial }
    }

    pub(crate) fn of_serial(number: u32, serial: u64) -> Self {
        PlacementId { number, serial }
    }

    pub(crate) fn serial(&self) -> u64 {
        self.serial
    }

    /// Returns the number of the placement, which names it in paths. After the placement is removed,
    /// another may get its number.
    pub fn number(&self) -> u32 {
        self.number
    }
}
