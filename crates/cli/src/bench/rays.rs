//! Rays of each kind for a mesh: the same bits for the same mesh and count, on every machine.
//!
//! Everything is computed in `f64` and rounded once, so that meshes at both ends of the range of
//! `f32` have valid rays.

use super::kind::Kind;
use crate::failure::Failure;
use estoc::demo::SplitMix64;
use estoc::glam::{DVec3, Vec3};
use estoc::{Batch, Bvh, Mesh, Ray};
use estoc_demo::ray_kinds::{
    AO_REACH, AROUND, LIFT, LIGHT_SIZE, Places, TILE, WAY_TO_LIGHT, pixels_in_tiles,
};
use estoc_picture::{PictureError, Size, View};

/// Returns the side of the smallest picture of at least `count` pixels, in whole tiles.
pub(super) fn side_for(count: u32) -> usize {
    let tiles = (1..).find(|tiles| (tiles * TILE).pow(2) >= count as usize);
    tiles.unwrap_or(1) * TILE
}

/// Returns the points that the primary rays of a picture with this side hit, lifted a little off
/// the surface, with their normals.
pub(super) fn places(
    mesh: &Mesh,
    bvh: &Bvh,
    view: &View,
    side: usize,
) -> Result<Places<DVec3>, Failure> {
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
    let hits = Batch::new().closest_hits(bvh, &rays)?;
    let seen = rays.iter().zip(&hits);
    let places = seen.filter_map(|(ray, hit)| place(ray, hit.as_ref()?));
    Ok(places.collect())
}

/// Returns the `side * side` rays of a kind, whichever other kinds are made; none if they start at
/// primary hits and there are no such hits.
pub(super) fn make(
    kind: Kind,
    mesh: &Mesh,
    view: &View,
    places: &Places<DVec3>,
    side: usize,
) -> Result<Vec<Ray>, Failure> {
    let count = side * side;
    let frame = Frame::of(mesh);
    let mut random = SplitMix64::new(0xd1b5_4a32 + kind as u64);
    Ok(match kind {
        Kind::Primary => primary(view, side)?,
        Kind::Diffuse => places.each(count, |at, normal| {
            ray(at, above(&mut random, normal), f64::INFINITY)
        }),
        Kind::Shadow => {
            let light = frame.light(view);
            let spread = frame.diagonal() * LIGHT_SIZE;
            places.each(count, |at, _| {
                let way = light + direction(&mut random) * spread - at;
                let length = way.length();
                ray(at, way.normalize_or(DVec3::Y), length * WAY_TO_LIGHT)
            })
        }
        Kind::Ao => {
            let reach = frame.diagonal() * AO_REACH;
            places.each(count, |at, normal| {
                ray(at, above(&mut random, normal), reach)
            })
        }
        Kind::Random | Kind::RandomAny => frame.rays_around(count),
    })
}

/// The bounding box of a mesh; from -1 to 1 along each axis for an empty mesh.
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

    /// Returns the length of the diagonal, at least about the resolution of `f32` at that place,
    /// and never 0.
    fn diagonal(&self) -> f64 {
        let least = 1e-6 * self.low.length();
        self.size.length().max(least).max(1e-40)
    }

    /// Returns the position of the light: above the mesh and to the side, or near the eye if the
    /// eye is inside the box.
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

    /// Returns rays from random points on a sphere around the box to random points in the box.
    fn rays_around(&self, count: usize) -> Vec<Ray> {
        let mut random = SplitMix64::new(4321);
        let centre = self.low + 0.5 * self.size;
        (0..count)
            .map(|_| {
                let origin = centre + direction(&mut random) * (AROUND * self.diagonal());
                let share = [0; 3].map(|_| random.unit());
                let target = self.low + self.size * DVec3::from_array(share);
                let dir = (target - origin).normalize_or(DVec3::X);
                ray(origin, dir, f64::INFINITY)
            })
            .collect()
    }
}

/// Returns the primary rays of a square picture.
fn primary(view: &View, side: usize) -> Result<Vec<Ray>, Failure> {
    let size = Size::try_new(side, side).map_err(|error| Failure::Usage(error.to_string()))?;
    let camera = view.camera(size).map_err(PictureError::from)?;
    let middle = |pixel: [usize; 2]| pixel.map(|place| place as f32 + 0.5);
    let pixels = pixels_in_tiles(side);
    Ok(pixels.map(|pixel| camera.ray(middle(pixel))).collect())
}

fn ray(origin: DVec3, dir: DVec3, t_max: f64) -> Ray {
    // Beyond the range of f32 there is nothing to hit, but a ray needs finite numbers.
    let most = DVec3::splat(f32::MAX.into());
    let origin = origin.clamp(-most, most).as_vec3();
    Ray::new(origin, dir.as_vec3()).with_interval(0.0, t_max as f32)
}

fn direction(random: &mut SplitMix64) -> DVec3 {
    DVec3::from_array(random.direction())
}

/// Returns a random direction above a surface, with a density proportional to the cosine to its
/// normal.
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
