//! What may go wrong with a device.

use std::fmt;
use std::time::Duration;

/// Why a device did not answer. Nothing is wrong with the process: the same batch may be asked of the processor.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no device that can compute, or none of that name.
    NoDevice {
        /// The name that was asked for; empty for any.
        name: String,
        /// The names of those that there are.
        found: Vec<String>,
    },
    /// A device that could not be started, with the reason of its driver.
    NotStarted {
        /// The name of the device.
        device: String,
        /// The reason.
        reason: String,
    },
    /// A device that breaks a rule of WGSL, so that its answers cannot be relied on.
    Refused {
        /// The name of the device.
        device: String,
        /// What it computed, and what it should have.
        reason: String,
    },
    /// A tree that has no room in what the device can address, or within the budget.
    TooLarge {
        /// The size of the tree on the device.
        bytes: u64,
        /// The most that there may be.
        limit: u64,
    },
    /// Memory that the device, or the system, does not have.
    NoMemory {
        /// The bytes that were asked for.
        bytes: u64,
    },
    /// A device that went away, such as by a crash of its driver.
    Lost {
        /// The reason of the driver.
        reason: String,
    },
    /// A device that did not end the work on some rays in time.
    TimedOut {
        /// How long it was waited for.
        waited: Duration,
    },
    /// An error of the driver or of wgpu, in its words.
    Failed {
        /// What it says.
        reason: String,
    },
}

impl std::error::Error for GpuError {}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GpuError::NoDevice { name, found } => {
                match name.is_empty() {
                    true => f.write_str("there is no graphics processor that can be used")?,
                    false => write!(f, "there is no device '{name}'")?,
                }
                match found.is_empty() {
                    true => f.write_str("; install the driver of a graphics processor (Vulkan, Metal or DirectX 12)"),
                    false => write!(f, "; by name there are {}", found.join(", ")),
                }
            }
            GpuError::NotStarted { device, reason } => {
                write!(f, "{device} cannot be used: {reason}")
            }
            GpuError::Refused { device, reason } => write!(
                f,
                "{device} computes wrongly, and is not used: {reason}; update its driver, or use the processor"
            ),
            GpuError::TooLarge { bytes, limit } => write!(
                f,
                "the tree takes {bytes} bytes on the device, which may hold {limit}; use the processor, or split the mesh"
            ),
            GpuError::NoMemory { bytes } => {
                write!(
                    f,
                    "there is no memory for {bytes} bytes on the device; use smaller chunks, or the processor"
                )
            }
            GpuError::Lost { reason } => write!(
                f,
                "the device was lost: {reason}; open it again, or use the processor"
            ),
            GpuError::TimedOut { waited } => write!(
                f,
                "the device did not answer in {} s; use smaller chunks, or the processor",
                waited.as_secs()
            ),
            GpuError::Failed { reason } => write!(f, "the device failed: {reason}"),
        }
    }
}
