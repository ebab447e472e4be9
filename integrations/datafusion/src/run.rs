//! What the command does.

use crate::arguments::{Arguments, Query, Role};
use crate::demo::write_demo;
#[cfg(feature = "cluster")]
use crate::output::print_line;
use crate::output::{Output, metadata};
use datafusion::common::Result;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::execute_stream;
use datafusion::prelude::{ParquetReadOptions, SessionConfig, SessionContext};
use estoc_datafusion::{MeshCache, session};
use futures::StreamExt;
use std::path::Path;
use std::time::Instant;

#[cfg(feature = "cluster")]
use estoc_datafusion::cluster::{cluster_session, run_executor, run_scheduler};

/// Runs the command.
pub(crate) fn run(arguments: Arguments) -> Result<(), Box<dyn std::error::Error>> {
    let is_server = !matches!(arguments.role, None | Some(Role::Demo { .. }));
    env_logger::Builder::new()
        .filter_level(match is_server {
            true => log::LevelFilter::Warn,
            false => log::LevelFilter::Error,
        })
        .parse_default_env()
        .init();
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    if let Some(threads) = arguments.query.as_ref().and_then(|query| query.threads) {
        runtime.worker_threads(threads.get());
    }
    let runtime = runtime.enable_all().build()?;
    match (arguments.role, arguments.query) {
        (None, Some(query)) => {
            set_folder(query.mesh_dir.as_deref());
            runtime.block_on(async { ask(&session(config(&query)), &query).await })?;
        }
        (None, None) => return Err("there is no query; see estoc-query --help".into()),
        (Some(role), _) => runtime.block_on(play(role))?,
    }
    Ok(())
}

async fn play(role: Role) -> Result<(), Box<dyn std::error::Error>> {
    match role {
        #[cfg(feature = "cluster")]
        Role::Submit { scheduler, query } => {
            set_folder(query.mesh_dir.as_deref());
            let session = cluster_session(&scheduler, config(&query)).await?;
            ask(&session, &query).await?;
        }
        #[cfg(feature = "cluster")]
        Role::Scheduler { options } => {
            run_scheduler(&options, |address| {
                announce(&format!("scheduler: listens on {address}"));
            })
            .await?;
        }
        #[cfg(feature = "cluster")]
        Role::Executor { options, mesh_dir } => {
            set_folder(mesh_dir.as_deref());
            run_executor(&options, |folder| {
                announce(&format!("executor: rows between stages are in {folder}"));
            })
            .await?;
        }
        Role::Demo {
            dir,
            mesh,
            rays,
            files,
        } => write_demo(&dir, &mesh, rays, files)?,
    }
    Ok(())
}

/// Prints what a server has begun, which goes on if that cannot be printed.
#[cfg(feature = "cluster")]
fn announce(text: &str) {
    if let Err(error) = print_line(text) {
        log::warn!("{error}");
    }
}

fn set_folder(folder: Option<&Path>) {
    if let Some(folder) = folder {
        MeshCache::of_process().set_folder(folder.to_owned());
    }
}

fn config(query: &Query) -> SessionConfig {
    let config = SessionConfig::new();
    match query.threads {
        Some(threads) => config.with_target_partitions(threads.get()),
        None => config,
    }
}

/// Runs a query, and writes or prints its rows.
async fn ask(session: &SessionContext, query: &Query) -> Result<()> {
    let start = Instant::now();
    for (name, path) in &query.tables {
        let path = path.to_str().ok_or_else(|| {
            DataFusionError::Configuration(format!(
                "the path {} is not UTF-8; rename the file",
                path.display()
            ))
        })?;
        session
            .register_parquet(name, path, ParquetReadOptions::default())
            .await?;
    }
    let rows = session.sql(&query.sql).await?;
    if query.out.is_some() && rows.schema().fields().is_empty() {
        return Err(DataFusionError::Plan(
            "the statement has no columns to write to a file; leave out --out".to_owned(),
        ));
    }
    let state = session.state();
    let plan = state.optimize(rows.logical_plan())?;
    let metadata = metadata(&query.sql, &plan)?;
    let physical = state
        .query_planner()
        .create_physical_plan(&plan, &state)
        .await?;
    let planned = start.elapsed();
    let mut rows = execute_stream(physical, session.task_ctx())?;
    let mut output = Output::open(query, &rows.schema(), metadata)?;
    while let Some(batch) = rows.next().await {
        if !output.put(batch?).await? {
            break;
        }
    }
    let count = output.finish().await?;
    if query.time {
        let (planned, all) = (planned.as_secs_f64(), start.elapsed().as_secs_f64());
        let noun = if count == 1 { "row" } else { "rows" };
        eprintln!("{count} {noun} in {all:.2} s, of which planning {planned:.2} s");
    }
    Ok(())
}
