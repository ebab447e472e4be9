//! The examples of the README and of the pages in `docs`.
//!
//! Blocks of `console` print what stands below their commands, and blocks of `console,machine` succeed: their
//! output depends on the machine. Commands of a page run one after the other in a folder with a link to
//! `data`, and with the blocks of `toml,NAME` as files.

use crate::common::{names, root};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What makes `bench` do as little work as possible.
const LITTLE: &str = "estoc bench --seconds 0.01 --rounds 1 --build-rounds 1 --count 256 ";

/// Returns the pages with their texts.
fn pages() -> Vec<(String, String)> {
    let docs = names(&root().join("docs"));
    let pages = docs
        .into_iter()
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/{name}"));
    let pages = std::iter::once("README.md".into()).chain(pages);
    pages
        .map(|page| (page.clone(), fs::read_to_string(root().join(page)).unwrap()))
        .collect()
}

/// Returns the blocks of code with their languages.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = text.split("\n```").skip(1).step_by(2);
    parts.map(|part| part.split_once('\n').unwrap())
}

/// Returns the commands after `$ ` with the lines below them.
fn commands(block: &str) -> impl Iterator<Item = (&str, &str)> {
    let block = block
        .strip_prefix("$ ")
        .expect("a block of console begins with a command");
    block
        .split("\n$ ")
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
}

/// Runs a command in a shell, and returns whether it succeeded, and all that it printed.
fn run(folder: &Path, line: &str) -> (bool, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_estoc"));
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", line])
        .env(
            "PATH",
            format!("{}:{path}", program.parent().unwrap().display()),
        )
        .current_dir(folder)
        .output()
        .unwrap();
    let printed = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.success(), printed)
}

#[test]
fn commands_print_what_the_pages_show() {
    let (mut compared, mut on_machine) = (0, 0);
    for (page, text) in pages() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        std::os::unix::fs::symlink(
            fs::canonicalize(root().join("data")).unwrap(),
            folder.join("data"),
        )
        .unwrap();
        for (language, block) in blocks(&text) {
            match language.split_once(',').unwrap_or((language, "")) {
                ("toml", name) if !name.is_empty() => fs::write(folder.join(name), block).unwrap(),
                ("console", "") => {
                    for (line, expected) in commands(block) {
                        let (succeeded, printed) = run(folder, line);
                        assert_eq!(printed.trim(), expected.trim(), "{page}: {line}");
                        assert!(succeeded, "{page}: {line}");
                        compared += 1;
                    }
                }
                ("console", _) => {
                    for (line, _) in commands(block) {
                        let (succeeded, printed) =
                            run(folder, &line.replacen("estoc bench ", LITTLE, 1));
                        assert!(
                            succeeded && !printed.is_empty(),
                            "{page}: {line}\n{printed}"
                        );
                        on_machine += 1;
                    }
                }
                _ => {}
            }
        }
    }
    assert!(
        compared >= 10 && on_machine >= 3,
        "{compared} and {on_machine}"
    );
}

#[test]
fn the_summary_lists_all_pages() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for (page, _) in pages() {
        let name = page.strip_prefix("docs/").unwrap_or("SUMMARY.md");
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("]({name})")),
            "{name}"
        );
    }
}
