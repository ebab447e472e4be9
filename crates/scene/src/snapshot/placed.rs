//! What queries need to know of a placement.

use super::{Placement, SceneObject};
use crate::condition::Condition;
use crate::inverse::Inverse;
use crate::world_box::{Reach, WideBox};

/// A placement with what queries need to know of it.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) placement: Placement,
    /// A box around it in the scene's space; `None` if it holds nothing.
    pub(crate) bounds: Option<WideBox>,
    pub(crate) inverse: Option<Inverse>,
    /// Of all matrices composed with its own.
    pub(crate) condition: Condition,
}

impl Placed {
    pub(crate) fn new(placement: Placement) -> Self {
        let (matrix, object) = (placement.matrix(), placement.object());
        let inverse = Inverse::of(matrix);
        let (reach, inner) = match object {
            SceneObject::Mesh(_) => (None, Condition::NONE),
            SceneObject::Scene(scene) => (Some(scene.reach), scene.condition),
        };
        Placed {
            bounds: object.bounds().map(|bounds| bounds.image(matrix, reach)),
            condition: Condition::of(matrix, inverse.as_ref()).then(&inner),
            inverse,
            placement,
        }
    }

    /// Returns the reach of what the placement holds, in the scene's space: the largest sums of the
    /// sizes of all terms of a coordinate.
    pub(super) fn reach(&self) -> Reach {
        let object = self.placement.object();
        let inner = match object {
            SceneObject::Mesh(_) => object.bounds().map_or([0.0; 3], |bounds| bounds.reach()),
            SceneObject::Scene(scene) => scene.reach,
        };
        let rows = self.placement.matrix().rows();
        rows.map(|[x, y, z, moved]| {
            let sum = x.abs() * inner[0] + y.abs() * inner[1] + z.abs() * inner[2] + moved.abs();
            // More than its roundings.
            sum * (1.0 + 8.0 * f64::EPSILON)
        })
    }
}
