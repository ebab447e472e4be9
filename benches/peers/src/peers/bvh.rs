//! bvh (svenstaro): candidates from its tree, in its two orders, in `f32` and in `f64`. It tests boxes
//! only: its test of a triangle sees one side. In `f32`, triangles are tested by obvhs's precomputed test,
//! the fastest among the Rust crates; in `f64`, by Möller and Trumbore's.

use super::obvhs;
use super::triangle::Edges;
use crate::engine::{Builder, Built, Engine, Queries};
use crate::number::Number;
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use ::obvhs::rt_triangle::RtTriangle;
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BHValue, BoundingHierarchy};
use bvh::bvh::Bvh;
use estoc::glam::DVec3;
use nalgebra::{ComplexField, Point3, Vector3};
use std::sync::Arc;

const ORDERS: [(&str, Order); 2] = [("any-order", Order::Any), ("nearest", Order::Nearest)];

pub(super) fn builders() -> Vec<Builder> {
    vec![builder("bvh")]
}

pub(super) fn double_builders() -> Vec<Builder<f64>> {
    vec![builder("bvh-f64")]
}

fn builder<F: Tested>(name: &'static str) -> Builder<F> {
    let engines = ORDERS.map(|(end, order)| (format!("{name}-{end}"), order));
    let names = engines.each_ref().map(|(name, _)| name.clone());
    let builder = Builder::new(name, "default", names.into(), move |scene, threads| {
        let mut shapes = F::shapes(scene);
        let tree: Bvh<F, 3> = if threads > 1 {
            BoundingHierarchy::build_par(&mut shapes)
        } else {
            Bvh::build(&mut shapes)
        };
        let bytes = size_of_val(&tree.nodes[..]) + size_of_val(&shapes[..]);
        let built = Arc::new((tree, shapes));
        let engine = |(name, order): &(String, Order)| {
            let (order, built) = (*order, built.clone());
            Engine::single(name, Ordered { order, built })
        };
        Ok(Built {
            bytes: Some(bytes),
            engines: engines.iter().map(engine).collect(),
        })
    });
    builder.up_to(3_000_000)
}

/// Numbers in which triangles can be tested.
trait Tested: Number + BHValue + ComplexField {
    type Triangle: Send + Sync;
    /// A ray as the test takes it.
    type Theirs;

    fn shapes(scene: &Scene) -> Vec<Shape<Self>>;
    fn theirs(ray: &Ray<Self>) -> Self::Theirs;
    /// Returns where the ray hits the triangle; infinity if it does not.
    fn test(triangle: &Self::Triangle, ray: &Self::Theirs) -> Self;
    fn end(ray: &mut Self::Theirs) -> &mut Self;
}

impl Tested for f32 {
    type Triangle = RtTriangle;
    type Theirs = ::obvhs::ray::Ray;

    fn shapes(scene: &Scene) -> Vec<Shape<f32>> {
        let triangles = obvhs::triangles(scene);
        let shape = |(triangle, prim): (&::obvhs::triangle::Triangle, u32)| {
            let bounds = triangle.aabb();
            let [min, max] = [bounds.min, bounds.max].map(|p| Point3::new(p.x, p.y, p.z));
            Shape::new(triangle.into(), [min, max], prim)
        };
        triangles.iter().zip(0..).map(shape).collect()
    }

    fn theirs(ray: &Ray) -> ::obvhs::ray::Ray {
        obvhs::theirs(ray)
    }

    #[inline]
    fn test(triangle: &RtTriangle, ray: &::obvhs::ray::Ray) -> f32 {
        triangle.intersect(ray)
    }

    fn end(ray: &mut ::obvhs::ray::Ray) -> &mut f32 {
        &mut ray.tmax
    }
}

impl Tested for f64 {
    type Triangle = Edges;
    type Theirs = Ray<f64>;

    fn shapes(scene: &Scene) -> Vec<Shape<f64>> {
        let shape = |(corners, prim): ([DVec3; 3], u32)| {
            let [a, b, c] = corners;
            let bounds = [a.min(b).min(c), a.max(b).max(c)];
            let bounds = bounds.map(|p| Point3::new(p.x, p.y, p.z));
            Shape::new(corners.into(), bounds, prim)
        };
        scene.double_corners().zip(0..).map(shape).collect()
    }

    fn theirs(ray: &Ray<f64>) -> Ray<f64> {
        *ray
    }

    #[inline]
    fn test(triangle: &Edges, ray: &Ray<f64>) -> f64 {
        triangle.intersect(ray)
    }

    fn end(ray: &mut Ray<f64>) -> &mut f64 {
        &mut ray.t_max
    }
}

struct Shape<F: Tested> {
    triangle: F::Triangle,
    bounds: Aabb<F, 3>,
    prim: u32,
    node: usize,
}

impl<F: Tested> Shape<F> {
    fn new(triangle: F::Triangle, [min, max]: [Point3<F>; 2], prim: u32) -> Self {
        Shape {
            triangle,
            bounds: Aabb::with_bounds(min, max),
            prim,
            node: 0,
        }
    }
}

impl<F: Tested> Bounded<F, 3> for Shape<F> {
    fn aabb(&self) -> Aabb<F, 3> {
        self.bounds
    }
}

impl<F: Tested> BHShape<F, 3> for Shape<F> {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

/// The order in which candidates come.
#[derive(Clone, Copy)]
enum Order {
    /// The order in the tree, of all boxes on the ray.
    Any,
    /// The nearest box first: a hit nearer than the next box is the first hit.
    Nearest,
}

struct Ordered<F: Tested> {
    order: Order,
    built: Arc<(Bvh<F, 3>, Vec<Shape<F>>)>,
}

impl<F: Tested> Queries<F> for Ordered<F> {
    fn closest_hits(&self, rays: &[Ray<F>], hits: &mut [Hit<F>]) {
        let (tree, shapes) = &*self.built;
        for (ray, hit) in rays.iter().zip(hits) {
            let line = line(ray);
            let mut nearest = Nearest::on(ray);
            match self.order {
                Order::Any => {
                    for shape in tree.traverse_iterator(&line, shapes) {
                        nearest.test(shape);
                    }
                }
                Order::Nearest => {
                    for shape in tree.nearest_traverse_iterator(&line, shapes) {
                        let slice = line.intersection_slice_for_aabb(&shape.bounds);
                        if slice.is_some_and(|(entry, _)| entry > *F::end(&mut nearest.ray)) {
                            break;
                        }
                        nearest.test(shape);
                    }
                }
            }
            *hit = nearest.hit;
        }
    }

    fn any_hits(&self, rays: &[Ray<F>], hits: &mut [bool]) {
        let (tree, shapes) = &*self.built;
        for (ray, hit) in rays.iter().zip(hits) {
            let (line, ray) = (line(ray), F::theirs(ray));
            let is_hit = |shape: &Shape<F>| F::test(&shape.triangle, &ray) < F::INFINITY;
            *hit = match self.order {
                Order::Any => tree.traverse_iterator(&line, shapes).any(is_hit),
                Order::Nearest => tree.nearest_traverse_iterator(&line, shapes).any(is_hit),
            };
        }
    }

    fn count_surfaces(&self, rays: &[Ray<F>]) -> Option<Vec<usize>> {
        let (tree, shapes) = &*self.built;
        let count = |ray: &Ray<F>| {
            let (line, ray) = (line(ray), F::theirs(ray));
            let is_hit = |shape: &&Shape<F>| F::test(&shape.triangle, &ray) < F::INFINITY;
            match self.order {
                Order::Any => tree.traverse_iterator(&line, shapes).filter(is_hit).count(),
                Order::Nearest => {
                    let shapes = tree.nearest_traverse_iterator(&line, shapes);
                    shapes.filter(is_hit).count()
                }
            }
        };
        Some(rays.iter().map(count).collect())
    }
}

/// Converts the ray to bvh's, which has no end.
fn line<F: Tested>(ray: &Ray<F>) -> bvh::ray::Ray<F, 3> {
    bvh::ray::Ray::new(Point3::from(ray.origin), Vector3::from(ray.dir))
}

/// The first hit so far, which is the end of the ray.
struct Nearest<F: Tested> {
    ray: F::Theirs,
    hit: Hit<F>,
}

impl<F: Tested> Nearest<F> {
    fn on(ray: &Ray<F>) -> Self {
        Nearest {
            ray: F::theirs(ray),
            hit: Hit::MISS,
        }
    }

    fn test(&mut self, shape: &Shape<F>) {
        let t = F::test(&shape.triangle, &self.ray);
        if t < self.hit.t {
            let prim = shape.prim;
            self.hit = Hit { t, prim };
            *F::end(&mut self.ray) = t;
        }
    }
}
