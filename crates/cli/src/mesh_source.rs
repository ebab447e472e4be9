//! `MESH` on the command line: a file of any format, stdin, or a demo scene.

use crate::common::Session;
use crate::failure::Failure;
use estoc::demo::DemoSpec;
use estoc::{Mesh, MeshLoader};
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// What the user named. `demo:` begins a scene, and `-` is stdin; files of such names are
/// `./demo:...` and `./-`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MeshSource {
    File(PathBuf),
    Stdin,
    Demo(String),
}

impl From<OsString> for MeshSource {
    fn from(name: OsString) -> Self {
        match name.to_str().and_then(|name| name.strip_prefix("demo:")) {
            Some(spec) => MeshSource::Demo(spec.to_owned()),
            None if name == "-" => MeshSource::Stdin,
            None => MeshSource::File(name.into()),
        }
    }
}

impl fmt::Display for MeshSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshSource::File(path) => path.display().fmt(f),
            MeshSource::Stdin => f.write_str("-"),
            MeshSource::Demo(spec) => write!(f, "demo:{spec}"),
        }
    }
}

impl MeshSource {
    /// The files that it is read from.
    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            MeshSource::File(path) => vec![path],
            MeshSource::Stdin | MeshSource::Demo(_) => Vec::new(),
        }
    }

    /// An error if there is no such scene, or no such file, or a file that may not be read. For
    /// verbs that take several, so that the last of them mistyped costs no waiting.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self {
            MeshSource::Demo(text) => demo_spec(text).map(drop),
            MeshSource::Stdin => Ok(()),
            MeshSource::File(path) => {
                let may_be_read = match path.metadata() {
                    Ok(found) if found.is_file() => File::open(path).is_ok(),
                    // Not opened: what comes through a pipe can be read once.
                    Ok(found) => !found.is_dir(),
                    Err(_) => false,
                };
                match may_be_read {
                    true => Ok(()),
                    // Says it as reading does.
                    false => Ok(MeshLoader::new().load(path).map(drop)?),
                }
            }
        }
    }

    /// The mesh, and what the file deserves to be warned about on stderr.
    pub(crate) fn load(&self, session: &Session) -> Result<Mesh, Failure> {
        let mesh = match self {
            MeshSource::Demo(text) => {
                let spec = demo_spec(text)?;
                let _spinner = session.progress("making", None);
                spec.mesh()
            }
            MeshSource::File(_) | MeshSource::Stdin => {
                let bar = session.progress("reading", Some(1));
                let progress = |now| bar.show(now);
                let loader = MeshLoader::new()
                    .bad_faces(session.bad_faces())
                    .cancel(&session.cancel)
                    .progress(&progress);
                match self {
                    MeshSource::File(path) => loader.load(path)?,
                    _ => loader.read_from(io::stdin().lock(), "<stdin>")?,
                }
            }
        };
        for warning in mesh.report().warnings() {
            session.note(format_args!("{self}: {warning}"));
        }
        session.check_interrupt()?;
        Ok(mesh)
    }
}

fn demo_spec(text: &str) -> Result<DemoSpec, Failure> {
    text.parse::<DemoSpec>().map_err(|source| Failure::Demo {
        spec: text.to_owned(),
        source,
    })
}

/// The text as one word of a POSIX shell.
pub(crate) fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:=@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        for text in [
            "a/b.obj",
            "demo:soup?n=5&seed=1",
            "it's here.obj",
            "",
            "$HOME *",
            "-x",
        ] {
            let output = std::process::Command::new("sh")
                .args(["-c", &format!("printf %s {}", shell_word(text))])
                .output();
            // Not every system has a POSIX shell.
            let Ok(output) = output else { return };
            assert_eq!(String::from_utf8_lossy(&output.stdout), text);
        }
    }
}
