//! Files that a mesh names and that stand beside it.

use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// Opens a file that a mesh in `folder` names, unless it leads out of the folder.
pub(crate) fn open(folder: &Path, name: &str) -> io::Result<File> {
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    let drive = name.as_bytes().get(1) == Some(&b':');
    if drive || !Path::new(name).components().all(inside) {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it leads out of the folder of the mesh",
        ));
    }
    let path = folder.join(name);
    // Asked before it is opened: opening a pipe would wait for its writer.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    File::open(path)
}
