//! Random numbers in `f32`.

use crate::SplitMix64;
use estoc_core::glam::Vec3;

/// [`SplitMix64`] with results in `f32`, for scenes and rays in single precision.
#[derive(Clone, Debug)]
pub struct SingleRandom(SplitMix64);

impl SingleRandom {
    /// Returns the generator of this seed, whose sequence differs from that of [`SplitMix64`].
    pub fn new(seed: u64) -> Self {
        let spread = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        SingleRandom(SplitMix64::new(spread ^ 0xd1b5_4a32_d192_ed03))
    }

    /// Returns a multiple of 2^-24 from 0 to below 1.
    pub fn unit(&mut self) -> f32 {
        (self.0.bits() >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }

    /// Returns a number from -1 to below 1.
    pub fn signed(&mut self) -> f32 {
        self.unit() * 2.0 - 1.0
    }

    /// Returns a point of the cube from -1 to 1.
    pub fn cube(&mut self) -> Vec3 {
        let [x, y, z] = [0; 3].map(|_| self.signed());
        Vec3::new(x, y, z)
    }

    /// Returns a direction of length 1, uniformly distributed.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let point = self.cube();
            let squared = point.length_squared();
            if squared > 1e-4 && squared <= 1.0 {
                return point / squared.sqrt();
            }
        }
    }

    /// Returns a direction of length 1 above a surface, cosine-distributed about its normal.
    pub fn above(&mut self, normal: Vec3) -> Vec3 {
        loop {
            let sum = normal + self.direction();
            if sum.length_squared() > 1e-6 {
                return sum.normalize();
            }
        }
    }
}
