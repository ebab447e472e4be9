//! `MESH` on the command line: a file of any format, stdin, or a demo scene.

use crate::failure::Failure;
use crate::local_frame;
use crate::number::grouped;
use crate::session::Session;
use estoc::demo::DemoSpec;
use estoc::io::{MeshReport, Warning};
use estoc::scene::{DemoScene, SceneFile};
use estoc::{Mesh, MeshLoader};
use estoc_core::Coordinate;
use estoc_mesh::parts::without_error_numbers;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A mesh argument. `demo:` begins a generated one, `scene:` the name of a glTF file whose nodes are
/// placements, and `-` is stdin; files of such names are written `./demo:...` and `./-`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum MeshSource {
    File(PathBuf),
    Stdin,
    Demo(String),
    /// A glTF file as a scene.
    Nodes(PathBuf),
}

/// What begins the name of a glTF file that is a scene.
const NODES: &str = "scene:";

impl From<OsString> for MeshSource {
    fn from(name: OsString) -> Self {
        match name.to_str().and_then(|name| name.strip_prefix("demo:")) {
            Some(spec) => MeshSource::Demo(spec.to_owned()),
            None if name.to_str().is_some_and(|name| name.starts_with(NODES)) => {
                let name = name.to_str().unwrap_or_default();
                let path = PathBuf::from(&name[NODES.len()..]);
                match SceneFile::is_named(&path) {
                    true => MeshSource::File(path),
                    false => MeshSource::Nodes(path),
                }
            }
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
            MeshSource::Nodes(path) => write!(f, "{NODES}{}", path.display()),
        }
    }
}

impl MeshSource {
    /// Returns the files that the mesh is read from.
    pub(crate) fn files(&self) -> Vec<&Path> {
        match self {
            MeshSource::File(path) | MeshSource::Nodes(path) => vec![path],
            MeshSource::Stdin | MeshSource::Demo(_) => Vec::new(),
        }
    }

    /// Returns whether this is a scene of placed meshes.
    pub(crate) fn is_scene(&self) -> bool {
        match self {
            MeshSource::File(path) => SceneFile::is_named(path),
            MeshSource::Nodes(_) => true,
            MeshSource::Stdin => false,
            MeshSource::Demo(spec) => DemoScene::is_named(spec),
        }
    }

    /// Returns an error if this is a scene, for verbs that take one mesh.
    pub(crate) fn refuse_scene(&self) -> Result<(), Failure> {
        match self.is_scene() {
            false => Ok(()),
            true => Err(Failure::Usage(format!(
                "{self}: this takes one mesh, not a scene of placed meshes; name the mesh of one of its \
                 objects, which estoc info {} lists",
                shell_word(&self.to_string())
            ))),
        }
    }

    /// Returns `--with MESH` as a printed command has it, after a space; nothing without another mesh.
    pub(crate) fn with_option(other: Option<&MeshSource>) -> String {
        other.map_or_else(String::new, |other| {
            format!(" --with {}", shell_word(&other.to_string()))
        })
    }

    /// Returns whether this is a mesh file that gives the same once more.
    pub(crate) fn is_read_again(&self) -> bool {
        matches!(self, MeshSource::File(path) if is_regular(path)) && !self.is_tree_file()
    }

    /// Returns an error if both this and another input are read from stdin; `both` names them.
    pub(crate) fn refuse_stdin_twice(&self, is_other: bool, both: &str) -> Result<(), Failure> {
        match (self, is_other) {
            (MeshSource::Stdin, true) => Err(Failure::Usage(format!(
                "stdin cannot be both {both}; name a file for one of them"
            ))),
            _ => Ok(()),
        }
    }

    /// Returns an error if a scene has nothing that can be hit.
    pub(crate) fn refuse_empty_scene(&self, primitives: usize) -> Result<(), Failure> {
        match primitives {
            0 => Err(Failure::NoFaces(format!(
                "{self}: nothing is placed, so nothing can be hit; estoc info {} shows what it contains",
                shell_word(&self.to_string())
            ))),
            _ => Ok(()),
        }
    }

    /// Returns an error if the scene or the file does not exist, or if the file cannot be read.
    /// Verbs that take several meshes call it first, so that a mistyped last one fails at once.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        self.refuse_scene()?;
        match self {
            MeshSource::Demo(text) => demo_spec(text).map(drop),
            MeshSource::Stdin | MeshSource::Nodes(_) => Ok(()),
            MeshSource::File(path) => {
                let may_be_read = match path.metadata() {
                    Ok(found) if found.is_file() => File::open(path).is_ok(),
                    // Not opened: a pipe can be read only once.
                    Ok(found) => !found.is_dir(),
                    Err(_) => false,
                };
                match may_be_read {
                    true => Ok(()),
                    // Fails with the message of reading.
                    false => Ok(MeshLoader::new().load(path).map(drop)?),
                }
            }
        }
    }

    /// Loads a mesh for what takes `f32` only.
    pub(crate) fn load(&self, session: &Session) -> Result<Mesh, Failure> {
        session.refuse_f64(&format!("{self}: this takes corners"))?;
        self.load_f32(session)
    }

    /// Loads a mesh in `f32`, prints warnings about the file on stderr, and rejects a mesh without
    /// triangles.
    pub(crate) fn load_f32(&self, session: &Session) -> Result<Mesh, Failure> {
        let mesh = self.load_any(session, false)?;
        self.refuse_empty(mesh.triangle_count(), mesh.report().faces)?;
        self.warn(&mesh, session);
        Ok(mesh)
    }

    /// Like [`MeshSource::load_f32`], but accepts a mesh without triangles, and surveys the rounding.
    pub(crate) fn survey_even_empty(&self, session: &Session) -> Result<Mesh, Failure> {
        let mesh = self.load_any(session, true)?;
        self.warn(&mesh, session);
        Ok(mesh)
    }

    pub(crate) fn warn(&self, mesh: &Mesh, session: &Session) {
        for warning in self.warnings(mesh, session) {
            session.note(format_args!("{self}: {warning}"));
        }
        if session.welds() && matches!(self, MeshSource::Demo(_)) {
            session.note(format_args!(
                "{self}: --weld has no effect on a generated scene"
            ));
        }
        let ignores_frame = match self {
            MeshSource::Demo(_) => "a generated scene",
            MeshSource::Nodes(_) => "the nodes of a glTF file",
            MeshSource::File(_) | MeshSource::Stdin => return,
        };
        if session.has_local_frame() {
            session.note(format_args!(
                "{self}: --local-frame has no effect on {ignores_frame}"
            ));
        }
    }

    /// Returns the warnings about a mesh that was loaded from here, one line each.
    pub(crate) fn warnings(&self, mesh: &Mesh, session: &Session) -> Vec<String> {
        let survey = || {
            let MeshSource::File(path) = self else {
                return None;
            };
            if !is_regular(path) {
                return None;
            }
            let loader = session.mesh_loader().attributes(false);
            let again = loader.survey_rounding(true).load(path).ok()?;
            Some(again.report().rounding)
        };
        let report = mesh.report();
        let mut warnings = warnings_of(report);
        // The report itself warns about vertices without faces.
        if report.faces == 0 && report.vertices == 0 {
            warnings.push("no vertices and no faces: nothing can be hit".into());
        }
        warnings.extend(local_frame::warning(mesh, survey));
        warnings
    }

    /// Returns an error if there are no triangles; `faces` is the number of faces in the source.
    pub(crate) fn refuse_empty(&self, triangles: usize, faces: u64) -> Result<(), Failure> {
        if triangles > 0 {
            return Ok(());
        }
        let problem = match faces {
            0 => "it has no faces".to_owned(),
            1 => "its only face cannot be used".to_owned(),
            _ => format!("none of its {} faces can be used", grouped(faces as usize)),
        };
        Err(Failure::NoFaces(format!(
            "{self}: {problem}, so nothing can be hit; estoc info {} shows what it contains",
            shell_word(&self.to_string())
        )))
    }

    /// Refuses to replace files that the mesh consists of, and to go on after an interruption.
    pub(crate) fn check_files<C: Coordinate>(
        &self,
        mesh: &Mesh<C>,
        session: &Session,
    ) -> Result<(), Failure> {
        if let MeshSource::File(path) = self {
            session.check_outputs(&named_files(path, mesh))?;
        }
        session.check_interrupt()
    }

    fn load_any(&self, session: &Session, survey: bool) -> Result<Mesh, Failure> {
        self.refuse_scene()?;
        let mesh = match self {
            MeshSource::Demo(text) => {
                let spec = demo_spec(text)?;
                let _spinner = session.progress("creating", None);
                session.check_room(&format!("demo:{spec}"), spec.bytes_to_make())?;
                spec.mesh()
            }
            MeshSource::File(_) | MeshSource::Stdin | MeshSource::Nodes(_) => {
                let bar = session.progress("reading", Some(1));
                let progress = |now| bar.show(now);
                let loader = session.mesh_loader().progress(&progress);
                match self {
                    // It cannot be read again to find out what rounding did.
                    MeshSource::File(path) if !is_regular(path) => {
                        loader.survey_rounding(true).load(path)?
                    }
                    MeshSource::File(path) => {
                        let mesh = loader.load(path)?;
                        // Where nothing moved, nothing became equal; the survey takes much memory.
                        match survey && mesh.report().rounding.largest_movement > 0.0 {
                            true => loader.survey_rounding(true).load(path)?,
                            false => mesh,
                        }
                    }
                    _ => {
                        let loader = loader.survey_rounding(true);
                        loader.read_from(io::stdin().lock(), "<stdin>")?
                    }
                }
            }
        };
        self.check_files(&mesh, session)?;
        Ok(mesh)
    }
}

/// Returns the warnings of a report, one line each.
pub(crate) fn warnings_of(report: &MeshReport) -> Vec<String> {
    let plain = |warning: &Warning<'_>| without_error_numbers(&warning.to_string());
    report.warnings().iter().map(plain).collect()
}

/// Returns the other files that a mesh consists of: material libraries, buffers and textures.
pub(crate) fn named_files<C: Coordinate>(path: &Path, mesh: &Mesh<C>) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = &mesh.report().named_files;
    let files = named.iter().map(|name| folder.join(name));
    let mut files: Vec<PathBuf> = files.collect();
    // Textures are relative to the folder of their library, or to that of the mesh.
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    folders.extend(files.iter().filter_map(|file| Some(file.parent()?.into())));
    folders.dedup();
    for material in mesh.materials() {
        let textures = [
            &material.ambient_texture,
            &material.diffuse_texture,
            &material.specular_texture,
            &material.normal_texture,
            &material.shininess_texture,
            &material.dissolve_texture,
        ];
        for texture in textures.into_iter().flatten() {
            files.extend(folders.iter().map(|folder| folder.join(texture)));
        }
    }
    files
}

/// Returns whether a file is regular; others, such as pipes, can be read only once.
pub(crate) fn is_regular(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file())
}

fn demo_spec(text: &str) -> Result<DemoSpec, Failure> {
    text.parse::<DemoSpec>().map_err(|source| Failure::Demo {
        spec: text.to_owned(),
        source,
    })
}

/// Quotes text as one word of a POSIX shell, or on Windows of PowerShell and `cmd`, where names of files have no
/// quotes; for `%`, `$` and a grave accent these have no quoting in common.
pub(crate) fn shell_word(text: &str) -> String {
    let more = if cfg!(windows) { r"\" } else { ",@%" };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:=".contains(c) || more.contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else if cfg!(windows) {
        // A `\` before the last quote would stand for the quote.
        let ends = text.len() - text.trim_end_matches('\\').len();
        format!("\"{text}{}\"", r"\".repeat(ends))
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
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

    #[cfg(windows)]
    #[test]
    fn words_survive_the_shell() {
        assert_eq!(shell_word(r"C:\a\b.obj"), r"C:\a\b.obj");
        assert_eq!(shell_word(r"C:\a b\"), "\"C:\\a b\\\\\"");
        assert_eq!(
            shell_word("demo:soup?n=5&seed=1"),
            "\"demo:soup?n=5&seed=1\""
        );
    }
}
