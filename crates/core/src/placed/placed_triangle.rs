//! Triangles of scenes.

use super::placed_exact::{ExactLine, WorldCorners};
use super::placed_products::products;
use super::{PlacementMatrix, SceneHit, ScenePrim, WorldLine};
use crate::arithmetic::{Number, Ratio, Vector, compare, widen};
use crate::collect::{Masks, Primitive, RayTest};
use crate::exact::pair::{PairTriangle, difference};
use crate::exact::{PreparedRay, Touch, Verdict, are_in_same_place};
use crate::shapes::{PrimId, RayKind, Side, Triangle};
use core::cmp::Ordering;
use glam::{DVec3, Vec3};

/// A triangle of an object with the matrix that places it in the world.
///
/// Queries about it are answered for the triangle of the points `M v` in real arithmetic, where `v`
/// are the corners of [`triangle`](PlacedTriangle::triangle) and `M` is
/// [`matrix`](PlacedTriangle::matrix). A mirror turns its sides: front is where those corners are
/// seen counterclockwise, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedTriangle {
    /// The triangle in the object's space.
    pub triangle: Triangle,
    /// Maps the object's space to the world.
    pub matrix: PlacementMatrix,
    /// A ray sees the triangle if it shares a bit with this; by default all bits are set. It has an
    /// effect only in engines that have masks ([`Engine::masks`](crate::Engine::masks)).
    pub mask: u32,
    /// Whether front and back are exchanged.
    pub reversed: bool,
}

impl PlacedTriangle {
    /// Returns a placed triangle that every ray sees, and that is not reversed.
    pub fn new(triangle: Triangle, matrix: PlacementMatrix) -> Self {
        PlacedTriangle {
            triangle,
            matrix,
            mask: u32::MAX,
            reversed: false,
        }
    }

    pub(super) fn world(&self) -> WorldCorners {
        WorldCorners::of(&self.matrix, &self.triangle)
    }
}

/// A certified hit of a placed triangle. Its side is that of the triangle, reversed or not.
pub(super) type PlacedTouch = Touch<ScenePrim, PlacedTriangle>;

impl Primitive for PlacedTriangle {
    type Id = ScenePrim;
    type Hit = SceneHit;
    type Touch = PlacedTouch;

    fn side(touch: &PlacedTouch) -> Side {
        match (touch.side, touch.triangle.reversed) {
            (side, false) => side,
            (Side::Front, true) => Side::Back,
            (Side::Back, true) => Side::Front,
        }
    }

    fn t_high(touch: &PlacedTouch) -> f64 {
        touch.t_high
    }

    fn prim(id: ScenePrim) -> PrimId {
        id.prim
    }

    fn is_seen(&self, _: ScenePrim, mask: u32, masks: Option<&Masks>) -> bool {
        match masks {
            None => mask != 0,
            Some(_) => mask & self.mask != 0,
        }
    }
}

impl<R: RayKind> RayTest<R> for PlacedTriangle {
    type Certifier = ();

    #[inline(always)]
    fn touch_quickly(
        &self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Verdict<PlacedTouch> {
        match products(&WorldLine::of(ray), &self.matrix, &self.triangle) {
            None => Verdict::Open,
            Some(found) => ray.decide(&found, 0, id, self, t_limit),
        }
    }

    #[cold]
    #[inline(never)]
    fn touch_slowly(
        self,
        ray: &PreparedRay<'_, R>,
        id: ScenePrim,
        t_limit: f64,
    ) -> Option<PlacedTouch> {
        if !self.triangle.is_finite() {
            return None;
        }
        let (world, exact) = (self.world(), ExactLine::of(&WorldLine::of(ray)));
        let den = exact.den(&world);
        let den_sign = den.sign();
        if den_sign == 0 {
            return None;
        }
        let mut on_edges = 0;
        for corner in 0..3 {
            let sign = exact.edge(&world, corner).sign();
            if sign == -den_sign {
                return None;
            }
            on_edges |= u8::from(sign == 0) << corner;
        }
        let t = exact.t(&world);
        let (t_low, t_high) = t.bounds();
        if t_low > t_limit
            || t.cmp_f64(ray.t_min()) == Ordering::Less
            || t.cmp_f64(ray.t_max()) == Ordering::Greater
        {
            return None;
        }
        Some(Touch {
            prim: id,
            triangle: self,
            t_low,
            t_high,
            weights: [0.0; 2],
            weight_error: f64::INFINITY,
            relative_error: 0.0,
            side: if den_sign < 0 {
                Side::Front
            } else {
                Side::Back
            },
            on_edges,
        })
    }

    fn order(ray: &PreparedRay<'_, R>, a: &PlacedTouch, b: &PlacedTouch) -> Ordering {
        let by_t = compare((a.t_low, a.t_high), (b.t_low, b.t_high), || {
            order_slowly(&WorldLine::of(ray), a, b)
        });
        by_t.then(a.prim.cmp(&b.prim))
    }

    fn crosses(ray: &PreparedRay<'_, R>, touch: &PlacedTouch) -> bool {
        if touch.on_edges == 0 {
            return true;
        }
        let expected = if touch.side == Side::Front { -1 } else { 1 };
        let (world, exact) = (touch.triangle.world(), ExactLine::of(&WorldLine::of(ray)));
        (0..3)
            .filter(|corner| touch.on_edges >> corner & 1 == 1)
            .all(|corner| exact.change_of_edge(&world, corner) == Some(expected))
    }

    fn hit(ray: &PreparedRay<'_, R>, touch: &PlacedTouch) -> SceneHit {
        let ScenePrim { path, prim, .. } = touch.prim;
        let [t, u, v] = match touch.round() {
            [Some(t), Some(u), Some(v)] => [t, u, v],
            rounded => round_slowly(&WorldLine::of(ray), touch, rounded),
        };
        SceneHit {
            t,
            u,
            v,
            prim,
            path,
            end: None,
        }
    }
}

impl PairTriangle for PlacedTriangle {
    type Point = DVec3;
    type Scalar = f64;

    fn own_triangle(&self) -> &Triangle {
        &self.triangle
    }

    fn edges<N: Number>(&self) -> [Vector<N>; 3] {
        self.triangle
            .edges()
            .map(|edge| self.matrix.image_of(&edge))
    }

    /// The difference of the translations is taken first: it may be small where they are large.
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3] {
        let moved = difference(self.matrix.translation(), other.matrix.translation());
        let image =
            |placed: &Self, corner: Vec3| placed.matrix.image_of(&widen(corner).map(N::exactly));
        let own = self
            .triangle
            .corners()
            .map(|corner| plus(&image(self, corner), &moved));
        let others = other.triangle.corners().map(|corner| image(other, corner));
        own.map(|own| {
            others
                .each_ref()
                .map(|other| [0, 1, 2].map(|i: usize| own[i].minus(&other[i])))
        })
    }

    fn corner<N: Number>(&self, i: usize) -> Vector<N> {
        let corner = widen(self.triangle.corners()[i]).map(N::exactly);
        let moved = self.matrix.translation().map(N::exactly);
        plus(&self.matrix.image_of(&corner), &moved)
    }

    fn round(_: (f64, f64), exact: impl FnOnce() -> Ratio) -> f64 {
        exact().to_f64()
    }
}

fn plus<N: Number>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    [0, 1, 2].map(|i: usize| a[i].plus(&b[i]))
}

/// Compares the exact parameters.
#[cold]
#[inline(never)]
fn order_slowly(line: &WorldLine, a: &PlacedTouch, b: &PlacedTouch) -> Ordering {
    let same_matrix = a.triangle.matrix == b.triangle.matrix;
    if same_matrix
        && are_in_same_place(
            (&a.triangle.triangle, a.on_edges),
            (&b.triangle.triangle, b.on_edges),
        )
    {
        return Ordering::Equal;
    }
    let line = ExactLine::of(line);
    let t = |touch: &PlacedTouch| line.t(&touch.triangle.world());
    t(a).cmp(&t(b))
}

/// Rounds the numbers that `f64` left open.
#[cold]
#[inline(never)]
fn round_slowly(line: &WorldLine, touch: &PlacedTouch, [t, u, v]: [Option<f32>; 3]) -> [f32; 3] {
    let (world, line) = (touch.triangle.world(), ExactLine::of(line));
    let weight = |corner: usize| match touch.on_edges >> corner & 1 {
        1 => 0.0,
        _ => Ratio::new(line.edge(&world, corner), line.den(&world)).to_f32(),
    };
    [
        t.unwrap_or_else(|| line.t(&world).to_f32()),
        u.unwrap_or_else(|| weight(1)),
        v.unwrap_or_else(|| weight(2)),
    ]
}
