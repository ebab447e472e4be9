//! Finding material libraries.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use super::gather::Gathered;
use super::{MaterialSource, mtl};
use crate::mesh::{Material, MaterialProblem};

/// The materials that faces use, as the libraries that the text names define them. Whatever
/// is wrong becomes a warning. Of several definitions the first counts.
pub(super) fn load(gathered: &mut Gathered, source: &MaterialSource<'_>) -> Vec<Material> {
    let mut defined: HashMap<String, Material> = HashMap::new();
    let mut problems = Vec::new();
    let mut last_read = None;
    for written in gathered.libraries() {
        for (library, opened) in open(written, source) {
            match opened {
                Ok(text) => {
                    for material in mtl::read(&text, &library, &mut problems) {
                        defined.entry(material.name.clone()).or_insert(material);
                    }
                    last_read = Some(library);
                }
                Err(error) => problems.push(MaterialProblem {
                    library,
                    line: None,
                    problem: format!("not read: {error}"),
                }),
            }
        }
    }
    let mut materials = undefined(gathered);
    for material in &mut materials {
        match defined.remove(&material.name) {
            Some(found) => *material = found,
            None => problems.extend(last_read.clone().map(|library| MaterialProblem {
                library,
                line: None,
                problem: format!("does not define material \"{}\"", material.name),
            })),
        }
    }
    for problem in problems {
        gathered.report_mut().material_problem(problem);
    }
    materials
}

/// The materials that faces use, by name only.
pub(super) fn undefined(gathered: &Gathered) -> Vec<Material> {
    let names = gathered.material_names().iter().cloned();
    names.map(Material::undefined).collect()
}

/// Opens what an `mtllib` statement names. That may be one name with blanks in it or several
/// names, so the whole is tried first; a backslash makes a blank part of a name, and
/// otherwise separates folders.
fn open(written: &str, source: &MaterialSource<'_>) -> Vec<(String, io::Result<Vec<u8>>)> {
    let whole = unescape(written);
    let opened = source(&whole);
    let names = split(written);
    let missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    if names.len() > 1 && opened.as_ref().is_err_and(missing) {
        let open_one = |name: String| {
            let opened = source(&name);
            (name, opened)
        };
        return names.into_iter().map(open_one).collect();
    }
    vec![(whole, opened)]
}

/// The names in a statement, cut at blanks that no backslash guards.
fn split(written: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut name = String::new();
    let mut guarded = false;
    for c in written.chars() {
        if matches!(c, ' ' | '\t') && !guarded {
            names.push(core::mem::take(&mut name));
        } else {
            name.push(c);
        }
        guarded = c == '\\';
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names.iter().map(|name| unescape(name)).collect()
}

/// A name with plain blanks, and `/` between folders.
fn unescape(name: &str) -> String {
    name.replace("\\ ", " ").replace('\\', "/")
}

/// Reads a library that a file in `folder` names, unless it leads out of the folder.
pub(super) fn open_in(folder: &Path, library: &str) -> io::Result<Vec<u8>> {
    /// No library of materials comes near; a file of another kind might.
    const LARGEST: u64 = 1 << 24;
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let drive = library.as_bytes().get(1) == Some(&b':');
    if drive || !Path::new(library).components().all(inside) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it leads out of the folder of the OBJ file",
        ));
    }
    let path = folder.join(library);
    // Asked before it is opened: opening a pipe would wait for its writer.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut text = Vec::new();
    let read = File::open(path)?.take(LARGEST + 1).read_to_end(&mut text)?;
    if read as u64 > LARGEST {
        return Err(io::Error::other("it is too large"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_statement_names_one_file_with_blanks_or_several() {
        let names = |written: &str, exists: &[&str]| -> Vec<(String, bool)> {
            let exists: Vec<String> = exists.iter().map(ToString::to_string).collect();
            let source = move |name: &str| match exists.iter().any(|e| e == name) {
                true => Ok(Vec::new()),
                false => Err(io::Error::from(io::ErrorKind::NotFound)),
            };
            let opened = open(written, &source).into_iter();
            opened.map(|(name, text)| (name, text.is_ok())).collect()
        };
        let found = |name: &str| (name.to_string(), true);
        let missing = |name: &str| (name.to_string(), false);
        assert_eq!(names("a.mtl", &["a.mtl"]), [found("a.mtl")]);
        assert_eq!(names("a.mtl", &[]), [missing("a.mtl")]);
        assert_eq!(names("my a.mtl", &["my a.mtl"]), [found("my a.mtl")]);
        assert_eq!(
            names("a.mtl  b.mtl", &["b.mtl"]),
            [missing("a.mtl"), found("b.mtl")]
        );
        assert_eq!(
            names("no.mtl my\\ a.mtl", &["my a.mtl"]),
            [missing("no.mtl"), found("my a.mtl")]
        );
        assert_eq!(names("m\\a.mtl", &["m/a.mtl"]), [found("m/a.mtl")]);
    }
}
