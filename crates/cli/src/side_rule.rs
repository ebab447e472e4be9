//! `--rule`: what decides which side of a surface a point is on.

use crate::closed::{Closed, not_closed};
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::scene_model::SceneModel;
use crate::session::Session;
use crate::value_name::name_of;
use estoc::glam::{DVec3, Vec3};
use estoc::mesh::SurfaceError;
use estoc::query::{Contains, ContainsBy, SignRule};
use estoc::{BatchError, Bvh};
use estoc_core::TriangleCluster;
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
    /// Returns what does not apply to a mesh in `f64`, if anything.
    pub(crate) fn refuses_f64(self) -> Option<String> {
        (self != SideRule::Parity).then(|| format!("--rule {} takes corners", name_of(&self)))
    }

    /// Refuses a mesh that has no inside by the rule, and tells if points are rounded.
    pub(crate) fn check(
        self,
        source: &MeshSource,
        model: &MeshModel,
        session: &Session,
    ) -> Result<(), Failure> {
        if model.frame().is_local() && self != SideRule::Parity {
            session.note(
                "to find their side, points are rounded to f32 in the local frame; only --rule parity \
                 needs no rounding",
            );
        }
        if self == SideRule::Estimate {
            return check_clusters(model.bvh(), session);
        }
        model.check_room_for_edges(session)?;
        // The tree keeps the answer, which parity needs again.
        if self == SideRule::Parity && model.bvh().is_closed() {
            return Ok(());
        }
        let edges = model.bvh().surface();
        if let Closed::No(open) = Closed::of(&edges, model, session) {
            return Err(not_closed(source, &format!(": {open}")));
        }
        match edges.check_oriented() {
            Err(SurfaceError::Unpaired { edge }) => {
                let [from, to] = edge.ends.map(|end| model.frame().world(end));
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
    pub(crate) fn inside(
        self,
        bvh: &Bvh,
        points: &[Vec3],
        session: &Session,
    ) -> Result<Vec<Option<bool>>, Failure> {
        let question = ContainsBy(self.into());
        question.check_surface(bvh).map_err(BatchError::from)?;
        Ok(session.batch().ask(bvh, question, points)?)
    }
}

/// Refuses a mesh in `f64` that has no inside by parity.
pub(crate) fn check_closed(
    source: &MeshSource,
    model: &MeshModel<f64>,
    session: &Session,
) -> Result<(), Failure> {
    model.check_room_for_edges(session)?;
    match model.bvh().is_closed() {
        true => Ok(()),
        false => Err(not_closed(source, "")),
    }
}

/// Checks that there is memory for what estimates need of all triangles, which the first one makes.
fn check_clusters(bvh: &Bvh, session: &Session) -> Result<(), Failure> {
    let corners = bvh.triangle_count() * 36 * 3;
    let clusters = bvh.stats().nodes * 8 * size_of::<TriangleCluster>();
    session.check_room("estimating winding numbers", corners + clusters)
}
