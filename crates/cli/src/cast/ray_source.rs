//! The source of rays: an argument or a file.

use crate::failure::Failure;
use crate::ray_arg::{self, RayArg};
use crate::session::Session;
use estoc::Ray;
use estoc_rays_io::Input;
use std::path::{Path, PathBuf};

/// The source of rays: exactly one of these options.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct RayArgs {
    /// A file of rays: CSV or NPY, optionally compressed with gzip or zstd, NPZ or Parquet, or a folder
    /// of Parquet files; - is stdin
    #[arg(long, value_name = "FILE")]
    rays: Option<PathBuf>,
    /// One ray: ox,oy,oz,dx,dy,dz or ox,oy,oz,dx,dy,dz,tmin,tmax, separated by commas or spaces
    #[arg(long, value_name = "NUMBERS", value_parser = ray_arg::parse, allow_hyphen_values = true)]
    ray: Option<RayArg>,
}

impl RayArgs {
    pub(super) fn is_stdin(&self) -> bool {
        self.rays
            .as_deref()
            .is_some_and(|rays| rays.as_os_str() == "-")
    }

    /// Returns whether the rays can be read only once, as stdin, a pipe and a device.
    pub(super) fn is_stream(&self) -> bool {
        let Some(path) = &self.rays else {
            return false;
        };
        let found = path.metadata();
        self.is_stdin() || found.is_ok_and(|found| !found.is_file() && !found.is_dir())
    }

    /// Returns the file that rays are read from.
    pub(super) fn file(&self) -> Option<&Path> {
        self.rays.as_deref().filter(|_| !self.is_stdin())
    }

    /// Opens the source, with rays in `f32`.
    pub(super) fn open(&self, session: &Session) -> Result<Input<Ray>, Failure> {
        match &self.rays {
            Some(path) => session.open_items(path),
            None => {
                let line = self.ray.as_ref().map_or("", |ray| &ray.line);
                Ok(Input::of_line("--ray", line)?)
            }
        }
    }

    /// Returns an error if the only ray cannot be cast in `f32`.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match &self.ray {
            Some(ray) => ray
                .near
                .check()
                .map_err(|error| Failure::Usage(format!("--ray, rounded to f32: {error}"))),
            None => Ok(()),
        }
    }
}
