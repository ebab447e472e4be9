//! Folders of files to run the command on.

use super::{Ran, estoc_reading, names};
use estoc_testkit::name_path;
use serde_json::Value;

/// A folder with files, which is named F in command lines and in what the command prints.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Folder::new();
        for (name, text) in files {
            folder.put(name, text);
        }
        folder
    }

    /// Writes a file, and returns its path.
    pub(crate) fn put(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
        self.path(name)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    /// Whether there is a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        std::fs::exists(self.path(name)).unwrap()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        names(self.0.path())
    }

    /// Returns the arguments of a command line, in which spaces separate words.
    pub(crate) fn words(&self, line: &str) -> Vec<String> {
        let words = line.split_whitespace();
        words
            .map(|word| word.replace("F/", &self.path("")))
            .collect()
    }

    /// Runs a command line without input.
    pub(crate) fn run(&self, line: &str) -> Ran {
        self.run_reading(line, b"")
    }

    /// Runs a command line with these bytes on stdin.
    pub(crate) fn run_reading(&self, line: &str, input: &[u8]) -> Ran {
        let mut ran = estoc_reading(self.words(line), input);
        for text in [&mut ran.stdout, &mut ran.stderr] {
            *text = name_path(text, self.0.path(), "F");
        }
        ran
    }
}
