//! Folders of files to run the command on.

use super::{Ran, estoc};

/// A folder with files, which are named F in what the command prints.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Runs a verb on a file of the folder.
    pub(crate) fn run(&self, verb: &str, name: &str, rest: &[&str]) -> Ran {
        let path = self.path(name);
        let mut ran = estoc([verb, &path].iter().chain(rest));
        let folder = self.0.path().display().to_string();
        ran.stderr = ran.stderr.replace(&folder, "F");
        ran.stdout = ran.stdout.replace(&folder, "F");
        ran
    }
}
