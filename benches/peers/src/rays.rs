//! The six kinds of rays for a scene, in `f32`.

use crate::ray::{Hit, Ray};
use crate::scenes::{Scene, View};
use estoc::glam::Vec3;
use estoc_demo::SingleRandom;
use estoc_demo::ray_kinds::{
    AO_REACH, AROUND, LIFT, LIGHT_SIZE, Places, RayKind, WAY_TO_LIGHT, pixels_in_tiles,
};

/// Edge length of the picture of primary rays: a million rays of each kind. Other edge lengths are
/// multiples of 16, too.
pub(crate) const SIDE: usize = 1024;

/// Returns `side * side` rays of a kind; they do not depend on the other kinds. `places` are the
/// points that primary rays hit.
pub(crate) fn make(kind: RayKind, scene: &Scene, places: &Places<Vec3>, side: usize) -> Vec<Ray> {
    let count = side * side;
    let mut random = SingleRandom::new(1234 + kind as u64);
    match kind {
        RayKind::Primary => primary(scene.view(), side),
        RayKind::Diffuse => places.each(count, |at, normal| {
            ray(at, random.above(normal), f32::INFINITY)
        }),
        RayKind::Shadow => {
            let light = scene.view().light;
            let spread = diagonal(scene) * LIGHT_SIZE as f32;
            places.each(count, |at, _| {
                let way = light + random.cube() * spread - at;
                let length = way.length();
                ray(at, way / length, length * WAY_TO_LIGHT as f32)
            })
        }
        RayKind::Ao => {
            let reach = diagonal(scene) * AO_REACH as f32;
            places.each(count, |at, normal| ray(at, random.above(normal), reach))
        }
        RayKind::Random | RayKind::RandomAny => from_around(scene, count),
    }
}

/// Returns the points that primary rays hit, slightly above the surface.
pub(crate) fn places(scene: &Scene, first_hits: impl FnOnce(&[Ray]) -> Vec<Hit>) -> Places<Vec3> {
    let rays = primary(scene.view(), SIDE);
    let hits = first_hits(&rays);
    let lift = diagonal(scene) * LIFT as f32;
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
    rays.iter().zip(&hits).filter_map(place).collect()
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

fn primary(view: View, side: usize) -> Vec<Ray> {
    let ahead = (view.target - view.eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    let reach = (view.angle.to_radians() * 0.5).tan();
    let place = |pixel: usize| (pixel as f32 + 0.5) / (side / 2) as f32 - 1.0;
    pixels_in_tiles(side)
        .map(|[column, row]| {
            let aside = right * (place(column) * reach) - up * (place(row) * reach);
            ray(view.eye, (ahead + aside).normalize(), f32::INFINITY)
        })
        .collect()
}

/// Returns rays from anywhere on a sphere around the scene through points in its box.
fn from_around(scene: &Scene, count: usize) -> Vec<Ray> {
    let mut random = SingleRandom::new(4321);
    let bounds = scene.mesh().bounds();
    let (min, size) = (bounds.min(), bounds.max() - bounds.min());
    let (centre, radius) = (min + size * 0.5, size.length() * AROUND as f32);
    (0..count)
        .map(|_| {
            let origin = centre + random.direction() * radius;
            let [x, y, z] = [0; 3].map(|_| random.unit());
            let target = min + size * Vec3::new(x, y, z);
            ray(origin, (target - origin).normalize(), f32::INFINITY)
        })
        .collect()
}
