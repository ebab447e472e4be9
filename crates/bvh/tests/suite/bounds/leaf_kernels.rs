//! The general and the plain leaf test behind one interface.

use super::leaf_scene::Scene;
use estoc_bvh::internals::traverse::kernel_ray::KernelRay;
use estoc_bvh::internals::traverse::leaf_ray::LeafRay;
use estoc_bvh::internals::traverse::leaf_test::leaf_spans;
use estoc_bvh::internals::traverse::plain::{leaf, ray::PlainRay};
use estoc_bvh::internals::wide::WIDTH;
use estoc_core::Ray;
use fearless_simd::{Level, SimdBase};

/// The kernel's results for eight triangles.
pub(super) struct Said {
    pub(super) maybe: u32,
    pub(super) certain: u32,
    pub(super) from: [f32; WIDTH],
    pub(super) to: [f32; WIDTH],
}

/// The kernel that is searched.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kernel {
    /// That of all rays in the usual frame.
    General,
    /// That of plain rays.
    Plain,
}

impl Kernel {
    /// Returns whether the kernel takes the ray.
    pub(super) fn takes(self, ray: &Ray, scene: &Scene) -> bool {
        self == Kernel::General
            || fearless_simd::dispatch!(Level::new(), simd => {
                PlainRay::of(simd, ray, &scene.tree.measures).is_some()
            })
    }
}

/// Runs a kernel on the leaf of all triangles.
pub(super) fn said(
    (kernel, level): (Kernel, Level),
    scene: &Scene,
    (given, ray): (&Ray, &KernelRay),
    limit: f32,
    greatest: f32,
) -> Said {
    let block = scene.block();
    let leaf_ray = LeafRay::of(ray);
    fearless_simd::dispatch!(level, simd => {
        let spans = match kernel {
            Kernel::General => leaf_spans(simd, block, &leaf_ray, limit, greatest),
            Kernel::Plain => {
                let mut plain = PlainRay::of(simd, given, &scene.tree.measures).expect("plain");
                plain.t_max = greatest;
                leaf::spans(simd, block, &leaf::LeafRay::of(given, &plain, &plain.inverse_dir), limit)
            }
        };
        Said {
            maybe: spans.passed.maybe,
            certain: spans.passed.certain,
            from: spans.from.to_array(),
            to: spans.to.to_array(),
        }
    })
}
