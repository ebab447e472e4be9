//! Rays of each kind for a mesh: the same bits for the same mesh and count, on every machine.
//!
//! All is computed in `f64` and rounded once, so that meshes as large or as small as `f32` is have
//! rays that can be cast.

use super::kind::Kind;
use crate::failure::Failure;
use crate::picture::Size;
use crate::view::View;
use estoc::demo::SplitMix64;
use estoc::glam::{DVec3, Vec3};
use estoc::{Bvh, Mesh, Ray, closest_hits};

/// Rays start so far above the surface that they left, in diagonals of the mesh's box: far enough
/// that rounding does not put their own triangle in their way.
const LIFT: f64 = 2e-5;
/// Pixels of a picture come in tiles of 16 by 16, each in blocks of 4 by 4, so that 4, 8 or 16
/// rays in a row are close together, as packets want them.
const TILE: usize = 16;
const BLOCK: usize = 4;

/// The side of the smallest picture that has so many pixels, in whole tiles.
pub(super) fn side_for(count: u32) -> usize {
    let tiles = (1..).find(|tiles| (tiles * TILE).pow(2) >= count as usize);
    tiles.unwrap_or(1) * TILE
}

/// Where primary rays hit, and the normals there that look at the eye.
pub(super) struct Places(Vec<(DVec3, DVec3)>);

impl Places {
    /// The places of the picture of this side, a little above the surface.
    pub(super) fn of_primary_hits(
        mesh: &Mesh,
        bvh: &Bvh,
        view: &View,
        side: usize,
    ) -> Result<Places, Failure> {
        let rays = primary(view, side)?;
        let lift = Frame::of(mesh).diagonal() * LIFT;
        let place = |ray: &Ray, hit: &estoc::Hit| {
            let [a, b, c] = mesh.triangle(hit.prim)?.corners().map(Vec3::as_dvec3);
            let normal = (b - a).cross(c - a).normalize_or(DVec3::Z);
            let dir = ray.dir.as_dvec3();
            let normal = match normal.dot(dir) > 0.0 {
                true => -normal,
                false => normal,
            };
            let at = ray.origin.as_dvec3() + dir * f64::from(hit.t);
            Some((at + normal * lift, normal))
        };
        let hits = closest_hits(bvh, &rays);
        let seen = rays.iter().zip(&hits);
        let places = seen.filter_map(|(ray, hit)| place(ray, hit.as_ref()?));
        Ok(Places(places.collect()))
    }

    /// So many rays, spread evenly over the places in the order of the picture; none when the
    /// picture shows nothing.
    fn each(&self, count: usize, mut ray: impl FnMut(DVec3, DVec3) -> Ray) -> Vec<Ray> {
        if self.0.is_empty() {
            return Vec::new();
        }
        (0..count)
            .map(|i| {
                let (at, normal) = self.0[i * self.0.len() / count];
                ray(at, normal)
            })
            .collect()
    }
}

impl Kind {
    /// The rays of this kind, `side * side` of them, the same whichever others are made.
    pub(super) fn make(
        self,
        mesh: &Mesh,
        view: &View,
        places: &Places,
        side: usize,
    ) -> Result<Vec<Ray>, Failure> {
        let count = side * side;
        let frame = Frame::of(mesh);
        let mut random = SplitMix64::new(0xd1b5_4a32 + self as u64);
        Ok(match self {
            Kind::Primary => primary(view, side)?,
            Kind::Diffuse => places.each(count, |at, normal| {
                ray(at, above(&mut random, normal), f64::INFINITY)
            }),
            Kind::Shadow => {
                let light = frame.light(view);
                let spread = frame.diagonal() * 0.01;
                places.each(count, |at, _| {
                    let way = light + direction(&mut random) * spread - at;
                    let length = way.length();
                    ray(at, way.normalize_or(DVec3::Y), length * 0.999)
                })
            }
            Kind::Ao => {
                let reach = frame.diagonal() * 0.03;
                places.each(count, |at, normal| {
                    ray(at, above(&mut random, normal), reach)
                })
            }
            Kind::Random | Kind::RandomAny => frame.rays_around(count),
        })
    }
}

/// The box of a mesh; from -1 to 1 for one that is empty.
struct Frame {
    low: DVec3,
    size: DVec3,
}

impl Frame {
    fn of(mesh: &Mesh) -> Self {
        let bounds = mesh.bounds();
        let [low, high] = match bounds.is_empty() {
            true => [DVec3::NEG_ONE, DVec3::ONE],
            false => [bounds.min(), bounds.max()].map(Vec3::as_dvec3),
        };
        let size = high - low;
        Frame { low, size }
    }

    /// Never 0: a point is as large as what `f32` tells apart there.
    fn diagonal(&self) -> f64 {
        let least = 1e-6 * self.low.length();
        self.size.length().max(least).max(1e-40)
    }

    /// Where the light is: above a thing, and to the side; near the eye where that is inside.
    fn light(&self, view: &View) -> DVec3 {
        let (eye, up) = (view.eye.as_dvec3(), view.up.as_dvec3());
        let is_inside = eye.cmpge(self.low).all() && eye.cmple(self.low + self.size).all();
        let (from, way) = match is_inside {
            true => (eye, up * 0.05),
            false => {
                let aside = DVec3::new(0.3, 1.0, 0.4).normalize();
                (self.low + 0.5 * self.size, aside * 1.5)
            }
        };
        from + way * self.diagonal()
    }

    /// From anywhere on a sphere around the box towards anywhere in it.
    fn rays_around(&self, count: usize) -> Vec<Ray> {
        let mut random = SplitMix64::new(4321);
        let centre = self.low + 0.5 * self.size;
        (0..count)
            .map(|_| {
                let origin = centre + direction(&mut random) * (0.55 * self.diagonal());
                let share = [0; 3].map(|_| random.unit());
                let target = self.low + self.size * DVec3::from_array(share);
                let dir = (target - origin).normalize_or(DVec3::X);
                ray(origin, dir, f64::INFINITY)
            })
            .collect()
    }
}

/// The rays of a picture as high as it is wide.
fn primary(view: &View, side: usize) -> Result<Vec<Ray>, Failure> {
    let (width, height) = (side, side);
    let camera = view.camera(Size { width, height })?;
    let tiles = side / TILE;
    let pixel = |i: usize| {
        let (tile, block) = (i / (TILE * TILE), i / (BLOCK * BLOCK) % 16);
        let place = i % (BLOCK * BLOCK);
        let across = |tile: usize, block: usize, place: usize| {
            (tile * TILE + block * BLOCK + place) as f32 + 0.5
        };
        let x = across(tile % tiles, block % BLOCK, place % BLOCK);
        let y = across(tile / tiles, block / BLOCK, place / BLOCK);
        camera.ray([x, y])
    };
    Ok((0..side * side).map(pixel).collect())
}

fn ray(origin: DVec3, dir: DVec3, t_max: f64) -> Ray {
    // Beyond f32 there is nothing to hit, but a ray must have numbers.
    let most = DVec3::splat(f32::MAX.into());
    let origin = origin.clamp(-most, most).as_vec3();
    Ray::new(origin, dir.as_vec3()).with_interval(0.0, t_max as f32)
}

fn direction(random: &mut SplitMix64) -> DVec3 {
    DVec3::from_array(random.direction())
}

/// A direction above a surface, distributed by the cosine to its normal.
fn above(random: &mut SplitMix64, normal: DVec3) -> DVec3 {
    loop {
        let sum = normal + direction(random);
        if sum.length_squared() > 1e-6 {
            return sum.normalize();
        }
    }
}

#[cfg(test)]
mod tests;
