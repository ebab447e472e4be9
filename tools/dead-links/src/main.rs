//! Checks the relative links of all Markdown files, and of the pages that `cargo doc` made.
//!
//! A link leads to a file of the repository and, in Markdown, to a heading of it. READMEs that packages
//! show have no relative links: what they lead to is not in the package.
//!
//! ```text
//! cargo run -p dead-links                      # Markdown below the working directory
//! cargo run -p dead-links target/doc/estoc     # and the pages in this folder
//! ```
//!
//! Neither are pages of the other crates checked, nor links to them: which of these there are depends on
//! what `cargo doc` documents, and in which order.
#![forbid(unsafe_code)]

mod files;
mod html;
mod markdown;

use std::path::Path;
use std::process::ExitCode;
use std::{env, io};

fn main() -> ExitCode {
    match check(Path::new("."), env::args_os().skip(1)) {
        Ok((links, dead)) if dead.is_empty() => {
            println!("{links} relative links lead somewhere");
            ExitCode::SUCCESS
        }
        Ok((_, dead)) => {
            eprintln!("{}", dead.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("cannot read the files: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the number of links, and a line for each dead one.
fn check(
    root: &Path,
    pages: impl Iterator<Item = impl AsRef<Path>>,
) -> io::Result<(usize, Vec<String>)> {
    let mut dead = Vec::new();
    let mut links = 0;
    for file in files::below(root, "md")? {
        links += markdown::check(root, &file, &mut dead)?;
    }
    for folder in pages {
        for file in files::below(folder.as_ref(), "html")? {
            links += html::check(folder.as_ref(), &file, &mut dead)?;
        }
    }
    Ok((links, dead))
}

/// Returns whether a link has a scheme, such as `https:`.
fn is_absolute(link: &str) -> bool {
    let scheme = link.split(['/', '#', '?']).next().unwrap_or("");
    scheme
        .split_once(':')
        .is_some_and(|(_, rest)| !rest.starts_with(':'))
}

#[cfg(test)]
mod tests;
