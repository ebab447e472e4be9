//! The sources of a mesh's triangles as plain numbers, for storing a mesh and restoring it.

use crate::error::MeshError;
use crate::mesh::Labels;
use crate::mesh::Mesh;
use crate::mesh::buffers::Buffers;
use crate::mesh::corner_values::CornerValues;
use crate::mesh::face_run::FaceRun;
use crate::mesh::material::Material;
use crate::mesh::wide_positions::WidePositions;
use crate::report::MeshReport;
use crate::value_runs::{NumberRuns, ValueRuns};
use estoc_core::Coordinate;
use estoc_core::glam::DVec3;
use estoc_system::NoMemory;

/// Runs: where each begins, and what holds from there on. The starts ascend.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// First triangle, its face, and the number of triangles per face.
    pub faces: Vec<[u64; 3]>,
    /// First face, and its line.
    pub lines: Vec<[u64; 2]>,
    /// First triangle, and the index of the object; [`Sources::NONE`] for none.
    pub objects: Vec<[u64; 2]>,
    /// The same for groups.
    pub groups: Vec<[u64; 2]>,
    /// The same for materials.
    pub materials: Vec<[u64; 2]>,
}

impl Sources {
    /// No name.
    pub const NONE: u64 = u64::MAX;
}

/// The names that the runs refer to.
#[derive(Clone, Debug, Default)]
pub struct NameLists {
    /// The objects.
    pub objects: Vec<String>,
    /// The groups.
    pub groups: Vec<String>,
    /// The materials.
    pub materials: Vec<Material>,
}

/// Returns the run that contains a number.
pub fn run_at<const N: usize>(runs: &[[u64; N]], number: u64) -> Option<&[u64; N]> {
    let after = runs.partition_point(|run| run[0] <= number);
    // If the starts do not ascend, the result may be any run.
    runs.get(after.checked_sub(1)?)
        .filter(|run| run[0] <= number)
}

fn label_runs<T>(labels: &Labels<T>) -> Vec<[u64; 2]> {
    let run = |&(start, name): &(usize, Option<u32>)| {
        [start as u64, name.map_or(Sources::NONE, u64::from)]
    };
    labels.runs.changes().iter().map(run).collect()
}

fn labels<T>(all: Vec<T>, runs: &[[u64; 2]]) -> Result<Labels<T>, NoMemory> {
    let runs = runs.iter();
    let runs =
        ValueRuns::of(runs.map(|&[start, name]| (start as usize, u32::try_from(name).ok())))?;
    Ok(Labels { all, runs })
}

/// Returns the sources of a mesh's triangles.
pub fn sources<C: Coordinate>(mesh: &Mesh<C>) -> Sources {
    // Runs may follow the last triangle, for faces without triangles.
    let triangles = mesh.triangle_count();
    let within = |runs: Vec<[u64; 2]>| -> Vec<[u64; 2]> {
        { runs.into_iter() }
            .take_while(|[start, _]| *start < triangles as u64)
            .collect()
    };
    let faces = mesh.faces.changes().iter();
    let lines = mesh.face_lines.changes().iter();
    Sources {
        faces: faces
            .map(|(start, run)| [*start as u64, run.face, run.per_face.into()])
            .collect(),
        lines: lines.map(|&(face, line)| [face, line]).collect(),
        objects: within(label_runs(&mesh.objects)),
        groups: within(label_runs(&mesh.groups)),
        materials: within(label_runs(&mesh.materials)),
    }
}

/// Returns the mesh of parts that must fit together: the positions of `buffers` lie in the frame of those in `f64`,
/// if there are any. Its report has the numbers of vertices and faces only.
///
/// # Errors
/// [`MeshError::NoMemory`].
pub fn mesh_of<C: Coordinate>(
    (buffers, wide): (Buffers, C::Beside<WidePositions>),
    bounds: C::Bounds,
    faces: u64,
    sources: &Sources,
    names: NameLists,
) -> Result<Mesh<C>, MeshError> {
    let runs = ValueRuns::of(sources.faces.iter().map(|&[start, face, per_face]| {
        let per_face = u32::try_from(per_face).unwrap_or(u32::MAX).max(1);
        (start as usize, FaceRun { face, per_face })
    }))?;
    let mut lines = NumberRuns::default();
    for &[face, line] in &sources.lines {
        lines.push(face, line)?;
    }
    let report = MeshReport {
        vertices: buffers.positions().len() as u64,
        faces,
        ..MeshReport::default()
    };
    Ok(Mesh {
        buffers,
        wide,
        origin: DVec3::ZERO,
        bounds,
        report,
        faces: runs,
        face_lines: lines,
        objects: labels(names.objects, &sources.objects)?,
        groups: labels(names.groups, &sources.groups)?,
        materials: labels(names.materials, &sources.materials)?,
        texcoords: CornerValues::default(),
        normals: CornerValues::default(),
    })
}
