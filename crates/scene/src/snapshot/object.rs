//! What is placed in a scene.

use super::SceneSnapshot;
use crate::{ShapeList, UserShapes};
use estoc_bvh::Bvh;
use estoc_bvh::object_space::WideBox;
use estoc_core::Engine;
use estoc_core::glam::Vec3;
use std::sync::Arc;

/// What is placed in a scene. It is shared, never copied.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SceneObject {
    /// A mesh.
    Mesh(Arc<Bvh>),
    /// A mesh in `f64`.
    Mesh64(Arc<Bvh<f64>>),
    /// Spheres and boxes.
    Shapes(Arc<ShapeList>),
    /// Shapes of the user.
    User(Arc<UserShapes>),
    /// A scene. Scenes cannot contain themselves: what is placed is a snapshot, made before.
    Scene(Arc<SceneSnapshot>),
}

impl SceneObject {
    /// Returns the scene, if it is one.
    pub(crate) fn scene(&self) -> Option<&SceneSnapshot> {
        match self {
            SceneObject::Scene(scene) => Some(scene),
            _ => None,
        }
    }

    /// Returns the number of placements on the longest path to a mesh or to shapes.
    pub(crate) fn depth(&self) -> usize {
        self.scene().map_or(0, SceneSnapshot::depth)
    }

    /// Returns a box around everything, in the object's space; `None` if there is nothing.
    pub(crate) fn bounds(&self) -> Option<WideBox> {
        match self {
            SceneObject::Mesh(bvh) => {
                let bounds = bvh.bounds();
                let wide = |p: Vec3| p.to_array().map(f64::from);
                (!bounds.is_empty()).then(|| WideBox {
                    min: wide(bounds.min()),
                    max: wide(bounds.max()),
                })
            }
            SceneObject::Mesh64(bvh) => {
                let [min, max] = bvh.bounds().map(|corner| corner.to_array());
                (min[0] <= max[0]).then_some(WideBox { min, max })
            }
            SceneObject::Shapes(shapes) => shapes.wide_bounds(),
            SceneObject::User(shapes) => shapes.wide_bounds(),
            SceneObject::Scene(scene) => scene.wide_bounds(),
        }
    }

    pub(crate) fn triangles(&self) -> usize {
        match self {
            SceneObject::Mesh(bvh) => bvh.triangle_count(),
            SceneObject::Mesh64(bvh) => bvh.triangle_count(),
            SceneObject::Shapes(_) | SceneObject::User(_) => 0,
            SceneObject::Scene(scene) => scene.triangle_count(),
        }
    }

    pub(crate) fn shapes(&self) -> usize {
        match self {
            SceneObject::Mesh(_) | SceneObject::Mesh64(_) => 0,
            SceneObject::Shapes(shapes) => shapes.len(),
            SceneObject::User(shapes) => shapes.len(),
            SceneObject::Scene(scene) => scene.shape_count(),
        }
    }

    /// Returns each mask of a triangle or a shape, more than once possibly.
    pub(crate) fn masks(&self) -> Vec<u32> {
        match self {
            SceneObject::Mesh(bvh) => masks_of(&**bvh),
            SceneObject::Mesh64(bvh) => masks_of(&**bvh),
            SceneObject::Shapes(_) | SceneObject::User(_) => vec![u32::MAX],
            SceneObject::Scene(scene) => scene.distinct_masks().collect(),
        }
    }
}

/// Returns each mask of a mesh's triangles, more than once possibly.
fn masks_of(mesh: &impl Engine) -> Vec<u32> {
    match mesh.masks() {
        None => vec![u32::MAX],
        Some(masks) => {
            let named: usize = masks.runs().map(|(count, _)| count).sum();
            let beyond = (named < mesh.primitive_count()).then_some(u32::MAX);
            masks.runs().map(|(_, mask)| mask).chain(beyond).collect()
        }
    }
}

/// Makes objects of what may be placed, shared or not.
macro_rules! objects {
    ($($kind:ident($placed:ty);)*) => {$(
        impl From<Arc<$placed>> for SceneObject {
            fn from(placed: Arc<$placed>) -> Self {
                SceneObject::$kind(placed)
            }
        }

        impl From<$placed> for SceneObject {
            fn from(placed: $placed) -> Self {
                SceneObject::$kind(Arc::new(placed))
            }
        }
    )*};
}

objects! {
    Mesh(Bvh);
    Mesh64(Bvh<f64>);
    Shapes(ShapeList);
    User(UserShapes);
    Scene(SceneSnapshot);
}
