//! Orders the children that a ray meets.

use super::traversal_stack::TraversalStack;
use super::wanted::Wanted;
use crate::wide::{Node, Tag, WIDTH};
use core::sync::atomic::{Ordering, compiler_fence};
#[cfg(target_arch = "x86_64")]
use estoc_core::InlineMap;
use fearless_simd::{Bytes, Simd, SimdBase, i32x8, mask32x8, u32x8};
#[cfg(target_arch = "x86_64")]
use fearless_simd::{Select, SimdFrom};

/// Returns the child that the ray enters first, and pushes the others, the farthest at the bottom.
/// There is at least one; `hits` has their bits.
#[inline(always)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, reason = "unused in the version with loops")
)]
pub fn nearest_first<S: Simd>(
    simd: S,
    node: &Node,
    entry: i32x8<S>,
    hit: mask32x8<S>,
    hits: u32,
    waiting: &mut TraversalStack,
) -> (Tag, u32) {
    let first = hits.trailing_zeros() as usize % WIDTH;
    let rest = hits & (hits - 1);
    if rest == 0 {
        return (Tag(node.tags[first]), node.place[first]);
    }
    if rest & (rest - 1) == 0 {
        let second = rest.trailing_zeros() as usize % WIDTH;
        let mut entries = [0; WIDTH];
        entry.store_array(&mut entries);
        let (near, far);
        if entries[first] <= entries[second] {
            // With a branch, the processor speculates and begins with the next node; a select would
            // wait. The fence only keeps it a branch.
            compiler_fence(Ordering::SeqCst);
            (near, far) = (first, second);
        } else {
            (near, far) = (second, first);
        }
        let key = key(entries[far] as u32, Tag(node.tags[far]));
        waiting.push(key, node.place[far]);
        return (Tag(node.tags[near]), node.place[near]);
    }
    let entry: u32x8<S> = entry.bitcast();
    let tags = u32x8::load_array_ref(simd, &node.tags);
    let keys = (entry & u32x8::splat(simd, !Tag::BITS)) | tags;
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let keys = hit.select(keys, u32x8::splat(simd, !0)).into();
        // The nearest is found first, so that its node can be loaded while the others are sorted.
        let nearest = Tag::of(x86::least(avx2, keys));
        let keys = x86::sort(avx2, keys);
        let places = u32x8::load_array_ref(simd, &node.place).into();
        let places = x86::permute(avx2, places, keys);
        let [keys, places] = [keys, places].inline_map(|v| u32x8::simd_from(simd, v));
        waiting.push_first(rest.count_ones() as usize, keys, places);
        return (nearest, node.place[nearest.lane()]);
    }
    let keys = keys.to_array();
    let mut nearest = keys[first];
    let mut rest = rest;
    let bottom = waiting.len();
    while rest != 0 {
        let other = keys[rest.trailing_zeros() as usize % WIDTH];
        rest &= rest - 1;
        let far = nearest.max(other);
        nearest = nearest.min(other);
        waiting.insert(far, node.place[Tag::of(far).lane()], bottom);
    }
    let nearest = Tag::of(nearest);
    (nearest, node.place[nearest.lane()])
}

/// Pushes all children that a ray meets, the next one to visit on top: for closest hits the one
/// that it enters first, else the first in the order of the builder.
#[inline(always)]
pub(super) fn in_order<S: Simd>(
    simd: S,
    wanted: impl Wanted,
    node: &Node,
    entry: i32x8<S>,
    hit: mask32x8<S>,
    hits: u32,
    waiting: &mut TraversalStack,
) {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let tags = u32x8::load_array_ref(simd, &node.tags);
        let [keys, places] = if wanted.nearest_first() {
            let entry: u32x8<S> = entry.bitcast();
            let keys = (entry & u32x8::splat(simd, !Tag::BITS)) | tags;
            let keys = x86::sort(avx2, hit.select(keys, u32x8::splat(simd, !0)).into());
            let places = u32x8::load_array_ref(simd, &node.place).into();
            [keys, x86::permute(avx2, places, keys)]
        } else {
            let order = x86::packed(avx2, hits);
            let places = u32x8::load_array_ref(simd, &node.place);
            [tags, places].inline_map(|lanes| x86::permute(avx2, lanes.into(), order))
        };
        let [keys, places] = [keys, places].inline_map(|v| u32x8::simd_from(simd, v));
        waiting.push_first(hits.count_ones() as usize, keys, places);
        return;
    }
    if hits != 0 {
        let (tag, place) = match wanted.nearest_first() {
            true => nearest_first(simd, node, entry, hit, hits, waiting),
            false => largest_first(simd, node, hits, waiting),
        };
        // It is entered before all others, so any key less than theirs will do.
        waiting.push(tag.0, place);
    }
}

/// Returns the first child in the order of the builder, the largest or the one most likely to be
/// hit, and pushes the others, the last at the bottom. There is at least one.
#[inline(always)]
#[cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, reason = "unused in the version with loops")
)]
pub fn largest_first<S: Simd>(
    simd: S,
    node: &Node,
    hits: u32,
    waiting: &mut TraversalStack,
) -> (Tag, u32) {
    let first = hits.trailing_zeros() as usize % WIDTH;
    let mut rest = hits & (hits - 1);
    let next = (Tag(node.tags[first]), node.place[first]);
    if rest == 0 {
        return next;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let order = x86::packed(avx2, rest);
        let [keys, places] = [&node.tags, &node.place].inline_map(|lanes| {
            let lanes = u32x8::load_array_ref(simd, lanes).into();
            u32x8::simd_from(simd, x86::permute(avx2, lanes, order))
        });
        waiting.push_first(rest.count_ones() as usize, keys, places);
        return next;
    }
    while rest != 0 {
        let lane = rest.ilog2() as usize;
        rest ^= 1 << lane;
        waiting.push(node.tags[lane], node.place[lane]);
    }
    next
}

/// Returns the key of a child: the bits of where a ray enters it, with the tag in the lowest ones.
#[inline(always)]
pub fn key(entry: u32, tag: Tag) -> u32 {
    entry & !Tag::BITS | tag.0
}

/// Operations that portable vectors lack.
#[cfg(target_arch = "x86_64")]
pub mod x86 {
    use core::arch::x86_64::*;
    use fearless_simd::kernel;

    kernel!(
        /// Returns the least of eight unsigned numbers.
        #[inline(always)]
        pub fn least(avx2: Avx2, keys: __m256i) -> u32 {
            let half = _mm256_castsi256_si128(keys);
            let four = _mm_min_epu32(half, _mm256_extracti128_si256::<1>(keys));
            let two = _mm_min_epu32(four, _mm_shuffle_epi32::<PAIRS>(four));
            let one = _mm_min_epu32(two, _mm_shuffle_epi32::<NEIGHBOURS>(two));
            _mm_cvtsi128_si32(one) as u32
        }
    );

    kernel!(
        /// Returns eight values from the lanes that the lowest three bits of each number select.
        #[inline(always)]
        pub fn permute(avx2: Avx2, values: __m256i, lanes: __m256i) -> __m256i {
            _mm256_permutevar8x32_epi32(values, lanes)
        }
    );

    kernel!(
        /// Sorts signed numbers, the greatest first, so that unused ones, which have all bits set,
        /// come last: a bitonic network of six exchanges (Batcher 1968).
        #[inline(always)]
        pub fn sort(avx2: Avx2, keys: __m256i) -> __m256i {
            let keys = odd_less(avx2, keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys));
            let keys = last_less(avx2, keys, _mm256_shuffle_epi32::<REVERSED>(keys));
            let keys = odd_less(avx2, keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys));
            let halves = _mm256_permute4x64_epi64::<PAIRS>(keys);
            let keys = high_less(avx2, keys, _mm256_shuffle_epi32::<REVERSED>(halves));
            let keys = last_less(avx2, keys, _mm256_shuffle_epi32::<PAIRS>(keys));
            odd_less(avx2, keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys))
        }
    );

    const NEIGHBOURS: i32 = 0b10_11_00_01;
    const PAIRS: i32 = 0b01_00_11_10;
    const REVERSED: i32 = 0b00_01_10_11;

    macro_rules! exchange {
        ($(#[$doc:meta])* $name:ident, $less:literal) => {
            kernel!(
                $(#[$doc])*
                #[inline(always)]
                fn $name(avx2: Avx2, keys: __m256i, others: __m256i) -> __m256i {
                    let greater = _mm256_max_epi32(keys, others);
                    _mm256_blend_epi32::<$less>(greater, _mm256_min_epi32(keys, others))
                }
            );
        };
    }
    exchange!(
        /// The greater of each pair, but the less in every second lane.
        odd_less, 0b1010_1010
    );
    exchange!(
        /// The greater of each pair, but the less in the last two lanes of four.
        last_less, 0b1100_1100
    );
    exchange!(
        /// The greater of each pair, but the less in the upper half.
        high_less, 0b1111_0000
    );

    kernel!(
        /// Returns the lanes of a mask of eight bits, the highest first.
        #[inline(always)]
        pub fn packed(avx2: Avx2, mask: u32) -> __m256i {
            let lanes = PACKED[mask as usize % PACKED.len()];
            _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(lanes as i64))
        }
    );

    /// The lanes of each mask, in bytes, the highest lane first.
    static PACKED: [u64; 256] = {
        let mut table = [0; 256];
        let mut mask = 0;
        while mask < table.len() {
            let mut lane = 0;
            while lane < 8 {
                if mask >> lane & 1 == 1 {
                    table[mask] = table[mask] << 8 | lane;
                }
                lane += 1;
            }
            mask += 1;
        }
        table
    };
}
