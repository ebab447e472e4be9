//! Scenes and rays shared by the benchmarks, the same on every machine.
#![forbid(unsafe_code)]

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::Vec3;
use estoc::{Aabb, Bvh, Mesh, Ray, RayQuery};

/// Returns the mesh of the demo scene `scene`, such as `sphere?n=100000`, or of `needles`.
///
/// # Panics
/// Panics when there is no such scene.
pub fn mesh(scene: &str) -> Mesh {
    if scene == "needles" {
        return needles(100_000);
    }
    let spec: DemoSpec = scene.parse().expect("benchmarks name scenes that exist");
    spec.mesh()
}

/// A kind of rays; all engines get the same ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rays {
    /// Rays of a camera, in picture order.
    Primary,
    /// Origins anywhere in the bounding box, directions anywhere.
    Random,
    /// Origins where primary rays hit, directions anywhere.
    Bounce,
    /// From where primary rays hit to a light above the bounding box, ending there.
    Shadow,
    /// Origins where primary rays hit, directions anywhere, as far as 3 % of the box's diagonal.
    Nearby,
}

impl Rays {
    /// All kinds.
    pub const ALL: [Rays; 5] = [
        Rays::Primary,
        Rays::Random,
        Rays::Bounce,
        Rays::Shadow,
        Rays::Nearby,
    ];

    /// Returns about `n` rays of this kind for a scene.
    pub fn make(self, bvh: &Bvh, bounds: &Aabb, n: usize) -> Vec<Ray> {
        let mut random = SplitMix64::new(7);
        match self {
            Rays::Primary => primary(bounds, n),
            Rays::Random => (0..n)
                .map(|_| {
                    let [x, y, z] = [0, 1, 2].map(|axis| {
                        let (min, max) = (bounds.min()[axis], bounds.max()[axis]);
                        random.between(min.into(), max.into()) as f32
                    });
                    Ray::new([x, y, z], random.direction().map(|x| x as f32))
                })
                .collect(),
            Rays::Bounce => places(bvh, bounds, n)
                .map(|from| Ray::new(from, random.direction().map(|x| x as f32)))
                .collect(),
            Rays::Shadow => {
                let (min, max) = (bounds.min(), bounds.max());
                let light = (min + max) / 2.0 + Vec3::Y * (max - min).length();
                places(bvh, bounds, n)
                    .map(|from| Ray::new(from, light - from).with_interval(1e-4, 1.0))
                    .collect()
            }
            Rays::Nearby => {
                let reach = 0.03 * (bounds.max() - bounds.min()).length();
                places(bvh, bounds, n)
                    .map(|from| Ray::new(from, random.direction().map(|x| x as f32)))
                    .map(|ray| ray.with_interval(reach * 1e-4, reach))
                    .collect()
            }
        }
    }
}

/// Returns up to `n` points where primary rays hit.
fn places(bvh: &Bvh, bounds: &Aabb, n: usize) -> impl Iterator<Item = Vec3> {
    let rays = primary(bounds, 2 * n).into_iter();
    rays.filter_map(|ray| bvh.closest_hit(&ray).map(|hit| ray.at(hit.t)))
        .take(n)
}

/// Returns the rays of a square picture of the whole box, seen from a corner above it.
fn primary(bounds: &Aabb, n: usize) -> Vec<Ray> {
    let (min, max) = (bounds.min(), bounds.max());
    let (centre, size) = ((min + max) / 2.0, (max - min).length());
    let eye = centre + Vec3::new(0.55, 0.4, 0.62) * size;
    let ahead = (centre - eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    let side = n.isqrt();
    let place = |i: usize| ((i as f32 + 0.5) / side as f32 - 0.5) * 0.9;
    (0..side * side)
        .map(|i| ahead + right * place(i % side) - up * place(i / side))
        .map(|dir| Ray::new(eye, dir))
        .collect()
}

/// Returns long thin triangles that grow out of a ball in all directions, like hair: axis-aligned
/// boxes fit them badly.
fn needles(n: usize) -> Mesh {
    let mut random = SplitMix64::new(5);
    let mut direction = || Vec3::from(random.direction().map(|x| x as f32));
    let corners = (0..n).flat_map(|_| {
        let (out, aside) = (direction(), direction());
        let root = 0.3 * out;
        [root, root + 5e-4 * aside, root + 0.5 * out + 0.3 * aside]
    });
    let corners: Vec<Vec3> = corners.collect();
    let faces = (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::try_new(corners, faces).expect("needles are a valid mesh")
}

/// Returns a sheet of `side * side` squares with all corners on a grid of step 1, at heights given
/// by `height`.
pub fn sheet(side: u32, height: impl Fn(u32, u32) -> f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let row = side + 1;
    let corners = (0..row * row).map(|i| (i % row, i / row));
    let positions = corners.map(|(x, y)| Vec3::new(x as f32, y as f32, height(x, y)));
    let faces = (0..side * side).flat_map(|i| {
        let a = i / side * row + i % side;
        [[a, a + 1, a + row + 1], [a, a + row + 1, a + row]]
    });
    (positions.collect(), faces.collect())
}
