//! The codecs that all roles share.

use crate::{RaycastLogicalCodec, RaycastPhysicalCodec};
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use std::sync::Arc;

/// Returns the codec of logical plans: rays, and what Ballista knows.
pub fn logical_codec() -> Arc<dyn LogicalExtensionCodec> {
    Arc::new(RaycastLogicalCodec::new(Arc::new(
        BallistaLogicalExtensionCodec::default(),
    )))
}

/// Returns the codec of physical plans: rays, and what Ballista knows.
pub fn physical_codec() -> Arc<dyn PhysicalExtensionCodec> {
    Arc::new(RaycastPhysicalCodec::new(Arc::new(
        BallistaPhysicalExtensionCodec::default(),
    )))
}
