//! What a scene tells about a hit on a shape.

use super::{Placement, SceneObject, SceneSnapshot};
use crate::ShapeList;
use estoc_core::{Engine, PlacedPrimitive, PlacedShape, Ray64, SceneHit, ShapeEnd, ShapeSurface};
use std::sync::Arc;

/// Details of a hit on a sphere or a box of a scene; made by [`SceneSnapshot::shape_details`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct SceneShapeDetails<'a> {
    /// The hit.
    pub hit: SceneHit,
    /// The shape with the matrix of all placements on its path.
    pub placed: PlacedShape,
    /// The hit point and the normal there, in the world. Unlike that of a triangle, the normal is not
    /// nearest ([`PlacedShape::surface`]), and always points out of the shape.
    pub surface: ShapeSurface,
    /// The placement of the list, the last one on the path. See
    /// [`placements_on`](SceneSnapshot::placements_on) for all.
    pub placement: &'a Placement,
    /// The list.
    pub shapes: &'a Arc<ShapeList>,
}

impl SceneSnapshot {
    /// Returns the details of a ray's hit on a sphere or a box of this scene. Returns `None` if the hit
    /// cannot be one of it, and where [`PlacedShape::surface`] does.
    ///
    /// ```
    /// # mod estoc { pub use estoc_core::*; pub mod scene { pub use {estoc_scene::*}; } }
    /// use estoc::{Ray, RayQuery, Sphere, glam::{DAffine3, DVec3}};
    /// use estoc::scene::{Placement, Scene, ShapeList};
    /// let balls = ShapeList::try_new([Sphere::try_new([0.0; 3], 1.0)?])?;
    /// let mut scene = Scene::new();
    /// scene.add(Placement::try_new(balls, &DAffine3::from_translation(DVec3::new(1e7, 0.0, 0.0)))?)?;
    /// let world = scene.commit();
    /// let ray = Ray::new([1e7, 0.0, 5.0], [0.0, 0.0, -2.0]);
    /// let hit = world.closest_hit(&ray).expect("the ball");
    /// let details = world.shape_details(&ray.into(), &hit).expect("a hit of this scene");
    /// assert_eq!(details.surface.point, DVec3::new(1e7, 0.0, 1.0));
    /// assert_eq!(details.surface.normal, [0.0, 0.0, 1.0].into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shape_details(&self, ray: &Ray64, hit: &SceneHit) -> Option<SceneShapeDetails<'_>> {
        let end: ShapeEnd = hit.end?;
        let PlacedPrimitive::Shape(placed) = self.primitive(hit.id())? else {
            return None;
        };
        let mut placement = None;
        let object = self.follow(hit.path, |on_path| placement = Some(on_path))?;
        let SceneObject::Shapes(shapes) = object else {
            return None;
        };
        Some(SceneShapeDetails {
            hit: *hit,
            placed,
            surface: placed.surface(ray, hit.t, end)?,
            placement: placement?,
            shapes,
        })
    }
}
