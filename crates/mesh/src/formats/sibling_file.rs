//! Files in the folder of a mesh, which the mesh names.

use estoc_system::open_file;
use std::fs::File;
use std::io;
use std::path::{Component, Path};

/// Opens a file that a mesh in `folder` names; an error if the name or a link leads out of the
/// folder.
pub(crate) fn open(folder: &Path, name: &str) -> io::Result<File> {
    let leads_out = || {
        let problem = "the file is outside of the folder of the mesh";
        Err(io::Error::new(io::ErrorKind::PermissionDenied, problem))
    };
    let drive = name.as_bytes().get(1) == Some(&b':');
    // Such names are not looked up, so that nothing reveals whether the file exists.
    if drive || !stays_inside(Path::new(name)) {
        return leads_out();
    }
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let path = folder.join(name).canonicalize()?;
    if !path.starts_with(folder.canonicalize()?) {
        return leads_out();
    }
    open_file(&path)
}

/// Returns whether a name without links leads to nothing outside of the folder that it starts from.
fn stays_inside(name: &Path) -> bool {
    let mut depth = 0_u32;
    name.components().all(|part| match part {
        Component::Normal(_) => {
            depth += 1;
            true
        }
        Component::CurDir => true,
        Component::ParentDir => {
            let is_inside = depth > 0;
            depth = depth.saturating_sub(1);
            is_inside
        }
        Component::RootDir | Component::Prefix(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_or_lead_out() {
        for inside in ["a", "a/b", "./a", "a/../b", "a/b/../../c", ""] {
            assert!(stays_inside(Path::new(inside)), "{inside}");
        }
        for outside in ["..", "../a", "a/../..", "a/../../b", "/a", "./../a"] {
            assert!(!stays_inside(Path::new(outside)), "{outside}");
        }
    }
}
