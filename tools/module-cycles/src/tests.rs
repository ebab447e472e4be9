//! Tests with whole crates in memory.

use super::check_crate;
use std::path::Path;

/// Checks a crate with these files.
fn check(files: &[(&str, &str)]) -> Result<usize, String> {
    let read = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, source)| (*source).to_owned())
    };
    check_crate(Path::new(files[0].0), &read)
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
    assert_eq!(told("mod gone;", ""), "lib.rs: no file for mod gone\n");
}
