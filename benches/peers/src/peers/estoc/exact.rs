//! Exact answers in both kinds of numbers: what all engines are compared with.

use super::batched::{STRETCH, convert};
use crate::answers::CHUNK;
use crate::engine::Queries;
use crate::number::{Number, wide};
use crate::ray::{Hit, Ray};
use crate::scenes::Scene;
use estoc::glam::{DVec3, Vec3};
use estoc::query::{Any, Closest};
use estoc::scene::Ray64;
use estoc::{Batch, BruteForce, Bvh, Mesh, PointQuery, RayQuery, Triangle};
use rayon::prelude::*;
use std::sync::Arc;

/// Numbers that estoc has trees of.
pub(crate) trait Exactly: Number {
    type Tree: Send + Sync;

    /// Builds the balanced tree of a scene; the error is estoc's message.
    fn build(scene: &Scene) -> Result<Self::Tree, String>;
    /// Returns the bytes of the tree, without the mesh.
    fn bytes(tree: &Self::Tree) -> usize;
    fn closest(tree: &Self::Tree, ray: &Ray<Self>) -> Hit<Self>;
    fn any(tree: &Self::Tree, ray: &Ray<Self>) -> bool;
    /// The same for many rays, on the threads of the pool that it is called in.
    fn closest_of_many(tree: &Self::Tree, rays: &[Ray<f64>], hits: &mut [Hit<f64>]);
    fn any_of_many(tree: &Self::Tree, rays: &[Ray<f64>], hits: &mut [bool]);
    /// Finds the closest triangle, with its distance as `t`.
    fn nearest(tree: &Self::Tree, point: Self::Point) -> Hit<Self>;
    /// Returns the distance of a triangle of the scene; `None` if there is no such triangle.
    fn distance_to(scene: &Scene, prim: u32, point: Self::Point) -> Option<Self>;

    /// Returns a ray of the harness in these numbers.
    fn of_ray(ray: &Ray) -> Ray<Self>;
    /// Rounds a ray to these numbers.
    fn narrow(ray: &Ray<f64>) -> Ray<Self>;
    /// Rounds a point to these numbers.
    fn narrow_point(point: DVec3) -> Self::Point;
    fn to_f64(self) -> f64;
}

/// Converts a ray to estoc's kind of the same numbers.
macro_rules! of_harness {
    ($ray:ty, $of:expr) => {
        <$ray>::new($of.origin, $of.dir).with_interval(0.0, $of.t_max)
    };
}

/// Implements what is the same in both.
macro_rules! exactly {
    ($number:ty, $ray:ty, $scene:ident => $mesh:expr) => {
        type Tree = Bvh<$number>;

        fn build($scene: &Scene) -> Result<Self::Tree, String> {
            Bvh::builder()
                .build($mesh)
                .map_err(|error| error.to_string())
        }

        fn bytes(tree: &Self::Tree) -> usize {
            tree.stats().bytes
        }

        #[inline]
        fn closest(tree: &Self::Tree, ray: &Ray<Self>) -> Hit<Self> {
            let found = tree.closest_hit(&of_harness!($ray, ray));
            found.map_or(Hit::MISS, |hit| Hit {
                t: hit.t,
                prim: hit.prim.get(),
            })
        }

        #[inline]
        fn any(tree: &Self::Tree, ray: &Ray<Self>) -> bool {
            tree.any_hit(&of_harness!($ray, ray))
        }

        fn closest_of_many(tree: &Self::Tree, rays: &[Ray<f64>], hits: &mut [Hit<f64>]) {
            let ours = rays.par_iter().with_min_len(CHUNK).map(Self::narrow);
            let ours: Vec<$ray> = ours.map(|ray| of_harness!($ray, ray)).collect();
            let found = Batch::new().ask(tree, Closest, &ours[..]);
            let found = found.expect("nothing cancels, and there is memory");
            convert(&found, hits, |found| {
                found.as_ref().map_or(Hit::MISS, |hit| Hit {
                    t: hit.t.into(),
                    prim: hit.prim.get(),
                })
            });
        }

        fn any_of_many(tree: &Self::Tree, rays: &[Ray<f64>], hits: &mut [bool]) {
            let ours = rays.par_iter().with_min_len(CHUNK).map(Self::narrow);
            let ours: Vec<$ray> = ours.map(|ray| of_harness!($ray, ray)).collect();
            let found = Batch::new().ask_into(tree, Any, &ours[..], hits);
            found.expect("the output is as long as the rays, and nothing cancels");
        }

        #[inline]
        fn nearest(tree: &Self::Tree, point: Self::Point) -> Hit<Self> {
            tree.closest_point(point).map_or(Hit::MISS, |found| Hit {
                t: found.distance,
                prim: found.prim.get(),
            })
        }
    };
}

impl Exactly for f32 {
    exactly!(f32, estoc::Ray, scene => &scene.mesh);

    fn distance_to(scene: &Scene, prim: u32, point: Vec3) -> Option<f32> {
        let [a, b, c] = scene.corners().nth(prim as usize)?;
        BruteForce::new([Triangle::new(a, b, c)]).distance(point)
    }

    fn of_ray(ray: &Ray) -> Ray {
        *ray
    }

    #[inline]
    fn narrow(ray: &Ray<f64>) -> Ray {
        Ray {
            origin: ray.origin.map(|x| x as f32),
            t_max: ray.t_max as f32,
            dir: ray.dir.map(|x| x as f32),
        }
    }

    #[inline]
    fn narrow_point(point: DVec3) -> Vec3 {
        point.as_vec3()
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Exactly for f64 {
    exactly!(f64, Ray64, scene => scene.doubles());

    fn distance_to(scene: &Scene, prim: u32, point: DVec3) -> Option<f64> {
        let doubles = scene.doubles();
        let face = doubles.indices().get(prim as usize)?;
        let corners = face.map(|corner| doubles.positions()[corner as usize]);
        let alone = Mesh::from_f64(corners, [[0, 1, 2]]).expect("finite corners");
        Bvh::build(&alone).distance(point)
    }

    fn of_ray(ray: &Ray) -> Ray<f64> {
        let dir = DVec3::from_array(ray.dir.map(wide)).normalize();
        Ray {
            origin: ray.origin.map(wide),
            t_max: wide(ray.t_max),
            dir: dir.to_array(),
        }
    }

    #[inline]
    fn narrow(ray: &Ray<f64>) -> Ray<f64> {
        *ray
    }

    #[inline]
    fn narrow_point(point: DVec3) -> DVec3 {
        point
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }
}

/// The engine that all are compared with: exact first hits, whatever else is measured.
pub(crate) struct Exact<F: Exactly = f32>(F::Tree);

impl<F: Exactly> Exact<F> {
    pub(crate) fn new(scene: &Scene) -> Self {
        Exact(F::build(scene).expect("enough memory"))
    }

    /// Returns its tree.
    pub(crate) fn bvh(&self) -> &F::Tree {
        &self.0
    }

    /// Finds the first hit of each ray, in the rayon pool of the caller.
    pub(crate) fn first_hits(&self, rays: &[Ray<F>]) -> Vec<Hit<F>> {
        let first_hit = |ray: &Ray<F>| F::closest(&self.0, ray);
        rays.par_iter().map(first_hit).collect()
    }
}

/// Single calls about rays and points in `f64`, which are rounded if the tree is in `f32`.
pub(super) struct InDoubles<F: Exactly>(pub(super) Arc<F::Tree>);

impl<F: Exactly> Queries<f64> for InDoubles<F> {
    fn closest_hits(&self, rays: &[Ray<f64>], hits: &mut [Hit<f64>]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = widened(F::closest(&self.0, &F::narrow(ray)));
        }
    }

    fn any_hits(&self, rays: &[Ray<f64>], hits: &mut [bool]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = F::any(&self.0, &F::narrow(ray));
        }
    }

    fn closest_points(&self, points: &[DVec3], found: &mut [Hit<f64>]) -> bool {
        for (&point, found) in points.iter().zip(found) {
            *found = widened(F::nearest(&self.0, F::narrow_point(point)));
        }
        true
    }
}

/// Batches of rays in `f64`, which are rounded if the tree is in `f32`.
pub(super) struct ManyInDoubles<F: Exactly>(pub(super) Arc<F::Tree>);

impl<F: Exactly> Queries<f64> for ManyInDoubles<F> {
    fn spreads_itself(&self) -> bool {
        true
    }

    fn closest_hits(&self, rays: &[Ray<f64>], hits: &mut [Hit<f64>]) {
        let stretch = STRETCH * rayon::current_num_threads();
        for (rays, hits) in rays.chunks(stretch).zip(hits.chunks_mut(stretch)) {
            F::closest_of_many(&self.0, rays, hits);
        }
    }

    fn any_hits(&self, rays: &[Ray<f64>], hits: &mut [bool]) {
        let stretch = STRETCH * rayon::current_num_threads();
        for (rays, hits) in rays.chunks(stretch).zip(hits.chunks_mut(stretch)) {
            F::any_of_many(&self.0, rays, hits);
        }
    }
}

#[inline]
fn widened<F: Exactly>(hit: Hit<F>) -> Hit<f64> {
    Hit {
        t: hit.t.to_f64(),
        prim: hit.prim,
    }
}
