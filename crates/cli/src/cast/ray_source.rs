//! The source of rays: an argument or a file.

use crate::common::Session;
use crate::failure::Failure;
use crate::ray_arg::{self, RayArg};
use estoc::Ray;
use estoc::scene::Ray64;
use estoc_rays_io::{Input, InputOptions};
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
        let Some(path) = &self.rays else {
            let numbers = self.ray.map(|ray| {
                let Ray {
                    origin,
                    dir,
                    t_min,
                    t_max,
                } = ray.near;
                numbers(
                    origin.to_array().map(f64::from),
                    dir.to_array().map(f64::from),
                    [t_min, t_max],
                )
            });
            return Ok(Input::of_numbers("--ray", numbers.into_iter().collect()));
        };
        let input = Input::open(path, &InputOptions::memory(session.rows_memory()))?;
        for (name, known) in input.lookalikes() {
            session.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                path.display()
            ));
        }
        Ok(input)
    }

    /// Returns the same source of rays in `f64`.
    pub(super) fn in_64(&self, rays: Input<Ray>) -> Input<Ray64> {
        match self.ray {
            None => rays.with_items(),
            Some(RayArg { wide, .. }) => {
                let Ray64 {
                    origin,
                    dir,
                    t_min,
                    t_max,
                } = wide;
                let numbers = numbers(origin.to_array(), dir.to_array(), [t_min, t_max]);
                Input::of_numbers("--ray", vec![numbers])
            }
        }
    }

    /// Returns an error if the only ray cannot be cast in `f32`.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.ray {
            Some(ray) => ray
                .near
                .check()
                .map_err(|error| Failure::Usage(format!("--ray, rounded to f32: {error}"))),
            None => Ok(()),
        }
    }
}

/// Returns the columns of a ray.
fn numbers([ox, oy, oz]: [f64; 3], [dx, dy, dz]: [f64; 3], [start, end]: [f32; 2]) -> [f64; 8] {
    [ox, oy, oz, dx, dy, dz, start.into(), end.into()]
}
