//! Tests of a leaf's triangles with many rays: one triangle at a time, with the rays in the lanes.
//!
//! The test and its bounds are those of one ray and eight triangles (`leaf_test.rs`).

use super::kernel_lanes::KernelLanes;
use crate::traverse::bundle::load;
use crate::traverse::edge_functions::Line;
use crate::traverse::leaf_ray::AXES;
use crate::traverse::leaf_test::triangle_test;
use crate::wide::{Axis, Block, WIDTH};
use fearless_simd::{Select, Simd, SimdBase, f32x16};

/// Returns, by triangle, which of these rays may hit it up to their limits, as bits. All of them have the
/// longest axis of the first.
#[inline(always)]
pub(super) fn lanes_leaf<S: Simd>(
    simd: S,
    block: Block<'_>,
    rays: &KernelLanes,
    lanes: u32,
    limits: f32x16<S>,
) -> [u32; WIDTH] {
    let splat = |x: f32| f32x16::splat(simd, x);
    let dir_z = load(simd, &rays.dir_z);
    let farthest = splat(4.0) * load(simd, &rays.way);
    let moved = load(simd, &rays.moved);
    // An end beyond `4 way` is set to that; rays start at 0.
    let end = (limits * dir_z.abs()).min(farthest);
    let end = dir_z.simd_lt(splat(0.0)).select(-end, end);
    let ends = [end.min(splat(0.0)), end.max(splat(0.0))];
    let line = Line {
        origin: [
            load(simd, &rays.origin[0]),
            load(simd, &rays.origin[1]),
            load(simd, &rays.origin[2]),
        ],
        shear: [load(simd, &rays.shear[0]), load(simd, &rays.shear[1])],
        off: moved * splat(2.2),
    };
    let axes = AXES[rays.last_axis(lanes) & 3];
    let mut found = [0; WIDTH];
    for (place, found) in found.iter_mut().enumerate().take(block.len()) {
        let corners = [
            corner::<S, 0>(simd, block, axes, place),
            corner::<S, 1>(simd, block, axes, place),
            corner::<S, 2>(simd, block, axes, place),
        ];
        *found = triangle_test(simd, corners, &line, ends, moved, lanes.into()) as u32;
    }
    found
}

/// Returns a corner of a triangle in all lanes.
#[inline(always)]
fn corner<S: Simd, const CORNER: usize>(
    simd: S,
    block: Block<'_>,
    axes: [Axis; 3],
    place: usize,
) -> [f32x16<S>; 3] {
    let [x, y, z] = axes;
    [
        f32x16::splat(simd, block.row::<CORNER>(x)[place % WIDTH]),
        f32x16::splat(simd, block.row::<CORNER>(y)[place % WIDTH]),
        f32x16::splat(simd, block.row::<CORNER>(z)[place % WIDTH]),
    ]
}
