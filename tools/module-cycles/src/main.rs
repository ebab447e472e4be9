//! Checks that the top-level modules of every crate import each other in one direction.
//!
//! Reads all `crate::...` and `super::...` paths, in `use` lines and elsewhere, and fails with the
//! shortest cycle of each strongly connected component. Code under `#[cfg(test)]` is exempt.
//!
//! ```text
//! cargo run -p module-cycles                # every crate of the workspace
//! cargo run -p module-cycles crates/core    # these crates only
//! ```
#![forbid(unsafe_code)]

mod cycles;
mod imports;
mod modules;
mod tokens;

use imports::Import;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

/// The folders that contain crates; `benches` is a crate itself.
const FOLDERS_OF_CRATES: [&str; 2] = ["crates", "tools"];

fn main() -> ExitCode {
    let named: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let checked = if named.is_empty() {
        all_crates().map_err(|error| format!("cannot list the crates: {error}\n"))
    } else {
        Ok(named)
    };
    match checked.and_then(|crates| check(&crates)) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(problems) => {
            eprint!("{problems}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the crates of the workspace in the working directory.
fn all_crates() -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::from("benches")];
    for folder in FOLDERS_OF_CRATES {
        for entry in fs::read_dir(folder)? {
            found.push(entry?.path());
        }
    }
    found.retain(|path| path.join("Cargo.toml").is_file());
    found.sort();
    Ok(found)
}

/// Checks the crates in these folders and returns a line to print, or all errors.
fn check(crates: &[PathBuf]) -> Result<String, String> {
    let mut problems = String::new();
    let mut count = 0;
    for folder in crates {
        let roots: Vec<PathBuf> = ["src/lib.rs", "src/main.rs"]
            .map(|root| folder.join(root))
            .into_iter()
            .filter(|root| root.is_file())
            .collect();
        if roots.is_empty() {
            problems += &format!("{}: no src/lib.rs and no src/main.rs\n", folder.display());
        }
        for root in roots {
            match check_crate(&root, &|path| fs::read_to_string(path).ok()) {
                Ok(modules) => count += modules,
                Err(problem) => problems += &problem,
            }
        }
    }
    if problems.is_empty() {
        let crates = crates.len();
        Ok(format!(
            "no cycle among {count} top-level modules of {crates} crates"
        ))
    } else {
        Err(problems)
    }
}

/// Checks the crate with this root file and returns the number of its top-level modules, or the
/// text of all errors.
fn check_crate(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<usize, String> {
    let files = modules::read_crate(root, read)?;
    let imports = imports::between_top_level_modules(&files)?;
    let graph: Vec<(&str, &str)> = imports
        .iter()
        .map(|import| (import.from.as_str(), import.to.as_str()))
        .collect();
    let mut problems = String::new();
    for cycle in cycles::shortest_of_each_knot(&graph) {
        let _ = writeln!(problems, "{}: modules in a cycle", root.display());
        for (place, from) in cycle.iter().enumerate() {
            let to = cycle[(place + 1) % cycle.len()];
            let Import { file, line, .. } = imports
                .iter()
                .find(|import| import.from == *from && import.to == to)
                .expect("an edge of the cycle is an import");
            let _ = writeln!(problems, "  {from} -> {to}  {}:{line}", file.display());
        }
    }
    if problems.is_empty() {
        Ok(files[0].children.len())
    } else {
        Err(problems)
    }
}

#[cfg(test)]
mod tests;
