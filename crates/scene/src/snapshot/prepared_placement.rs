//! What queries need to know of a placement.

use super::{Placement, SceneObject};
use crate::condition::Condition;
use crate::inverse::Inverse;
use crate::world_box::{PlacedReach, WideBox};
use estoc_bvh::object_space::PlacedMesh;

/// A placement with what queries need to know of it.
#[derive(Clone, Debug)]
pub(crate) struct PreparedPlacement {
    pub(crate) placement: Placement,
    pub(crate) inverse: Inverse,
}

impl PreparedPlacement {
    pub(crate) fn new(placement: Placement) -> Self {
        PreparedPlacement {
            inverse: Inverse::of(placement.matrix()),
            placement,
        }
    }

    pub(crate) fn is_mesh(&self) -> bool {
        matches!(self.placement.object(), SceneObject::Mesh(_))
    }

    /// Returns it for the kernels of placed meshes, if it is a mesh that they are fit for. `number` is its own.
    pub(crate) fn placed_mesh(&self, number: u32) -> Option<PlacedMesh> {
        let SceneObject::Mesh(mesh) = self.placement.object() else {
            return None;
        };
        let moved = self.placement.matrix().translation();
        PlacedMesh::new(mesh, number, &self.inverse.map_of(moved))
    }

    /// Returns a box around it in the scene's space; `None` if it holds nothing.
    pub(crate) fn bounds(&self) -> Option<WideBox> {
        let object = self.placement.object();
        let reach = match object {
            SceneObject::Mesh(_) | SceneObject::Shapes(_) | SceneObject::User(_) => None,
            SceneObject::Scene(scene) => Some(scene.reach()),
        };
        let bounds = object.bounds()?;
        Some(bounds.image(self.placement.matrix(), reach))
    }

    /// Returns the masks of its triangles, each once.
    pub(crate) fn masks(&self) -> Vec<u32> {
        let own = self.placement.get_mask();
        let mut masks = self.placement.object().masks();
        masks.iter_mut().for_each(|mask| *mask &= own);
        masks.sort_unstable();
        masks.dedup();
        masks
    }

    /// Returns the bounds of all matrices that are composed with its own.
    pub(crate) fn condition(&self) -> Condition {
        let own = Condition::of(self.placement.matrix());
        match self.placement.object() {
            SceneObject::Mesh(_) | SceneObject::Shapes(_) | SceneObject::User(_) => own,
            SceneObject::Scene(scene) => own.then(&scene.condition()),
        }
    }

    /// Returns the reach of what the placement holds, in the scene's space: the largest sums of the
    /// sizes of all terms of a coordinate. It may be infinite, and is not NaN: maxima would lose it.
    pub(crate) fn reach(&self) -> PlacedReach {
        let object = self.placement.object();
        let inner = match object {
            SceneObject::Scene(scene) => scene.reach(),
            SceneObject::Mesh(_) | SceneObject::Shapes(_) | SceneObject::User(_) => {
                object.bounds().map_or([0.0; 3], |bounds| bounds.reach())
            }
        };
        let rows = self.placement.matrix().rows();
        rows.map(|[x, y, z, moved]| {
            let sum = x.abs() * inner[0] + y.abs() * inner[1] + z.abs() * inner[2] + moved.abs();
            // More than its roundings; 0 times an infinite coordinate is NaN.
            match sum.is_nan() {
                true => f64::INFINITY,
                false => sum * (1.0 + 8.0 * f64::EPSILON),
            }
        })
    }
}
