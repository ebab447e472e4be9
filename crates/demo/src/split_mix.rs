//! Pseudorandom numbers that are the same on every machine.

/// The pseudorandom number generator of estoc, SplitMix64 (Steele, Lea and Flood 2014, "Fast
/// splittable pseudorandom number generators"): a 64-bit state, with all seeds equally good.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Returns the generator of this seed's sequence.
    pub const fn new(seed: u64) -> Self {
        SplitMix64(seed)
    }

    /// Returns the next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a multiple of 2^-53 from 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Returns a number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Returns an integer below `end`, or 0 if `end` is 0. Above 2^53 the low bits of `end` are
    /// lost.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.unit() * end as f64) as usize).min(end.saturating_sub(1))
    }

    /// Returns a point uniformly distributed on the unit sphere, by rejection from the cube.
    pub fn direction(&mut self) -> [f64; 3] {
        loop {
            let [x, y, z] = std::array::from_fn(|_| self.between(-1.0, 1.0));
            let square = x * x + y * y + z * z;
            if (0.01..=1.0).contains(&square) {
                let length = square.sqrt();
                return [x / length, y / length, z / length];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        // The published test vector of SplitMix64 for seed 1234567.
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!(
            [rng.bits(), rng.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn ranges_hold() {
        let mut rng = SplitMix64::new(1);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&rng.unit()));
            assert!(rng.below(3) < 3);
            let length: f64 = rng.direction().iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-12);
        }
        assert_eq!(rng.below(0), 0);
    }
}
