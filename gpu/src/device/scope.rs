//! Catches the errors of a driver where they arise.

use crate::gpu_error::GpuError;

/// Catches all errors of this thread until it ends. Its parts end in the order in which they are dropped, the last one that
/// began first.
pub(crate) struct Scope {
    memory: wgpu::ErrorScopeGuard,
    internal: wgpu::ErrorScopeGuard,
    validation: wgpu::ErrorScopeGuard,
}

impl Scope {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};
        let [validation, internal, memory] =
            [Validation, Internal, OutOfMemory].map(|filter| device.push_error_scope(filter));
        Scope {
            memory,
            internal,
            validation,
        }
    }

    /// Returns the first error, if there was one; `bytes` is what memory was asked for.
    pub(crate) fn end(self, bytes: u64) -> Result<(), GpuError> {
        let Scope {
            memory,
            internal,
            validation,
        } = self;
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
