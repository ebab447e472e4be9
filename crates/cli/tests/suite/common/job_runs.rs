//! Jobs of `estoc cast --out-dir`, for tests.

use super::{Folder, Ran, command};
use estoc_testkit::generate::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A folder with a file of rays, and the folders of jobs.
pub(crate) struct Jobs {
    pub(crate) folder: Folder,
    pub(crate) mesh: &'static str,
}

/// The lines of a journal that are whole.
pub(crate) fn journaled(job: &Path) -> usize {
    let text = std::fs::read(job.join("_journal.jsonl")).unwrap_or_default();
    text.iter().filter(|&&byte| byte == b'\n').count()
}

impl Jobs {
    /// Writes `count` rays whose origins are 3 above the centre of a sphere; every third looks away from
    /// it and hits nothing.
    pub(crate) fn new(count: usize) -> Self {
        let mut text = String::from("id,ox,oy,oz,dx,dy,dz\n");
        let mut random = Rng::new(22);
        for ray in 0..count {
            let [x, y] = [(); 2].map(|()| random.signed() / 2.0);
            let dz = if ray % 3 == 0 { 1.0 } else { -1.0 };
            let _ = writeln!(text, "r{ray},{x},{y},3,0,0,{dz}");
        }
        Jobs {
            folder: Folder::with(&[("rays.csv", &text)]),
            mesh: "demo:sphere?n=200",
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path(name).into()
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        self.folder.put(name, text);
    }

    /// Returns the command line of a job in the folder `out`.
    pub(crate) fn line(&self, out: &str, rest: &str) -> String {
        let mesh = self.mesh;
        format!("cast {mesh} --rays F/rays.csv --out-dir F/{out} {rest}")
    }

    /// Runs a job in the folder `out`.
    pub(crate) fn run(&self, out: &str, rest: &str) -> Ran {
        self.estoc(&self.line(out, rest))
    }

    /// Runs a command line on folders and files of this folder.
    pub(crate) fn estoc(&self, line: &str) -> Ran {
        self.folder.run(line)
    }

    /// Starts a job in the folder `out`.
    pub(crate) fn start(&self, out: &str, rest: &str) -> std::process::Command {
        let mut command = command();
        command.args(self.folder.words(&self.line(out, rest)));
        command
    }

    /// Returns the files of the folder `out` and what they contain.
    pub(crate) fn files(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let names = super::names(&self.path(out)).into_iter();
        names
            .map(|name| (name.clone(), self.folder.bytes(&format!("{out}/{name}"))))
            .collect()
    }
}
