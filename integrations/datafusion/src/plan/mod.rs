//! The operator: as a node of logical plans, and as one of physical plans.

mod planner;
mod ray_block;
mod raycast;
mod raycast_exec;
mod raycast_node;
mod raycast_stream;

pub use planner::{RaycastExtensionPlanner, RaycastQueryPlanner};
pub use raycast::Raycast;
pub use raycast_exec::RaycastExec;
pub use raycast_node::RaycastNode;
