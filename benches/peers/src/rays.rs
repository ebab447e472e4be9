//! The kinds of rays for a scene or a world.

use crate::kind::Kind;
use crate::ray::{Hit, Ray};
use crate::scenes::{Scene, View};
use estoc::glam::{DVec3, Vec3};
pub(crate) use estoc_demo::ray_kinds::side_for;
use estoc_demo::ray_kinds::{Frame, RayKind, RayMaker, pixels_in_tiles};

/// Edge length of the picture of primary rays: a million rays of each kind. Other edge lengths are
/// multiples of 16, too.
pub(crate) const SIDE: usize = 1024;

/// Makes rays for a scene or a world.
pub(crate) struct Maker {
    shared: RayMaker,
    /// Rays of each kind and each view.
    count: usize,
}

impl Maker {
    /// Prepares pictures of `side * side` rays. The first view has the light. `find` returns the
    /// parameters at which rays hit, with the unit normal of the triangle there; the height above
    /// the surface at which others start is relative to `size`.
    pub(crate) fn new(
        views: &[View],
        frame: Frame,
        side: usize,
        size: f64,
        find: impl Fn(&[Ray]) -> Vec<Option<(f32, DVec3)>>,
    ) -> Self {
        let rays: Vec<estoc::Ray> = views.iter().flat_map(|view| primary(*view, side)).collect();
        let found = find(&rays.iter().map(common).collect::<Vec<_>>());
        let light = views[0].light.as_dvec3();
        Maker {
            shared: RayMaker::new(frame, size, light, rays, found),
            count: side * side,
        }
    }

    /// Prepares the rays of a scene.
    pub(crate) fn of_scene(
        scene: &Scene,
        side: usize,
        first_hits: impl Fn(&[Ray]) -> Vec<Hit>,
    ) -> Self {
        let frame = Frame::of(&scene.mesh);
        let place = |hit: Hit| {
            let corners = scene.mesh.indices().get(hit.prim as usize)?;
            let [a, b, c] =
                corners.map(|corner| scene.mesh.positions()[corner as usize].as_dvec3());
            Some((hit.t, (b - a).cross(c - a).normalize_or(DVec3::Z)))
        };
        let find = |rays: &[Ray]| first_hits(rays).into_iter().map(place).collect();
        Maker::new(&[scene.view], frame, side, frame.diagonal(), find)
    }

    /// Returns the rays of a kind; they do not depend on the other kinds.
    pub(crate) fn rays(&self, kind: Kind) -> Vec<Ray> {
        let shared = match kind {
            Kind::Shared(kind) => kind,
            Kind::Missed => RayKind::Random,
            Kind::Street | Kind::Above => RayKind::Primary,
        };
        let rays = self.shared.rays(shared, self.count);
        let rays = match kind {
            Kind::Street => &rays[..self.count],
            Kind::Above => &rays[self.count..],
            _ => &rays,
        };
        let mut rays: Vec<Ray> = rays.iter().map(common).collect();
        if kind == Kind::Missed {
            // None meets the box of the mesh: it is convex, so a line crosses it in one piece, and
            // the line of each random ray does so ahead of the origin, which is outside. The
            // distance to the box is at least a twentieth of its diagonal, far beyond all rounding
            // errors and margins.
            for ray in &mut rays {
                ray.dir = ray.dir.map(|component| -component);
            }
        }
        rays
    }
}

/// Converts a ray to the common layout.
fn common(ray: &estoc::Ray) -> Ray {
    Ray {
        origin: ray.origin.to_array(),
        t_max: ray.t_max,
        dir: ray.dir.to_array(),
    }
}

fn primary(view: View, side: usize) -> impl Iterator<Item = estoc::Ray> {
    let ahead = (view.target - view.eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    let reach = (view.angle.to_radians() * 0.5).tan();
    let place = move |pixel: usize| (pixel as f32 + 0.5) / (side / 2) as f32 - 1.0;
    pixels_in_tiles(side).map(move |[column, row]| {
        let aside = right * (place(column) * reach) - up * (place(row) * reach);
        estoc::Ray::new(view.eye, (ahead + aside).normalize())
    })
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
    fn pictures_are_large_enough() {
        for (rays, side) in [
            (1, 16),
            (1 << 20, 1024),
            ((1 << 20) + 1, 1040),
            (1 << 24, 4096),
        ] {
            assert_eq!(side_for(rays), side);
        }
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
            let maker = Maker::of_scene(&scene, 64, |_| Vec::new());
            let missed = maker.rays(Kind::Missed);
            assert_eq!(missed.len(), 64 * 64);
            assert!(exact.first_hits(&missed).iter().all(|hit| !hit.is_hit()));
            let root = exact.bvh().nodes().next();
            let children = root.expect("a mesh with triangles").children();
            let whole = children.map(|(bounds, _)| [bounds.min(), bounds.max()]);
            let whole = whole.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)]);
            let whole = whole.expect("a child");
            let margin = 0.001 * Frame::of(&scene.mesh).diagonal();
            assert!(!missed.iter().any(|ray| meets(ray, whole, margin)));
            let random = maker.rays(Kind::Shared(RayKind::Random));
            assert!(random.iter().all(|ray| meets(ray, whole, margin)));
        }
    }
}
