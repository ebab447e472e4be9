//! The kinds of rays for a scene, in `f32`.

use crate::kind::Kind;
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
pub(crate) fn make(kind: Kind, scene: &Scene, places: &Places<Vec3>, side: usize) -> Vec<Ray> {
    match kind {
        Kind::Shared(kind) => shared(kind, scene, places, side),
        Kind::Missed => pointing_away(scene, side * side),
    }
}

/// Returns `side * side` rays of a kind that `estoc bench` has, too.
fn shared(kind: RayKind, scene: &Scene, places: &Places<Vec3>, side: usize) -> Vec<Ray> {
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
        RayKind::Random | RayKind::RandomAny => from_around(bounds(scene), count),
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

pub(crate) fn ray(origin: Vec3, dir: Vec3, t_max: f32) -> Ray {
    Ray {
        origin: origin.into(),
        t_max,
        dir: dir.into(),
    }
}

fn diagonal(scene: &Scene) -> f32 {
    let [min, max] = bounds(scene);
    (max - min).length()
}

fn bounds(scene: &Scene) -> [Vec3; 2] {
    let bounds = scene.mesh().bounds();
    [bounds.min(), bounds.max()]
}

pub(crate) fn primary(view: View, side: usize) -> Vec<Ray> {
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

/// Returns rays from anywhere on a sphere around a box through points in it.
pub(crate) fn from_around([min, max]: [Vec3; 2], count: usize) -> Vec<Ray> {
    let mut random = SingleRandom::new(4321);
    let size = max - min;
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

/// Returns the rays of [`from_around`] with their directions reversed.
///
/// None meets the box of the mesh: it is convex, so a line crosses it in one piece, and each line
/// does so ahead of the origin, which is outside. The distance to the box is at least a twentieth
/// of its diagonal, far beyond all rounding errors and margins.
fn pointing_away(scene: &Scene, count: usize) -> Vec<Ray> {
    let mut rays = from_around(bounds(scene), count);
    for ray in &mut rays {
        ray.dir = ray.dir.map(|component| -component);
    }
    rays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Exact;
    use estoc::Mesh;
    use std::path::Path;

    /// Returns whether a ray meets a box that is larger by a margin on all sides.
    fn meets(ray: &Ray, [min, max]: [Vec3; 2], margin: f64) -> bool {
        let (mut enter, mut leave) = (0.0_f64, f64::from(ray.t_max));
        for axis in 0..3 {
            let (origin, dir) = (f64::from(ray.origin[axis]), f64::from(ray.dir[axis]));
            let low = f64::from(min[axis]) - margin - origin;
            let high = f64::from(max[axis]) + margin - origin;
            if dir == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return false;
                }
                continue;
            }
            let (near, far) = (low / dir, high / dir);
            enter = enter.max(near.min(far));
            leave = leave.min(near.max(far));
        }
        enter <= leave
    }

    #[test]
    fn missed_rays_miss_the_box_of_the_root() {
        let flat = Mesh::try_new(
            [[-3.0, 1.0, 0.0], [9.0, 1.0, 0.0], [0.0, 1.0, 4.0]],
            [[0, 1, 2]],
        );
        let scenes = [
            Scene::load("terrain10k", Path::new(".")),
            Scene::of_mesh("flat", &flat.expect("finite corners")),
        ];
        for scene in scenes {
            let scene = scene.expect("no file is needed");
            let exact = Exact::new(&scene);
            let nowhere = Places::from_iter([]);
            let missed = make(Kind::Missed, &scene, &nowhere, 64);
            assert_eq!(missed.len(), 64 * 64);
            assert!(exact.first_hits(&missed).iter().all(|hit| !hit.is_hit()));
            let root = exact.bvh().nodes().next();
            let children = root.expect("a mesh with triangles").children();
            let whole = children.map(|(bounds, _)| [bounds.min(), bounds.max()]);
            let whole = whole.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
            let whole = whole.expect("a child");
            let margin = 0.001 * f64::from(diagonal(&scene));
            assert!(!missed.iter().any(|ray| meets(ray, whole, margin)));
            let random = make(Kind::Shared(RayKind::Random), &scene, &nowhere, 64);
            assert!(random.iter().all(|ray| meets(ray, whole, margin)));
        }
    }
}
