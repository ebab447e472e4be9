//! Sorting of eight numbers in one register.

use std::arch::x86_64::*;

/// Returns the least of eight unsigned numbers.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn least(keys: __m256i) -> u32 {
    let low = _mm256_castsi256_si128(keys);
    let four = _mm_min_epu32(low, _mm256_extracti128_si256::<1>(keys));
    let two = _mm_min_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    let one = _mm_min_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
    _mm_cvtsi128_si32(one) as u32
}

/// Sorts signed numbers in descending order, by Batcher's bitonic network of six exchanges.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn descending(keys: __m256i) -> __m256i {
    const NEIGHBOURS: i32 = 0b10_11_00_01;
    const PAIRS: i32 = 0b01_00_11_10;
    const REVERSED: i32 = 0b00_01_10_11;
    let keys = exchange::<0b1010_1010>(keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys));
    let keys = exchange::<0b1100_1100>(keys, _mm256_shuffle_epi32::<REVERSED>(keys));
    let keys = exchange::<0b1010_1010>(keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys));
    let halves = _mm256_permute4x64_epi64::<PAIRS>(keys);
    let keys = exchange::<0b1111_0000>(keys, _mm256_shuffle_epi32::<REVERSED>(halves));
    let keys = exchange::<0b1100_1100>(keys, _mm256_shuffle_epi32::<PAIRS>(keys));
    exchange::<0b1010_1010>(keys, _mm256_shuffle_epi32::<NEIGHBOURS>(keys))
}

/// Returns the greater of each pair, but the lesser in the lanes of the mask.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn exchange<const LESS: i32>(keys: __m256i, others: __m256i) -> __m256i {
    let greater = _mm256_max_epi32(keys, others);
    _mm256_blend_epi32::<LESS>(greater, _mm256_min_epi32(keys, others))
}

/// Moves the lanes of a mask of eight bits to the front, the highest lane first; the remaining
/// lanes are unspecified.
#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn packed(values: __m256i, mask: u32) -> __m256i {
    let row = &PACKED[mask as usize % PACKED.len()];
    // SAFETY: a row has the eight bytes that are read.
    let order = unsafe { _mm_loadl_epi64(row.as_ptr().cast()) };
    _mm256_permutevar8x32_epi32(values, _mm256_cvtepu8_epi32(order))
}

/// The lanes of each mask, the highest first.
static PACKED: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < table.len() {
        let (mut count, mut lane) = (0, 8);
        while lane > 0 {
            lane -= 1;
            if mask >> lane & 1 == 1 {
                table[mask][count] = lane as u8;
                count += 1;
            }
        }
        mask += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::super::has_avx2;
    use super::*;
    use estoc_demo::SingleRandom;

    fn of(values: [i32; 8]) -> __m256i {
        // SAFETY: both are eight numbers, for which all bit patterns are valid.
        unsafe { std::mem::transmute(values) }
    }

    fn numbers(register: __m256i) -> [i32; 8] {
        // SAFETY: as above.
        unsafe { std::mem::transmute(register) }
    }

    /// A network that sorts all sequences of zeros and ones sorts all sequences (Knuth).
    #[test]
    fn every_sequence_of_zeros_and_ones_is_sorted() {
        if !has_avx2() {
            return;
        }
        for bits in 0..256 {
            let values = std::array::from_fn(|lane| bits >> lane & 1);
            let mut expected = values;
            expected.sort_unstable_by(|a, b| b.cmp(a));
            // SAFETY: the machine has the instructions.
            let sorted = numbers(unsafe { descending(of(values)) });
            assert_eq!(sorted, expected, "{bits:b}");
        }
    }

    #[test]
    fn signs_are_as_promised() {
        if !has_avx2() {
            return;
        }
        let mut random = SingleRandom::new(5);
        for _ in 0..1000 {
            let mut values = [(); 8].map(|()| (random.unit().to_bits() >> 8) as i32);
            values[(random.unit() * 7.9) as usize] = -1;
            let mut expected = values;
            expected.sort_unstable_by(|a, b| b.cmp(a));
            // SAFETY: the machine has the instructions.
            let (sorted, least) = unsafe { (descending(of(values)), least(of(values))) };
            assert_eq!(numbers(sorted), expected);
            assert_eq!(Some(least), values.iter().map(|&value| value as u32).min());
        }
    }

    #[test]
    fn lanes_are_packed() {
        if !has_avx2() {
            return;
        }
        let values = [10, 11, 12, 13, 14, 15, 16, 17];
        // SAFETY: the machine has the instructions.
        let packed = |mask| numbers(unsafe { packed(of(values), mask) });
        assert_eq!(packed(0b1111_1111), [17, 16, 15, 14, 13, 12, 11, 10]);
        assert_eq!(packed(0b0100_1001)[..3], [16, 13, 10]);
        assert_eq!(packed(0b0000_0010)[..1], [11]);
    }
}
