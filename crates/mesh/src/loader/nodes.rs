//! Loading the nodes of glTF as what places meshes.

use std::path::Path;

use super::MeshLoader;
#[cfg(not(feature = "gltf"))]
use super::feature_off;
use super::input::LoaderInput;
use crate::error::{Location, MeshError};
use crate::format::Format;
use crate::mesh_nodes::MeshNodes;

impl MeshLoader<'_> {
    /// Loads the meshes of a glTF file once each, with the nodes that place them: for a scene, in which
    /// a mesh that is placed many times is in memory once.
    ///
    /// The nodes are those that [`load`](Self::load) takes, without those that flatten their meshes, as
    /// a scale of 0 does; each instance of `EXT_mesh_gpu_instancing` counts as a node. The corners of a
    /// mesh are those of the file, not transformed, a [local frame](Self::local_frame) is not used, and
    /// each mesh is [welded](Self::weld) by itself;
    /// only a mesh with a skin is posed by its joints, for each skin once. As there, nodes that
    /// `KHR_node_visibility` hides, points, lines, morph targets and animations are ignored. What is
    /// ignored is reported.
    ///
    /// # Errors
    /// [`MeshError`], and [`MeshError::Unsupported`] for a file of another format.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; }
    /// use estoc::MeshLoader;
    /// let text = br#"{"asset":{"version":"2.0"},"nodes":[
    ///     {"mesh":0,"name":"left","translation":[-5,0,0]}, {"mesh":0,"scale":[-1,1,1]}],
    ///     "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    ///     "accessors":[{"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    /// # if cfg!(feature = "gltf") {
    /// let file = MeshLoader::new().read_nodes(text, "pair.gltf")?;
    /// assert_eq!((file.meshes.len(), file.nodes.len()), (1, 2));
    /// assert_eq!(file.nodes[0].name.as_deref(), Some("left"));
    /// assert_eq!(file.nodes[0].transform.translation, [-5.0, 0.0, 0.0].into());
    /// assert!(file.nodes[1].is_mirrored);
    /// # }
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn load_nodes(&self, path: impl AsRef<Path>) -> Result<MeshNodes, MeshError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        self.nodes(LoaderInput::open(path, &name)?)
    }

    /// Does for a file in memory what [`load_nodes`](Self::load_nodes) does; `name` stands for it in
    /// messages. Opens no files: buffers come from [`file_source`](Self::file_source), if set.
    ///
    /// # Errors
    /// The same.
    pub fn read_nodes(&self, bytes: &[u8], name: &str) -> Result<MeshNodes, MeshError> {
        self.nodes(LoaderInput::of_bytes(bytes, name))
    }

    fn nodes(&self, input: LoaderInput<'_>) -> Result<MeshNodes, MeshError> {
        let (name, folder) = (input.name, input.folder);
        self.refuse_others(&input.head, input.length, None, name)?;
        self.unpacked(input, |format, reader, progress| {
            if format != Format::Gltf {
                return Err(MeshError::Unsupported {
                    at: Location::of_file(name),
                    format,
                    problem: "nodes, which only glTF has; load the file as a mesh".into(),
                });
            }
            self.nodes_of_gltf(reader, name, folder, progress)
        })
    }

    #[cfg(not(feature = "gltf"))]
    fn nodes_of_gltf(
        &self,
        _: super::unpacked::UnpackedInput<'_>,
        name: &str,
        _: Option<&Path>,
        _: &(dyn Fn() + Sync),
    ) -> Result<MeshNodes, MeshError> {
        Err(feature_off(name, Format::Gltf, "gltf"))
    }

    #[cfg(feature = "gltf")]
    fn nodes_of_gltf(
        &self,
        reader: super::unpacked::UnpackedInput<'_>,
        name: &str,
        folder: Option<&Path>,
        progress: &(dyn Fn() + Sync),
    ) -> Result<MeshNodes, MeshError> {
        use crate::assemble::draft::Draft;
        use crate::formats::input::MeshInput;
        use crate::frame::FileFrame;
        use estoc_core::glam::DVec3;
        let mut input = MeshInput::new((name, Format::Gltf), reader, &self.cancel, progress);
        let frame = FileFrame::new(DVec3::ZERO, self.surveys_rounding);
        let draft = || Draft::new(name, self.bad_faces, !self.without_attributes, frame);
        let open = |file: &str, most| self.open_sibling(folder, file, most);
        let mut nodes = crate::formats::read_nodes(&mut input, &draft, &open, &self.cancel)?;
        for mesh in &mut nodes.meshes {
            *mesh = self.welded(core::mem::take(mesh), name)?;
        }
        Ok(nodes)
    }
}
