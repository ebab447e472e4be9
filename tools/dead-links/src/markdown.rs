//! Links of Markdown files.

use crate::is_absolute;
use std::path::Path;
use std::{fs, io};

/// Checks the links of a file, and returns their number.
pub(crate) fn check(root: &Path, file: &Path, dead: &mut Vec<String>) -> io::Result<usize> {
    let text = fs::read_to_string(file)?;
    let is_shown_by_package = is_readme_of_package(root, file);
    let mut count = 0;
    for (number, line) in prose(&text) {
        for link in links(&line) {
            if is_absolute(link) {
                continue;
            }
            count += 1;
            let problem = if is_shown_by_package {
                Some("a package has no such file")
            } else {
                problem(file, &text, link)?
            };
            if let Some(problem) = problem {
                dead.push(format!("{}:{number}: {link}: {problem}", file.display()));
            }
        }
    }
    Ok(count)
}

/// Returns whether a package shows this file: `crates/NAME/README.md` or `python/README.md`.
fn is_readme_of_package(root: &Path, file: &Path) -> bool {
    file.file_name().is_some_and(|name| name == "README.md")
        && file.parent().is_some_and(|folder| {
            folder.join("Cargo.toml").is_file() && folder.parent() == Some(&root.join("crates"))
                || folder == root.join("python")
        })
}

/// Returns what is wrong with a relative link.
fn problem(file: &Path, text: &str, link: &str) -> io::Result<Option<&'static str>> {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = file.with_file_name(path);
    let text = if path.is_empty() {
        text
    } else if !target.exists() {
        return Ok(Some("no such file"));
    } else if heading.is_empty() {
        return Ok(None);
    } else {
        &fs::read_to_string(target)?
    };
    let is_there = prose(text).any(|(_, line)| {
        let title = line.trim_start_matches('#');
        title.len() < line.len() && anchor(title) == heading
    });
    Ok((!is_there).then_some("no such heading"))
}

/// Returns the name by which links lead to a heading.
fn anchor(title: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let title = title.trim().to_lowercase();
    title
        .chars()
        .filter(kept)
        .collect::<String>()
        .replace(' ', "-")
}

/// Returns the lines outside of blocks of code with their numbers, without what is between backticks.
fn prose(text: &str) -> impl Iterator<Item = (usize, String)> {
    let mut is_code = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then(|| {
            let parts = line.split('`').enumerate();
            let words: String = if line.starts_with('#') {
                line.replace('`', "")
            } else {
                parts
                    .filter(|(i, _)| i % 2 == 0)
                    .map(|(_, part)| part)
                    .collect()
            };
            (i + 1, words)
        })
    })
}

/// Returns the targets of `[text](target)` and `[name]: target`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let inline = line
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split([')', ' ']).next());
    let definition = line
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "));
    inline.chain(definition.map(|(_, target)| target.trim()))
}
