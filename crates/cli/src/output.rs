//! Where results go: stdout, or a file that appears complete or not at all.

use crate::failure::Failure;
use crate::interrupt;
use crate::stdout_state;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

pub(crate) struct Output {
    sink: Sink,
    name: String,
}

enum Sink {
    Stdout(BufWriter<StdoutLock<'static>>),
    /// A terminal, pipe or device that was named: nothing to rename there.
    Direct(BufWriter<File>),
    /// A temporary file beside the one it will replace.
    Whole(BufWriter<NamedTempFile>, PathBuf),
}

impl Output {
    /// A file, or stdout for none and for `-`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let (sink, name) = match path.filter(|path| path.as_os_str() != "-") {
            None => {
                let stdout = io::stdout().lock();
                (
                    Sink::Stdout(BufWriter::with_capacity(1 << 16, stdout)),
                    "stdout".to_owned(),
                )
            }
            Some(path) => {
                let name = path.display().to_string();
                match file_sink(path) {
                    Ok(sink) => (sink, name),
                    Err(error) => return Err(write_failure(&name, error)),
                }
            }
        };
        Ok(Output { sink, name })
    }

    /// Ends the result: only now a file gets its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let Output { sink, name } = self;
        let done = match sink {
            Sink::Stdout(mut stdout) => {
                stdout_state::set_done();
                stdout.flush()
            }
            Sink::Direct(mut file) => file.flush(),
            Sink::Whole(file, path) => file
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| {
                    let part = file.path().to_owned();
                    let renamed = interrupt::finish(&part, || file.persist(&path));
                    renamed.map(drop).map_err(|error| error.error)
                }),
        };
        done.map_err(|error| write_failure(&name, error))
    }

    /// Has all of it on the disk, as a file that took long to make deserves.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        let synced = match &mut self.sink {
            Sink::Whole(file, _) => file
                .flush()
                .and_then(|()| file.get_ref().as_file().sync_all()),
            _ => self.flush(),
        };
        synced.map_err(|error| self.failure(error))
    }

    /// Whether it goes to a file of its own, and not to someone who may stop reading.
    pub(crate) fn is_whole_file(&self) -> bool {
        matches!(self.sink, Sink::Whole(..))
    }

    /// Returns whether a terminal shows it.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.sink {
            Sink::Stdout(_) => io::stdout().is_terminal(),
            Sink::Direct(file) => file.get_ref().is_terminal(),
            Sink::Whole(..) => false,
        }
    }

    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        write_failure(&self.name, error)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.write(bytes),
            Sink::Direct(file) => file.write(bytes),
            Sink::Whole(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(stdout) => stdout.flush(),
            Sink::Direct(file) => file.flush(),
            Sink::Whole(file, _) => file.flush(),
        }
    }
}

fn write_failure(name: &str, error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        return Failure::BrokenPipe;
    }
    Failure::Write {
        to: name.to_owned(),
        problem: without_part(&error),
    }
}

/// What went wrong, without the name of the temporary file that `tempfile` puts at the end:
/// it tells the user nothing.
fn without_part(error: &io::Error) -> String {
    let text = error.to_string();
    let end = error.get_ref().and_then(|_| text.rfind(" at path \""));
    text[..end.unwrap_or(text.len())].to_owned()
}

fn file_sink(path: &Path) -> io::Result<Sink> {
    // A link stays a link: what it points to is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    match target.metadata() {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            let file = File::options().write(true).open(&target)?;
            return Ok(Sink::Direct(BufWriter::new(file)));
        }
        _ => {}
    }
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let file = temporary().tempfile_in(folder)?;
    interrupt::watch(file.path());
    Ok(Sink::Whole(BufWriter::with_capacity(1 << 16, file), target))
}

/// With the permissions that a new file usually gets, not only the owner's.
fn temporary() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".estoc-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}
