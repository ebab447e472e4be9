//! Simple random numbers for tables of cases, where [`generate`](crate::generate) would be too
//! extreme.

use crate::generate::Rng as SplitMix64;

/// A generator of the numbers that the tests need.
pub struct Rng(SplitMix64);

impl Rng {
    /// Returns the generator of this seed.
    pub fn new(seed: u64) -> Self {
        Rng(SplitMix64::new(seed))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns an integer below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// Returns an integer from `low` to `high` inclusive, as the `f32` of the same value.
    pub fn integer(&mut self, low: i32, high: i32) -> f32 {
        let count = i64::from(high) - i64::from(low) + 1;
        (i64::from(low) + self.below(count as u64) as i64) as f32
    }

    /// Returns a multiple of 2^-24 from 0 to below 1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// Returns a number between `low` and `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Returns three numbers between `low` and `high`.
    pub fn vec(&mut self, low: f32, high: f32) -> [f32; 3] {
        [(); 3].map(|()| self.between(low, high))
    }

    /// Returns three integers from `low` to `high`.
    pub fn grid(&mut self, low: i32, high: i32) -> [f32; 3] {
        [(); 3].map(|()| self.integer(low, high))
    }

    /// Returns any bit pattern, including NaN, infinities and subnormals.
    pub fn any(&mut self) -> f32 {
        f32::from_bits(self.bits() as u32)
    }

    /// Returns one element of `from`.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
