//! Triangles of hostile cases in `f64`, for which those of a tree stand.

use super::leaf_scene::{Scene, prim};
use super::violation_search::Case;
use estoc_bvh::internals::traverse::wide_target::WideTarget;
use estoc_bvh::internals::wide::{WIDTH, WideTriangles};
use estoc_core::glam::DVec3;
use estoc_core::{Ray, Ray64, Triangle64};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{buffers, wide_positions};
use estoc_system::Arena;
use estoc_testkit::generate::Rng;

/// Triangles in `f64`, and how the numbers of a case in `f32` became theirs.
pub(super) struct WideCase {
    scene: Scene,
    triangles: WideTriangles,
    corners: [Triangle64; WIDTH],
    size: f64,
    moved: DVec3,
}

impl WideCase {
    /// Makes triangles of those of a case: of another size, elsewhere, and off by some bits that no `f32` has.
    pub(super) fn of(rng: &mut Rng, case: &Case) -> Option<Self> {
        let size = 2f64.powi(rng.pick(&[0, 0, -3, 30, -300]));
        let moved = match rng.below(3) {
            0 => DVec3::ZERO,
            1 => rng.point().as_dvec3() * size,
            _ => rng.point().as_dvec3() * (size * 2f64.powi(rng.int(0, 26))),
        };
        let blur = rng.pick(&[0.0, 2f64.powi(-26), 2f64.powi(-40)]);
        let corners = case.triangles.map(|triangle| {
            let [p0, p1, p2] = triangle.corners().map(|p| {
                let blur = rng.point().as_dvec3() * blur * f64::from(p.abs().max_element());
                (p.as_dvec3() + blur) * size + moved
            });
            Triangle64 { p0, p1, p2 }
        });
        let points = corners.iter().flat_map(Triangle64::corners);
        let faces = (0..WIDTH as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        let faces: Vec<_> = faces.collect();
        let mesh = Mesh::from_f64(points, faces.iter().copied()).ok()?;
        let of_frame = core::array::from_fn(|i| buffers(&mesh).triangle(prim(i)));
        Some(WideCase {
            scene: Scene::of(of_frame),
            triangles: WideTriangles::of_arrays(
                wide_positions(&mesh).clone(),
                buffers(&mesh).clone(),
                false,
                Arena::of(faces),
            ),
            corners,
            size,
            moved,
        })
    }

    pub(super) fn target(&self) -> WideTarget<'_> {
        WideTarget {
            tree: &self.scene.tree,
            triangles: &self.triangles,
        }
    }

    /// Returns rays in the place of those in `f32`: elsewhere, off by some bits, or through corners, edges and points
    /// of triangles.
    pub(super) fn rays(&self, rng: &mut Rng, rays: &[Ray], is_shared: bool) -> Vec<Ray64> {
        let blur = rng.pick(&[0.0, 2f64.powi(-26), 2f64.powi(-40)]);
        let mut origin = DVec3::ZERO;
        let mut is_first = true;
        rays.iter()
            .map(|ray| {
                let mut blurred =
                    |p: DVec3| p + rng.point().as_dvec3() * (blur * p.abs().max_element());
                if is_first || !is_shared {
                    origin = blurred(ray.origin.as_dvec3()) * self.size + self.moved;
                    is_first = false;
                }
                let mut dir = blurred(ray.dir.as_dvec3());
                if rng.one_in(2) {
                    let triangle = rng.pick(&self.corners);
                    let edge = triangle
                        .p0
                        .lerp(triangle.p1, rng.pick(&[0.0, 0.5, 0.25, 0.3]));
                    let way = edge.lerp(triangle.p2, rng.pick(&[0.0, 0.0, 0.25, 0.4])) - origin;
                    let power = way.abs().max_element().log2().floor();
                    if (-1000.0..1000.0).contains(&power) {
                        // Exact, so that it ends there but for one rounding.
                        dir = way * 2f64.powi(-power as i32);
                    }
                }
                let [from, to] = [ray.t_min, ray.t_max].map(|t| f64::from(t) * self.size);
                Ray64::new(origin, dir).with_interval(from, to)
            })
            .collect()
    }
}
