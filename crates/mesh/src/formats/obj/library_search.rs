//! Finds material libraries.

use core::mem;
use estoc_core::CancelToken;
use estoc_system::{NoMemory, collected, read_to_end};
use std::collections::{HashMap, HashSet};
use std::io::{self, Read};
use std::iter::repeat_n;
use std::path::Path;

use super::joined_blocks::Gathered;
use super::{FileSource, mtl};
use crate::error::MeshError;
use crate::formats::sibling_file;
use crate::mesh::material::Material;
use crate::report::MeshReport;
use crate::text::quote;

/// Returns the materials that faces use, by name only.
pub(super) fn undefined(gathered: &mut Gathered) -> Result<Vec<Material>, MeshError> {
    Ok(by_name(&gathered.materials.take_ids())?)
}

fn by_name(names: &HashMap<String, u32>) -> Result<Vec<Material>, NoMemory> {
    let mut materials = collected(repeat_n(Material::default(), names.len()))?;
    for (name, &id) in names {
        materials[id as usize].name.clone_from(name);
    }
    Ok(materials)
}

/// Returns the materials that faces use, as defined by the libraries that the text names; an error
/// when loading is cancelled or there is no memory. Other problems become warnings. Of several
/// definitions the first counts.
pub(super) fn load(
    gathered: &mut Gathered,
    source: &FileSource<'_>,
    cancel: &CancelToken,
) -> Result<Vec<Material>, MeshError> {
    let libraries = mem::take(&mut gathered.libraries);
    let names = gathered.materials.take_ids();
    let mut search = LibrarySearch {
        source,
        tried: HashSet::new(),
        libraries: 0,
        bytes: MeshReport::READ_LIBRARY_BYTES,
        materials: by_name(&names)?,
        names,
        last_read: None,
        report: &mut gathered.report,
    };
    search.report.skipped_libraries = libraries.more;
    for written in &libraries.statements {
        search.follow(written, cancel)?;
    }
    let LibrarySearch {
        materials,
        last_read,
        report,
        ..
    } = search;
    if let Some(library) = last_read {
        for material in materials.iter().filter(|material| !material.defined) {
            report.material_problem(&library, None, || {
                format!(
                    "does not define material {}",
                    quote(material.name.as_bytes())
                )
            });
        }
    }
    Ok(materials)
}

/// A search for libraries, with limits: a small text can name many files, or a large file by many
/// names.
struct LibrarySearch<'a> {
    source: &'a FileSource<'a>,
    /// The names that were tried.
    tried: HashSet<String>,
    /// The number of libraries that were tried.
    libraries: usize,
    /// The number of bytes that may still be read; 0 ends the search.
    bytes: usize,
    /// The index of each material by its name.
    names: HashMap<String, u32>,
    materials: Vec<Material>,
    /// The last library that could be read.
    last_read: Option<String>,
    report: &'a mut MeshReport,
}

impl LibrarySearch<'_> {
    /// Reads what an `mtllib` statement names. It may be one name with blanks or several names, so
    /// the whole is tried first. A backslash before a blank makes it part of a name; other
    /// backslashes separate folders.
    fn follow(&mut self, written: &str, cancel: &CancelToken) -> Result<(), MeshError> {
        let is_one_name = names(written).nth(1).is_none();
        if self.find(normal(written), is_one_name, cancel)? {
            return Ok(());
        }
        for name in names(written).map(normal) {
            self.find(name, true, cancel)?;
        }
        Ok(())
    }

    /// Reads a library that was not tried before. Returns `false` if there is none of this name and
    /// that is no problem, since its words may be names.
    fn find(
        &mut self,
        name: String,
        must_exist: bool,
        cancel: &CancelToken,
    ) -> Result<bool, MeshError> {
        if self.tried.contains(&name) {
            return Ok(true);
        }
        if self.libraries == MeshReport::READ_LIBRARIES || self.bytes == 0 {
            self.report.skipped_libraries += 1;
            return Ok(true);
        }
        MeshError::check_cancelled(cancel)?;
        self.tried.insert(name.clone());
        self.report.named_files.push(name.clone());
        let opened = (self.source)(&name);
        let is_found = must_exist || !opened.as_ref().is_err_and(is_missing);
        if is_found {
            self.read(name, opened)?;
        }
        Ok(is_found)
    }

    fn read(&mut self, library: String, opened: io::Result<Vec<u8>>) -> Result<(), MeshError> {
        self.libraries += 1;
        let text = match opened {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => return Err(NoMemory.into()),
            Err(error) => {
                let problem = || format!("cannot be read: {error}");
                self.report.material_problem(&library, None, problem);
                return Ok(());
            }
        };
        if text.len() > self.bytes {
            self.bytes = 0;
            self.report.skipped_libraries += 1;
            return Ok(());
        }
        self.bytes -= text.len();
        let (names, materials) = (&self.names, &mut self.materials);
        let place = |name: &str| names.get(name).map(|&id| id as usize);
        let is_wanted = |name: &str| place(name).is_some_and(|at| !materials[at].defined);
        for found in mtl::read(&text, &library, is_wanted, self.report)? {
            if let Some(at) = place(&found.name)
                && !materials[at].defined
            {
                materials[at] = found;
            }
        }
        self.last_read = Some(library);
        Ok(())
    }
}

/// Returns whether a file of this name does not or cannot exist: several names in one statement can
/// be longer than a name may be.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename
    )
}

/// Splits a statement into names, at blanks without a backslash before them.
fn names(written: &str) -> impl Iterator<Item = &str> {
    let mut guarded = false;
    let separates = move |c: char| {
        let behind_backslash = mem::replace(&mut guarded, c == '\\');
        matches!(c, ' ' | '\t') && !behind_backslash
    };
    written.split(separates).filter(|name| !name.is_empty())
}

/// Normalises a name, so that one file is not read again under another name: plain blanks, `/`
/// between folders, no empty or `.` steps.
fn normal(name: &str) -> String {
    let name = name.replace("\\ ", " ").replace('\\', "/");
    let steps = name.split('/').filter(|step| !matches!(*step, "" | "."));
    let path = steps.collect::<Vec<_>>().join("/");
    match name.starts_with('/') {
        true => format!("/{path}"),
        false if path.is_empty() => name,
        false => path,
    }
}

/// Reads a library that a file in `folder` names; an error if it is outside of the folder.
pub(crate) fn open_in(folder: &Path, library: &str) -> io::Result<Vec<u8>> {
    /// No material library comes near this size; a file of another kind might.
    const LARGEST: u64 = 1 << 24;
    let mut text = Vec::new();
    let file = sibling_file::open(folder, library)?;
    let read = read_to_end(file.take(LARGEST + 1), &mut text)?;
    if read as u64 > LARGEST {
        return Err(io::Error::other("the file is too large"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_blanks_without_a_guard() {
        let table: [(&str, &[&str]); 6] = [
            ("", &[]),
            ("a.mtl", &["a.mtl"]),
            ("a.mtl \t b.mtl ", &["a.mtl", "b.mtl"]),
            ("my\\ a.mtl b", &["my\\ a.mtl", "b"]),
            ("a\\b c", &["a\\b", "c"]),
            ("a\\  b", &["a\\ ", "b"]),
        ];
        for (written, expected) in table {
            assert_eq!(names(written).collect::<Vec<_>>(), expected, "{written:?}");
        }
    }

    #[test]
    fn names_of_one_file_are_one_name() {
        for (name, expected) in [
            ("a.mtl", "a.mtl"),
            ("./a.mtl", "a.mtl"),
            ("././/a.mtl", "a.mtl"),
            (".\\b\\.\\a.mtl", "b/a.mtl"),
            ("b/./my\\ a.mtl", "b/my a.mtl"),
            ("..a/.b", "..a/.b"),
            ("../a.mtl", "../a.mtl"),
            ("/./a.mtl", "/a.mtl"),
            ("\\\\host\\a.mtl", "/host/a.mtl"),
            (".", "."),
            ("/", "/"),
        ] {
            assert_eq!(normal(name), expected, "{name}");
        }
    }
}
