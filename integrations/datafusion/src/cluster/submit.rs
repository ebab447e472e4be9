//! The role that asks a cluster.

use super::cluster_planner::ClusterPlanner;
use super::logical_codec;
use super::scheduler::host_and_port;
use crate::{raycast_marker, session_state};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// Returns a session whose queries run on the cluster of a scheduler, such as `host:50050`. Meshes and tables are
/// named as the executors see them; the client reads them too, unless a mesh is named with its hash.
///
/// Queries that Ballista would answer with other rows are refused: a union below a sort or a limit.
///
/// # Errors
/// When the address has no port.
pub async fn cluster_session(scheduler: &str, config: SessionConfig) -> Result<SessionContext> {
    let (host, port) =
        host_and_port(scheduler).map_err(|error| DataFusionError::External(Box::new(error)))?;
    let config = config
        .upgrade_for_ballista()
        .with_ballista_logical_extension_codec(logical_codec());
    let state = session_state(config);
    let session = SessionContext::remote_with_state(&format!("df://{host}:{port}"), state).await?;
    let state = session.state();
    let planner = ClusterPlanner(Arc::clone(state.query_planner()));
    let state = SessionStateBuilder::new_from_existing(state)
        .with_query_planner(Arc::new(planner))
        .build();
    let session = SessionContext::new_with_state(state);
    // Ballista replaces all functions by its own.
    session.register_udf(raycast_marker().as_ref().clone());
    Ok(session.enable_url_table())
}
