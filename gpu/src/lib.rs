//! Batches of rays on graphics processors, with the exact answers of estoc: the same bits on every device.
//!
//! A kernel in WGSL, by [wgpu], finds in `f32` with proven bounds what each ray may hit; the exact stages of the processor
//! decide. See [`GpuBatch`]; NUMERICS of the repository, under "Graphics processors", says what is relied on.
//!
//! [wgpu]: https://docs.rs/wgpu

mod candidates;
#[cfg(feature = "device")]
mod device;
mod frame;
#[cfg(feature = "device")]
mod gpu_batch;
#[cfg(feature = "device")]
mod gpu_bvh;
mod gpu_engine;
mod gpu_error;
mod tree_words;

pub use candidates::Wanted;
#[cfg(feature = "device")]
pub use device::{Device, DeviceInfo};
pub use frame::{Frame, PARAM_WORDS};
#[cfg(feature = "device")]
pub use gpu_batch::{GpuBatch, GpuBatchError, GpuReport};
#[cfg(feature = "device")]
pub use gpu_bvh::GpuBvh;
pub use gpu_engine::{GpuEngine, Kernel, RayWords};
pub use gpu_error::GpuError;
pub use tree_words::{TRIANGLE_WORDS, TreeWords};

/// The text of the kernel, in WGSL: its entry point `trace` has a thread for each ray, in groups of 64.
pub const KERNEL: &str = include_str!("kernel.wgsl");

/// Compiles the Rust in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
