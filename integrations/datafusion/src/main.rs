//! `estoc-query`: SQL about rays, in this process or on a cluster.

mod arguments;
mod demo;
mod output;
mod run;

use arguments::Arguments;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run::run(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("estoc-query: {error}");
            ExitCode::FAILURE
        }
    }
}
