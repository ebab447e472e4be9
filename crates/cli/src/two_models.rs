//! Two meshes in the same numbers.

use crate::failure::Failure;
use crate::mesh_model::MeshModel;
use crate::mesh_source::MeshSource;
use crate::precise_model::PreciseModel;
use crate::precision::Precision;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use std::sync::Arc;

/// Two meshes in `f32` or in `f64`.
pub(crate) enum TwoModels {
    F32([MeshModel; 2]),
    F64([MeshModel<f64>; 2]),
}

impl TwoModels {
    /// Opens two meshes whose coordinates are compared, both in `f64` if one of them needs that; a mistyped second one
    /// fails before the first is read.
    pub(crate) fn open(
        [source, other]: [&MeshSource; 2],
        tree: TreeArgs,
        session: &Session,
    ) -> Result<Self, Failure> {
        source.refuse_stdin_twice(*other == MeshSource::Stdin, "meshes")?;
        other.check()?;
        let first = PreciseModel::open(source, tree, session)?;
        let second = match source == other {
            true => first.clone(),
            false => PreciseModel::open(other, tree, session)?,
        };
        Ok(match (first, second) {
            (PreciseModel::F32(first), PreciseModel::F32(second)) => {
                first.frame().check_same(source, (other, second.frame()))?;
                TwoModels::F32([first, second])
            }
            (first, second) => TwoModels::F64([
                in_f64(first, source, tree, session)?,
                in_f64(second, other, tree, session)?,
            ]),
        })
    }
}

/// Returns a mesh in `f64`: read again, or, if it cannot be, with the corners that it has.
fn in_f64(
    model: PreciseModel,
    source: &MeshSource,
    tree: TreeArgs,
    session: &Session,
) -> Result<MeshModel<f64>, Failure> {
    let model = match model {
        PreciseModel::F64(model) => return Ok(model),
        PreciseModel::F32(model) => model,
    };
    let keeps_f32 = session.has_local_frame() || session.welds() || !source.is_read_again();
    if !keeps_f32
        && let PreciseModel::F64(model) =
            PreciseModel::open_as(source, Precision::F64, tree, session)?
    {
        return Ok(model);
    }
    let mesh = Arc::unwrap_or_clone(model.mesh()?);
    if mesh.report().rounding.largest_movement > 0.0 {
        session.note(format_args!(
            "{source}: compared as rounded to f32; --precision f64 keeps the numbers of a mesh file"
        ));
    }
    Ok(MeshModel::build(Arc::new(mesh.into_f64()?), tree, session)?.of_source(source))
}
