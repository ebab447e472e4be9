//! Outputs for results: stdout, or a file that appears complete or not at all.

use crate::failure::Failure;
use crate::interrupt;
use crate::stdout_state;
use estoc_rays_io::ResultFile;
use estoc_system::WholeFile;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Seek, SeekFrom, Stdout, Write};
use std::path::Path;

pub(crate) struct ResultOutput {
    sink: OutputSink,
    name: String,
}

enum OutputSink {
    Stdout(BufWriter<Stdout>),
    /// A terminal, pipe or device with a name: there is nothing to rename.
    Direct(BufWriter<File>),
    /// A temporary file beside the one that it will replace.
    Whole(BufWriter<UnfinishedFile>),
}

impl ResultOutput {
    /// Opens a file, or stdout for `None` and `-`.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let (sink, name) = match path.filter(|path| path.as_os_str() != "-") {
            None => {
                let stdout = io::stdout();
                (
                    OutputSink::Stdout(BufWriter::with_capacity(1 << 16, stdout)),
                    "stdout".to_owned(),
                )
            }
            Some(path) => {
                let name = path.display().to_string();
                match file_sink(path) {
                    Ok(sink) => (sink, name),
                    Err(error) => return Err(Failure::of_write(&name, error)),
                }
            }
        };
        Ok(ResultOutput { sink, name })
    }

    /// Finishes the output; only now does a file get its name.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let ResultOutput { sink, name } = self;
        let done = match sink {
            OutputSink::Stdout(mut stdout) => {
                stdout_state::set_done();
                stdout.flush()
            }
            OutputSink::Direct(mut file) => file.flush(),
            OutputSink::Whole(part) => part
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(UnfinishedFile::finish),
        };
        done.map_err(|error| Failure::of_write(&name, error))
    }

    /// Writes everything to the disk, for files that took long to make.
    pub(crate) fn sync(&mut self) -> Result<(), Failure> {
        let synced = match &mut self.sink {
            OutputSink::Whole(part) => part.flush().and_then(|()| part.get_mut().sync()),
            _ => self.flush(),
        };
        synced.map_err(|error| self.failure(error))
    }

    /// Returns whether the output is a complete file, and not a stream whose reader may stop.
    pub(crate) fn is_whole_file(&self) -> bool {
        matches!(self.sink, OutputSink::Whole(..))
    }

    /// Returns whether the output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        match &self.sink {
            OutputSink::Stdout(_) => io::stdout().is_terminal(),
            OutputSink::Direct(file) => file.get_ref().is_terminal(),
            OutputSink::Whole(..) => false,
        }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn failure(&self, error: io::Error) -> Failure {
        Failure::of_write(&self.name, error)
    }

    /// Writes formatted text.
    pub(crate) fn put(&mut self, text: std::fmt::Arguments<'_>) -> Result<(), Failure> {
        self.write_fmt(text).map_err(|error| self.failure(error))
    }

    /// Writes bytes.
    #[cfg(feature = "shell")]
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.write_all(bytes).map_err(|error| self.failure(error))
    }

    /// Ends a result of rows after a failure, and returns the failure. Rows written to a stream
    /// remain, and JSON ends with the error after `json`, which closes the rows; a file does not
    /// appear.
    pub(crate) fn fail(mut self, failure: Failure, json: Option<String>) -> Failure {
        if self.is_whole_file() {
            return failure;
        }
        let put = json.map_or(Ok(()), |end| {
            let error = failure.object();
            self.put(format_args!("{end},\n\"error\":{error}}}\n"))
        });
        // If the output is what failed, the error cannot be written there.
        let _ = put.and_then(|()| self.finish());
        failure
    }
}

impl ResultFile for ResultOutput {
    fn can_rewrite(&self) -> bool {
        self.is_whole_file()
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        let OutputSink::Whole(part) = &mut self.sink else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        part.flush()?;
        let mut file = part.get_mut().whole()?.file()?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

impl OutputSink {
    fn writer(&mut self) -> &mut dyn Write {
        match self {
            OutputSink::Stdout(stdout) => stdout,
            OutputSink::Direct(file) => file,
            OutputSink::Whole(part) => part,
        }
    }
}

impl Write for ResultOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.writer().flush()
    }
}

fn file_sink(path: &Path) -> io::Result<OutputSink> {
    match path.metadata() {
        Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) if !found.is_file() => {
            let file = File::options().write(true).open(path)?;
            return Ok(OutputSink::Direct(BufWriter::new(file)));
        }
        _ => {}
    }
    let part = UnfinishedFile::beside(path)?;
    Ok(OutputSink::Whole(BufWriter::with_capacity(1 << 16, part)))
}

/// A temporary file that is removed when the run ends early for any reason.
struct UnfinishedFile(Option<WholeFile>);

impl UnfinishedFile {
    fn beside(path: &Path) -> io::Result<Self> {
        let file = WholeFile::beside(path)?;
        interrupt::watch(file.path());
        Ok(UnfinishedFile(Some(file)))
    }

    fn whole(&mut self) -> io::Result<&mut WholeFile> {
        self.0.as_mut().ok_or(io::ErrorKind::NotFound.into())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.whole()?.sync()
    }

    fn finish(mut self) -> io::Result<()> {
        match self.0.take() {
            Some(file) => {
                let path = file.path().to_owned();
                interrupt::finish(&path, || file.finish())
            }
            None => Ok(()),
        }
    }
}

impl Write for UnfinishedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.whole()?.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.whole()?.file()?.flush()
    }
}

impl Drop for UnfinishedFile {
    fn drop(&mut self) {
        if let Some(file) = self.0.take() {
            let path = file.path().to_owned();
            interrupt::forget(&path, || drop(file));
        }
    }
}
