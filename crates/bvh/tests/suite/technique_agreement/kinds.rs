//! Groups of rays with similar directions, and properties that may make such a group fail.

use estoc_core::glam::Vec3;
use estoc_core::{Ray, Triangle};
use estoc_testkit::generate::Rng;

type Kind = fn(&Target<'_>, &mut Rng) -> Vec<Ray>;

/// The kinds of groups.
pub(super) const KINDS: &[(&str, Kind)] = &[
    ("camera", camera),
    ("camera through a corner", through_corner),
    ("camera along an edge", along_edge),
    ("camera along an axis", axis_camera),
    ("far camera", far_camera),
    ("parallel", parallel),
    ("parallel to an axis", axis_parallel),
    ("from a surface to a point", to_a_point),
    ("almost the same", almost_the_same),
    ("from a place anywhere", anywhere),
];

/// The triangles that rays are aimed at.
pub(super) struct Target<'a> {
    triangles: &'a [Triangle],
    middle: Vec3,
    size: f32,
}

impl<'a> Target<'a> {
    /// Returns `None` if there is nothing of a usual size to aim at.
    pub(super) fn new(triangles: &'a [Triangle]) -> Option<Self> {
        let corners = || triangles.iter().flat_map(Triangle::corners);
        let low = corners().fold(Vec3::INFINITY, Vec3::min);
        let high = corners().fold(Vec3::NEG_INFINITY, Vec3::max);
        let size = (high - low).max_element();
        (1e-6..1e12).contains(&size).then_some(Target {
            triangles,
            middle: low + (high - low) / 2.0,
            size,
        })
    }

    fn corners(&self, rng: &mut Rng) -> [Vec3; 3] {
        let mut corners = self.triangles[rng.below(self.triangles.len())].corners();
        corners.rotate_left(rng.below(3));
        corners
    }

    fn corner(&self, rng: &mut Rng) -> Vec3 {
        self.corners(rng)[0]
    }

    fn point(&self, rng: &mut Rng) -> Vec3 {
        let [a, b, c] = self.corners(rng);
        match rng.below(4) {
            0 => a,
            1 => (a + b) / 2.0,
            _ => a.lerp(b.lerp(c, rng.signed().abs()), rng.signed().abs()),
        }
    }

    fn around(&self, rng: &mut Rng, sizes: f32) -> Vec3 {
        self.middle + rng.point() * (sizes * self.size)
    }
}

/// Returns rays from one point, in equal steps to all sides of another.
fn pinhole(from: Vec3, at: Vec3, step: f32, rng: &mut Rng) -> Vec<Ray> {
    let dir = at - from;
    let unit = if rng.one_in(2) {
        1.0
    } else {
        1.0 / dir.length().clamp(1e-6, 1e12)
    };
    let dir = dir * unit;
    let right = dir.any_orthogonal_vector().normalize_or(Vec3::X);
    let up = right.cross(dir).normalize_or(Vec3::Y);
    let step = step * dir.length();
    let width = rng.pick(&[8, 16, 64]);
    (0..count(rng))
        .map(|i| {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            let half = (width / 2) as f32;
            Ray::new(
                from,
                dir + right * (step * (x - half)) + up * (step * (y - 4.0)),
            )
        })
        .collect()
}

/// Returns rays from close origins to all sides, also through corners and edges, some of them
/// short.
fn anywhere(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let (from, step) = (target.point(rng), step(rng));
    let from = match rng.one_in(2) {
        true => from,
        false => from + target.around(rng, step) - target.middle,
    };
    (0..4 * count(rng))
        .map(|_| {
            let from = match rng.one_in(4) {
                true => from,
                false => from + rng.point() * (step * target.size),
            };
            let to = match rng.one_in(2) {
                true => target.point(rng),
                false => target.around(rng, 2.0),
            };
            let ray = Ray::new(from, to - from);
            match rng.one_in(3) {
                true => ray.with_interval(0.0, rng.pick(&[0.01, 0.5, 1.0])),
                false => ray,
            }
        })
        .filter(|ray| ray.dir != Vec3::ZERO)
        .collect()
}

fn count(rng: &mut Rng) -> usize {
    match rng.below(4) {
        0 => 1 + rng.below(200),
        1 => 63 + rng.below(3),
        _ => 64,
    }
}

fn step(rng: &mut Rng) -> f32 {
    rng.pick(&[1e-2, 4e-3, 1e-3, 1e-4, 1e-6])
}

fn camera(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let (from, at, step) = (target.around(rng, 1.5), target.point(rng), step(rng));
    pinhole(from, at, step, rng)
}

fn through_corner(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let (mut from, at, step) = (target.around(rng, 1.0), target.corner(rng), step(rng));
    if rng.one_in(3) {
        from = from.round();
    }
    pinhole(from, at, step, rng)
}

fn along_edge(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let [a, b, _] = target.corners(rng);
    let from = a.lerp(b, rng.pick(&[-2.0, -1.0, -0.5, 0.0]));
    let step = step(rng);
    pinhole(from, b, step, rng)
}

fn axis_camera(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let mut from = target.corner(rng);
    let axis = rng.below(3);
    let (x, y) = ((axis + 1) % 3, (axis + 2) % 3);
    from[axis] -= target.size * rng.pick(&[2.0, -2.0, 0.0]);
    let forward = rng.pick(&[1.0, -1.0, 4.0]);
    let step = step(rng) * 4.0;
    (0..count(rng))
        .map(|i| {
            let mut dir = Vec3::ZERO;
            dir[axis] = forward;
            dir[x] = step * ((i % 8) as f32 - 4.0);
            dir[y] = step * (((i / 8) % 8) as f32 - rng.pick(&[0.0, 3.0, 4.0]));
            if rng.one_in(9) {
                dir[x] = rng.zero();
            }
            Ray::new(from, dir)
        })
        .collect()
}

fn far_camera(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let away = rng.pick(&[8.0, 14.0, 100.0, 1e4]);
    let (from, at) = (target.around(rng, away), target.point(rng));
    pinhole(from, at, 0.02 / away, rng)
}

fn parallel(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let at = target.point(rng);
    let mut dir = rng.grid_direction(3);
    if rng.one_in(2) {
        dir += rng.point() * 0.1;
    }
    let right = dir.any_orthogonal_vector().normalize_or(Vec3::X);
    let up = right.cross(dir).normalize_or(Vec3::Y);
    let step = target.size * rng.pick(&[4e-3, 1e-3, 1e-5]);
    let from = at - dir * (target.size / dir.length());
    let ragged = rng.pick(&[0.0, 0.02]);
    (0..count(rng))
        .map(|i| {
            let aside =
                right * (step * ((i % 8) as f32 - 4.0)) + up * (step * ((i / 8 % 8) as f32));
            let ahead = dir * (rng.signed() * target.size * ragged);
            Ray::new(from + aside + ahead, dir)
        })
        .collect()
}

fn axis_parallel(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let axis = rng.below(3);
    let mut corner = target.corner(rng);
    corner[axis] -= target.size * rng.pick(&[1.0, -1.0]);
    let step = target.size * rng.pick(&[0.0, 4e-3, 1e-3]);
    let forward = (target.middle[axis] - corner[axis]).signum();
    (0..count(rng))
        .map(|i| {
            let mut dir = Vec3::new(rng.zero(), rng.zero(), rng.zero());
            dir[axis] = forward;
            let mut from = corner;
            from[(axis + 1) % 3] += step * (i % 8) as f32;
            from[(axis + 2) % 3] += step * (i / 8 % 8) as f32;
            Ray::new(from, dir)
        })
        .collect()
}

fn to_a_point(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let [a, b, c] = target.corners(rng);
    let near = |k: f32, l: f32| a + (b - a) * (k * 0.05) + (c - a) * (l * 0.05);
    let light = target.around(rng, 1.5);
    (0..count(rng))
        .map(|_| {
            let from = near(rng.signed(), rng.signed());
            let light = light + rng.point() * (target.size * 0.01);
            Ray::new(from, light - from).with_interval(0.0, rng.pick(&[1.0, 0.999]))
        })
        .collect()
}

fn almost_the_same(target: &Target<'_>, rng: &mut Rng) -> Vec<Ray> {
    let (from, at) = (target.around(rng, 1.0), target.point(rng));
    let mut nudge = |p: Vec3| {
        let mut p = p;
        let axis = rng.below(3);
        p[axis] = rng.pick(&[p[axis], p[axis].next_up(), p[axis].next_down()]);
        p
    };
    (0..64)
        .map(|_| Ray::new(nudge(from), nudge(at - from)))
        .collect()
}

/// Adds ends and undefined rays to a group; `at` returns where a ray hits.
pub(super) fn spoil(rays: &mut [Ray], rng: &mut Rng, at: impl Fn(&Ray) -> Option<f32>) {
    match rng.below(4) {
        0 => {
            for ray in rays.iter_mut() {
                let Some(t) = at(ray) else { continue };
                let t = rng.pick(&[t, t, t.next_up(), t.next_down()]);
                match rng.below(4) {
                    0 => ray.t_max = t.max(ray.t_min),
                    1 => ray.t_min = t.min(ray.t_max).max(0.0),
                    2 => (ray.t_min, ray.t_max) = (t.max(0.0), t.max(0.0)),
                    _ => {}
                }
            }
        }
        1 => {
            for _ in 0..1 + rays.len() / 16 {
                let ray = &mut rays[rng.below(rays.len())];
                match rng.below(7) {
                    0 => ray.dir = Vec3::ZERO,
                    1 => ray.origin.x = f32::NAN,
                    2 => ray.dir = -ray.dir,
                    3 => ray.t_min = -1.0,
                    4 => ray.dir *= 1e20,
                    5 => ray.t_max = -1.0,
                    _ => ray.origin *= 1e9,
                }
            }
        }
        _ => {}
    }
}
