//! Loads meshes in `f32`, or in `f64` where `f32` would change their shape.

use super::MeshLoader;
use super::input::LoaderInput;
use crate::error::{Location, MeshError};
use crate::mesh::Mesh;
use crate::mesh::median_edge::{is_within_median_edge, median_edge};
use crate::packing::{self, Limited};
use crate::report::rounding::RoundingLoss;
use estoc_system::read_to_end;
use std::io::{self, Read};
use std::path::Path;

/// A mesh in the numbers that it needs; made by [`MeshLoader::load_as_needed`].
#[derive(Clone, Debug)]
pub enum NeededMesh {
    /// Rounding changes nothing that matters.
    F32(Mesh),
    /// Rounding would change the shape.
    F64 {
        /// The mesh, which is not rounded to `f32`.
        mesh: Mesh<f64>,
        /// What rounding to `f32` would do.
        loss: RoundingLoss,
        /// The median length of edges.
        median_edge: f64,
    },
}

/// A mesh that is in `f64` because it was asked for so.
impl From<Mesh<f64>> for NeededMesh {
    fn from(mesh: Mesh<f64>) -> Self {
        NeededMesh::F64 {
            mesh,
            loss: RoundingLoss::default(),
            median_edge: 0.0,
        }
    }
}

/// The largest movement by rounding to `f32`, in median edges, that does not matter.
const MOST_MOVEMENT: f64 = 1.0 / 4096.0;

/// What rounding does to a number that is too large.
const BEYOND_F32: RoundingLoss = RoundingLoss {
    largest_movement: f64::INFINITY,
    merged_corners: None,
    bounds_in_file: None,
};

impl MeshLoader<'_> {
    /// Loads a file as [`load`](MeshLoader::load) does, unless rounding to `f32` makes corners equal that differ, or
    /// moves one by more than 2^-12 of the median edge; then as [`load_f64`](MeshLoader::load_f64) does.
    ///
    /// In a [local frame](MeshLoader::local_frame), and where corners are to be welded, the mesh is one of `f32`s. A file
    /// is read twice if it needs `f64`; a stream is held in memory while this is found out.
    ///
    /// # Errors
    /// Those of [`load`](MeshLoader::load).
    ///
    /// ```
    /// use estoc_mesh::{MeshLoader, parts::NeededMesh};
    /// let wall = |y: f64| format!("v 0 {y} 0\nv 1 {y} 0\nv 0 {y} 1\nf 1 2 3\n");
    /// let load = |y| MeshLoader::new().read_from_as_needed(wall(y).as_bytes(), "wall.obj");
    /// assert!(matches!(load(0.1)?, NeededMesh::F32(_)));
    /// assert!(matches!(load(5_200_000.1)?, NeededMesh::F64 { .. }));
    /// # Ok::<(), estoc_mesh::MeshError>(())
    /// ```
    pub fn load_as_needed(&self, path: impl AsRef<Path>) -> Result<NeededMesh, MeshError> {
        let path = path.as_ref();
        if self.makes_f32() {
            return self.load(path).map(NeededMesh::F32);
        }
        let name = path.display().to_string();
        let input = LoaderInput::open(path, &name)?;
        match input.length {
            Some(_) => self.as_needed(|loader| loader.load(path), |loader| loader.load_f64(path)),
            None => self.all_as_needed(input),
        }
    }

    /// Reads a stream, as [`read_from`](MeshLoader::read_from) does; see
    /// [`load_as_needed`](MeshLoader::load_as_needed).
    ///
    /// # Errors
    /// Those of [`read_from`](MeshLoader::read_from).
    pub fn read_from_as_needed(
        &self,
        reader: impl Read,
        name: &str,
    ) -> Result<NeededMesh, MeshError> {
        match self.makes_f32() {
            true => self.read_from(reader, name).map(NeededMesh::F32),
            false => self.all_as_needed(LoaderInput::of_stream(reader, name)?),
        }
    }

    /// Returns whether what is asked of the mesh makes corners of `f32`s.
    fn makes_f32(&self) -> bool {
        self.local_frame.is_some() || self.weld.is_some()
    }

    fn as_needed(
        &self,
        load: impl FnOnce(&Self) -> Result<Mesh, MeshError>,
        load_f64: impl Fn(&Self) -> Result<Mesh<f64>, MeshError>,
    ) -> Result<NeededMesh, MeshError> {
        let beyond = |mesh| NeededMesh::F64 {
            mesh,
            loss: BEYOND_F32,
            median_edge: 0.0,
        };
        let mesh = match load(&self.clone().survey_rounding(true)) {
            // A number that is too large for `f32`, unless it is none for `f64` either.
            Err(error @ MeshError::NonFiniteVertex { .. }) => {
                return load_f64(self).map(beyond).map_err(|_| error);
            }
            loaded => loaded?,
        };
        let lost = mesh.report().non_finite_used.count();
        if lost > 0 {
            let wide = load_f64(self)?;
            if wide.report().non_finite_used.count() < lost {
                return Ok(beyond(wide));
            }
        }
        let loss = mesh.report().rounding;
        let is_equal = loss.merged_corners.unwrap_or(0) > 0;
        if !is_equal && is_within_median_edge(&mesh, loss.largest_movement, MOST_MOVEMENT) {
            return Ok(NeededMesh::F32(mesh));
        }
        let median_edge = median_edge(&mesh).unwrap_or(f64::INFINITY);
        drop(mesh);
        let mesh = load_f64(self)?;
        Ok(NeededMesh::F64 {
            mesh,
            loss,
            median_edge,
        })
    }

    fn all_as_needed(&self, input: LoaderInput<'_>) -> Result<NeededMesh, MeshError> {
        let (name, folder) = (input.name, input.folder);
        let bytes = self.all_bytes(input)?;
        let input = || LoaderInput {
            folder,
            ..LoaderInput::of_bytes(&bytes, name)
        };
        self.as_needed(
            |loader| loader.welded(loader.run(input())?.narrow, name),
            |loader| loader.in_f64(name)?.run(input())?.into_f64(),
        )
    }

    /// Reads a stream to its end.
    pub(super) fn all_bytes(&self, input: LoaderInput<'_>) -> Result<Vec<u8>, MeshError> {
        let mut bytes = Vec::new();
        let all = io::Cursor::new(input.head).chain(input.rest);
        let all = Limited::new(all, self.max_input.unwrap_or(u64::MAX));
        read_to_end(all, &mut bytes)
            .map_err(|source| packing::io_error(Location::of_file(input.name), source))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BadFaces;

    /// Returns whether a mesh needs `f64`.
    fn needs_f64(loader: &MeshLoader<'_>, text: &str) -> Result<bool, MeshError> {
        let loaded = loader.read_from_as_needed(text.as_bytes(), "a.obj")?;
        Ok(matches!(loaded, NeededMesh::F64 { .. }))
    }

    #[test]
    fn tiny_and_huge_meshes_need_f64() {
        let loader = MeshLoader::new();
        for size in ["1e-200", "1e-60", "1e60", "1e300"] {
            let text = format!("v 0 0 0\nv {size} 0 0\nv 0 {size} 0\nf 1 2 3\n");
            assert!(needs_f64(&loader, &text).unwrap(), "{size}");
        }
        // One step of an `f32` beside a large triangle.
        let close = "v 1 0 0\nv 1.00000000001 0 0\nv 1 1 0\nv -9 -9 0\nf 1 2 3\nf 4 1 3\n";
        assert!(needs_f64(&loader, close).unwrap());
        let usual = "v 0.1 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
        assert!(!needs_f64(&loader, usual).unwrap());
        assert!(!needs_f64(&loader, "").unwrap());
    }

    #[test]
    fn what_is_no_number_is_none_in_f64() {
        let text = "v nan 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 3 4\n";
        let error = needs_f64(&MeshLoader::new(), text).unwrap_err();
        assert!(matches!(error, MeshError::NonFiniteVertex { .. }));
        let skipping = MeshLoader::new().bad_faces(BadFaces::Skip);
        assert!(!needs_f64(&skipping, text).unwrap());
        let beyond = text.replace("nan", "1e50");
        assert!(needs_f64(&skipping, &beyond).unwrap());
    }
}
