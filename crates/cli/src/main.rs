//! The command `estoc`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    estoc_cli::run()
}
