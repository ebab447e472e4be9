//! Checks that the top-level modules of every crate import each other in one direction, and so those in
//! the folders of `estoc-core` below its engines.
//!
//! Reads all `crate::...` and `super::...` paths, in `use` lines and elsewhere, and fails with the
//! shortest cycle of each strongly connected component. Code under `#[cfg(test)]` is exempt.
//!
//! ```text
//! cargo run -p estoc-tools --bin module-cycles                # every crate of the workspace
//! cargo run -p estoc-tools --bin module-cycles crates/core    # these crates only
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

/// The folders of `estoc-core` that are checked, too: those below its engines.
const FOLDERS: [&str; 5] = ["arithmetic", "shapes", "exact", "collect", "placed"];

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
        let mut roots: Vec<_> = roots.into_iter().map(|root| (root, None)).collect();
        for name in FOLDERS {
            let root = folder.join("src").join(name).join("mod.rs");
            let is_there = folder.ends_with("core") && root.is_file();
            roots.extend(is_there.then_some((root, Some(name))));
        }
        for (root, folder) in roots {
            match check_modules(&root, folder.as_slice(), &|path| {
                fs::read_to_string(path).ok()
            }) {
                Ok(modules) => count += modules,
                Err(problem) => problems += &problem,
            }
        }
    }
    let crates = crates.len();
    let summary = format!("no cycle among {count} modules of {crates} crates");
    if problems.is_empty() {
        Ok(summary)
    } else {
        Err(problems)
    }
}

/// Checks the crate, or the folder of this name in a crate, with this root file, and returns the number
/// of its modules, or all errors.
fn check_modules(
    root: &Path,
    folder: &[&str],
    read: &dyn Fn(&Path) -> Option<String>,
) -> Result<usize, String> {
    let modules = modules::read_crate(root, read)?;
    let imports = imports::between_modules(&modules, folder)?;
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
mod tests {
    //! Tests with whole crates in memory.

    use super::check_modules;
    use super::cycles::{Graph, shortest_of_each_knot};
    use super::modules::read_crate;
    use std::path::Path;

    /// Checks a crate with these files.
    fn check(files: &[(&str, &str)]) -> Result<usize, String> {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, source)| (*source).to_owned())
        };
        check_modules(Path::new(files[0].0), &[], &read)
    }

    /// Checks a crate of two modules: `low`, and `high`, which imports it.
    fn with_low(root: &str, low: &str) -> Result<usize, String> {
        let high = "use crate::low::Low;";
        let root = format!("mod low; mod high; {root}");
        check(&[("lib.rs", &root), ("low.rs", low), ("high.rs", high)])
    }

    const CYCLE: &str = "lib.rs: modules in a cycle
  high -> low  high.rs:1
  low -> high  low.rs:2
";

    #[test]
    fn one_direction_is_no_cycle() {
        assert_eq!(with_low("", "pub struct Low;"), Ok(2));
    }

    #[test]
    fn inline_paths_make_a_cycle() {
        let low = "fn f() {\n    crate::high::g::<Low>();\n}";
        assert_eq!(with_low("", low), Err(CYCLE.to_owned()));
        let looped = "fn f() {\n    for x in crate::high::all() {} }";
        assert_eq!(with_low("", looped), Err(CYCLE.to_owned()));
    }

    #[test]
    fn super_paths_make_a_cycle() {
        assert_eq!(with_low("", "\nuse super::high::g;"), Err(CYCLE.to_owned()));
        assert_eq!(
            with_low("", "\nfn f() { super::high::g() }"),
            Err(CYCLE.to_owned())
        );
        let nested = "mod deep {\n    use super::super::high::g; }";
        assert_eq!(with_low("", nested), Err(CYCLE.to_owned()));
    }

    #[test]
    fn reexported_names_make_a_cycle() {
        let plain = "pub use high::{Other, g};";
        assert_eq!(with_low(plain, "\nuse crate::g;"), Err(CYCLE.to_owned()));
        let renamed = "pub use crate::high::inner::{self, g as h};";
        assert_eq!(with_low(renamed, "\nuse crate::h;"), Err(CYCLE.to_owned()));
        assert_eq!(
            with_low(renamed, "\nuse super::inner;"),
            Err(CYCLE.to_owned())
        );
        assert_eq!(
            with_low("use self::high::g;", "\nuse crate::g;"),
            Err(CYCLE.to_owned())
        );
    }

    #[test]
    fn groups_make_a_cycle() {
        let low = "use crate::{low::Low, \n high::{a, b::{self, c}}};";
        assert_eq!(with_low("", low), Err(CYCLE.to_owned()));
        assert_eq!(
            with_low("", "\nuse {std::fmt, super::{high}};"),
            Err(CYCLE.to_owned())
        );
        assert_eq!(
            with_low("", "\npub use crate::high::*;"),
            Err(CYCLE.to_owned())
        );
    }

    #[test]
    fn modules_of_a_folder_make_a_cycle() {
        let high = "use crate::shapes::Low; use crate::other::high;";
        let low = "use crate::shapes::high::g;";
        let files = [
            ("mod.rs", "mod low; mod high; pub use low::Low;"),
            ("low.rs", low),
            ("high.rs", high),
        ];
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, source)| (*source).to_owned())
        };
        let found = check_modules(Path::new("mod.rs"), &["shapes"], &read);
        assert!(found.unwrap_err().contains("high -> low  high.rs:1"));
        assert_eq!(check_modules(Path::new("mod.rs"), &["exact"], &read), Ok(2));
        let read = |path: &Path| {
            Some(
                if path.ends_with("mod.rs") {
                    "mod low;"
                } else {
                    "use crate::Low;"
                }
                .to_owned(),
            )
        };
        let found = check_modules(Path::new("mod.rs"), &["shapes"], &read);
        assert!(
            found
                .unwrap_err()
                .contains("low.rs:1: cannot tell the folder of crate::Low")
        );
    }

    #[test]
    fn files_in_folders_belong_to_their_top_level_module() {
        let files = [
            ("src/lib.rs", "mod a; pub mod b;"),
            ("src/a/mod.rs", "mod one; pub mod two;"),
            ("src/a/one.rs", "use super::two::X; use super::super::b::Y;"),
            ("src/a/two.rs", "mod three;"),
            ("src/a/two/three.rs", "use crate::a::one;"),
            ("src/b.rs", "mod inside { mod four; }"),
            ("src/b/inside/four.rs", "use super::super::super::a::two;"),
        ];
        let told = "src/lib.rs: modules in a cycle
  a -> b  src/a/one.rs:1
  b -> a  src/b/inside/four.rs:1
";
        assert_eq!(check(&files), Err(told.to_owned()));
    }

    #[test]
    fn longer_cycles_are_told_edge_by_edge() {
        let files = [
            ("main.rs", "mod a; mod b; mod c; mod d;"),
            ("a.rs", "use crate::b::X;"),
            ("b.rs", "\nuse crate::{c, d};"),
            ("c.rs", "\n\nuse crate::a;"),
            ("d.rs", "use std::fmt;"),
        ];
        let told = "main.rs: modules in a cycle
  a -> b  a.rs:1
  b -> c  b.rs:2
  c -> a  c.rs:3
";
        assert_eq!(check(&files), Err(told.to_owned()));
    }

    #[test]
    fn tests_comments_and_visibilities_import_nothing() {
        let low = "
        //! See [`crate::high`].
        /// [`g`](crate::high::g)
        pub(crate) struct Low; // crate::high::g
        pub(in crate::low) const TEXT: &str = \"crate::high::g\";
        #[cfg(test)]
        use crate::high::g;
        #[cfg(test)]
        mod tests {
            use super::*;
            use crate::high::g;
        }
        #[cfg(test)]
        mod more;
    ";
        assert_eq!(with_low("", low), Ok(2));
    }

    #[test]
    fn other_crates_and_the_root_are_no_modules() {
        let root = "pub use glam; pub struct Mine;";
        let low = "use crate::{glam, Mine}; fn f() { crate::glam::Vec3::ZERO } use glam::high;";
        assert_eq!(with_low(root, low), Ok(2));
    }

    #[test]
    fn what_cannot_be_told_is_an_error() {
        let told = |root, low| with_low(root, low).unwrap_err();
        let globbed = told("pub use high::*;", "\nuse crate::g;");
        assert_eq!(globbed, "low.rs:2: cannot tell the module of crate::g\n");
        assert_eq!(
            told("", "use super::*;"),
            "low.rs:1: cannot tell the module of super::*\n"
        );
        assert_eq!(told("mod gone;", ""), "lib.rs:1: no file for mod gone\n");
        assert_eq!(
            told("", "\nfn f() { (]"),
            "low.rs:2: cannot parse string into token stream\n"
        );
    }

    /// Returns the paths in a module with this source, without their `crate::`, and their lines.
    fn paths(source: &str) -> Vec<(String, usize)> {
        let read = |path: &Path| {
            Some(
                if path == Path::new("lib.rs") {
                    "mod a;"
                } else {
                    source
                }
                .to_owned(),
            )
        };
        let modules = read_crate(Path::new("lib.rs"), &read).unwrap();
        let paths = modules[1..].iter().flat_map(|module| &module.paths);
        paths
            .map(|(path, line)| (path[1..].join("::"), *line))
            .collect()
    }

    /// Returns the names of the paths `crate::name` in a module with this source.
    fn names(source: &str) -> Vec<String> {
        paths(source).into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn comments_and_literals_are_no_code() {
        let source = r####"
        // crate::a
        /* crate::b /* crate::c */ crate::d */ crate::e "crate::f \" crate::g" 'h' '\'' 'i
        crate::j r"crate::k" r#"crate::l " crate::m"# b'n' b"crate::o" 0x1p crate::r#q
        "####;
        assert_eq!(names(source), ["e", "j", "q"]);
    }

    #[test]
    fn lines_are_counted_in_comments_and_strings() {
        let found = paths("crate::a /*\n*/ crate::b \"\n\n\" crate::c; use crate::\nd;");
        let lines: Vec<usize> = found.iter().map(|(_, line)| *line).collect();
        assert_eq!(lines, [1, 2, 4, 5]);
    }

    #[test]
    fn what_is_for_tests_only_is_left_out() {
        for left_out in [
            "#[cfg(test)] mod tests { fn f() {} }",
            "#[cfg(test)] mod tests;",
            "#[cfg(test)] use crate::{b, c};",
            "#[cfg(test)] #[allow(q)] fn f<A, B>(a: [crate::A; 2]) { crate::b; }",
            "#[cfg(all(test, unix))] pub(crate) mod a { use crate::b; }",
            "#[cfg(all(unix, test))] const A: B = B { b: crate::b }.c(crate::d);",
            "#[cfg(test)] pub(in crate) use crate::{c};",
            "#[cfg(test)] fn f() { use crate::a; }",
            "#[cfg(test)] a!(crate::b, crate::c);",
            "#[cfg(test)] let a: A<B, C> = crate::b(|| { 1 }) + crate::c;",
            "#[cfg(test)] unsafe impl<A, B> C<A, B> for crate::D {}",
        ] {
            assert_eq!(names(&format!("{left_out} crate::x")), ["x"], "{left_out}");
        }
        assert_eq!(names("s { #[cfg(test)] a: crate::b, crate::c }"), ["c"]);
        assert_eq!(names("s { #[cfg(test)] a: crate::b }"), [""; 0]);
        assert_eq!(
            names("match a { #[cfg(test)] B => { crate::b } c => crate::c }"),
            ["c"]
        );
        assert_eq!(names("#![cfg(test)] crate::x"), [""; 0]);
        assert_eq!(
            names("//! a\n#![cfg(test)]\n#[b] mod c { crate::x }"),
            [""; 0]
        );
        for kept in [
            "not(test)",
            "any(test, unix)",
            "all(unix, not(test))",
            "all(any(test, unix), unix)",
            "all(unix, feature = \"test\")",
        ] {
            assert_eq!(names(&format!("#[cfg({kept})] crate::x;")), ["x"], "{kept}");
        }
    }

    #[test]
    fn macros_import_as_other_code_does() {
        let low = "macro_rules! low {\n    () => { $crate::high::g() }; }";
        assert_eq!(with_low("", low), Err(CYCLE.to_owned()));
        let called = "fn f() {\n    assert!([1].contains(&crate::high::g()), \"\"); }";
        assert_eq!(with_low("", called), Err(CYCLE.to_owned()));
        let declared = [
            ("lib.rs", "feature!(mod low); feature! { pub mod high; }"),
            ("low.rs", "\nuse crate::high;"),
            ("high.rs", "use crate::low;"),
        ];
        assert_eq!(check(&declared), Err(CYCLE.to_owned()));
        let of_high = [
            ("lib.rs", "mod low; mod high;"),
            ("low.rs", "\nfn f() { crate::g!() }"),
            (
                "high.rs",
                "use crate::low; #[macro_export] macro_rules! g { () => {} }",
            ),
        ];
        assert_eq!(check(&of_high), Err(CYCLE.to_owned()));
    }

    fn cycles<'a>(edges: &[(&'a str, &'a str)]) -> Vec<Vec<&'a str>> {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(*from).or_default().insert(*to, String::new());
        }
        shortest_of_each_knot(&graph)
    }

    #[test]
    fn graphs_without_cycles_have_none() {
        assert!(cycles(&[]).is_empty());
        assert!(cycles(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]).is_empty());
    }

    #[test]
    fn every_knot_gives_its_shortest_cycle() {
        let long = [("b", "c"), ("c", "d"), ("d", "b"), ("d", "c"), ("a", "b")];
        assert_eq!(cycles(&long), [["c", "d"]]);
        let two = [
            ("a", "b"),
            ("b", "a"),
            ("b", "x"),
            ("x", "y"),
            ("y", "z"),
            ("z", "x"),
        ];
        assert_eq!(cycles(&two), [vec!["a", "b"], vec!["x", "y", "z"]]);
    }
}
