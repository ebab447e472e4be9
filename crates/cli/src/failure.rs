//! Why the command stops short, and the exit status that says so.

use crate::rays::RaysError;
use estoc::demo::DemoError;
use estoc::{BatchError, BuildError, MeshError};
use std::io;
use std::process::ExitCode;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The answer is no; the verb has already said more.
    #[error("the check failed")]
    Check,
    #[error("{0}")]
    Usage(String),
    #[error("demo:{spec}: {source}")]
    Demo { spec: String, source: DemoError },
    #[error("{0}")]
    Mesh(#[source] MeshError),
    #[error("{0}")]
    Rays(#[from] RaysError),
    #[error("cannot write {to}: {source}")]
    Write { to: String, source: io::Error },
    /// Whoever reads stdout wants no more of it, as `head` does.
    #[error("nobody reads the output any more")]
    BrokenPipe,
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl Failure {
    /// Tells the user and answers the exit status.
    pub(crate) fn report(self) -> ExitCode {
        let status = match self {
            Failure::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Check => return ExitCode::from(1),
            Failure::Usage(_) | Failure::Demo { .. } => 2,
            Failure::Mesh(_) | Failure::Rays(_) | Failure::Write { .. } => 3,
            Failure::Interrupted => crate::interrupt::EXIT_STATUS,
        };
        eprintln!("estoc: {self}");
        ExitCode::from(status)
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

impl From<BatchError> for Failure {
    fn from(error: BatchError) -> Self {
        match error {
            BatchError::Cancelled => Failure::Interrupted,
            error => Failure::Usage(error.to_string()),
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Cancelled => Failure::Interrupted,
            error => Failure::Usage(error.to_string()),
        }
    }
}
