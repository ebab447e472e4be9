//! Checks the relative links of all Markdown files, and of the pages that `cargo doc` made.
//!
//! A link leads to a file of the repository and, in Markdown, to a heading of it. READMEs that packages
//! show have no relative links: what they lead to is not in the package.
//!
//! ```text
//! cargo run -p estoc-tools --bin dead-links                      # Markdown below the working directory
//! cargo run -p estoc-tools --bin dead-links target/doc/estoc     # and the pages in this folder
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
mod tests {
    use super::check;
    use std::fs;
    use std::path::Path;

    /// Returns the number of links in these files and the lines about dead ones.
    fn checked(files: &[(&str, &str)]) -> (usize, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let (links, dead) =
            check(folder.path(), [folder.path().join("pages")].into_iter()).unwrap();
        let root = format!("{}/", folder.path().display());
        (
            links,
            dead.iter().map(|line| line.replace(&root, "")).collect(),
        )
    }

    #[test]
    fn dead_links_of_markdown_are_told_with_their_lines() {
        let a = "[b](b.md) [to `it`](b.md#the-code-of-it) [here](#a)\n# A\n[x](https://x.org/y) [c]\n\
                 ```text\n[no](link)\n```\n`[no](link)`\n[c]: c.md\n[d](b.md#no) [e](b.md) [f](g/)\n";
        let (links, dead) = checked(&[
            ("a.md", a),
            ("b.md", "## The `code` of it!\n"),
            ("pages/p", ""),
        ]);
        assert_eq!(links, 7);
        let expected = [
            "a.md:8: c.md: no such file",
            "a.md:9: b.md#no: no such heading",
            "a.md:9: g/: no such file",
        ];
        assert_eq!(dead, expected);
    }

    #[test]
    fn readmes_of_packages_have_no_relative_links() {
        let (_, dead) = checked(&[
            ("crates/a/Cargo.toml", ""),
            ("crates/a/README.md", "[b](B.md) [c](https://c.org)"),
            ("crates/a/B.md", ""),
            ("crates/a/C.md", "[b](B.md)"),
            ("python/README.md", "[b](../crates/a/B.md)"),
            ("pages/p", ""),
        ]);
        let expected = [
            "crates/a/README.md:1: B.md: a package has no such file",
            "python/README.md:1: ../crates/a/B.md: a package has no such file",
        ];
        assert_eq!(dead, expected);
    }

    #[test]
    fn dead_links_of_pages_are_told() {
        let page = r##"<a href="../q.html#x">q</a><a href="glam::Vec3">v</a><a href="#x">x</a>
            <a href="../../other/a.html">in another folder</a>"##;
        let (links, dead) = checked(&[("pages/a/p.html", page), ("pages/q.html", "")]);
        assert_eq!(
            (links, dead),
            (2, vec!["pages/a/p.html: glam::Vec3".into()])
        );
    }

    #[test]
    fn links_of_the_repository_lead_somewhere() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let (links, dead) = check(&root, std::iter::empty::<&str>()).unwrap();
        assert_eq!(dead, Vec::<String>::new());
        assert!(links > 100);
    }
}
