//! The six kinds of rays for a scene.

use crate::random::Random;
use crate::ray::{Hit, Ray};
use crate::scenes::{Scene, View};
use estoc::glam::Vec3;

/// Edge of the picture that primary rays make: a million rays of each kind. Other edges are
/// multiples of 16, too.
pub(crate) const SIDE: usize = 1024;
/// Rays start so far above the surface that they left, in diagonals of the scene: at none of
/// the scenes does a ray meet its own triangle again by rounding.
const LIFT: f32 = 2e-5;

/// A kind of rays, and the question asked about them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Kind {
    /// First hits of a camera's rays, neighbours in compact blocks.
    Primary,
    /// First hits from where primary rays hit, in directions about the normal.
    Diffuse,
    /// First hits of rays from around the scene through points in its box.
    Random,
    /// Any hit on the way from where primary rays hit to a light.
    Shadow,
    /// Any hit near where primary rays hit, in directions about the normal.
    Ao,
    /// Any hit of the random rays.
    RandomAny,
}

impl Kind {
    pub(crate) const ALL: [Kind; 6] = [
        Kind::Primary,
        Kind::Diffuse,
        Kind::Random,
        Kind::Shadow,
        Kind::Ao,
        Kind::RandomAny,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Primary => "primary",
            Kind::Diffuse => "diffuse",
            Kind::Random => "random",
            Kind::Shadow => "shadow",
            Kind::Ao => "ao",
            Kind::RandomAny => "random-any",
        }
    }

    /// Whether any hit is asked for, not the first one.
    pub(crate) const fn is_any(self) -> bool {
        matches!(self, Kind::Shadow | Kind::Ao | Kind::RandomAny)
    }

    /// The rays of this kind, `side * side` of them, the same whichever others are made.
    /// `places` are those that primary rays hit.
    pub(crate) fn make(self, scene: &Scene, places: &Places, side: usize) -> Vec<Ray> {
        let count = side * side;
        let mut random = Random::new(1234 + self as u64);
        match self {
            Kind::Primary => primary(scene.view(), side),
            Kind::Diffuse => places.each(count, |at, normal| {
                Some(ray(at, random.above(normal), f32::INFINITY))
            }),
            Kind::Shadow => {
                let light = scene.view().light;
                let spread = diagonal(scene) * 0.01;
                places.each(count, |at, _| {
                    let way = light + random.cube() * spread - at;
                    let length = way.length();
                    Some(ray(at, way / length, length * 0.999))
                })
            }
            Kind::Ao => {
                let reach = diagonal(scene) * 0.03;
                places.each(count, |at, normal| {
                    Some(ray(at, random.above(normal), reach))
                })
            }
            Kind::Random | Kind::RandomAny => from_around(scene, count),
        }
    }
}

/// Where primary rays hit, and the normals there that look at the eye.
pub(crate) struct Places(Vec<(Vec3, Vec3)>);

impl Places {
    /// The places of these hits, a little above the surface.
    pub(crate) fn of_primary_hits(
        scene: &Scene,
        first_hits: impl FnOnce(&[Ray]) -> Vec<Hit>,
    ) -> Places {
        let rays = primary(scene.view(), SIDE);
        let hits = first_hits(&rays);
        let lift = diagonal(scene) * LIFT;
        let place = |(ray, hit): (&Ray, &Hit)| {
            let corners = scene.faces().get(hit.prim as usize)?;
            let [a, b, c] = corners.map(|corner| scene.positions()[corner as usize]);
            let normal = (b - a).cross(c - a).normalize_or(Vec3::Z);
            let dir = Vec3::from(ray.dir);
            let normal = if normal.dot(dir) > 0.0 {
                -normal
            } else {
                normal
            };
            let at = Vec3::from(ray.origin) + dir * hit.t;
            Some((at + normal * lift, normal))
        };
        Places(rays.iter().zip(&hits).filter_map(place).collect())
    }

    /// So many rays, spread evenly over the places in the order of the picture; none when the
    /// camera saw nothing.
    fn each(&self, count: usize, mut ray: impl FnMut(Vec3, Vec3) -> Option<Ray>) -> Vec<Ray> {
        (0..count)
            .filter_map(|i| {
                let index = i * self.0.len() / count;
                let &(at, normal) = self.0.get(index)?;
                ray(at, normal)
            })
            .collect()
    }
}

fn ray(origin: Vec3, dir: Vec3, t_max: f32) -> Ray {
    Ray {
        origin: origin.into(),
        t_max,
        dir: dir.into(),
    }
}

fn diagonal(scene: &Scene) -> f32 {
    let bounds = scene.mesh().bounds();
    (bounds.max() - bounds.min()).length()
}

/// A picture in tiles of 16 by 16 and blocks of 4 by 4, so that 4, 8 or 16 rays in a row are
/// close together, as packets want them.
fn primary(view: View, side: usize) -> Vec<Ray> {
    let ahead = (view.target - view.eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    let reach = (view.angle.to_radians() * 0.5).tan();
    let place = |pixel: usize| (pixel as f32 + 0.5) / (side / 2) as f32 - 1.0;
    (0..side * side)
        .map(|i| {
            let (tile, block, pixel) = (i / 256, i / 16 % 16, i % 16);
            let tiles = side / 16;
            let column = tile % tiles * 16 + block % 4 * 4 + pixel % 4;
            let row = tile / tiles * 16 + block / 4 * 4 + pixel / 4;
            let aside = right * (place(column) * reach) - up * (place(row) * reach);
            ray(view.eye, (ahead + aside).normalize(), f32::INFINITY)
        })
        .collect()
}

/// From anywhere on a sphere around the scene towards anywhere in its box.
fn from_around(scene: &Scene, count: usize) -> Vec<Ray> {
    let mut random = Random::new(4321);
    let bounds = scene.mesh().bounds();
    let (min, size) = (bounds.min(), bounds.max() - bounds.min());
    let (centre, radius) = (min + size * 0.5, size.length() * 0.55);
    (0..count)
        .map(|_| {
            let origin = centre + random.direction() * radius;
            let [x, y, z] = [0; 3].map(|_| random.unit());
            let target = min + size * Vec3::new(x, y, z);
            ray(origin, (target - origin).normalize(), f32::INFINITY)
        })
        .collect()
}
