//! Low-discrepancy points in the unit square: the first two dimensions of Sobol's sequence with
//! Owen scrambling.
//!
//! Each aligned block of a power of two of consecutive points has one point in each box of every
//! grid of as many equal boxes (Sobol 1967). Scrambling makes the points of different seeds
//! independent, and improves the mean over a smooth function further (Owen 1995). It uses a hash,
//! as in Burley 2020, "Practical Hash-based Owen Scrambling", with the permutation of Laine and
//! Karras 2011.

use crate::picture::colour::scattered;

/// A sequence of points, different for each seed.
#[derive(Clone, Copy)]
pub(super) struct Sobol {
    seeds: [u32; 2],
}

impl Sobol {
    pub(super) fn new(seed: u64) -> Self {
        let hash = scattered(seed);
        Sobol {
            seeds: [hash as u32, (hash >> 32) as u32],
        }
    }

    /// Returns a point of the sequence, each coordinate at least 0 and below 1.
    pub(super) fn point(self, index: u32) -> [f32; 2] {
        // Bit-reversed, since the scrambling works from the lowest bit up.
        let bits = [index, second(index).reverse_bits()];
        let scrambled = |i: usize| {
            let x = permuted(bits[i], self.seeds[i]).reverse_bits();
            (x >> 8) as f32 / (1u32 << 24) as f32
        };
        [scrambled(0), scrambled(1)]
    }
}

/// Returns the second dimension of the sequence, as a fraction of 2^32 (Kollig and Keller 2002).
fn second(mut index: u32) -> u32 {
    let (mut sum, mut direction) = (0, 1u32 << 31);
    while index != 0 {
        if index & 1 == 1 {
            sum ^= direction;
        }
        index >>= 1;
        direction ^= direction >> 1;
    }
    sum
}

/// Applies a permutation in which every bit depends only on itself and the lower ones.
fn permuted(mut x: u32, seed: u32) -> u32 {
    x = x.wrapping_add(seed);
    x ^= x.wrapping_mul(0x6c50_b47c);
    x ^= x.wrapping_mul(0xb82f_1e52);
    x ^= x.wrapping_mul(0xc7af_e638);
    x ^= x.wrapping_mul(0x8d22_f6e6);
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that 64 points have one point in each box of 1 by 64, 2 by 32 and so on to 64 by 1.
    #[test]
    fn every_grid_has_a_point_in_each_box() {
        for seed in 0..20 {
            let sequence = Sobol::new(seed);
            let start = 64 * (seed as u32);
            let points: Vec<[f32; 2]> = (start..start + 64).map(|i| sequence.point(i)).collect();
            for columns in [1u8, 2, 4, 8, 16, 32, 64] {
                let rows = 64 / columns;
                let mut boxes: Vec<(u8, u8)> = points
                    .iter()
                    .map(|[x, y]| {
                        let place = |share: f32, n: u8| (share * f32::from(n)) as u8;
                        (place(*x, columns), place(*y, rows))
                    })
                    .collect();
                boxes.sort_unstable();
                boxes.dedup();
                assert_eq!(boxes.len(), 64, "seed {seed}, {columns} columns");
            }
        }
    }

    #[test]
    fn seeds_have_points_of_their_own() {
        assert_ne!(Sobol::new(1).point(0), Sobol::new(2).point(0));
        assert_eq!(Sobol::new(1).point(9), Sobol::new(1).point(9));
    }
}
