//! The role that runs tasks.

use super::scheduler::host_and_port;
use super::{logical_codec, physical_codec};
use crate::session_state;
use ballista_core::error::Result;
use ballista_core::extension::SessionConfigExt;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use clap::Args;
use datafusion::prelude::SessionConfig;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of an executor.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
pub struct ExecutorOptions {
    /// The address of the scheduler.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    pub scheduler: String,
    /// The address of this machine, which the others reach.
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// The port of rows; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    pub port: u16,
    /// The port of tasks; 0 takes a free one.
    #[arg(long, default_value_t = 0)]
    pub task_port: u16,
    /// How many tasks run at a time; 0 is all processors.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
    /// Seconds between heartbeats; less than the scheduler's timeout.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub heartbeat: u64,
    /// The folder for rows between stages; a temporary one by default.
    #[arg(long, value_name = "DIR")]
    pub work_dir: Option<PathBuf>,
}

/// Runs an executor until it is stopped by a signal or by the scheduler; `ready` is told the folder for rows.
///
/// # Errors
/// When the scheduler cannot be reached within ten seconds, or a port is taken.
pub async fn run_executor(options: &ExecutorOptions, ready: impl FnOnce(&str)) -> Result<()> {
    let (scheduler_host, scheduler_port) = host_and_port(&options.scheduler)?;
    let temporary = match &options.work_dir {
        Some(_) => None,
        None => Some(
            tempfile::Builder::new()
                .prefix("estoc-executor-")
                .tempdir()?,
        ),
    };
    let folder = temporary.as_ref().map(|folder| folder.path().to_owned());
    let folder = options.work_dir.clone().or(folder).unwrap_or_default();
    let functions =
        BallistaFunctionRegistry::from(&session_state(SessionConfig::new_with_ballista()));
    let ports = free_ports(&options.host, [options.port, options.task_port])?;
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let config = ExecutorProcessConfig {
        bind_host: options.host.clone(),
        external_host: Some(options.host.clone()),
        port: ports[0],
        grpc_port: ports[1],
        scheduler_host,
        scheduler_port,
        scheduler_connect_timeout_seconds: 10,
        vcores: threads,
        work_dir: Some(folder.display().to_string()),
        executor_heartbeat_interval_seconds: options.heartbeat,
        override_function_registry: Some(Arc::new(functions)),
        override_logical_codec: Some(logical_codec()),
        override_physical_codec: Some(physical_codec()),
        ..ExecutorProcessConfig::default()
    };
    ready(&folder.display().to_string());
    start_executor_process(Arc::new(config)).await
}

/// Returns the ports, with free ones for those that are 0. They are free until another process takes them.
fn free_ports(host: &str, ports: [u16; 2]) -> std::io::Result<[u16; 2]> {
    let listeners = ports.map(|port| (port, TcpListener::bind((host, port))));
    let mut free = ports;
    for (place, (port, listener)) in listeners.into_iter().enumerate() {
        if port == 0 {
            free[place] = listener?.local_addr()?.port();
        }
    }
    Ok(free)
}
