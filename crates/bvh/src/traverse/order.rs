//! Which of the children that a ray meets comes first.

use super::waiting::Waiting;
use crate::wide::{Node, Tag};
use fearless_simd::{Bytes, Select, Simd, SimdBase, i32x8, mask32x8, u32x8};

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
    if hits & (hits - 1) == 0 {
        let lane = hits.trailing_zeros() as usize % 8;
        return (Tag(node.tags[lane]), node.place[lane]);
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
            let (near, far) = if key < nearest { (key, nearest) } else { (nearest, key) };
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
    _simd: S,
    node: &Node,
    hits: u32,
    waiting: &mut Waiting,
) -> (Tag, u32) {
    let mut rest = hits;
    loop {
        let lane = rest.trailing_zeros() as usize % 8;
        rest &= rest - 1;
        if rest == 0 {
            return (Tag(node.tags[lane]), node.place[lane]);
        }
        waiting.push(node.tags[lane], node.place[lane]);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;
    use fearless_simd::{Avx2, Level, Simd, SimdFrom, u32x8};

    /// Eight keys; those that do not count are all ones.
    pub(super) struct Sorted {
        avx2: Avx2,
        keys: __m256i,
        pub(super) least: u32,
    }

    impl Sorted {
        #[inline(always)]
        pub(super) fn of<S: Simd>(simd: S, keys: u32x8<S>) -> Option<Self> {
            let avx2 = match simd.level() {
                Level::Avx2(avx2) => avx2,
                _ => return None,
            };
            let keys = keys.into();
            let least = least(avx2, keys);
            Some(Sorted { avx2, keys, least })
        }

        #[inline(always)]
        pub(super) fn farthest_first<S: Simd>(&self, simd: S, places: u32x8<S>) -> (u32x8<S>, u32x8<S>) {
            let keys = sort(self.avx2, self.keys);
            let places = permute(self.avx2, places.into(), keys);
            (u32x8::simd_from(simd, keys), u32x8::simd_from(simd, places))
        }
    }

    fearless_simd::kernel!(
        #[inline(always)]
        fn least(avx2: Avx2, keys: __m256i) -> u32 {
            let four = _mm_min_epu32(_mm256_castsi256_si128(keys), _mm256_extracti128_si256::<1>(keys));
            let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            _mm_cvtsi128_si32(one) as u32
        }
    );

    fearless_simd::kernel!(
        #[inline(always)]
        fn permute(avx2: Avx2, values: __m256i, lanes: __m256i) -> __m256i {
            _mm256_permutevar8x32_epi32(values, lanes)
        }
    );

    fearless_simd::kernel!(
        /// The largest first, as signed numbers: what does not count is -1.
        #[inline(always)]
        fn sort(avx2: Avx2, keys: __m256i) -> __m256i {
            let v = keys;
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            let v = _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b00_01_10_11>(v);
            let v = _mm256_blend_epi32::<0b1100_1100>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            let v = _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_permute4x64_epi64::<0b00_01_10_11>(v);
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(p);
            let v = _mm256_blend_epi32::<0b1111_0000>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b01_00_11_10>(v);
            let v = _mm256_blend_epi32::<0b1100_1100>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p));
            let p = _mm256_shuffle_epi32::<0b10_11_00_01>(v);
            _mm256_blend_epi32::<0b1010_1010>(_mm256_max_epi32(v, p), _mm256_min_epi32(v, p))
        }
    );
}
