//! `--rule`: what decides which side of a surface a point is on.

use crate::closed::{Closed, not_closed};
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::model_number::ModelNumber;
use crate::scene_model::SceneModel;
use crate::session::Session;
use estoc::Bvh;
use estoc::glam::{DVec3, Vec3};
use estoc::mesh::SurfaceError;
use estoc::query::{Contains, ContainsBy, SignRule};
use estoc_core::{Engine, PointEngine, Triangle64, TriangleCluster};
use estoc_mesh::parts::relative_to;

/// The rule that decides whether a point off the surface is inside.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
pub(crate) enum SideRule {
    /// Exact: a ray to the outside crosses the surface an odd number of times; for closed meshes
    Parity,
    /// Exact: the surface winds around the point more often outwards than inwards; for closed meshes
    /// whose triangles face one side consistently
    Winding,
    /// The solid angle of all triangles is above half of the sphere: also for open meshes, such as
    /// scans, but an estimate
    Estimate,
}

impl From<SideRule> for SignRule {
    fn from(rule: SideRule) -> Self {
        match rule {
            SideRule::Parity => SignRule::Parity,
            SideRule::Winding => SignRule::WindingNumber,
            SideRule::Estimate => SignRule::WindingEstimate,
        }
    }
}

impl SideRule {
    /// Refuses a mesh that has no inside by the rule, and tells if points are rounded.
    pub(crate) fn check<C: ModelNumber>(
        self,
        source: &MeshSource,
        model: &MeshModel<C>,
        session: &Session,
    ) -> Result<(), Failure> {
        if model.frame().is_local() && self != SideRule::Parity {
            session.note(
                "to find their side, points are rounded to f32 in the local frame; a mesh in f64, without a \
                 local frame, needs no rounding, and neither does --rule parity",
            );
        }
        if self == SideRule::Estimate {
            return check_clusters(model.bvh(), session);
        }
        model.check_room_for_edges(session)?;
        let engine = C::engine(model.bvh());
        // The tree keeps the answer, which parity needs again.
        if self == SideRule::Parity && engine.is_closed() {
            return Ok(());
        }
        let edges = engine.surface();
        if let Closed::No(open) = Closed::of(&edges, model, session) {
            return Err(not_closed(source, &format!(": {open}")));
        }
        match edges.check_oriented() {
            Err(SurfaceError::Unpaired { edge }) => {
                let [from, to] = edge.ends.map(|end| C::in_file(model.frame(), end));
                Err(Failure::NotClosed(format!(
                    "{source}: triangles beside each other face different sides, such as at the edge \
                     from {from} to {to}, so there is no winding number; use --rule parity"
                )))
            }
            _ => Ok(()),
        }
    }

    /// Returns which points of the world are inside a scene, or a mesh in a local frame. By parity, the
    /// only rule for a scene, this is exact; else the points are rounded to the coordinates of the frame
    /// first.
    pub(crate) fn inside_world(
        self,
        scene: &SceneModel,
        points: &[DVec3],
        session: &Session,
    ) -> Result<Vec<Option<bool>>, Failure> {
        match scene.mesh() {
            Some(mesh) if self != SideRule::Parity => {
                let origin = mesh.frame().0;
                let local: Vec<Vec3> = points.iter().map(|&p| relative_to(origin, p)).collect();
                self.inside(mesh.bvh(), &local, session)
            }
            _ => Ok(session.batch().ask(scene.world(), Contains, points)?),
        }
    }

    /// Returns which points are inside a mesh.
    pub(crate) fn inside<C: ModelNumber>(
        self,
        bvh: &Bvh<C>,
        points: &[C::Point],
        session: &Session,
    ) -> Result<Vec<Option<bool>>, Failure> {
        Ok(session
            .batch()
            .ask(C::engine(bvh), ContainsBy(self.into()), points)?)
    }
}

/// Checks that there is memory for what estimates need of all triangles, which the first one makes.
fn check_clusters<C: ModelNumber>(bvh: &Bvh<C>, session: &Session) -> Result<(), Failure> {
    let corners = bvh.triangle_count() * size_of::<Triangle64>() * 3;
    let clusters = bvh.stats().nodes * 8 * size_of::<TriangleCluster>();
    session.check_room("estimating winding numbers", corners + clusters)
}
