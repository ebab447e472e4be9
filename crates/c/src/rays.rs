//! Rays, one or many, in the host's memory.

use crate::asking::Source;
use crate::numbers::{Column, Vectors, estoc_column, estoc_vectors, is_f32};
use crate::status::Failure;
use estoc_batch::OfNumbers;
use estoc_core::{Ray, Ray64, RayKind};

/// A ray: the points `origin + t * dir` with `t_min <= t <= t_max`, both ends included. `estoc_make_ray` makes one
/// without an end.
///
/// A ray that is not defined, such as one with NaN in it, without a direction or with infinite coordinates, hits
/// nothing. Numbers are never rounded: a ray whose numbers are all `float`s is as fast at a world in `float` as a ray
/// there is, and another one gets the exact answer more slowly.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct estoc_ray {
    /// The point at `t = 0`.
    pub origin: [f64; 3],
    /// The direction, of any length. It is the unit of `t`.
    pub dir: [f64; 3],
    /// The least parameter that counts; may be negative, and infinite.
    pub t_min: f64,
    /// The greatest parameter that counts; `INFINITY` for a ray without an end.
    pub t_max: f64,
}

/// Many rays, number by number; see `estoc_ray`. Rays that follow each other should be close to each other: those of
/// a picture are fastest in tiles of 16 by 16 pixels.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_rays {
    /// The number of rays.
    pub count: usize,
    /// The origins.
    pub origin: estoc_vectors,
    /// The directions.
    pub dir: estoc_vectors,
    /// The least parameters that count, `ESTOC_F32` or `ESTOC_F64`; 0 where `data` is null.
    pub t_min: estoc_column,
    /// The greatest parameters that count; infinite where `data` is null.
    pub t_max: estoc_column,
}

/// A ray of the library that is made of one of the host.
pub(crate) trait HostRay: RayKind + OfNumbers {
    /// Returns the ray of these numbers, which are rounded if the ray has other ones.
    fn of(ray: &estoc_ray) -> Self;

    fn host(&self) -> estoc_ray {
        let [t_min, t_max] = self.interval();
        estoc_ray {
            origin: self.wide_origin(),
            dir: self.wide_dir(),
            t_min,
            t_max,
        }
    }
}

impl HostRay for Ray {
    #[inline(always)]
    fn of(ray: &estoc_ray) -> Self {
        let narrow = |point: [f64; 3]| point.map(|x| x as f32);
        Ray::new(narrow(ray.origin), narrow(ray.dir))
            .with_interval(ray.t_min as f32, ray.t_max as f32)
    }
}

impl HostRay for Ray64 {
    #[inline(always)]
    fn of(ray: &estoc_ray) -> Self {
        Ray64::new(ray.origin, ray.dir).with_interval(ray.t_min, ray.t_max)
    }
}

impl estoc_ray {
    /// Returns whether all numbers are `f32`s.
    #[inline(always)]
    pub(crate) fn is_f32(&self) -> bool {
        let [a, b, c] = self.origin;
        let [d, e, f] = self.dir;
        [a, b, c, d, e, f, self.t_min, self.t_max]
            .into_iter()
            .fold(true, |all, x| all & is_f32(x))
    }
}

/// The rays of a question.
pub(crate) struct RayInput {
    count: usize,
    origin: Vectors,
    dir: Vectors,
    t_min: Option<Column>,
    t_max: Option<Column>,
}

impl RayInput {
    pub(crate) fn of(rays: &estoc_rays) -> Result<Self, Failure> {
        let count = rays.count;
        Ok(RayInput {
            count,
            origin: Vectors::of(&rays.origin, count, "rays.origin")?,
            dir: Vectors::of(&rays.dir, count, "rays.dir")?,
            t_min: Column::of_numbers(&rays.t_min, count, "rays.t_min")?,
            t_max: Column::of_numbers(&rays.t_max, count, "rays.t_max")?,
        })
    }

    /// Returns whether all numbers are `f32`s.
    pub(crate) fn are_f32(&self) -> bool {
        let bounds = self.t_min.iter().chain(&self.t_max);
        let any_f64 =
            self.origin.is_f64() || self.dir.is_f64() || bounds.clone().any(Column::is_f64);
        !any_f64 || (0..self.count).all(|item| self.host(item).is_f32())
    }

    #[inline(always)]
    fn host(&self, item: usize) -> estoc_ray {
        estoc_ray {
            origin: self.origin.at(item),
            dir: self.dir.at(item),
            t_min: self.t_min.map_or(0.0, |column| column.number(item)),
            t_max: self
                .t_max
                .map_or(f64::INFINITY, |column| column.number(item)),
        }
    }
}

impl<R: HostRay> Source<R> for RayInput {
    fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn at(&self, item: usize) -> R {
        R::of(&self.host(item))
    }
}
