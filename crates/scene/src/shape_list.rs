//! Lists of spheres and boxes.

use estoc_bvh::object_space::BoxTree;
use estoc_bvh::object_space::WideBox;
use estoc_core::glam::DVec3;
use estoc_core::{PrimId, Shape};
use std::fmt;

/// Spheres and boxes that are placed in a scene together, with a tree over them.
///
/// Each has a number, which hits name as [`prim`](estoc_core::SceneHit::prim): its place in the list.
/// They may overlap. What a ray hits is the boundary of each; a point is inside the scene if it is in
/// one of them or on it.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::{Aabb, Ray, RayQuery, Sphere, glam::{DAffine3, DVec3}};
/// use estoc::scene::{Placement, Scene, Shape, ShapeEnd, ShapeList};
/// let ball = Sphere::try_new([0.0; 3], 1.0)?;
/// let cube = Aabb::try_new([4.0, -1.0, -1.0], [6.0, 1.0, 1.0])?;
/// let list = ShapeList::try_new([Shape::from(ball), cube.into()])?;
/// let mut scene = Scene::new();
/// // An ellipsoid and a longer box.
/// scene.add(Placement::try_new(list, &DAffine3::from_scale(DVec3::new(2.0, 1.0, 1.0)))?)?;
/// let world = scene.commit();
/// let hits = world.all_hits(&Ray::new([-4.0, 0.0, 0.0], [1.0, 0.0, 0.0]));
/// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [2.0, 6.0, 12.0, 16.0]);
/// assert_eq!((hits[3].prim.get(), hits[3].end), (1, Some(ShapeEnd::Exit)));
/// assert_eq!(world.contains([1.5, 0.0, 0.0]), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ShapeList {
    shapes: Box<[Shape]>,
    pub(crate) tree: BoxTree,
    bounds: Option<WideBox>,
}

impl ShapeList {
    /// Returns a list of shapes.
    ///
    /// # Errors
    /// [`ShapeListError::TooMany`]: there are no ids for so many.
    pub fn try_new(
        shapes: impl IntoIterator<Item = impl Into<Shape>>,
    ) -> Result<Self, ShapeListError> {
        let shapes: Box<[Shape]> = shapes.into_iter().map(Into::into).collect();
        let count = shapes.len();
        if count > 0 && PrimId::from_index(count - 1).is_none() {
            return Err(ShapeListError::TooMany { count });
        }
        let boxes = (0..).zip(&shapes);
        let boxes: Vec<_> = boxes
            .filter_map(|(number, shape)| Some((number, shape.bounds()?)))
            .collect();
        let bounds = boxes
            .iter()
            .map(|(_, corners)| WideBox::of(*corners))
            .reduce(|all, of| all.join(&of));
        let tree = BoxTree::build(boxes).expect("the system has memory for a tree of boxes");
        Ok(ShapeList {
            shapes,
            tree,
            bounds,
        })
    }

    /// Returns the shapes, each at the place of its number.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// Returns the number of shapes.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Returns whether there are no shapes.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Returns the shape of a number.
    pub fn get(&self, prim: PrimId) -> Option<&Shape> {
        self.shapes.get(prim.index())
    }

    /// Returns the corners of a box around all shapes, which is slightly too large, or `None` if there
    /// are no points.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let WideBox { min, max } = self.bounds?;
        Some([min.into(), max.into()])
    }

    pub(crate) fn wide_bounds(&self) -> Option<WideBox> {
        self.bounds
    }
}

/// One line: the number of shapes.
impl fmt::Debug for ShapeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShapeList")
            .field("shapes", &self.len())
            .finish_non_exhaustive()
    }
}

/// The reason why there is no list of these shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeListError {
    /// There are more shapes than ids.
    #[error(
        "the list has {count} shapes, but ids end at {}: place several lists",
        PrimId::MAX.get()
    )]
    TooMany {
        /// The number of shapes.
        count: usize,
    },
}
