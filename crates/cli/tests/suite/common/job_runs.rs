//! Jobs of `estoc cast --out-dir`, for tests.

use super::{Ran, command, estoc};
use estoc_testkit::generate::Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A folder with a file of rays, and the folders of jobs.
pub(crate) struct Jobs {
    folder: tempfile::TempDir,
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
        let jobs = Jobs {
            folder: tempfile::tempdir().unwrap(),
            mesh: "demo:sphere?n=200",
        };
        jobs.put("rays.csv", &text);
        jobs
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Returns the arguments of a job in the folder `out`.
    pub(crate) fn args(&self, out: &str, rest: &[&str]) -> Vec<String> {
        let path = |name: &str| self.path(name).to_str().unwrap().to_owned();
        let mut args = vec!["cast".to_owned(), self.mesh.to_owned()];
        args.extend(["--rays".to_owned(), path("rays.csv")]);
        args.extend(["--out-dir".to_owned(), path(out)]);
        args.extend(rest.iter().map(|&arg| arg.to_owned()));
        args
    }

    /// Runs a job in the folder `out`; the folder of all is F in what it prints.
    pub(crate) fn run(&self, out: &str, rest: &[&str]) -> Ran {
        self.shorten(estoc(self.args(out, rest)))
    }

    /// Runs the command on folders and files of this folder, which are given as `F/name`.
    pub(crate) fn estoc(&self, args: &[&str]) -> Ran {
        let folder = self.folder.path().to_str().unwrap();
        self.shorten(estoc(
            args.iter()
                .map(|arg| arg.replace("F/", &format!("{folder}/"))),
        ))
    }

    /// Starts a job in the folder `out`.
    pub(crate) fn start(&self, out: &str, rest: &[&str]) -> std::process::Command {
        let mut command = command();
        command.args(self.args(out, rest));
        command
    }

    fn shorten(&self, mut ran: Ran) -> Ran {
        let folder = self.folder.path().to_str().unwrap();
        ran.stdout = ran.stdout.replace(folder, "F");
        ran.stderr = ran.stderr.replace(folder, "F");
        ran
    }

    /// Returns the files of the folder `out` and what they contain.
    pub(crate) fn files(&self, out: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.path(out)).unwrap();
        let file = |entry: std::io::Result<std::fs::DirEntry>| {
            let entry = entry.unwrap();
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        };
        entries.map(file).collect()
    }
}
