//! The machine that a result was measured on.

use crate::failure::Failure;
use estoc::{batch::CacheSizes, engine::SimdLevel};
use estoc_mesh::parts::counted;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The properties of a machine that affect speed, as far as a program can find them out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Machine {
    /// The processor's name, if the system reports it.
    pub(super) cpu: Option<String>,
    /// Number of threads that can run at once.
    pub(super) cores: usize,
    pub(super) arch: String,
    pub(super) os: String,
    /// The vector instructions that queries used.
    pub(super) simd: String,
    /// In bytes, as is the shared cache.
    pub(super) core_cache: usize,
    pub(super) shared_cache: usize,
}

impl Machine {
    pub(super) fn here() -> Result<Self, Failure> {
        let simd = SimdLevel::from_env()
            .map_err(|error| Failure::Usage(format!("{}: {error}", SimdLevel::VARIABLE)))?;
        let caches = CacheSizes::of_this_machine();
        Ok(Machine {
            cpu: estoc_demo::measuring::processor("model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            arch: std::env::consts::ARCH.to_owned(),
            os: std::env::consts::OS.to_owned(),
            simd: simd.to_string(),
            core_cache: caches.core,
            shared_cache: caches.shared,
        })
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cores = counted(self.cores as u64, "core");
        let cpu = self.cpu.as_deref().unwrap_or(&self.arch);
        write!(f, "{cpu}, {cores}, {}, {}", self.simd, self.os)
    }
}
