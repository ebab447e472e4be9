//! Errors that end the command, and their exit statuses.

use crate::devices::DeviceError;
use crate::interrupt;
use crate::number::{bytes, counted};
use crate::stderr_line::stderr_line;
use crate::stdout_state;
use estoc::demo::DemoError;
use estoc::{BatchError, BuildError, MeshError, io::TreeFileError, scene::SceneError};
use estoc_mesh::parts::without_error_numbers;
use estoc_picture::{DifferenceError, PictureError, PictureMemoryError};
use estoc_rays_io::job::JobError;
use estoc_rays_io::{InputError, OutputError, RunError};
use serde_json::{Value, json};
use std::io;
use std::path::Path;
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A check failed; holds the evidence.
    #[error("the check failed: {0}")]
    Check(String),
    #[error("{0}")]
    Usage(String),
    #[error("demo:{spec}: {source}{}", more_scenes(source))]
    Demo { spec: String, source: DemoError },
    #[error("{}{}", .0.without_advice(), mesh_advice(.0))]
    Mesh(MeshError),
    /// A scene file that cannot be used.
    #[error("{0}")]
    Scene(String),
    /// An object of a scene file, at a line, that cannot be used.
    #[error("{at}: {source}")]
    Object { at: String, source: Box<Failure> },
    #[error("{0}")]
    Tree(TreeFileError),
    #[error("{0}")]
    Items(#[from] InputError),
    /// The result that `bench` should compare with cannot be used.
    #[error("{0}")]
    Baseline(String),
    #[error("{0}")]
    NotClosed(String),
    #[error("{0}")]
    NoFaces(String),
    /// The system has too little memory, or the user allows too little.
    #[error("{0}")]
    Memory(String),
    /// A job that cannot be begun, or cannot go on.
    #[error("{0}")]
    Job(JobError),
    /// A device that is wanted and cannot be used.
    #[error("{0}")]
    Device(DeviceError),
    #[error("{file}: cannot be read as a PNG picture: {problem}")]
    Picture { file: String, problem: String },
    #[error("cannot write {to}: {problem}")]
    Write { to: String, problem: String },
    /// A page that cannot be served, such as at a port in use.
    #[cfg(feature = "view")]
    #[error("{0}")]
    Serve(#[from] estoc_view::ViewError),
    /// The reader of stdout has closed it, as `head` does.
    #[error("the output was closed")]
    BrokenPipe,
    #[error("interrupted")]
    Interrupted,
}

/// Returns the generated scenes of placed meshes, if no scene has the name given.
fn more_scenes(error: &DemoError) -> &'static str {
    match error {
        DemoError::UnknownScene { .. } => "; scenes of placed meshes are city and pick",
        _ => "",
    }
}

impl Failure {
    /// Reports the failure to the user and returns the exit status. `out` is the file that would
    /// have held the result. With `json`, also prints an object on stdout, unless a result was
    /// printed there.
    pub(crate) fn report(self, out: Option<&Path>, json: bool) -> ExitCode {
        match (&self, out) {
            (Failure::BrokenPipe, _) => {}
            (Failure::Interrupted, out) => interrupt::tell(out),
            _ => self.tell(),
        }
        if json && !matches!(self, Failure::BrokenPipe) {
            print_error_object(&self.object());
        }
        ExitCode::from(self.status())
    }

    /// Adds the line of a scene file to a failure of what an object there names.
    pub(crate) fn of_object(self, at: String) -> Self {
        match self {
            Failure::Interrupted | Failure::BrokenPipe => self,
            failure => Failure::Object {
                at,
                source: failure.into(),
            },
        }
    }

    /// Prints the message on stderr.
    pub(crate) fn tell(&self) {
        stderr_line(self.message());
    }

    /// Returns the exit status and the message, for `--json`.
    pub(crate) fn object(&self) -> Value {
        json!({ "status": self.status(), "message": self.message() })
    }

    fn message(&self) -> String {
        without_error_numbers(&self.to_string())
    }

    fn status(&self) -> u8 {
        match self {
            Failure::BrokenPipe => 0,
            Failure::Check(_) => 1,
            Failure::Usage(_) | Failure::Demo { .. } => 2,
            Failure::Job(error) if error.is_wrong_usage() => 2,
            Failure::Object { source, .. } => source.status(),
            Failure::Mesh(_)
            | Failure::Scene(_)
            | Failure::Tree(_)
            | Failure::Items(_)
            | Failure::Baseline(_)
            | Failure::NotClosed(_)
            | Failure::NoFaces(_)
            | Failure::Memory(_)
            | Failure::Job(_)
            | Failure::Device(_)
            | Failure::Picture { .. }
            | Failure::Write { .. } => 3,
            #[cfg(feature = "view")]
            Failure::Serve(_) => 3,
            Failure::Interrupted => interrupt::exit_status(),
        }
    }
}

/// Prints an error as a JSON object on stdout, unless a result was printed there.
pub(crate) fn print_error_object(error: &Value) {
    use std::io::Write;
    if !stdout_state::is_done() {
        let object = json!({ "schema": "estoc.error/1", "error": error });
        // If stdout is closed, stderr and the exit status suffice.
        let _ = writeln!(io::stdout().lock(), "{object:#}");
    }
}

impl From<MeshError> for Failure {
    fn from(error: MeshError) -> Self {
        match error {
            MeshError::Cancelled { .. } => Failure::Interrupted,
            error => Failure::Mesh(error),
        }
    }
}

impl From<TreeFileError> for Failure {
    fn from(error: TreeFileError) -> Self {
        match error {
            TreeFileError::Cancelled { .. } => Failure::Interrupted,
            TreeFileError::Precision { file, is_f64: true } => Failure::Usage(format!(
                "{file}: the tree in the file has its corners in f64, where f32 is needed; build another with \
                 estoc build --precision f32 MESH"
            )),
            TreeFileError::Io { source, .. } if source.kind() == io::ErrorKind::BrokenPipe => {
                Failure::BrokenPipe
            }
            error => Failure::Tree(error),
        }
    }
}

impl Failure {
    /// Converts an error in writing a result named `to`.
    pub(crate) fn of_output(error: OutputError, to: &str) -> Self {
        match error {
            OutputError::Io(error) => Failure::of_write(to, error),
            error if error.is_of_row() => Failure::Write {
                to: to.to_owned(),
                problem: error.to_string(),
            },
            error => Failure::Usage(format!("--out {to}: {error}")),
        }
    }

    /// Converts an error of the file that is written.
    pub(crate) fn of_write(to: &str, error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Failure::BrokenPipe;
        }
        Failure::Write {
            to: to.to_owned(),
            problem: error.to_string(),
        }
    }

    /// Converts an error of reading, answering and writing; `to` is what was written.
    pub(crate) fn of_run(error: RunError<Failure>, to: &str) -> Self {
        match error {
            RunError::Input(error) => error.into(),
            RunError::Output(error) => Failure::of_output(error, to),
            RunError::Answer(failure) => failure,
            RunError::Cancelled => Failure::Interrupted,
            error => Failure::Memory(error.to_string()),
        }
    }
}

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Cancelled => Failure::Interrupted,
            BatchError::NoMemory { .. } => Failure::Memory(error.to_string()),
            error => Failure::Usage(error.to_string()),
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Cancelled => Failure::Interrupted,
            error => Failure::Job(error),
        }
    }
}

impl From<PictureError> for Failure {
    fn from(error: PictureError) -> Self {
        match error {
            PictureError::Cancelled => Failure::Interrupted,
            PictureError::NoMemory(error) => error.into(),
            PictureError::Batch(error) => error.into(),
            error => Failure::Usage(error.to_string()),
        }
    }
}

impl From<PictureMemoryError> for Failure {
    fn from(error: PictureMemoryError) -> Self {
        Failure::Memory(error.to_string())
    }
}

impl From<DifferenceError> for Failure {
    fn from(error: DifferenceError) -> Self {
        match error {
            DifferenceError::NoMemory(error) => error.into(),
            error => Failure::Usage(error.to_string()),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled => Failure::Interrupted,
            BuildError::OverBudget {
                triangles,
                needed,
                given,
            } => Failure::Memory(format!(
                "building a tree over {} may take {}, but --memory allows {}; raise --memory to \
                 {}M or more",
                counted(triangles, "triangle"),
                bytes(needed),
                bytes(given),
                needed.div_ceil(1 << 20)
            )),
            BuildError::NoMemory { .. } | BuildError::TooManyTriangles { .. } => {
                Failure::Memory(error.to_string())
            }
            error => Failure::Usage(error.to_string()),
        }
    }
}

impl From<SceneError> for Failure {
    fn from(error: SceneError) -> Self {
        match error {
            SceneError::NoMemory { .. } => Failure::Memory(error.to_string()),
            error => Failure::Scene(error.to_string()),
        }
    }
}

/// Returns the options that can help with a rejected mesh.
fn mesh_advice(error: &MeshError) -> &'static str {
    match error {
        MeshError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            "; check the path, or use a generated scene such as demo:sphere"
        }
        MeshError::TooLarge { .. } => "; raise the limit with --max-input",
        MeshError::TreeFile { packing: None, .. } => {
            "; give the name of the file alone: tree files are read neither from pipes nor as scene:FILE"
        }
        MeshError::TreeFile { .. } => "; decompress it first",
        MeshError::NotWelded { .. } => "; --weld D joins corners within D",
        error if error.can_skip() => "; use --skip-bad-faces to skip such faces",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_check_is_told_and_is_status_1() {
        let failure = Failure::Check("query any, ray 0,0,0,1,0,0".into());
        assert_eq!(failure.status(), 1);
        let told = "the check failed: query any, ray 0,0,0,1,0,0";
        assert_eq!(failure.to_string(), told);
        assert_eq!(Failure::BrokenPipe.status(), 0);
        assert_eq!(Failure::Interrupted.status(), 130);
    }

    #[test]
    fn a_row_that_cannot_be_written_is_no_wrong_usage() {
        let text = OutputError::Text {
            row: 7,
            column: "at".into(),
            problem: "too late".into(),
        };
        let failure = Failure::of_output(text, "hits.csv");
        assert_eq!(failure.status(), 3);
        assert_eq!(
            failure.to_string(),
            "cannot write hits.csv: row 7: the value of the column at has no text (too late); write Parquet, \
             or leave the column out"
        );
        let column = OutputError::RowsUnknown;
        assert_eq!(Failure::of_output(column, "hits.npy").status(), 2);
    }
}
