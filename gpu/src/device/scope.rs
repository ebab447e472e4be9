//! Catches the errors of a driver where they arise.

use crate::gpu_error::GpuError;

/// Catches all errors of this thread until it ends.
pub(crate) struct Scope([wgpu::ErrorScopeGuard; 3]);

impl Scope {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        Scope([Validation, Internal, OutOfMemory].map(|filter| device.push_error_scope(filter)))
    }

    /// Returns the first error, if there was one; `bytes` is what memory was asked for.
    pub(crate) fn end(self, bytes: u64) -> Result<(), GpuError> {
        let Scope([validation, internal, memory]) = self;
        let errors = [memory, internal, validation].map(|scope| pollster::block_on(scope.pop()));
        match errors.into_iter().flatten().next() {
            None => Ok(()),
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::NoMemory { bytes }),
            Some(error) => Err(GpuError::Failed {
                reason: error.to_string(),
            }),
        }
    }
}
