//! Shapes of the user.

use estoc_bvh::object_space::BoxTree;
use estoc_bvh::object_space::WideBox;
use estoc_core::glam::DVec3;
use estoc_core::{ObjectRay, PrimId, UserHit};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Primitives of your own, such as tori, height fields or voxels, that rays can hit in a scene: their
/// boxes, and where a ray's line meets them. Embree calls this user geometry.
///
/// A scene takes what is reported as exact: hits are ordered by their parameters together with those of
/// all other objects, ties by path, then by primitive, then by the number of the hit. The answers are
/// as good as the numbers reported; where two such primitives share a border, rays may slip through.
///
/// The methods must answer the same for the same arguments, and are called from many threads. A panic in
/// one of them leaves the query that called it.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod scene { pub use {estoc_scene::*}; } }
/// use estoc::{PrimId, Ray, RayQuery, glam::{DAffine3, DVec3}};
/// use estoc::scene::{ObjectRay, Placement, Scene, UserGeometry, UserHit, UserShapes};
///
/// /// The surface z = x^2 + y^2 below z = 1.
/// struct Bowl;
///
/// impl UserGeometry for Bowl {
///     fn primitive_count(&self) -> usize {
///         1
///     }
///     fn bounds(&self, _: PrimId) -> [DVec3; 2] {
///         [DVec3::new(-1.0, -1.0, 0.0), DVec3::ONE]
///     }
///     fn hits(&self, _: PrimId, ray: &ObjectRay, report: &mut dyn FnMut(UserHit)) {
///         let (o, d) = (ray.origin, ray.dir);
///         let a = d.x * d.x + d.y * d.y;
///         let b = o.x * d.x + o.y * d.y - d.z / 2.0;
///         let c = o.x * o.x + o.y * o.y - o.z;
///         let root = (b * b - a * c).sqrt();
///         let ends = match a > 0.0 {
///             true => [(-b - root) / a, (-b + root) / a],
///             false => [c / d.z, f64::NAN],
///         };
///         for (t, hit) in ends.into_iter().zip([UserHit::entry, UserHit::exit]) {
///             if ray.at(t).z <= 1.0 {
///                 report(hit(t));
///             }
///         }
///     }
/// }
///
/// let mut scene = Scene::new();
/// let doubled = DAffine3::from_scale(DVec3::splat(2.0));
/// scene.add(Placement::try_new(UserShapes::try_new(Bowl)?, &doubled)?)?;
/// let world = scene.commit();
/// let hits = world.all_hits(&Ray::new([-4.0, 0.0, 0.5], [1.0, 0.0, 0.0]));
/// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [3.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait UserGeometry: Send + Sync {
    /// Returns the number of primitives. Their ids go from 0 up.
    fn primitive_count(&self) -> usize;

    /// Returns two opposite corners of a box around a primitive, the least first, in the object's space;
    /// they may be infinite, which makes queries about a scene in a scene that holds the geometry slow. Hits
    /// outside of it may be lost. If the least is not the least on some axis,
    /// the primitive is empty and never hit. It is asked once, when [`UserShapes`] is made.
    fn bounds(&self, prim: PrimId) -> [DVec3; 2];

    /// Reports every hit of the whole line of a ray with a primitive, in ascending order of t, however
    /// far in front of the ray or behind. The place of a hit in what is reported is its number
    /// ([`ShapeEnd::Nth`](estoc_core::ShapeEnd::Nth)), also of one whose t is NaN or infinite, which is
    /// no hit.
    ///
    /// Each number of the line is the `f64` nearest to the exact one. A ray of which one is beyond the
    /// range of `f64` in the object's space is not asked about, and misses.
    fn hits(&self, prim: PrimId, ray: &ObjectRay, report: &mut dyn FnMut(UserHit));

    /// Returns whether each primitive encloses an inside, so that a line crosses it an even number of
    /// times. Then a point is inside if a ray from it in the world's direction +x crosses the primitive
    /// an odd number of times. By default, no point is inside.
    fn is_closed(&self) -> bool {
        false
    }
}

/// Primitives of a [`UserGeometry`] with a tree over them, to be placed in a scene.
pub struct UserShapes {
    geometry: Box<dyn UserGeometry>,
    count: usize,
    is_closed: bool,
    pub(crate) tree: Arc<BoxTree>,
    bounds: Option<WideBox>,
}

impl UserShapes {
    /// Returns the primitives of a geometry.
    ///
    /// # Errors
    /// - [`UserShapesError::TooMany`]: there are no ids for so many.
    /// - [`UserShapesError::NanBounds`]: a box has a coordinate that is NaN.
    /// - [`UserShapesError::NoMemory`]: the system has no memory for the tree over the boxes.
    pub fn try_new(geometry: impl UserGeometry + 'static) -> Result<Self, UserShapesError> {
        let count = geometry.primitive_count();
        if count > 0 && PrimId::from_index(count - 1).is_none() {
            return Err(UserShapesError::TooMany { count });
        }
        let no_memory = UserShapesError::NoMemory { count };
        let mut boxes = Vec::new();
        boxes.try_reserve_exact(count).map_err(|_| no_memory)?;
        let mut bounds: Option<WideBox> = None;
        for number in 0..count {
            let prim = PrimId::from_index(number).expect("checked above");
            let [min, max] = geometry.bounds(prim);
            if min.is_nan() || max.is_nan() {
                return Err(UserShapesError::NanBounds { prim, min, max });
            }
            if min.cmple(max).all() {
                let of = WideBox {
                    min: min.into(),
                    max: max.into(),
                };
                bounds = Some(bounds.map_or(of, |bounds| bounds.join(&of)));
                boxes.push((prim.get(), of.corners()));
            }
        }
        let tree = BoxTree::build(boxes).ok_or(no_memory)?;
        Ok(UserShapes {
            is_closed: geometry.is_closed(),
            geometry: Box::new(geometry),
            count,
            tree: Arc::new(tree),
            bounds,
        })
    }

    /// Returns another geometry's primitives, whose number and boxes are those of this one: the tree is shared, and
    /// neither is asked. So the same primitives can be placed many times, each with data of its own.
    ///
    /// Hits outside of the boxes that this geometry had may be lost.
    #[must_use]
    pub fn with_geometry(&self, geometry: impl UserGeometry + 'static) -> Self {
        UserShapes {
            is_closed: geometry.is_closed(),
            geometry: Box::new(geometry),
            count: self.count,
            tree: self.tree.clone(),
            bounds: self.bounds,
        }
    }

    /// Returns the geometry.
    pub fn geometry(&self) -> &dyn UserGeometry {
        &*self.geometry
    }

    /// Returns the number of primitives when this was made.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns whether there are no primitives.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns whether each primitive encloses an inside ([`UserGeometry::is_closed`]).
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the corners of a box around all primitives that are not empty, or `None` if all are.
    pub fn bounds(&self) -> Option<[DVec3; 2]> {
        let WideBox { min, max } = self.bounds?;
        Some([min.into(), max.into()])
    }

    pub(crate) fn wide_bounds(&self) -> Option<WideBox> {
        self.bounds
    }

    /// Passes the hits of a line with a primitive, each with its number, until it breaks.
    pub(crate) fn visit(
        &self,
        prim: PrimId,
        ray: &ObjectRay,
        mut pass: impl FnMut(u32, UserHit) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut numbers = 0..u32::MAX;
        let mut flow = ControlFlow::Continue(());
        self.geometry.hits(prim, ray, &mut |hit| {
            if let Some(number) = numbers.next()
                && flow.is_continue()
            {
                flow = pass(number, hit);
            }
        });
        flow
    }
}

/// One line: the number of primitives.
impl fmt::Debug for UserShapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserShapes")
            .field("primitives", &self.len())
            .finish_non_exhaustive()
    }
}

/// The reason why primitives of a user cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum UserShapesError {
    /// There are more primitives than ids.
    #[error(
        "the geometry has {count} primitives, but ids end at {}: place several geometries",
        PrimId::MAX.get()
    )]
    TooMany {
        /// The number of primitives.
        count: usize,
    },
    /// The system has no memory for the tree over the boxes.
    #[error(
        "there is not enough memory for a tree over {count} primitives; free some, or use fewer"
    )]
    NoMemory {
        /// The number of primitives.
        count: usize,
    },
    /// A box has a coordinate that is NaN.
    #[error(
        "the bounds of primitive {prim} are from {min} to {max} but must not contain NaN; infinite \
         ones are allowed"
    )]
    NanBounds {
        /// The primitive.
        prim: PrimId,
        /// The least corner.
        min: DVec3,
        /// The other corner.
        max: DVec3,
    },
}
