//! bvh (svenstaro): candidates from its tree, in its two orders. It tests boxes only; triangles are
//! tested by obvhs's precomputed test, the fastest among the Rust crates.

use super::obvhs::{theirs, triangles};
use crate::engine::{Builder, Built, Engine, Queries};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use bvh::aabb::{Aabb, Bounded};
use bvh::bounding_hierarchy::{BHShape, BoundingHierarchy};
use bvh::bvh::Bvh;
use nalgebra::{Point3, Vector3};
use obvhs::rt_triangle::RtTriangle;
use std::sync::Arc;

const ENGINES: [(&str, Order); 2] = [
    ("bvh-any-order", Order::Any),
    ("bvh-nearest", Order::Nearest),
];

pub(super) fn builders() -> Vec<Builder> {
    let names = ENGINES.map(|(name, _)| name.to_owned());
    let builder = Builder::new("bvh", "default", names.into(), |scene, threads| {
        let mut shapes = shapes(scene);
        let tree: Bvh<f32, 3> = if threads > 1 {
            BoundingHierarchy::build_par(&mut shapes)
        } else {
            Bvh::build(&mut shapes)
        };
        let bytes = size_of_val(&tree.nodes[..]) + size_of_val(&shapes[..]);
        let built = Arc::new((tree, shapes));
        let engine = |(name, order)| {
            let built = built.clone();
            Engine::single(name, Ordered { order, built })
        };
        Ok(Built {
            bytes: Some(bytes),
            engines: ENGINES.map(engine).into(),
        })
    });
    vec![builder.up_to(3_000_000)]
}

struct Shape {
    triangle: RtTriangle,
    bounds: Aabb<f32, 3>,
    prim: u32,
    node: usize,
}

impl Bounded<f32, 3> for Shape {
    fn aabb(&self) -> Aabb<f32, 3> {
        self.bounds
    }
}

impl BHShape<f32, 3> for Shape {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

fn shapes(scene: &Scene) -> Vec<Shape> {
    let triangles = triangles(scene);
    let shape = |(triangle, prim): (&obvhs::triangle::Triangle, u32)| {
        let bounds = triangle.aabb();
        let [min, max] = [bounds.min, bounds.max].map(|p| Point3::new(p.x, p.y, p.z));
        Shape {
            triangle: triangle.into(),
            bounds: Aabb::with_bounds(min, max),
            prim,
            node: 0,
        }
    };
    triangles.iter().zip(0..).map(shape).collect()
}

/// The order in which candidates come.
#[derive(Clone, Copy)]
enum Order {
    /// The order in the tree, of all boxes on the ray.
    Any,
    /// The nearest box first: a hit nearer than the next box is the first hit.
    Nearest,
}

struct Ordered {
    order: Order,
    built: Arc<(Bvh<f32, 3>, Vec<Shape>)>,
}

impl Queries for Ordered {
    fn closest_hits(&self, rays: &[Ray], hits: &mut [Hit]) {
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
                        if slice.is_some_and(|(entry, _)| entry > nearest.ray.tmax) {
                            break;
                        }
                        nearest.test(shape);
                    }
                }
            }
            *hit = nearest.hit;
        }
    }

    fn any_hits(&self, rays: &[Ray], hits: &mut [bool]) {
        let (tree, shapes) = &*self.built;
        for (ray, hit) in rays.iter().zip(hits) {
            let (line, ray) = (line(ray), theirs(ray));
            let is_hit = |shape: &Shape| shape.triangle.intersect(&ray) < f32::INFINITY;
            *hit = match self.order {
                Order::Any => tree.traverse_iterator(&line, shapes).any(is_hit),
                Order::Nearest => tree.nearest_traverse_iterator(&line, shapes).any(is_hit),
            };
        }
    }

    fn count_surfaces(&self, rays: &[Ray]) -> Option<Vec<usize>> {
        let (tree, shapes) = &*self.built;
        let count = |ray: &Ray| {
            let (line, ray) = (line(ray), theirs(ray));
            let is_hit = |shape: &&Shape| shape.triangle.intersect(&ray) < f32::INFINITY;
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
fn line(ray: &Ray) -> bvh::ray::Ray<f32, 3> {
    bvh::ray::Ray::new(Point3::from(ray.origin), Vector3::from(ray.dir))
}

/// The first hit so far, which is the end of the ray.
struct Nearest {
    ray: obvhs::ray::Ray,
    hit: Hit,
}

impl Nearest {
    fn on(ray: &Ray) -> Self {
        Nearest {
            ray: theirs(ray),
            hit: Hit::MISS,
        }
    }

    fn test(&mut self, shape: &Shape) {
        let t = shape.triangle.intersect(&self.ray);
        if t < self.hit.t {
            let prim = shape.prim;
            self.hit = Hit { t, prim };
            self.ray.tmax = t;
        }
    }
}
