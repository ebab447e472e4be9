//! Lines for people, on stderr.

use std::fmt::Display;
use std::io::Write;

/// Writes a line to stderr, after the name of the command. A line that cannot be written, such as to a closed
/// pipe or a full disk, is dropped: the exit status still tells the outcome, where `eprintln!` would panic.
pub(crate) fn stderr_line(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "estoc: {line}");
}
