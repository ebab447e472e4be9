//! Plans on their way between the machines of a cluster.

mod logical_codec;
mod message;
mod physical_codec;

pub use logical_codec::RaycastLogicalCodec;
pub use physical_codec::RaycastPhysicalCodec;
