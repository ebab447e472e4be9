//! The source of points: arguments or a file.

use crate::failure::Failure;
use crate::ray_arg::words_of;
use crate::session::Session;
use estoc::glam::Vec3;
use estoc_rays_io::Input;
use std::path::{Path, PathBuf};

/// The source of points: exactly one of these options.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct PointSource {
    /// A file of points: CSV, NPY, PLY or lines of numbers, optionally compressed with gzip or zstd, NPZ or
    /// Parquet, or a folder of Parquet files; - is stdin
    ///
    /// The content tells the format. Arrays of numpy (NPY, or NPZ with one array) have N x 3 numbers of f32
    /// or f64, and PLY has vertices. Lines of numbers (XYZ, ASC, PTS) have three or more, of which the first
    /// are x, y and z, separated by spaces, tabs or semicolons; lines that begin with # or // are comments,
    /// and a number of points may stand before them. Their other columns are named column4, column5 and so
    /// on, and those of PLY as text as its header says. --out FILE.npy and --out FILE.parquet write these
    /// formats; Parquet needs a build with --features parquet. Points and answers take at most --memory, by
    /// default 1G, beside the tree
    #[arg(long, value_name = "FILE")]
    points: Option<PathBuf>,
    /// One point: x,y,z, separated by commas or spaces; may be given several times
    #[arg(long, value_name = "X,Y,Z", value_parser = parse, allow_hyphen_values = true)]
    point: Vec<String>,
}

impl PointSource {
    pub(crate) fn is_stdin(&self) -> bool {
        self.points
            .as_deref()
            .is_some_and(|points| points.as_os_str() == "-")
    }

    /// Returns the file that points are read from.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.points.as_deref().filter(|_| !self.is_stdin())
    }

    /// Returns the name of the source, for messages.
    pub(crate) fn name(&self) -> String {
        let file = self.points.as_deref();
        file.map_or_else(|| "--point".into(), |file| file.display().to_string())
    }

    /// Opens the source, with points in `f32`.
    pub(crate) fn open(&self, session: &Session) -> Result<Input<Vec3>, Failure> {
        match &self.points {
            Some(path) => session.open_items(path),
            None => {
                let text = format!("x,y,z\n{}\n", self.point.join("\n"));
                Ok(Input::of_bytes(&self.name(), text.into_bytes())?)
            }
        }
    }
}

/// Parses a point of finite numbers of `f64`. Returns it as a line of CSV.
fn parse(text: &str) -> Result<String, String> {
    let words = words_of(text);
    let is_number = |word: &&str| word.parse().is_ok_and(f64::is_finite);
    match words.iter().find(|word| !is_number(word)) {
        Some(word) => Err(format!("{word:?} is not a finite number")),
        None if words.len() == 3 => Ok(words.join(",")),
        None => Err(format!(
            "a point is 3 numbers (x,y,z), but this has {}",
            words.len()
        )),
    }
}
