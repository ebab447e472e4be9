//! The roles of a Ballista cluster that knows rays.
//!
//! ```text
//!  submit: SQL --> rule --> RaycastNode --codec--> scheduler: stages of RaycastExec --codec--> executors
//!  submit <-- rows --------------------------------------------------------------------------- executors
//! ```

mod cluster_planner;
mod codecs;
mod executor;
mod scheduler;
mod submit;

pub use codecs::{logical_codec, physical_codec};
pub use executor::{ExecutorOptions, run_executor};
pub use scheduler::{SchedulerOptions, run_scheduler};
pub use submit::cluster_session;
