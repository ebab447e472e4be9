//! Triangles of scenes.

use super::placed_products::products;
use super::{PlacementMatrix, SceneHit, ScenePrim, WorldLine};
use crate::arithmetic::{Dyadic, Number, V3, Vector, compare, exact};
use crate::collect::{Masks, Primitive, RayTest};
use crate::exact::pair::{PairTriangle, difference};
use crate::exact::{ExactCorners, PreparedRay, Touch, Verdict, are_in_same_place};
use crate::shapes::{PrimId, RayKind, Side, Triangle64};
use core::cmp::Ordering;

/// A triangle of an object with the matrix that places it in the world.
///
/// Queries about it are answered for the triangle of the points `M v` in real arithmetic, where `v`
/// are the corners of [`triangle`](PlacedTriangle::triangle) and `M` is
/// [`matrix`](PlacedTriangle::matrix). A mirror turns its sides: front is where those corners are
/// seen counterclockwise, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedTriangle {
    /// The triangle in the object's space; that of a mesh in `f32` has the same corners.
    pub triangle: Triangle64,
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
    pub fn new(triangle: impl Into<Triangle64>, matrix: PlacementMatrix) -> Self {
        PlacedTriangle {
            triangle: triangle.into(),
            matrix,
            mask: u32::MAX,
            reversed: false,
        }
    }

    /// Returns `A v + m` for each corner of a finite triangle.
    pub(super) fn world(&self) -> ExactCorners {
        let rows = self.matrix.rows().map(|row| row.map(Dyadic::from_f64));
        ExactCorners(self.triangle.coordinates().map(|corner| {
            let v = exact(corner);
            let along = |axis: usize| {
                let [x, y, z, moved] = &rows[axis];
                let sum = x.mul(&v[0]).add(&y.mul(&v[1]));
                sum.add(&z.mul(&v[2])).add(moved)
            };
            [along(0), along(1), along(2)]
        }))
    }
}

/// A certified hit of a placed triangle. Its side is that of the triangle, reversed or not.
pub(super) type PlacedTouch = Touch<ScenePrim, PlacedTriangle>;

impl Primitive for PlacedTriangle {
    type Id = ScenePrim;
    type Hit = SceneHit;
    type Touch = PlacedTouch;
    type Near = PlacedTriangle;

    fn id(touch: &PlacedTouch) -> ScenePrim {
        touch.prim
    }

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
        let bounds = [ray.t_min(), ray.t_max(), t_limit];
        let line = WorldLine::of(ray).exactly();
        line.touch(&self.world(), bounds, id, self)
    }

    fn order_t(ray: &PreparedRay<'_, R>, a: &PlacedTouch, b: &PlacedTouch) -> Ordering {
        compare((a.t_low, a.t_high), (b.t_low, b.t_high), || {
            order_slowly(&WorldLine::of(ray), a, b)
        })
    }

    fn crosses(ray: &PreparedRay<'_, R>, touch: &PlacedTouch) -> bool {
        touch.on_edges == 0 || {
            let line = WorldLine::of(ray).exactly();
            line.crosses(&touch.triangle.world(), touch.on_edges, touch.side)
        }
    }

    fn hit(ray: &PreparedRay<'_, R>, touch: &PlacedTouch) -> SceneHit {
        let ScenePrim { path, prim, .. } = touch.prim;
        let numbers = match touch.round() {
            [Some(t), Some(u), Some(v)] => [t, u, v],
            rounded => round_slowly(&WorldLine::of(ray), touch, rounded),
        };
        SceneHit::on(ScenePrim::triangle(path, prim), numbers)
    }
}

impl PairTriangle for PlacedTriangle {
    type Space = f64;
    type Length = f32;
    type Certified = Self;

    #[inline(always)]
    fn certified(&self) -> Self {
        *self
    }

    fn has_area(&self) -> bool {
        !self.triangle.is_degenerate()
    }

    fn own_corners(&self) -> [V3; 3] {
        self.triangle.coordinates()
    }

    fn edges<N: Number>(&self) -> [Vector<N>; 3] {
        let [a, b, c] = self.triangle.coordinates();
        let edge = |to: V3, from: V3| self.matrix.image_of(&difference(to, from));
        [edge(b, a), edge(c, b), edge(a, c)]
    }

    /// The difference of the translations is taken first: it may be small where they are large.
    fn minus<N: Number>(&self, other: &Self) -> [[Vector<N>; 3]; 3] {
        let moved = difference(self.matrix.translation(), other.matrix.translation());
        let image = |placed: &Self, corner: V3| placed.matrix.image_of(&corner.map(N::exactly));
        let own = { self.own_corners() }.map(|corner| plus(&image(self, corner), &moved));
        let others = { other.own_corners() }.map(|corner| image(other, corner));
        own.map(|own| {
            others
                .each_ref()
                .map(|other| [0, 1, 2].map(|i: usize| own[i].minus(&other[i])))
        })
    }

    fn corner<N: Number>(&self, i: usize) -> Vector<N> {
        let corner = self.own_corners()[i].map(N::exactly);
        let moved = self.matrix.translation().map(N::exactly);
        plus(&self.matrix.image_of(&corner), &moved)
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
            (a.triangle.own_corners(), a.on_edges),
            (b.triangle.own_corners(), b.on_edges),
        )
    {
        return Ordering::Equal;
    }
    let line = line.exactly();
    let t = |touch: &PlacedTouch| line.t(&touch.triangle.world());
    t(a).cmp(&t(b))
}

/// Rounds the numbers that `f64` left open.
#[cold]
#[inline(never)]
fn round_slowly(line: &WorldLine, touch: &PlacedTouch, [t, u, v]: [Option<f32>; 3]) -> [f32; 3] {
    let (world, line) = (touch.triangle.world(), line.exactly());
    let weight = |corner: usize| match touch.on_edges >> corner & 1 {
        1 => 0.0,
        _ => line.weight(&world, corner).to_f32(),
    };
    [
        t.unwrap_or_else(|| line.t(&world).to_f32()),
        u.unwrap_or_else(|| weight(1)),
        v.unwrap_or_else(|| weight(2)),
    ]
}
