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
        // What is between backticks is code.
        let words: String = line.split('`').step_by(2).collect();
        for link in links(&words).filter(|link| !is_absolute(link)) {
            count += 1;
            let problem = match is_shown_by_package {
                true => Some("a package has no such file"),
                false => problem(file, &text, link)?,
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
    let folder = file.with_file_name("");
    let is_crate = || file.with_file_name("Cargo.toml").is_file();
    file.ends_with("README.md")
        && (folder == root.join("python/")
            || folder.parent() == Some(&root.join("crates")) && is_crate())
}

/// Returns what is wrong with a relative link.
fn problem(file: &Path, text: &str, link: &str) -> io::Result<Option<&'static str>> {
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = file.with_file_name(path);
    if !path.is_empty() && !target.exists() {
        return Ok(Some("no such file"));
    }
    if heading.is_empty() {
        return Ok(None);
    }
    let text = match path {
        "" => text,
        _ => &fs::read_to_string(target)?,
    };
    let is_there = prose(text).any(|(_, line)| line.starts_with('#') && anchor(line) == heading);
    Ok((!is_there).then_some("no such heading"))
}

/// Returns the name by which links lead to a heading.
fn anchor(heading: &str) -> String {
    let title = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    let kept: String = title.chars().filter(kept).collect();
    kept.replace(' ', "-")
}

/// Returns the lines outside of blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the targets of `[text](target)` and `[name]: target`.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let inline = line.split("](").skip(1);
    let inline = inline.filter_map(|rest| rest.split([')', ' ']).next());
    let definition = line.strip_prefix('[').and_then(|it| it.split_once("]: "));
    inline.chain(definition.map(|(_, target)| target.trim()))
}
