//! Pseudorandom numbers that are the same on every machine and in every version.

use estoc_core::glam::Vec3;
use estoc_demo::SplitMix64;

/// SplitMix64 (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom Number Generators"). Not
/// cryptographically secure; every result is a function of the seed alone.
#[derive(Clone, Debug)]
pub struct Rng(SplitMix64);

impl Rng {
    /// Returns the generator of this seed.
    pub fn new(seed: u64) -> Self {
        Rng(SplitMix64::new(seed))
    }

    /// Returns the generator of this seed for this purpose; the sequences of different purposes are
    /// unrelated.
    pub fn named(seed: u64, purpose: &str) -> Self {
        let mixed = purpose.bytes().fold(seed, |state, byte| {
            Rng::new(state ^ u64::from(byte)).next_u64()
        });
        Rng::new(mixed)
    }

    /// Returns the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0.bits()
    }

    /// Returns an integer below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Returns an integer from `lo` to `hi` inclusive.
    pub fn int(&mut self, lo: i32, hi: i32) -> i32 {
        lo + self.below((hi - lo) as usize + 1) as i32
    }

    /// Returns `true` with probability `1 / n`.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns a number in `[-1, 1)` with 24 random bits.
    pub fn signed(&mut self) -> f32 {
        ((self.next_u64() >> 39) as i32 - (1 << 24)) as f32 / (1 << 24) as f32
    }

    /// Returns a zero of either sign.
    pub fn zero(&mut self) -> f32 {
        self.pick(&[0.0, -0.0])
    }

    /// Returns a point of the cube `[-1, 1)^3`.
    pub fn point(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    /// Returns a point whose coordinates are integers from `-reach` to `reach`.
    pub fn grid_point(&mut self, reach: i32) -> Vec3 {
        Vec3::from_array([0; 3].map(|_: i32| self.int(-reach, reach) as f32))
    }

    /// Returns a point as `grid_point` does, but never the origin.
    pub fn grid_direction(&mut self, reach: i32) -> Vec3 {
        loop {
            let dir = self.grid_point(reach);
            if dir != Vec3::ZERO {
                return dir;
            }
        }
    }

    /// Returns any finite `f32`, all bit patterns equally likely.
    pub fn finite_bits(&mut self) -> f32 {
        loop {
            let x = f32::from_bits(self.next_u64() as u32);
            if x.is_finite() {
                return x;
            }
        }
    }

    /// Returns one of `things`.
    pub fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[self.below(things.len())]
    }

    /// Shuffles `things`, all permutations equally likely.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            things.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        let mut rng = Rng::new(1_234_567);
        let first = [0; 3].map(|_| rng.next_u64());
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn ranges_are_reached_and_kept() {
        let mut rng = Rng::new(1);
        let ints: Vec<i32> = (0..1000).map(|_| rng.int(-2, 2)).collect();
        assert!((-2..=2).all(|i| ints.contains(&i)) && ints.iter().all(|i| i.abs() <= 2));
        let signed: Vec<f32> = (0..1000).map(|_| rng.signed()).collect();
        assert!(signed.iter().all(|x| (-1.0..1.0).contains(x)));
        assert!(signed.iter().any(|&x| x < -0.9) && signed.iter().any(|&x| x > 0.9));
    }
}
