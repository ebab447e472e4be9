//! The source of rays: an argument or a file.

use crate::common::Session;
use crate::failure::Failure;
use crate::item_reader::{Chunk, CsvItem, FileProgress, ItemReader};
use crate::ray_arg::{self, RayArg};
use estoc::Ray;
use estoc::scene::Ray64;
use std::path::{Path, PathBuf};

/// The source of rays: exactly one of these options.
#[derive(clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct RayArgs {
    /// A CSV file of rays, optionally compressed with gzip or zstd; - is stdin
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

    /// Returns the value of `--rays`, stdin included.
    pub(super) fn path(&self) -> Option<&Path> {
        self.rays.as_deref()
    }

    /// Returns the file that rays are read from.
    pub(super) fn file(&self) -> Option<&Path> {
        self.rays.as_deref().filter(|_| !self.is_stdin())
    }
}

/// An open source of rays.
pub(super) enum RaySource<R = Ray> {
    One(Option<R>),
    Csv(Box<ItemReader<R>>, FileProgress),
}

impl RaySource {
    /// Opens a source of rays in `f32`.
    pub(super) fn open(args: &RayArgs, session: &Session) -> Result<Self, Failure> {
        let Some(path) = &args.rays else {
            return Ok(RaySource::One(args.ray.map(|ray| ray.near)));
        };
        let (reader, progress) = ItemReader::open(path)?;
        for (name, known) in reader.lookalikes() {
            session.note(format_args!(
                "{}: the column {name:?} is ignored; rename it to {known} to use it",
                path.display()
            ));
        }
        Ok(RaySource::Csv(Box::new(reader), progress))
    }

    /// Returns the same source of rays in `f64`.
    pub(super) fn in_64(self, args: &RayArgs) -> RaySource<Ray64> {
        match self {
            RaySource::One(_) => RaySource::One(args.ray.map(|ray| ray.wide)),
            RaySource::Csv(reader, progress) => {
                RaySource::Csv(Box::new(reader.with_items()), progress)
            }
        }
    }

    /// Returns an error if the only ray cannot be cast in `f32`.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self {
            RaySource::One(Some(ray)) => ray
                .check()
                .map_err(|error| Failure::Usage(format!("--ray, rounded to f32: {error}"))),
            _ => Ok(()),
        }
    }
}

impl<R: CsvItem> RaySource<R> {
    /// Returns the names of the columns of the input.
    pub(super) fn columns(&self) -> &[String] {
        match self {
            RaySource::One(_) => &[],
            RaySource::Csv(reader, _) => reader.columns(),
        }
    }

    /// Keeps the cells of these columns for the output.
    pub(super) fn pass_through(&mut self, columns: Vec<usize>) {
        if let RaySource::Csv(reader, _) = self {
            reader.pass_through(columns);
        }
    }

    /// Replaces the rays of the chunk by the next ones, at most `most`; the chunk is empty at the
    /// end.
    ///
    /// # Errors
    /// Returns an error at a line that cannot be read; the chunk then holds the rays before it.
    pub(super) fn read(&mut self, chunk: &mut Chunk<R>, most: usize) -> Result<(), Failure> {
        match self {
            RaySource::One(ray) => {
                chunk.items.clear();
                chunk.items.extend(ray.take());
                Ok(())
            }
            RaySource::Csv(reader, _) => Ok(reader.read(chunk, most)?),
        }
    }

    /// Returns the size of the input in bytes, if it is known.
    pub(super) fn size(&self) -> Option<u64> {
        match self {
            RaySource::One(_) => None,
            RaySource::Csv(_, progress) => progress.total(),
        }
    }

    /// Returns the number of bytes of the input read so far.
    pub(super) fn done(&self) -> u64 {
        match self {
            RaySource::One(_) => 0,
            RaySource::Csv(_, progress) => progress.done(),
        }
    }
}
