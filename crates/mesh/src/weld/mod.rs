//! Welds corners that are near each other, when it is asked for.

mod clusters;
mod corners;
mod distance;
mod least_distance;
mod open_edges;
mod point_tree;
pub(crate) mod work;

use crate::assemble::survey;
use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::report::weld::WeldReport;
use clusters::Clusters;
use corners::Corners;
use distance::{Position, Reach};
use estoc_core::glam::Vec3;
use estoc_core::{PrimId, Triangle};
use estoc_memory::Arena;
use least_distance::{check_edges, largest_distance, least_distance};
use point_tree::PointTree;
use work::Work;

/// The corners that [`MeshLoader::weld`](crate::MeshLoader::weld) and [`Mesh::welded`] join.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Weld {
    /// Those within the least distance that closes the mesh: the least `f64` for which every edge of
    /// the welded mesh is used an even number of times; 0 for a mesh that is closed.
    ///
    /// It is an error if that is more than 1e-6 of the longest side of the mesh's bounds, or not below
    /// half of the shortest edge that stays.
    Auto,
    /// Those at most this far apart; the distance must be finite and not negative.
    Within(f64),
}

impl From<f64> for Weld {
    fn from(distance: f64) -> Self {
        Weld::Within(distance)
    }
}

impl Mesh {
    /// Returns the mesh with corners that are near each other joined, for seams that are open only by
    /// the noise of the program that wrote them.
    ///
    /// Corners of triangles whose exact distance is at most that of the [`Weld`] are connected, as is
    /// what chains of such distances connect. Every corner of such a cluster gets the same position, the
    /// least of them by x, then y, then z, so that neither the order of the file nor threads matter.
    /// Triangles keep their numbers, names, texture coordinates and normals; those that lose their area
    /// stay, and are never hit. Polygons have become triangles before. Vertices that no triangle uses
    /// stay where they are. [`MeshReport::weld`](crate::MeshReport::weld) has the counts.
    ///
    /// # Errors
    /// [`MeshError::WeldDistance`] for a distance that is negative or not finite,
    /// [`MeshError::NotWelded`] where [`Weld::Auto`] has no distance, and [`MeshError::NoMemory`].
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{Mesh, io::Weld};
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 2.7e-16]];
    /// let mesh = Mesh::new(corners, [[0, 1, 2], [1, 0, 3]])?.welded(Weld::Auto)?;
    /// assert_eq!(mesh.positions()[3], mesh.positions()[2]);
    /// assert_eq!(mesh.report().weld.unwrap().moved_vertices, 1);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn welded(self, weld: impl Into<Weld>) -> Result<Mesh, MeshError> {
        let work = Work {
            name: None,
            proceed: &|| Ok(()),
        };
        welded(self, weld.into(), &work)
    }
}

/// Returns a mesh welded; does what [`Mesh::welded`] says.
pub(crate) fn welded(mesh: Mesh, weld: Weld, work: &Work<'_>) -> Result<Mesh, MeshError> {
    let corners = Corners::of(&mesh, work)?;
    let (distance, mut clusters) = match weld {
        Weld::Auto => closing(&mesh, &corners, work)?,
        Weld::Within(distance) if !(0.0..f64::INFINITY).contains(&distance) => {
            return Err(MeshError::WeldDistance {
                at: work.at(),
                distance,
            });
        }
        Weld::Within(distance) => (distance, clusters(&corners, distance, work)?),
    };
    join(mesh, &corners, &mut clusters, distance, work)
}

/// Returns the least distance that closes a mesh with an open edge between these ends, as
/// [`Weld::Auto`] finds it; `None` if there is none.
pub(crate) fn closing_distance(
    mesh: &Mesh,
    open_edge: [Vec3; 2],
    work: &Work<'_>,
) -> Result<Option<f64>, MeshError> {
    // Nothing closes the edge unless an end of it is joined with another corner. So most open meshes
    // are told in one pass.
    let reach = Reach::new(largest_distance(mesh));
    let position = |p: Vec3| (p + Vec3::ZERO).to_array();
    let ends = open_edge.map(position);
    let is_beside = |at: Position| ends.iter().any(|&end| at != end && reach.holds(at, end));
    let mut finite = mesh.positions().iter().filter(|p| p.is_finite());
    if !finite.any(|p| is_beside(position(*p))) {
        return Ok(None);
    }
    match closing(mesh, &Corners::of(mesh, work)?, work) {
        Ok((distance, _)) => Ok(Some(distance)),
        Err(MeshError::NotWelded { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the least distance that closes a mesh, and its clusters.
fn closing(mesh: &Mesh, corners: &Corners, work: &Work<'_>) -> Result<(f64, Clusters), MeshError> {
    let distance = least_distance(mesh, corners, work)?;
    let mut clusters = clusters(corners, distance, work)?;
    check_edges(mesh, corners, &mut clusters, distance, work)?;
    Ok((distance, clusters))
}

fn clusters(corners: &Corners, distance: f64, work: &Work<'_>) -> Result<Clusters, MeshError> {
    let tree = PointTree::new(corners.points.iter().copied(), work)?;
    Clusters::of(&tree, corners.points.len(), Reach::new(distance), work)
}

/// Moves the corners of each cluster to its least position.
fn join(
    mut mesh: Mesh,
    corners: &Corners,
    clusters: &mut Clusters,
    distance: f64,
    work: &Work<'_>,
) -> Result<Mesh, MeshError> {
    let mut report = WeldReport::new(distance);
    measure(corners, clusters, &mut report, work)?;
    if report.clusters == 0 {
        mesh.report.weld = Some(report);
        return Ok(mesh);
    }
    let old = mesh.positions();
    MeshError::check_room(size_of_val(old), || work.at())?;
    let mut new = Arena::zeroed(old.len()).ok_or_else(|| work.no_memory())?;
    new.copy_from_slice(old);
    for (position, &id) in new.iter_mut().zip(&corners.of_vertex) {
        if id != Corners::UNUSED && clusters.find(id) != id {
            *position = Vec3::from(corners.position(clusters.find(id)));
            report.moved_vertices += 1;
        }
    }
    for (prim, &triangle) in mesh.indices().iter().enumerate() {
        let ids = corners.of_triangle(&triangle);
        if ids.iter().all(|&id| clusters.find(id) == id) {
            continue;
        }
        let [a, b, c] = triangle.map(|vertex| new[vertex as usize]);
        let before = PrimId::from_index(prim).and_then(|prim| mesh.triangle(prim));
        if before.is_some_and(|before| !before.is_degenerate())
            && Triangle::new(a, b, c).is_degenerate()
        {
            report.flattened_triangles += 1;
        }
    }
    work.proceed()?;
    mesh.report.weld = Some(report);
    mesh.buffers = mesh.buffers.with_positions(new);
    let face_lines = core::mem::take(&mut mesh.face_lines);
    survey::bounds_and_degenerate(&mut mesh, &face_lines);
    work.proceed()?;
    survey::duplicates(&mut mesh, &face_lines)?;
    mesh.face_lines = face_lines;
    work.proceed()?;
    Ok(mesh)
}

/// Counts the clusters of several positions, and measures their boxes.
fn measure(
    corners: &Corners,
    clusters: &mut Clusters,
    report: &mut WeldReport,
    work: &Work<'_>,
) -> Result<(), MeshError> {
    let ids = 0..corners.points.len() as u32;
    let count = ids.clone().filter(|&id| clusters.find(id) != id).count();
    let mut moved: Vec<[u32; 2]> = work.reserved(count)?;
    moved.extend(
        ids.map(|id| [clusters.find(id), id])
            .filter(|[a, b]| a != b),
    );
    moved.sort_unstable();
    for cluster in moved.chunk_by(|a, b| a[0] == b[0]) {
        let least = corners.position(cluster[0][0]);
        let (mut low, mut high) = (least, least);
        for &[_, id] in cluster {
            let position = corners.position(id);
            low = [0, 1, 2].map(|axis| f32::min(low[axis], position[axis]));
            high = [0, 1, 2].map(|axis| f32::max(high[axis], position[axis]));
        }
        report.clusters += 1;
        report.widest = report.widest.max(longest_side(low, high));
    }
    Ok(())
}

/// Returns the longest side of a box, rounded once.
fn longest_side(low: Position, high: Position) -> f64 {
    let sides = [0, 1, 2].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
    sides.into_iter().fold(0.0, f64::max)
}
