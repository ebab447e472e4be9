//! The rays of each kind: the same bits for the same rays of a camera, on every machine.
//!
//! Everything is computed in `f64` and rounded once, so that meshes at both ends of the range of
//! `f32` have valid rays.

use super::RayKind;
use crate::SplitMix64;
use estoc_core::Ray;
use estoc_core::glam::{DVec3, Vec3};
use estoc_mesh::Mesh;

/// The height above the surface at which secondary rays start, in diagonals of the scene: enough
/// that rounding does not make them hit the triangle that they leave.
const LIFT: f64 = 2e-5;
/// The distance of the ends of shadow rays from the centre of the light, in diagonals of the scene.
const LIGHT_SIZE: f64 = 0.01;
/// The length of a shadow ray as a fraction of the distance to the light.
const WAY_TO_LIGHT: f64 = 0.999;
/// The length of ambient occlusion rays, in diagonals of the scene.
const AO_REACH: f64 = 0.03;
/// The distance of the origins of random rays from the centre of the scene, in diagonals.
const AROUND: f64 = 0.55;

/// A box around everything.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Its lowest corner.
    pub low: DVec3,
    /// Its edges.
    pub size: DVec3,
}

impl Frame {
    /// Returns the bounding box of a mesh; from -1 to 1 along each axis for an empty mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let bounds = mesh.bounds();
        let [low, high] = match bounds.is_empty() {
            true => [DVec3::NEG_ONE, DVec3::ONE],
            false => [bounds.min(), bounds.max()].map(Vec3::as_dvec3),
        };
        Frame {
            low,
            size: high - low,
        }
    }

    /// Returns the length of the diagonal, at least about the resolution of `f32` at that place,
    /// and never 0.
    pub fn diagonal(&self) -> f64 {
        let least = 1e-6 * self.low.length();
        self.size.length().max(least).max(1e-40)
    }
}

/// Makes rays of each kind.
#[derive(Clone, Debug)]
pub struct RayMaker {
    frame: Frame,
    light: DVec3,
    primary: Vec<Ray>,
    /// The primary hit points, slightly above the surface, with the normals that face the camera.
    places: Vec<(DVec3, DVec3)>,
}

impl RayMaker {
    /// Prepares rays of a scene from the primary rays, and from what each of them hits: the
    /// parameter and the unit normal. Secondary rays start above the surface by a height that grows
    /// with `size`, which is usually the diagonal of the frame.
    pub fn new(
        frame: Frame,
        size: f64,
        light: DVec3,
        primary: Vec<Ray>,
        hits: impl IntoIterator<Item = Option<(f32, DVec3)>>,
    ) -> Self {
        let place = |(ray, hit): (&Ray, Option<(f32, DVec3)>)| {
            let (t, normal) = hit?;
            let dir = ray.dir.as_dvec3();
            let normal = match normal.dot(dir) > 0.0 {
                true => -normal,
                false => normal,
            };
            let at = ray.origin.as_dvec3() + dir * f64::from(t);
            Some((at + normal * (size * LIFT), normal))
        };
        RayMaker {
            frame,
            light,
            places: primary.iter().zip(hits).filter_map(place).collect(),
            primary,
        }
    }

    /// Returns the primary rays, or `count` rays of another kind, whichever other kinds are made;
    /// none if they start at primary hits and there are no such hits.
    pub fn rays(&self, kind: RayKind, count: usize) -> Vec<Ray> {
        let mut random = SplitMix64::new(0xd1b5_4a32 + kind as u64);
        match kind {
            RayKind::Primary => self.primary.clone(),
            RayKind::Diffuse => self.each(count, |at, normal| {
                ray(at, above(&mut random, normal), f64::INFINITY)
            }),
            RayKind::Shadow => {
                let spread = self.frame.diagonal() * LIGHT_SIZE;
                self.each(count, |at, _| {
                    let way = self.light + direction(&mut random) * spread - at;
                    let length = way.length();
                    ray(at, way.normalize_or(DVec3::Y), length * WAY_TO_LIGHT)
                })
            }
            RayKind::Ao => {
                let reach = self.frame.diagonal() * AO_REACH;
                self.each(count, |at, normal| {
                    ray(at, above(&mut random, normal), reach)
                })
            }
            RayKind::Random | RayKind::RandomAny => self.around(count),
        }
    }

    /// Returns rays that are spread evenly over the places in the order of the picture.
    fn each(&self, count: usize, mut ray: impl FnMut(DVec3, DVec3) -> Ray) -> Vec<Ray> {
        let count = if self.places.is_empty() { 0 } else { count };
        (0..count)
            .map(|i| {
                let (at, normal) = self.places[i * self.places.len() / count];
                ray(at, normal)
            })
            .collect()
    }

    /// Returns rays from random points on a sphere around the box to random points in the box.
    fn around(&self, count: usize) -> Vec<Ray> {
        let mut random = SplitMix64::new(4321);
        let Frame { low, size } = self.frame;
        let centre = low + 0.5 * size;
        (0..count)
            .map(|_| {
                let origin = centre + direction(&mut random) * (AROUND * self.frame.diagonal());
                let share = [0; 3].map(|_| random.unit());
                let target = low + size * DVec3::from_array(share);
                let dir = (target - origin).normalize_or(DVec3::X);
                ray(origin, dir, f64::INFINITY)
            })
            .collect()
    }
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
mod tests {
    use super::*;

    #[test]
    fn rays_are_spread_over_all_places() {
        let down = |x: f32| Ray::new([x, 1.0, 0.0], [0.0, -1.0, 0.0]);
        let frame = Frame::of(&Mesh::default());
        let rays = [1.0, 2.0, 3.0].map(down).to_vec();
        let hits = [Some((1.0, DVec3::NEG_Y)), None, Some((1.0, DVec3::Y))];
        let maker = RayMaker::new(frame, 1.0, DVec3::Y, rays, hits);
        let from = maker.rays(RayKind::Diffuse, 4);
        let places: Vec<[f32; 3]> = from.iter().map(|ray| ray.origin.to_array()).collect();
        let [one, other] = [1.0, 3.0].map(|x| [x, LIFT as f32, 0.0]);
        assert_eq!(places, [one, one, other, other]);
        assert!(from.iter().all(|ray| ray.dir.y > 0.0));
        let nothing = RayMaker::new(frame, 1.0, DVec3::Y, vec![down(0.0)], [None]);
        assert!(nothing.rays(RayKind::Ao, 4).is_empty());
        assert_eq!(nothing.rays(RayKind::Random, 4).len(), 4);
    }
}
