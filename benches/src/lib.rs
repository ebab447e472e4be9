//! Scenes and rays shared by the benchmarks, the same on every machine.
#![forbid(unsafe_code)]

use estoc::demo::{DemoSpec, SplitMix64};
use estoc::glam::{DVec3, Vec3};
use estoc::{Aabb, Bvh, Mesh, Ray, RayQuery};
pub use estoc_demo::ray_kinds::RayKind;
use estoc_demo::ray_kinds::{Frame, RayMaker};

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

/// Returns about `n` rays of a kind for a mesh.
pub fn rays(kind: RayKind, mesh: &Mesh, bvh: &Bvh, n: usize) -> Vec<Ray> {
    let frame = Frame::of(mesh);
    let primary = primary(mesh.bounds(), n);
    let hits = primary.iter().map(|ray| {
        let hit = bvh.closest_hit(ray)?;
        let [a, b, c] = mesh.triangle(hit.prim)?.corners().map(Vec3::as_dvec3);
        Some((hit.t, (b - a).cross(c - a).normalize_or(DVec3::Z)))
    });
    let hits: Vec<_> = hits.collect();
    let light = frame.low + 0.5 * frame.size + DVec3::Y * frame.diagonal();
    let maker = RayMaker::new(frame, frame.diagonal(), light, primary, hits);
    maker.rays(kind, n)
}

/// Returns the rays of a square picture of the whole box, seen from a corner above it.
fn primary(bounds: Aabb, n: usize) -> Vec<Ray> {
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
