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
    let (links, dead) = check(folder.path(), [folder.path().join("pages")].into_iter()).unwrap();
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (links, dead) = check(&root, std::iter::empty::<&str>()).unwrap();
    assert_eq!(dead, Vec::<String>::new());
    assert!(links > 100);
}
