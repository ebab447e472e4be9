//! What differs between cuts of meshes in `f32` and in `f64`.

use super::plane_arg::PlaneArg;
use crate::frame::FileFrame;
use crate::model_number::ModelNumber;
use estoc::Plane;
use estoc_core::PlaneError;

/// The numbers of a mesh that is cut.
pub(super) trait CutNumber: ModelNumber {
    /// The name of the type in messages.
    const NAME: &'static str;

    /// Returns whether the numbers of planes are read and printed in `f64`.
    fn is_wide(frame: FileFrame) -> bool;

    /// Returns a plane in the coordinates of the mesh.
    fn plane(given: &PlaneArg, frame: FileFrame) -> Result<Plane<Self>, PlaneError>;
}

impl CutNumber for f32 {
    const NAME: &'static str = "f32";

    fn is_wide(frame: FileFrame) -> bool {
        frame.is_local()
    }

    fn plane(given: &PlaneArg, frame: FileFrame) -> Result<Plane, PlaneError> {
        given.local(frame)
    }
}

impl CutNumber for f64 {
    const NAME: &'static str = "f64";

    fn is_wide(_: FileFrame) -> bool {
        true
    }

    fn plane(given: &PlaneArg, _: FileFrame) -> Result<Plane<f64>, PlaneError> {
        given.wide()
    }
}
