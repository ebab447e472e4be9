//! Pictures as PNG files.

use crate::failure::Failure;
use crate::output::ResultOutput;
use estoc_picture::{Picture, PngError};
use std::io::{self, BufReader};
use std::path::Path;

/// Writes a picture; the file appears complete or not at all.
pub(crate) fn write(mut output: ResultOutput, picture: &Picture) -> Result<(), Failure> {
    picture
        .write_png(&mut output)
        .map_err(|error| match error {
            PngError::Io(error) => output.failure(error),
            PngError::NoMemory { .. } => Failure::Memory(error.to_string()),
            other => output.failure(io::Error::other(other)),
        })?;
    output.finish()
}

/// Reads a picture as 8 bits per channel, without its transparency.
pub(crate) fn read(path: &Path) -> Result<Picture, Failure> {
    let failure = |problem: String| Failure::Picture {
        file: path.display().to_string(),
        problem,
    };
    let (file, _) = estoc_system::open_input(path).map_err(|error| failure(error.to_string()))?;
    Picture::read_png(BufReader::new(file)).map_err(|error| match error {
        PngError::NoMemory { .. } => Failure::Memory(format!("{}: {error}", path.display())),
        error => failure(error.to_string()),
    })
}
