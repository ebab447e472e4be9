//! The leaf test of plain rays, for rays prepared either way, behind one interface.

use super::leaf_scene::Scene;
use estoc_bvh::internals::traverse::kernel_ray::KernelRay;
use estoc_bvh::internals::traverse::leaf_ray::LeafRay;
use estoc_bvh::internals::traverse::plain_ray::{leaf, ray::PlainRay};
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

/// How the ray of the leaf test is prepared.
#[derive(Clone, Copy, Debug)]
pub(super) enum Preparation {
    /// As any ray in the usual frame.
    General,
    /// As a plain ray.
    Plain,
    /// As a ray with another start or another unit of its parameter, whose origin may be off.
    Moved,
}

impl Preparation {
    pub(super) const ALL: [Preparation; 3] =
        [Preparation::General, Preparation::Plain, Preparation::Moved];
}

/// Runs the test on the leaf of all triangles. The ray must be plain for [`Preparation::Plain`].
pub(super) fn said(
    (preparation, level): (Preparation, Level),
    scene: &Scene,
    (given, ray): (&Ray, &KernelRay),
    limit: f32,
    greatest: f32,
) -> Said {
    let block = scene.block();
    let leaf_ray = LeafRay::of(ray);
    fearless_simd::dispatch!(level, simd => {
        let ray = match preparation {
            Preparation::General | Preparation::Moved => {
                leaf::SpanRay::of_prepared(&leaf_ray, greatest)
            }
            Preparation::Plain => {
                let mut plain = PlainRay::of(simd, given, &scene.tree.measures).expect("plain");
                plain.t_max = greatest;
                leaf::SpanRay::of(given, &plain, &plain.inverse_dir)
            }
        };
        let spans = leaf::spans(simd, block, &ray, limit);
        Said {
            maybe: spans.passed.maybe,
            certain: spans.passed.certain,
            from: spans.from.to_array(),
            to: spans.to.to_array(),
        }
    })
}
