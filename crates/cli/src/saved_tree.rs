//! Tree files as meshes on the command line.

use crate::failure::Failure;
use crate::mesh_source::{MeshSource, is_regular};
use crate::precision::Precision;
use crate::session::Session;
use estoc::io::{TreeFile, TreeFileError, TreeLoader};
use std::fs::File;
use std::io::Read;
use std::path::Path;

impl MeshSource {
    /// Returns the path of a file with a tree in `f64`, unless `f32` is wanted.
    pub(crate) fn f64_file(&self, wanted: Precision) -> Option<&Path> {
        match self {
            MeshSource::File(path) if wanted != Precision::F32 => {
                begins_as_f64(path).then_some(path)
            }
            _ => None,
        }
    }

    /// Returns whether this is a file with a tree.
    pub(crate) fn is_tree_file(&self) -> bool {
        matches!(self, MeshSource::File(path) if begins_as_tree_file(path))
    }
}

/// Reads the source as a tree file, if its content begins like one, whatever its name.
///
/// The file is read and not memory-mapped, since the command cannot promise that the file stays
/// unchanged meanwhile.
pub(crate) fn tree_file(
    source: &MeshSource,
    wanted: Precision,
    session: &Session,
) -> Result<Option<TreeFile>, Failure> {
    let MeshSource::File(path) = source else {
        return Ok(None);
    };
    if !begins_as_tree_file(path) {
        return Ok(None);
    }
    if wanted == Precision::F64 {
        return Err(Failure::Usage(format!(
            "{source}: the tree in the file has its corners in f32, so there are no others; ask for no \
             f64, or name the mesh that it was built from"
        )));
    }
    load_file(session, |loader| loader.load(path)).map(Some)
}

/// Reads a tree file with progress.
pub(crate) fn load_file<T>(
    session: &Session,
    load: impl FnOnce(TreeLoader<'_>) -> Result<T, TreeFileError>,
) -> Result<T, Failure> {
    let bar = session.progress("reading", Some(1));
    let progress = |now| bar.show(now);
    let loader = TreeLoader::new()
        .cancel(&session.cancel)
        .progress(&progress);
    Ok(load(loader)?)
}

/// Returns whether the content of a file begins like a tree file in `f64`.
pub(crate) fn begins_as_f64(path: &Path) -> bool {
    start_of(path).is_some_and(|start| TreeFile::is_f64(&start))
}

/// Returns whether the content of a file begins like a tree file.
pub(crate) fn begins_as_tree_file(path: &Path) -> bool {
    let Some(start) = start_of(path) else {
        return false;
    };
    // The name decides for a file too short to tell: a truncated tree file is not an empty mesh.
    let named = || {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("estoc"))
    };
    TreeFile::is_tree_file(&start) || (start.len() < 8 && named())
}

/// Returns the first bytes of a regular file.
fn start_of(path: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    let read = |file: File| file.take(16).read_to_end(&mut start);
    let is_read = is_regular(path) && File::open(path).and_then(read).is_ok();
    is_read.then_some(start)
}
