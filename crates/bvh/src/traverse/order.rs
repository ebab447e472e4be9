//! Which of the children that a ray meets comes first.

use super::waiting::Waiting;
use crate::wide::{Node, Tag, WIDTH};
use core::sync::atomic::{Ordering, compiler_fence};
use fearless_simd::{Bytes, Select, Simd, SimdBase, SimdFrom, i32x8, mask32x8, u32x8};

/// Goes on with the child that the ray enters first; the others wait, the farthest at the
/// bottom. There is at least one: `hits` has their bits.
#[inline(always)]
pub(super) fn nearest_first<S: Simd>(
    simd: S,
    node: &Node,
    entry: i32x8<S>,
    hit: mask32x8<S>,
    hits: u32,
    waiting: &mut Waiting,
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
            // The processor guesses which way a branch goes, and begins with the next node;
            // for a choice it would wait. The fence does nothing but keep it a branch.
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
    let others = hits.count_ones() as usize - 1;
    #[cfg(target_arch = "x86_64")]
    if let Some(sorted) = x86::Sorted::of(simd, hit.select(keys, u32x8::splat(simd, !0))) {
        let tag = Tag::of(sorted.least);
        let places = u32x8::load_array_ref(simd, &node.place);
        let (keys, places) = sorted.farthest_first(simd, places);
        waiting.push_first(others, keys, places);
        return (tag, node.place[tag.lane()]);
    }
    let keys = keys.to_array();
    let mut rest = hits;
    let mut nearest = u32::MAX;
    let bottom = waiting.len();
    for _ in 0..=others {
        let lane = rest.trailing_zeros() as usize % 8;
        rest &= rest - 1;
        let key = keys[lane];
        if nearest == u32::MAX {
            nearest = key;
        } else {
            let (near, far) = if key < nearest {
                (key, nearest)
            } else {
                (nearest, key)
            };
            nearest = near;
            waiting.insert(far, node.place[Tag::of(far).lane()], bottom);
        }
    }
    let tag = Tag::of(nearest);
    (tag, node.place[tag.lane()])
}

/// Goes on with the largest child, which is the last; the others wait, the smallest at the
/// bottom.
#[inline(always)]
pub(super) fn largest_first<S: Simd>(
    simd: S,
    node: &Node,
    hits: u32,
    waiting: &mut Waiting,
) -> (Tag, u32) {
    let first = hits.trailing_zeros() as usize % WIDTH;
    let mut rest = hits & (hits - 1);
    let next = (Tag(node.tags[first]), node.place[first]);
    if rest == 0 {
        return next;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = simd.level().as_avx2() {
        let keys = u32x8::load_array_ref(simd, &node.tags);
        let places = u32x8::load_array_ref(simd, &node.place);
        let order = x86::packed(avx2, rest);
        let [keys, places] =
            [keys, places].map(|v| u32x8::simd_from(simd, x86::permute(avx2, v.into(), order)));
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

/// Where a ray enters a child, as bits, with the child's tag for the lowest of them.
#[inline(always)]
pub(super) fn key(entry: u32, tag: Tag) -> u32 {
    entry & !Tag::BITS | tag.0
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use fearless_simd::{Avx2, Simd, SimdFrom, u32x8};

    /// Eight keys; those that do not count are all ones.
    pub(super) struct Sorted {
        avx2: Avx2,
        keys: __m256i,
        pub(super) least: u32,
    }

    impl Sorted {
        #[inline(always)]
        pub(super) fn of<S: Simd>(simd: S, keys: u32x8<S>) -> Option<Self> {
            let avx2 = simd.level().as_avx2()?;
            let keys = keys.into();
            let least = least(avx2, keys);
            Some(Sorted { avx2, keys, least })
        }

        #[inline(always)]
        pub(super) fn farthest_first<S: Simd>(
            &self,
            simd: S,
            places: u32x8<S>,
        ) -> (u32x8<S>, u32x8<S>) {
            let keys = sort(self.avx2, self.keys);
            let places = permute(self.avx2, places.into(), keys);
            (u32x8::simd_from(simd, keys), u32x8::simd_from(simd, places))
        }
    }

    fearless_simd::kernel!(
        #[inline(always)]
        fn least(avx2: Avx2, keys: __m256i) -> u32 {
            let four = _mm_min_epu32(
                _mm256_castsi256_si128(keys),
                _mm256_extracti128_si256::<1>(keys),
            );
            let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            _mm_cvtsi128_si32(one) as u32
        }
    );

    fearless_simd::kernel!(
        #[inline(always)]
        pub(super) fn permute(avx2: Avx2, values: __m256i, lanes: __m256i) -> __m256i {
            _mm256_permutevar8x32_epi32(values, lanes)
        }
    );

    fearless_simd::kernel!(
        /// The lanes of a mask of eight bits in the front, the highest first.
        #[inline(always)]
        pub(super) fn packed(avx2: Avx2, mask: u32) -> __m256i {
            let order = PACKED[mask as usize % PACKED.len()];
            _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(order as i64))
        }
    );

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

    fearless_simd::kernel!(
        /// The largest first, as signed numbers: what does not count is -1.
        #[inline(always)]
        fn sort(avx2: Avx2, keys: __m256i) -> __m256i {
            let v = keys;
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            let v =
                _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b00_01_10_11>(v);
            let v =
                _mm256_blend_epi32::<0b1100_1100>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            let v =
                _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_permute4x64_epi64::<0b00_01_10_11>(v);
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(p);
            let v =
                _mm256_blend_epi32::<0b1111_0000>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b01_00_11_10>(v);
            let v =
                _mm256_blend_epi32::<0b1100_1100>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p))
        }
    );
}
