//! Welds corners that are near each other, when it is asked for.

mod clusters;
mod corners;
mod distance;
mod least_distance;
mod open_edges;
mod point_tree;

use crate::assemble::survey;
use crate::error::{Location, MeshError};
use crate::mesh::Mesh;
use crate::report::weld::WeldReport;
use clusters::CornerClusters;
use corners::Corners;
use distance::{Position, WeldReach};
use estoc_core::glam::Vec3;
use estoc_core::{CancelToken, Triangle};
use estoc_system::{Arena, NoMemory, collected};
use least_distance::{check_edges, largest_distance, least_distance};
use point_tree::PointTree;

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
    /// let mesh = Mesh::try_new(corners, [[0, 1, 2], [1, 0, 3]])?.welded(Weld::Auto)?;
    /// assert_eq!(mesh.positions()[3], mesh.positions()[2]);
    /// assert_eq!(mesh.report().weld.unwrap().moved_vertices, 1);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn welded(self, weld: impl Into<Weld>) -> Result<Mesh, MeshError> {
        welded(self, weld.into(), &CancelToken::new())
    }
}

/// Returns a mesh welded; does what [`Mesh::welded`] says.
pub(crate) fn welded(mesh: Mesh, weld: Weld, cancel: &CancelToken) -> Result<Mesh, MeshError> {
    let corners = Corners::of(&mesh, cancel)?;
    let (distance, mut clusters) = match weld {
        Weld::Auto => closing(&mesh, &corners, cancel)?,
        Weld::Within(distance) if !(0.0..f64::INFINITY).contains(&distance) => {
            let at = Location::default();
            return Err(MeshError::WeldDistance { at, distance });
        }
        Weld::Within(distance) => (distance, clusters(&corners, distance, cancel)?),
    };
    join(mesh, &corners, &mut clusters, distance, cancel)
}

/// Returns the least distance that closes a mesh with an open edge between these ends, as
/// [`Weld::Auto`] finds it; `None` if there is none.
///
/// # Errors
/// [`MeshError::NoMemory`] and [`MeshError::Cancelled`].
pub fn closing_distance(
    mesh: &Mesh,
    open_edge: [Vec3; 2],
    cancel: &CancelToken,
) -> Result<Option<f64>, MeshError> {
    // Nothing closes the edge unless an end of it is joined with another corner. So most open meshes
    // are told in one pass.
    let reach = WeldReach::new(largest_distance(mesh));
    let position = |p: Vec3| (p + Vec3::ZERO).to_array();
    let ends = open_edge.map(position);
    let is_beside = |at: Position| ends.iter().any(|&end| at != end && reach.holds(at, end));
    let mut finite = mesh.positions().iter().filter(|p| p.is_finite());
    if !finite.any(|p| is_beside(position(*p))) {
        return Ok(None);
    }
    match closing(mesh, &Corners::of(mesh, cancel)?, cancel) {
        Ok((distance, _)) => Ok(Some(distance)),
        Err(MeshError::NotWelded { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the least distance that closes a mesh, and its clusters.
fn closing(
    mesh: &Mesh,
    corners: &Corners,
    cancel: &CancelToken,
) -> Result<(f64, CornerClusters), MeshError> {
    let distance = least_distance(mesh, corners, cancel)?;
    let mut clusters = clusters(corners, distance, cancel)?;
    check_edges(mesh, corners, &mut clusters, distance)?;
    Ok((distance, clusters))
}

fn clusters(
    corners: &Corners,
    distance: f64,
    cancel: &CancelToken,
) -> Result<CornerClusters, MeshError> {
    let tree = PointTree::new(corners.points.iter().copied(), cancel)?;
    CornerClusters::of(
        &tree,
        corners.points.len(),
        WeldReach::new(distance),
        cancel,
    )
}

/// Moves the corners of each cluster to its least position.
fn join(
    mut mesh: Mesh,
    corners: &Corners,
    clusters: &mut CornerClusters,
    distance: f64,
    cancel: &CancelToken,
) -> Result<Mesh, MeshError> {
    let mut report = measured(corners, clusters, distance)?;
    if report.clusters == 0 {
        mesh.report.weld = Some(report);
        return Ok(mesh);
    }
    let old = mesh.positions();
    let mut new = Arena::zeroed(old.len()).ok_or(NoMemory)?;
    new.copy_from_slice(old);
    for (position, &id) in new.iter_mut().zip(&corners.of_vertex) {
        if id != Corners::UNUSED && clusters.find(id) != id {
            *position = Vec3::from(corners.position(clusters.find(id)));
            report.moved_vertices += 1;
        }
    }
    for triangle in mesh.indices() {
        let is_flat = |of: &[Vec3]| {
            let [a, b, c] = triangle.map(|vertex| of[vertex as usize]);
            Triangle::new(a, b, c).is_degenerate()
        };
        let ids = corners.of_triangle(triangle);
        let has_moved = ids.iter().any(|&id| clusters.find(id) != id);
        let is_flattened = has_moved && !is_flat(old) && is_flat(&new);
        report.flattened_triangles += u64::from(is_flattened);
    }
    MeshError::check_cancelled(cancel)?;
    mesh.report.weld = Some(report);
    mesh.buffers = mesh.buffers.with_positions(new);
    let face_lines = core::mem::take(&mut mesh.face_lines);
    survey::bounds_and_degenerate(&mut mesh, &face_lines);
    MeshError::check_cancelled(cancel)?;
    mesh.report.duplicate = survey::duplicates(&mesh, mesh.positions(), &face_lines)?;
    mesh.face_lines = face_lines;
    Ok(mesh)
}

/// Counts the clusters of several positions, and measures their boxes.
fn measured(
    corners: &Corners,
    clusters: &mut CornerClusters,
    distance: f64,
) -> Result<WeldReport, NoMemory> {
    // By the number of the least position.
    let mut boxes = collected(corners.points.iter().map(|point| [point.at; 2]))?;
    for point in &corners.points {
        let [low, high] = &mut boxes[clusters.find(point.id) as usize];
        for axis in 0..3 {
            low[axis] = low[axis].min(point.at[axis]);
            high[axis] = high[axis].max(point.at[axis]);
        }
    }
    let mut report = WeldReport {
        distance,
        ..WeldReport::default()
    };
    for [low, high] in boxes {
        // Rounded once.
        let sides = [0, 1, 2].map(|axis| f64::from(high[axis]) - f64::from(low[axis]));
        report.clusters += u64::from(low != high);
        report.widest = sides.into_iter().fold(report.widest, f64::max);
    }
    Ok(report)
}
