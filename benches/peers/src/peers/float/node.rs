//! Eight boxes at once, without a margin for rounding errors.

use super::child::Child;
use super::leaf::WIDTH;
use super::ray::TwinRay;
use bytemuck::{Pod, Zeroable};
use std::arch::x86_64::*;

/// The boxes of up to eight children, and the children.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
pub(super) struct Node {
    /// By axis, the low and the high faces; `+inf` and `-inf` for a missing child, which no ray
    /// meets.
    pub(super) faces: [[[f32; WIDTH]; 2]; 3],
    pub(super) children: [Child; WIDTH],
    /// Fills four cache lines.
    unused: [u32; WIDTH],
}

const _: () = assert!(size_of::<Node>() == 256);

impl Node {
    pub(super) const EMPTY: Node = Node {
        faces: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
        children: [Child::END; WIDTH],
        unused: [0; WIDTH],
    };

    /// Returns the child in a lane, which is below eight.
    #[inline(always)]
    pub(super) fn child(&self, lane: u32) -> Child {
        debug_assert!(lane < WIDTH as u32);
        // SAFETY: lanes come from masks of eight bits or are reduced to three. A bounds check would
        // be on the critical path of the loop.
        unsafe { *self.children.get_unchecked(lane as usize) }
    }

    /// Loads the children, eight numbers in one register.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn all_children(&self) -> __m256i {
        // SAFETY: 32 bytes, and aligned: at offset 192 of a node aligned to 64.
        unsafe { _mm256_load_si256(self.children.as_ptr().cast()) }
    }

    /// Prefetches the node.
    #[inline(always)]
    pub(super) fn prefetch(&self) {
        let start = (&raw const *self).cast::<i8>();
        for line in 0..size_of::<Node>() / 64 {
            // SAFETY: the address is a line of this node, and a prefetch is only a hint.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.add(64 * line)) };
        }
    }
}

/// The boxes that a ray meets.
#[derive(Clone, Copy)]
pub(super) struct Met {
    /// The lanes of these boxes, with all bits set.
    lanes: __m256,
    /// The parameter at which the ray enters each; not negative.
    pub(super) entry: __m256,
    /// A bit for each box.
    pub(super) mask: u32,
}

/// Returns the boxes that the ray meets up to the limit: for each slab one multiply-add for its
/// near face and one for its far face (Kay and Kajiya 1986).
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn node_test(node: &Node, ray: &TwinRay, limit: __m256) -> Met {
    let faces = (&raw const node.faces).cast::<u8>();
    // SAFETY: offsets are multiples of 32 below 192: `near` is one, and the low and high faces of
    // an axis differ by 32.
    let at = |offset: usize| unsafe { _mm256_load_ps(faces.add(offset).cast()) };
    let [near_x, near_y, near_z] = ray.near;
    let [rx, ry, rz] = ray.inverse;
    let [sx, sy, sz] = ray.start;
    let enter_x = _mm256_fmsub_ps(at(near_x), rx, sx);
    let enter_y = _mm256_fmsub_ps(at(near_y), ry, sy);
    let enter_z = _mm256_fmsub_ps(at(near_z), rz, sz);
    let leave_x = _mm256_fmsub_ps(at(near_x ^ 32), rx, sx);
    let leave_y = _mm256_fmsub_ps(at(near_y ^ 32), ry, sy);
    let leave_z = _mm256_fmsub_ps(at(near_z ^ 32), rz, sz);
    // Of two zeros the second is returned: never -0.
    let enter_z = _mm256_max_ps(enter_z, _mm256_setzero_ps());
    let leave_z = _mm256_min_ps(leave_z, limit);
    let entry = _mm256_max_ps(_mm256_max_ps(enter_x, enter_y), enter_z);
    let exit = _mm256_min_ps(_mm256_min_ps(leave_x, leave_y), leave_z);
    let lanes = _mm256_cmp_ps::<_CMP_LE_OQ>(entry, exit);
    Met {
        lanes,
        entry,
        mask: _mm256_movemask_ps(lanes) as u32,
    }
}

impl Met {
    /// Returns a number for each lane that orders by entry, with the lane in its lowest three bits;
    /// all bits set where no box is met.
    #[inline]
    #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn keys(&self) -> __m256i {
        let entry = _mm256_and_si256(_mm256_castps_si256(self.entry), _mm256_set1_epi32(!7));
        let keys = _mm256_or_si256(entry, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        let missed = _mm256_xor_si256(_mm256_castps_si256(self.lanes), _mm256_set1_epi32(-1));
        _mm256_or_si256(keys, missed)
    }
}
