//! Loads what the page shows, and again when its files change.

use super::opened_model::OpenedModel;
use super::refuse_streams;
use crate::failure::Failure;
use crate::file_stamps::stamps_of;
use crate::mesh_model::{KnownMesh, MeshModel};
use crate::mesh_source::{MeshSource, named_files, warnings_of};
use crate::scene_model::SceneModel;
use crate::scene_parts::SceneParts;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::view_args;
use estoc::glam::Vec3;
use estoc_core::Coordinate;
use estoc_mesh::parts::without_error_numbers;
use estoc_picture::Size;
use estoc_view::ModelState;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How often files are looked at. A file is loaded when it was the same at two looks.
const LOOK: Duration = Duration::from_millis(400);
/// How often the loader looks whether it is cancelled.
const CANCELLED: Duration = Duration::from_millis(50);

pub(super) struct Loader<'a> {
    pub(super) source: &'a MeshSource,
    pub(super) tree: TreeArgs,
    pub(super) up: Option<Vec3>,
    pub(super) is_watching: bool,
    pub(super) session: &'a Session,
    pub(super) state: &'a ModelState,
}

impl Loader<'_> {
    /// Loads, and watches until it is cancelled if that was asked.
    ///
    /// # Errors
    /// Those of loading; while watching, they are shown on the page instead.
    pub(super) fn run(&self) -> Result<(), Failure> {
        let mut files: Vec<PathBuf> = self
            .source
            .files()
            .into_iter()
            .map(ToOwned::to_owned)
            .collect();
        let mut loaded = stamps_of(&files);
        let mut warnings = None;
        match self.load(&mut files, &mut warnings) {
            Ok(()) => {}
            Err(failure) if !self.is_watching => return Err(failure),
            Err(failure) => self.tell(&failure)?,
        }
        if !self.is_watching {
            return Ok(());
        }
        loaded.extend(stamps_of(&files[loaded.len()..]));
        let mut before = loaded.clone();
        while self.wait() {
            let now = stamps_of(&files);
            if now != loaded && now == before {
                if let Err(failure) = self.load(&mut files, &mut warnings) {
                    self.tell(&failure)?;
                }
                loaded = now;
                loaded.extend(stamps_of(&files[loaded.len()..]));
            }
            before = stamps_of(&files);
        }
        Ok(())
    }

    /// Loads and shows the model, and adds the other files that it consists of. Warnings that there were
    /// not the last time are shown: of a file that was cut off, all whole lines may be read.
    fn load(
        &self,
        files: &mut Vec<PathBuf>,
        before: &mut Option<Vec<String>>,
    ) -> Result<(), Failure> {
        if self.is_watching {
            refuse_streams(self.source)?;
        }
        let scene = SceneModel::open(self.source, self.tree, self.session)?;
        let mut warnings = Vec::new();
        let mut others = scene.parts().map_or(Vec::new(), SceneParts::files);
        if let MeshSource::File(path) = self.source {
            let narrow = scene.mesh().and_then(|mesh| told_of(path, mesh));
            let wide = || scene.wide().and_then(|mesh| told_of(path, mesh));
            if let Some(told) = narrow.or_else(wide) {
                (warnings, others) = told;
            }
        }
        for file in others {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        let size =
            Size::try_new(640, 480).unwrap_or_else(|_| unreachable!("a size that is allowed"));
        let view = view_args::Args::of_up(size, self.up);
        let view = view.view(scene.target(), scene.frame(), self.session)?;
        let model = OpenedModel::new(scene, self.source, self.tree, self.session);
        self.state.show(Arc::new(model), view);
        let is_new = before.as_ref().is_some_and(|before| *before != warnings);
        if is_new && !warnings.is_empty() {
            self.state.fail(warnings.join("; "));
        }
        *before = Some(warnings);
        Ok(())
    }

    /// Shows a failure on the page, and tells it on stderr.
    fn tell(&self, failure: &Failure) -> Result<(), Failure> {
        self.session.check_interrupt()?;
        self.session.note(format_args!("{failure}"));
        self.state.fail(without_error_numbers(&failure.to_string()));
        Ok(())
    }

    /// Waits until the next look. Returns whether there is one.
    fn wait(&self) -> bool {
        for _ in 0..LOOK.as_millis() / CANCELLED.as_millis() {
            if self.session.cancel.is_cancelled() {
                return false;
            }
            std::thread::sleep(CANCELLED);
        }
        true
    }
}

/// Returns the warnings about a mesh file, and the other files that it consists of; `None` for a tree file.
fn told_of<C: Coordinate>(
    path: &Path,
    model: &MeshModel<C>,
) -> Option<(Vec<String>, Vec<PathBuf>)> {
    match &model.known {
        KnownMesh::Mesh(mesh) => Some((warnings_of(mesh.report()), named_files(path, mesh))),
        KnownMesh::File(_) => None,
    }
}
