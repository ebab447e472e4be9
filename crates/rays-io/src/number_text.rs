//! Numbers as text that reads back as the same number.

use std::fmt;

/// Formats an `f32` with the fewest digits that read back as the same number, with an exponent
/// instead of long runs of zeros; `inf`, `-inf`, `NaN` and `-0` are written as such.
#[derive(Clone, Copy, Debug)]
pub struct Number(pub f32);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self.0, self.0.into(), f, |buffer| {
            buffer.format_finite(self.0)
        })
    }
}

/// Formats an `f64` in the same way.
#[derive(Clone, Copy, Debug)]
pub struct Number64(pub f64);

impl fmt::Display for Number64 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        display(self.0, self.0, f, |buffer| buffer.format_finite(self.0))
    }
}

/// Writes a number whose size is that of `wide`; `quickly` writes it, several times as fast, with digits
/// after a point always.
fn display(
    x: impl fmt::Display + fmt::LowerExp,
    wide: f64,
    f: &mut fmt::Formatter<'_>,
    quickly: impl FnOnce(&mut zmij::Buffer) -> &str,
) -> fmt::Result {
    let size = wide.abs();
    if (f64::from(1e-4f32)..1e10).contains(&size) {
        let mut buffer = zmij::Buffer::new();
        let text = quickly(&mut buffer);
        f.write_str(text.strip_suffix(".0").unwrap_or(text))
    } else if size == 0.0 || !size.is_finite() {
        write!(f, "{x}")
    } else {
        write!(f, "{x:e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The standard library has as many digits; the last one may differ where two are equally near.
    /// `ESTOC_LONG=1` tries all numbers.
    #[test]
    fn digits_are_the_fewest() {
        let is_long = std::env::var_os("ESTOC_LONG").is_some_and(|value| value == "1");
        let step = if is_long { 1 } else { 9973 };
        let bits = (1e-4f32.to_bits()..1e10f32.to_bits()).step_by(step);
        for x in bits.map(f32::from_bits) {
            let (text, usual) = (Number(x).to_string(), x.to_string());
            assert!(
                text == usual || text.len() == usual.len() && text.parse() == Ok(x),
                "{text}"
            );
            let x = f64::from(x) * -4.0 / 3.0;
            let (text, usual) = (Number64(x).to_string(), x.to_string());
            let is_plain = x > -1e10;
            assert!(
                !is_plain || text == usual || text.len() == usual.len() && text.parse() == Ok(x),
                "{text}"
            );
        }
    }

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
