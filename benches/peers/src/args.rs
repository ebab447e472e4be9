//! The command line.

use crate::kind::Kind;
use crate::watertight;
use clap::Parser;
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use std::path::PathBuf;

/// Compares estoc with other ray query libraries: the same scenes and rays, in one process.
#[derive(Parser)]
#[command(name = "estoc-peers")]
pub(crate) struct Args {
    /// Scenes: hall, soup, hairball, terrain2m, terrain300k or other sizes, or the name of an OBJ
    /// file
    #[arg(long, value_delimiter = ',', default_value = SCENES)]
    pub(crate) scenes: Vec<String>,

    /// Kinds of rays; by default all that there are in what is measured
    #[arg(long, value_delimiter = ',', value_parser = ray_kind)]
    pub(crate) rays: Vec<Kind>,

    /// Numbers of threads
    #[arg(long, value_delimiter = ',', default_value = "1", value_parser = at_least(1))]
    pub(crate) threads: Vec<usize>,

    /// Only engines whose names contain one of these; NAME$ matches the end of a name
    #[arg(long, value_delimiter = ',')]
    pub(crate) engines: Vec<String>,

    /// Timed rounds; each engine runs once per round
    #[arg(long, default_value = "5", value_parser = at_least(1))]
    pub(crate) reps: usize,

    /// Timed builds of each structure, and timed loads of each file
    #[arg(long, default_value = "3", value_parser = at_least(1))]
    pub(crate) build_reps: usize,

    /// Approximate time that the slowest engine may take: all engines get the number of rays that
    /// it can trace, at least 65 536 and at most 1 048 576
    #[arg(long, default_value = "0.5")]
    pub(crate) seconds: f64,

    /// The folder of OBJ files
    #[arg(long, env = "MESH_DIR", default_value = ".")]
    pub(crate) mesh_dir: PathBuf,

    /// Measures terrains of 10 thousand to 10 million triangles instead of other scenes
    #[arg(long, conflicts_with = "scenes")]
    pub(crate) mesh_sizes: bool,

    /// Measures the cost of a ray in batches of these sizes, for estoc only; 100 and powers of 4
    /// from 256 to 16 777 216 by default
    #[arg(long, value_name = "RAYS", value_delimiter = ',', num_args = 0..=1,
        conflicts_with = "engines", require_equals = true, default_missing_value = SIZES, value_parser = at_least(2))]
    pub(crate) batch_sizes: Vec<usize>,

    /// Measures builds, and how long estoc and tobj take to read the scenes' OBJ files, instead of
    /// rays. Scenes without a file are written to a temporary one
    #[arg(long, conflicts_with_all = ["mesh_sizes", "batch_sizes"])]
    pub(crate) loads: bool,

    /// Measures closest points instead of rays: 50,000 near the mesh, and as many anywhere
    #[arg(long, conflicts_with_all = ["batch_sizes", "loads"])]
    pub(crate) points: bool,

    /// Measures rays, or closest points, in `f64` at meshes in `f64`
    #[arg(long, conflicts_with_all = ["batch_sizes", "loads"])]
    pub(crate) doubles: bool,

    /// Counts the rays that leak through corners and edges of closed meshes, and the surfaces
    /// miscounted there, instead of measuring speed
    #[arg(long, conflicts_with_all = ["mesh_sizes", "batch_sizes", "loads", "points", "doubles", "scenes", "from"])]
    pub(crate) watertight: bool,

    /// Measures scenes of placed meshes beside the instances of Embree and tinybvh: city1k and other
    /// sizes, forest1m, levels2, one, one5k
    #[arg(long, value_name = "WORLDS", value_delimiter = ',', num_args = 0..=1,
        require_equals = true, default_missing_value = WORLDS,
        conflicts_with_all = ["mesh_sizes", "batch_sizes", "loads", "points", "doubles", "scenes", "from"])]
    pub(crate) worlds: Option<Vec<String>>,

    /// Measures how long it takes to build and to change the upper level of worlds, instead of rays
    #[arg(long, requires = "worlds")]
    pub(crate) changes: bool,

    /// Takes rows from files that --csv wrote instead of measuring
    #[arg(long, value_delimiter = ',')]
    pub(crate) from: Vec<PathBuf>,

    /// Writes all rows
    #[arg(long)]
    pub(crate) csv: Option<PathBuf>,

    /// Writes tables
    #[arg(long)]
    pub(crate) markdown: Option<PathBuf>,

    /// Writes a chart of how cost grows with the triangles of terrains
    #[arg(long)]
    pub(crate) mesh_svg: Option<PathBuf>,

    /// Writes a picture of the places where rays leak or surfaces are miscounted
    #[arg(long, requires = "watertight")]
    pub(crate) watertight_svg: Option<PathBuf>,
}

impl Args {
    /// Returns those of some kinds of rays that are selected.
    pub(crate) fn rays_of(&self, kinds: &[Kind]) -> Vec<Kind> {
        let is_wanted = |kind: &&Kind| self.rays.is_empty() || self.rays.contains(kind);
        kinds.iter().filter(is_wanted).copied().collect()
    }

    /// Returns the engines of the watertightness test.
    pub(crate) fn watertight_engines(&self) -> Vec<String> {
        if self.engines.is_empty() {
            return watertight::ENGINES.map(str::to_owned).into();
        }
        self.engines.clone()
    }

    /// Returns the worlds to measure.
    pub(crate) fn worlds(&self) -> impl Iterator<Item = &str> {
        self.worlds.iter().flatten().map(String::as_str)
    }

    /// Returns the scenes to measure.
    pub(crate) fn scenes(&self) -> Vec<&str> {
        if self.mesh_sizes {
            return TERRAINS.to_vec();
        }
        self.scenes.iter().map(String::as_str).collect()
    }
}

const WORLDS: &str = "one,one5k,city1k,city5k,city100k,levels2,forest1m";
const SCENES: &str = "hall,soup,hairball,terrain2m,terrain10m,stanford-bunny,stanford-dragon-full";
const SIZES: &str = "100,256,1024,4096,16384,65536,262144,1048576,4194304,16777216";

const TERRAINS: [&str; 7] = [
    "terrain10k",
    "terrain30k",
    "terrain100k",
    "terrain300k",
    "terrain1m",
    "terrain3m",
    "terrain10m",
];

/// Parses the name of a kind of rays.
fn ray_kind(name: &str) -> Result<Kind, String> {
    Kind::of_name(name).ok_or_else(|| {
        let names = |kinds: &[Kind]| {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            names.join(", ")
        };
        let (meshes, worlds) = (names(&Kind::ALL), names(&Kind::OF_WORLDS));
        format!("the kinds of rays are {meshes}, and in worlds {worlds}")
    })
}

/// Rejects smaller numbers. Batches of one ray are single calls, which are measured anyway.
fn at_least(least: u64) -> impl TypedValueParser<Value = usize> {
    RangedU64ValueParser::<usize>::new().range(least..)
}

/// Returns whether an engine of this name is selected.
pub(crate) fn is_wanted(name: &str, patterns: &[String]) -> bool {
    patterns.is_empty()
        || patterns
            .iter()
            .any(|pattern| match pattern.strip_suffix('$') {
                Some(end) => name.ends_with(end),
                None => name.contains(pattern.as_str()),
            })
}
