//! The right answers about triangles and shapes that are placed by matrices of `f64`s.
//!
//! All numbers are integers in one unit, a power of two that divides every coordinate in the world.

use super::binary::Binary;
use super::least_distance::Solid;
use super::meet::{Line, Plate};
use super::near::Near;
use super::number::Vector;
use super::parameter::Parameter;
use super::placed_shape::PlacedBody;
use super::winding::EdgeUses;
use crate::generate::{CaseObject, PlacementCase};
use estoc_core::glam::DVec3;
use estoc_core::{
    Cull, PrimId, QueryOptions, Ray, Ray64, SceneClosestPoint, SceneHit, ScenePath, ScenePrim,
    ShapeEnd, Side, Triangle64,
};
use num_traits::Zero;
use std::cmp::Ordering;

type Rows = [[f64; 4]; 3];

/// Returns the product of two matrices, each entry rounded to nearest.
fn composed(outer: &Rows, inner: &Rows) -> Rows {
    let entry = |row: usize, column: usize| {
        let mut sum = Binary::new(if column == 3 { outer[row][3] } else { 0.0 });
        for axis in 0..3 {
            let product = Binary::new(outer[row][axis]).times(&Binary::new(inner[axis][column]));
            sum = sum.plus(&product);
        }
        sum.nearest()
    };
    std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)))
}

/// A triangle as placed.
struct Placed {
    id: ScenePrim,
    plate: Option<Plate>,
    mask: u32,
    reversed: bool,
    is_closed: bool,
}

/// The coordinates of rays are multiples of `2^-FINEST`.
const FINEST: i64 = 300;

/// A sphere or a box as placed.
struct PlacedSolid {
    path: ScenePath,
    prim: PrimId,
    body: PlacedBody,
    mask: u32,
}

/// The numbers of paths to meshes, also to those without triangles.
#[derive(Clone, Copy, Default)]
struct MeshCounts {
    closed: usize,
    open: usize,
}

/// The oracle for a scene of placed triangles, spheres and boxes.
pub struct PlacedOracle {
    triangles: Vec<Placed>,
    solids: Vec<PlacedSolid>,
    meshes: MeshCounts,
    /// Coordinates are multiples of `2^-unit`.
    unit: i64,
}

/// A triangle, or one end of a shape, that a ray touches within its interval.
#[derive(Clone, Debug)]
pub struct PlacedTouch {
    t: Parameter,
    /// Whether it is exactly at an end of the ray's interval.
    is_at_end: bool,
    /// The hit.
    pub hit: SceneHit,
    /// The side that the ray comes from.
    pub side: Side,
    /// Whether the ray crosses the surface there.
    pub crosses: bool,
    mask: u32,
    is_closed: bool,
}

impl PlacedTouch {
    /// Returns whether the exact parameter is that of another touch of the ray.
    pub fn is_tied_with(&self, other: &PlacedTouch) -> bool {
        self.t.cmp(&other.t).is_eq()
    }
}

/// The point of a placed triangle that is closest to a given point.
pub struct PlacedNear(Near<ScenePrim>);

impl PlacedNear {
    /// Returns the id of the triangle.
    pub fn id(&self) -> ScenePrim {
        self.0.prim()
    }

    /// Returns whether the exact distance is at most a radius.
    pub fn is_within(&self, radius: f32) -> bool {
        !radius.is_nan() && self.0.is_within(radius)
    }

    /// Returns the answer, each number rounded once.
    pub fn rounded(&self) -> SceneClosestPoint {
        let ([u, v], id) = (self.0.weights(), self.id());
        SceneClosestPoint {
            point: self.0.wide_point(),
            distance: self.0.distance(),
            u,
            v,
            prim: id.prim,
            feature: self.0.feature(),
            path: id.path,
        }
    }
}

impl PlacedOracle {
    /// Returns the oracle for a case.
    pub fn new(case: &PlacementCase) -> Self {
        let mut leaves = Leaves::default();
        let world = case.scenes.len() - 1;
        let path = &mut Vec::new();
        flatten(case, world, None, path, u32::MAX, false, &mut leaves);
        let Leaves {
            list,
            solids,
            meshes,
        } = leaves;
        let exponents = list
            .iter()
            .flat_map(|(_, corners)| corners.iter().flatten());
        let exponents = exponents.flatten().filter(|x| !x.size.is_zero());
        let least = exponents.map(|x| x.exponent).min().unwrap_or(0);
        let unit = (-least).max(FINEST);
        let triangles = list.into_iter().map(|(placed, corners)| Placed {
            plate: corners.map(|corners| {
                let corner = |p: [Binary; 3]| Vector(p.map(|x| x.in_units(-unit)));
                Plate::between(corners.map(corner))
            }),
            ..placed
        });
        PlacedOracle {
            triangles: triangles.collect(),
            solids,
            meshes,
            unit,
        }
    }

    /// Returns the ids of all triangles, in order.
    pub fn ids(&self) -> impl Iterator<Item = ScenePrim> + '_ {
        self.triangles.iter().map(|placed| placed.id)
    }

    /// Returns the triangles with area of the mesh that a path leads to.
    pub(super) fn corners_with_area(&self, path: ScenePath) -> Vec<Solid> {
        let placed = self
            .triangles
            .iter()
            .filter(|placed| placed.id.path == path);
        let solid = |placed: &Placed| {
            let plate = placed.plate.as_ref().filter(|plate| plate.has_area())?;
            let [p1, p2] = [&plate.e1, &plate.e2].map(|edge| plate.p0.plus(edge));
            Some((placed.id.prim, [plate.p0.clone(), p1, p2]))
        };
        placed.filter_map(solid).collect()
    }

    /// Returns the number of digits after the point of coordinates.
    pub(super) fn unit(&self) -> usize {
        usize::try_from(self.unit).expect("few digits")
    }

    /// Returns the number of spheres and boxes.
    pub fn solid_count(&self) -> usize {
        self.solids.len()
    }

    /// Returns a point in the middle of each shape, with three vectors from there to its surface, all
    /// rounded in the world.
    pub fn frames(&self) -> Vec<[DVec3; 4]> {
        let frames = self.solids.iter().filter_map(|solid| solid.body.frame());
        frames.collect()
    }

    /// Returns all that a ray touches, in order.
    pub fn touches(&self, ray: &Ray) -> Vec<PlacedTouch> {
        self.touches_64(&Ray64::from(*ray))
    }

    /// Returns all that a ray touches, in order.
    ///
    /// # Panics
    /// Panics if a coordinate of the ray is not a multiple of `2^-300`.
    pub fn touches_64(&self, ray: &Ray64) -> Vec<PlacedTouch> {
        let mut touches = Vec::new();
        if ray.check().is_err() {
            return touches;
        }
        let wide = |v: DVec3| Vector(v.to_array().map(|x| Binary::new(x).in_units(-self.unit)));
        let line = Line::through(wide(ray.origin), &wide(ray.dir));
        let is_within = |t: &Parameter| {
            t.cmp_f64(ray.t_min) != Ordering::Less && t.cmp_f64(ray.t_max) != Ordering::Greater
        };
        let is_at_end = |t: &Parameter| {
            let mut ends = [ray.t_min, ray.t_max].into_iter();
            ends.any(|end| t.cmp_f64(end) == Ordering::Equal)
        };
        for placed in &self.triangles {
            let plate = placed.plate.as_ref();
            let Some(met) = plate.and_then(|plate| plate.meet_exactly(&line)) else {
                continue;
            };
            let [u, v] = met.weights_f32();
            let t = Parameter::Rational(met.t);
            if !is_within(&t) {
                continue;
            }
            touches.push(PlacedTouch {
                hit: SceneHit {
                    t: t.nearest_f32(),
                    u,
                    v,
                    prim: placed.id.prim,
                    path: placed.id.path,
                    end: placed.id.end,
                },
                is_at_end: is_at_end(&t),
                t,
                side: match (met.side, placed.reversed) {
                    (side, false) => side,
                    (Side::Front, true) => Side::Back,
                    (Side::Back, true) => Side::Front,
                },
                crosses: met.crosses,
                mask: placed.mask,
                is_closed: placed.is_closed,
            });
        }
        let line = [ray.origin, ray.dir].map(|v| v.to_array().map(Binary::new));
        for solid in &self.solids {
            let ends = solid.body.ends(&line);
            let is_tangent = ends.len() == 1;
            for (t, end) in ends.into_iter().zip([ShapeEnd::Entry, ShapeEnd::Exit]) {
                if !is_within(&t) {
                    continue;
                }
                touches.push(PlacedTouch {
                    hit: SceneHit {
                        t: t.nearest_f32(),
                        u: 0.0,
                        v: 0.0,
                        prim: solid.prim,
                        path: solid.path,
                        end: Some(end),
                    },
                    is_at_end: is_at_end(&t),
                    t,
                    side: match end {
                        ShapeEnd::Entry => Side::Front,
                        _ => Side::Back,
                    },
                    crosses: !is_tangent,
                    mask: solid.mask,
                    is_closed: true,
                });
            }
        }
        touches.sort_by(|a, b| a.t.cmp(&b.t).then(a.hit.id().cmp(&b.hit.id())));
        touches
    }

    /// Returns those of a ray's touches that count, or `None` if `after` is not touched.
    pub fn kept<'a>(
        &self,
        touches: &'a [PlacedTouch],
        options: &QueryOptions<ScenePrim>,
    ) -> Option<Vec<&'a PlacedTouch>> {
        let behind = match options.after {
            None => touches,
            Some(after) => {
                let place = touches.iter().position(|touch| touch.hit.id() == after)?;
                &touches[place + 1..]
            }
        };
        let counts = |touch: &&PlacedTouch| {
            let culled = match options.cull {
                Cull::None => false,
                Cull::Front => touch.side == Side::Front,
                Cull::Back => touch.side == Side::Back,
            };
            !culled
                && options.skip != Some(touch.hit.id())
                && options.mask & touch.mask != 0
                && !(options.open_ends && touch.is_at_end)
        };
        Some(behind.iter().filter(counts).collect())
    }

    /// Returns the closest point of each triangle with area, by exact distance, ties by id.
    ///
    /// # Panics
    /// Panics if a coordinate of the point is not a multiple of `2^-300`.
    pub fn near(&self, point: DVec3) -> Vec<PlacedNear> {
        if !point.is_finite() {
            return Vec::new();
        }
        let point = point.to_array();
        let point = Vector(point.map(|x| Binary::new(x).in_units(-self.unit)));
        let unit = usize::try_from(self.unit).expect("at least the finest");
        let of = |placed: &Placed| Near::in_units(unit, placed.id, placed.plate.as_ref()?, &point);
        let mut near: Vec<_> = self
            .triangles
            .iter()
            .filter_map(of)
            .map(PlacedNear)
            .collect();
        near.sort_by(|a, b| a.0.order(&b.0));
        near
    }

    /// Returns whether a point is on a closed object or inside one; `None` if there are objects, but
    /// none is closed.
    pub fn contains(&self, point: DVec3) -> Option<bool> {
        let exact = point.to_array().map(Binary::new);
        if self.solids.iter().any(|solid| solid.body.contains(&exact)) {
            return Some(true);
        }
        if self.meshes.closed == 0 && self.solids.is_empty() {
            return (self.meshes.open == 0).then_some(false);
        }
        let on_mesh = |touch: &&PlacedTouch| touch.is_closed && touch.hit.end.is_none();
        let is_on = DVec3::AXES.iter().any(|&axis| {
            let here = Ray64::new(point, axis).with_interval(0.0, 0.0);
            self.touches_64(&here).iter().any(|touch| on_mesh(&touch))
        });
        let touches = self.touches_64(&Ray64::new(point, DVec3::X));
        let crossings = touches
            .iter()
            .filter(|touch| touch.crosses && on_mesh(touch));
        let paths: Vec<ScenePath> = crossings.map(|touch| touch.hit.path).collect();
        let is_odd =
            |path: &ScenePath| paths.iter().filter(|other| *other == path).count() % 2 == 1;
        Some(is_on || paths.iter().any(is_odd))
    }
}

/// The corners of a triangle in the world, if they are finite.
type Corners = Option<[[Binary; 3]; 3]>;

/// What the paths of a scene lead to.
#[derive(Default)]
struct Leaves {
    /// Triangles without their plates, whose unit is that of all corners.
    list: Vec<(Placed, Corners)>,
    solids: Vec<PlacedSolid>,
    meshes: MeshCounts,
}

fn flatten(
    case: &PlacementCase,
    scene: usize,
    outer: Option<Rows>,
    path: &mut Vec<u32>,
    mask: u32,
    reversed: bool,
    leaves: &mut Leaves,
) {
    for (number, placement) in case.scenes[scene].iter().enumerate() {
        path.push(number as u32);
        let rows = match &outer {
            None => placement.rows,
            Some(outer) => composed(outer, &placement.rows),
        };
        let mask = mask & placement.mask;
        let reversed = reversed != placement.reversed;
        match placement.object {
            CaseObject::Scene(inner) => {
                flatten(case, inner, Some(rows), path, mask, reversed, leaves);
            }
            CaseObject::Shapes(list) => {
                for (index, shape) in case.shapes[list].iter().enumerate() {
                    leaves.solids.push(PlacedSolid {
                        path: ScenePath::try_new(path).expect("not deep"),
                        prim: PrimId::from_index(index).expect("few shapes"),
                        body: PlacedBody::new(shape, &rows),
                        mask,
                    });
                }
            }
            CaseObject::Mesh(mesh) => {
                let triangles = &case.triangles(mesh);
                // In `f64`, the same corners are equal.
                let is_closed = EdgeUses::of(&case.meshes[mesh]).are_closed();
                match is_closed {
                    true => leaves.meshes.closed += 1,
                    false => leaves.meshes.open += 1,
                }
                for (index, triangle) in triangles.iter().enumerate() {
                    let path = ScenePath::try_new(path).expect("not deep");
                    let prim = PrimId::from_index(index).expect("few triangles");
                    let placed = Placed {
                        id: ScenePrim::triangle(path, prim),
                        plate: None,
                        mask: mask & case.mask_of(mesh, index),
                        reversed,
                        is_closed,
                    };
                    leaves.list.push((placed, corners(&rows, triangle)));
                }
            }
        }
        path.pop();
    }
}

fn corners(rows: &Rows, triangle: &Triangle64) -> Corners {
    triangle.is_finite().then(|| {
        triangle.corners().map(|p| {
            let p = p.to_array().map(Binary::new);
            rows.map(|row| {
                let [x, y, z, moved] = row.map(Binary::new);
                let sum = x.times(&p[0]).plus(&y.times(&p[1]));
                sum.plus(&z.times(&p[2])).plus(&moved)
            })
        })
    })
}
