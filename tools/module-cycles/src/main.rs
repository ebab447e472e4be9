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

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

fn main() {
    let named: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let crates = if named.is_empty() {
        all_crates()
    } else {
        Ok(named)
    };
    let crates = crates.map_err(|error| format!("cannot list the crates: {error}\n"));
    match crates.and_then(|crates| check(&crates)) {
        Ok(summary) => println!("{summary}"),
        Err(problems) => {
            eprint!("{problems}");
            process::exit(1);
        }
    }
}

/// Lists the crates of the workspace in the working directory.
fn all_crates() -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::from("benches")];
    for folder in ["crates", "tools"] {
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
    let (mut count, mut problems) = (0, String::new());
    for folder in crates {
        let mut roots = ["src/lib.rs", "src/main.rs"]
            .map(|root| folder.join(root))
            .to_vec();
        roots.retain(|root| root.is_file());
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
    let crates = crates.len();
    let summary = format!("no cycle among {count} top-level modules of {crates} crates");
    if problems.is_empty() {
        Ok(summary)
    } else {
        Err(problems)
    }
}

/// Checks the crate with this root file and returns the number of its top-level modules, or all
/// errors.
fn check_crate(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<usize, String> {
    let modules = modules::read_crate(root, read)?;
    let imports = imports::between_top_level_modules(&modules)?;
    let mut problems = String::new();
    for cycle in cycles::shortest_of_each_knot(&imports) {
        problems += &format!("{}: modules in a cycle\n", root.display());
        for (from, to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            problems += &format!("  {from} -> {to}  {}\n", imports[from][to]);
        }
    }
    if problems.is_empty() {
        Ok(modules[0].children.len())
    } else {
        Err(problems)
    }
}

#[cfg(test)]
mod tests;
