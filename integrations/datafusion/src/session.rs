//! Sessions that know rays.

use crate::{RaycastQueryPlanner, RaycastRule, raycast_marker};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::session_state::SessionState;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// Returns a builder of sessions with the function `raycast`, the rule that replaces it, and the planner of its
/// operator.
///
/// The planner replaces one that was set before; to have both, add
/// [`RaycastExtensionPlanner`](crate::RaycastExtensionPlanner) to it.
pub fn with_raycast(builder: SessionStateBuilder) -> SessionStateBuilder {
    let mut functions = builder;
    functions
        .scalar_functions()
        .get_or_insert_default()
        .push(raycast_marker());
    functions
        .with_analyzer_rule(Arc::new(RaycastRule))
        .with_query_planner(Arc::new(RaycastQueryPlanner))
}

/// Returns the state of a session that runs queries in this process.
pub fn session_state(config: SessionConfig) -> SessionState {
    with_raycast(
        SessionStateBuilder::new()
            .with_config(config)
            .with_default_features(),
    )
    .build()
}

/// Returns a session that runs queries in this process, in which files are tables: `SELECT * FROM 'rays.parquet'`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> datafusion::error::Result<()> {
/// let session = estoc_datafusion::session(Default::default());
/// let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sphere.obj");
/// let sql = format!("SELECT raycast('{mesh}', 0, 0, 5, 0, 0, -1)['t'] > 3.9 AS far");
/// let rows = session.sql(&sql).await?.collect().await?;
/// assert_eq!(rows[0].num_rows(), 1);
/// # Ok(())
/// # }
/// ```
pub fn session(config: SessionConfig) -> SessionContext {
    SessionContext::new_with_state(session_state(config)).enable_url_table()
}
