//! The primitive of scenes.

use super::placed_shape::ShapeTouch;
use super::placed_triangle::PlacedTouch;
use super::user_hit::UserTouch;
use super::{PlacedShape, PlacedTriangle, PlacedUserHit, SceneHit, ScenePrim, WorldLine};
use crate::arithmetic::{Surd, compare};
use crate::collect::{Masks, Primitive, RayTest};
use crate::exact::{PreparedRay, Verdict};
use crate::shapes::{PrimId, RayKind, Side};
use core::cmp::Ordering;

/// What rays hit in a scene: a triangle, one end of a sphere or a box, or a hit that a shape of the
/// user reports.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlacedPrimitive {
    /// A triangle of a mesh.
    Triangle(PlacedTriangle),
    /// A sphere or a box. The id tells which end.
    Shape(PlacedShape),
    /// A hit that a shape of the user reports for one ray.
    User(PlacedUserHit),
}

/// A certified hit of a primitive of a scene.
#[derive(Clone, Copy, Debug)]
pub enum PrimitiveTouch {
    /// On a triangle.
    Triangle(PlacedTouch),
    /// On a sphere or a box.
    Shape(ShapeTouch),
    /// On a shape of the user.
    User(UserTouch),
}

impl PrimitiveTouch {
    #[inline(always)]
    fn interval(&self) -> (f64, f64) {
        match self {
            PrimitiveTouch::Triangle(touch) => (touch.t_low, touch.t_high),
            PrimitiveTouch::Shape(touch) => (touch.t_low, touch.t_high),
            PrimitiveTouch::User(touch) => (touch.hit.t, touch.hit.t),
        }
    }

    fn id(&self) -> ScenePrim {
        match self {
            PrimitiveTouch::Triangle(touch) => touch.prim,
            PrimitiveTouch::Shape(touch) => touch.id,
            PrimitiveTouch::User(touch) => touch.id,
        }
    }

    fn exact_t(&self, line: &WorldLine) -> Surd {
        match self {
            PrimitiveTouch::Triangle(touch) => line.exactly().t_as_surd(&touch.triangle.world()),
            PrimitiveTouch::Shape(touch) => touch.exact_t(line),
            PrimitiveTouch::User(touch) => touch.exact_t(),
        }
    }
}

/// Tests a shape; out of line, so that triangles are as fast without shapes.
#[inline(never)]
fn touch_shape<R: RayKind>(
    shape: &PlacedShape,
    ray: &PreparedRay<'_, R>,
    id: ScenePrim,
    t_limit: f64,
) -> Verdict<PrimitiveTouch> {
    let found = shape.touch_quickly(ray, id, t_limit);
    found.map(PrimitiveTouch::Shape)
}

#[inline(never)]
fn touch_user<R: RayKind>(
    placed: &PlacedUserHit,
    ray: &PreparedRay<'_, R>,
    id: ScenePrim,
    t_limit: f64,
) -> Verdict<PrimitiveTouch> {
    match placed.touch(ray, id, t_limit) {
        None => Verdict::Missed,
        Some(touch) => Verdict::Touched(PrimitiveTouch::User(touch)),
    }
}

impl Primitive for PlacedPrimitive {
    type Id = ScenePrim;
    type Hit = SceneHit;
    type Touch = PrimitiveTouch;
    type Near = PlacedTriangle;

    fn id(touch: &PrimitiveTouch) -> ScenePrim {
        touch.id()
    }

    fn side(touch: &PrimitiveTouch) -> Side {
        match touch {
            PrimitiveTouch::Triangle(touch) => PlacedTriangle::side(touch),
            PrimitiveTouch::Shape(touch) => touch.side(),
            PrimitiveTouch::User(touch) => touch.hit.side,
        }
    }

    fn t_high(touch: &PrimitiveTouch) -> f64 {
        touch.interval().1
    }

    fn prim(id: ScenePrim) -> PrimId {
        id.prim
    }

    fn is_seen(&self, _: ScenePrim, mask: u32, masks: Option<&Masks>) -> bool {
        let own = match self {
            PlacedPrimitive::Triangle(placed) => placed.mask,
            PlacedPrimitive::Shape(placed) => placed.mask,
            PlacedPrimitive::User(placed) => placed.mask,
        };
        match masks {
            None => mask != 0,
            Some(_) => mask & own != 0,
        }
    }
}

impl<R: RayKind> RayTest<R> for PlacedPrimitive {
    type Certifier = ();

    #[inline(always)]
    fn touch_quickly(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Verdict<PrimitiveTouch> {
        match self {
            PlacedPrimitive::Triangle(placed) => placed
                .touch_quickly(ray, id, t_limit)
                .map(PrimitiveTouch::Triangle),
            PlacedPrimitive::Shape(placed) => touch_shape(placed, ray, id, t_limit),
            PlacedPrimitive::User(placed) => touch_user(placed, ray, id, t_limit),
        }
    }

    #[cold]
    #[inline(never)]
    fn touch_slowly(
        self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<PrimitiveTouch> {
        match self {
            PlacedPrimitive::Triangle(placed) => placed
                .touch_slowly(ray, id, t_limit)
                .map(PrimitiveTouch::Triangle),
            PlacedPrimitive::Shape(placed) => placed
                .touch_slowly(ray, id, t_limit)
                .map(PrimitiveTouch::Shape),
            PlacedPrimitive::User(placed) => {
                placed.touch(ray, id, t_limit).map(PrimitiveTouch::User)
            }
        }
    }

    fn order_t(ray: &PreparedRay<'_, R>, a: &PrimitiveTouch, b: &PrimitiveTouch) -> Ordering {
        if let (PrimitiveTouch::Triangle(a), PrimitiveTouch::Triangle(b)) = (a, b) {
            return PlacedTriangle::order_t(ray, a, b);
        }
        compare(a.interval(), b.interval(), || {
            order_slowly(&WorldLine::of(ray), a, b)
        })
    }

    fn crosses(ray: &PreparedRay<'_, R>, touch: &PrimitiveTouch) -> bool {
        match touch {
            PrimitiveTouch::Triangle(touch) => PlacedTriangle::crosses(ray, touch),
            PrimitiveTouch::Shape(touch) => touch.crosses(),
            PrimitiveTouch::User(touch) => touch.hit.crosses,
        }
    }

    fn hit(ray: &PreparedRay<'_, R>, touch: &PrimitiveTouch) -> SceneHit {
        match touch {
            PrimitiveTouch::Triangle(touch) => PlacedTriangle::hit(ray, touch),
            PrimitiveTouch::Shape(touch) => touch.hit(&WorldLine::of(ray)),
            PrimitiveTouch::User(touch) => touch.hit(),
        }
    }
}

/// Compares the exact parameters, of which one at least is not that of a triangle.
#[cold]
#[inline(never)]
fn order_slowly(line: &WorldLine, a: &PrimitiveTouch, b: &PrimitiveTouch) -> Ordering {
    match (a, b) {
        (PrimitiveTouch::Shape(a), PrimitiveTouch::Shape(b)) if a.is_same_as(b) => Ordering::Equal,
        _ => a.exact_t(line).cmp(&b.exact_t(line)),
    }
}

impl From<PlacedUserHit> for PlacedPrimitive {
    fn from(placed: PlacedUserHit) -> Self {
        PlacedPrimitive::User(placed)
    }
}

impl From<PlacedTriangle> for PlacedPrimitive {
    fn from(placed: PlacedTriangle) -> Self {
        PlacedPrimitive::Triangle(placed)
    }
}

impl From<PlacedShape> for PlacedPrimitive {
    fn from(placed: PlacedShape) -> Self {
        PlacedPrimitive::Shape(placed)
    }
}
