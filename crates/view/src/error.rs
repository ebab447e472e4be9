//! The reasons why a page cannot be served.

use std::io;

/// The reason why a page cannot be served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The port cannot be listened on.
    #[error(
        "cannot listen on 127.0.0.1:{port}: {}; choose another --port, or none for a free one",
        without_number(source)
    )]
    Bind {
        /// The port asked for, 0 for a free one.
        port: u16,
        /// The reason.
        source: io::Error,
    },
    /// The system has no random numbers for the token.
    #[error("the system has no random numbers for a token: {0}")]
    Random(String),
    /// The system does not let the server start.
    #[error("the server cannot start: {}", without_number(.0))]
    Start(#[source] io::Error),
}

/// Returns the message of the system without the number of the error.
fn without_number(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}
