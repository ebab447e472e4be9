//! The role that plans queries and gives their tasks to executors.

use super::{logical_codec, physical_codec};
use crate::with_raycast;
use ballista_core::error::{BallistaError, Result};
use ballista_core::utils::default_session_builder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use clap::Args;
use datafusion::execution::SessionStateBuilder;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use std::sync::Arc;
use tokio::net::TcpListener;

/// The options of a scheduler.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct SchedulerOptions {
    /// The address to listen on; whoever reaches it can run queries.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The port; 0 takes a free one.
    #[arg(long, default_value_t = 50050)]
    pub port: u16,
    /// Seconds without a heartbeat after which an executor's tasks are given to others.
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    pub executor_timeout: u64,
    /// How many executors make GET /readyz answer 200.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub min_executors: usize,
}

/// Runs a scheduler until it fails; `ready` is told the address.
///
/// # Errors
/// When the address cannot be listened on.
pub async fn run_scheduler(options: &SchedulerOptions, ready: impl FnOnce(&str)) -> Result<()> {
    let listener = TcpListener::bind((options.host.as_str(), options.port)).await?;
    let address = listener.local_addr()?;
    let config = SchedulerConfig {
        bind_host: options.host.clone(),
        external_host: options.host.clone(),
        bind_port: address.port(),
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: (options.executor_timeout / 4).clamp(1, 15),
        no_executors_grace_period_seconds: options.executor_timeout,
        min_ready_executors: options.min_executors,
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        override_session_builder: Some(Arc::new(|config| {
            let state = default_session_builder(config)?;
            Ok(with_raycast(SessionStateBuilder::new_from_existing(state)).build())
        })),
        ..SchedulerConfig::default()
    };
    config.validate()?;
    let cluster = BallistaCluster::new_from_config(&config).await?;
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config)).await?;
    ready(&address.to_string());
    start_grpc_service_with_listener(listener, scheduler).await
}

/// Splits an address such as `host:50050`.
///
/// # Errors
/// When there is no port in it.
pub(super) fn host_and_port(address: &str) -> Result<(String, u16)> {
    let parts = address
        .rsplit_once(':')
        .and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    parts.ok_or_else(|| {
        BallistaError::Configuration(format!(
            "the address {address} has no port; wanted is one as host:50050"
        ))
    })
}
