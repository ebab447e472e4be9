//! Numbers as text that reads back as the same number.

use std::fmt;

/// Formats an `f32` with the fewest digits that read back as the same number, with an exponent
/// instead of long runs of zeros; `inf`, `-inf`, `NaN` and `-0` are written as such.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self.0, self.0.into(), f)
    }
}

/// Formats an `f64` in the same way.
#[derive(Clone, Copy, Debug)]
pub struct Number64(pub f64);

impl fmt::Display for Number64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self.0, self.0, f)
    }
}

/// Writes a number whose size is that of `wide`.
fn display(
    x: impl fmt::Display + fmt::LowerExp,
    wide: f64,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let size = wide.abs();
    if size == 0.0 || !size.is_finite() || (f64::from(1e-4f32)..1e10).contains(&size) {
        write!(f, "{x}")
    } else {
        write!(f, "{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_number_reads_back() {
        let mut bits = 1u32;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let x = f32::from_bits(bits);
            let text = Number(x).to_string();
            let back: f32 = text.parse().unwrap();
            assert!(back.to_bits() == x.to_bits() || x.is_nan(), "{text}");
            assert!(text.len() <= 15, "{text}");
        }
        let text = |x| Number(x).to_string();
        assert_eq!(text(-0.0), "-0");
        assert_eq!(text(f32::INFINITY), "inf");
        assert_eq!(text(1e-30), "1e-30");
        assert_eq!(text(0.1), "0.1");
        assert_eq!(text(16_777_216.0), "16777216");
    }
}
