//! How far what is placed reaches, and what it holds.

use super::{Placement, SceneObject, SceneSnapshot};
use crate::condition::Condition;
use estoc_bvh::object_space::{PlacedReach, WideBox};
use estoc_core::{Engine, Masks};

impl Placement {
    /// Returns whether kernels of placed meshes are fit for it: for meshes and scenes of these, all of which each
    /// ray sees that sees anything.
    pub(crate) fn is_fit_for_kernels(&self) -> bool {
        let own = self.get_mask();
        let shows_all = |masks: Option<&Masks>| masks.is_none_or(|masks| masks.shows_all(own));
        let is_fit = match self.object() {
            SceneObject::Mesh(mesh) => mesh.has_plain_rays() && shows_all(Engine::masks(&**mesh)),
            SceneObject::Scene(scene) => scene.has_kernels() && shows_all(scene.masks_of_all()),
            SceneObject::Mesh64(_) | SceneObject::Shapes(_) | SceneObject::User(_) => false,
        };
        own != 0 && is_fit
    }

    /// Returns a box around it in the scene's space; `None` if it holds nothing.
    pub(crate) fn bounds(&self) -> Option<WideBox> {
        let object = self.object();
        let reach = object.scene().map(SceneSnapshot::reach);
        let bounds = object.bounds()?.image(self.matrix(), reach);
        let tighter = match object {
            SceneObject::Mesh(mesh) => mesh.image_bounds(&self.matrix().rows()),
            _ => None,
        };
        Some(tighter.map_or(bounds, |of| bounds.overlap(&WideBox::of(of))))
    }

    /// Returns the masks of its triangles, each once.
    pub(crate) fn masks(&self) -> Vec<u32> {
        let own = self.get_mask();
        let mut masks = self.object().masks();
        masks.iter_mut().for_each(|mask| *mask &= own);
        masks.sort_unstable();
        masks.dedup();
        masks
    }

    /// Returns the bounds of all matrices that are composed with its own.
    pub(crate) fn condition(&self) -> Condition {
        let own = Condition::of(self.matrix());
        let scene = self.object().scene();
        scene.map_or(own, |scene| own.then(&scene.condition()))
    }

    /// Returns the largest number of the [reach](Self::reach).
    pub(crate) fn farthest_reach(&self) -> f64 {
        self.reach().into_iter().fold(0.0, f64::max)
    }

    /// Returns the reach of what the placement holds, in the scene's space: the largest sums of the
    /// sizes of all terms of a coordinate. It may be infinite, and is not NaN: maxima would lose it.
    pub(crate) fn reach(&self) -> PlacedReach {
        let object = self.object();
        let inner = match object.scene() {
            Some(scene) => scene.reach(),
            None => object.bounds().map_or([0.0; 3], |bounds| bounds.reach()),
        };
        let rows = self.matrix().rows();
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
