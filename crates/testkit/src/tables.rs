//! Plain numbers for tables of cases, where [`generate`](crate::generate) would be too wild.

use crate::generate::Rng as SplitMix64;

/// Numbers of the kinds that the tests here draw.
pub struct Rng(SplitMix64);

impl Rng {
    /// The generator whose whole sequence this seed names.
    pub fn new(seed: u64) -> Self {
        Rng(SplitMix64::new(seed))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// An integer below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// An integer from `low` to `high`, both included, as the `f32` of the same value.
    pub fn integer(&mut self, low: i32, high: i32) -> f32 {
        let count = i64::from(high) - i64::from(low) + 1;
        (i64::from(low) + self.below(count as u64) as i64) as f32
    }

    /// A multiple of 2^-24 from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number between two.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Three of them.
    pub fn vec(&mut self, low: f32, high: f32) -> [f32; 3] {
        [(); 3].map(|()| self.between(low, high))
    }

    /// Three integers.
    pub fn grid(&mut self, low: i32, high: i32) -> [f32; 3] {
        [(); 3].map(|()| self.integer(low, high))
    }

    /// Any bit pattern there is: NaN, infinities and subnormals among them.
    pub fn any(&mut self) -> f32 {
        f32::from_bits(self.bits() as u32)
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }
}
