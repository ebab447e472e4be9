//! The command line.

use clap::{Args, Parser, Subcommand, ValueEnum};
#[cfg(feature = "cluster")]
use estoc_datafusion::cluster::{ExecutorOptions, SchedulerOptions};
use std::path::PathBuf;

/// Answers SQL about rays and meshes, with exact hits.
///
/// raycast('mesh', ox, oy, oz, dx, dy, dz[, tmin, tmax[, mask]]) has the fields t, prim, u and v of the closest hit,
/// which are null for a miss:
///
///   estoc-query "SELECT ray_id, raycast('terrain.estoc', ox, oy, oz, dx, dy, dz)['t'] AS t FROM 'rays.parquet'"
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true, verbatim_doc_comment)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) role: Option<Role>,
    #[command(flatten)]
    pub(crate) query: Option<Query>,
}

/// What else the command does.
#[derive(Debug, Subcommand)]
pub(crate) enum Role {
    /// Runs a query on a cluster.
    #[cfg(feature = "cluster")]
    Submit {
        /// The address of the scheduler.
        #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
        scheduler: String,
        #[command(flatten)]
        query: Query,
    },
    /// Plans the queries of a cluster and gives their tasks to executors.
    #[cfg(feature = "cluster")]
    Scheduler {
        #[command(flatten)]
        options: SchedulerOptions,
    },
    /// Runs tasks of a cluster.
    #[cfg(feature = "cluster")]
    Executor {
        #[command(flatten)]
        options: ExecutorOptions,
        /// The folder that relative paths of meshes start at.
        #[arg(long, value_name = "DIR")]
        mesh_dir: Option<PathBuf>,
    },
    /// Writes a mesh, mesh.estoc, and rays, rays.parquet, to try queries on.
    Demo {
        /// The folder.
        dir: PathBuf,
        /// The mesh, as of `estoc generate`.
        #[arg(long, value_name = "SPEC", default_value = "terrain?n=2000")]
        mesh: String,
        /// The number of rays, from points around the mesh in random directions.
        #[arg(long, value_name = "N", default_value_t = 100_000)]
        rays: u64,
        /// The number of files that the rays are in; more than one makes a folder, rays.
        #[arg(long, value_name = "N", default_value_t = 1)]
        files: u64,
    },
}

/// A query, its tables and its output.
#[derive(Clone, Debug, Args)]
pub(crate) struct Query {
    /// The query; 'path.parquet' is a table.
    pub(crate) sql: String,
    /// A table of the query: a Parquet file, or a folder of them.
    #[arg(long = "table", value_name = "NAME=PATH", value_parser = name_and_path)]
    pub(crate) tables: Vec<(String, PathBuf)>,
    /// The Parquet file to write, instead of printing the first thousand rows.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// The compression of the file.
    #[arg(long, value_enum, default_value_t = Compression::None)]
    pub(crate) compression: Compression,
    /// The number of threads, and of parts of a table that are read at a time; all processors by default.
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    /// The folder that relative paths of meshes start at.
    #[arg(long, value_name = "DIR")]
    pub(crate) mesh_dir: Option<PathBuf>,
    /// Prints the time taken.
    #[arg(long)]
    pub(crate) time: bool,
}

/// A compression of Parquet files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compression {
    /// None.
    None,
    /// Snappy.
    Snappy,
    /// Zstandard.
    Zstd,
}

fn name_and_path(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), path.into()))
        }
        _ => Err("wanted is NAME=PATH, such as rays=rays.parquet".to_owned()),
    }
}
