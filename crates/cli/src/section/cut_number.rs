//! What differs between cuts of meshes in `f32` and in `f64`.

use super::plane_arg::PlaneArg;
use crate::frame::FileFrame;
use crate::model_number::ModelNumber;
use estoc::Plane;
use estoc_core::PlaneError;

/// The numbers of a mesh that is cut.
pub(super) trait CutNumber: ModelNumber {
    /// Returns whether planes are taken in `f64`, at first.
    fn is_wide(frame: FileFrame) -> bool;

    /// Returns a plane in the coordinates of the mesh.
    fn plane(given: &PlaneArg, frame: FileFrame) -> Result<Plane<Self>, PlaneError>;
}

impl CutNumber for f32 {
    fn is_wide(frame: FileFrame) -> bool {
        frame.is_local()
    }

    fn plane(given: &PlaneArg, frame: FileFrame) -> Result<Plane, PlaneError> {
        given.local(frame)
    }
}

impl CutNumber for f64 {
    fn is_wide(_: FileFrame) -> bool {
        true
    }

    fn plane(given: &PlaneArg, _: FileFrame) -> Result<Plane<f64>, PlaneError> {
        given.wide()
    }
}
