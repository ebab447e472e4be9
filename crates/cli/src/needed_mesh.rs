//! Meshes in the numbers that the user chose or that they need.

use crate::failure::Failure;
use crate::local_frame;
use crate::mesh_source::{MeshSource, warnings_of};
use crate::precision::Precision;
use crate::session::Session;
use estoc::Mesh;
use estoc_core::Coordinate;
use estoc_mesh::parts::NeededMesh;
use std::io;

impl MeshSource {
    /// Loads a mesh in the numbers that the user chose or that it needs; as [`MeshSource::load`] else.
    pub(crate) fn load_in_precision(&self, session: &Session) -> Result<NeededMesh, Failure> {
        self.load_as(session.precision(), session)
    }

    /// Loads a mesh in the numbers that are wanted or that it needs. Rejects one without triangles.
    pub(crate) fn load_as(
        &self,
        wanted: Precision,
        session: &Session,
    ) -> Result<NeededMesh, Failure> {
        self.load_needed(wanted, session, false)
    }

    /// Loads a mesh in the numbers that are wanted or that it needs, also one without triangles.
    pub(crate) fn load_even_empty(
        &self,
        wanted: Precision,
        session: &Session,
    ) -> Result<NeededMesh, Failure> {
        self.load_needed(wanted, session, true)
    }

    fn load_needed(
        &self,
        wanted: Precision,
        session: &Session,
        may_be_empty: bool,
    ) -> Result<NeededMesh, Failure> {
        self.refuse_scene()?;
        let needs_f64 = wanted == Precision::F64;
        // These make corners of `f32`s, about whose rounding there may be a warning.
        let makes_f32 = session.has_local_frame() || session.welds();
        let load_f32 = || match may_be_empty {
            true => self.survey_even_empty(session),
            false => self.load_f32(session),
        };
        if wanted == Precision::F32 || (makes_f32 && !needs_f64) {
            return load_f32().map(NeededMesh::F32);
        }
        // Those of a scene file may say otherwise, and a local frame is for the others then.
        if session.precision() == Precision::F64 && session.has_local_frame() {
            return Err(Failure::Usage(
                "--precision f64 keeps every digit without a local frame; leave out --local-frame"
                    .into(),
            ));
        }
        let bar = session.progress("reading", Some(1));
        let progress = |now| bar.show(now);
        let loader = session.mesh_loader().progress(&progress);
        let stdin = || (io::stdin().lock(), "<stdin>");
        let loaded = match self {
            MeshSource::Demo(_) | MeshSource::Nodes(_) => {
                drop(bar);
                let mesh = load_f32()?;
                return Ok(match needs_f64 {
                    true => mesh.into_f64()?.into(),
                    false => NeededMesh::F32(mesh),
                });
            }
            MeshSource::File(path) if needs_f64 => loader.load_f64(path)?.into(),
            MeshSource::File(path) => loader.load_as_needed(path)?,
            MeshSource::Stdin if needs_f64 => {
                let (input, name) = stdin();
                loader.read_from_f64(input, name)?.into()
            }
            MeshSource::Stdin => {
                let (input, name) = stdin();
                loader.read_from_as_needed(input, name)?
            }
        };
        drop(bar);
        match &loaded {
            NeededMesh::F32(mesh) => self.accept(mesh, session, may_be_empty)?,
            NeededMesh::F64 { mesh, .. } => self.accept(mesh, session, may_be_empty)?,
        }
        if let NeededMesh::F64 {
            loss, median_edge, ..
        } = &loaded
            && let Some(loss) = local_frame::needs_f64(loss, *median_edge)
        {
            session.note(format_args!("{self}: {loss}"));
        }
        Ok(loaded)
    }

    /// Rejects a mesh without triangles unless it may be empty, and prints the warnings about it.
    fn accept<C: Coordinate>(
        &self,
        mesh: &Mesh<C>,
        session: &Session,
        may_be_empty: bool,
    ) -> Result<(), Failure> {
        self.check_files(mesh, session)?;
        if !may_be_empty {
            self.refuse_empty(mesh.triangle_count(), mesh.report().faces)?;
        }
        for warning in warnings_of(mesh.report()) {
            session.note(format_args!("{self}: {warning}"));
        }
        Ok(())
    }
}
