//! What a device must compute before it is used.

use crate::device::Device;
use crate::gpu_error::GpuError;

pub(crate) fn check(_device: &Device) -> Result<(), GpuError> {
    Ok(())
}
