//! Finds the commit that is built, for `estoc --version`; without one it says nothing.

use std::path::Path;
use std::process::Command;

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let folder = Path::new(&folder);
    println!("cargo::rerun-if-changed=build.rs");
    if let Some(commit) = of_package(folder).or_else(|| of_checkout(folder)) {
        println!("cargo::rustc-env=ESTOC_COMMIT={}", &commit[..12]);
    }
}

/// Returns the commit that `cargo package` has noted.
fn of_package(folder: &Path) -> Option<String> {
    let text = std::fs::read_to_string(folder.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    let commit = rest.split('"').nth(1)?;
    checked(commit)
}

/// Returns the commit that is checked out, where the crate lies in a checkout of its own
/// repository and not in one of something else.
fn of_checkout(folder: &Path) -> Option<String> {
    let git = |args: &[&str]| {
        let ran = Command::new("git")
            .arg("-C")
            .arg(folder)
            .args(args)
            .output();
        let ran = ran.ok().filter(|ran| ran.status.success())?;
        let text = String::from_utf8(ran.stdout).ok()?;
        Some(text.trim().to_owned())
    };
    if git(&["rev-parse", "--show-prefix"])? != "crates/cli/" {
        return None;
    }
    // The commit changes with HEAD, and with the branch that it names.
    let branch = git(&["symbolic-ref", "-q", "HEAD"]);
    for name in ["HEAD", "packed-refs"].into_iter().chain(branch.as_deref()) {
        let path = folder.join(git(&["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    checked(&git(&["rev-parse", "HEAD"])?)
}

fn checked(commit: &str) -> Option<String> {
    let is_hash = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| commit.to_owned())
}
