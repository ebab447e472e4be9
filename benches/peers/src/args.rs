//! The command line.

use crate::rays::Kind;
use clap::Parser;
use std::path::PathBuf;

/// Measures estoc beside other ray query libraries: the same scenes and rays, in one process.
#[derive(Parser)]
#[command(name = "estoc-peers")]
pub(crate) struct Args {
    /// Scenes: hall, soup, hairball, terrain2m, terrain10m, or the name of an OBJ file
    #[arg(long, value_delimiter = ',', default_values = SCENES)]
    pub(crate) scenes: Vec<String>,

    /// Kinds of rays; all by default
    #[arg(long, value_delimiter = ',', value_enum, default_values_t = Kind::ALL)]
    pub(crate) rays: Vec<Kind>,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = at_least_one)]
    pub(crate) threads: Vec<usize>,

    /// Only engines whose name contains one of these; NAME$ for the end of a name
    #[arg(long, value_delimiter = ',')]
    pub(crate) engines: Vec<String>,

    /// Timed rounds; each engine runs once in a round
    #[arg(long, default_value = "5", value_parser = at_least_one)]
    pub(crate) reps: usize,

    /// Timed builds of each structure
    #[arg(long, default_value = "3", value_parser = at_least_one)]
    pub(crate) build_reps: usize,

    /// About how long the slowest engine's run takes: all get as many rays as it manages, at
    /// least 65 536 and at most 1 048 576
    #[arg(long, default_value = "0.5")]
    pub(crate) seconds: f64,

    /// Where OBJ files lie
    #[arg(long, env = "MESH_DIR", default_value = ".")]
    pub(crate) mesh_dir: PathBuf,

    /// Takes rows from files that --csv wrote instead of measuring
    #[arg(long, value_delimiter = ',')]
    pub(crate) from: Vec<PathBuf>,

    /// Writes all rows
    #[arg(long)]
    pub(crate) csv: Option<PathBuf>,

    /// Writes tables
    #[arg(long)]
    pub(crate) markdown: Option<PathBuf>,

    /// Writes a chart
    #[arg(long)]
    pub(crate) svg: Option<PathBuf>,
}

const SCENES: [&str; 7] = [
    "hall",
    "soup",
    "hairball",
    "terrain2m",
    "terrain10m",
    "stanford-bunny",
    "stanford-dragon-full",
];

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
    }
}

/// Whether an engine of this name is wanted.
pub(crate) fn is_wanted(name: &str, patterns: &[String]) -> bool {
    patterns.is_empty()
        || patterns
            .iter()
            .any(|pattern| match pattern.strip_suffix('$') {
                Some(end) => name.ends_with(end),
                None => name.contains(pattern.as_str()),
            })
}
