//! The grid of some numbers: all as integers times a power of two.

use glam::Vec3;

/// The bits that some numbers occupy: the exponent of the lowest, and one more than that of the
/// highest.
pub(crate) struct BitSpan {
    pub(crate) low: i32,
    high: i32,
}

impl BitSpan {
    /// The greatest `high` of finite numbers.
    const NOT_FINITE: i32 = 128;

    pub(crate) fn new() -> Self {
        BitSpan {
            low: i32::MAX,
            high: i32::MIN,
        }
    }

    #[inline(always)]
    pub(crate) fn take(&mut self, p: Vec3) {
        self.take_number(p.x);
        self.take_number(p.y);
        self.take_number(p.z);
    }

    #[inline(always)]
    fn take_number(&mut self, x: f32) {
        let bits = x.to_bits();
        let exponent = (bits >> 23 & 0xff) as i32;
        // A zero gets no leading bit and so does not affect `low`.
        let leading = u32::from(exponent > 0) << 23;
        let mantissa = bits & 0x7f_ffff | leading | 1 << 31;
        let unit = exponent.max(1) - 150;
        let place = mantissa.trailing_zeros() as i32;
        let low = if place == 31 { i32::MAX } else { unit + place };
        self.low = self.low.min(low);
        self.high = self.high.max(unit + 24);
    }

    /// Returns the power of two that makes the numbers integers, if these have at most that many bits
    /// and are finite.
    #[inline]
    pub(crate) fn scale(&self, bits: i32) -> Option<f64> {
        if self.high > Self::NOT_FINITE {
            return None;
        }
        if self.low == i32::MAX {
            return Some(1.0); // all are zero
        }
        (self.high - self.low <= bits).then(|| f64::from_bits(((1023 - self.low) as u64) << 52))
    }
}
