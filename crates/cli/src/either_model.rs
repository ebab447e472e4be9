//! A mesh in the numbers that it needs.

use crate::common::Session;
use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::precision::Precision;
use crate::tree_args::TreeArgs;
use estoc_mesh::parts::NeededMesh;
use std::sync::Arc;

/// A mesh in `f32` or in `f64`.
pub(crate) enum EitherModel {
    F32(MeshModel),
    F64(MeshModel<f64>),
}

/// Two meshes in the same numbers.
pub(crate) enum TwoModels {
    F32([MeshModel; 2]),
    F64([MeshModel<f64>; 2]),
}

impl EitherModel {
    /// Opens a mesh in the numbers that the user chose or that it needs. Rejects one without triangles.
    pub(crate) fn open(
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        EitherModel::open_as(source, session.precision(), tree, session)
    }

    fn open_as(
        source: &MeshSource,
        wanted: Precision,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        if let Some(path) = source.f64_file(wanted) {
            return MeshModel::open_file(source, path, tree, session).map(EitherModel::F64);
        }
        if wanted == Precision::F32 || source.is_tree_file() {
            return MeshModel::open(source, tree, session).map(EitherModel::F32);
        }
        Ok(match source.load_as(wanted, session)? {
            NeededMesh::F32(mesh) => {
                let model = MeshModel::build(Arc::new(mesh), tree, session)?;
                EitherModel::F32(model.of_source(source))
            }
            NeededMesh::F64 { mesh, .. } => {
                let model = MeshModel::build(Arc::new(mesh), tree, session)?;
                EitherModel::F64(model.of_source(source))
            }
        })
    }

    /// Opens two meshes whose coordinates are compared, both in `f64` if one of them needs that; a mistyped second one
    /// fails before the first is read.
    pub(crate) fn open_two(
        [source, other]: [&MeshSource; 2],
        tree: TreeArgs,
        session: &Session,
    ) -> Result<TwoModels, Failure> {
        source.refuse_stdin_twice(*other == MeshSource::Stdin, "meshes")?;
        other.check()?;
        let first = EitherModel::open(source, tree, session)?;
        if source == other {
            return Ok(match first {
                EitherModel::F32(model) => TwoModels::F32([model.clone(), model]),
                EitherModel::F64(model) => TwoModels::F64([model.clone(), model]),
            });
        }
        let second = EitherModel::open(other, tree, session)?;
        Ok(match (first, second) {
            (EitherModel::F32(first), EitherModel::F32(second)) => {
                first.frame().check_same(source, (other, second.frame()))?;
                TwoModels::F32([first, second])
            }
            (first, second) => TwoModels::F64([
                first.in_f64(source, tree, session)?,
                second.in_f64(other, tree, session)?,
            ]),
        })
    }

    /// Returns the mesh in `f64`: read again, or, if it cannot be, with the corners that it has.
    fn in_f64(
        self,
        source: &MeshSource,
        tree: TreeArgs,
        session: &Session,
    ) -> Result<MeshModel<f64>, Failure> {
        let model = match self {
            EitherModel::F64(model) => return Ok(model),
            EitherModel::F32(model) => model,
        };
        if source.is_read_again() {
            match EitherModel::open_as(source, Precision::F64, tree, session)? {
                EitherModel::F64(model) => return Ok(model),
                EitherModel::F32(_) => {} // not so
            }
        }
        let mesh = Arc::unwrap_or_clone(model.mesh()?).into_f64()?;
        Ok(MeshModel::build(Arc::new(mesh), tree, session)?.of_source(source))
    }
}
