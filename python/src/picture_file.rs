//! PNG files that are created before the work and written after it.

use crate::call::Call;
use crate::failure::Failure;
use estoc_picture::PngError;
use estoc_system::WholeFile;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A file for a picture, which appears complete or not at all.
pub(crate) struct PictureFile {
    sink: Sink,
    name: String,
}

enum Sink {
    /// A temporary file beside the one that it will replace.
    Whole(WholeFile),
    /// A terminal, pipe or device with a name: there is nothing to rename.
    Direct(File),
}

impl PictureFile {
    /// Creates the file under a temporary name.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        let name = path.display().to_string();
        match sink(path) {
            Ok(sink) => Ok(PictureFile { sink, name }),
            Err(error) => Err(refused(&name, &error)),
        }
    }

    /// Fails if the file cannot be created. Opens no pipe: its reader would see an end.
    pub(crate) fn check(path: &Path) -> Result<(), Failure> {
        match is_special(path) {
            true => Ok(()),
            false => PictureFile::create(path).map(drop),
        }
    }

    /// Writes the picture; only now does the file get its name. Ends early when the call is cancelled.
    pub(crate) fn write(
        self,
        call: &Call,
        put: impl FnOnce(&mut dyn Write) -> Result<(), PngError>,
    ) -> Result<(), Failure> {
        let PictureFile { sink, name } = self;
        let refused = |error: &dyn Display| refused(&name, error);
        let file = match &sink {
            Sink::Whole(whole) => whole.file().map_err(|error| refused(&error))?,
            Sink::Direct(file) => file,
        };
        let mut to = BufWriter::new(Cancellable { to: file, call });
        let written = put(&mut to).and_then(|()| Ok(to.flush()?));
        call.check()?;
        match written {
            Ok(()) => {}
            Err(PngError::Io(error)) => return Err(refused(&error)),
            Err(error) => return Err(error.into()),
        }
        drop(to);
        match sink {
            Sink::Whole(whole) => whole.finish().map_err(|error| refused(&error)),
            Sink::Direct(_) => Ok(()),
        }
    }
}

fn refused(name: &str, error: &dyn Display) -> Failure {
    Failure::Raised("FileError", format!("cannot write {name}: {error}"))
}

fn sink(path: &Path) -> io::Result<Sink> {
    // A name that no file can have is told now, as the temporary file has another.
    match path.symlink_metadata() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    match is_special(path) {
        true => Ok(Sink::Direct(File::options().write(true).open(path)?)),
        // A file cannot replace a folder.
        false if path.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        false => Ok(Sink::Whole(WholeFile::beside(path)?)),
    }
}

/// Returns whether there is something that is neither a file nor a folder.
fn is_special(path: &Path) -> bool {
    let found = path.metadata();
    found.is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// A writer that fails when the call is cancelled.
struct Cancellable<'a> {
    to: &'a File,
    call: &'a Call,
}

impl Write for Cancellable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.call.cancel.is_cancelled() {
            true => Err(io::Error::other("the call was cancelled")),
            false => self.to.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
