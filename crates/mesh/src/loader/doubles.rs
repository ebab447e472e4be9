//! Loads meshes in `f64`.

use super::MeshLoader;
use super::input::LoaderInput;
use crate::error::{Location, MeshError};
use crate::mesh::Mesh;
use std::io::Read;
use std::path::Path;

impl MeshLoader<'_> {
    /// Loads a file as [`load`](MeshLoader::load) does, with corners in `f64`: each coordinate of a text is the
    /// nearest `f64`, ties to even, and each binary number as it is. In glTF, each coordinate is the nearest `f64` to the
    /// exact value of the transform, whose matrices are multiplied in `f64`, unless a product overflows or underflows.
    ///
    /// Faces are triangulated by these corners. A [local frame](MeshLoader::local_frame) and a survey of the rounding
    /// have no effect, as nothing is rounded to `f32`.
    ///
    /// # Errors
    /// Those of [`load`](MeshLoader::load), and [`MeshError::NotWeldedInF64`] if corners are to be welded.
    ///
    /// ```
    /// # use estoc_mesh as estoc;
    /// use estoc::MeshLoader;
    /// let text = b"v 0 5200000.1 0\nv 1 5200000.1 0\nv 0 5200000.1 1e300\nf 1 2 3\n";
    /// let mesh = MeshLoader::new().read_f64(text, "wall.obj")?;
    /// assert_eq!(mesh.positions()[2].to_array(), [0.0, 5_200_000.1, 1e300]);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn load_f64(&self, path: impl AsRef<Path>) -> Result<Mesh<f64>, MeshError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let loader = self.in_f64(&name)?;
        let input = LoaderInput::open(path, &name)?;
        let is_file = input.length.is_some();
        let assembled = match loader.is_plain_obj(&input)? && is_file {
            true => loader.obj(&name)?.assemble_file(path)?,
            false => loader.run(input)?,
        };
        assembled.into_f64()
    }

    /// Reads a file from memory, as [`read`](MeshLoader::read) does, with corners in `f64`; see
    /// [`load_f64`](MeshLoader::load_f64).
    ///
    /// # Errors
    /// Those of [`load_f64`](MeshLoader::load_f64).
    pub fn read_f64(&self, bytes: &[u8], name: &str) -> Result<Mesh<f64>, MeshError> {
        let loader = self.in_f64(name)?;
        let input = LoaderInput::of_bytes(bytes, name);
        let assembled = match loader.is_plain_obj(&input)? {
            true => loader.obj(name)?.assemble_text(bytes, name)?,
            false => loader.run(input)?,
        };
        assembled.into_f64()
    }

    /// Reads a stream, as [`read_from`](MeshLoader::read_from) does, with corners in `f64`; see
    /// [`load_f64`](MeshLoader::load_f64).
    ///
    /// # Errors
    /// Those of [`load_f64`](MeshLoader::load_f64).
    pub fn read_from_f64(&self, reader: impl Read, name: &str) -> Result<Mesh<f64>, MeshError> {
        let loader = self.in_f64(name)?;
        loader
            .run(LoaderInput::of_stream(reader, name)?)?
            .into_f64()
    }

    pub(super) fn in_f64(&self, name: &str) -> Result<Self, MeshError> {
        match self.weld {
            None => Ok(MeshLoader {
                keeps_f64: true,
                ..self.clone()
            }),
            Some(_) => Err(MeshError::NotWeldedInF64 {
                at: Location::of_file(name),
            }),
        }
    }
}
